/* SPDX-License-Identifier: MIT */
/* waiter.c - threads that wait for a run, for their turn to call a flow, for all flows, or for a stop.
 *
 * No end is missed, because a thread first enqueues its waiter, then increments pump.watched, and then requests a
 * round. If the run ends before the pump receives the request, the round finds the run over. If the run ends
 * later, the pump has received the request and therefore sees the count. A call enqueues its waiter before it starts
 * its run, so the start is the request. */
#include "host.h"

/* A driving thread that waits for another runtime handles its own fired signals this often. */
#define SERVE_OWN_INTERVAL UF_MS(1)

/* -- the queue --------------------------------------------------------------------------------------------------- */

void ufh_waiter_enqueue(uf_runtime *runtime, ufh_waiter *waiter)
{
    ufh_waiters_add(&runtime->waiters, waiter);
    ufp_add_fetch_seq_cst(&runtime->pump.watched, 1);
}

void ufh_waiter_remove(uf_runtime *runtime, ufh_waiter *waiter)
{
    ufh_waiters_take(&runtime->waiters, waiter);
    ufp_add_fetch_seq_cst(&runtime->pump.watched, UINT32_MAX);
}

bool ufh_condition_wait(uf_runtime *runtime, ufp_condition *condition, uf_time deadline)
{
    if (!ufh_thread_drives_runtime()) return ufp_condition_wait(condition, &runtime->mutex, deadline);

    uf_time const soon = uf_time_add(ufp_monotonic_now(), SERVE_OWN_INTERVAL);
    if (ufp_condition_wait(condition, &runtime->mutex, soon < deadline ? soon : deadline)) return true;
    ufp_mutex_unlock(&runtime->mutex);
    while (ufh_process_own_fired()) {}
    ufp_mutex_lock(&runtime->mutex);
    return soon < deadline;
}

bool ufh_waiter_wait(uf_runtime *runtime, ufh_waiter *waiter, uf_time deadline)
{
    while (!waiter->done && ufh_condition_wait(runtime, &waiter->wakeup, deadline)) {}
    return waiter->done;
}

/* The thread that waits decrements pump.watched. */
static void complete_waiter(uf_runtime *runtime, ufh_waiter *waiter, uf_status status)
{
    ufh_waiters_take(&runtime->waiters, waiter);
    waiter->status = status;
    waiter->done = true;
    ufp_condition_signal(&waiter->wakeup);
}

/* -- on the driving thread --------------------------------------------------------------------------------------- */

bool ufh_claim_flow(uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);
    if (!(state & UF_STATE_IDLE) || ufi_is_owed(flow)) return false;
    return ufp_compare_exchange_seq_cst(&flow->state, state, UFI_CLAIMED_ONLY);
}

/* The run that it waits for has just ended, in `state`. */
static void complete_run(uf_runtime *runtime, ufh_waiter *waiter, uint32_t state)
{
    uf_flow const *const flow = waiter->entry.flow;
    uf_call const *const call = waiter->call;
    uf_outcome const outcome = (uf_outcome)flow->outcome;

    waiter->end.outcome = outcome;
    ufi_copy_reason(flow, outcome, waiter->end.reason);
    if (!call) {
        complete_waiter(runtime, waiter, UF_OK);
    } else if (ufi_ended_with_result(flow, ufi_step_state(state), call->result_class)) {
        if (call->result) memcpy(call->result, call->result_from, call->result_size);
        complete_waiter(runtime, waiter, UF_OK);
    } else {
        if (outcome == UF_DONE) {
            ufi_join(waiter->end.reason, UF_REASON_SIZE,
                     UFI_PARTS("ended in ", ufi_task_name(flow, ufi_step_state(state))));
        }
        complete_waiter(runtime, waiter, UF_NOT_DONE);
    }
}

ufh_waiter *ufh_first_call_of(const uf_runtime *runtime, const uf_flow *flow)
{
    return (ufh_waiter *)(void *)ufh_entries_next(&runtime->waiters, flow, WAIT_FOR_TURN, NULL);
}

static void check_waiters_for_kept(uf_runtime *runtime, const uf_flow *flow);

void ufh_run_ended(uf_flow *flow, uint32_t state)
{
    uf_runtime *const runtime = ufh_runtime_of(flow->pump);
    uint32_t const run = flow->run;

    ufp_mutex_lock(&runtime->mutex);
    ufh_waiter *const call = ufh_first_call_of(runtime, flow);
    for (ufh_waiter *w = ufh_waiters_next(&runtime->waiters, flow, NULL), *next; w; w = next) {
        next = ufh_waiters_next(&runtime->waiters, flow, w);
        if (w->entry.run == run) complete_run(runtime, w, state);
    }
    if (call && !ufp_load(&runtime->pump.stopping) && !ufi_is_owed(flow)) {
        ufp_store_release(&flow->state, UFI_CLAIMED_ONLY);
        complete_waiter(runtime, call, UF_OK);
    } else {
        ufp_store_release(&flow->state, state);
    } /* the completed waiters continue when the mutex is free */
    check_waiters_for_kept(runtime, flow);
    ufp_mutex_unlock(&runtime->mutex);
}

