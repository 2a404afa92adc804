/* SPDX-License-Identifier: MIT */
/* post.c - operations that other threads request from the driving thread: posts, cancels, requests such as detaching,
 * and the pre-round hook. */
#include "host.h"

/* -- posts ------------------------------------------------------------------------------------------------------- */

typedef struct post {
    uf_message message; /* first */
    void (*function)(void *argument);
    void *argument;
    uf_time sent; /* 0: without observers, or an internal request. Observers are not notified of it */
    /* For a post that observers are notified of. */
    const char *file, *caller;
    int line;
    bool blocking;
    char apart[UFH_APART]; /* from the next post of a thread, which may be for another runtime */
} post;

/* It lives on the stack of the thread that waits. */
typedef struct blocking_post {
    post post; /* first */
    /* Under the mutex. */
    bool done;
    ufp_condition wakeup;
} blocking_post;

static void run_post(uf_pump *pump, post *p)
{
    uf_time const began = pump->observers && p->sent ? ufp_monotonic_now() : 0;

    ufh_note_progress(ufh_runtime_of(pump));
    if (!began) {
        p->function(p->argument);
        return;
    }
    uf_post_event event = {
        .file = p->file ? p->file : "",
        .line = p->line,
        .caller = p->caller ? p->caller : "",
        .waited = began - p->sent,
        .blocking = p->blocking,
    };
    ufi_notify_post_began(pump, &event);
    p->function(p->argument);
    event.took = ufp_monotonic_now() - began;
    if (pump->measured) ufi_measure_post(pump, &event, event.took);
    if (pump->observers) ufi_notify_posted(pump, &event);
}

/* The runtime whose round this thread runs keeps one post that was delivered. So runtimes that post to themselves, or
 * answer each other, allocate nothing: that halves the time of a post. */
static post *allocate_post(void)
{
    uf_pump *const round = ufp_thread_slot()[UFP_SLOT_ROUND];
    post *const spare = round ? ufh_runtime_of(round)->spare_post : NULL;

    if (!spare) return ufp_allocate(sizeof *spare);
    ufh_runtime_of(round)->spare_post = NULL;
    return spare;
}

static void deliver_post(uf_pump *pump, uf_message *message)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);

    run_post(pump, (post *)(void *)message);
    if (runtime->spare_post) ufp_free(message);
    else runtime->spare_post = message;
    ufi_request_done(pump);
}

static void deliver_blocking_post(uf_pump *pump, uf_message *message)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);
    blocking_post *const p = (blocking_post *)(void *)message;

    run_post(pump, &p->post);
    ufi_request_end(pump);
    ufp_mutex_lock(&runtime->mutex);
    p->done = true;
    ufp_condition_signal_and_unlock(&p->wakeup, &runtime->mutex);
}

/* The clock is read only for observers: on some machines that costs as much as the rest of a post. Each member is set
 * by itself, since a copy of a whole post would write to `apart`. */
static void fill_post(const uf_pump *pump, post *p, void (*function)(void *argument), void *argument, const char *file,
                      int line, const char *caller, bool blocking)
{
    p->function = function;
    p->argument = argument;
    p->sent = 0;
    if (!ufp_load_pointer(&pump->observers)) return;
    p->sent = ufp_monotonic_now();
    p->file = file;
    p->caller = caller;
    p->line = line;
    p->blocking = blocking;
}

uf_status uf_post_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file, int line,
                     const char *caller)
{
    if (!runtime || !function) return UF_INVALID;
    if (ufi_request_begin(&runtime->pump) != UF_OK) return UF_CLOSED;

    post *const p = allocate_post();
    if (!p) {
        ufi_request_end(&runtime->pump);
        return UF_NO_MEMORY;
    }
    fill_post(&runtime->pump, p, function, argument, file, line, caller, false);
    ufh_send(&runtime->pump, &p->message, deliver_post);
    return UF_OK;
}

