/* SPDX-License-Identifier: MIT */
/* stop.c - the graceful shutdown of a runtime: beginning it, waiting for it, starting again, and freeing.
 *
 * Core runs the phases of the stop, in the rounds of the driving thread. That thread's last act is to set `stopped`,
 * under the mutex, when no message is under way. From then on no thread drives the runtime. Other threads act in its
 * place, one at a time, while they hold `takeover`. */
#include "host.h"

#include "jobs/work.h"

/* A thread waits for the grace period plus this margin. */
#define GRACE_MARGIN UF_MS(50)

/* The grace period that uf_runtime_free() gives `shutdown` tasks. */
#define FREE_GRACE UF_MS(100)

/* -- on the driving thread --------------------------------------------------------------------------------------- */

static void deliver_stop(uf_pump *pump, uf_message *message)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);
    (void)message;

    ufp_mutex_lock(&runtime->mutex);
    uf_time const began = runtime->stop_began, grace = runtime->stop_grace;
    bool const at_once = runtime->stop_at_once;
    ufh_check_all_waiters(runtime); /* calls that wait for their turn are refused */
    ufp_mutex_unlock(&runtime->mutex);
    ufi_stop_begin(pump, &runtime->stop, began, grace, at_once);
}

void ufh_publish_report(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    runtime->report = runtime->stop.report;
    ufp_mutex_unlock(&runtime->mutex);
}

/* The driving thread gives the runtime up; a linked runtime leaves its driver. */
static void release_runtime(uf_runtime *runtime)
{
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);

    if (driver == runtime) {
        ufp_store_pointer_seq_cst(&runtime->pump.thread, NULL);
        return;
    }
    ufh_remove_linked(driver, runtime);
    ufh_set_driver(runtime, runtime); /* takes the mutex: threads in ufh_wake() are done with the driver */
    ufp_critical_enter(&ufh_links);
    driver->driven_count--;
    ufp_critical_leave(&ufh_links);
}

bool ufh_finish_stop(uf_runtime *runtime)
{
    uf_runtime const *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    bool const has_thread = driver == runtime && !runtime->config.embedded;

    ufp_mutex_lock(&runtime->takeover);
    ufp_mutex_lock(&runtime->mutex);
    bool const stopped = runtime->pump.running == 0 && ufp_load_seq_cst(&runtime->pump.requests) == 0;
    runtime->stopped = stopped;
    ufp_mutex_unlock(&runtime->mutex);
    if (stopped) release_runtime(runtime);
    if (stopped && runtime->config.embedded) ufh_end_poll(runtime, UF_FOREVER); /* its loop may continue */
    ufp_mutex_unlock(&runtime->takeover);
    if (!stopped) return false;

    ufp_mutex_lock(&runtime->mutex);
    runtime->report = runtime->stop.report;
    runtime->must_join = has_thread;
    runtime->stop_finished = true;
    ufh_check_all_waiters(runtime);
    ufp_condition_signal(&runtime->changed);
    ufp_mutex_unlock(&runtime->mutex); /* now the runtime may be freed */
    return true;
}

/* -- in place of the driving thread ------------------------------------------------------------------------------ */

bool ufh_run_if_stopped(uf_runtime *runtime, void (*function)(void *argument), void *argument)
{
    ufp_mutex_lock(&runtime->takeover);
    bool const stopped = ufh_is_set(&runtime->stopped, &runtime->mutex);
    if (stopped) {
        ufh_enter_round(runtime);
        ufp_store_pointer_seq_cst(&runtime->pump.thread, ufp_thread_self());
        ufi_inbox_deliver(&runtime->pump);
        function(argument);
        while (runtime->pump.messages) ufi_inbox_deliver(&runtime->pump); /* no round will deliver them */
        ufp_store_pointer_seq_cst(&runtime->pump.thread, NULL);
        ufh_leave_round(runtime);
    }
    ufp_mutex_unlock(&runtime->takeover);
    return stopped;
}

