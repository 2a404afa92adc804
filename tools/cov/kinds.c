/* kinds.c - the tables of kinds.def, and what follows from them. */
#include "cov.h"

const cov_kind_info cov_kinds[KIND_COUNT] = {
#define KIND(id, word, group, traits) [KIND_##id] = {word, GROUP_##group, traits},
#include "kinds.def"
};

const char *const cov_groups[GROUP_COUNT] = {
    "",
#define GROUP(id, title) title,
#include "kinds.def"
};

/* The point of the further runs follows that of the step. */
uint64_t cov_runs(const cov_point *point)
{
    if (point->kind != KIND_STEP) return point->count;
    return point->count > UINT64_MAX - point[1].count ? UINT64_MAX : point->count + point[1].count;
}

bool cov_is_counted(const cov_point *point)
{
    return cov_kinds[point->kind].group != GROUP_NONE;
}

double cov_percent(const cov_data *data)
{
    size_t points = 0, taken = 0;

    for (size_t f = 0; f < data->count; f++) {
        cov_file const *const file = &data->files[f];
        for (size_t i = 0; file->is_current && i < file->count; i++) {
            points += cov_is_counted(&file->points[i]);
            taken += cov_is_counted(&file->points[i]) && file->points[i].count > 0;
        }
    }
    return points ? 100.0 * (double)taken / (double)points : 100;
}

void cov_follow(cov_place *place, const cov_point *point)
{
    if (point->kind == KIND_FLOW) *place = (cov_place){.flow = point};
    if (point->kind == KIND_TASK) *place = (cov_place){.flow = place->flow, .task = point};
    if (point->kind == KIND_STEP) place->step = point;
}

void cov_print_plain(FILE *out, const char *text)
{
    fputs(text, out);
}

void cov_print_place(FILE *out, const cov_place *place, void (*print)(FILE *, const char *))
{
    cov_point const *const parts[] = {place->flow, place->task, place->step};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i]) continue;
        if (i) fputc('.', out);
        print(out, parts[i]->label);
    }
}
