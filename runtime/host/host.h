/* host.h - a runtime: a pump, the thread that drives it, and the state for access by other threads.
 *
 * Every member of struct uf_runtime belongs to one of these groups:
 *
 * | group            | accessed by                                                                              |
 * |------------------|------------------------------------------------------------------------------------------|
 * | constant         | any thread; set before uf_runtime_new() returns                                          |
 * | driving thread   | the thread that drives the pump; while stopped, a thread that holds `takeover`           |
 * | atomic           | any thread, with the operations of port_words.h                                          |
 * | `sleep_mutex`    | any thread that holds it; it only protects going to sleep                                |
 * | `mutex`          | any thread that holds it, for a few instructions and never while user code runs          |
 * | critical section | any thread between ufp_critical_enter() and ufp_critical_leave() of `ufh_links`          |
 *
 * Only making, linking, stopping and freeing a runtime enters that section, which all runtimes share; and an external
 * loop that moves to another thread.
 *
 * Lock order: `takeover`, then `mutex`, then either one `sleep_mutex` (the runtime's or its driver's) or one critical
 * section. */
#ifndef UFLOW_HOST_H
#define UFLOW_HOST_H

#include "uflow/runtime.h"

#include "flows/inbox.h"
#include "observers/observers.h"
#include "port_host.h"
#include "port_poller.h"
#include "pump/rounds.h"
#include "runs/runs.h"
#include "waits/signals.h"

/* Two threads that write to different words of one cache line slow each other several-fold. Many CPUs fetch lines in
 * pairs, so what different threads write is two lines apart. */
#define UFH_CACHE_LINE 64u
#define UFH_APART      (2 * UFH_CACHE_LINE)

/* Where the driving thread of a runtime sleeps. */
typedef enum ufh_sleep { UFH_AWAKE, UFH_AT_CONDITION, UFH_AT_POLLER } ufh_sleep;

/* Time that waits took, with the work after them, and the jobs or messages handled in it: sums of some last waits. */
typedef struct ufh_pace {
    uf_time time;
    int64_t handled;
} ufh_pace;

/* The busy waits of one thread; see spin.c. */
typedef struct ufh_spin {
    uf_time limit;       /* 0: it never spins */
    ufh_pace paces[2];   /* without and with a spin */
    int share_in_vain;   /* of its last spins, in 1024ths */
    uf_time rests_until; /* it does not spin before */
    uf_time began;       /* the last wait */
    uint32_t waits;
    uint32_t handled; /* jobs or messages, until the last wait began */
    bool spins;       /* in the last wait */
    bool in_vain;     /* the last wait: a spin, for its whole limit */
    bool arrived;     /* the last wait ended with a message or a job, and not at a deadline */
} ufh_spin;

typedef enum ufh_wait { WAIT_FOR_RUN, WAIT_FOR_TURN, CANCEL_OF_RUN, WAIT_FOR_ALL, WAIT_FOR_STOP } ufh_wait;

/* An entry of the table: a thread that waits, or a cancel that the pump has not received yet. */
typedef struct ufh_entry {
    uf_link place; /* first */
    ufh_wait kind;
    uint32_t run;
    uf_flow *flow; /* NULL: none in particular; of a cancel: it is gone */
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
    uf_link *lists; /* a power of 2 of them */
    uint32_t list_count, count;
    uf_link least[UFH_LEAST_LISTS];
} ufh_waiters;

struct uf_runtime {
    uf_pump pump; /* first: a pump with a host is a runtime */

    /* Constant. */
    char name[16]; /* behind the pump: the commands of gdb read it there, without debug information about this struct */
    uf_runtime_config config;
    uint32_t index;

    /* Driving thread. */
    uf_runtime *first_linked; /* the runtimes that this one drives, linked by next_linked */
    uf_runtime *next_linked;
    struct descriptor *descriptors; /* by number, those that flows have waited for */
    size_t descriptor_count;
    uint32_t descriptor_arms; /* arms that wait for a descriptor */
    bool nested;              /* the poller is nested in the driver's */
    uf_time polled_at;        /* real time of the last poll for descriptors */
    ufh_spin spin;
    uf_stop stop;
    void *spare_post;          /* for the next post of this thread; NULL: none; see post.c */
    const uf_flow *next_seen;  /* a viewer has seen the flows before this one; NULL: none is remembered */
    uint32_t next_seen_number; /* how many they are */
    uint32_t next_seen_use;    /* if it is a member of a pool, or inside one: the member's run */
    uf_time next_poll;         /* external-loop mode: the latest real time of the next uf_runtime_poll() */
    uf_status (*free_pool)(uf_pool *pool, uf_time grace); /* uf_pool_free(), set with `own_pool` */

