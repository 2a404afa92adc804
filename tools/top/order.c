/* SPDX-License-Identifier: MIT */
/* order.c - which flows are shown, and in which order. */
#include <stdlib.h>
#include <string.h>

#include "top.h"

static bool passes(const top_row *row, const char *filter)
{
    return !*filter || strcasestr(row->path, filter) || strcasestr(row->position, filter) ||
           strcasestr(row->waits, filter);
}

/* -- sorting ------------------------------------------------------------------------------------------------------- */

static top_sort sorted_by; /* qsort() passes no context */

static int larger_first(double a, double b)
{
    return (a < b) - (a > b);
}

/* Compares digits as numbers: x[2] comes before x[10]. */
static int by_path(const char *a, const char *b)
{
    return strverscmp(a, b);
}

static int compare(const void *one, const void *other)
{
    top_row const *const a = *(top_row *const *)one, *const b = *(top_row *const *)other;
    int order = 0;

    switch (sorted_by) {
    case TOP_BY_STEP_TIME: order = larger_first(a->running ? a->in_step : -1, b->running ? b->in_step : -1); break;
    case TOP_BY_RUNS: order = larger_first(a->runs, b->runs); break;
    case TOP_BY_FAILURES: order = larger_first(a->failures, b->failures); break;
    case TOP_BY_NONE: return (a > b) - (a < b);
    case TOP_BY_PATH:
    case TOP_SORTS: break;
    }
    return order ? order : by_path(a->path, b->path);
}

/* -- the tree ------------------------------------------------------------------------------------------------------ */

static int compare_paths(const void *one, const void *other)
{
    return strcmp((*(top_row *const *)one)->path, (*(top_row *const *)other)->path);
}

/* The row with this path among rows that are sorted by path. */
static top_row *find(top_row **sorted, size_t count, const char *path)
{
    top_row const key = {.path = path};
    top_row const *const key_pointer = &key;
    top_row **const found = count ? bsearch(&key_pointer, sorted, count, sizeof *sorted, compare_paths) : NULL;
    return found ? *found : NULL;
}

/* Each flow below the nearest one that contains it and is shown, in the order of `shown`. */
static void make_tree(top_model *model)
{
    top_row **const sorted = tool_resize(NULL, model->shown_count, sizeof *sorted), *first = NULL, *at;
    size_t count = 0;

    memcpy(sorted, model->shown, model->shown_count * sizeof *sorted);
    qsort(sorted, model->shown_count, sizeof *sorted, compare_paths);
    for (size_t i = model->shown_count; i-- > 0;) {
        top_row *const row = model->shown[i], *const parent = find(sorted, model->shown_count, row->parent);
        top_row **const list = parent && parent != row ? &parent->child : &first;
        row->sibling = *list;
        *list = row;
    }
    top_row **const open = sorted; /* the flows below which the next one is: no more than there are */
    size_t depth = 0;
    for (at = first; at;) {
        at->depth = (unsigned)depth;
        model->shown[count++] = at;
        if (at->child) {
            open[depth++] = at;
            at = at->child;
            continue;
        }
        while (!at->sibling && depth > 0) at = open[--depth];
        at = at->sibling;
    }
    model->shown_count = count;
    free(sorted);
}

void top_model_order(top_model *model, const top_options *options)
{
    model->shown_count = 0;
    for (size_t i = 0; i < model->count; i++) {
        top_row *const row = &model->rows[i];
        row->child = row->sibling = NULL;
        row->depth = 0;
        if (passes(row, options->filter)) model->shown[model->shown_count++] = row;
    }
    sorted_by = options->sort;
    qsort(model->shown, model->shown_count, sizeof *model->shown, compare);
    if (options->tree) make_tree(model);
}
