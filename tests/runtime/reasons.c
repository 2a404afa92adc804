/* SPDX-License-Identifier: MIT */
/* reasons.c - `reason` of a run is valid until the next start of that run's flow. Other failures of the waiting flow do
 * not change it. */
#include "harness.h"

#include <stdio.h>

#include "uflow/pool.h"
#include "uflow/simulate.h"

#include "reasons.h"

static const char *const texts[CAUSES][2] = {
    {"code 1", "code 11"},
    {"code 2", "code 12"},
    {"ended in Elsewhere", "ended in Elsewhere"},
    {"cancelled", "cancelled"},
    {"busy", "busy"},
    {"code 3", "code 13"},
    {"", "broken"},
    {"", "Bad file descriptor"},
};

CASE(a_reason_outlives_other_failures)
{
    static Machine machine;
    char expected[100];

    assert_int_equal(uf_pump_init(&pump, &(uf_pump_config){.pool = uf_pool_inline()}), UF_OK);
    assert_int_equal(Machine_init(&machine, &pump, "machine"), UF_OK);
    assert_int_equal(Part_start_Hold(&machine.busy), UF_OK);
    for (int one = 0; one < OF_RUNS; one++) {
        for (int other = 0; other < CAUSES; other++) {
            log_clear();
            assert_int_equal(Machine_start_Run(&machine, (cause)one, (cause)other), UF_OK);
            assert_int_equal(uf_simulate_until(&pump, uf_pump_now(&pump) + UF_MS(1)), UF_OK);
            snprintf(expected, sizeof expected, "[%s] [%s]", texts[one][0], texts[other][1]);
            assert_log(expected);
            assert_int_equal(uf_flow_outcome(&machine.uf), UF_DONE);
        }
    }
    uf_pump_cancel_all(&pump);
    rounds(1);
    assert_int_equal(Machine_destroy(&machine), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}