    /* Atomic. */
    uint32_t sleep;           /* a ufh_sleep; not UFH_AWAKE: a message must wake the driving thread */
    uint32_t must_leave;      /* the thread has to end, because another runtime is about to drive this one */
    uint32_t clock_changed;   /* pump.clock is no longer a copy of `clock` */
    uint32_t has_hook;        /* `hook` is set */
    uint32_t progress;        /* changes with each round and each post, unless the driving thread is stuck */
    uint32_t round_requested; /* `round_request` is in the inbox */
    void *driver;             /* the runtime whose thread drives this one; changes under `mutex` */
    void *loop_thread;        /* external-loop mode: the thread of the loop */
    void *own_pool;           /* created at the first submit, if the configuration has none */

    /* Messages to this runtime's pump or to its driver's; only one of each kind is under way. */
    uf_message round_request, link_request, stop_request;

    /* Driving thread, but any thread may notify the notifier. */
    ufp_poller poller;
    bool has_poller;

    /* External-loop mode: the next runtime of this thread. Atomic: a thread that takes the loop over stores. */
    void *next_own;

    ufp_mutex takeover; /* held by a thread that acts as the driving thread of a stopped runtime */

    /* `sleep_mutex`. */
    ufp_mutex sleep_mutex;
    ufp_condition wakeup; /* the driving thread waits here for a message, for its start, or for `all_left` */
    bool all_left;        /* the runtime is being freed, and no other thread uses it any more */
    bool start_held;      /* a new thread waits until the restart is complete */

    /* `mutex`. */
    ufp_mutex mutex;
    ufp_condition changed; /* for a thread that links or frees the runtime: link_done or stop_finished was set */
    bool link_done;        /* the driver has attached or detached the runtime */
    bool stopped;          /* no thread drives the runtime, and nothing runs */
    bool stop_finished;    /* ... and `report` is complete */
    bool stop_timed_out;   /* a thread has given up waiting for the stop */
    bool must_join;        /* `thread` has ended and was not joined */
    ufp_thread thread;     /* written by the thread that starts it */
    uf_time stop_began, stop_grace;
    bool stop_at_once;
    uf_stop_report report; /* of the stop, as of its last round */
    uf_clock clock;
    ufh_waiters waiters;
    void (*hook)(void *context);
    void *hook_context;

    /* Critical section. */
    uint32_t driven_count; /* linked runtimes that this one drives */
    bool link_changing;    /* a link or unlink is under way */
    bool stopping;         /* a stop has begun, and no restart since */
    bool freeing;
    uf_runtime *next_loop; /* external-loop mode: next of all such runtimes */
    uf_pump *outer_round;  /* in a round: the pump in whose step that round is run, or NULL */
    char apart[UFH_APART]; /* from what was allocated next, which may be another runtime */
};
_Static_assert(offsetof(uf_runtime, name) == sizeof(uf_pump), "tools/gdb reads it there");

extern char const ufh_links;

static inline uf_runtime *ufh_runtime_of(const uf_pump *pump)
{
    return (uf_runtime *)(uintptr_t)pump;
}

/* Sends a message that the pump's thread passes to `deliver`. */
static inline void ufh_send(uf_pump *pump, uf_message *message, void (*deliver)(uf_pump *pump, uf_message *message))
{
    message->deliver = deliver;
    ufi_inbox_send(pump, message);
}

/* The moment at which a timeout that begins now ends. */
static inline uf_time ufh_deadline(uf_time timeout)
{
    return timeout == UF_FOREVER ? UF_FOREVER : uf_time_add(ufp_monotonic_now(), timeout > 0 ? timeout : 0);
}

/* -- failure.c --------------------------------------------------------------------------------------------------- */

/* The host function `failed`; see hooks.h. The default of uf_runtime_config.on_failure. */
void ufh_run_failed(uf_flow *flow);
bool ufh_run_awaited(const uf_flow *flow);
void ufh_print_failure(void *context, const uf_flow *flow, const uf_failure *failure);

/* -- runtime.c --------------------------------------------------------------------------------------------------- */

/* True if the calling thread drives the runtime, in a round or, in external-loop mode, between two polls. Then it
 * must not wait for the runtime. */
bool ufh_on_driver_thread(uf_runtime *runtime);

/* Sets errno and returns UF_NO_THREAD. */
uf_status ufh_system_error(int error);

/* Starts the runtime's own thread, which waits until it is the driver and its start is not held. Returns an errno. */
int ufh_start_thread(uf_runtime *runtime);

/* Frees all resources of the runtime, and the runtime. */
void ufh_release(uf_runtime *runtime);

/* Driving thread: from here on, fires of signals whose home is this runtime are at home. A step in a round of one
 * runtime may poll another, or run something in its place. */
