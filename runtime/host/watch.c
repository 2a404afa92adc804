/* watch.c - threads that wait for a run, for their turn to call a flow, or for everything.
 *
 * Why no end is missed: a thread that begins to watch first puts its watch among the others and raises the count, then sends
 * the pump a message to look at all of them. If the pump ends the run before the message arrives, it may overlook the
 * count, and finds the run over when it looks; if it ends it later, it has seen the count, because it has received the
 * message. A call watches before it starts its run, so that the start itself is that message. */
#include "host.h"

#include "signals.h"

/* So often a thread that drives runtimes, and waits for another one, looks after its own. */
#define LOOK_EVERY UF_MS(1)

void ufh_watch_begin(uf_runtime *runtime, watcher *watch)
{
    struct watcher **end = &runtime->watches;
    while (*end) end = &(*end)->next;
    *end = watch;
    ufp_add_fetch_seq_cst(&runtime->pump.watched, 1);
}

static void take_off(uf_runtime *runtime, watcher *watch)
{
    for (struct watcher **place = &runtime->watches; *place; place = &(*place)->next) {
        if (*place != watch) continue;
        *place = watch->next;
        return;
    }
}

void ufh_watch_end(uf_runtime *runtime, watcher *watch)
{
    take_off(runtime, watch);
    ufp_add_fetch_seq_cst(&runtime->pump.watched, UINT32_MAX);
}

bool ufh_wait(uf_runtime *runtime, ufp_condition *condition, uf_time deadline)
{
    if (!ufi_thread_drives_runtime()) return ufp_condition_wait(condition, &runtime->mutex, deadline);

    uf_time const soon = uf_time_add(ufp_monotonic_now(), LOOK_EVERY);
    if (ufp_condition_wait(condition, &runtime->mutex, soon < deadline ? soon : deadline)) return true;
    ufp_mutex_unlock(&runtime->mutex);
    ufi_process_own_fired();
    ufp_mutex_lock(&runtime->mutex);
    return soon < deadline;
}

bool ufh_watch_wait(uf_runtime *runtime, watcher *watch, uf_time deadline)
{
    while (!watch->over && ufh_wait(runtime, &watch->wakeup, deadline)) {}
    return watch->over;
}

static void finish(uf_runtime *runtime, watcher *watch, uf_status status)
{
    take_off(runtime, watch);
    watch->status = status;
    watch->over = true;
    ufp_condition_signal(&watch->wakeup);
}

/* -- the driving thread's side ------------------------------------------------------------------------------------- */

bool ufh_try_turn(watcher *watch)
{
    uf_flow *const flow = watch->flow;
    uint32_t const state = ufp_load(&flow->state);
    return state & UF_STATE_IDLE && ufp_compare_exchange_seq_cst(&flow->state, state, UFI_CLAIMED_ONLY);
}

/* The run that is watched has just ended, in `state`. */
static void finish_run(uf_runtime *runtime, watcher *watch, uint32_t state)
{
    uf_flow const *const flow = watch->flow;
    uf_call const *const call = watch->call;
    uf_outcome const outcome = (uf_outcome)flow->outcome;

    watch->end.outcome = outcome;
    ufi_copy_reason(flow, outcome, watch->end.reason);
    if (!call) {
        finish(runtime, watch, UF_OK);
    } else if (ufi_ended_with_result(flow, ufi_step_state(state), call->result_class)) {
        if (call->result) memcpy(call->result, call->result_from, call->result_size);
        finish(runtime, watch, UF_OK);
    } else {
        if (outcome == UF_DONE) {
            ufi_format_args(watch->end.reason, UF_REASON_SIZE, "ended in %s", ufi_task_name(flow, ufi_step_state(state)));
        }
        finish(runtime, watch, UF_NOT_DONE);
    }
}

void ufh_ended(uf_flow *flow, uint32_t state)
{
    uf_runtime *const runtime = ufh_of(flow->pump);
    uint32_t const run = flow->run;
    watcher *turn = NULL;

    ufp_mutex_lock(&runtime->mutex);
    for (watcher *w = runtime->watches; w && !turn; w = w->next) {
        if (w->what == FOR_TURN && w->flow == flow) turn = w;
    }
    for (watcher *w = runtime->watches, *next; w; w = next) {
        next = w->next;
        if (w->what == FOR_RUN && w->flow == flow && w->run == run) finish_run(runtime, w, state);
    }
    if (turn && !ufp_load(&runtime->pump.stopping)) {
        ufp_store_release(&flow->state, UFI_CLAIMED_ONLY);
        finish(runtime, turn, UF_OK);
    } else {
        ufp_store_release(&flow->state, state);
    } /* and those who were told go on when the mutex is free */
    ufp_mutex_unlock(&runtime->mutex);
}

static bool is_first_for_flow(const uf_runtime *runtime, const watcher *watch)
{
    for (const struct watcher *w = runtime->watches; w != watch; w = w->next) {
        if (w->what == FOR_TURN && w->flow == watch->flow) return false;
    }
    return true;
}

