/* SPDX-License-Identifier: MIT */
/* test_base.c - version, texts and durations. */
#include "unit.h"

#include <string.h>

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

static void test_A15_version_macros_equal_the_runtime_string(void **state)
{
    (void)state;
    assert_string_equal(uf_version(), UF_VERSION);
    assert_string_equal(uf_version(), TEXT(UF_VERSION_MAJOR) "." TEXT(UF_VERSION_MINOR) "." TEXT(UF_VERSION_PATCH));
}

static void test_every_status_and_outcome_has_a_text(void **state)
{
    (void)state;
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

static void test_sums_saturate(void **state)
{
    (void)state;
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

static void test_integer_durations_saturate(void **state)
{
    (void)state;
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

static void test_real_durations_round_and_saturate(void **state)
{
    double const infinite = 1e308 * 10;
    (void)state;
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

static void test_a_duration_takes_a_count_of_any_type(void **state)
{
    signed char const small = -2;
    unsigned const plain = 4000000000u;
    size_t const size = SIZE_MAX;
    float const half = 0.5f;
    (void)state;
    assert_int_equal(UF_DURATION(small, UF_MS(1)), -UF_MS(2));
    assert_int_equal(UF_DURATION(plain, UF_S(1)), UF_S(4000000000));
    assert_int_equal(UF_DURATION(size, UF_S(1)), UF_FOREVER);
    assert_int_equal(UF_DURATION(half, UF_S(1)), UF_MS(500));
    assert_int_equal(UF_DURATION(1.5 + 1, UF_S(1)), UF_MS(2500));
    assert_int_equal(UF_DURATION(true, UF_S(1)), UF_S(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_A15_version_macros_equal_the_runtime_string),
        cmocka_unit_test(test_every_status_and_outcome_has_a_text),
        cmocka_unit_test(test_sums_saturate),
        cmocka_unit_test(test_integer_durations_saturate),
        cmocka_unit_test(test_a_duration_takes_a_count_of_any_type),
        cmocka_unit_test(test_real_durations_round_and_saturate),
    };
    return cmocka_run_group_tests_name("core.base", tests, NULL, NULL);
}