static inline void ufh_enter_round(uf_runtime *runtime)
{
    void **const slots = ufp_thread_slot();
    runtime->outer_round = slots[UFP_SLOT_ROUND];
    slots[UFP_SLOT_ROUND] = &runtime->pump;
}
static inline void ufh_leave_round(const uf_runtime *runtime)
{
    ufp_thread_slot()[UFP_SLOT_ROUND] = runtime->outer_round;
}

/* Copies the name of a thread, truncated to 15 bytes. */
void ufh_copy_name(char to[16], const char *from);

/* Frees the pool that ufp_make_pool() has made, if there is one. */
void ufh_free_own_pool(uf_runtime *runtime, uf_time grace);

/* True on a thread of the pool that uf_runtime_free() waits for. */
bool ufh_in_own_pool(uf_runtime *runtime);

/* True on a thread of any pool that runs a job of this runtime. */
bool ufh_in_job_of(const uf_runtime *runtime);

/* -- loops.c ----------------------------------------------------------------------------------------------------- */

/* External-loop mode: the runtime has been made, it is polled by this thread, it is being freed. */
void ufh_add_loop(uf_runtime *runtime);
void ufh_claim_loop(uf_runtime *runtime);
void ufh_remove_loop(uf_runtime *runtime);

/* Does this thread drive a runtime, or an external loop with one? */
bool ufh_thread_drives_runtime(void);

/* The host function of this name; see hooks.h. */
bool ufh_process_own_fired(void);

/* -- drive.c ----------------------------------------------------------------------------------------------------- */

/* Driving thread: shows other threads that it is not stuck. */
static inline void ufh_note_progress(uf_runtime *runtime)
{
    ufp_store(&runtime->progress, ufp_load(&runtime->progress) + 1);
}

/* Any thread: wakes the thread that drives the pump. Call it after the message is in the inbox. */
void ufh_wake(uf_pump *pump);

/* Any thread: false if the driving thread is awake and will see a message that is in the inbox by now. */
bool ufh_needs_wake(const uf_pump *pump);

/* Drives the runtime and those linked to it on the calling thread, until it has to leave or `until` has stopped: the
 * runtime or one that it drives. */
void ufh_drive(uf_runtime *runtime, uf_runtime *until);

/* The same until the runtime has stopped, on the thread of the external loop. Does nothing if it has stopped already.
 */
void ufh_drive_until_stopped(uf_runtime *runtime);

/* In place of the driving thread, which has ended: delivers messages until every other thread has left the runtime. */
void ufh_serve_until_all_left(uf_runtime *runtime);

/* External-loop mode, at the end of a poll: marks the thread as asleep, so that messages notify the poller. */
void ufh_end_poll(uf_runtime *runtime, uf_time next_poll);

/* Lets the first round begin: releases the held thread, or notifies the poller in external-loop mode. */
void ufh_release_start(uf_runtime *runtime);

/* Stores which thread drives the runtime and those linked to it. */
void ufh_set_driving_thread(uf_runtime *runtime, void *thread);

/* -- spin.c ------------------------------------------------------------------------------------------------------ */

#define UFH_DEFAULT_SPIN UF_US(100)

/* For the calling thread. `limit`: as configured; 0: the default; negative: none. A thread with one CPU never spins. */
ufh_spin ufh_make_spin(uf_time limit);

/* Begins a wait. `handled`: a running count of jobs or messages. Returns: true if the thread is to spin before it
 * sleeps. */
bool ufh_spin_begin(ufh_spin *spin, uint32_t handled);

/* Spins until `has_arrived(what)`, for the limit, or until it is `until`. Returns: what `has_arrived` said last. */
bool ufh_spin_until(ufh_spin *spin, bool (*has_arrived)(const void *what), const void *what, uf_time until);

/* -- waiter.c ---------------------------------------------------------------------------------------------------- */

/* The host functions of these names; see hooks.h. */
void ufh_run_ended(uf_flow *flow, uint32_t state);

/* Any thread: requests a round that checks the waiters that were added before, and computes its deadline again. */
void ufh_request_round(uf_pump *pump);

/* Driving thread: completes the waiters whose condition holds, of those that were not checked yet; and all that wait
 * for all flows, if none runs. The others are completed when their run ends, or by a stop. */
void ufh_check_waiters(uf_runtime *runtime);

/* With the mutex held: the same of all waiters, in a stop. */
void ufh_check_all_waiters(uf_runtime *runtime);

/* Driving thread: completes all waiters of an idle flow that is being detached, and disarms its cancels. */
void ufh_release_waiters_of(uf_flow *flow);