static void evaluate(uf_runtime *runtime, watcher *watch)
{
    uf_pump *const pump = &runtime->pump;

    switch (watch->what) {
    case FOR_RUN:
        if (watch->call) return; /* the end of its run cannot be overlooked */
        watch->end.outcome = uf_run_outcome((uf_run){.flow = watch->flow, .number = watch->run});
        if (watch->end.outcome == UF_RUNNING) return;
        ufi_copy_reason(watch->flow, watch->end.outcome, watch->end.reason);
        finish(runtime, watch, watch->end.outcome == UF_NEVER_RAN ? UF_STALE : UF_OK);
        return;
    case FOR_ALL:
        if (pump->running == 0 && ufp_load_seq_cst(&pump->requests) == 0) finish(runtime, watch, UF_OK);
        return;
    case FOR_TURN:
        if (ufp_load_seq_cst(&pump->stopping)) finish(runtime, watch, UF_STOPPING);
        else if (is_first_for_flow(runtime, watch) && ufh_try_turn(watch)) finish(runtime, watch, UF_OK);
        return;
    case FOR_STOP:
        if (!runtime->told) return;
        *watch->report = runtime->report;
        finish(runtime, watch, UF_OK);
        return;
    }
}

void ufh_evaluate_locked(uf_runtime *runtime)
{
    for (watcher *w = runtime->watches, *next; w; w = next) {
        next = w->next;
        evaluate(runtime, w);
    }
}

void ufh_evaluate(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    ufh_evaluate_locked(runtime);
    ufp_mutex_unlock(&runtime->mutex);
}

void ufh_forget_watches(uf_flow *flow)
{
    uf_runtime *const runtime = ufh_of(flow->pump);

    ufp_mutex_lock(&runtime->mutex);
    for (watcher *w = runtime->watches, *next; w; w = next) {
        next = w->next;
        if (w->flow != flow) continue;
        if (w->what == FOR_TURN) finish(runtime, w, UF_INVALID);
        else evaluate(runtime, w);
    }
    ufp_mutex_unlock(&runtime->mutex);
}

static void deliver_review(uf_pump *pump, uf_message *message)
{
    (void)message;
    ufp_exchange_seq_cst(&ufh_of(pump)->reviewing, 0); /* from here on it is sent again */
    if (ufp_load_seq_cst(&pump->watched)) ufh_evaluate(ufh_of(pump));
}

void ufh_review(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);

    if (ufp_exchange_seq_cst(&runtime->reviewing, 1)) return; /* it is on its way */
    runtime->review.deliver = deliver_review;
    ufi_inbox_send(pump, &runtime->review);
}

void uf_runtime_wake(uf_runtime *runtime)
{
    if (runtime) ufh_review(&runtime->pump);
}

/* -- the waiting thread's side ------------------------------------------------------------------------------------- */

static uf_status watch_for(uf_runtime *runtime, watcher *watch, uf_time timeout)
{
    uf_time const deadline = ufh_deadline(timeout);
    int const error = ufp_condition_init(&watch->wakeup);

    if (error) {
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    ufp_mutex_lock(&runtime->mutex);
    ufh_watch_begin(runtime, watch);
    if (runtime->stopped) evaluate(runtime, watch); /* nobody else would */
    ufp_mutex_unlock(&runtime->mutex);
    ufh_review(&runtime->pump);

    ufp_mutex_lock(&runtime->mutex);
    uf_status const status = ufh_watch_wait(runtime, watch, deadline) ? watch->status : UF_TIMED_OUT;
    ufp_condition_destroy(&watch->wakeup);
    ufh_watch_end(runtime, watch);
    ufp_mutex_unlock(&runtime->mutex);
    return status;
}

static uf_status wait_for(uf_runtime *runtime, watcher *watch, uf_time timeout)
{
    ufi_pump_pin(&runtime->pump);
    uf_status const status = watch_for(runtime, watch, timeout);
    ufi_pump_unpin(&runtime->pump);
    return status;
}

static uf_status wait_for_run(uf_run run, uf_time timeout, uf_call_info *end)
{
    uf_pump *const pump = run.flow ? run.flow->pump : NULL;
    watcher watch = {.what = FOR_RUN, .flow = run.flow, .run = run.number, .status = UF_OK};

    if (!pump) return UF_INVALID;
    if (!pump->host) return UF_UNSUPPORTED;
    if (ufh_is_own(ufh_of(pump))) return UF_DEADLOCK;

    uf_flow_view view;
    uf_flow_view_of(run.flow, &view);
    uf_status status = UF_OK;
    if (view.run == run.number && !view.running) { /* and no thread is needed to say so */
        watch.end.outcome = view.outcome;
        memcpy(watch.end.reason, view.reason, sizeof view.reason);
    } else {
        status = wait_for(ufh_of(pump), &watch, timeout);
    }
    if (status == UF_OK) *end = watch.end;
    return status;
}

uf_status uf_run_wait(uf_run run, uf_time timeout, uf_call_info *end)
{
    uf_call_info unwanted;

    if (!end) end = &unwanted;
    uf_status const status = wait_for_run(run, timeout, end);
    if (status != UF_OK) ufh_no_end(end, status == UF_TIMED_OUT ? UF_RUNNING : UF_NEVER_RAN, status);
    return status;
}

uf_status uf_flow_wait(uf_flow *flow, uf_time timeout, uf_call_info *end)
{
    return uf_run_wait(flow ? uf_flow_this_run(flow) : (uf_run){0}, timeout, end);
}

uf_status uf_runtime_wait(uf_runtime *runtime, uf_time timeout)
{
    watcher watch = {.what = FOR_ALL};

    if (!runtime) return UF_INVALID;
    if (ufh_is_own(runtime)) return UF_DEADLOCK;
    return wait_for(runtime, &watch, timeout);
}
