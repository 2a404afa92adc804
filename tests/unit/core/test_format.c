/* SPDX-License-Identifier: MIT */
/* test_format.c - the formatter against the C library's, and where it truncates. */
#include "unit.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* With all conversions. */
static size_t __attribute__((format(printf, 3, 4))) formatted(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t const length = ufi_format(buffer, size, UFI_ALL, format, arguments);
    va_end(arguments);
    return length;
}

/* Formats as printf does. */
#define SAME(...)                                                                                                      \
    do {                                                                                                               \
        char own_[1500], theirs_[1500];                                                                                \
        snprintf(theirs_, sizeof theirs_, __VA_ARGS__);                                                                \
        assert_int_equal(formatted(own_, sizeof own_, __VA_ARGS__), strlen(theirs_));                                  \
        assert_string_equal(own_, theirs_);                                                                            \
    } while (0)

CASE(test_every_conversion)
{
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

/* Formats that compilers would refuse. */
static const char *unchecked(const char *format, ...)
{
    static char text[64];
    va_list arguments;
    va_start(arguments, format);
    ufi_format(text, sizeof text, UFI_ALL, format, arguments);
    va_end(arguments);
    return text;
}

/* Compares both formatters for a format built at run time. */
static void same(const char *format, ...)
{
    char own[1500], theirs[1500];
    va_list arguments, copy;
    va_start(arguments, format);
    va_copy(copy, arguments);
    vsnprintf(theirs, sizeof theirs, format, copy);
    va_end(copy);
    ufi_format(own, sizeof own, UFI_ALL, format, arguments);
    va_end(arguments);
    if (strcmp(own, theirs) != 0) fail_msg("\"%s\": `%s`, and not `%s`", format, own, theirs);
}

/* Every set of flags, with widths and precisions. `letters`: with their length. */
typedef void test_of_format(const char *format, bool takes_width, bool takes_precision);

static void for_each_format(const char *flags, const char *const *precisions, const char *letters, test_of_format *test)
{
    static const char *const widths[] = {"", "1", "5", "30", "*"};
    size_t const count = strlen(flags);
    for (unsigned set = 0; set < 1u << count; set++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            for (size_t p = 0; precisions[p]; p++) {
                char chosen[8], format[64];
                size_t length = 0;
                for (size_t i = 0; i < count; i++) {
                    if (set >> i & 1) chosen[length++] = flags[i];
                }
                chosen[length] = '\0';
                snprintf(format, sizeof format, "<%%%s%s%s%s>", chosen, widths[w], precisions[p], letters);
                test(format, widths[w][0] == '*', strchr(precisions[p], '*') != NULL);
            }
        }
    }
}

#define WITH_COUNTS(format, takes_width, takes_precision, value)                                                       \
    do {                                                                                                               \
        for (int width_ = -8; width_ <= 8; width_ += 8) {                                                              \
            if (takes_width && takes_precision) same(format, width_, 2, value);                                        \
            else if (takes_width) same(format, width_, value);                                                         \
            else if (takes_precision) same(format, width_, value);                                                     \
            else same(format, value);                                                                                  \
        }                                                                                                              \
    } while (0)

#define INTEGERS(name, type, ...)                                                                                      \
    static void name(const char *format, bool takes_width, bool takes_precision)                                       \
    {                                                                                                                  \
        static const type values[] = {__VA_ARGS__};                                                                    \
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)                                                    \
            WITH_COUNTS(format, takes_width, takes_precision, values[i]);                                              \
    }
INTEGERS(ints, int, 0, 1, -1, 8, 255, -129, 70000, INT_MIN, INT_MAX)
INTEGERS(longs, long, 0, -1, 300, LONG_MIN, LONG_MAX)
INTEGERS(long_longs, long long, 0, -1, 300, LLONG_MIN, LLONG_MAX)
INTEGERS(maxima, intmax_t, 0, -1, INTMAX_MIN, INTMAX_MAX)
INTEGERS(sizes, size_t, 0, 77, SIZE_MAX)
INTEGERS(strings, char *const, "", "a", "text of some length")
INTEGERS(characters, int, 'x')
INTEGERS(reals, double, 0, -0.0, 0.5, -1.25, 3.14159265, 1e-3, 99999.75, 12345678.9, 9.9999999e9, 0.95, 9.5, 1e22,
         DBL_MAX, DBL_MIN, 5e-324, -1e-300, 1.0 / 3, HUGE_VAL, -HUGE_VAL)

