/* post.c - what other threads have done on the driving one: posts, cancels, detaching, the hook. */
#include "host.h"

#include "message.h"

static void send(uf_pump *pump, uf_message *message, void (*deliver)(uf_pump *pump, uf_message *message))
{
    message->deliver = deliver;
    ufi_inbox_send(pump, message);
}

/* -- posts --------------------------------------------------------------------------------------------------------- */

typedef struct posting {
    uf_message message;
    void (*function)(void *argument);
    void *argument;
    uf_post_event event;
    uf_time sent;
    /* One that is waited for lies on the stack of the thread that waits. */
    bool done;
    ufp_condition wakeup;
} posting;

static void run(uf_pump *pump, posting *post)
{
    bool const told = pump->observers && post->sent; /* what the runtime has sent to itself is nobody's business */
    uf_time const began = told || pump->measured ? ufp_monotonic_now() : 0;

    ufh_beat(ufh_of(pump));
    post->function(post->argument);
    if (!post->sent || !began) return;
    post->event.waited = began - post->sent;
    post->event.took = ufp_monotonic_now() - began;
    if (pump->measured) ufi_measure_post(pump, &post->event, post->event.took);
    if (pump->observers) ufi_notify_posted(pump, &post->event);
}

static void deliver(uf_pump *pump, uf_message *message)
{
    run(pump, (posting *)(void *)message);
    ufp_free(message);
    ufi_request_end(pump);
}

static void deliver_waited(uf_pump *pump, uf_message *message)
{
    uf_runtime *const runtime = ufh_of(pump);
    posting *const post = (struct posting *)(void *)message;

    run(pump, post);
    ufi_request_end(pump);
    ufp_mutex_lock(&runtime->mutex);
    post->done = true;
    ufp_condition_signal_and_unlock(&post->wakeup, &runtime->mutex);
}

static posting post_of(void (*function)(void *argument), void *argument, const char *file, int line, const char *caller)
{
    return (posting){
        .function = function,
        .argument = argument,
        .event = {.file = file ? file : "", .line = line, .caller = caller ? caller : ""},
        .sent = ufp_monotonic_now(),
    };
}

uf_status uf_post_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file, int line,
                     const char *caller)
{
    if (!runtime || !function) return UF_INVALID;
    if (ufi_request_begin(&runtime->pump) != UF_OK) return UF_CLOSED;

    posting *const post = ufp_allocate(sizeof *post);
    if (!post) {
        ufi_request_end(&runtime->pump);
        return UF_NO_MEMORY;
    }
    *post = post_of(function, argument, file, line, caller);
    send(&runtime->pump, &post->message, deliver);
    return UF_OK;
}

/* Once it was counted as abroad. */
static uf_status wait_for(uf_runtime *runtime, posting *post)
{
    int const error = ufp_condition_init(&post->wakeup);
    if (error) {
        ufi_request_end(&runtime->pump);
        ufp_set_error(error);
        return UF_NO_THREAD;
    }
    ufi_pump_pin(&runtime->pump);
    send(&runtime->pump, &post->message, deliver_waited);
    ufp_mutex_lock(&runtime->mutex);
    while (!post->done) (void)ufh_wait(runtime, &post->wakeup, UF_FOREVER);
    ufp_condition_destroy(&post->wakeup);
    ufp_mutex_unlock(&runtime->mutex);
    ufi_pump_unpin(&runtime->pump);
    return UF_OK;
}

uf_status uf_post_wait_at(uf_runtime *runtime, void (*function)(void *argument), void *argument, const char *file,
                          int line, const char *caller)
{
    if (!runtime || !function) return UF_INVALID;
    if (ufh_is_own(runtime)) return UF_DEADLOCK;
    if (ufi_request_begin(&runtime->pump) != UF_OK) return UF_CLOSED;

    posting post = post_of(function, argument, file, line, caller);
    post.event.blocking = true;
    return wait_for(runtime, &post);
}

/* Counted as abroad, unless there is no thread that would do it. */
static bool ask(uf_runtime *runtime)
{
    ufp_mutex_lock(&runtime->mutex);
    bool const asked = !runtime->stopped;
    if (asked) ufp_add_fetch_seq_cst(&runtime->pump.requests, 1);
    ufp_mutex_unlock(&runtime->mutex);
    return asked;
}

