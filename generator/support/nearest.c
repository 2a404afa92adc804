/* SPDX-License-Identifier: MIT */
/* Suggests the name with the smallest edit distance. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "diag.h"

#define LONGEST 64u

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The number of insertions, deletions, replacements and swaps of neighbours between two texts. Above `limit` it returns
 * limit + 1. Texts longer than LONGEST are never similar. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length, unsigned limit)
{
    size_t const longer = a_length > b_length ? a_length - b_length : b_length - a_length;
    if (longer > limit || a_length > LONGEST || b_length > LONGEST) return limit + 1;
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++) last[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = (unsigned)i;
        unsigned best = now[0];
        for (size_t j = 1; j <= b_length; j++) {
            unsigned const replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(replaced, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
            best = least(best, now[j]);
        }
        if (best > limit) return limit + 1;
        unsigned *const free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

const char *diag_nearest(const char *name, const char *const *names, size_t count)
{
    size_t const length = strlen(name);
    /* Short names are always similar to each other. */
    unsigned const limit = length < 3 ? 0 : length > 30 ? 10 : (unsigned)((length + 1) / 3);
    const char *nearest = NULL;
    unsigned nearest_distance = limit + 1;
    for (size_t i = 0; i < count; i++) {
        bool const is_same = length <= LONGEST && strcasecmp(name, names[i]) == 0; /* except for capitals */
        unsigned const d = is_same ? 0 : distance(name, length, names[i], strlen(names[i]), limit);
        if (d > nearest_distance || d > limit) continue;
        if (d < nearest_distance) nearest = names[i];
        else if (nearest && strcmp(nearest, names[i]) != 0) nearest = NULL;
        nearest_distance = d;
    }
    return nearest;
}
