#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static char text[4096];
static size_t length;

void log_clear(void)
{
    length = 0;
    text[0] = '\0';
}

const char *log_text(void)
{
    return text;
}

void log_note(const char *format, ...)
{
    va_list arguments;

    if (length > 0 && length + 1 < sizeof text) text[length++] = ' ';
    va_start(arguments, format);
    int const more = vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
    if (more > 0) length = length + (size_t)more < sizeof text ? length + (size_t)more : sizeof text - 1;
}
