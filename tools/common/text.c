/* SPDX-License-Identifier: MIT */
/* text.c - see text.h. */
#include "text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "memory.h"

/* U+2028 to U+202E and U+2066 to U+2069: ends of lines, and directions of text. */
static bool rearranges(const unsigned char *at)
{
    return at[0] == 0xe2 &&
           ((at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

/* Without overlong forms and surrogates. */
size_t tool_character(const char *text)
{
    const unsigned char *const at = (const unsigned char *)text;
    static const struct form {
        unsigned char first, last, low, high; /* of the first byte, and of the second one */
        size_t length;
    } forms[] = {{0x20, 0x7e, 0, 0, 1},       {0xc2, 0xc2, 0xa0, 0xbf, 2}, {0xc3, 0xdf, 0x80, 0xbf, 2},
                 {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
                 {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
                 {0xf4, 0xf4, 0x80, 0x8f, 4}};

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*at < forms[i].first || *at > forms[i].last) continue;
        if (forms[i].length > 1 && (at[1] < forms[i].low || at[1] > forms[i].high)) return 0;
        for (size_t more = 2; more < forms[i].length; more++) {
            if ((at[more] & 0xc0) != 0x80) return 0;
        }
        return rearranges(at) ? 0 : forms[i].length;
    }
    return 0;
}

char *tool_make_printable(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at;) {
        size_t const length = tool_character((const char *)at);
        if (length == 0) *at = '?';
        at += length ? length : 1;
    }
    return text;
}

char *tool_copy_printable(const char *text, size_t length)
{
    return tool_make_printable(tool_copy(text, length));
}

char *tool_format(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return tool_make_printable(buffer);
}
