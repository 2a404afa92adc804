/* SPDX-License-Identifier: MIT */
/* steps.c - how often steps were visited: visits that have ended, by the events, and those of the flows that run. */
#include "inspecting.h"

#include <stdlib.h>

typedef struct step_list {
    ufi_step_counts *steps;
    uint32_t count, most;
    ufi_step_counts *running; /* one for each step that flows are in, sorted; NULL: no memory */
    uint32_t running_count;
} step_list;

static int by_step(const void *one, const void *other)
{
    ufi_step_counts const *const a = one, *const b = other;
    if (a->type != b->type) return (uintptr_t)a->type < (uintptr_t)b->type ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

static void add(ufi_step_counts *to, const ufi_step_counts *more)
{
    to->visits += more->visits;
    to->running += more->running;
    to->ticks += more->ticks;
    to->total = uf_time_add(to->total, more->total);
    if (more->longest > to->longest) to->longest = more->longest;
}

/* Keeps the list sorted and no longer than it may be. */
static void insert(step_list *list, const ufi_step_counts *step)
{
    uint32_t at = list->count;

    while (at > 0 && list->steps[at - 1].ticks < step->ticks) at--;
    if (at == list->most) return;
    uint32_t const kept = list->count < list->most ? list->count : list->most - 1;
    memmove(list->steps + at + 1, list->steps + at, (kept - at) * sizeof *list->steps);
    list->steps[at] = *step;
    list->count = kept + 1;
}

static void insert_ended(void *context, const ufi_step_counts *step)
{
    step_list *const list = context;
    ufi_step_counts *const running =
        list->running_count ? bsearch(step, list->running, list->running_count, sizeof *list->running, by_step) : NULL;

    if (running) add(running, step); /* which is inserted later */
    else insert(list, step);
}

static void collect_running(step_list *list, const ufi_snapshot *snapshot)
{
    uint32_t count = 0;

    list->running = ufp_allocate((snapshot->count + 1) * sizeof *list->running);
    for (uint32_t i = 0; list->running && i < snapshot->count; i++) {
        ufi_seen const *const seen = &snapshot->flows[i];
        if (!seen->view.running || seen->step >= seen->type->step_count) continue;
        list->running[count++] = (ufi_step_counts){
            .type = seen->type,
            .step = seen->step,
            .visits = 1,
            .running = 1,
            .ticks = seen->ticks,
            .total = seen->view.elapsed,
            .longest = seen->view.elapsed,
        };
    }
    if (count > 1) qsort(list->running, count, sizeof *list->running, by_step);
    for (uint32_t i = 0; i < count; i++) {
        ufi_step_counts *const last = list->running_count ? &list->running[list->running_count - 1] : NULL;
        if (last && by_step(last, &list->running[i]) == 0) add(last, &list->running[i]);
        else list->running[list->running_count++] = list->running[i];
    }
}

uint32_t ufi_steps(const ufi_snapshot *snapshot, const ufi_events *events, ufi_step_counts *steps, uint32_t most)
{
    step_list list = {.steps = steps, .most = most};

    collect_running(&list, snapshot);
    if (events) ufi_events_steps(events, insert_ended, &list);
    for (uint32_t i = 0; i < list.running_count; i++) insert(&list, &list.running[i]);
    ufp_free(list.running);
    return list.count;
}