/* Sends a blocking post that was counted as a request, and waits for it. */
static uf_status send_and_wait(uf_runtime *runtime, blocking_post *p)
{
    int const error = ufp_condition_init(&p->wakeup);
    if (error) {
        ufi_request_end(&runtime->pump);
        return ufh_system_error(error);
    }
    ufi_pump_pin(&runtime->pump);
    ufh_send(&runtime->pump, &p->post.message, deliver_blocking_post);
    ufp_mutex_lock(&runtime->mutex);
    while (!p->done) (void)ufh_condition_wait(runtime, &p->wakeup, UF_FOREVER);
    ufp_condition_destroy(&p->wakeup);
    ufp_mutex_unlock(&runtime->mutex);
    ufi_pump_unpin(&runtime->pump);
    return UF_OK;
}

uf_status uf_post_wait_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file,
                          int line, const char *caller)
{
    if (!runtime || !function) return UF_INVALID;
    if (ufh_on_driver_thread(runtime)) return UF_DEADLOCK;
    if (ufi_request_begin(&runtime->pump) != UF_OK) return UF_CLOSED;

    blocking_post p = {.done = false};
    fill_post(&runtime->pump, &p.post, function, argument, file, line, caller, true);
    return send_and_wait(runtime, &p);
}

bool ufh_count_request(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    bool const counted = !runtime->stopped;
    if (counted) ufp_add_fetch_seq_cst(&runtime->pump.requests, 1);
    ufp_mutex_unlock(&runtime->mutex);
    return counted;
}

uf_status ufh_run_on_driver(uf_runtime *runtime, void (*function)(void *argument), void *argument)
{
    uf_status status = UF_OK;

    if (ufi_on_pump_thread(&runtime->pump)) {
        function(argument);
        return UF_OK;
    }
    ufi_pump_pin(&runtime->pump);
    bool done = false;
    while (!done && !ufh_count_request(runtime)) done = ufh_run_if_stopped(runtime, function, argument);
    if (!done && ufh_on_driver_thread(runtime)) { /* external-loop mode, between two polls */
        ufh_set_driving_thread(runtime, ufp_thread_self());
        function(argument);
        ufh_set_driving_thread(runtime, NULL);
        ufh_request_round(&runtime->pump); /* a flow may have become ready */
        ufi_request_end(&runtime->pump);
    } else if (!done) {
        blocking_post p = {.post = {.function = function, .argument = argument}};
        status = send_and_wait(runtime, &p);
    }
    ufi_pump_unpin(&runtime->pump);
    return status;
}

/* -- cancels ----------------------------------------------------------------------------------------------------- */

static void deliver_cancel(uf_pump *pump, uf_message *message)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);
    ufh_entry *const entry = &((ufh_cancel_message *)(void *)message)->entry;

    ufp_mutex_lock(&runtime->mutex);
    (void)ufh_entries_take(&runtime->waiters, entry);
    ufp_mutex_unlock(&runtime->mutex);
    ufp_add_fetch_seq_cst(&pump->watched, UINT32_MAX);
    if (entry->flow) ufi_cancel_run((uf_run){.flow = entry->flow, .number = entry->run});
    ufp_free(message);
}

/* The flow is about to be detached. Cancels that are still in the inbox are found in the table. */
void ufh_forget(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;
    uf_runtime *const runtime = ufh_runtime_of(pump);

    if (ufp_load_seq_cst(&pump->watched)) ufh_release_waiters_of(flow);
    if (runtime->next_seen == flow) runtime->next_seen = ufi_member_around(flow) ? NULL : uf_pump_next_flow(pump, flow);
}

void ufh_push_cancel(ufh_cancel_message *cancel, uf_run run)
{
    uf_runtime *const runtime = ufh_runtime_of(run.flow->pump);

    cancel->entry = (ufh_entry){.kind = CANCEL_OF_RUN, .flow = run.flow, .run = run.number};
    cancel->message.deliver = deliver_cancel;
    ufh_entries_add(&runtime->waiters, &cancel->entry);
    ufp_add_fetch_seq_cst(&runtime->pump.watched, 1);
    ufi_inbox_push(&runtime->pump, &cancel->message);
}

