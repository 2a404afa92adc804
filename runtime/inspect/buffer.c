/* SPDX-License-Identifier: MIT */
/* buffer.c - a text that grows. */
#include "inspecting.h"

#include <inttypes.h>
#include <stdio.h>

static bool make_room(ufi_buffer *text, size_t more)
{
    bool const fits = !text->failed && more < SIZE_MAX - text->length;
    char *const data = fits ? ufp_grown(text->data, &text->capacity, text->length + more, 1) : NULL;

    text->failed = !data;
    if (data) text->data = data;
    return data != NULL;
}

void ufi_buffer_add(ufi_buffer *text, const void *bytes, size_t length)
{
    if (length == 0 || !make_room(text, length)) return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
}

void ufi_buffer_print(ufi_buffer *text, const char *format, ...)
{
    char piece[512];
    va_list arguments;

    va_start(arguments, format);
    int const length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece) text->failed = true; /* no caller writes so much at once */
    else ufi_buffer_add(text, piece, (size_t)length);
}

void ufi_buffer_free(ufi_buffer *text)
{
    ufp_free(text->data);
    *text = (ufi_buffer){.data = NULL};
}

/* The length of the UTF-8 character at the beginning, or 0 if there is none: a text may be cut anywhere. */
static size_t character(const unsigned char *at)
{
    size_t const length = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3 : 4;

    if ((*at >= 0x80 && *at < 0xc2) || *at > 0xf4) return 0;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
    }
    if (*at == 0xe0 && at[1] < 0xa0) return 0;  /* too long a form */
    if (*at == 0xed && at[1] >= 0xa0) return 0; /* half of a surrogate pair */
    if ((*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] >= 0x90)) return 0;
    return length;
}

/* The characters between quotes. */
static void put_quoted(ufi_buffer *text, const char *string, bool is_json)
{
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        size_t const length = character(at);
        if (length == 0) ufi_buffer_add(text, "\xef\xbf\xbd", 3);
        else if (*at == '"' || *at == '\\') ufi_buffer_print(text, "\\%c", *at);
        else if (*at == '\n') ufi_buffer_add(text, "\\n", 2);
        else if (is_json && (*at < 0x20 || *at == 0x7f)) ufi_buffer_print(text, "\\u%04x", *at);
        else ufi_buffer_add(text, at, length);
        at += length ? length : 1;
    }
}

void ufi_buffer_string(ufi_buffer *text, const char *string)
{
    ufi_buffer_add(text, "\"", 1);
    put_quoted(text, string, true);
    ufi_buffer_add(text, "\"", 1);
}

void ufi_buffer_label(ufi_buffer *text, const char *name, const char *value)
{
    ufi_buffer_print(text, "%s=\"", name);
    put_quoted(text, value, false);
    ufi_buffer_add(text, "\"", 1);
}

void ufi_buffer_seconds(ufi_buffer *text, uf_time time)
{
    uint64_t const ns = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;
    ufi_buffer_print(text, "%s%" PRIu64 ".%09" PRIu64, time < 0 ? "-" : "", ns / 1000000000, ns % 1000000000);
}
