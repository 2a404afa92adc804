/* SPDX-License-Identifier: MIT */
/* never.c - the counters that are 0 in the processes of all tests. */
#include "never.h"

#include "processes.h"
#include "run.h"

#include "uflow/generated/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *notes; /* of all counters: 1: taken. NULL: there are none, or no memory */

void uft_never_begin(void)
{
    size_t count = 0;

    for (const uf_coverage_unit *unit = NULL; (unit = uf_coverage_next(unit)) != NULL;) count += unit->count;
    notes = count ? uft_share(count) : NULL;
}

void uft_never_note(void)
{
    unsigned char *note = notes;

    for (const uf_coverage_unit *unit = NULL; notes && (unit = uf_coverage_next(unit)) != NULL; note += unit->count)
        for (size_t i = 0; i < unit->count; i++)
            if (unit->counts[i] || unit->counts[unit->count + i]) note[i] = 1;
}

/* -- points -------------------------------------------------------------------------------------------------------- */

/* The kinds that tests should take, and those that make a place; how a report has them. */
static const struct kind {
    const char *word;
    enum { FLOW, TASK, STEP, PART } level;
    bool is_counted;
    enum { NOTHING, LABEL, TARGET, BOTH, VALUE } shows;
} kinds[] = {
    {"flow", FLOW, false, NOTHING}, {"task", TASK, false, NOTHING}, {"step", STEP, true, NOTHING},
    {"handler", PART, true, LABEL}, {"preempt", PART, true, BOTH},  {"next", PART, true, TARGET},
    {"stay", PART, true, LABEL},    {"await", PART, true, BOTH},    {"timeout", PART, true, BOTH},
    {"else", PART, true, BOTH},     {"true", PART, true, VALUE},    {"false", PART, true, VALUE},
};

/* A point: `PLACE LINE KIND LABEL -> TARGET`. */
typedef struct point {
    const struct kind *kind; /* NULL: it is no part of the report */
    unsigned line;
    const char *label, *target;
    int label_length;
} point;

static const struct kind *find_kind(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i].word) == length && memcmp(kinds[i].word, word, length) == 0) return &kinds[i];
    return NULL;
}

static point read_point(const char *text)
{
    char *rest;
    point read = {.target = ""};

    (void)strtoul(text, &rest, 10);
    read.line = (unsigned)strtoul(rest, &rest, 10);
    const char *const word = rest + strspn(rest, " "), *const end = word + strcspn(word, " ");
    read.kind = find_kind(word, (size_t)(end - word));
    read.label = end + strspn(end, " ");
    read.label_length = (int)strlen(read.label);
    for (const char *arrow = end; (arrow = strstr(arrow, " -> ")) != NULL; arrow++) {
        read.target = arrow + 4;
        read.label_length = arrow > read.label ? (int)(arrow - read.label) : 0;
    }
    return read;
}

/* -- the report ---------------------------------------------------------------------------------------------------- */

typedef struct report {
    const char *file;
    point at[STEP + 1]; /* the flow, the task and the step; `kind` NULL: none */
    bool is_untouched;  /* that step was never entered: it stands for its parts */
    bool any;
} report;

static void print_place(report *to, const point *missed)
{
    printf("%s#   %s:%u: ", to->any ? "" : "# never taken:\n", to->file, missed->line);
    to->any = true;
    for (int level = FLOW; level <= STEP && to->at[level].kind; level++)
        printf("%s%.*s", level ? "." : "", to->at[level].label_length, to->at[level].label);
}

/* Or is the target an ending, or another task? */
static bool is_step(const char *target)
{
    return strcmp(target, "done") != 0 && strcmp(target, "fail") != 0 && !strchr(target, ' ');
}

static void print_missed(report *to, const point *missed)
{
    bool const leads = missed->kind->shows == BOTH && *missed->target;

    print_place(to, missed);
    if (missed->kind->shows == TARGET) printf(": %s%s", is_step(missed->target) ? "next " : "", missed->target);
    else if (missed->kind->shows != NOTHING) printf(": %.*s", missed->label_length, missed->label);
    if (leads) printf(" -> %s", missed->target);
    if (missed->kind->shows == VALUE) printf(" was never %s", missed->kind->word);
    putchar('\n');
}

static void take_point(report *to, const char *text, bool was_taken)
{
    point const read = read_point(text);

    if (!read.kind) return;
    bool const is_told = read.kind->level == PART && to->at[STEP].kind && to->is_untouched;
    if (read.kind->level < PART) {
        to->at[read.kind->level] = read;
        for (int level = (int)read.kind->level + 1; level <= STEP; level++) to->at[level].kind = NULL;
        to->is_untouched = read.kind->level == STEP && !was_taken;
    }
    if (read.kind->is_counted && !was_taken && !is_told) print_missed(to, &read);
}

/* The points of a unit stand in the order of its counters; `PLACE` is that in the file. */
static void report_unit(report *to, const uf_coverage_unit *unit, const unsigned char *taken)
{
    size_t *const counters = calloc(unit->count, sizeof *counters); /* by place, from 1; 0: none */

    to->file = uft_shown(unit->source);
    for (size_t i = 0; counters && i < unit->count; i++) {
        size_t const place = unit->points[i] ? strtoul(unit->points[i], NULL, 10) : unit->count;
        if (place < unit->count) counters[place] = i + 1;
    }
    for (size_t place = 0; counters && place < unit->count; place++)
        if (counters[place]) take_point(to, unit->points[counters[place] - 1], taken[counters[place] - 1]);
    free(counters);
}

void uft_report_never(void)
{
    unsigned char const *taken = notes;
    report to = {.any = false};

    for (const uf_coverage_unit *unit = NULL; notes && (unit = uf_coverage_next(unit)) != NULL; taken += unit->count)
        report_unit(&to, unit, taken);
    if (notes && !to.any) printf("# never taken: nothing\n");
}