uf_status ufh_cancel(uf_run run)
{
    uf_runtime *const runtime = ufh_runtime_of(run.flow->pump);
    ufh_cancel_message *const cancel = ufp_allocate(sizeof *cancel);

    if (!cancel) return UF_NO_MEMORY;
    ufi_pump_pin(&runtime->pump);
    ufp_mutex_lock(&runtime->mutex);
    ufh_push_cancel(cancel, run);
    ufp_mutex_unlock(&runtime->mutex);
    ufh_wake(&runtime->pump);
    ufi_pump_unpin(&runtime->pump);
    return UF_OK;
}

static void cancel_all(void *runtime)
{
    uf_pump_cancel_all(&((uf_runtime *)runtime)->pump);
}

uf_status uf_runtime_cancel_all(uf_runtime *runtime)
{
    if (!runtime) return UF_INVALID;
    if (!ufi_on_pump_thread(&runtime->pump)) return uf_post_at(runtime, cancel_all, runtime, NULL, 0, NULL);
    cancel_all(runtime);
    return UF_OK;
}

/* -- functions of core that have to run on the driving thread ---------------------------------------------------- */

typedef uf_status observer_change(uf_pump *pump, uf_observer *observer);

typedef struct request {
    uf_pump *pump;
    uf_flow *flow;
    observer_change *change;
    uf_observer *observer;
    uf_status status;
} request;

static void detach_flow(void *argument)
{
    request *const r = argument;
    r->status = uf_flow_detach(r->flow);
}

uf_status ufh_detach(uf_flow *flow)
{
    request r = {.flow = flow};
    uf_status const status = ufh_run_on_driver(ufh_runtime_of(flow->pump), detach_flow, &r);
    return status == UF_OK ? r.status : status;
}

uf_status ufh_run(uf_pump *pump, void (*function)(void *argument), void *argument)
{
    return ufh_run_on_driver(ufh_runtime_of(pump), function, argument);
}

static void change_observers(void *argument)
{
    request *const r = argument;
    r->status = r->change(r->pump, r->observer);
}

static uf_status request_change(uf_runtime *runtime, uf_observer *observer, observer_change *change)
{
    request r = {.pump = &runtime->pump, .change = change, .observer = observer};
    uf_status const status = ufh_run_on_driver(runtime, change_observers, &r);
    return status == UF_OK ? r.status : status;
}

uf_status uf_runtime_add_observer(uf_runtime *runtime, uf_observer *observer)
{
    return runtime && observer ? request_change(runtime, observer, uf_pump_add_observer) : UF_INVALID;
}

uf_status uf_runtime_remove_observer(uf_runtime *runtime, uf_observer *observer)
{
    return runtime && observer ? request_change(runtime, observer, uf_pump_remove_observer) : UF_INVALID;
}

/* -- the pre-round hook ------------------------------------------------------------------------------------------ */

void ufh_run_hook(void *argument)
{
    uf_runtime *const runtime = argument;

    if (!ufp_load(&runtime->has_hook)) return;
    ufp_mutex_lock(&runtime->mutex);
    void (*const hook)(void *context) = runtime->hook;
    void *const context = runtime->hook_context;
    ufp_mutex_unlock(&runtime->mutex);
    if (hook) hook(context);
}

void uf_runtime_set_pre_round(uf_runtime *runtime, void (*hook)(void *context), void *context)
{
    if (!runtime) return;
    ufp_mutex_lock(&runtime->mutex);
    runtime->hook = hook;
    runtime->hook_context = context;
    ufp_store(&runtime->has_hook, hook != NULL);
    ufp_mutex_unlock(&runtime->mutex);
}
