/* host.h - a runtime, as its files share it.
 *
 * Three kinds of members. Those of the thread that drives it, which nobody else touches. Words, which are reached through
 * port_words.h alone. And those under `mutex`, which is held for a few instructions, never while user code runs. `nap`
 * guards nothing but a thread's falling asleep. The locks have one order: `hands`, `mutex`, and last either `nap`, which may
 * be that of the driver, or what ufp_critical_enter() begins. */
#ifndef UFLOW_HOST_H
#define UFLOW_HOST_H

#include "uflow/runtime.h"

#include "inbox.h"
#include "observers.h"
#include "rounds.h"
#include "runs.h"
#include "signals.h"
#include "port_host.h"
#include "port_poller.h"

struct watcher;

struct uf_runtime {
    uf_pump pump; /* first: a pump with a host is a runtime */
    uf_runtime_config config;
    char name[16];
    uint32_t index;
    ufp_thread thread;

    /* The driving thread's. */
    uf_runtime *first_linked; /* those that it drives beside itself */
    uf_runtime *next_linked;
    struct descriptor *descriptors; /* that flows have waited for, by their numbers */
    size_t descriptor_count;
    uint32_t descriptors_waited; /* arms */
    bool covered;                /* by the poller of the one that drives it */
    uf_time polled;              /* the real time at which descriptors were last looked at */
    uf_stop stop;
    uf_time next; /* embedded: when the next poll has to be */

    /* Words. */
    uint32_t asleep;  /* the thread has looked at everything, and will not look again unless it is woken: where it is */
    uint32_t leaving; /* the thread is to end, for another one drives this runtime from now on */
    uint32_t clock_changed; /* pump.clock is not a copy of `clock` any more */
    uint32_t hooked;        /* there is a pre-round hook */
    uint32_t beats;         /* raised in each round, and by each post: as long as it changes, the thread is not stuck */
    uint32_t reviewing;     /* `review` is in the inbox */
    void *driver;           /* the runtime whose thread drives this one; itself */
    void *home;             /* embedded: the thread of the loop */
    void *own_pool;         /* made at the first submit, if none was given */
    uf_message review, move, stop_now;

    ufp_poller poller; /* if `polls`: its notifier is for everyone, the rest is the driving thread's */
    bool polls;
    ufp_mutex hands; /* for what is done in the place of a thread that has ended */

    ufp_mutex nap;
    ufp_condition wakeup; /* for the thread, with `nap`: it is not asleep any more, or the driver now, or this: */
    bool left;            /* nobody is inside any more; under `nap` */

    /* Under the mutex. */
    ufp_mutex mutex;
    ufp_condition gone; /* for those who free or link it: what they wait for has come */
    bool moved;         /* a driver has taken it, or let it go */
    bool stopped;       /* no thread drives it, and nothing runs ... */
    bool told;          /* ... and all is done that had to be done for that */
    bool given_up;      /* a stop has not come to its end in time */
    bool ended;         /* its own thread has come to its end, and has to be joined */
    bool held;          /* the new one waits until all is ready for it; under `nap` */
    uf_time stop_began, stop_grace;
    bool stop_at_once;
    uf_stop_report report; /* of the stop, as of its last round */
    uf_clock clock;
    struct watcher *watches; /* threads that wait, in the order in which they came */
    void (*hook)(void *context);
    void *hook_context;

    /* Between ufp_critical_enter() and ufp_critical_leave(). */
    uint32_t drives; /* how many others */
    bool changing;   /* being linked or unlinked */
    bool stopping;   /* a stop has begun, and it was not started again since */
    bool freeing;
};

static inline uf_runtime *ufh_of(const uf_pump *pump)
{
    return (uf_runtime *)(uintptr_t)pump;
}

/* Would waiting for it on this thread be waiting for oneself? */
bool ufh_is_own(uf_runtime *runtime);

/* -- drive.c ------------------------------------------------------------------------------------------------------- */

/* The driving thread gets on. */
static inline void ufh_beat(uf_runtime *runtime)
{
    ufp_store(&runtime->beats, ufp_load(&runtime->beats) + 1);
}

/* Ends the nap of whoever drives the pump. */
void ufh_wake(uf_pump *pump);

/* Does it have to be called? */
bool ufh_asleep(const uf_pump *pump);

/* Drives until its thread is to leave it, or `until` is stopped: itself, or one that it drives. */
void ufh_loop(uf_runtime *runtime, uf_runtime *until);

/* In the place of its thread, which is gone: delivers what those who are inside send, until the last has left. */
void ufh_serve_the_last(uf_runtime *runtime);

/* The same until it is stopped, on the thread of the loop that it or its driver is embedded in. */
void ufh_drive_to_the_end(uf_runtime *runtime);

/* Embedded: until the next poll, which has to be at `next`, it counts as asleep: whoever sends something rings. */
void ufh_be_between_polls(uf_runtime *runtime, uf_time next);

/* Its thread, or its loop, may begin. */
void ufh_let_begin(uf_runtime *runtime);

/* Says which thread drives it and those that are linked to it. */
void ufh_set_thread(uf_runtime *runtime, void *thread);

/* -- watch.c ------------------------------------------------------------------------------------------------------- */

/* A thread that waits. Lies on its stack. */
typedef struct watcher {
    struct watcher *next;
    enum { FOR_RUN, FOR_ALL, FOR_TURN, FOR_STOP } what;
    uf_flow *flow;
    uint32_t run;
    const uf_call *call; /* whose run it is, or NULL */
    bool over;           /* what it waits for has come, and `status` says how */
    uf_status status;
    uf_call_info end;
    uf_stop_report *report; /* FOR_STOP: here it comes, before anybody can start the runtime again */
    ufp_condition wakeup;
} watcher;