static void join_thread(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    bool const must_join = runtime->must_join;
    ufp_thread thread;
    if (must_join) thread = runtime->thread;
    runtime->must_join = false;
    ufp_mutex_unlock(&runtime->mutex);
    if (must_join) ufp_thread_join(&thread);
}

static void close_own_pool(void *argument)
{
    uf_runtime *const runtime = argument;
    bool const grace_is_used = runtime->stop.report.jobs_left && !runtime->stop_at_once;

    if (!runtime->own_pool) return;
    ufi_close_pool(&runtime->pump);
    ufh_free_own_pool(runtime, grace_is_used ? 0 : runtime->config.job_grace);
}

static void close_pool(void *pump)
{
    ufi_close_pool(pump);
}

/* -- stopping ---------------------------------------------------------------------------------------------------- */

/* Returns true if this call is the one that begins the stop. Otherwise *status is UF_OK if a stop has begun already. */
static bool claim_stop(uf_runtime *runtime, uf_time grace, bool at_once, uf_status *status)
{
    ufp_mutex_lock(&runtime->mutex);
    ufp_critical_enter(&ufh_links);
    bool const begun = runtime->stopping, busy = !begun && (runtime->driven_count > 0 || runtime->link_changing);
    if (!busy) runtime->stopping = true;
    ufp_critical_leave(&ufh_links);
    bool const claimed = !begun && !busy;
    if (claimed) {
        runtime->stop_began = ufp_monotonic_now();
        runtime->stop_grace = grace;
        runtime->stop_at_once = at_once;
        runtime->report = (uf_stop_report){.phase = UF_STOP_NONE};
    }
    ufp_mutex_unlock(&runtime->mutex);
    *status = busy ? UF_BUSY : UF_OK;
    return claimed;
}

/* Returns UF_OK if the runtime is being stopped, by this call or an earlier one. */
static uf_status begin_stop(uf_runtime *runtime, uf_time grace, bool at_once)
{
    uf_status status;

    if (!claim_stop(runtime, grace, at_once, &status)) return status;
    ufp_add_fetch_seq_cst(&runtime->pump.watched,
                          1); /* until the restart: every end of a start or post requests a check */
    ufp_store_seq_cst(&runtime->pump.stopping, 1);
    ufh_send(&runtime->pump, &runtime->stop_request, deliver_stop);
    ufh_request_round(&runtime->pump);
    return UF_OK;
}

/* Names the step that a pump's thread is in. Returns: its flow, which may be gone; NULL: none. */
static const uf_flow *report_step(const uf_pump *pump, uf_stop_report *report)
{
    char path[UF_STOP_NAME_SIZE], what[UF_STOP_NAME_SIZE];
    uf_step_info const *step;

    ufp_critical_enter(pump);
    uf_flow const *const flow = ufh_current_step(pump, &step);
    uf_task_info const *const task = flow ? &flow->type->tasks[step->task] : NULL;
    if (flow) uf_flow_path(flow, path, sizeof path);
    ufp_critical_leave(pump);
    if (!flow) return NULL;
    ufi_join(what, sizeof what, UFI_PARTS("is in step ", step->name));
    if (report->named == UF_STOP_NAMES) report->named--; /* this name matters more than the last one */
    ufi_stop_name(report, path, task->name, what);
    return flow;
}

/* Names the step that does not return, and the other flows that still run. The critical section keeps all flows
 * attached. The mutex keeps the driver from being freed. */
