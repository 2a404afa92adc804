/* SPDX-License-Identifier: MIT */
/* crashes.h - what tests of durable flows do with processes in virtual time: let time pass, and lose the memory. */
#ifndef CRASHES_H
#define CRASHES_H

#include "harness.h"

#include <string.h>

#include "uflow/store.h"
#include "uflow/uflow.h"

/* Lets time pass, up to a moment. */
static inline void pump_run_to(uf_pump *at, uf_time until)
{
    uf_time now = at->clock.real, sleep;

    while ((sleep = uf_pump_round(at, now)) <= until - now) now += sleep;
    if (now < until) (void)uf_pump_round(at, until);
}

/* Runs until the store has made so many commits; from then on it does not answer. Unless `early`, what does not wait
 * for it happens, too. */
static inline void pump_run_to_commit(uf_pump *at, uf_store *store, uint64_t commits, bool early)
{
    uf_time const end = at->clock.real + UF_S(5);

    assert_int_equal(uf_store_memory_stop(store, commits, NULL), UF_OK);
    while (uf_store_memory_commits(store) < commits && at->clock.real < end) pump_run_to(at, at->clock.real + UF_MS(5));
    if (!early) pump_run_to(at, at->clock.real + UF_S(1));
}

/* -- fields that are kept from outside, at each of these events ---------------------------------------------------- */

static const uf_flow_type *kept_outside; /* its steps change no fields */

static inline void keep_outside(const uf_pump *at, const uf_flow *over)
{
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(at, flow)) != NULL;) {
        if (flow->type != kept_outside) continue;
        uf_status const status = uf_flow_keep(flow);
        assert_true(status == UF_BUSY || (status == UF_OK && flow != over));
    }
}

static inline void keep_at_start(void *context, const uf_flow *flow)
{
    (void)flow;
    keep_outside(context, NULL);
}

static inline void keep_at_request(void *context, const uf_flow *by, const uf_flow *flow)
{
    (void)by, (void)flow;
    keep_outside(context, NULL);
}

static inline void keep_at_change(void *context, const uf_flow *flow, const uf_step_change *change)
{
    keep_outside(context, change->to[0] ? NULL : flow);
}

static inline void keep_at_wait(void *context, const uf_flow *flow, bool polls)
{
    (void)flow, (void)polls;
    keep_outside(context, NULL);
}

static inline void pump_keep_outside(uf_pump *at, uf_observer *keeper, const uf_flow_type *type)
{
    kept_outside = type;
    *keeper = (uf_observer){.context = at,
                            .flow_started = keep_at_start,
                            .run_requested = keep_at_request,
                            .step_changed = keep_at_change,
                            .wait_began = keep_at_wait};
    assert_int_equal(uf_pump_add_observer(at, keeper), UF_OK);
}

/* -- the end of a process ------------------------------------------------------------------------------------------ */

/* The memory of a process is gone. Returns: a store with what that of the process had committed. */
static inline uf_store *pump_crash(uf_pump *at, uf_store *store, const uf_store_config *config)
{
    uf_store *left;

    assert_int_equal(uf_store_memory_copy(&left, store, config), UF_OK);
    memset(at, 0, sizeof *at);
    assert_int_equal(uf_store_close(store), UF_OK);
    return left;
}

#endif