static void check_waiter(uf_runtime *runtime, ufh_waiter *waiter)
{
    uf_pump *const pump = &runtime->pump;

    switch (waiter->entry.kind) {
    case WAIT_FOR_KEPT:
        waiter->status = ufi_store_hooks(pump)->begun((uf_run){waiter->entry.flow, waiter->entry.run});
        if (waiter->status != UF_BUSY) complete_waiter(runtime, waiter, waiter->status);
        return;
    case WAIT_FOR_RUN:
        if (waiter->call) return; /* ufh_run_ended() cannot miss this waiter */
        waiter->end.outcome = uf_run_outcome((uf_run){.flow = waiter->entry.flow, .number = waiter->entry.run});
        if (waiter->end.outcome == UF_RUNNING) return;
        ufi_copy_reason(waiter->entry.flow, waiter->end.outcome, waiter->end.reason);
        complete_waiter(runtime, waiter, waiter->end.outcome == UF_NEVER_RAN ? UF_STALE : UF_OK);
        return;
    case WAIT_FOR_ALL:
        if (ufh_is_idle(pump)) complete_waiter(runtime, waiter, UF_OK);
        return;
    case WAIT_FOR_TURN:
        if (ufp_load_seq_cst(&pump->stopping)) complete_waiter(runtime, waiter, UF_STOPPING);
        else if (ufh_first_call_of(runtime, waiter->entry.flow) == waiter && ufh_claim_flow(waiter->entry.flow))
            complete_waiter(runtime, waiter, UF_OK);
        return;
    case CANCEL_OF_RUN: return; /* not a thread */
    case WAIT_FOR_STOP:
        if (!runtime->stop_finished) return;
        *waiter->report = runtime->report;
        complete_waiter(runtime, waiter, UF_OK);
        return;
    }
}

static void check_waiters_for_kept(uf_runtime *runtime, const uf_flow *flow)
{
    for (ufh_entry *at = ufh_entries_next(&runtime->waiters, flow, WAIT_FOR_KEPT, NULL), *next; at; at = next) {
        next = ufh_entries_next(&runtime->waiters, flow, WAIT_FOR_KEPT, at);
        check_waiter(runtime, (ufh_waiter *)(void *)at);
    }
}

void ufh_run_kept(uf_flow *flow)
{
    uf_runtime *const runtime = ufh_runtime_of(flow->pump);

    ufp_mutex_lock(&runtime->mutex);
    check_waiters_for_kept(runtime, flow);
    ufh_waiter *const call = ufh_first_call_of(runtime, flow);
    if (call) check_waiter(runtime, call); /* the flow may have become free */
    ufp_mutex_unlock(&runtime->mutex);
}

static void check_list(uf_runtime *runtime, const uf_link *list)
{
    for (uf_link *link = list->next, *next; link != list; link = next) {
        next = link->next;
        check_waiter(runtime, (ufh_waiter *)(void *)link);
    }
}

void ufh_check_all_waiters(uf_runtime *runtime)
{
    check_list(runtime, &runtime->waiters.idle);
    check_list(runtime, &runtime->waiters.stop);
    for (uint32_t i = 0; i < runtime->waiters.list_count; i++) check_list(runtime, &runtime->waiters.lists[i]);
}

void ufh_check_waiters(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    if (ufh_is_idle(&runtime->pump)) check_list(runtime, &runtime->waiters.idle);
    for (ufh_waiter *w; (w = ufh_waiters_fresh(&runtime->waiters)) != NULL;) check_waiter(runtime, w);
    ufp_mutex_unlock(&runtime->mutex);
}

void ufh_release_waiters_of(uf_flow *flow)
{
    uf_runtime *const runtime = ufh_runtime_of(flow->pump);

    ufp_mutex_lock(&runtime->mutex);
    for (ufh_waiter *w; (w = ufh_first_call_of(runtime, flow)) != NULL;) complete_waiter(runtime, w, UF_INVALID);
    for (ufh_waiter *w = ufh_waiters_next(&runtime->waiters, flow, NULL), *next; w; w = next) {
        next = ufh_waiters_next(&runtime->waiters, flow, w);
        check_waiter(runtime, w);
    }
    check_waiters_for_kept(runtime, flow);
    for (ufh_entry *cancel; (cancel = ufh_entries_next(&runtime->waiters, flow, CANCEL_OF_RUN, NULL)) != NULL;) {
        (void)ufh_entries_take(&runtime->waiters, cancel);
        cancel->flow = NULL;
    }
    ufp_mutex_unlock(&runtime->mutex);
}

