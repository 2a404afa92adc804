/* host.h - a runtime, as its files share it.
 *
 * Three kinds of members. Those of the thread that drives it, which nobody else touches. Words, which are reached through
 * port_words.h alone. And those under `mutex`, which is held for a few instructions, never while user code runs. `nap`
 * guards nothing but a thread's falling asleep; it is the only lock that is taken while another one is held, the mutex
 * of a runtime that is driven. So the locks have one order, whoever drives whom. */
#ifndef UFLOW_HOST_H
#define UFLOW_HOST_H

#include "uflow/runtime.h"

#include "core.h"
#include "port_host.h"

struct watcher;

struct uf_runtime {
    uf_pump pump; /* first: a pump with a host is a runtime */
    uf_runtime_config config;
    char name[16];
    uint32_t index;
    ufp_thread thread;
    ufp_bell bell; /* config.embedded */

    /* The driving thread's. */
    uf_time real;         /* real time as it was last read ... */
    uint32_t reuse;       /* ... and in how many rounds it still counts */
    uf_time taken;        /* the real time at which pump.clock is a copy of `clock` */
    uint64_t scale_taken; /* what it was then */
    bool frozen_taken;
    uf_runtime *first_linked; /* those that it drives beside itself */
    uf_runtime *next_linked;
    bool closed;  /* nothing runs, and nothing will */
    uf_time next; /* embedded: when the next poll has to be */

    /* Words. */
    uint32_t asleep;        /* the thread has looked at everything, and will not look again unless it is woken */
    uint32_t closing;       /* uf_runtime_free() has begun */
    uint32_t leaving;       /* the thread is to end, for another one drives this runtime from now on */
    uint32_t clock_changed; /* pump.clock is not a copy of `clock` any more */
    uint32_t hooked;        /* there is a pre-round hook */
    uint32_t reviewing;     /* `review` is in the inbox */
    void *driver;           /* the runtime whose thread drives this one; itself */
    void *home;             /* embedded: the thread of the loop */
    void *own_pool;         /* made at the first submit, if none was given */
    uf_message review, move;

    ufp_mutex nap;
    ufp_condition wakeup; /* for the thread, with `nap`: it is not asleep any more, or the driver now, or this: */
    bool left;            /* nobody is inside any more; under `nap` */

    /* Under the mutex. */
    ufp_mutex mutex;
    ufp_condition gone; /* for those who free or link it: what they wait for has come */
    bool moved;         /* a driver has taken it, or let it go */
    uf_clock clock;
    struct watcher *watches; /* threads that wait, in the order in which they came */
    void (*hook)(void *context);
    void *hook_context;

    /* Between ufp_enter() and ufp_leave(). */
    uint32_t drives; /* how many others */
    bool changing;   /* being linked, unlinked or freed */
};

static inline uf_runtime *ufh_of(const uf_pump *pump)
{
    return (uf_runtime *)(uintptr_t)pump;
}

/* Would waiting for it on this thread be waiting for oneself? */
bool ufh_is_own(uf_runtime *runtime);

/* -- drive.c ------------------------------------------------------------------------------------------------------- */

/* Ends the nap of whoever drives the pump. */
void ufh_wake(uf_pump *pump);

/* Drives until the runtime is closed, or its thread is to leave it. */
void ufh_loop(uf_runtime *runtime);

/* In the place of its thread, which is gone: delivers what those who are inside send, until the last has left. */
void ufh_serve_the_last(uf_runtime *runtime);

/* Says which thread drives it and those that are linked to it. */
void ufh_set_thread(uf_runtime *runtime, void *thread);

/* -- watch.c ------------------------------------------------------------------------------------------------------- */

/* A thread that waits. Lies on its stack. */
typedef struct watcher {
    struct watcher *next;
    enum { FOR_RUN, FOR_ALL, FOR_TURN } what;
    uf_flow *flow;
    uint32_t run;
    const uf_call *call; /* whose run it is, or NULL */
    bool over;           /* what it waits for has come, and `status` says how */
    uf_status status;
    uf_call_info end;
    ufp_condition wakeup;
} watcher;

void ufh_ended(uf_flow *flow, uint32_t state);
void ufh_review(uf_pump *pump);

/* Looks at what every watcher waits for. The driving thread's. */
void ufh_evaluate(uf_runtime *runtime);

/* The flow, which is idle, is being detached: nobody watches it any more. The driving thread's. */
void ufh_forget_watches(uf_flow *flow);

/* Under the mutex: among the watches from now on, and not any more. */
void ufh_watch_begin(uf_runtime *runtime, watcher *watch);
void ufh_watch_end(uf_runtime *runtime, watcher *watch);
/* Waits until it is over; false: the deadline has come first. */
bool ufh_watch_wait(uf_runtime *runtime, watcher *watch, uf_time deadline);

/* Under the mutex, once a start was counted: gives the call the flow, if nobody has it. */
bool ufh_try_turn(watcher *watch);

static inline uf_time ufh_deadline(uf_time timeout)
{
    return timeout == UF_FOREVER ? UF_FOREVER : uf_time_add(ufp_now(), timeout > 0 ? timeout : 0);
}

/* -- runtime.c, link.c --------------------------------------------------------------------------------------------- */

/* Starts its own thread, which waits until it is the driver. An errno. */
int ufh_start_thread(uf_runtime *runtime);

/* The driving thread's: `other` is not driven any more. */
void ufh_let_go(uf_runtime *driver, uf_runtime *other);
void ufh_wait_moved(uf_runtime *other);
void ufh_set_driver(uf_runtime *other, uf_runtime *driver);

/* -- pool.c -------------------------------------------------------------------------------------------------------- */

const char *ufh_make_pool(uf_pump *pump);
void ufh_free_own_pool(uf_runtime *runtime);

/* Is this a worker that the runtime, when it is freed, has to wait for? */
bool ufh_in_own_pool(uf_runtime *runtime);

/* -- call.c, post.c, host_clock.c ---------------------------------------------------------------------------------- */

uf_status ufh_call(const uf_call *call);
uf_status ufh_cancel(uf_run run);
uf_status ufh_detach(uf_flow *flow);
void ufh_forget(uf_flow *flow);

/* Has a function called on the driving thread, also while the runtime is being freed, and waits. UF_NO_THREAD. */
uf_status ufh_ask(uf_runtime *runtime, void (*function)(void *argument), void *argument);

void ufh_run_hook(void *runtime);

/* The clock as other threads have left it becomes the pump's, and what steps have changed in that becomes theirs. */
void ufh_take_clock(uf_runtime *runtime, uf_time real);
void ufh_give_clock(uf_runtime *runtime);
uf_time ufh_now(const uf_pump *pump);

#endif
