/* SPDX-License-Identifier: MIT */
/* kinds.c - the tables of kinds.def, and functions of them. */
#include "cov.h"

#include <stdlib.h>

const cov_kind_info cov_kinds[KIND_COUNT] = {
#define KIND(id, word, group, inside, traits) [KIND_##id] = {word, GROUP_##group, inside, traits},
#include "kinds.def"
};

const char *const cov_groups[GROUP_COUNT] = {
    "",
#define GROUP(id, title) title,
#include "kinds.def"
};

uint64_t cov_runs(const cov_point *point)
{
    return point->count + point->again;
}

/* -- shares -------------------------------------------------------------------------------------------------------- */

bool cov_is_counted(const cov_point *point)
{
    return cov_kinds[point->kind].group != GROUP_NONE;
}

void cov_add(cov_share *to, const cov_point *point)
{
    to->points += cov_is_counted(point);
    to->taken += cov_is_counted(point) && point->count > 0;
}

double cov_percent(cov_share share)
{
    return share.points ? 100.0 * (double)share.taken / (double)share.points : 100;
}

cov_share cov_share_of(const cov_data *data)
{
    cov_share all = {0};
    for (size_t f = 0; f < data->current; f++) {
        for (size_t i = 0; i < data->files[f].count; i++) cov_add(&all, &data->files[f].points[i]);
    }
    return all;
}

/* -- places -------------------------------------------------------------------------------------------------------- */

void cov_follow(cov_place *place, const cov_point *point)
{
    for (int kind = KIND_FLOW; kind <= KIND_STEP; kind++) {
        if (point->kind == (cov_kind)kind) place->in[kind] = point;
        if (point->kind < (cov_kind)kind) place->in[kind] = NULL;
    }
}

void cov_print_plain(FILE *out, const char *text)
{
    fputs(text, out);
}

void cov_print_place(FILE *out, const cov_place *place, void (*print)(FILE *, const char *))
{
    for (int kind = KIND_FLOW; kind <= KIND_STEP && place->in[kind]; kind++) {
        if (kind > KIND_FLOW) fputc('.', out);
        print(out, place->in[kind]->label);
    }
}

/* -- lines --------------------------------------------------------------------------------------------------------- */

static int by_line(const void *left, const void *right)
{
    cov_point const *const a = *(cov_point const *const *)left, *const b = *(cov_point const *const *)right;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a > b) - (a < b);
}

const cov_point **cov_by_line(const cov_file *file, unsigned trait)
{
    cov_point const **const points = tool_resize(NULL, file->count + 1, sizeof *points);
    size_t count = 0;

    for (size_t i = 0; i < file->count; i++) {
        if (cov_kinds[file->points[i].kind].traits & trait) points[count++] = &file->points[i];
    }
    qsort((void *)points, count, sizeof *points, by_line);
    points[count] = NULL;
    return points;
}

uint64_t cov_line_count(const cov_point *const **at)
{
    uint64_t most = 0;
    for (uint32_t const line = (**at)->line; **at && (**at)->line == line; ++*at) {
        if (cov_runs(**at) > most) most = cov_runs(**at);
    }
    return most;
}
