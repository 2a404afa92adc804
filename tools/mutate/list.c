/* SPDX-License-Identifier: MIT */
/* list.c - the mutants of a runner, and those that its tests reach. */
#include "mutate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first word of a line, which moves on. Returns: allocated; NULL: there is none. */
static char *take_word(const char **line)
{
    size_t const length = strcspn(*line, " ");
    char *const word = length ? tool_copy_printable(*line, length) : NULL;

    *line += length;
    *line += **line == ' ';
    return word;
}

/* "12 door.uflow:33 timeout `timeout 2s -> Late` is never due" */
static void take_mutant(const char *line, void *context)
{
    mutants *const all = context;
    char *rest;
    unsigned long const number = strtoul(line, &rest, 10);
    const char *at = rest + (*rest == ' ');

    if (number < 1 || number > 1000000000 || *rest != ' ') return;
    char *const place = take_word(&at), *const kind = take_word(&at);
    if (!place || !kind) {
        free(place);
        free(kind);
        return;
    }
    all->items = tool_grow(all->items, all->count, sizeof *all->items);
    all->items[all->count++] = (mutant){.number = (unsigned)number,
                                        .place = place,
                                        .kind = kind,
                                        .text = tool_copy_printable(at, strlen(at)),
                                        .state = MUTANT_UNREACHED};
}

void mutate_list(const runner *r, mutants *all)
{
    process p = mutate_start(r, "--list-mutants", NULL, false);
    int const status = mutate_wait(&p, take_mutant, all);

    if (status != 0) tool_die("%s --list-mutants has failed: is it a runner of tests?", r->words[0]);
    if (all->count == 0)
        tool_die("%s has no mutants: name the files of the flows in add_uflow_tests(... MUTANTS), or compile them with "
                 "ufc --mutants",
                 r->words[0]);
}

static void reach(mutants *all, unsigned long number)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].number == number) all->items[i].state = MUTANT_WAITS;
}

typedef struct first_run {
    mutants *all;
    bool has_notes;
    char *failure; /* the first test that has failed */
} first_run;

static void take_note(const char *line, void *context)
{
    static const char notes[] = "# mutants reached:", failure[] = "not ok ";
    first_run *const f = context;
    const char *const name = strstr(line, " - ");
    char *end;

    if (strncmp(line, failure, strlen(failure)) == 0 && name && !f->failure)
        f->failure = tool_copy_printable(name + 3, strlen(name + 3));
    if (strncmp(line, MUTATE_HISTORY, strlen(MUTATE_HISTORY)) == 0 && !f->all->history)
        f->all->history = tool_copy(line + strlen(MUTATE_HISTORY), strlen(line + strlen(MUTATE_HISTORY)));
    if (strncmp(line, notes, strlen(notes)) != 0) return;
    f->has_notes = true;
    for (const char *at = line + strlen(notes); *at == ' '; at = end) {
        unsigned long const number = strtoul(at, &end, 10);
        if (end == at) break;
        reach(f->all, number);
    }
}

double mutate_first_run(const runner *r, mutants *all)
{
    first_run f = {.all = all};
    double const began = mutate_now();
    process p = mutate_start(r, NULL, "0", false);
    int const status = mutate_wait(&p, take_note, &f);

    if (f.failure) tool_die("the tests fail without a mutant: %s", f.failure);
    if (status != 0) tool_die("the tests fail without a mutant: exit status %d", status);
    if (!f.has_notes) tool_die("%s has run no tests", r->words[0]);
    return mutate_now() - began;
}

void mutate_free(mutants *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].place);
        free(all->items[i].kind);
        free(all->items[i].text);
        free(all->items[i].killer);
        free(all->items[i].history);
    }
    free(all->history);
    free(all->items);
}