static void report_stuck(uf_runtime *runtime, uf_stop_report *report)
{
    uf_pump *const pump = &runtime->pump;

    ufp_mutex_lock(&runtime->mutex);
    uf_runtime const *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    uf_flow const *const current = report_step(pump, report);
    if (!current && driver != runtime) (void)report_step(&driver->pump, report);
    ufp_critical_enter(pump);
    for (uf_link *link = pump->flows.next; link != &pump->flows; link = link->next) {
        uf_flow const *const flow = ufi_attached_flow(link);
        uint32_t const state = ufp_load(&flow->state);
        if (state & UF_STATE_IDLE) continue;
        report->stuck++;
        if (flow == current) continue;
        char path[UF_STOP_NAME_SIZE];
        uf_flow_path(flow, path, sizeof path);
        ufi_stop_name(report, path, ufi_claimed_only(state) ? "" : ufi_task_name(flow, ufi_step_state(state)),
                      "has not ended");
    }
    ufp_critical_leave(pump);
    ufp_mutex_unlock(&runtime->mutex);
    if (report->stuck > 0) return;
    report->stuck++;
    ufi_stop_name(report, runtime->name, "", "its thread has not ended");
}

static bool read_in_section(const bool *flag)
{
    ufp_critical_enter(&ufh_links);
    bool const is_set = *flag;
    ufp_critical_leave(&ufh_links);
    return is_set;
}

/* True if the runtime was started again after the stop, or never stopped. */
static bool has_restarted(const uf_runtime *runtime)
{
    return !read_in_section(&runtime->stopping);
}

static uf_status wait_until_stopped(uf_runtime *runtime, ufh_waiter *waiter, uf_time deadline, uf_stop_report *report)
{
    ufp_mutex_lock(&runtime->mutex);
    *report = runtime->report;
    bool finished = runtime->stop_finished || has_restarted(runtime); /* the report of the last stop is still there */
    if (!finished) {
        waiter->report = report;
        ufh_waiter_enqueue(runtime, waiter);
        finished = ufh_waiter_wait(runtime, waiter, deadline);
        ufh_waiter_remove(runtime, waiter);
        if (!finished) *report = runtime->report;
        if (!finished) report->took = ufi_time_sub(ufp_monotonic_now(), runtime->stop_began);
    }
    /* This thread's own timeout may be shorter than the grace period of the stop. */
    bool const stuck = !finished && ufp_monotonic_now() >= uf_time_add(runtime->stop_began, runtime->stop_grace);
    if (stuck) runtime->stop_timed_out = true;
    if (stuck) ufp_condition_signal(&runtime->changed);
    ufp_mutex_unlock(&runtime->mutex);

    if (stuck) report_stuck(runtime, report);
    if (!finished) return UF_TIMED_OUT;
    join_thread(runtime);
    (void)ufh_run_if_stopped(runtime, close_own_pool, runtime);
    return ufi_stop_status(report);
}

/* True on the pump's thread, and in a job of the runtime: the stop would wait for this thread. */
static bool is_called_from_within(const uf_runtime *runtime)
{
    return ufi_on_pump_thread(&runtime->pump) || ufh_in_job_of(runtime);
}

static uf_status stop_and_wait(uf_runtime *runtime, uf_time grace, uf_stop_report *report)
{
    uf_time const deadline = uf_time_add(ufh_deadline(grace), GRACE_MARGIN);
    ufh_waiter waiter = {.entry = {.kind = WAIT_FOR_STOP}};

    if (is_called_from_within(runtime)) {
        uf_status const begun = begin_stop(runtime, grace, false);
        return begun == UF_OK ? UF_STOPPING : begun;
    }
    int const error = ufp_condition_init(&waiter.wakeup);
    if (error) return ufh_system_error(error);
    uf_status status = begin_stop(runtime, grace, false);
    if (status == UF_OK) {
        if (ufh_on_driver_thread(runtime)) ufh_drive_until_stopped(runtime);
        status = wait_until_stopped(runtime, &waiter, deadline, report);
    }
    ufp_condition_destroy(&waiter.wakeup);
    return status;
}

