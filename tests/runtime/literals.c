/* SPDX-License-Identifier: MIT */
/* literals.c - literals of durations in C. */
#include "harness.h"

#include "literals.h"

static Literals flow;

TEST(values)
{
    static const uf_time expected[] = {1,
                                       1000,
                                       1000000,
                                       1000000000,
                                       INT64_C(60000000000),
                                       INT64_C(3600000000000),
                                       1500000000,
                                       250000,
                                       1000000,
                                       10000000,
                                       0,
                                       INT64_C(2562047) * INT64_C(3600000000000),
                                       -3000000,
                                       6000000,
                                       INT64_C(59999999999),
                                       1,
                                       INT64_C(5400000000000)};
    assert_int_equal(Literals_init(&flow, &pump, "literals"), UF_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) assert_true(flow.fields[i] == expected[i]);
    assert_int_equal(sizeof flow.sized, 40);
    assert_int_equal(pthread_mutex_lock(&flow.lock), 0);
    assert_int_equal(pthread_mutex_unlock(&flow.lock), 0);
}

TEST(in_bodies)
{
    static const struct {
        uf_time t, took;
    } cases[] = {{UF_MS(40), UF_MS(43)}, {UF_MS(41), UF_S(1) + UF_MS(45)}, {UF_MS(42), 40}};
    assert_int_equal(Literals_init(&flow, &pump, "literals"), UF_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uf_time took = 0;
        assert_int_equal(Literals_start_Wait(&flow, cases[i].t), UF_OK);
        run_until_idle();
        assert_true(Literals_result_Wait(&flow, &took));
        assert_int_equal(took, cases[i].took);
    }
}
