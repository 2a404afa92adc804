/* SPDX-License-Identifier: MIT */
/* runtime.h - a pump that runs by itself, on its own thread or in an external loop, and that every thread can use.
 *
 *   uf_runtime *runtime;
 *   uf_runtime_new(&runtime, NULL);                                  starts its thread
 *   Picker_init(&picker, uf_runtime_pump(runtime), "picker", 7);
 *   (void)Picker_start_Pick(&picker, slot);                          from any thread
 *   Picker_call_Pick(&picker, slot, UF_S(5), &weight, &info);        starts a run and waits for its end
 *   uf_runtime_stop(runtime, UF_S(2), &report);                      graceful shutdown
 *   uf_runtime_free(runtime);
 */
#ifndef UFLOW_RUNTIME_H
#define UFLOW_RUNTIME_H

#include "uflow/generated.h"
#include "uflow/store.h"

UF_C_BEGIN

/* A runtime: a pump, the thread or loop that drives it, and its pool. Steps, observers and posts of a runtime run
 * on one thread, and need no lock among each other. */
typedef struct uf_runtime uf_runtime;

/* A run that failed while nobody waited for it. */
typedef struct uf_failure {
    const char *task;
    const char *step;
    uint32_t line;      /* of the step in the .uflow file */
    const char *reason; /* "" if there is none */
} uf_failure;

/* Shows a runtime in the ways that variables of the environment name, from uf_runtime_new() to uf_runtime_free():
 *
 *   uf_runtime_config const config = {.environment = &uf_environment};
 *
 * | variable        | value                                      | effect                                           |
 * |-----------------|--------------------------------------------|--------------------------------------------------|
 * | `UFLOW_CONSOLE` | `stderr`, `stdout`, or a file to append to | writes the lines of console.h                    |
 * | `UFLOW_RECORD`  | a file                                     | writes all events to it, five times a second     |
 * | `UFLOW_INSPECT` | a path                                     | listens for uflow-top, as uf_inspect_listen()    |
 *
 * In a path, `%p` is the number of the process, `%n` the name of the runtime, `%i` its index, and `%%` a `%`. What
 * cannot be shown is reported on stderr, and the program goes on. A program with more rights than its user reads
 * nothing. Needs POSIX, as inspect.h does. The members are private. */
typedef struct uf_environment_hooks {
    void *(*begin)(uf_runtime *runtime);
    void (*end)(void *begun);
} uf_environment_hooks;
extern const uf_environment_hooks uf_environment;

/* The configuration of a runtime. A zeroed member selects its default. Times are real time.
 *   With `spin`, a thread that has just worked looks for the next message a while before it sleeps, because a wake-up
 * takes long. It spins only if it has measured that its messages take less time that way. It does not spin if it may
 * run on one CPU only, or if its flows wait for descriptors. The threads of the runtime's own pool do the same.
 *   With a `pool`, the runtime makes no pool of its own. Then `workers` and `job_grace` have no effect, and `cpu` and
 * `stack_size` hold for its thread only. */