uf_status uf_runtime_stop(uf_runtime *runtime, uf_time grace, uf_stop_report *report)
{
    uf_stop_report unused;

    if (!runtime) return UF_INVALID;
    if (!report) report = &unused;
    *report = (uf_stop_report){.phase = UF_STOP_NONE};
    ufi_pump_pin(&runtime->pump);
    uf_status const status = stop_and_wait(runtime, grace > 0 ? grace : 0, report);
    ufi_pump_unpin(&runtime->pump);
    return status;
}

bool uf_runtime_stopping(const uf_runtime *runtime)
{
    return runtime && uf_pump_stopping(&runtime->pump);
}

/* -- starting again ---------------------------------------------------------------------------------------------- */

/* With `takeover` held. Returns UF_STOPPING before the end of the stop and while the runtime is being freed, and
 * UF_BUSY if it is running. */
static uf_status check_restart(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    uf_status const status = runtime->stop_finished ? UF_OK : has_restarted(runtime) ? UF_BUSY : UF_STOPPING;
    ufp_mutex_unlock(&runtime->mutex);
    return read_in_section(&runtime->freeing) ? UF_STOPPING : status;
}

/* Ends the stopped state in one critical section: a thread that waits for the last stop finds it over. */
static void accept_starts(uf_runtime *runtime)
{
    ufp_add_fetch_seq_cst(&runtime->pump.watched, UINT32_MAX);
    ufp_store_seq_cst(&runtime->pump.stopping, 0);
    ufp_mutex_lock(&runtime->mutex);
    runtime->stopped = runtime->stop_finished = runtime->stop_timed_out = false;
    ufp_critical_enter(&ufh_links);
    runtime->stopping = false;
    ufp_critical_leave(&ufh_links);
    ufp_mutex_unlock(&runtime->mutex);
}

/* With `takeover` held. The new thread waits for ufh_release_start(). */
static uf_status restart(uf_runtime *runtime)
{
    uf_status const status = check_restart(runtime);
    if (status != UF_OK) return status;

    join_thread(runtime);
    ufp_mutex_lock(&runtime->sleep_mutex);
    runtime->start_held = true;
    ufp_mutex_unlock(&runtime->sleep_mutex);
    int const error = runtime->config.embedded ? 0 : ufh_start_thread(runtime);
    if (error) return ufh_system_error(error);
    ufi_stop_forget(&runtime->pump);
    accept_starts(runtime);
    return UF_OK;
}

uf_status uf_runtime_start(uf_runtime *runtime)
{
    if (!runtime) return UF_INVALID;
    if (has_restarted(runtime)) return UF_BUSY;
    if (is_called_from_within(runtime)) return UF_STOPPING;

    ufi_pump_pin(&runtime->pump);
    ufp_mutex_lock(&runtime->takeover);
    uf_status const status = restart(runtime);
    ufp_mutex_unlock(&runtime->takeover);
    if (status == UF_OK) ufh_release_start(runtime);
    ufi_pump_unpin(&runtime->pump);
    return status;
}

/* -- freeing ----------------------------------------------------------------------------------------------------- */

/* An awake thread that makes no progress over this many checks is stuck. A duration would not show that: it also passes
 * while the whole process is suspended. */
#define STUCK_CHECKS         10
#define STUCK_CHECK_INTERVAL UF_MS(10)

/* With the mutex held, which keeps the driver. Returns: true if the driving thread has come further. */
static bool note_progress_of(uf_runtime *runtime, uintptr_t last[4])
{
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    uintptr_t const now[] = {ufp_load(&runtime->progress), ufp_load(&driver->progress),
                             (uintptr_t)ufp_load_pointer(&runtime->pump.current),
                             (uintptr_t)ufp_load_pointer(&driver->pump.current)};
    bool moved = false;

    for (unsigned i = 0; i < 4; i++) {
        moved |= now[i] != last[i];
        last[i] = now[i];
    }
    return moved;
}