uf_status ufh_do(uf_runtime *runtime, void (*function)(void *argument), void *argument)
{
    uf_status status = UF_OK;

    if (ufi_on_pump_thread(&runtime->pump)) {
        function(argument);
        return UF_OK;
    }
    ufi_pump_pin(&runtime->pump);
    bool done = false;
    while (!done && !ask(runtime)) done = ufh_lend_a_hand(runtime, function, argument);
    if (!done && ufh_is_own(runtime)) { /* the loop's thread, between two polls */
        ufh_set_thread(runtime, ufp_thread_self());
        function(argument);
        ufh_set_thread(runtime, NULL);
        ufh_review(&runtime->pump); /* a flow may have something to do now, so there is another poll */
        ufi_request_end(&runtime->pump);
    } else if (!done) {
        posting post = {.function = function, .argument = argument};
        status = wait_for(runtime, &post);
    }
    ufi_pump_unpin(&runtime->pump);
    return status;
}

/* -- cancels ------------------------------------------------------------------------------------------------------- */

static void deliver_cancel(uf_pump *pump, uf_message *message)
{
    uf_run const run = ((ufh_cancel_message *)(void *)message)->run;
    (void)pump;
    if (run.flow) ufi_cancel_run(run);
    ufp_free(message);
}

void ufh_forget(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;

    if (ufp_load_seq_cst(&pump->watched)) ufh_forget_watches(flow);
    if (ufp_load_pointer(&pump->inbox)) (void)ufi_inbox_take(pump);
    for (uf_message *message = pump->messages; message; message = message->next) {
        if (message->deliver != deliver_cancel) continue;
        uf_run *const run = &((ufh_cancel_message *)(void *)message)->run;
        if (run->flow == flow) run->flow = NULL;
    }
}

void ufh_push_cancel(ufh_cancel_message *cancel, uf_run run)
{
    cancel->run = run;
    cancel->message.deliver = deliver_cancel;
    ufi_inbox_push(run.flow->pump, &cancel->message);
}

uf_status ufh_cancel(uf_run run)
{
    ufh_cancel_message *const cancel = ufp_allocate(sizeof *cancel);
    if (!cancel) return UF_NO_MEMORY;
    cancel->run = run;
    send(run.flow->pump, &cancel->message, deliver_cancel);
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

/* -- detaching and observers --------------------------------------------------------------------------------------- */

typedef struct request {
    uf_runtime *runtime;
    uf_flow *flow;
    uf_observer *observer;
    uf_status status;
} request;

static uf_status grant(uf_runtime *runtime, void (*function)(void *wish), request *wish)
{
    wish->runtime = runtime;
    uf_status const status = ufh_do(runtime, function, wish);
    return status == UF_OK ? wish->status : status;
}

static void detach(void *given)
{
    request *const wish = given;
    wish->status = uf_flow_detach(wish->flow);
}

uf_status ufh_detach(uf_flow *flow)
{
    request wish = {.flow = flow};
    return grant(ufh_of(flow->pump), detach, &wish);
}

static void add_observer(void *given)
{
    request *const wish = given;
    wish->status = uf_pump_add_observer(&wish->runtime->pump, wish->observer);
}

static void remove_observer(void *given)
{
    request *const wish = given;
    wish->status = uf_pump_remove_observer(&wish->runtime->pump, wish->observer);
}

uf_status uf_runtime_add_observer(uf_runtime *runtime, uf_observer *observer)
{
    request wish = {.observer = observer};
    if (!runtime || !observer) return UF_INVALID;
    return grant(runtime, add_observer, &wish);
}

uf_status uf_runtime_remove_observer(uf_runtime *runtime, uf_observer *observer)
{
    request wish = {.observer = observer};
    if (!runtime || !observer) return UF_INVALID;
    return grant(runtime, remove_observer, &wish);
}

/* -- the hook ------------------------------------------------------------------------------------------------------ */

void ufh_run_hook(void *given)
{
    uf_runtime *const runtime = given;

    if (!ufp_load(&runtime->hooked)) return;
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
    ufp_store(&runtime->hooked, hook != NULL);
    ufp_mutex_unlock(&runtime->mutex);
}
