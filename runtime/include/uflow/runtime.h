/* runtime.h - a pump that runs by itself: on a thread of its own, or in somebody else's loop, and that every thread can
 * use.
 *
 *   uf_runtime *runtime;
 *   uf_runtime_new(&runtime, NULL);                                  its thread runs, and sleeps
 *   Picker_init(&picker, uf_runtime_pump(runtime), "picker", 7);
 *   Picker_start_Pick(&picker, slot);                                from any thread; so are cancelling and looking
 *   Picker_call_Pick(&picker, slot, UF_S(5), &weight, &info);        starts it, and waits until it has ended
 *   uf_runtime_stop(runtime, UF_S(2), &report);                      lets tasks end, then cancels, shuts down, ends the thread
 *   uf_runtime_free(runtime);
 *
 * Flows, steps and observers still run on one thread, the one that drives their pump, and need no lock among each
 * other. Everything here is for any thread unless it says more; timeouts are real time, UF_FOREVER is none. What would
 * wait for the very thread that it is called on is refused with UF_DEADLOCK. */
#ifndef UFLOW_RUNTIME_H
#define UFLOW_RUNTIME_H

#include "uflow/base.h"
#include "uflow/flow.h"
#include "uflow/generated.h"
#include "uflow/pump.h"
#include "uflow/stop.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uf_runtime uf_runtime;

typedef struct uf_runtime_config {
    const char *name;       /* of its thread; copied, cut to 15 bytes. NULL: "uflow" */
    uf_time stay_interval;  /* real time between rounds while flows only poll; 0: 20 ms */
    uf_time step_interval;  /* real time between rounds in which something advanced; 0: none */
    bool embedded;          /* no thread: somebody's loop calls uf_runtime_poll() */
    bool time_bodies;       /* observers are told how long each body took, and each round */
    uf_time slow_step;      /* they are told of each body that takes longer than this, in real time; 0: of none ... */
    uf_time slow_round;     /* ... of each round that does, and what in it took longest; 0: of none ... */
    uf_time slow_job;       /* ... of each job that does, from its submit until its worker has returned; 0: of none */
    size_t stack_size;      /* of its thread; 0: what the system gives */
    uf_observer *observers; /* linked by `next`: there from the beginning on */
    uf_pool *pool;     /* where jobs are worked on (pool.h); NULL: a pool of its own, made at the first submit ... */
    uint32_t workers;  /* ... with so many threads; 0: 4 */
    uf_time job_grace; /* ... whose running workers uf_runtime_free() waits for, so long at most; 0: 5 s */
    uint32_t jobs_per_flow; /* how many of one flow's jobs may be in flight; 0: 64; UINT32_MAX: no limit */
} uf_runtime_config;

/* -- life ---------------------------------------------------------------------------------------------------------- */

/* `config` may be NULL or zeroed for defaults; it is copied. UF_NO_MEMORY; UF_NO_THREAD, and errno has the system's
 * reason; UF_INVALID: a negative time, more than 65535 workers, a pool that was not made. Then nothing is left behind
 * and *runtime is NULL. */
uf_status uf_runtime_new(uf_runtime **runtime, const uf_runtime_config *config);

/* The ordered stop of stop.h: nothing new is accepted any more (UF_STOPPING, for posts UF_CLOSED), tasks end, are cancelled, are
 * shut down; jobs are waited for; the thread ends. Afterwards flows and observers are attached still, every flow is idle,
 * and the runtime can be started again or freed. `report`, which may be NULL, says what became of everything.
 *   Returns after `grace` of real time, and a little for the thread to end, or sooner. UF_OK: nothing was cut off or left
 * behind. UF_TIMED_OUT: something was, and is named. If a step does not return, `stuck` is not 0, and it is named: the stop goes on when it
 * does, and until then the runtime cannot be freed.
 *   Any thread, and several at once: all of them wait for the same stop, which has the grace of the first, and get the same
 * report. Who gives it less is told UF_TIMED_OUT when that is over, and how far it has come. On its own thread, or on
 * that of a worker whose job belongs to one of its flows: UF_STOPPING at once, and it goes on by itself. Embedded: on the
 * loop's thread it drives the flows meanwhile; on others it needs the loop to go on. UF_BUSY, and nothing happens, while it
 * drives another runtime or is being linked; UF_INVALID; UF_NO_THREAD. Not in a signal handler. */
