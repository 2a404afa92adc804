/* text.c - small texts. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

const char *top_time(char buffer[TOP_TIME], double seconds)
{
    if (seconds < 0) seconds = 0;
    if (seconds < 1e-3) snprintf(buffer, TOP_TIME, "%.0fus", seconds * 1e6);
    else if (seconds < 1) snprintf(buffer, TOP_TIME, "%.0fms", seconds * 1e3);
    else if (seconds < 60) snprintf(buffer, TOP_TIME, "%.2fs", seconds);
    else if (seconds < 3600) snprintf(buffer, TOP_TIME, "%dmin %ds", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 1e9) snprintf(buffer, TOP_TIME, "%dh %dmin", (int)(seconds / 3600), (int)seconds / 60 % 60);
    else snprintf(buffer, TOP_TIME, "never");
    return buffer;
}

const char *top_string(const json_t *object, const char *key)
{
    char const *const value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

double top_number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

bool top_truth(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

void top_append(char *text, size_t size, const char *format, ...)
{
    size_t const length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

void top_make_printable(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) *text = '?';
    }
}

void top_wait_text(const json_t *wait, char *text, size_t size)
{
    char const *const kind = top_string(wait, "for"), *const flow = top_string(wait, "flow");
    char const *const armer = top_string(wait, "armed_by");
    json_t const *const left = json_object_get(wait, "in");
    char time[TOP_TIME];

    if (left) snprintf(text, size, "timeout in %s", top_time(time, json_number_value(left)));
    else if (strcmp(kind, "deadline") == 0) snprintf(text, size, "a timeout that never comes");
    else if (*flow && strcmp(kind, "room") == 0) snprintf(text, size, "%s of %s", top_string(wait, "text"), flow);
    else snprintf(text, size, "%s%s%s", top_string(wait, "text"), *armer ? ", armed by " : "", armer);
    top_make_printable(text);
}