typedef struct uf_runtime_config {
    const char *name;       /* of its thread and own pool's; copied, truncated to 15 bytes. NULL: "uflow" */
    uf_time stay_interval;  /* between rounds while flows only poll; 0: 20 ms */
    uf_time step_interval;  /* between rounds in which a flow advanced; 0: none */
    bool embedded;          /* external-loop mode: no thread; your loop calls uf_runtime_poll() */
    bool keep_watches;      /* no system call for each wait for a descriptor: you close it by uf_fd_close() only */
    bool time_bodies;       /* notify observers how long each body and each round took */
    uf_time slow_step;      /* notify observers of each body that takes longer; 0: of none */
    uf_time slow_round;     /* notify observers of each round that takes longer; 0: of none */
    uf_time slow_job;       /* notify observers of each job that takes longer, from its submit on; 0: of none */
    size_t stack_size;      /* of its thread and those of its own pool, in bytes; 0: the system's default */
    uf_observer *observers; /* added at the start; linked by `next` */
    uf_pool *pool;          /* runs the jobs (pool.h); NULL: a pool of its own, made at the first submit */
    uint32_t workers;       /* threads of its own pool, 65535 at most; 0: 4 */
    uf_time job_grace;      /* how long uf_runtime_free() waits for running jobs, see there; 0: 5 s */
    uint32_t jobs_per_flow; /* the most jobs of one flow in flight; 0: 64; UINT32_MAX: no limit */
    uint32_t cpu; /* number, plus 1, of the only CPU of its thread and its own pool (glibc, Windows); 0: any */
    uf_time spin; /* longest busy wait before a sleep, see the text of this struct; 0: 100 us; negative: none */
    /* Called when a run has failed that no `run`, companion, Flow_call_Task(), uf_flow_wait() or uf_run_wait() waits
     * for. The call comes on the runtime's thread, after `on end`, while the flow still counts as running. If a `run`
     * or companion waits for the run, but another arm or handler decides, the call comes then, and the flow is idle.
     * The texts are valid during the call. NULL: prints "uflow: line.picker Pick failed in Grip: no part" to stderr. */
    void (*on_failure)(void *context, const uf_flow *flow, const uf_failure *failure);
    void *failure_context;
    const uf_environment_hooks *environment; /* `&uf_environment`; NULL: reads no variable, and links nothing for it */
    uf_store *store; /* keeps the durable flows (store.h), and outlives the runtime; NULL: nothing is kept */
} uf_runtime_config;

/* -- life ---------------------------------------------------------------------------------------------------------- */

/* uf_runtime_new() calls it. `config` may be NULL. `add` is uf_pump_add_observer, or NULL without observers. So a
 * program without observers does not link the code that notifies them.
 * Thread: any.
 * Returns: UF_OK, UF_NO_MEMORY, UF_NO_THREAD, UF_INVALID: as uf_runtime_new(). */
uf_status uf_runtime_new_observed(uf_runtime **runtime, const uf_runtime_config *config,
                                  uf_status (*add)(uf_pump *pump, uf_observer *observer));

/* Stops a runtime gracefully, in the phases of stop.h, and ends its thread. It returns when the stop is over, or
 * shortly after `grace` of real time. Flows and observers stay attached; the runtime can be started again or freed.
 *   Several threads may stop a runtime: they wait for the same stop and get the same report. The first one sets
 * the grace period. On the loop's thread in external-loop mode the call drives the flows; on other threads it needs the
 * loop to continue. `report` may be NULL.
 * Thread: any.
 * Returns: UF_OK: everything ended in time; UF_TIMED_OUT: something was cut off, left behind or is stuck, see the
 * report, or `grace` is shorter than that of the stop in progress; UF_STOPPING: called on its own thread or in a job of
 * one of its flows, and the stop continues by itself; UF_BUSY, and nothing happens: it drives another runtime, or is
 * being linked; UF_NO_THREAD, and nothing happens: no condition variable; UF_INVALID: `runtime` is NULL. */
uf_status uf_runtime_stop(uf_runtime *runtime, uf_time grace, uf_stop_report *report);

/* Starts a stopped runtime again, with a thread of its own. Logical time continues at scale 1.
 * Thread: any.
 * Returns: UF_OK; UF_BUSY: it is not stopped; UF_STOPPING: it is being stopped or freed, or the call was made on
 * its own thread or in one of its jobs; UF_NO_THREAD: the system refused a thread, errno tells why, and it stays
 * stopped; UF_INVALID: `runtime` is NULL. */
uf_status uf_runtime_start(uf_runtime *runtime);

/* Tells whether a stop has begun.
 * Thread: any.
 * Returns: true from the beginning of a stop until the next start. */
bool uf_runtime_stopping(const uf_runtime *runtime);

