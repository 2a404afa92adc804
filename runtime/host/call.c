/* SPDX-License-Identifier: MIT */
/* call.c - a blocking call of a flow: it waits for its turn, starts a run, and waits for the end of that run. Calls
 * of one flow are served in FIFO order. */
#include "host.h"

/* With the mutex held, after the flow was claimed: waits for a run that has no number yet. */
static void expect_run(ufh_waiter *waiter)
{
    waiter->entry.kind = WAIT_FOR_RUN;
    waiter->entry.run = 0;
    waiter->done = false;
}

/* Returns UF_OK when this call has claimed the flow and nothing of the run has started. */
static uf_status wait_for_turn(uf_runtime *runtime, ufh_waiter *waiter, uf_time deadline)
{
    ufp_mutex_lock(&runtime->mutex);
    bool const claimed = !ufh_first_call_of(runtime, waiter->entry.flow) && ufh_claim_flow(waiter->entry.flow);
    if (claimed) expect_run(waiter);
    ufh_waiter_enqueue(runtime, waiter);
    ufp_mutex_unlock(&runtime->mutex);
    if (claimed) return UF_OK;
    ufh_request_round(&runtime->pump);

    ufp_mutex_lock(&runtime->mutex);
    uf_status status = ufh_waiter_wait(runtime, waiter, deadline) ? waiter->status : UF_TIMED_OUT;
    ufh_waiter_remove(runtime, waiter);
    if (status == UF_OK) {
        expect_run(waiter);
        ufh_waiter_enqueue(runtime, waiter);
    }
    ufp_mutex_unlock(&runtime->mutex);
    return status;
}

/* At the time limit, the pump has this much time to answer: a run that has ended meanwhile counts. */
#define ANSWER_TIME UF_MS(100)

/* The run is cancelled unless it has ended before the message arrives. Takes `cancel` over. */
static void cancel_and_wait(uf_runtime *runtime, ufh_waiter *waiter, uf_run run, ufh_cancel_message *cancel)
{
    uf_time const deadline = uf_time_add(ufp_monotonic_now(), ANSWER_TIME);

    ufh_push_cancel(cancel, run);
    ufp_mutex_unlock(&runtime->mutex);
    ufh_wake(&runtime->pump);
    ufp_mutex_lock(&runtime->mutex);
    (void)ufh_waiter_wait(runtime, waiter, deadline);
}

static uf_status run_call(uf_runtime *runtime, ufh_waiter *waiter, uf_time deadline, ufh_cancel_message *cancel)
{
    uf_call const *const call = waiter->call;

    uf_status status = wait_for_turn(runtime, waiter, deadline);
    if (status != UF_OK) {
        ufi_request_end(&runtime->pump);
        ufp_free(cancel);
        return status;
    }
    if (call->arguments_size) memcpy(call->arguments_to, call->arguments, call->arguments_size);
    uf_run const run = uf_flow_this_run(call->flow); /* the next run, because the flow is claimed */
    ufp_mutex_lock(&runtime->mutex);
    waiter->entry.run = run.number;
    waiter->end.outcome = UF_RUNNING; /* until the run has ended */
    ufp_mutex_unlock(&runtime->mutex);
    uf_start_commit(call->flow, call->entry, NULL);

    ufp_mutex_lock(&runtime->mutex);
    bool const in_time = ufh_waiter_wait(runtime, waiter, deadline);
    if (!in_time) cancel_and_wait(runtime, waiter, run, cancel); /* it stays enqueued, so the flow is not destroyed */
    ufh_waiter_remove(runtime, waiter);
    ufp_mutex_unlock(&runtime->mutex);
    if (in_time) ufp_free(cancel);
    else if (!waiter->done || waiter->end.outcome == UF_CANCELLED) return UF_TIMED_OUT;
    return waiter->status;
}

uf_status ufh_call(const uf_call *call)
{
    uf_runtime *const runtime = ufh_runtime_of(call->flow->pump);
    uf_time const deadline = ufh_deadline(call->timeout);
    ufh_waiter waiter = {.entry = {.kind = WAIT_FOR_TURN, .flow = call->flow}, .call = call};
    ufh_cancel_message *cancel = NULL;

    if (ufh_on_driver_thread(runtime)) {
        if (call->info) ufh_set_no_end(call->info, UF_NEVER_RAN, UF_DEADLOCK);
        return UF_DEADLOCK;
    }
    ufi_pump_pin(&runtime->pump);
    uf_status status = ufi_request_begin(&runtime->pump);
    if (status == UF_OK) {
        int const error = ufp_condition_init(&waiter.wakeup);
        if (!error) cancel = ufp_allocate(sizeof *cancel); /* a timeout must not fail for lack of memory */
        if (cancel) {
            status = run_call(runtime, &waiter, deadline, cancel);
        } else {
            ufi_request_end(&runtime->pump);
            status = error ? ufh_system_error(error) : UF_NO_MEMORY;
        }
        if (!error) ufp_condition_destroy(&waiter.wakeup);
    }
    ufi_pump_unpin(&runtime->pump);
    if (call->info) {
        *call->info = waiter.end;
        if (status != UF_OK && status != UF_NOT_DONE) ufh_set_no_end(call->info, waiter.end.outcome, status);
    }
    return status;
}