void ufh_ended(uf_flow *flow, uint32_t state);
void ufh_review(uf_pump *pump);

/* Looks at what every watcher waits for. The driving thread's; the second one under the mutex. */
void ufh_evaluate(uf_runtime *runtime);
void ufh_evaluate_locked(uf_runtime *runtime);

/* The flow, which is idle, is being detached: nobody watches it any more. The driving thread's. */
void ufh_forget_watches(uf_flow *flow);

/* Under the mutex, at a condition: as ufp_condition_wait(). A thread that drives runtimes sees meanwhile to signals that are destroyed
 * under their flows: it may be a step of this runtime that does so, and waits for that. */
bool ufh_wait(uf_runtime *runtime, ufp_condition *condition, uf_time deadline);

/* Under the mutex: among the watches from now on, and not any more. */
void ufh_watch_begin(uf_runtime *runtime, watcher *watch);
void ufh_watch_end(uf_runtime *runtime, watcher *watch);
/* Waits until it is over; false: the deadline has come first. */
bool ufh_watch_wait(uf_runtime *runtime, watcher *watch, uf_time deadline);

/* Under the mutex, once a start was counted: gives the call the flow, if nobody has it. */
bool ufh_try_turn(watcher *watch);

/* What a call or a wait that brought no end says. */
static inline void ufh_no_end(uf_call_info *info, uf_outcome outcome, uf_status status)
{
    *info = (uf_call_info){.outcome = outcome};
    ufi_format_args(info->reason, UF_REASON_SIZE, "%s", uf_status_text(status));
}

static inline uf_time ufh_deadline(uf_time timeout)
{
    return timeout == UF_FOREVER ? UF_FOREVER : uf_time_add(ufp_monotonic_now(), timeout > 0 ? timeout : 0);
}

/* -- runtime.c, link.c --------------------------------------------------------------------------------------------- */

/* Starts its own thread, which waits until it is the driver. An errno. */
int ufh_start_thread(uf_runtime *runtime);

/* Gives back everything, itself too. */
void ufh_release(uf_runtime *runtime);

/* The driving thread's: `other` is not driven any more. */
void ufh_take_off(uf_runtime *driver, uf_runtime *other);
void ufh_set_driver(uf_runtime *other, uf_runtime *driver);

/* -- pool.c -------------------------------------------------------------------------------------------------------- */

const char *ufh_make_pool(uf_pump *pump);
void ufh_free_own_pool(uf_runtime *runtime, uf_time grace);

/* Is this a worker that the runtime, when it is freed, has to wait for? */
bool ufh_in_own_pool(uf_runtime *runtime);

/* Is this a worker at a job of this runtime, in whatever pool? */
bool ufh_in_worker_of(const uf_runtime *runtime);

/* -- call.c, post.c, host_clock.c ---------------------------------------------------------------------------------- */

uf_status ufh_call(const uf_call *call);
uf_status ufh_cancel(uf_run run);
uf_status ufh_detach(uf_flow *flow);
void ufh_forget(uf_flow *flow);

/* Has a function called on the driving thread, also while the runtime is being stopped or freed, and waits; calls it itself if
 * no thread drives the runtime any more, or this is the one that does. UF_NO_THREAD. */
uf_status ufh_do(uf_runtime *runtime, void (*function)(void *argument), void *argument);

/* -- stop.c -------------------------------------------------------------------------------------------------------- */

/* Its last round is over: it is stopped, unless something has come since. The driving thread's last act. */
bool ufh_stopped(uf_runtime *runtime);

/* What is known of the stop by now, for those who wait for it. */
void ufh_note_report(uf_runtime *runtime);

/* Does something in the place of the thread; false: it has one. */
bool ufh_lend_a_hand(uf_runtime *runtime, void (*function)(void *argument), void *argument);

/* -- descriptors.c ------------------------------------------------------------------------------------------------- */

void ufh_watch(uf_pump *pump, uf_arm *arm);
void ufh_unwatch(uf_pump *pump, uf_arm *arm);

/* Does anyone wait for a descriptor, of those that this thread drives? */
bool ufh_waits_for_descriptors(const uf_runtime *runtime);

/* Is there something to wait with? */
bool ufh_can_poll(uf_runtime *runtime);

/* Waits until a descriptor is ready, the notifier is rung, or it is `deadline` (0: does not wait), and tells the flows. */
void ufh_poll(uf_runtime *runtime, uf_time deadline);

/* Makes its poller's descriptor one for those of the runtimes that it drives as well; false: something is not covered. */
bool ufh_cover_descriptors(uf_runtime *runtime);
void ufh_uncover_descriptors(uf_runtime *runtime, uf_runtime *other);

void ufh_close_descriptors(uf_runtime *runtime);

void ufh_run_hook(void *runtime);

/* -- turn.c -------------------------------------------------------------------------------------------------------- */

/* The step of this pump's flows that its thread is in, between ufp_critical_enter() and ufp_critical_leave(): what it says of the flow is
 * true until then. NULL: it is in none. */
const uf_flow *ufh_at(const uf_pump *pump, const uf_step_info **step);

/* The clock as it was changed last becomes the pump's. */
void ufh_take_clock(uf_runtime *runtime, uf_time real);
uf_clock *ufh_begin_change(uf_pump *pump);
void ufh_end_change(uf_pump *pump, bool changed);
uf_time ufh_now(const uf_pump *pump);

#endif
