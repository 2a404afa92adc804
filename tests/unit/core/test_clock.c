/* SPDX-License-Identifier: MIT */
/* test_clock.c - the clock is exact at every scale. */
#include "unit.h"

CASE(test_E1_starts_at_real_time_one_to_one)
{
    uf_clock clock;
    uf_clock_init(&clock, UF_S(5));
    assert_int_equal(uf_clock_now(&clock), UF_S(5));
    assert_int_equal(uf_clock_advance(&clock, UF_S(7)), UF_S(7));
    assert_int_equal(uf_clock_now(&clock), UF_S(7));
    assert_true(uf_clock_scale(&clock) == 1.0);
}

CASE(test_E1_now_is_monotone)
{
    uf_clock clock;
    uint64_t seed = 11;
    uf_time real = 0, before = 0;
    uf_clock_init(&clock, 0);
    for (int i = 0; i < 20000; i++) {
        real += (uf_time)(unit_random(&seed) % 1000) - 200; /* also backwards, which changes nothing */
        switch (unit_random(&seed) % 4) {
        case 0: assert_int_equal(uf_clock_set_scale(&clock, (double)(unit_random(&seed) % 300) / 100.0), UF_OK); break;
        case 1: uf_clock_freeze(&clock); break;
        case 2: uf_clock_resume(&clock); break;
        default: break;
        }
        uf_time const now = uf_clock_advance(&clock, real);
        assert_true(now >= before);
        before = now;
    }
}

CASE(test_E2_scale_is_continuous)
{
    uf_clock clock;
    uf_clock_init(&clock, 0);
    uf_clock_advance(&clock, 100);
    assert_int_equal(uf_clock_set_scale(&clock, 10.0), UF_OK);
    assert_int_equal(uf_clock_now(&clock), 100);
    assert_int_equal(uf_clock_advance(&clock, 101), 110);
    assert_int_equal(uf_clock_set_scale(&clock, 0.5), UF_OK);
    assert_int_equal(uf_clock_now(&clock), 110);
    assert_int_equal(uf_clock_advance(&clock, 102), 110);
    assert_int_equal(uf_clock_advance(&clock, 103), 111);
    assert_int_equal(uf_clock_set_scale(&clock, 0), UF_OK);
    assert_false(uf_clock_frozen(&clock));
    assert_int_equal(uf_clock_advance(&clock, UF_S(9)), 111);
}

CASE(test_E2_bad_scales_are_refused)
{
    uf_clock clock;
    double const nan = 0.0 * (1e308 * 10);
    uf_clock_init(&clock, 0);
    assert_int_equal(uf_clock_set_scale(&clock, 2.0), UF_OK);
    assert_int_equal(uf_clock_set_scale(&clock, -1.0), UF_INVALID);
    assert_int_equal(uf_clock_set_scale(&clock, -1e-300), UF_INVALID);
    assert_int_equal(uf_clock_set_scale(&clock, nan), UF_INVALID);
    for (double scale = 1e-10; scale > 0; scale /= 10) assert_int_equal(uf_clock_set_scale(&clock, scale), UF_INVALID);
    assert_int_equal(uf_clock_set_scale(&clock, 2147483649.0), UF_INVALID);
    assert_int_equal(uf_clock_set_scale(&clock, 1e308 * 10), UF_INVALID);
    assert_int_equal(uf_clock_set_scale_fixed(&clock, (UINT64_C(1) << 63) + 1), UF_INVALID);
    assert_true(uf_clock_scale(&clock) == 2.0);
    assert_int_equal(uf_clock_set_scale(&clock, 2147483648.0), UF_OK);
    assert_true(uf_clock_scale(&clock) == 2147483648.0);
    assert_int_equal(uf_clock_set_scale(&clock, -0.0), UF_OK);
}

CASE(test_E3_freeze_and_resume_are_flags)
{
    uf_clock clock;
    uf_clock_init(&clock, 0);
    uf_clock_resume(&clock); /* was not frozen: no effect */
    uf_clock_freeze(&clock);
    uf_clock_freeze(&clock);
    assert_true(uf_clock_frozen(&clock));
    assert_int_equal(uf_clock_advance(&clock, UF_S(1)), 0);   /* 1 s frozen adds nothing */
    assert_int_equal(uf_clock_set_scale(&clock, 3.0), UF_OK); /* stored */
    uf_clock_resume(&clock);
    assert_false(uf_clock_frozen(&clock));
    assert_int_equal(uf_clock_now(&clock), 0);
    assert_int_equal(uf_clock_advance(&clock, UF_S(1) + 5), 15);
}

/* If each change of scale dropped a fraction of a nanosecond, the error would grow to seconds. */
CASE(test_no_drift_from_many_rebases)
{
    uf_clock clock;
    uf_clock_init(&clock, 0);
    for (int i = 1; i <= 200000; i++) {
        assert_int_equal(uf_clock_set_scale(&clock, i % 2 ? 0.25 : 0.75), UF_OK);
        uf_clock_advance(&clock, i);
        uf_clock_freeze(&clock);
        uf_clock_resume(&clock);
    }
    assert_int_equal(uf_clock_now(&clock), 100000);
}