uf_status uf_runtime_stop(uf_runtime *runtime, uf_time grace, uf_stop_report *report);

/* After a stop: a thread again, and everything is accepted again. UF_BUSY: it has not been stopped; UF_STOPPING: it is being
 * stopped, or freed; UF_NO_THREAD, and errno has the system's reason: it is stopped still. Logical time goes on at scale 1. */
uf_status uf_runtime_start(uf_runtime *runtime);

/* Has a stop begun, and was it not started again since? */
bool uf_runtime_stopping(const uf_runtime *runtime);

/* Unless it is stopped already: a stop that gives tasks no time, and their `shutdown` tasks a tenth of a second. Then it
 * detaches the flows that are still attached, and frees the runtime. UF_BUSY, and nothing happens, while it drives another
 * one, or somebody else is freeing or linking it; UF_DEADLOCK on its own thread. A step, hook or post that does not return is waited for;
 * but if a stop has run out of its time, and the thread then makes no progress for a tenth of a second: UF_TIMED_OUT, nothing
 * was freed, and it can be called again.
 *
 * Other threads that wait in a call are released, with the end of what they waited for or UF_STOPPING, and are waited for.
 * None may begin another call while this goes on, as for any free(): threads that go on calling have to be ended first.
 * uf_runtime_stop() is what they may meet at any time. In the child of a fork() a runtime has no thread, and cannot be used nor freed. */
uf_status uf_runtime_free(uf_runtime *runtime);

/* The pump to attach flows to. */
uf_pump *uf_runtime_pump(uf_runtime *runtime);

/* The configuration with every default filled in. Owned by the runtime. */
const uf_runtime_config *uf_runtime_configuration(const uf_runtime *runtime);

/* A number of its own in this process, from 0. */
uint32_t uf_runtime_index(const uf_runtime *runtime);

/* Is this the thread that drives it at the moment? For assertions. */
bool uf_runtime_is_own_thread(const uf_runtime *runtime);

/* Ends its nap, if it sleeps; otherwise there will be one more round after this one. None is lost. Embedded: its descriptor
 * can be read then, or the next poll has to be at once; also while it is stopped, when no round follows. */
void uf_runtime_wake(uf_runtime *runtime);

/* What the thread of a runtime is at. */
typedef struct uf_turn {
    char flow[UF_STOP_NAME_SIZE]; /* its path, cut to this size */
    const char *task;
    const char *step;
    uint32_t line;
    uf_time
        lasts; /* real time since this body began, to some milliseconds; 0 unless bodies are timed (time_bodies, slow_step,
                    * slow_round) and there is an observer */
} uf_turn;

/* Which step of its flows does its thread run just now? Also of one that never returns, of which observers are told nothing.
 * False, and nothing is filled in: none; it sleeps, or does something else. Any thread. */
bool uf_runtime_turn(const uf_runtime *runtime, uf_turn *turn);

/* -- waiting ------------------------------------------------------------------------------------------------------- */

/* Waits until that very run is over and its flow idle, and fills `end` (NULL: it is not wanted), whatever
 * comes of that. UF_TIMED_OUT. UF_STALE: it is
 * over, and the flow runs again, so that how it ended is not known any more. UF_UNSUPPORTED on a pump that is driven by
 * hand. UF_NO_THREAD: the system gave no condition to wait at. */
uf_status uf_run_wait(uf_run run, uf_time timeout, uf_call_info *end);

/* The same for the run that the flow is in, however soon it runs again; at once, with the last one's end, if it is
 * idle. */
uf_status uf_flow_wait(uf_flow *flow, uf_time timeout, uf_call_info *end);

/* Waits for a moment at which no flow runs, none is being started, and no post is on its way. */
uf_status uf_runtime_wait(uf_runtime *runtime, uf_time timeout);

/* uf_flow_cancel() for every flow that runs, at the top of the next round. As for a post: UF_NO_MEMORY, UF_CLOSED. */
uf_status uf_runtime_cancel_all(uf_runtime *runtime);

/* -- posts --------------------------------------------------------------------------------------------------------- */

/* Has `function` called with `argument` on the runtime's thread, first in, first out, at the top of a round. What a post
 * posts comes in the next round. UF_NO_MEMORY; UF_CLOSED once the runtime is being stopped or freed. Observers are told, with
 * the place of the call. */
