/* call.c - a start that waits: for its turn, first come first served, and for the end of its own run. */
#include "host.h"

#include "message.h"

/* Under the mutex: has another call of this flow come before? */
static bool others_wait(const uf_runtime *runtime, const uf_flow *flow)
{
    for (const watcher *w = runtime->watches; w; w = w->next) {
        if (w->what == FOR_TURN && w->flow == flow) return true;
    }
    return false;
}

/* The flow is this call's when it returns UF_OK: claimed, and nothing of it has been started. */
static uf_status wait_for_turn(uf_runtime *runtime, watcher *watch, uf_time deadline)
{
    ufp_mutex_lock(&runtime->mutex);
    bool mine = !others_wait(runtime, watch->flow) && ufh_try_turn(watch);
    ufh_watch_begin(runtime, watch);
    if (mine) {
        watch->what = FOR_RUN;
        watch->run = 0; /* nobody's, yet */
        ufp_mutex_unlock(&runtime->mutex);
        return UF_OK;
    }
    ufp_mutex_unlock(&runtime->mutex);
    ufh_review(&runtime->pump);

    ufp_mutex_lock(&runtime->mutex);
    uf_status status = ufh_watch_wait(runtime, watch, deadline) ? watch->status : UF_TIMED_OUT;
    ufh_watch_end(runtime, watch);
    if (status == UF_OK) {
        watch->what = FOR_RUN;
        watch->run = 0;
        watch->over = false;
        watch->next = NULL;
        ufh_watch_begin(runtime, watch);
    }
    ufp_mutex_unlock(&runtime->mutex);
    return status;
}

static uf_status make(uf_runtime *runtime, watcher *watch, uf_time deadline, ufh_cancel_message *cancel)
{
    uf_call const *const call = watch->call;

    uf_status status = wait_for_turn(runtime, watch, deadline);
    if (status != UF_OK) {
        ufi_request_end(&runtime->pump);
        ufp_free(cancel);
        return status;
    }
    if (call->arguments_size) memcpy(call->arguments_to, call->arguments, call->arguments_size);
    uf_run const run = uf_flow_this_run(call->flow); /* the one that is to begin, for the flow is claimed */
    ufp_mutex_lock(&runtime->mutex);
    watch->run = run.number;
    watch->end.outcome = UF_RUNNING; /* until its end is known */
    ufp_mutex_unlock(&runtime->mutex);
    uf_start_commit(call->flow, call->entry, NULL);

    ufp_mutex_lock(&runtime->mutex);
    status = ufh_watch_wait(runtime, watch, deadline) ? watch->status : UF_TIMED_OUT;
    if (status == UF_TIMED_OUT) ufh_push_cancel(cancel, run); /* later the run may have ended, and the flow be gone */
    ufh_watch_end(runtime, watch);
    ufp_mutex_unlock(&runtime->mutex);
    if (status == UF_TIMED_OUT) ufh_wake(&runtime->pump);
    else ufp_free(cancel);
    return status;
}

uf_status ufh_call(const uf_call *call)
{
    uf_runtime *const runtime = ufh_of(call->flow->pump);
    uf_time const deadline = ufh_deadline(call->timeout);
    watcher watch = {.what = FOR_TURN, .flow = call->flow, .call = call};
    ufh_cancel_message *cancel = NULL;

    if (ufh_is_own(runtime)) {
        if (call->info) ufh_no_end(call->info, UF_NEVER_RAN, UF_DEADLOCK);
        return UF_DEADLOCK;
    }
    ufi_pump_pin(&runtime->pump);
    uf_status status = ufi_request_begin(&runtime->pump);
    if (status == UF_OK) {
        int const error = ufp_condition_init(&watch.wakeup);
        if (!error) cancel = ufp_allocate(sizeof *cancel); /* now, so that nothing can stop it later */
        if (cancel) {
            status = make(runtime, &watch, deadline, cancel);
        } else {
            ufi_request_end(&runtime->pump);
            if (error) ufp_set_error(error);
            status = error ? UF_NO_THREAD : UF_NO_MEMORY;
        }
        if (!error) ufp_condition_destroy(&watch.wakeup);
    }
    ufi_pump_unpin(&runtime->pump);
    if (call->info) {
        *call->info = watch.end;
        if (status != UF_OK && status != UF_NOT_DONE) ufh_no_end(call->info, watch.end.outcome, status);
    }
    return status;
}
