/* The formatter against the C library's, and where it cuts. */
#include "unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The same as printf says. */
#define SAME(...)                                                                                                      \
    do {                                                                                                               \
        char own_[200], theirs_[400];                                                                                  \
        snprintf(theirs_, sizeof theirs_, __VA_ARGS__);                                                                \
        assert_int_equal(ufi_format_args(own_, sizeof own_, __VA_ARGS__), strlen(theirs_));                            \
        assert_string_equal(own_, theirs_);                                                                            \
    } while (0)

static void test_every_conversion(void **state)
{
    (void)state;
    SAME("plain");
    SAME("%d %i %u %x", -5, INT_MIN, UINT_MAX, 0xbeefu);
    SAME("%d%d%d", 0, INT_MAX, 10);
    SAME("%c%s%%", 'x', "text");
    SAME("%ld %lu %lx %li", LONG_MIN, ULONG_MAX, 255ul, -1l);
    SAME("%lld %llu %llx %lli", LLONG_MIN, ULLONG_MAX, ULLONG_MAX, 7ll);
    SAME("%zu %zx %zd", SIZE_MAX, (size_t)16, (ptrdiff_t)-3);
    SAME("%p", (void *)state);
    SAME("a%sb%sc", "", "inner");
}

/* Formats that no compiler would let through. */
static const char *unchecked(const char *format, ...)
{
    static char text[64];
    va_list arguments;
    va_start(arguments, format);
    ufi_format(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

static void test_null_and_unknown(void **state)
{
    (void)state;
    assert_string_equal(unchecked("%s|%p", (char *)NULL, (void *)NULL), "(null)|0x0");
    assert_string_equal(unchecked("%d %Q %d", 1, 2), "1 %Q %d"); /* what it does not know it does not guess at */
    assert_string_equal(unchecked("100%"), "100%");
    assert_string_equal(unchecked("%l"), "%l");
    assert_string_equal(unchecked("%ls", "x"), "%ls");
}

static void test_reals_as_printf_writes_them(void **state)
{
    static const double numbers[] = {0.0,
                                     -0.0,
                                     1,
                                     -1,
                                     0.5,
                                     1.5,
                                     2.5,
                                     0.1,
                                     0.2,
                                     0.3,
                                     1e-5,
                                     1e-4,
                                     0.00012345678,
                                     123456,
                                     1234567,
                                     999999,
                                     999999.5,
                                     999999.4999,
                                     100000,
                                     1e6,
                                     1e7,
                                     1.5e10,
                                     3.14159265358979,
                                     2.71828,
                                     1e15,
                                     1e18,
                                     0.0078125,
                                     0.9999995,
                                     0.99999949,
                                     0.0000005,
                                     0.00000051,
                                     1e-7,
                                     1e22,
                                     1e100,
                                     1.7976931348623157e308,
                                     2.2e-308,
                                     5e-324,
                                     12.3456789,
                                     1000005,
                                     10000.05,
                                     4294967296.0,
                                     9007199254740993.0,
                                     20.25,
                                     300.125};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        SAME("%g", numbers[i]);
        SAME("%g", -numbers[i]);
        if (numbers[i] < 1e19) SAME("%f", numbers[i]);
        if (numbers[i] < 1e19) SAME("%f", -numbers[i]);
    }
    double const infinite = 1e308 * 10;
    SAME("%f %g", infinite, -infinite);
}

static void test_random_reals(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double const mantissa = (double)(unit_random(&seed) >> 11) / 9007199254740992.0;
        double const number =
            mantissa * (double)(UINT64_C(1) << (unit_random(&seed) % 60)) / (double)(1u << (unit_random(&seed) % 20));
        SAME("%f", number);
        SAME("%g", number);
    }
}

static void test_cut_with_an_ellipsis(void **state)
{
    char text[12];
    (void)state;
    assert_int_equal(ufi_format_args(text, sizeof text, "%s", "elevenchars"), 11);
    assert_string_equal(text, "elevenchars");
    assert_int_equal(ufi_format_args(text, sizeof text, "%s", "twelve chars"), 11);
    assert_string_equal(text, "twelve c...");
    assert_int_equal(ufi_format_args(text, sizeof text, "a long text with %d", 5), 11);
    assert_string_equal(text, "a long t...");
}

static void test_cut_between_two_characters(void **state)
{
    char text[12];
    (void)state;
    ufi_format_args(text, sizeof text, "%s",
                    "1234567\xC3\xA9-abcd"); /* the sequence would be split after its first byte */
    assert_string_equal(text, "1234567...");
    ufi_format_args(text, sizeof text, "%s", "123456\xC3\xA9-abcdef"); /* it just fits */
    assert_string_equal(text, "123456\xC3\xA9...");
    ufi_format_args(text, sizeof text, "%s",
                    "12345\xF0\x9F\x98\x80-abcdef"); /* four bytes, of which three would be left */
    assert_string_equal(text, "12345...");
}

static void test_small_buffers(void **state)
{
    char text[8];
    (void)state;
    for (size_t size = 1; size <= 3; size++) {
        memset(text, 'x', sizeof text);
        assert_int_equal(ufi_format_args(text, size, "%s", "abcdef"), 0);
        assert_string_equal(text, "");
        assert_int_equal(text[size], 'x');
    }
    assert_int_equal(ufi_format_args(text, 4, "%s", "abcdef"), 3);
    assert_string_equal(text, "...");
    assert_int_equal(ufi_format_args(text, 4, "%s", "abc"), 3);
    assert_string_equal(text, "abc");
    text[0] = 'x';
    assert_int_equal(ufi_format_args(text, 0, "%s", "abc"), 0);
    assert_int_equal(text[0], 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_conversion),
        cmocka_unit_test(test_null_and_unknown),
        cmocka_unit_test(test_reals_as_printf_writes_them),
        cmocka_unit_test(test_random_reals),
        cmocka_unit_test(test_cut_with_an_ellipsis),
        cmocka_unit_test(test_cut_between_two_characters),
        cmocka_unit_test(test_small_buffers),
    };
    return cmocka_run_group_tests_name("core.format", tests, NULL, NULL);
}
