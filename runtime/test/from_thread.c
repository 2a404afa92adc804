/* SPDX-License-Identifier: MIT */
/* from_thread.c - the pump of a test, as another thread sees it.
 *
 * While the block runs, the pump has a host and belongs to another thread. The host has no thread that could wait: what
 * would wait for the pump is refused. */
#include "from_thread.h"

#include "flows/inbox.h"

#include "uflow/flow.h"
#include "uflow/priv/pump.h"

/* Cancels of a run that have not been delivered. */
#define MOST_CANCELS 16

typedef struct uft_cancel {
    uf_message message; /* first */
    uf_run run;         /* `flow` NULL: it is free */
} uft_cancel;

static struct {
    uft_cancel cancels[MOST_CANCELS];
    uf_time real;
} threads;

void uft_threads_begin(void)
{
    for (unsigned i = 0; i < MOST_CANCELS; i++) threads.cancels[i].run.flow = NULL;
}

/* -- the host ------------------------------------------------------------------------------------------------------ */

static void deliver_cancel(uf_pump *pump, uf_message *message)
{
    uft_cancel *const cancel = (uft_cancel *)(void *)message;
    uf_run const run = cancel->run;

    (void)pump;
    cancel->run.flow = NULL;
    (void)uf_run_cancel(run);
}

static uf_status cancel_later(uf_run run)
{
    unsigned at = 0;

    while (at < MOST_CANCELS && threads.cancels[at].run.flow) at++;
    if (at == MOST_CANCELS) return UF_NO_MEMORY;
    threads.cancels[at] = (uft_cancel){{.deliver = deliver_cancel}, run};
    ufi_inbox_push(run.flow->pump, &threads.cancels[at].message);
    return UF_OK;
}

static void need_not(uf_pump *pump)
{
    (void)pump; /* a round follows, and nobody waits */
}

static uf_status refuse_detach(uf_flow *flow)
{
    (void)flow;
    return UF_UNSUPPORTED;
}

static uf_status refuse_call(const uf_call *call)
{
    (void)call;
    return UF_UNSUPPORTED;
}

static uf_time now(const uf_pump *pump)
{
    return pump->clock.logical;
}

static uf_time real_now(void)
{
    return threads.real;
}

static uf_clock *take_clock(uf_pump *pump)
{
    return &pump->clock;
}

static void give_clock(uf_pump *pump, bool changed)
{
    (void)pump;
    (void)changed;
}

static bool process_none(void)
{
    return false;
}

static const struct ufi_host elsewhere = {
    .wake = need_not,
    .review = need_not,
    .left = need_not,
    .cancel = cancel_later,
    .detach = refuse_detach,
    .call = refuse_call,
    .now = now,
    .real = real_now,
    .take_clock = take_clock,
    .give_clock = give_clock,
    .process_own_fired = process_none,
};

void uft_from_thread(uf_pump *pump, bool (*call)(uint32_t argument), uint32_t argument)
{
    void *const thread = ufp_load_pointer(&pump->thread);

    threads.real = pump->clock.real;
    if (UFI_HAS_HOST) pump->host = &elsewhere;
    ufp_store_pointer(&pump->thread, &threads);
    (void)call(argument);
    ufp_store_pointer(&pump->thread, thread);
    if (UFI_HAS_HOST) pump->host = NULL;
}

bool uft_has_request(const uf_pump *pump)
{
    return ufp_load(&pump->requests) > 0;
}
