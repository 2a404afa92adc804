/* SPDX-License-Identifier: MIT */
/* text.c - small texts. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

const char *top_time(char buffer[TOP_TIME], double seconds)
{
    double const ns = seconds * 1e9 + 0.5; /* from a peer, which may send any text */
    return uf_duration_text(ns >= 0x1p64 ? UINT64_MAX : ns > 0 ? (uint64_t)ns : 0, buffer);
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

void top_append_list(char *text, size_t size, const char *format, va_list arguments)
{
    size_t const length = strlen(text);
    int const added = vsnprintf(text + length, size - length, format, arguments);
    if (added >= 0 && length + (size_t)added >= size && size > 4) memcpy(text + size - 4, "...", 4);
}

void top_write(char *text, size_t size, const char *format, ...)
{
    va_list arguments;

    text[0] = '\0';
    va_start(arguments, format);
    top_append_list(text, size, format, arguments);
    va_end(arguments);
}

void top_append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    top_append_list(text, size, format, arguments);
    va_end(arguments);
}

const char *top_plural(double count)
{
    return count == 1 ? "" : "s";
}

void top_wait_text(const json_t *wait, char *text, size_t size)
{
    char const *const armer = top_string(wait, "armed_by");
    json_t const *const left = json_object_get(wait, "in");
    char time[TOP_TIME];

    top_write(text, size, "%s%s%s", top_string(wait, "text"), *armer ? ", armed by " : "", armer);
    if (left) top_append(text, size, " in %s", top_time(time, json_number_value(left)));
    tool_make_printable(text);
}

void top_silence_text(const json_t *runtime, char *text, size_t size)
{
    json_t const *const turn = json_object_get(runtime, "turn");
    char time[TOP_TIME];

    top_write(text, size, "the runtime has not answered for at least %s",
              top_time(time, top_number(runtime, "silent")));
    if (!turn) top_append(text, size, ", and no step is under way");
    else
        top_append(text, size, ": %s  %s.%s:%.0f  has not returned", top_string(turn, "flow"), top_string(turn, "task"),
                   top_string(turn, "step"), top_number(turn, "line"));
    if (json_object_get(turn, "lasts")) top_append(text, size, " for %s", top_time(time, top_number(turn, "lasts")));
    else if (json_object_get(turn, "in_step"))
        top_append(text, size, " since it was entered %s ago", top_time(time, top_number(turn, "in_step")));
    tool_make_printable(text);
}