/* Frees a runtime. If it is not stopped, it is first stopped without time for tasks, and with 100 ms for
 * `shutdown` tasks. Then it waits for running jobs of its own pool, `job_grace` at most. It does not wait for jobs that
 * outlasted an earlier stop. A job that runs even then is left behind: its thread ends when it returns. Then its flows
 * are detached. Threads that wait in a call are released and waited for. End the threads that use the runtime before
 * this call. Do not call it in the child of a fork().
 *   It waits for a step that does not return. If that can happen, call uf_runtime_stop() before, and read its report.
 * Thread: any, but only one.
 * Returns: UF_OK: it is freed; UF_BUSY, and nothing happens: it drives another runtime, is being linked, or
 * another thread frees it; UF_DEADLOCK, and nothing happens: called on its own thread or in one of its jobs;
 * UF_TIMED_OUT: a uf_runtime_stop() has timed out before, and a step has made no progress for 100 ms, so nothing was
 * freed, and you may try again; UF_INVALID: `runtime` is NULL. */
uf_status uf_runtime_free(uf_runtime *runtime);

/* Finds the pump of a runtime, to attach flows to.
 * Thread: any.
 * Returns: the pump.
 * Lifetime: owned by the runtime. */
uf_pump *uf_runtime_pump(uf_runtime *runtime);

/* Creates a runtime with a copy of `config`. NULL means the defaults.
 * Thread: any.
 * Returns: UF_OK; UF_NO_MEMORY: an allocation failed; UF_NO_THREAD: the system refused a thread, a mutex, a
 * descriptor or the CPU, and errno tells why; UF_INVALID: a time other than `spin` is negative, `workers` is too
 * large, the pool was not initialised, or `runtime` is NULL; UF_BUSY: the store has a pump. After an error `*runtime`
 * is NULL.
 * Lifetime: free it with uf_runtime_free(). The pool must outlive it. */
static inline uf_status uf_runtime_new(uf_runtime **runtime, const uf_runtime_config *config)
{
    uf_status status =
        uf_runtime_new_observed(runtime, config, config && config->observers ? uf_pump_add_observer : NULL);
    if (status == UF_OK && config && config->store) {
        status = uf_store_attach(config->store, uf_runtime_pump(*runtime));
        if (status != UF_OK) (void)uf_runtime_free(*runtime);
        if (status != UF_OK) *runtime = NULL;
    }
    return status;
}

/* Changes the configuration of a runtime while it runs, between two rounds; on its own thread at once. It takes
 * `stay_interval`, `step_interval`, `time_bodies`, `slow_step`, `slow_round`, `slow_job` and `jobs_per_flow` from
 * `config`, where 0 and NULL select the defaults, and ignores all other members. To change one of them, copy
 * uf_runtime_configuration(). Jobs in flight over a lower `jobs_per_flow` continue.
 * Thread: any; the runtime's thread does the work, and the call waits for it.
 * Returns: UF_OK; UF_NO_THREAD, and nothing changes: no condition variable; UF_INVALID: a time is negative, or
 * `runtime` is NULL.
 * Lifetime: `config` is copied. */
uf_status uf_runtime_configure(uf_runtime *runtime, const uf_runtime_config *config);

/* Reads the configuration with every default filled in.
 * Thread: any; the runtime's, if another thread may call uf_runtime_configure() meanwhile.
 * Returns: the configuration.
 * Lifetime: owned by the runtime. */
const uf_runtime_config *uf_runtime_configuration(const uf_runtime *runtime);

/* Reads the number of a runtime, which no other runtime of the process has.
 * Thread: any.
 * Returns: the number, from 0. */
uint32_t uf_runtime_index(const uf_runtime *runtime);

/* Finds the runtime whose thread drives this one.
 * Thread: any. Another thread may link or unlink it meanwhile.
 * Returns: the number of the driver; its own number if it is not linked; 0 for NULL. */
uint32_t uf_runtime_driver_index(uf_runtime *runtime);

/* Tells whether the calling thread drives the runtime at this moment. Use it in assertions.
 * Thread: any.
 * Returns: true in steps, observers, hooks and posts of the runtime. */
bool uf_runtime_is_own_thread(const uf_runtime *runtime);

