/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static char text[4096];
static size_t log_length;

void log_clear(void)
{
    log_length = 0;
    text[0] = '\0';
}

const char *log_text(void)
{
    return text;
}

void log_note(const char *format, ...)
{
    va_list arguments;

    if (log_length > 0 && log_length + 1 < sizeof text) text[log_length++] = ' ';
    va_start(arguments, format);
    int const more = vsnprintf(text + log_length, sizeof text - log_length, format, arguments);
    va_end(arguments);
    if (more > 0) log_length = log_length + (size_t)more < sizeof text ? log_length + (size_t)more : sizeof text - 1;
}
