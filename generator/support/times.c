/* SPDX-License-Identifier: MIT */
#include "times.h"

#include <stdbool.h>
#include <string.h>

const time_unit time_units[TIME_UNITS] = {{"ns", 1, "UF_NS"},
                                          {"us", 1000, "UF_US"},
                                          {"ms", 1000000, "UF_MS"},
                                          {"s", 1000000000, "UF_S"},
                                          {"min", INT64_C(60000000000), "UF_MIN"},
                                          {"h", INT64_C(3600000000000), "UF_H"}};

int64_t time_of_unit(const char *name, size_t length)
{
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (strlen(time_units[i].name) == length && memcmp(name, time_units[i].name, length) == 0)
            return time_units[i].ns;
    }
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t time_number_length(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && (is_digit(text[at]) || text[at] == '\'' || text[at] == '.')) at++;
    return at;
}

/* Returns -1 if it is larger than INT64_MAX. */
static int64_t value_of(const char *text, size_t length)
{
    size_t const at = time_number_length(text, length);
    int64_t const unit = time_of_unit(text + at, length - at);
    int64_t ns = 0, below = 0; /* of the whole number, and of its fraction */
    size_t point = 0;
    for (; point < at && text[point] != '.'; point++) {
        if (text[point] == '\'') continue;
        int64_t const digit = text[point] - '0';
        if (ns > (INT64_MAX - digit * unit) / 10) return -1;
        ns = ns * 10 + digit * unit;
    }
    for (size_t i = at; i > point + 1; i--) { /* from the last digit, so that only what is below 1 ns is lost */
        if (text[i - 1] != '\'') below = (below + (text[i - 1] - '0') * unit) / 10;
    }
    return ns > INT64_MAX - below ? -1 : ns + below;
}

int64_t time_of_literal(const char *text, size_t length)
{
    int64_t const ns = value_of(text, length);
    return ns < 0 ? INT64_MAX : ns;
}

bool time_fits(const char *text, size_t length)
{
    return value_of(text, length) >= 0;
}

/* Is it a number of C, such as `.5`, `1e3` or `0x10`, that a duration cannot have? Returns the correct text. */
static const char *help_for_number(const char *text, size_t length)
{
    size_t const plain = time_number_length(text, length);
    if (plain == length && text[0] == '.') return "write a digit before the point: `0.5s`";
    const char *const point = memchr(text, '.', plain);
    if (point && memchr(point + 1, '.', plain - (size_t)(point + 1 - text))) return "write one point, as in `1.5s`";
    if (plain == length) return NULL;
    if (plain == 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return length > 2 && strspn(text + 2, "0123456789abcdefABCDEF'") >= length - 2
                   ? "write the number in decimal, as in `16ms`"
                   : NULL;
    size_t at = plain;
    if (at == 0 || (text[at] != 'e' && text[at] != 'E')) return NULL;
    at++;
    if (at < length && (text[at] == '+' || text[at] == '-')) at++;
    size_t const digits = at;
    while (at < length && is_digit(text[at])) at++;
    return at == length && at > digits ? "write the number without an exponent, as in `1'000ms`" : NULL;
}

size_t time_misspelled(const char *text, size_t length)
{
    static const char *const words[] = {"sec",   "secs", "second", "seconds", "msec", "msecs", "usec", "usecs", "nsec",
                                        "nsecs", "mins", "minute", "minutes", "hr",   "hrs",   "hour", "hours"};
    size_t const digits = time_number_length(text, length);
    for (size_t i = 0; digits > 0 && digits < length && i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == length - digits && memcmp(text + digits, words[i], length - digits) == 0)
            return length - digits;
    }
    return 0;
}

const char *time_help(const char *text, size_t length)
{
    bool const is_number = length > 1 && (is_digit(text[0]) || (text[0] == '.' && is_digit(text[1])));
    for (size_t i = 0; is_number && i < TIME_UNITS; i++) {
        size_t const unit = strlen(time_units[i].name);
        if (length <= unit || memcmp(text + length - unit, time_units[i].name, unit) != 0) continue;
        const char *const help = help_for_number(text, length - unit);
        if (help) return help;
    }
    return NULL;
}

void time_append_operand(buffer *out, int64_t ns)
{
    bool const is_cast = ns % 1000 != 0;
    if (is_cast) buffer_putc(out, '(');
    time_append(out, ns);
    if (is_cast) buffer_putc(out, ')');
}

void time_append(buffer *out, int64_t ns)
{
    uint64_t const number = (uint64_t)ns;
    if (ns == INT64_MAX) buffer_puts(out, "UF_FOREVER");
    else if (ns % 1000000000 == 0) BUFFER_PUT(out, "UF_S(", number / 1000000000, ")");
    else if (ns % 1000000 == 0) BUFFER_PUT(out, "UF_MS(", number / 1000000, ")");
    else if (ns % 1000 == 0) BUFFER_PUT(out, "UF_US(", number / 1000, ")");
    else BUFFER_PUT(out, "(uf_time)", number);
}
