/* stop.c - the ordered stop of a runtime, from outside: who begins it, who waits for it, and what comes after.
 *
 * The phases are core's, in rounds of whoever drives the pump. The last act of that thread is to say that the runtime is
 * stopped, under the mutex, once nothing is on its way any more. From then on nobody drives it, and what others want done on
 * its thread they do themselves, one at a time. */
#include "host.h"

#include "stopping.h"
#include "work.h"

/* So much longer than the grace is waited until the thread has come to its end. */
#define MARGIN UF_MS(50)

/* What uf_runtime_free() gives `shutdown` tasks. */
#define SHORT_GRACE UF_MS(100)

/* -- the driving thread's side ------------------------------------------------------------------------------------- */

static void deliver_stop(uf_pump *pump, uf_message *message)
{
    uf_runtime *const runtime = ufh_of(pump);
    (void)message;

    ufp_mutex_lock(&runtime->mutex);
    uf_time const began = runtime->stop_began, grace = runtime->stop_grace;
    bool const at_once = runtime->stop_at_once;
    ufp_mutex_unlock(&runtime->mutex);
    ufi_stop_begin(pump, &runtime->stop, began, grace, at_once);
}

void ufh_note_report(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    runtime->report = runtime->stop.report;
    ufp_mutex_unlock(&runtime->mutex);
}

/* It has a driver, who is this thread: that one lets go of it. */
static void leave_driver(uf_runtime *runtime)
{
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);

    if (driver == runtime) {
        ufp_store_pointer_seq_cst(&runtime->pump.thread, NULL);
        return;
    }
    ufh_take_off(driver, runtime);
    ufh_set_driver(runtime, runtime); /* those who are about to wake the driver have done so now */
    ufp_critical_enter();
    driver->drives--;
    ufp_critical_leave();
}

bool ufh_stopped(uf_runtime *runtime)
{
    uf_runtime const *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    bool const has_thread = driver == runtime && !runtime->config.embedded;

    ufp_mutex_lock(&runtime->hands);
    ufp_mutex_lock(&runtime->mutex);
    bool const stopped = runtime->pump.running == 0 && ufp_load_seq_cst(&runtime->pump.requests) == 0;
    runtime->stopped = stopped;
    ufp_mutex_unlock(&runtime->mutex);
    if (stopped) leave_driver(runtime);
    if (stopped && runtime->config.embedded)
        ufh_be_between_polls(runtime, UF_FOREVER); /* its loop may go on, and be woken */
    ufp_mutex_unlock(&runtime->hands);
    if (!stopped) return false;

    ufp_mutex_lock(&runtime->mutex);
    runtime->report = runtime->stop.report;
    runtime->ended = has_thread;
    runtime->told = true;
    ufh_evaluate_locked(runtime);
    ufp_condition_signal(&runtime->gone);
    ufp_mutex_unlock(&runtime->mutex); /* and from here on it may be freed */
    return true;
}

/* -- instead of the thread ------------------------------------------------------------------------------------------- */

bool ufh_lend_a_hand(uf_runtime *runtime, void (*function)(void *argument), void *argument)
{
    ufp_mutex_lock(&runtime->hands);
    ufp_mutex_lock(&runtime->mutex);
    bool const stopped = runtime->stopped;
    ufp_mutex_unlock(&runtime->mutex);
    if (stopped) {
        ufp_store_pointer_seq_cst(&runtime->pump.thread, ufp_thread_self());
        ufi_inbox_deliver(&runtime->pump);
        function(argument);
        while (runtime->pump.messages) ufi_inbox_deliver(&runtime->pump); /* nobody else would look there */
        ufp_store_pointer_seq_cst(&runtime->pump.thread, NULL);
    }
    ufp_mutex_unlock(&runtime->hands);
    return stopped;
}

static void join_thread(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    bool const ended = runtime->ended;
    ufp_thread thread;
    if (ended) thread = runtime->thread;
    runtime->ended = false;
    ufp_mutex_unlock(&runtime->mutex);
    if (ended) ufp_thread_join(&thread);
}

static void close_own_pool(void *given)
{
    uf_runtime *const runtime = given;

    bool const waited = runtime->stop.report.jobs_left && !runtime->stop_at_once;

    if (!runtime->own_pool) return;
    ufi_close_pool(&runtime->pump);
    ufh_free_own_pool(runtime, waited ? 0 : runtime->config.job_grace);
}

/* -- stopping -------------------------------------------------------------------------------------------------------- */