/* With the mutex held, which the wait releases. */
static bool is_stuck(uf_runtime *runtime)
{
    uintptr_t last[4] = {0};

    (void)note_progress_of(runtime, last);
    for (unsigned checks = 0; checks < STUCK_CHECKS; checks++) {
        uf_time const next = uf_time_add(ufp_monotonic_now(), STUCK_CHECK_INTERVAL);
        while (!runtime->stop_finished && ufh_condition_wait(runtime, &runtime->changed, next)) {}
        uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
        /* An external loop never counts as asleep, because it may never poll again. */
        bool const sleeps = !driver->config.embedded && ufp_load_seq_cst(&driver->sleep);
        if (runtime->stop_finished || !runtime->stop_timed_out || sleeps) return false;
        if (note_progress_of(runtime, last)) return false;
    }
    return true;
}

/* Waits without a limit, unless a stop has timed out and the thread is stuck: then returns false. */
static bool wait_until_stop_finished(uf_runtime *runtime)
{
    bool stuck = false;

    ufp_mutex_lock(&runtime->mutex);
    while (!runtime->stop_finished && !stuck) {
        if (runtime->stop_timed_out) stuck = is_stuck(runtime);
        else (void)ufh_condition_wait(runtime, &runtime->changed, UF_FOREVER);
    }
    bool const finished = runtime->stop_finished;
    ufp_mutex_unlock(&runtime->mutex);
    return finished;
}

/* Waits for the threads that have pinned the pump, and serves them: they may have just begun to wait. Pins the pump, so
 * that only the last thread to leave signals `all_left`. */
static void wait_until_left(uf_runtime *runtime)
{
    ufp_add_fetch_seq_cst(&runtime->pump.pins, UFI_BEING_FREED + 1);
    if (ufp_add_fetch_seq_cst(&runtime->pump.pins, UINT32_MAX) != UFI_BEING_FREED) ufh_serve_until_all_left(runtime);
}

/* Holds `takeover`: a restart either completes before, and is stopped, or finds the mark. */
static bool claim_free(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->takeover);
    ufp_critical_enter(&ufh_links);
    bool const busy = runtime->freeing;
    if (!busy) runtime->freeing = true;
    ufp_critical_leave(&ufh_links);
    ufp_mutex_unlock(&runtime->takeover);
    return !busy;
}

static uf_status stop_for_free(uf_runtime *runtime)
{
    if (!claim_free(runtime)) return UF_BUSY;

    uf_status status = begin_stop(runtime, FREE_GRACE, true);
    if (status == UF_OK) {
        if (runtime->config.embedded || ufh_on_driver_thread(runtime)) ufh_drive_until_stopped(runtime);
        if (!wait_until_stop_finished(runtime)) status = UF_TIMED_OUT;
    }
    if (status != UF_OK) {
        ufp_critical_enter(&ufh_links);
        runtime->freeing = false;
        ufp_critical_leave(&ufh_links);
    }
    return status;
}

uf_status uf_runtime_free(uf_runtime *runtime)
{
    if (!runtime) return UF_INVALID;
    if (is_called_from_within(runtime) || ufh_in_own_pool(runtime)) return UF_DEADLOCK;
    uf_status const status = stop_for_free(runtime);
    if (status != UF_OK) return status;

    uf_pump *const pump = &runtime->pump;
    join_thread(runtime);
    (void)ufh_run_if_stopped(runtime, close_pool, pump);
    if (runtime->shown) runtime->config.environment->end(runtime->shown);
    if (runtime->uncatch_all) (void)ufh_run_if_stopped(runtime, runtime->uncatch_all, runtime);
    wait_until_left(runtime);
    ufp_store_pointer_seq_cst(&pump->thread, ufp_thread_self());
    ufi_inbox_deliver(pump); /* frees the cancels that arrived too late */
    for (uf_flow *flow; (flow = uf_pump_next_flow(pump, NULL)) != NULL;) (void)uf_flow_detach(flow);
    if (runtime->config.embedded) ufh_remove_loop(runtime);
    close_own_pool(runtime);
    ufh_release(runtime);
    return UF_OK;
}
