/* SPDX-License-Identifier: MIT */
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
 * All runtimes share that section. Only making, linking, stopping and freeing a runtime enters it, and an external loop
 * that moves to another thread.
 *
 * Lock order: `takeover`, then `mutex`, then either one `sleep_mutex` (the runtime's or its driver's) or one critical
 * section. */
#ifndef UFLOW_HOST_H
#define UFLOW_HOST_H

#include "driving.h"
#include "waiters.h"

#include "observers/observers.h"
#include "port_poller.h"
#include "pump/rounds.h"
#include "waits/signals.h"

/* Two threads that write to different words of one cache line slow each other several-fold. Many CPUs fetch lines in
 * pairs, so what different threads write is two lines apart. */
#define UFH_CACHE_LINE 64u
#define UFH_APART      (2 * UFH_CACHE_LINE)

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
    void *shown;                                          /* by config.environment; NULL: nothing */
    void (*uncatch_all)(void *runtime); /* ends its catches of signals of the system; NULL: there were none */

    /* Atomic. */
    uint32_t sleep;           /* a ufh_sleep; not UFH_AWAKE: a message must wake the driving thread */
    uint32_t must_leave;      /* the thread must end, because another runtime is about to drive this one */
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

/* The runner of tests lends a host of its own to pumps that have no thread. */
static inline bool ufh_is_runtime(const uf_pump *pump)
{
    return pump->host && pump->host->wake == ufh_wake;
}
static inline uf_runtime *ufh_runtime_of(const uf_pump *pump)
{
    return (uf_runtime *)(uintptr_t)pump;
}

/* On the driving thread: the next runtime that it drives, after one that begins with the driver; NULL: no more. */
static inline uf_runtime *ufh_next_driven(const uf_runtime *driver, const uf_runtime *of)
{
    return of == driver ? driver->first_linked : of->next_linked;
}

/* A mutex and its condition. Returns: an errno. */
static inline int ufh_lock_init(ufp_mutex *mutex, ufp_condition *condition)
{
    int error = ufp_mutex_init(mutex);
    if (error) return error;
    error = ufp_condition_init(condition);
    if (error) ufp_mutex_destroy(mutex);
    return error;
}
static inline void ufh_lock_destroy(ufp_mutex *mutex, ufp_condition *condition)
{
    ufp_condition_destroy(condition);
    ufp_mutex_destroy(mutex);
}

/* Sets a flag under its mutex, and wakes the thread that waits for it. After the unlock that thread may free both. */
static inline void ufh_set_and_signal(bool *flag, ufp_mutex *mutex, ufp_condition *condition)
{
    ufp_mutex_lock(mutex);
    *flag = true;
    ufp_condition_signal(condition);
    ufp_mutex_unlock(mutex);
}

/* Reads a flag under its mutex. */
static inline bool ufh_is_set(const bool *flag, ufp_mutex *mutex)
{
    ufp_mutex_lock(mutex);
    bool const is_set = *flag;
    ufp_mutex_unlock(mutex);
    return is_set;
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

/* -- drive.c ----------------------------------------------------------------------------------------------------- */

/* Driving thread: shows other threads that it is not stuck. */
static inline void ufh_note_progress(uf_runtime *runtime)
{
    ufp_store(&runtime->progress, ufp_load(&runtime->progress) + 1);
}

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
uf_status ufh_run(uf_pump *pump, void (*function)(void *argument), void *argument);
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

#endif
