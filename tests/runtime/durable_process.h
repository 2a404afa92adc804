/* SPDX-License-Identifier: MIT */
/* durable_process.h - what tests of durable flows have in common: a world that outlives processes, and processes that
 * crash, in virtual time. */
#ifndef DURABLE_PROCESS_H
#define DURABLE_PROCESS_H

#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "crashes.h"
#include "durable.h"

/* -- the world outlives processes ---------------------------------------------------------------------------------- */

static uint32_t last_run, last_ordinal;                 /* of the latest body */
static unsigned bodies, entries, ends, exits, restores; /* an entry is a body that coverage counts as one */
static bool is_logged, has_many;
static char last_token[UF_TOKEN_SIZE];

void world_note(uf_flow *flow, const char *what, int number)
{
    (void)flow;
    if (strcmp(what, "exit") == 0) exits++;
    if (strcmp(what, "end") == 0) ends++;
    if (strcmp(what, "restore") == 0) restores++;
    if (is_logged) log_note("%s:%d", what, number);
}

/* No body runs after a later one of its run had begun. */
void world_body(uf_flow *flow)
{
    uint32_t const run = uf_flow_this_run(flow).number, ordinal = (uint32_t)uf_flow_ordinal(flow);
    char token[UF_TOKEN_SIZE];

    bodies++;
    entries += flow->ticks == 0;
    if (has_many) return;
    assert_int_equal(uf_flow_token(flow, token), UF_OK);
    assert_true(run >= last_run);
    if (run == last_run && bodies > 1) {
        assert_true(ordinal >= last_ordinal);
        assert_int_equal(strcmp(token, last_token) == 0, ordinal == last_ordinal);
    }
    memcpy(last_token, token, sizeof token);
    last_run = run;
    last_ordinal = ordinal;
    if (is_logged) log_note("%s", uf_flow_step(flow));
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

typedef struct process {
    uf_pump pump;
    Batch batch, other;
    uf_store *store;
} process;

static inline process *open_process(uf_store *store)
{
    process *const p = calloc(1, sizeof *p);

    assert_non_null(p);
    p->store = store;
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    if (store) assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Batch_init(&p->batch, &p->pump, "batch-7", 7), UF_OK);
    return p;
}

static inline process *first_process(const uf_store_config *config)
{
    uf_store *store;
    uf_restore_report report;

    last_run = last_ordinal = bodies = entries = ends = exits = restores = 0;
    assert_int_equal(uf_store_memory_open(&store, config), UF_OK);
    process *const p = open_process(store);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_BUSY); /* nothing was restored yet */
    assert_int_equal(uf_store_restore(store, &report), UF_OK);
    return p;
}

/* Lets time pass, up to a moment. */
static inline void run_to(process *p, uf_time until)
{
    pump_run_to(&p->pump, until);
}

/* The memory is gone; what the store had committed is there. */
static inline uf_store *crash(process *p, const uf_store_config *config)
{
    uf_store *const store = pump_crash(&p->pump, p->store, config);

    free(p);
    return store;
}

static inline process *restart(process *p, const uf_store_config *config)
{
    uf_restore_report report;
    process *const next = open_process(crash(p, config));
    uf_status const status = uf_store_restore(next->store, &report);

    if (status != UF_OK) fail_msg("%s", report.text);
    assert_int_equal(uf_store_release(next->store, NULL), UF_OK);
    return next;
}

static inline void close_process(process *p)
{
    uf_pump_cancel_all(&p->pump);
    run_to(p, p->pump.clock.real + UF_S(60));
    assert_int_equal(Batch_destroy(&p->batch), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    if (p->store) assert_int_equal(uf_store_close(p->store), UF_OK);
    free(p);
}

static inline recipe of_order_7(void)
{
    return (recipe){.portions = {{10, COARSE, "flour"}, {20, FINE, "salt"}, {70, COARSE, "water"}}, .factor = 1.5};
}

static inline void start(process *p)
{
    assert_int_equal(Batch_start_Dose(&p->batch, of_order_7(), uf_text_of("order 7")), UF_OK);
}

#endif
