/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static char log_bytes[4096];
static size_t log_length;

void log_clear(void)
{
    log_length = 0;
    log_bytes[0] = '\0';
}

const char *log_text(void)
{
    return log_bytes;
}

void log_note(const char *format, ...)
{
    va_list arguments;

    if (log_length > 0 && log_length + 1 < sizeof log_bytes) log_bytes[log_length++] = ' ';
    va_start(arguments, format);
    int const more = vsnprintf(log_bytes + log_length, sizeof log_bytes - log_length, format, arguments);
    va_end(arguments);
    if (more <= 0) return;
    log_length += (size_t)more;
    if (log_length >= sizeof log_bytes) log_length = sizeof log_bytes - 1;
}
