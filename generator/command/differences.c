/* SPDX-License-Identifier: MIT */
#include "differences.h"

typedef struct line {
    const char *text; /* with its line end, if it has one */
    size_t length;
} line;

typedef struct lines {
    line *items;
    size_t count, capacity;
} lines;

typedef struct edit {
    char mark; /* ' ', '-' or '+'; NUL: the end of both texts */
    line line;
    size_t old, new; /* the lines of both texts before it */
} edit;

typedef struct edits {
    edit *items;
    size_t count, capacity;
} edits;

enum { CONTEXT = 3, LOOKAHEAD = 40 }; /* lines */

static lines split(arena *a, const char *text, size_t length)
{
    lines all = {0};
    for (size_t at = 0; at < length;) {
        const char *const feed = memchr(text + at, '\n', length - at);
        size_t const size = feed ? (size_t)(feed - text) + 1 - at : length - at;
        all.items = arena_reserve(a, all.items, &all.capacity, all.count + 1, sizeof *all.items);
        all.items[all.count++] = (line){text + at, size};
        at += size;
    }
    return all;
}

static void add(arena *a, edits *all, char mark, line what, size_t old, size_t new)
{
    all->items = arena_reserve(a, all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count++] = (edit){mark, what, old, new};
}

static bool is_equal(const lines *old, size_t i, const lines *new, size_t j)
{
    if (i >= old->count || j >= new->count) return false;
    const line *const one = &old->items[i], *const other = &new->items[j];
    return one->length == other->length && memcmp(one->text, other->text, one->length) == 0;
}

/* Skips the fewest lines up to two equal ones; otherwise one of each. */
static void skip_differences(const lines *old, size_t *i, const lines *new, size_t *j)
{
    for (size_t sum = 1; sum < LOOKAHEAD; sum++) {
        for (size_t from_old = 0; from_old <= sum; from_old++) {
            if (!is_equal(old, *i + from_old, new, *j + sum - from_old)) continue;
            *i += from_old;
            *j += sum - from_old;
            return;
        }
    }
    *i += *i < old->count;
    *j += *j < new->count;
}

static edits compare(arena *a, const lines *old, const lines *new)
{
    edits all = {0};
    size_t i = 0, j = 0;
    while (i < old->count || j < new->count) {
        size_t first_old = i, first_new = j;
        while ((i < old->count || j < new->count) && !is_equal(old, i, new, j)) skip_differences(old, &i, new, &j);
        for (; first_old < i; first_old++) add(a, &all, '-', old->items[first_old], first_old, first_new);
        for (; first_new < j; first_new++) add(a, &all, '+', new->items[first_new], i, first_new);
        for (; is_equal(old, i, new, j); i++, j++) add(a, &all, ' ', old->items[i], i, j);
    }
    add(a, &all, '\0', (line){0}, i, j);
    return all;
}

static void put_range(buffer *out, const char *mark, size_t begin, size_t end)
{
    BUFFER_PUT(out, mark, end > begin ? begin + 1 : begin, ",", end - begin);
}

/* The edits [first, end). */
static void put_hunk(buffer *out, const edit *first, const edit *end)
{
    buffer_puts(out, "@@");
    put_range(out, " -", first->old, end->old);
    put_range(out, " +", first->new, end->new);
    buffer_puts(out, " @@\n");
    for (const edit *e = first; e < end; e++) {
        buffer_putc(out, e->mark);
        buffer_append(out, e->line.text, e->line.length);
        if (e->line.text[e->line.length - 1] != '\n') buffer_puts(out, "\n\\ No newline at end of file\n");
    }
}

static void put_hunks(buffer *out, const edits *all)
{
    size_t const count = all->count - 1; /* without the end of the texts */
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        if (all->items[i].mark == ' ') continue;
        size_t const first = i > done + CONTEXT ? i - CONTEXT : done;
        size_t last = i; /* the last change that is near enough */
        for (size_t k = i; k < count && k <= last + 2 * CONTEXT; k++) {
            if (all->items[k].mark != ' ') last = k;
        }
        done = last + CONTEXT < count ? last + CONTEXT + 1 : count;
        put_hunk(out, all->items + first, all->items + done);
        i = done - 1;
    }
}

void put_differences(arena *a, buffer *out, const source *old, const buffer *text)
{
    lines const before = split(a, old->text, old->size), after = split(a, text->text, text->length);
    edits const all = compare(a, &before, &after);
    BUFFER_PUT(out, "--- ", old->name, "\n+++ ", old->name, "\n");
    put_hunks(out, &all);
}
