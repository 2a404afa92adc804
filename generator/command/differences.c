/* SPDX-License-Identifier: MIT */
#include "differences.h"

#include "memory.h"

typedef struct line {
    const char *text; /* with its line end, if it has one */
    size_t length;
} line;

typedef struct lines {
    line *items;
    size_t count, capacity;
} lines;

typedef struct edit {
    char mark; /* ' ', '-' or '+' */
    line line;
} edit;

typedef struct edits {
    edit *items;
    size_t count, capacity;
} edits;

enum { CONTEXT = 3, LOOKAHEAD = 40 }; /* lines */

static lines split(const char *text, size_t length)
{
    lines all = {0};
    for (size_t at = 0; at < length;) {
        const char *const feed = memchr(text + at, '\n', length - at);
        size_t const size = feed ? (size_t)(feed - text) + 1 - at : length - at;
        all.items = memory_reserve(all.items, &all.capacity, all.count + 1, sizeof *all.items);
        all.items[all.count++] = (line){text + at, size};
        at += size;
    }
    return all;
}

static void add(edits *all, char mark, line what)
{
    all->items = memory_reserve(all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count++] = (edit){mark, what};
}

static bool is_equal(const lines *old, size_t i, const lines *new, size_t j)
{
    return i < old->count && j < new->count &&
           old->items[i].length ==
               new->items[j].length &&memcmp(old->items[i].text, new->items[j].text, old->items[i].length) == 0;
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

static edits compare(const lines *old, const lines *new)
{
    edits all = {0};
    size_t i = 0, j = 0;
    while (i < old->count || j < new->count) {
        size_t first_old = i, first_new = j;
        while ((i < old->count || j < new->count) && !is_equal(old, i, new, j)) skip_differences(old, &i, new, &j);
        while (first_old < i) add(&all, '-', old->items[first_old++]);
        while (first_new < j) add(&all, '+', new->items[first_new++]);
        for (; is_equal(old, i, new, j); i++, j++) add(&all, ' ', old->items[i]);
    }
    return all;
}

static void put_range(buffer *out, char mark, size_t before, size_t count)
{
    BUFFER_PUT(out, mark == '-' ? " -" : " +", count ? before + 1 : before, ",", count);
}

/* The edits [first, end); `before`: the lines of both texts before them. */
static void put_hunk(buffer *out, const edit *first, const edit *end, const size_t before[2])
{
    size_t counts[2] = {0};
    for (const edit *e = first; e < end; e++) {
        counts[0] += e->mark != '+';
        counts[1] += e->mark != '-';
    }
    buffer_puts(out, "@@");
    put_range(out, '-', before[0], counts[0]);
    put_range(out, '+', before[1], counts[1]);
    buffer_puts(out, " @@\n");
    for (const edit *e = first; e < end; e++) {
        buffer_putc(out, e->mark);
        buffer_append(out, e->line.text, e->line.length);
        if (e->line.text[e->line.length - 1] != '\n') buffer_puts(out, "\n\\ No newline at end of file\n");
    }
}

static void put_hunks(buffer *out, const edits *all)
{
    size_t before[2] = {0}, counted = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].mark == ' ') continue;
        size_t const first = i > counted + CONTEXT ? i - CONTEXT : counted;
        size_t last = i; /* the last change that is near enough */
        for (size_t k = i; k < all->count && k <= last + 2 * CONTEXT; k++) {
            if (all->items[k].mark != ' ') last = k;
        }
        size_t const end = last + CONTEXT < all->count ? last + CONTEXT + 1 : all->count;
        before[0] += first - counted; /* equal lines */
        before[1] += first - counted;
        put_hunk(out, all->items + first, all->items + end, before);
        for (size_t k = first; k < end; k++) {
            before[0] += all->items[k].mark != '+';
            before[1] += all->items[k].mark != '-';
        }
        counted = end;
        i = end - 1;
    }
}

void put_differences(buffer *out, const source *old, const buffer *text)
{
    lines const before = split(old->text, old->size), after = split(text->text, text->length);
    edits const all = compare(&before, &after);
    BUFFER_PUT(out, "--- ", old->name, "\n+++ ", old->name, "\n");
    put_hunks(out, &all);
    memory_free(before.items);
    memory_free(after.items);
    memory_free(all.items);
}
