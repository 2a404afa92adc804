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