/* True: it is this call that begins a stop. Otherwise UF_OK: one has begun. */
static bool take_on(uf_runtime *runtime, uf_time grace, bool at_once, uf_status *status)
{
    ufp_mutex_lock(&runtime->mutex);
    ufp_critical_enter();
    bool const begun = runtime->stopping, busy = !begun && (runtime->drives > 0 || runtime->changing);
    if (!busy) runtime->stopping = true;
    ufp_critical_leave();
    bool const mine = !begun && !busy;
    if (mine) {
        runtime->stop_began = ufp_monotonic_now();
        runtime->stop_grace = grace;
        runtime->stop_at_once = at_once;
        runtime->report = (uf_stop_report){.phase = UF_STOP_NONE};
    }
    ufp_mutex_unlock(&runtime->mutex);
    *status = busy ? UF_BUSY : UF_OK;
    return mine;
}

/* UF_OK: it is being stopped, by this call or another one. */
static uf_status begin(uf_runtime *runtime, uf_time grace, bool at_once)
{
    uf_status status;

    if (!take_on(runtime, grace, at_once, &status)) return status;
    ufp_add_fetch_seq_cst(&runtime->pump.watched, 1); /* so that whoever comes home says so */
    ufp_store_seq_cst(&runtime->pump.stopping, 1);
    runtime->stop_now.deliver = deliver_stop;
    ufi_inbox_send(&runtime->pump, &runtime->stop_now);
    ufh_review(&runtime->pump);
    return UF_OK;
}

/* The step that its thread is in, which may be another runtime's that it drives. In a section; NULL: it is in none. */
static const uf_flow *name_the_step(const uf_pump *pump, uf_stop_report *report)
{
    uf_step_info const *step;
    uf_flow const *const flow = ufh_at(pump, &step);
    char path[UF_STOP_NAME_SIZE], what[UF_STOP_NAME_SIZE];

    if (!flow) return NULL;
    uf_flow_path(flow, path, sizeof path);
    ufi_format_args(what, sizeof what, "is in step %s", step->name);
    if (report->named == UF_STOP_NAMES) report->named--; /* this is worth more than the last of so many */
    ufi_stop_name(report, path, flow->type->tasks[step->task].name, what);
    return flow;
}

/* Names the step that does not return, and what else still runs. All in one section: no flow is detached meanwhile. */
static void name_the_stuck(uf_runtime *runtime, uf_stop_report *report)
{
    uf_pump *const pump = &runtime->pump;

    ufp_mutex_lock(&runtime->mutex); /* so that the driver does not let go of it */
    uf_runtime const *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    ufp_critical_enter();
    uf_flow const *const at = name_the_step(pump, report);
    if (!at && driver != runtime) (void)name_the_step(&driver->pump, report);
    for (uf_link *link = pump->flows.next; link != &pump->flows; link = link->next) {
        uf_flow const *const flow = ufi_attached_flow(link);
        uint32_t const state = ufp_load(&flow->state);
        if (state & UF_STATE_IDLE) continue;
        report->stuck++;
        if (flow == at) continue;
        char path[UF_STOP_NAME_SIZE];
        uf_flow_path(flow, path, sizeof path);
        ufi_stop_name(report, path, ufi_claimed_only(state) ? "" : ufi_task_name(flow, ufi_step_state(state)),
                      "has not ended");
    }
    ufp_critical_leave();
    ufp_mutex_unlock(&runtime->mutex);
    if (report->stuck > 0) return;
    report->stuck++;
    ufi_stop_name(report, runtime->name, "", "its thread has not ended");
}

static bool is_being_freed(const uf_runtime *runtime)
{
    ufp_critical_enter();
    bool const freeing = runtime->freeing;
    ufp_critical_leave();
    return freeing;
}

/* Under the mutex. */
static bool started_since(const uf_runtime *runtime)
{
    ufp_critical_enter();
    bool const started = !runtime->stopping;
    ufp_critical_leave();
    return started;
}

/* Under the mutex: is the time over that the stop was given? Who waits may have had less. */
static bool had_its_time(const uf_runtime *runtime)
{
    return ufp_monotonic_now() >= uf_time_add(runtime->stop_began, runtime->stop_grace);
}

static uf_status wait_until_stopped(uf_runtime *runtime, watcher *watch, uf_time deadline, uf_stop_report *report)
{
    ufp_mutex_lock(&runtime->mutex);
    *report = runtime->report;
    bool over = runtime->told || started_since(runtime); /* after a stop, and that report is still there */
    if (!over) {
        watch->report = report;
        ufh_watch_begin(runtime, watch);
        over = ufh_watch_wait(runtime, watch, deadline);
        ufh_watch_end(runtime, watch);
        if (!over) *report = runtime->report;
        if (!over) report->took = ufi_time_sub(ufp_monotonic_now(), runtime->stop_began);
    }
    bool const stuck = !over && had_its_time(runtime);
    if (stuck) runtime->given_up = true;
    if (stuck) ufp_condition_signal(&runtime->gone);
    ufp_mutex_unlock(&runtime->mutex);

    if (stuck) name_the_stuck(runtime, report);
    if (!over) return UF_TIMED_OUT;
    join_thread(runtime);
    (void)ufh_lend_a_hand(runtime, close_own_pool, runtime);
    return ufi_stop_status(report);
}

