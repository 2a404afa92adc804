/* lines.c - counts by line, for other tools. */
#include "cov.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
    const cov_line *const one = a, *const other = b;
    return one->number < other->number ? -1 : one->number > other->number;
}

/* Of several points on a line, the largest count is that of the line: a step and its only `next`, for example. */
cov_line *cov_lines(const cov_file *file, size_t *count)
{
    cov_line *const lines = tool_resize(NULL, file->count, sizeof *lines);
    size_t all = 0;

    for (size_t i = 0; i < file->count; i++) {
        cov_point const *const point = &file->points[i];
        if (cov_kinds[point->kind].traits & LINE) lines[all++] = (cov_line){point->line, cov_runs(point)};
    }
    qsort(lines, all, sizeof *lines, by_number);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        cov_line *const last = *count ? &lines[*count - 1] : NULL;
        if (!last || last->number != lines[i].number) lines[(*count)++] = lines[i];
        else if (last->count < lines[i].count) last->count = lines[i].count;
    }
    return lines;
}

bool cov_is_reached(const cov_place *place)
{
    return (place->step ? place->step : place->task ? place->task : place->flow)->count > 0;
}
