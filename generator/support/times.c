#include "times.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

const time_unit time_units[TIME_UNITS] = {{"ns", 1, "UF_NS"},
                                          {"us", 1000, "UF_US"},
                                          {"ms", 1000000, "UF_MS"},
                                          {"s", 1000000000, "UF_S"},
                                          {"min", INT64_C(60000000000), "UF_MIN"},
                                          {"h", INT64_C(3600000000000), "UF_H"}};

size_t time_number_length(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && ((text[at] >= '0' && text[at] <= '9') || text[at] == '\'' || text[at] == '.')) at++;
    return at;
}

int64_t time_of_literal(const char *text, size_t length)
{
    size_t const at = time_number_length(text, length);
    int64_t unit = 0;
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (strlen(time_units[i].name) == length - at && memcmp(text + at, time_units[i].name, length - at) == 0)
            unit = time_units[i].ns;
    }
    int64_t ns = 0, scale = unit;
    bool fraction = false;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\'') continue;
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        int64_t const digit = text[i] - '0';
        if (fraction) {
            scale /= 10;
            if (ns > INT64_MAX - digit * scale) return INT64_MAX;
            ns += digit * scale;
        } else {
            if (ns > (INT64_MAX - digit * unit) / 10) return INT64_MAX;
            ns = ns * 10 + digit * unit;
        }
    }
    return ns;
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
    if (ns == INT64_MAX) buffer_printf(out, "UF_FOREVER");
    else if (ns % 1000000000 == 0) buffer_printf(out, "UF_S(%" PRId64 ")", ns / 1000000000);
    else if (ns % 1000000 == 0) buffer_printf(out, "UF_MS(%" PRId64 ")", ns / 1000000);
    else if (ns % 1000 == 0) buffer_printf(out, "UF_US(%" PRId64 ")", ns / 1000);
    else buffer_printf(out, "(uf_time)%" PRId64, ns);
}