/* Of its own flows, or of a worker that it would wait for. */
static bool is_within(const uf_runtime *runtime)
{
    return ufi_on_pump_thread(&runtime->pump) || ufh_in_worker_of(runtime);
}

static uf_status stop(uf_runtime *runtime, uf_time grace, uf_stop_report *report)
{
    uf_time const deadline = uf_time_add(ufh_deadline(grace), MARGIN);
    watcher watch = {.what = FOR_STOP};

    if (is_within(runtime)) {
        uf_status const begun = begin(runtime, grace, false);
        return begun == UF_OK ? UF_STOPPING : begun;
    }
    int const error = ufp_condition_init(&watch.wakeup);
    if (error) {
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    uf_status status = begin(runtime, grace, false);
    if (status == UF_OK) {
        if (ufh_is_own(runtime)) ufh_drive_to_the_end(runtime);
        status = wait_until_stopped(runtime, &watch, deadline, report);
    }
    ufp_condition_destroy(&watch.wakeup);
    return status;
}

uf_status uf_runtime_stop(uf_runtime *runtime, uf_time grace, uf_stop_report *report)
{
    uf_stop_report unwanted;

    if (!runtime) return UF_INVALID;
    if (!report) report = &unwanted;
    *report = (uf_stop_report){.phase = UF_STOP_NONE};
    ufi_pump_pin(&runtime->pump);
    uf_status const status = stop(runtime, grace > 0 ? grace : 0, report);
    ufi_pump_unpin(&runtime->pump);
    return status;
}

bool uf_runtime_stopping(const uf_runtime *runtime)
{
    return runtime && uf_pump_stopping(&runtime->pump);
}

/* -- starting again ---------------------------------------------------------------------------------------------------- */

/* Under `hands`: is there anything to start? UF_STOPPING: not yet, or not any more; UF_BUSY: somebody else has. */
static uf_status may_start(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    uf_status const status = runtime->told ? UF_OK : started_since(runtime) ? UF_BUSY : UF_STOPPING;
    ufp_mutex_unlock(&runtime->mutex);
    return is_being_freed(runtime) ? UF_STOPPING : status;
}

/* The very moment from which on a stop is another one: who comes to wait for the last one finds that it is over. */
static void accept_again(uf_runtime *runtime)
{
    ufp_add_fetch_seq_cst(&runtime->pump.watched, UINT32_MAX);
    ufp_store_seq_cst(&runtime->pump.stopping, 0);
    ufp_mutex_lock(&runtime->mutex);
    runtime->stopped = runtime->told = runtime->given_up = false;
    ufp_critical_enter();
    runtime->stopping = false;
    ufp_critical_leave();
    ufp_mutex_unlock(&runtime->mutex);
}

/* Under `hands`: it has a thread again, which waits. */
static uf_status revive(uf_runtime *runtime)
{
    uf_status const status = may_start(runtime);
    if (status != UF_OK) return status;

    join_thread(runtime);
    ufp_mutex_lock(&runtime->nap);
    runtime->held = true;
    ufp_mutex_unlock(&runtime->nap);
    int const error = runtime->config.embedded ? 0 : ufh_start_thread(runtime);
    if (error) {
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    ufi_stop_forget(&runtime->pump);
    accept_again(runtime);
    return UF_OK;
}

uf_status uf_runtime_start(uf_runtime *runtime)
{
    if (!runtime) return UF_INVALID;
    ufp_critical_enter();
    bool const running = !runtime->stopping;
    ufp_critical_leave();
    if (running) return UF_BUSY;
    if (is_within(runtime)) return UF_STOPPING;

    ufi_pump_pin(&runtime->pump);
    ufp_mutex_lock(&runtime->hands);
    uf_status const status = revive(runtime);
    ufp_mutex_unlock(&runtime->hands);
    if (status == UF_OK) ufh_let_begin(runtime);
    ufi_pump_unpin(&runtime->pump);
    return status;
}

/* -- freeing ----------------------------------------------------------------------------------------------------------- */

static void close_pool(void *pump)
{
    ufi_close_pool(pump);
}

/* A thread that is awake and gets no further between so many looks, one after each of these times, is stuck. Time alone
 * would not tell: it also passes while the whole process is stopped. */
#define LOOKS      10
#define LOOK_AFTER UF_MS(10)

/* How far the thread that drives it has come; under the mutex, so that it stays the driver. */
typedef struct progress {
    uint32_t beats, beats_of_driver;
    const void *current, *current_of_driver;
} progress;

static progress progress_of(uf_runtime *runtime)
{
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    return (progress){
        .beats = ufp_load(&runtime->beats),
        .beats_of_driver = ufp_load(&driver->beats),
        .current = ufp_load_pointer(&runtime->pump.current),
        .current_of_driver = ufp_load_pointer(&driver->pump.current),
    };
}

static bool sleeps(uf_runtime *runtime)
{
    uf_runtime *const driver = ufp_load_pointer_seq_cst(&runtime->driver);
    return !driver->config.embedded && ufp_load_seq_cst(&driver->asleep); /* a loop may never poll again */
}

/* Under the mutex, which is released while it waits. A wait may be woken before its time, and more than once. */
static bool is_stuck(uf_runtime *runtime)
{
    progress const then = progress_of(runtime);

    for (unsigned looks = 0; looks < LOOKS; looks++) {
        uf_time const next = uf_time_add(ufp_monotonic_now(), LOOK_AFTER);
        while (!runtime->told && ufh_wait(runtime, &runtime->gone, next)) {}
        if (runtime->told || !runtime->given_up || sleeps(runtime)) return false;
        progress const now = progress_of(runtime);
        if (now.beats != then.beats || now.beats_of_driver != then.beats_of_driver || now.current != then.current ||
            now.current_of_driver != then.current_of_driver) {
            return false;
        }
    }
    return true;
}

/* However long that takes, unless a stop has given up and the thread is stuck. */
static bool wait_until_told(uf_runtime *runtime)
{
    bool stuck = false;

    ufp_mutex_lock(&runtime->mutex);
    while (!runtime->told && !stuck) {
        if (runtime->given_up) stuck = is_stuck(runtime);
        else (void)ufh_wait(runtime, &runtime->gone, UF_FOREVER);
    }
    bool const told = runtime->told;
    ufp_mutex_unlock(&runtime->mutex);
    return told;
}

/* They may just have begun to wait for something, and nobody else would tell them that it has come. */
static void wait_until_left(uf_runtime *runtime)
{
    ufp_add_fetch_seq_cst(&runtime->pump.pins,
                          UFI_BEING_FREED + 1); /* oneself, so that only the very last one tells */
    if (ufp_add_fetch_seq_cst(&runtime->pump.pins, UINT32_MAX) != UFI_BEING_FREED) ufh_serve_the_last(runtime);
}

/* Either it has been started by then, and will be stopped, or it is not started any more. */
static bool mark_as_freed(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->hands);
    ufp_critical_enter();
    bool const busy = runtime->freeing;
    if (!busy) runtime->freeing = true;
    ufp_critical_leave();
    ufp_mutex_unlock(&runtime->hands);
    return !busy;
}

static uf_status begin_to_free(uf_runtime *runtime)
{
    if (!mark_as_freed(runtime)) return UF_BUSY;

    uf_status status = begin(runtime, SHORT_GRACE, true);
    if (status == UF_OK) {
        if (runtime->config.embedded || ufh_is_own(runtime)) ufh_drive_to_the_end(runtime);
        if (!wait_until_told(runtime)) status = UF_TIMED_OUT;
    }
    if (status != UF_OK) {
        ufp_critical_enter();
        runtime->freeing = false;
        ufp_critical_leave();
    }
    return status;
}

uf_status uf_runtime_free(uf_runtime *runtime)
{
    if (!runtime) return UF_INVALID;
    if (is_within(runtime) || ufh_in_own_pool(runtime)) return UF_DEADLOCK;
    uf_status const status = begin_to_free(runtime);
    if (status != UF_OK) return status;

    uf_pump *const pump = &runtime->pump;
    join_thread(runtime);
    (void)ufh_lend_a_hand(runtime, close_pool, pump);
    wait_until_left(runtime);
    ufp_store_pointer_seq_cst(&pump->thread, ufp_thread_self());
    ufi_inbox_deliver(pump); /* cancels that came too late */
    for (uf_flow *flow; (flow = uf_pump_next_flow(pump, NULL)) != NULL;) (void)uf_flow_detach(flow);
    ufi_pump_unregister(pump);
    close_own_pool(runtime);
    ufh_release(runtime);
    return UF_OK;
}
