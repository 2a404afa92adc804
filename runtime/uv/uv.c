/* SPDX-License-Identifier: MIT */
/* uv.c - the adapter of uv.h. Before the loop waits, it sets its timer to the next deadline of the runtime. */
#include "uflow/uv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No poll is under way here, because uv_run() must not be called within itself. */
static void abort_if_step_was_left(const uf_runtime *runtime)
{
    uf_turn turn = {.flow = "none"};

    if (!uf_runtime_is_own_thread(runtime)) return;
    (void)uf_runtime_turn(runtime, &turn);
    fprintf(stderr, "uflow: flow '%s' failed: %s\n", turn.flow,
            "uv_run() was called in its step, or the step was left by an exception or longjmp()");
    abort();
}

/* The only status that a poll refuses with here is UF_DEADLOCK. */
static void poll_runtime(uf_runtime *runtime)
{
    abort_if_step_was_left(runtime);
    (void)uf_runtime_poll(runtime);
}

/* After an error libuv no longer watches the descriptor, so nothing would wake the flows. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
    uf_uv *const adapter = poll->data;
    (void)events;
    if (status < 0) {
        fprintf(stderr,
                "uflow: libuv cannot watch the descriptor of a runtime: %s. Close only descriptors that the "
                "program has opened.\n",
                uv_strerror(status));
        abort();
    }
    poll_runtime(adapter->runtime);
}

static void on_timer(uv_timer_t *timer)
{
    uf_uv *const adapter = timer->data;
    poll_runtime(adapter->runtime);
}

static void on_prepare(uv_prepare_t *prepare)
{
    uf_uv *const adapter = prepare->data;
    abort_if_step_was_left(adapter->runtime);
    int const timeout = uf_runtime_poll_timeout(adapter->runtime);

    uv_timer_stop(&adapter->timer);
    if (timeout < 0) return;
    uv_update_time(prepare->loop);
    uv_timer_start(&adapter->timer, on_timer, (uint64_t)timeout, 0);
}

static void on_close(uv_handle_t *handle)
{
    uf_uv *const adapter = handle->data;
    if (--adapter->open == 0 && adapter->closed) adapter->closed(adapter);
}

static void compare(uv_handle_t *handle, void *argument)
{
    uv_handle_t **const sought = argument;
    if (handle == *sought) *sought = NULL;
}

/* Reads nothing of the adapter, which need not be initialised. */
static bool is_in_loop(uf_uv *adapter, uv_loop_t *loop)
{
    uv_handle_t *sought = (uv_handle_t *)&adapter->poll;
    uv_walk(loop, compare, &sought);
    return !sought;
}

int uf_uv_attach(uf_uv *adapter, uv_loop_t *loop, uf_runtime *runtime)
{
    int const fd = uf_runtime_fd(runtime);
    if (!adapter || !loop || fd < 0) return UV_EINVAL;
    if (is_in_loop(adapter, loop)) return UV_EBUSY;

    memset(adapter, 0, sizeof *adapter);
    int const error = uv_poll_init(loop, &adapter->poll, fd);
    if (error) return error;
    adapter->runtime = runtime;
    uv_timer_init(loop, &adapter->timer); /* this and the next call cannot fail */
    uv_prepare_init(loop, &adapter->prepare);
    adapter->poll.data = adapter->timer.data = adapter->prepare.data = adapter;
    adapter->open = 3;
    uv_poll_start(&adapter->poll, UV_READABLE, on_poll);
    uv_prepare_start(&adapter->prepare, on_prepare);
    return 0;
}

void uf_uv_detach(uf_uv *adapter, void (*closed)(uf_uv *adapter))
{
    if (!adapter || !adapter->runtime) return;
    adapter->runtime = NULL;
    adapter->closed = closed;
    uv_close((uv_handle_t *)&adapter->poll, on_close);
    uv_close((uv_handle_t *)&adapter->timer, on_close);
    uv_close((uv_handle_t *)&adapter->prepare, on_close);
}
