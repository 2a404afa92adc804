/* SPDX-License-Identifier: MIT */
/* signals_fixture.h - two pumps with flows that wait for one signal and stop at one checkpoint. */
#ifndef SIGNALS_FIXTURE_H
#define SIGNALS_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "../cases.h"

#include "uflow/console.h"
#include "uflow/generated.h"
#include "uflow/simulate.h"

#include "listener.h"

enum { FLOWS = 5 };

static uf_pump pump, second;
static uf_signal bell = UF_SIGNAL("bell");
static uf_checkpoint point = UF_CHECKPOINT("point");
static Listener flows[FLOWS];

static inline int setup(void **state)
{
    (void)state;
    uf_pump_init(&pump, NULL);
    uf_pump_init(&second, NULL);
    uf_signal_init(&bell, "bell");
    for (int i = 0; i < FLOWS; i++) {
        assert_int_equal(Listener_init(&flows[i], i == 4 ? &second : &pump, "listener", &bell, &point), UF_OK);
    }
    return 0;
}

/* At the end, no signal may refer to the flows. */
static inline void assert_unused(const uf_signal *signal)
{
    assert_int_equal((uint32_t)signal->word, 0);
    assert_null(signal->home);
    assert_null(signal->waiters);
    assert_null(signal->callbacks);
    assert_null(signal->fired.next);
    assert_int_equal(signal->others, 0);
    assert_int_equal(signal->firing & INT32_MAX, 0); /* except for the bit that it was destroyed */
}

static inline int teardown(void **state)
{
    (void)state;
    uf_pump_cancel_all(&pump);
    uf_pump_cancel_all(&second);
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1000)), UF_OK);
    assert_int_equal(uf_simulate_until_idle(&second, UF_S(1000)), UF_OK);
    for (int i = 0; i < FLOWS; i++) {
        assert_int_equal(flows[i].enters, flows[i].exits);
        assert_unused(&flows[i].alarm);
        assert_unused(&flows[i].stop);
        assert_int_equal(Listener_destroy(&flows[i]), UF_OK);
    }
    if (!(bell.firing >> 31)) assert_unused(&bell);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_int_equal(uf_pump_destroy(&second), UF_OK);
    return 0;
}

#define TEST(name) CASE_WITH(name, setup, teardown)

/* Runs rounds of both pumps until neither has work. */
static inline void settle(void)
{
    for (int i = 0; i < 20; i++) {
        uf_pump_round(&pump, uf_pump_now(&pump));
        uf_pump_round(&second, uf_pump_now(&second));
    }
}

static inline void listen_all(int times)
{
    for (int i = 0; i < FLOWS; i++) assert_int_equal(Listener_start_Listen(&flows[i], times, UF_FOREVER), UF_OK);
    settle();
}

#endif
