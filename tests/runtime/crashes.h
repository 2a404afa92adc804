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
