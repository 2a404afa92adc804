/* SPDX-License-Identifier: MIT */
/* waiters.h - threads that wait for flows of a runtime, and cancels on their way to the runtime. */
#ifndef UFLOW_WAITERS_H
#define UFLOW_WAITERS_H

#include "uflow/runtime.h"

#include "port_host.h"

typedef enum ufh_wait {
    WAIT_FOR_RUN,
    WAIT_FOR_KEPT,
    WAIT_FOR_TURN,
    CANCEL_OF_RUN,
    WAIT_FOR_ALL,
    WAIT_FOR_STOP
} ufh_wait;

/* An entry of the table: a thread that waits, or a cancel that the pump has not received yet. */
typedef struct ufh_entry {
    uf_link place; /* first */
    ufh_wait kind;
    uint32_t run;
    uf_flow *flow; /* NULL: no particular one; of a cancel: the flow is gone */
} ufh_entry;

/* A thread that waits, on its own stack. Everything is under the mutex once it is enqueued. */
typedef struct ufh_waiter {
    ufh_entry entry;     /* first */
    uf_link unchecked;   /* on the list of those that were not checked yet */
    const uf_call *call; /* the call that makes the run; NULL: another thread started it */
    bool done;           /* `status` holds the result */
    uf_status status;
    uf_call_info end;       /* WAIT_FOR_RUN: how the run has ended */
    uf_stop_report *report; /* WAIT_FOR_STOP: receives the report, before a restart can clear it */
    ufp_condition wakeup;
} ufh_waiter;

/* The table of a runtime; see waiter_table.c. */
enum { UFH_LEAST_LISTS = 2, UFH_MOST_LISTS = 65536 };
typedef struct ufh_waiters {
    uf_link idle;   /* threads that wait for all flows */
    uf_link stop;   /* threads that wait for a stop */
    uf_link fresh;  /* threads that were not checked yet */
    uf_link *lists; /* their number is a power of 2 */
    uint32_t list_count, count;
    uf_link least[UFH_LEAST_LISTS];
} ufh_waiters;

/* -- waiter.c ---------------------------------------------------------------------------------------------------- */

/* The host functions of these names; see hooks.h. */
void ufh_run_ended(uf_flow *flow, uint32_t state);
void ufh_run_kept(uf_flow *flow);

/* Any thread: requests a round that checks the waiters that were added before, and computes its deadline again. */
void ufh_request_round(uf_pump *pump);

/* Driving thread: completes the unchecked waiters whose condition holds. If no flow runs, also completes all that wait
 * for all flows. The others are completed when their run ends, or by a stop. */
void ufh_check_waiters(uf_runtime *runtime);

/* With the mutex held: the same for all waiters, in a stop. */
void ufh_check_all_waiters(uf_runtime *runtime);

/* Driving thread: completes all waiters of an idle flow that is being detached, and disarms its cancels. */
void ufh_release_waiters_of(uf_flow *flow);

/* Driving thread: does no flow run, and is none about to? */
static inline bool ufh_is_idle(const uf_pump *pump)
{
    return pump->running == 0 && ufp_load_seq_cst(&pump->requests) == 0;
}

/* With the mutex held: ufp_condition_wait(). A thread that drives runtimes handles fired signals of its own flows
 * meanwhile. The other runtime may be destroying such a signal, and then it waits until the signal is handled. */
bool ufh_condition_wait(uf_runtime *runtime, ufp_condition *condition, uf_time deadline);

/* With the mutex held. */
void ufh_waiter_enqueue(uf_runtime *runtime, ufh_waiter *waiter);
void ufh_waiter_remove(uf_runtime *runtime, ufh_waiter *waiter);
bool ufh_waiter_wait(uf_runtime *runtime, ufh_waiter *waiter, uf_time deadline); /* false: the deadline has passed */

/* With the mutex held: the first call that waits for its turn on the flow, or NULL. */
ufh_waiter *ufh_first_call_of(const uf_runtime *runtime, const uf_flow *flow);

/* Claims an idle flow for a call. With the mutex held, after ufi_request_begin(). */
bool ufh_claim_flow(uf_flow *flow);

/* The result of a call or a wait that has no end of a run to report. */
void ufh_set_no_end(uf_call_info *info, uf_outcome outcome, uf_status status);

/* -- waiter_table.c ---------------------------------------------------------------------------------------------- */

void ufh_waiters_init(ufh_waiters *all);
void ufh_waiters_free(ufh_waiters *all);
void ufh_entries_add(ufh_waiters *all, ufh_entry *entry);
void ufh_waiters_add(ufh_waiters *all, ufh_waiter *waiter);

/* Returns: false, and nothing happens, if it was taken already. */
bool ufh_entries_take(ufh_waiters *all, ufh_entry *entry);

/* Does nothing if it was taken already. */
void ufh_waiters_take(ufh_waiters *all, ufh_waiter *waiter);

/* Returns: the first waiter that was not checked, which counts as checked now; NULL: there is none. */
ufh_waiter *ufh_waiters_fresh(ufh_waiters *all);

/* The next entry of this kind for this flow after another one (NULL: the first). */
ufh_entry *ufh_entries_next(const ufh_waiters *all, const uf_flow *flow, ufh_wait kind, const ufh_entry *after);

/* The same of threads that wait for the end of a run of this flow. */
static inline ufh_waiter *ufh_waiters_next(const ufh_waiters *all, const uf_flow *flow, const ufh_waiter *after)
{
    return (ufh_waiter *)(void *)ufh_entries_next(all, flow, WAIT_FOR_RUN, after ? &after->entry : NULL);
}

/* -- signal_wait.c ----------------------------------------------------------------------------------------------- */

/* uf_signal_wait_since() up to a deadline, on a thread that drives no runtime. */
uf_status ufh_signal_wait_until(uf_signal *signal, uint32_t since, uf_time deadline);

#endif