/* Driving thread: does no flow run, and is none about to? */
static inline bool ufh_is_idle(const uf_pump *pump)
{
    return pump->running == 0 && ufp_load_seq_cst(&pump->requests) == 0;
}

/* With the mutex held: ufp_condition_wait(). A thread that drives runtimes handles fired signals of its own flows
 * meanwhile: the other runtime may be destroying such a signal, and wait for that. */
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

/* -- link.c ------------------------------------------------------------------------------------------------------ */

/* Driving thread: removes a runtime from those that it drives. */
void ufh_remove_linked(uf_runtime *driver, uf_runtime *other);

/* Stores the driver of a runtime, and wakes the runtime's own thread. */
void ufh_set_driver(uf_runtime *other, uf_runtime *driver);

/* -- signal_wait.c ------------------------------------------------------------------------------------------------- */

/* uf_signal_wait_since() up to a deadline, on a thread that drives no runtime. */
uf_status ufh_signal_wait_until(uf_signal *signal, uint32_t since, uf_time deadline);

/* -- call.c, post.c ---------------------------------------------------------------------------------------------- */

uf_status ufh_call(const uf_call *call);

/* A cancel on its way to the pump, which frees it. Until then it is in the table, and is counted in pump.watched. */
typedef struct ufh_cancel_message {
    uf_message message; /* first */
    ufh_entry entry;
} ufh_cancel_message;

/* With the mutex held: enqueues a cancel. The caller wakes the pump afterwards. */
void ufh_push_cancel(ufh_cancel_message *cancel, uf_run run);

uf_status ufh_cancel(uf_run run);
uf_status ufh_detach(uf_flow *flow);
void ufh_forget(uf_flow *flow);

/* Runs a function on the driving thread and waits for it, also while the runtime is being stopped or freed. Calls it
 * directly on the driving thread, and if no thread drives the runtime. Returns UF_OK or UF_NO_THREAD. */
uf_status ufh_run_on_driver(uf_runtime *runtime, void (*function)(void *argument), void *argument);

/* Counts a request, also during a stop. Returns: false if no thread drives the runtime. */
bool ufh_count_request(uf_runtime *runtime);

void ufh_run_hook(void *runtime);

/* -- stop.c ------------------------------------------------------------------------------------------------------ */

/* Driving thread, after the last round of a stop: marks the runtime as stopped and gives it up. Returns false if a
 * message has arrived since, so that another round is needed. */
bool ufh_finish_stop(uf_runtime *runtime);

/* Driving thread: publishes the report of a stop that is under way. */
void ufh_publish_report(uf_runtime *runtime);

/* Runs a function on the calling thread if the runtime is stopped; returns false if a thread drives it. */
bool ufh_run_if_stopped(uf_runtime *runtime, void (*function)(void *argument), void *argument);

/* -- descriptors.c ----------------------------------------------------------------------------------------------- */

void ufh_descriptor_arm_add(uf_pump *pump, uf_arm *arm);
void ufh_descriptor_arm_remove(uf_pump *pump, uf_arm *arm);
void ufh_descriptor_look(uf_arm *arm);

/* Driving thread, as all below: true if any flow that this thread drives waits for a descriptor. */
bool ufh_waits_for_descriptors(const uf_runtime *runtime);

/* Opens the poller if there is none yet; false if that fails. */
bool ufh_can_poll(uf_runtime *runtime);

/* Waits until a descriptor is ready, the notifier is notified, or it is `deadline` (0: does not wait). Wakes the
 * flows. */
void ufh_poll(uf_runtime *runtime, uf_time deadline);

/* Nests the pollers of linked runtimes in this runtime's poller. Returns false if the poller's descriptor does not
 * cover all descriptors that flows wait for. */
bool ufh_nest_pollers(uf_runtime *runtime);
void ufh_unnest_poller(uf_runtime *runtime, uf_runtime *other);

void ufh_close_descriptors(uf_runtime *runtime);

/* -- turn.c ------------------------------------------------------------------------------------------------------ */

/* In the pump's critical section: the flow and the step that the pump's thread is running, or NULL. The flow stays
 * attached until the critical section ends. */
const uf_flow *ufh_current_step(const uf_pump *pump, const uf_step_info **step);

/* -- host_clock.c ------------------------------------------------------------------------------------------------ */

/* Driving thread: advances the pump's clock to `real`, and copies it first if another thread has changed it. */
void ufh_advance_clock(uf_runtime *runtime, uf_time real);

/* The host functions `take_clock`, `give_clock` and `now`; see hooks.h. */
uf_clock *ufh_begin_clock_change(uf_pump *pump);
void ufh_end_clock_change(uf_pump *pump, bool changed);
uf_time ufh_now(const uf_pump *pump);

#endif
