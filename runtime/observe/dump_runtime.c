/* dump_runtime.c - a dump from any thread: a post does it, which is waited for no longer than was said. */
#include "uflow/dump.h"
#include "uflow/runtime.h"
#include "uflow/signal.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { QUEUED, BEGUN, LEFT };

/* If the thread that waits gives up before the post begins, it is the post's to free. */
typedef struct request {
    atomic_int state;
    uf_pump *pump;
    FILE *out;
    uf_signal done;
} request;

static bool take(request *wish, int as)
{
    int queued = QUEUED;
    return atomic_compare_exchange_strong(&wish->state, &queued, as);
}

static void write_it(void *argument)
{
    request *const wish = argument;

    if (!take(wish, BEGUN)) {
        free(wish);
        return;
    }
    (void)uf_pump_dump(wish->pump, wish->out);
    uf_signal_fire(&wish->done);
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

    request *const wish = calloc(1, sizeof *wish);
    if (!wish) return UF_NO_MEMORY;
    wish->pump = uf_runtime_pump(runtime);
    wish->out = out;
    uf_signal_init(&wish->done, NULL);
    uf_status status = uf_post_at(runtime, write_it, wish, NULL, 0, NULL);
    if (status != UF_OK) {
        free(wish);
        return status;
    }
    status = uf_signal_wait_since(&wish->done, 0, timeout);
    if (status != UF_OK && take(wish, LEFT)) {
        if (status == UF_TIMED_OUT) write_turn(runtime, out);
        return status;
    }
    /* It is being written: that takes no longer than writing does. */
    while (uf_signal_epoch(&wish->done) == 0) (void)uf_signal_wait_since(&wish->done, 0, UF_FOREVER);
    uf_signal_destroy(&wish->done);
    free(wish);
    return UF_OK;
}