CASE(test_flags_widths_and_precisions)
{
    static const char *const all[] = {"", ".", ".0", ".3", ".25", ".*", NULL}, *const none[] = {"", NULL},
                             *const few[] = {"", ".", ".0", ".1", ".3", ".8", ".13", ".25", ".*", NULL};
    static const struct {
        const char *flags, *letters;
        const char *const *precisions;
        test_of_format *test;
    } of[] = {
        {"-0+ ", "d", all, ints},        {"-0", "u", all, ints},      {"-0#", "x", all, ints},
        {"-0#", "X", all, ints},         {"-0#", "o", all, ints},     {"-0+ ", "hhd", all, ints},
        {"-0+ ", "hi", all, ints},       {"-0#", "hhx", all, ints},   {"-0", "hu", all, ints},
        {"-0+ ", "ld", all, longs},      {"-0#", "lX", all, longs},   {"-0+ ", "lld", all, long_longs},
        {"-0#", "llo", all, long_longs}, {"-0+ ", "jd", all, maxima}, {"-0#", "jx", all, maxima},
        {"-0", "zu", all, sizes},        {"-0+ ", "td", all, sizes},  {"-", "s", all, strings},
        {"-", "c", none, characters},    {"-0+ #", "f", few, reals},  {"-0+ #", "F", few, reals},
        {"-0+ #", "e", few, reals},      {"-0+ #", "E", few, reals},  {"-0+ #", "g", few, reals},
        {"-0+ #", "G", few, reals},      {"-0+ #", "a", few, reals},  {"-0+ #", "A", few, reals},
        {"-", "lf", few, reals},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for_each_format(of[i].flags, of[i].precisions, of[i].letters, of[i].test);
}

CASE(test_macros_of_inttypes)
{
    SAME("%" PRId8 " %" PRIi16 " %" PRId32 " %" PRId64, (int8_t)-8, (int16_t)-300, INT32_MIN, INT64_MIN);
    SAME("%" PRIu8 " %" PRIx16 " %" PRIX32 " %" PRIo64, (uint8_t)200, (uint16_t)65535, UINT32_MAX, UINT64_MAX);
    SAME("%08" PRIx32 "%-6" PRIdLEAST16 "|%" PRIuFAST8, (uint32_t)48879, (int_least16_t)5, (uint_fast8_t)7);
    SAME("%" PRIdMAX " %" PRIuPTR, INTMAX_MIN, UINTPTR_MAX);
}

CASE(test_wide_fields_end)
{
    assert_int_equal(strlen(unchecked("%2000000000d", 5)), 63);
    assert_int_equal(strlen(unchecked("%.2000000000d", 5)), 63);
    assert_int_equal(strlen(unchecked("%*d", INT_MIN, 5)), 63);
    assert_string_equal(unchecked("%.*d", INT_MIN, 5), "5");
    assert_int_equal(strlen(unchecked("%#.*x", INT_MAX, 5)), 63);
    assert_int_equal(strlen(unchecked("%-*.*p", INT_MAX, INT_MAX, (void *)state)), 63);
}

/* With simple conversions alone. */
static const char *simple(const char *format, ...)
{
    static char text[64];
    va_list arguments;
    va_start(arguments, format);
    ufi_format(text, sizeof text, UFI_SIMPLE, format, arguments);
    va_end(arguments);
    return text;
}

CASE(test_simple_conversions)
{
    assert_string_equal(simple("%d %i %u|%c%s%%", INT_MIN, 0, UINT_MAX, 'x', "text"),
                        "-2147483648 0 4294967295|xtext%");
    assert_string_equal(simple("%s", (char *)NULL), "(null)");
    assert_string_equal(simple("%d, %5d", 1, 2), "1, %5d"); /* the rest is copied */
    assert_string_equal(simple("%ld"), "%ld");
    assert_string_equal(simple("%"), "%");
    assert_int_equal(strlen(simple("%s%d", "a text that is longer than the room that there is for it", 1234567)), 63);
}

CASE(test_null_and_unknown)
{
    assert_string_equal(unchecked("%s|%p", (char *)NULL, (void *)NULL), "(null)|0x0");
    assert_string_equal(unchecked("%d %Q %d", 1, 2), "1 %Q %d"); /* an unknown conversion is copied */
    assert_string_equal(unchecked("100%"), "100%");
    assert_string_equal(unchecked("%l"), "%l");
    assert_string_equal(unchecked("%ls", "x"), "%ls");
}

CASE(test_reals_as_printf_writes_them)
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
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        SAME("%g", numbers[i]);
        SAME("%g", -numbers[i]);
        SAME("%f", numbers[i]);
        SAME("%.0f %.20f", numbers[i], -numbers[i]);
        SAME("%.1100f", numbers[i]);
        SAME("%e %.17e", numbers[i], -numbers[i]);
        SAME("%a %.3A", numbers[i], -numbers[i]);
    }
    double const infinite = 1e308 * 10;
    SAME("%f %g", infinite, -infinite);
}