/* Makes a runtime run another round, at once if it sleeps. No wake-up is lost. In external-loop mode the
 * descriptor becomes readable, even while the runtime is stopped.
 * Thread: any. */
void uf_runtime_wake(uf_runtime *runtime);

/* The step that the thread of a runtime is running. */
typedef struct uf_turn {
    char flow[UF_STOP_NAME_SIZE]; /* its path, truncated */
    const char *task;
    const char *step;
    uint32_t line;
    uf_time lasts;   /* real time since the body began, cut to 1 ms; 0 unless bodies are timed and observed */
    uf_time in_step; /* logical time since the step was entered; 0 if its body has already run before */
} uf_turn;

/* Finds the step that the thread of a runtime is running. Use it in a watchdog, for a step that does not return.
 * Thread: any.
 * Returns: true, and `turn` is filled in; false: no step is running.
 * Lifetime: `task` and `step` are constants. */
bool uf_runtime_turn(const uf_runtime *runtime, uf_turn *turn);

/* -- waiting ------------------------------------------------------------------------------------------------------- */

/* Waits for the end of a specific run, for `timeout` of real time at most. `end`, which may be NULL, is filled in with
 * every result. A timeout leaves the run alone.
 * Thread: any.
 * Returns: UF_OK: the run is over, and the flow idle; UF_TIMED_OUT: it is not; UF_STALE: another run has begun since,
 * and the end of this one is not known any more; UF_DEADLOCK: this thread drives the flow's pump; UF_UNSUPPORTED: the
 * pump is caller-driven; UF_NO_THREAD: no condition variable; UF_INVALID: the handle names no attached flow. */
uf_status uf_run_wait(uf_run run, uf_time timeout, uf_call_info *end);

/* Waits for the end of the current run of a flow. For an idle flow it returns the end of the last run at once.
 * `end` is as in uf_run_wait().
 * Thread: any.
 * Returns: UF_OK: the run is over; UF_TIMED_OUT: it is not; UF_STALE: it ended, and another run began, before the
 * wait could begin; UF_DEADLOCK: this thread drives the flow's pump; UF_UNSUPPORTED: the pump is caller-driven;
 * UF_NO_THREAD: no condition variable; UF_INVALID: the flow is not attached. */
uf_status uf_flow_wait(uf_flow *flow, uf_time timeout, uf_call_info *end);

/* Waits for a moment at which no flow runs or is being started, and no post is under way.
 * Thread: any.
 * Returns: UF_OK: there was such a moment; UF_TIMED_OUT: there was none; UF_DEADLOCK: this thread drives the
 * runtime; UF_NO_THREAD: no condition variable; UF_INVALID: `runtime` is NULL. */
uf_status uf_runtime_wait(uf_runtime *runtime, uf_time timeout);

/* Calls uf_flow_cancel() for every running flow, at the top of the next round; at once on its own thread.
 * Thread: any.
 * Returns: UF_OK; UF_NO_MEMORY: an allocation failed; UF_CLOSED: it is being stopped or freed; UF_INVALID:
 * `runtime` is NULL. */
uf_status uf_runtime_cancel_all(uf_runtime *runtime);

/* -- posts --------------------------------------------------------------------------------------------------------- */

/* Posts a function: calls uf_post_at() with the place of the call.
 * Thread: any.
 * Returns: the status of uf_post_at().
 * Lifetime: `argument` must stay valid until the function was called. */
#define uf_post(runtime, function, argument) uf_post_at((runtime), (function), (argument), __FILE__, __LINE__, __func__)

/* Posts a function and waits for it: calls uf_post_wait_at() with the place of the call.
 * Thread: any.
 * Returns: the status of uf_post_wait_at(). */
#define uf_post_wait(runtime, function, argument)                                                                      \
    uf_post_wait_at((runtime), (function), (argument), __FILE__, __LINE__, __func__)