static void deliver_round_request(uf_pump *pump, uf_message *message)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);

    (void)message;
    ufp_exchange_seq_cst(&runtime->round_requested, 0); /* a later request enqueues the message again */
    if (ufp_load_seq_cst(&pump->watched)) ufh_check_waiters(runtime);
}

void ufh_request_round(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);

    if (ufp_exchange_seq_cst(&runtime->round_requested, 1)) return; /* the message is under way */
    ufh_send(pump, &runtime->round_request, deliver_round_request);
}

void uf_runtime_wake(uf_runtime *runtime)
{
    if (runtime) ufh_request_round(&runtime->pump);
}

/* -- on the waiting thread --------------------------------------------------------------------------------------- */

static uf_status wait_for(uf_runtime *runtime, ufh_waiter *waiter, uf_time timeout)
{
    uf_time const deadline = ufh_deadline(timeout);
    int const error = ufp_condition_init(&waiter->wakeup);

    if (error) return ufh_system_error(error);
    ufi_pump_pin(&runtime->pump);
    ufp_mutex_lock(&runtime->mutex);
    ufh_waiter_enqueue(runtime, waiter);
    if (runtime->stopped) check_waiter(runtime, waiter); /* there is no driving thread to do so */
    ufp_mutex_unlock(&runtime->mutex);
    ufh_request_round(&runtime->pump);

    ufp_mutex_lock(&runtime->mutex);
    uf_status const status = ufh_waiter_wait(runtime, waiter, deadline) ? waiter->status : UF_TIMED_OUT;
    ufp_condition_destroy(&waiter->wakeup);
    ufh_waiter_remove(runtime, waiter);
    ufp_mutex_unlock(&runtime->mutex);
    ufi_pump_unpin(&runtime->pump);
    return status;
}

void ufh_set_no_end(uf_call_info *info, uf_outcome outcome, uf_status status)
{
    *info = (uf_call_info){.outcome = outcome};
    ufi_join(info->reason, UF_REASON_SIZE, UFI_PARTS(uf_status_text(status)));
}

static uf_status wait_for_run(uf_run run, uf_time timeout, uf_call_info *end)
{
    uf_pump *const pump = run.flow ? run.flow->pump : NULL;
    ufh_waiter waiter = {.entry = {.kind = WAIT_FOR_RUN, .flow = run.flow, .run = run.number}, .status = UF_OK};

    if (!pump) return UF_INVALID;
    if (!ufh_is_runtime(pump)) return UF_UNSUPPORTED;
    if (ufh_on_driver_thread(ufh_runtime_of(pump))) return UF_DEADLOCK;

    uf_flow_view view;
    uf_flow_view_of(run.flow, &view);
    uf_status status = UF_OK;
    if (view.run == run.number && !view.running) { /* a snapshot is enough */
        waiter.end.outcome = view.outcome;
        memcpy(waiter.end.reason, view.reason, sizeof view.reason);
    } else {
        status = wait_for(ufh_runtime_of(pump), &waiter, timeout);
    }
    if (status == UF_OK) *end = waiter.end;
    return status;
}

uf_status uf_run_wait(uf_run run, uf_time timeout, uf_call_info *end)
{
    uf_call_info unused;

    if (!end) end = &unused;
    uf_status const status = wait_for_run(run, timeout, end);
    if (status != UF_OK) ufh_set_no_end(end, status == UF_TIMED_OUT ? UF_RUNNING : UF_NEVER_RAN, status);
    return status;
}

uf_status uf_flow_wait(uf_flow *flow, uf_time timeout, uf_call_info *end)
{
    return uf_run_wait(flow ? uf_flow_this_run(flow) : (uf_run){0}, timeout, end);
}

uf_status uf_run_wait_kept(uf_run run, uf_time timeout)
{
    uf_pump *const pump = run.flow ? run.flow->pump : NULL;
    ufh_waiter waiter = {.entry = {.kind = WAIT_FOR_KEPT, .flow = run.flow, .run = run.number}, .status = UF_OK};

    if (!pump) return UF_INVALID;
    if (!ufh_is_runtime(pump)) return UF_UNSUPPORTED;
    if (ufh_on_driver_thread(ufh_runtime_of(pump))) return UF_DEADLOCK;
    return ufi_store_hooks(pump) ? wait_for(ufh_runtime_of(pump), &waiter, timeout) : UF_OK;
}

uf_status uf_runtime_wait(uf_runtime *runtime, uf_time timeout)
{
    ufh_waiter waiter = {.entry = {.kind = WAIT_FOR_ALL}};

    if (!runtime) return UF_INVALID;
    if (ufh_on_driver_thread(runtime)) return UF_DEADLOCK;
    return wait_for(runtime, &waiter, timeout);
}