#define uf_post(runtime, function, argument) uf_post_at((runtime), (function), (argument), __FILE__, __LINE__, __func__)

/* The same, and waits until it was called. UF_DEADLOCK; UF_CLOSED; UF_NO_THREAD as for uf_run_wait(). */
#define uf_post_wait(runtime, function, argument)                                                                      \
    uf_post_wait_at((runtime), (function), (argument), __FILE__, __LINE__, __func__)

/* With another place than that of the call; `file` and `caller` must stay, and may be NULL. */
uf_status uf_post_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file, int line,
                     const char *caller);
uf_status uf_post_wait_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file,
                          int line, const char *caller);

/* At the top of each round that begins from now on, before posts and anything else that other threads have sent; NULL: none.
 * When this returns, another hook's last call may still be under way, unless it is called on the runtime's own thread. */
void uf_runtime_set_pre_round(uf_runtime *runtime, void (*hook)(void *context), void *context);

/* Adds and removes an observer between two rounds, and waits until that is done; see uf_pump_add_observer(). On the
 * runtime's own thread: at once. */
uf_status uf_runtime_add_observer(uf_runtime *runtime, uf_observer *observer);
uf_status uf_runtime_remove_observer(uf_runtime *runtime, uf_observer *observer);

/* -- real time ----------------------------------------------------------------------------------------------------- */

/* The process-wide clock that is never scaled nor frozen: monotonic nanoseconds, CLOCK_MONOTONIC. Any thread, with or without
 * runtimes, user code as well: what took how long is the difference of two. */
uf_time uf_real_now(void);

/* -- file descriptors ------------------------------------------------------------------------------------------------ */

/* Closes a descriptor that flows of this pump may wait for: their arms fail with "closed". One that is closed by other means
 * while it is waited for is heard of no more, until its number is waited for again. Any thread: the pump's own does it.
 * UF_INVALID: it is none; UF_UNSUPPORTED: no runtime's pump. */
uf_status uf_fd_close(uf_pump *pump, int fd);

/* -- one thread for two ----------------------------------------------------------------------------------------------- */

/* From now on the thread of `driver` drives `other` as well, after itself in each of its rounds, so that the flows of
 * both can share what they like without a lock. `other` loses its thread, and keeps its observers, configuration and
 * clock. Flat: UF_BUSY if `other` is driven already or drives one itself, or `driver` is driven. UF_INVALID for itself;
 * UF_UNSUPPORTED for an embedded `other`; UF_DEADLOCK on the thread of `other`. No step of `driver` may wait for `other` by
 * then, as uf_post_wait() and calls do: nobody drives that one until the step has returned. */
uf_status uf_runtime_link(uf_runtime *driver, uf_runtime *other);

/* `other` has a thread of its own again. UF_NO_THREAD, and it stays linked; UF_INVALID if it is not; UF_DEADLOCK on
 * the thread that drives it. */
uf_status uf_runtime_unlink(uf_runtime *other);

/* -- in somebody else's loop ------------------------------------------------------------------------------------------- */

/* Only for config.embedded, and from one thread, that of the loop. It is the one that polled last; until the first poll it is
 * the one that made the runtime, so let the loop's thread do that, or poll once before others use it. */

/* A descriptor to be polled for reading: it can be read when uf_runtime_poll() has to be called. -1: not embedded, or
 * NULL. */
int uf_runtime_fd(const uf_runtime *runtime);

/* Runs the rounds that are due: 64 at most, and no more than fit into about a millisecond, so that the loop gets
 * on. UF_UNSUPPORTED: not embedded; UF_DEADLOCK from inside of it. */
uf_status uf_runtime_poll(uf_runtime *runtime);

/* The monotonic time (CLOCK_MONOTONIC, in ns) at which uf_runtime_poll() is to be called at the latest: 0, at once;
 * UF_FOREVER, when the descriptor says so, or for NULL. It is another one after each poll. */
uf_time uf_runtime_next_deadline(const uf_runtime *runtime);

/* The same as poll(2) wants it: milliseconds from now, rounded up; -1: for ever, or NULL. */
int uf_runtime_poll_timeout(const uf_runtime *runtime);

#ifdef __cplusplus
}
#endif
#endif