/* Calls `function` on the runtime's thread, between two steps, at the top of a round. Posts run in FIFO order.
 * Posts made by a post run in the next round. `file`, `line` and `caller` are for observers and may be NULL and 0.
 * Thread: any.
 * Returns: UF_OK; UF_NO_MEMORY: an allocation failed; UF_CLOSED: the runtime is being stopped or freed;
 * UF_INVALID: `runtime` or `function` is NULL.
 * Lifetime: `argument`, `file` and `caller` must stay valid until the function was called. */
uf_status uf_post_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file, int line,
                     const char *caller);

/* Posts a function as uf_post_at() does, and waits until it has returned.
 * Thread: any.
 * Returns: UF_OK: it has returned; UF_DEADLOCK: this thread drives the runtime; UF_CLOSED: the runtime is being
 * stopped or freed; UF_NO_THREAD: no condition variable; UF_INVALID: `runtime` or `function` is NULL. */
uf_status uf_post_wait_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file,
                          int line, const char *caller);

/* Sets the hook that runs at the top of each round, before messages, timers and steps. NULL: no hook. When this
 * returns on another thread, the last call of the previous hook may still be in progress.
 * Thread: any.
 * Lifetime: `context` must stay valid until the hook is replaced. */
void uf_runtime_set_pre_round(uf_runtime *runtime, void (*hook)(void *context), void *context);

/* Adds an observer between two rounds, and waits until it is added; on its own thread it does so at once.
 * Thread: any.
 * Returns: UF_OK; UF_BUSY: this runtime has it already; UF_NO_THREAD: no condition variable; UF_INVALID: an
 * argument is NULL.
 * Lifetime: you own the observer. It must stay valid until it is removed, and can be with one pump at a time. */
uf_status uf_runtime_add_observer(uf_runtime *runtime, uf_observer *observer);

/* Removes an observer in the way in which uf_runtime_add_observer() adds one.
 * Thread: any.
 * Returns: UF_OK; UF_INVALID: this runtime does not have it; UF_NO_THREAD: no condition variable. */
uf_status uf_runtime_remove_observer(uf_runtime *runtime, uf_observer *observer);

/* -- real time ----------------------------------------------------------------------------------------------------- */

/* Reads the clock of the process, CLOCK_MONOTONIC, which is neither scaled nor frozen.
 * Thread: any, with or without a runtime.
 * Returns: real time in nanoseconds. */
uf_time uf_real_now(void);

/* -- signals of the system: POSIX ---------------------------------------------------------------------------------- */

/* Lets a signal of the system, such as SIGTERM, fire a signal of uflow. The runtime's thread fires it, in its next
 * round or, if the runtime is stopped, after its next start. Signals of one number that come before count as one. A
 * handler with SA_RESTART takes the signal, and no thread need block it. In a child of fork() it has its former effect.
 *   A SIGINT that finds an earlier one still unanswered, because a step does not return or no loop polls the runtime,
 * ends the process as if nobody had caught it. One that follows within 100 ms counts as a copy.
 *   The first catch of a process makes a thread and two descriptors, which stay.
 * Thread: any; the runtime's thread does the work, and the call waits for it.
 * Returns: UF_OK; UF_BUSY: a runtime has caught it already; UF_NO_MEMORY: an allocation failed; UF_NO_THREAD: the
 * system refused a thread, a descriptor or a condition variable, and errno tells why; UF_UNSUPPORTED: this platform has
 * no signals; UF_INVALID: an argument is NULL, or nobody can catch this number.
 * Lifetime: `signal` must stay valid until the catch ends, by uf_runtime_uncatch() or uf_runtime_free(). */
uf_status uf_runtime_catch(uf_runtime *runtime, int number, uf_signal *signal);

/* Ends a catch: the signal of the system does again what it did before. What has come and was not fired is forgotten.
 * Thread: any; the runtime's thread does the work, and the call waits for it.
 * Returns: UF_OK; UF_INVALID: the runtime has not caught it, or is NULL; UF_NO_THREAD: no condition variable.
 * Lifetime: nothing refers to the uf_signal when this returns. */
uf_status uf_runtime_uncatch(uf_runtime *runtime, int number);

