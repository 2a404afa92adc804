/* SPDX-License-Identifier: MIT */
/* dump_runtime.c - a dump from any thread. A post writes it; the caller waits for the post until its timeout. */
#include "uflow/dump.h"
#include "uflow/runtime.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { QUEUED, BEGUN, ABANDONED };

/* The waiting thread and the post decide by one compare-and-exchange of `state` which comes first. If the thread
 * gives up before the post begins, the post frees the request; otherwise the thread does. */
typedef struct request {
    atomic_int state;
    uf_pump *pump;
    FILE *out;
    uf_signal done;
} request;

static bool leave_queue(request *r, int next)
{
    int queued = QUEUED;
    return atomic_compare_exchange_strong(&r->state, &queued, next);
}

static void write_dump(void *argument)
{
    request *const r = argument;

    if (!leave_queue(r, BEGUN)) {
        free(r);
        return;
    }
    (void)uf_pump_dump(r->pump, r->out);
    uf_signal_fire(&r->done);
}

static void write_turn(const uf_runtime *runtime, FILE *out)
{
    uf_turn turn;

    if (!uf_runtime_turn(runtime, &turn)) fputs("no round has come, and no step is under way\n", out);
    else fprintf(out, "%s  %s.%s:%" PRIu32 "  has not returned\n", turn.flow, turn.task, turn.step, turn.line);
}

uf_status uf_runtime_dump(uf_runtime *runtime, uf_time timeout, FILE *out)
{
    if (!runtime || !out) return UF_INVALID;
    if (uf_runtime_is_own_thread(runtime)) return uf_pump_dump(uf_runtime_pump(runtime), out);

    request *const r = calloc(1, sizeof *r);
    if (!r) return UF_NO_MEMORY;
    r->pump = uf_runtime_pump(runtime);
    r->out = out;
    uf_signal_init(&r->done, NULL);
    uf_status status = uf_post_at(runtime, write_dump, r, NULL, 0, NULL);
    if (status != UF_OK) {
        free(r);
        return status;
    }
    status = uf_signal_wait_since(&r->done, 0, timeout);
    if (status != UF_OK && leave_queue(r, ABANDONED)) {
        if (status == UF_TIMED_OUT) write_turn(runtime, out);
        return status;
    }
    /* The post has begun, so it ends as soon as the text is written. */
    while (uf_signal_epoch(&r->done) == 0) (void)uf_signal_wait_since(&r->done, 0, UF_FOREVER);
    uf_signal_destroy(&r->done);
    free(r);
    return UF_OK;
}
