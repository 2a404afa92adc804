/* SPDX-License-Identifier: MIT */
/* test_base.c - version, texts and durations. */
#include "unit.h"

#include <string.h>

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

CASE(test_A15_version_macros_equal_the_runtime_string)
{
    assert_string_equal(uf_version(), UF_VERSION);
    assert_string_equal(uf_version(), TEXT(UF_VERSION_MAJOR) "." TEXT(UF_VERSION_MINOR) "." TEXT(UF_VERSION_PATCH));
}

CASE(test_every_status_and_outcome_has_a_text)
{
    for (int s = UF_OK; s <= UF_ABI_MISMATCH; s++) {
        assert_string_not_equal(uf_status_text((uf_status)s), "unknown status");
        for (int t = UF_OK; t < s; t++)
            assert_string_not_equal(uf_status_text((uf_status)s), uf_status_text((uf_status)t));
    }
    for (int o = UF_NEVER_RAN; o <= UF_BECAME; o++)
        assert_string_not_equal(uf_outcome_text((uf_outcome)o), "unknown outcome");
    for (int k = UF_KEEPING_KEPT; k <= UF_KEEPING_FAILED; k++)
        assert_string_not_equal(uf_keeping_text((uf_keeping)k), "unknown");
    assert_string_equal(uf_keeping_text(UF_KEEPING_NOTHING), "");
    assert_string_equal(uf_keeping_text((uf_keeping)99), "unknown");
    assert_string_equal(uf_status_text((uf_status)99), "unknown status");
    assert_string_equal(uf_outcome_text((uf_outcome)99), "unknown outcome");
    assert_string_equal(uf_status_text(UF_BUSY), "busy");
    assert_string_equal(uf_status_text(UF_OTHER_PUMP), "other pump");
}

CASE(test_sums_saturate)
{
    assert_int_equal(uf_time_add(INT64_MAX, 1), UF_FOREVER);
    assert_int_equal(uf_time_add(1, INT64_MAX), UF_FOREVER);
    assert_int_equal(uf_time_add(INT64_MIN, -1), INT64_MIN);
    assert_int_equal(uf_time_add(INT64_MAX, INT64_MIN), -1);
    assert_int_equal(uf_time_add(2, 3), 5);
    assert_int_equal(ufi_time_sub(INT64_MAX, -1), UF_FOREVER);
    assert_int_equal(ufi_time_sub(0, INT64_MIN), UF_FOREVER);
    assert_int_equal(ufi_time_sub(INT64_MIN, 1), INT64_MIN);
    assert_int_equal(ufi_time_sub(-1, INT64_MAX), INT64_MIN);
    assert_int_equal(ufi_time_sub(5, 7), -2);
}

CASE(test_integer_durations_saturate)
{
    assert_int_equal(uf_duration(1500, UF_MS(1)), UF_MS(1500));
    assert_int_equal(uf_duration(-3, UF_S(1)), -UF_S(3));
    assert_int_equal(uf_duration(0, UF_S(3600)), 0);
    assert_int_equal(uf_duration(INT64_MAX, UF_MS(1)), UF_FOREVER);
    assert_int_equal(uf_duration(INT64_MIN, UF_MS(1)), INT64_MIN);
    assert_int_equal(uf_duration(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(uf_duration(INT64_MIN, 1), INT64_MIN);
    assert_int_equal(uf_duration(INT64_MAX / UF_S(1), UF_S(1)), INT64_MAX / UF_S(1) * UF_S(1));
    assert_int_equal(uf_duration(INT64_MAX / UF_S(1) + 1, UF_S(1)), UF_FOREVER);
    assert_int_equal(uf_duration(5, 0), 0);
    assert_int_equal(uf_duration_unsigned(3, UF_S(1)), UF_S(3));
    assert_int_equal(uf_duration_unsigned(UINT64_MAX, 1), UF_FOREVER);
    assert_int_equal(uf_duration_unsigned(UINT64_C(1) << 63, UF_S(1)), UF_FOREVER);
}

CASE(test_real_durations_round_and_saturate)
{
    double const infinite = 1e308 * 10;
    assert_int_equal(uf_duration_real(1.5, UF_S(1)), UF_MS(1500));
    assert_int_equal(uf_duration_real(0.1, UF_MS(1)), UF_US(100));
    assert_int_equal(uf_duration_real(0.0003, UF_S(1)), UF_US(300));
    assert_int_equal(uf_duration_real(-0.0003, UF_S(1)), -UF_US(300));
    assert_int_equal(uf_duration_real(0.4e-9, UF_S(1)), 0);
    assert_int_equal(uf_duration_real(1e300, UF_S(1)), UF_FOREVER);
    assert_int_equal(uf_duration_real(-1e300, UF_S(1)), INT64_MIN);
    assert_int_equal(uf_duration_real(infinite, 1), UF_FOREVER);
    assert_int_equal(uf_duration_real(-infinite, 1), INT64_MIN);
    assert_int_equal(uf_duration_real(infinite - infinite, UF_S(1)), 0);
    assert_int_equal(uf_duration_real(9223372036854774784.0, 1), INT64_C(9223372036854774784));
    assert_int_equal(uf_duration_real(-9223372036854774784.0, 1), -INT64_C(9223372036854774784));
    assert_int_equal(uf_duration_real(9223372036854775808.0, 1), UF_FOREVER);
}

CASE(test_a_duration_takes_a_count_of_any_type)
{
    signed char const small = -2;
    unsigned const plain = 4000000000u;
    size_t const size = SIZE_MAX;
    float const half = 0.5f;
    assert_int_equal(UF_DURATION(small, UF_MS(1)), -UF_MS(2));
    assert_int_equal(UF_DURATION(plain, UF_S(1)), UF_S(4000000000));
    assert_int_equal(UF_DURATION(size, UF_S(1)), UF_FOREVER);
    assert_int_equal(UF_DURATION(half, UF_S(1)), UF_MS(500));
    assert_int_equal(UF_DURATION(1.5 + 1, UF_S(1)), UF_MS(2500));
    assert_int_equal(UF_DURATION(true, UF_S(1)), UF_S(1));
}