CASE(test_steps_add_up_to_one_leap)
{
    static const double scales[] = {0.1, 1.0 / 3, 0.999, 1.0, 1.7, 10.0, 12345.678, 2e9};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        uf_clock small, leap;
        uint64_t seed = 77;
        uf_time real = 0;
        uf_clock_init(&small, 0);
        uf_clock_init(&leap, 0);
        assert_int_equal(uf_clock_set_scale(&small, scales[s]), UF_OK);
        assert_int_equal(uf_clock_set_scale(&leap, scales[s]), UF_OK);
        for (int i = 0; i < 1000; i++) {
            real += (uf_time)(unit_random(&seed) % 100000);
            uf_clock_advance(&small, real);
        }
        assert_int_equal(uf_clock_now(&small), uf_clock_advance(&leap, real));
    }
}

CASE(test_real_until_is_the_first_moment)
{
    static const double scales[] = {1e-3, 0.1, 0.5, 1.0, 3.0, 1e6, 2147483648.0};
    static const uf_time ways[] = {1, 2, 999, 1000, UF_MS(1) + 1, UF_S(3600), UF_S(86400) * 100};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            uf_clock clock, early;
            uf_clock_init(&clock, 12345);
            assert_int_equal(uf_clock_set_scale(&clock, scales[s]), UF_OK);
            uf_clock_advance(&clock, 12345 + 777);
            early = clock;
            uf_time const deadline = uf_clock_now(&clock) + ways[w];
            uf_time const real = uf_clock_real_until(&clock, deadline);
            assert_true(real > 0);
            assert_true(uf_clock_advance(&early, clock.real + real - 1) < deadline);
            assert_true(uf_clock_advance(&clock, clock.real + real) >= deadline);
        }
    }
}

CASE(test_real_until_at_the_edges)
{
    uf_clock clock;
    uf_clock_init(&clock, 100);
    assert_int_equal(uf_clock_real_until(&clock, 100), 0);
    assert_int_equal(uf_clock_real_until(&clock, INT64_MIN), 0);
    assert_int_equal(uf_clock_real_until(&clock, UF_FOREVER), UF_FOREVER);
    assert_int_equal(uf_clock_real_until(&clock, UF_FOREVER - 1), UF_FOREVER - 101);
    uf_clock_freeze(&clock);
    assert_int_equal(uf_clock_real_until(&clock, 101), UF_FOREVER);
    assert_int_equal(uf_clock_real_until(&clock, 99), 0);
    uf_clock_resume(&clock);
    assert_int_equal(uf_clock_set_scale(&clock, 0), UF_OK);
    assert_int_equal(uf_clock_real_until(&clock, 101), UF_FOREVER);
    assert_int_equal(uf_clock_set_scale_fixed(&clock, 1), UF_OK);
    assert_int_equal(uf_clock_real_until(&clock, 101), INT64_C(1) << 32);
    assert_int_equal(uf_clock_real_until(&clock, UF_FOREVER - 1), UF_FOREVER);
}

CASE(test_time_saturates)
{
    uf_clock clock;
    uf_clock_init(&clock, INT64_MIN);
    assert_int_equal(uf_clock_advance(&clock, INT64_MAX), INT64_MAX); /* the whole scale in one step */
    uf_clock_init(&clock, 0);
    assert_int_equal(uf_clock_set_scale(&clock, 2147483648.0), UF_OK);
    assert_int_equal(uf_clock_advance(&clock, INT64_MAX / 2), INT64_MAX);
    assert_int_equal(uf_clock_advance(&clock, INT64_MAX), INT64_MAX);
}

CASE(test_move_to_is_exact_and_keeps_what_it_overshot)
{
    uf_clock clock, plain;
    uf_clock_init(&clock, 0);
    assert_int_equal(uf_clock_set_scale(&clock, 1000.0), UF_OK);
    assert_true(ufi_clock_move_to(&clock, 1500)); /* takes 2 ns, which are 2000 */
    assert_int_equal(clock.logical, 1500);
    assert_int_equal(clock.real, 2);
    assert_true(ufi_clock_move_to(&clock, 1900)); /* no real time passes */
    assert_int_equal(clock.real, 2);
    assert_int_equal(uf_clock_advance(&clock, 3), 3000);
    uf_clock_init(&plain, 0);
    assert_int_equal(uf_clock_set_scale(&plain, 1000.0), UF_OK);
    assert_int_equal(uf_clock_advance(&plain, 3), uf_clock_now(&clock));

    uf_clock_freeze(&clock);
    assert_false(ufi_clock_move_to(&clock, 4000));
    assert_true(ufi_clock_move_to(&clock, 3000));
}
