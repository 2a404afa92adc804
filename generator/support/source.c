/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <string.h>

/* The position after the next line feed; NULL: none. */
static const char *next_line(const char *at, const char *end)
{
    const char *const feed = memchr(at, '\n', (size_t)(end - at));
    return feed ? feed + 1 : NULL;
}

source *source_from_text(arena *a, const char *name, const char *text, size_t size)
{
    return source_in_place(a, name, arena_copy(a, text, size), size);
}

source *source_in_place(arena *a, const char *name, const char *text, size_t size)
{
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        size -= 3;
    }
    /* Keeps only the size of a text that is too large: the parser reports it. */
    if (size > SOURCE_LIMIT) size = SOURCE_LIMIT + 1;

    source *s = ARENA_NEW(a, source);
    s->name = arena_copy(a, name, strlen(name));
    s->text = text;
    s->size = (uint32_t)size;

    const char *const end = s->text + s->size;
    s->line_count = 1;
    for (const char *at = s->text; (at = next_line(at, end)) != NULL;) s->line_count++;
    s->lines = ARENA_ARRAY(a, uint32_t, s->line_count);
    uint32_t line = 0;
    for (const char *at = s->text; (at = next_line(at, end)) != NULL;) s->lines[++line] = (uint32_t)(at - s->text);
    return s;
}

uint32_t source_line(const source *s, uint32_t offset)
{
    uint32_t first = 0, end = s->line_count; /* of the lines that it may be on */
    while (end - first > 1) {
        uint32_t const middle = first + (end - first) / 2;
        if (s->lines[middle] <= offset) first = middle;
        else end = middle;
    }
    return first + 1;
}

bool source_is_on_line(const source *s, uint32_t line, uint32_t offset)
{
    if (line == 0 || line > s->line_count || s->lines[line - 1] > offset) return false;
    return line == s->line_count || offset < s->lines[line];
}

position source_position(const source *s, uint32_t offset)
{
    uint32_t const line = source_line(s, offset);
    return (position){line, offset - s->lines[line - 1] + 1};
}

const char *source_line_text(const source *s, uint32_t line, uint32_t *length)
{
    uint32_t const begin = s->lines[line - 1];
    uint32_t end = line < s->line_count ? s->lines[line] - 1 : s->size;
    if (end > begin && s->text[end - 1] == '\r') end--;
    *length = end - begin;
    return s->text + begin;
}

span span_join(span first, span last)
{
    return (span){first.in, first.begin < last.begin ? first.begin : last.begin,
                  first.end > last.end ? first.end : last.end};
}
