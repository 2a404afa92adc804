/* SPDX-License-Identifier: MIT */
/* pending.c - what a `become` does with a fire that no handler has taken. It stays pending if both tasks handle
 * the signal, themselves or by a group around them or by the flow. Otherwise it counts from the `become`. */
#include "harness.h"

#include <string.h>

#include "log.h"
#include "pending.h"

/* The bits of a flow's number, as pending.py has them. */
enum { AGAIN = 1, BY_ARM = 2, REST = 4, WORK = 8, FLOW = 16, INNER = 32, OUTER = 64 };
enum { AROUND_WORK = FLOW | OUTER | INNER | WORK, AROUND_REST = FLOW | OUTER | REST };

static bool is_taken(unsigned places, moment when)
{
    bool const before = places & AROUND_WORK, after = places & (places & AGAIN ? AROUND_WORK : AROUND_REST);
    return after && (before || when >= AT_ENTRY);
}

/* An arm decides after the handlers: a fire before its turn is taken at once. */
static bool decides_first(unsigned places, moment when)
{
    return when == BEFORE && places & BY_ARM && places & AROUND_WORK;
}

#define TRY_FLOW(number)                                                                                               \
    static void try_##number(moment when)                                                                              \
    {                                                                                                                  \
        static Flow##number flow;                                                                                      \
        bool const taken = is_taken(number, when) || decides_first(number, when);                                      \
        log_clear();                                                                                                   \
        assert_int_equal(Flow##number##_init(&flow, &pump, "flow"), UF_OK);                                            \
        flow.when = when;                                                                                              \
        assert_int_equal(Flow##number##_start_Work(&flow), UF_OK);                                                     \
        rounds(3);                                                                                                     \
        (void)uf_signal_fire(&flow.pause);                                                                             \
        if (when == BEFORE) (void)uf_signal_fire(&flow.abort);                                                         \
        rounds(3);                                                                                                     \
        if (when == AFTER) (void)uf_signal_fire(&flow.abort);                                                          \
        rounds(3);                                                                                                     \
        if (strcmp(log_text(), taken ? "drain" : "") != 0) fail_msg("flow %d, moment %d", number, (int)when);          \
        uf_pump_cancel_all(&pump);                                                                                     \
        rounds(2);                                                                                                     \
        assert_int_equal(Flow##number##_destroy(&flow), UF_OK);                                                        \
    }
ALL_FLOWS(TRY_FLOW)

CASE_WITH(a_fire_outlives_a_become, begin, NULL)
{
#define NAME_OF(number) try_##number,
    void (*const tries[])(moment when) = {ALL_FLOWS(NAME_OF)};
    for (unsigned i = 0; i < sizeof tries / sizeof *tries; i++) {
        for (int when = 0; when < MOMENTS; when++) tries[i]((moment)when);
    }
}