CASE(test_random_reals)
{
    uint64_t seed = 5;
    for (int i = 0; i < 20000; i++) {
        double const mantissa = (double)(unit_random(&seed) >> 11) / 9007199254740992.0;
        double const number =
            mantissa * (double)(UINT64_C(1) << (unit_random(&seed) % 60)) / (double)(1u << (unit_random(&seed) % 20));
        SAME("%f", number);
        SAME("%g", number);
        uint64_t const bits = unit_random(&seed); /* any double, also one that is not a number */
        double any;
        memcpy(&any, &bits, sizeof any);
        int const precision = (int)(unit_random(&seed) % 30);
        SAME("%.17g %.*f", any, precision, any);
        SAME("%.*e %a %.*a", precision, any, any, precision % 16, any);
        SAME("%#.*G %.*f", precision, number, precision, number);
    }
}

/* The decimal point is that of the C locale. */
CASE(test_in_another_locale)
{
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "da_DK.UTF-8"};
    char text[32];
    for (size_t i = 0; i < sizeof commas / sizeof *commas; i++) (void)setlocale(LC_ALL, commas[i]);
    formatted(text, sizeof text, "%f %g %.1e", 1.5, 2.25, 1e10);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "1.500000 2.25 1.0e+10");
}

CASE(test_cut_with_an_ellipsis)
{
    char text[12];
    assert_int_equal(formatted(text, sizeof text, "%s", "elevenchars"), 11);
    assert_string_equal(text, "elevenchars");
    assert_int_equal(formatted(text, sizeof text, "%s", "twelve chars"), 11);
    assert_string_equal(text, "twelve c...");
    assert_int_equal(formatted(text, sizeof text, "a long text with %d", 5), 11);
    assert_string_equal(text, "a long t...");
}

CASE(test_cut_between_two_characters)
{
    char text[12];
    formatted(text, sizeof text, "%s", "1234567\xC3\xA9-abcd"); /* the sequence would be split after its first byte */
    assert_string_equal(text, "1234567...");
    formatted(text, sizeof text, "%s", "123456\xC3\xA9-abcdef"); /* it just fits */
    assert_string_equal(text, "123456\xC3\xA9...");
    formatted(text, sizeof text, "%s", "12345\xF0\x9F\x98\x80-abcdef"); /* four bytes, of which only three would fit */
    assert_string_equal(text, "12345...");
}

CASE(test_small_buffers)
{
    char text[8];
    for (size_t size = 1; size <= 3; size++) {
        memset(text, 'x', sizeof text);
        assert_int_equal(formatted(text, size, "%s", "abcdef"), 0);
        assert_string_equal(text, "");
        assert_int_equal(text[size], 'x');
    }
    assert_int_equal(formatted(text, 4, "%s", "abcdef"), 3);
    assert_string_equal(text, "...");
    assert_int_equal(formatted(text, 4, "%s", "abc"), 3);
    assert_string_equal(text, "abc");
    text[0] = 'x';
    assert_int_equal(formatted(text, 0, "%s", "abc"), 0);
    assert_int_equal(text[0], 'x');
}
