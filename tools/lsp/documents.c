/* SPDX-License-Identifier: MIT */
/* documents.c - the texts that are open in the editor, their URIs, and positions in them. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lsp.h"
#include "memory.h"
#include "utf8.h"

const char *text_member(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

json_t *json_text_of(const char *text, size_t length)
{
    json_t *json = json_stringn(text, length);
    if (json) return json;
    buffer clean = {0};
    for (size_t i = 0; i < length;) {
        size_t const n = utf8_length(text + i, length - i);
        if (n) buffer_append(&clean, text + i, n);
        else buffer_putc(&clean, '?');
        i += n ? n : 1;
    }
    json = json_stringn(clean.text, clean.length);
    buffer_free(&clean);
    return json;
}

/* -- URIs ---------------------------------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *const at = c ? strchr(digits, c) : NULL;
    return at ? (int)((at - digits) % 16) : -1;
}

char *uri_to_path(const char *uri)
{
    if (strncasecmp(uri, "file://", 7) != 0) return NULL;
    const char *const from = strchr(uri + 7, '/'); /* behind the name of a host */
    if (!from) return NULL;
    buffer path = {0};
    for (const char *at = from; *at; at++) {
        int const high = *at == '%' ? digit_of(at[1]) : -1, low = high >= 0 ? digit_of(at[2]) : -1;
        int const byte = 16 * high + low;
        if (low >= 0 && byte) buffer_putc(&path, (char)byte), at += 2;
        else buffer_putc(&path, *at);
    }
    return path.text;
}

char *path_to_uri(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    buffer uri = {0};
    buffer_puts(&uri, "file://");
    for (; *path; path++) {
        if (strchr(plain, *path)) buffer_putc(&uri, *path);
        else buffer_printf(&uri, "%%%02X", (unsigned)(unsigned char)*path);
    }
    return uri.text;
}

/* -- positions ----------------------------------------------------------------------------------------------------- */

/* The bytes and the units of the character at the start. */
static size_t character(const server *s, const char *text, size_t available, size_t *units)
{
    size_t const bytes = utf8_length(text, available), length = bytes ? bytes : 1;
    *units = s->is_utf8 ? length : length == 4 ? 2 : 1;
    return length;
}

uint32_t offset_of_position(const server *s, const char *text, size_t size, const json_t *at_line)
{
    json_int_t line = json_integer_value(json_object_get(at_line, "line"));
    json_int_t const column = json_integer_value(json_object_get(at_line, "character"));
    const char *at = text, *const end = text + size;
    for (; line > 0; line--) {
        const char *const feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed) return (uint32_t)size;
        at = feed + 1;
    }
    for (size_t units, sum = 0; at < end && *at != '\n' && *at != '\r' && (json_int_t)sum < column; sum += units)
        at += character(s, at, (size_t)(end - at), &units);
    return (uint32_t)(at - text);
}

json_t *json_position(const server *s, const source *in, uint32_t offset)
{
    if (offset > in->size) offset = in->size;
    uint32_t const line = source_line(in, offset);
    size_t column = 0, units;
    for (uint32_t at = in->lines[line - 1]; at < offset; column += units)
        at += (uint32_t)character(s, in->text + at, in->size - at, &units);
    return json_pack("{s:i, s:i}", "line", (int)line - 1, "character", (int)column);
}

json_t *json_range(const server *s, const source *in, uint32_t begin, uint32_t end)
{
    return json_pack("{s:o, s:o}", "start", json_position(s, in, begin), "end", json_position(s, in, end));
}

/* -- documents ----------------------------------------------------------------------------------------------------- */

document *document_find(const server *s, const char *uri)
{
    document *d = s->documents;
    while (d && strcmp(d->uri, uri) != 0) d = d->next;
    return d;
}

static bool imports_something(const document *d)
{
    return d->analysis && d->analysis->file->imports;
}

void document_forget(server *s, const document *changed)
{
    for (document *d = s->documents; d; d = d->next) {
        if (d != changed && !imports_something(d)) continue;
        analysis_free(d->analysis);
        d->changes++;
        d->analysis = NULL;
        d->is_stale = true;
    }
}

static char *copy(const char *text)
{
    size_t const bytes = strlen(text) + 1;
    return memcpy(memory_alloc(bytes, 1), text, bytes);
}

/* A C source by the language or, where the client does not know it, by its ending. */
static bool is_c(const char *language, const char *uri)
{
    const char *const end = strrchr(uri, '.');
    if (strcmp(language, "uflow") == 0) return false;
    return strcmp(language, "c") == 0 || strcmp(language, "cpp") == 0 ||
           (end && (strcmp(end, ".c") == 0 || strcmp(end, ".h") == 0));
}

static void set_text(document *d, const json_t *text)
{
    d->text.length = 0;
    buffer_reserve(&d->text, 1);
    d->text.text[0] = '\0';
    if (json_is_string(text)) buffer_append(&d->text, json_string_value(text), json_string_length(text));
}

void document_open(server *s, const json_t *item)
{
    const char *const uri = text_member(item, "uri");
    document *d = document_find(s, uri);
    if (!d) {
        d = memory_zeroed(sizeof *d);
        d->uri = copy(uri);
        char *const path = uri_to_path(uri);
        d->name = path ? path : copy(uri);
        d->next = s->documents;
        s->documents = d;
    }
    d->is_flow = !is_c(text_member(item, "languageId"), uri);
    d->version = json_integer_value(json_object_get(item, "version"));
    set_text(d, json_object_get(item, "text"));
    document_forget(s, d);
}

static bool change_one(const server *s, document *d, const json_t *change)
{
    const json_t *const text = json_object_get(change, "text"), *const range = json_object_get(change, "range");
    if (!json_is_string(text)) return false;
    if (!range) {
        set_text(d, text);
        return true;
    }
    size_t const length = json_string_length(text);
    size_t const begin = offset_of_position(s, d->text.text, d->text.length, json_object_get(range, "start"));
    size_t const end = offset_of_position(s, d->text.text, d->text.length, json_object_get(range, "end"));
    if (end < begin) return false;
    buffer_reserve(&d->text, length);
    memmove(d->text.text + begin + length, d->text.text + end, d->text.length - end + 1);
    memcpy(d->text.text + begin, json_string_value(text), length);
    d->text.length += length - (end - begin);
    return true;
}

bool document_change(server *s, document *d, const json_t *changes)
{
    bool is_good = true;
    for (size_t i = 0; i < json_array_size(changes); i++)
        is_good = change_one(s, d, json_array_get(changes, i)) && is_good;
    document_forget(s, d);
    return is_good;
}

void document_close(server *s, document *d)
{
    document **place = &s->documents;
    while (*place != d) place = &(*place)->next;
    *place = d->next;
    document_forget(s, NULL);
    analysis_free(d->analysis);
    buffer_free(&d->text);
    buffer_free(&d->good);
    skeleton_free(d->skeleton);
    free(d->published);
    memory_free(d->uri);
    memory_free(d->name);
    memory_free(d);
}