/* -- file descriptors ---------------------------------------------------------------------------------------------- */

/* Closes a descriptor that flows of this pump may wait for: their arms fail with "closed". A descriptor closed by other
 * means is not reported until a flow waits for its number again; with `keep_watches` even then. If flows of several
 * runtimes have waited for it, call uf_fd_forget() for all others first.
 * Thread: any; the runtime's thread does the work, and the call waits for it. A caller-driven pump: the pump's.
 * Returns: UF_OK; UF_INVALID: it is not an open descriptor, or `pump` was never initialised; UF_NO_THREAD: no
 * condition variable. */
uf_status uf_fd_close(uf_pump *pump, int fd);

/* Ends what the pump keeps of a descriptor, which stays open: arms that wait for it fail with "closed". With
 * `keep_watches`, call it before the descriptor is closed by other means, or handed to another runtime.
 * Thread: any; the runtime's thread does the work, and the call waits for it. A caller-driven pump: the pump's.
 * Returns: UF_OK, also if no flow has waited for it; UF_INVALID: it is negative, or `pump` was never initialised;
 * UF_NO_THREAD: no condition variable. */
uf_status uf_fd_forget(uf_pump *pump, int fd);

/* -- two runtimes on one thread ------------------------------------------------------------------------------------ */

/* Makes the thread of `driver` drive `other` too, after itself in each round, so that their flows share data
 * without a lock. `other` loses its thread and keeps its observers, configuration and clock. No step of `driver`
 * may wait for `other` from then on.
 * Thread: any.
 * Returns: UF_OK; UF_BUSY: `other` is driven already or drives a runtime, `driver` is driven, or one of them is
 * being stopped, linked or freed; UF_DEADLOCK: this thread drives `other`; UF_UNSUPPORTED: `other` is in
 * external-loop mode; UF_INVALID: both are the same, or one is NULL. */
uf_status uf_runtime_link(uf_runtime *driver, uf_runtime *other);

/* Gives `other` a thread of its own again.
 * Thread: any, but not the one that drives it.
 * Returns: UF_OK; UF_INVALID: it is not linked, or is NULL; UF_BUSY: it is being stopped, linked or freed;
 * UF_DEADLOCK: this thread drives it; UF_NO_THREAD: the system refused a thread, and it stays linked. */
uf_status uf_runtime_unlink(uf_runtime *other);

/* -- external-loop mode -------------------------------------------------------------------------------------------- */

/* Finds the descriptor that your loop polls for reading. It is readable when uf_runtime_poll() has to be called.
 * Thread: the loop's.
 * Returns: the descriptor; -1 outside external-loop mode, or for NULL.
 * Lifetime: owned by the runtime. */
int uf_runtime_fd(const uf_runtime *runtime);

/* Runs the rounds that are due: 64 at most, and for about a millisecond. The loop's thread is the thread that
 * polled last. Before the first poll, it is the thread that created the runtime. While the loop's thread waits in a
 * call, the call serves this runtime: no other thread may poll it then.
 * Thread: the loop's.
 * Returns: UF_OK; UF_DEADLOCK: called inside a poll, or a step has left an earlier one by an exception or longjmp(),
 * and no flow runs any more: end the process if your loop does not nest; UF_UNSUPPORTED: not in external-loop mode;
 * UF_INVALID: `runtime` is NULL. */
uf_status uf_runtime_poll(uf_runtime *runtime);

/* Reads the time by which uf_runtime_poll() must be called. Ask again after each poll.
 * Thread: the loop's.
 * Returns: a time of uf_real_now(); 0: at once; UF_FOREVER: only when the descriptor is readable, or for NULL. */
uf_time uf_runtime_next_deadline(const uf_runtime *runtime);

/* Computes the same as a timeout for poll(2).
 * Thread: the loop's.
 * Returns: milliseconds from now, rounded up; -1: no limit, or for NULL. */
int uf_runtime_poll_timeout(const uf_runtime *runtime);

UF_C_END
#endif
