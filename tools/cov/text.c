/* SPDX-License-Identifier: MIT */
/* text.c - the report for people, and a merged data file. */
#include "cov.h"

#include <inttypes.h>
#include <string.h>

/* Is the point part of what begins with `first`: a flow's handlers, a task, a step? */
static bool goes_on(const cov_point *first, const cov_point *point)
{
    return point->kind > KIND_STEP || point->kind > first->kind;
}

static cov_share share_of(const cov_file *file, size_t first)
{
    cov_share all = {0};
    cov_add(&all, &file->points[first]);
    for (size_t i = first + 1; i < file->count && goes_on(&file->points[first], &file->points[i]); i++)
        cov_add(&all, &file->points[i]);
    return all;
}

static int name_width; /* of the longest name in the table, with its indent */

static void print_share(FILE *out, cov_share all, int indent, const char *name)
{
    fprintf(out, "%*s%-*s %6zu of %-6zu %5.1f %%", indent, "", name_width - indent, name, all.taken, all.points,
            cov_percent(all));
}

static void print_task(const cov_file *file, size_t at, const cov_place *place, FILE *out)
{
    const char *between = ": ";
    char name[128];
    tool_format(name, sizeof name, "%s.%s", place->in[KIND_FLOW]->label, place->in[KIND_TASK]->label);
    print_share(out, share_of(file, at), 2, name);
    fprintf(out, "   entered %" PRIu64, file->points[at].count);
    for (size_t i = at + 1; i < file->count && file->points[i].kind == KIND_ENDING; i++) {
        cov_point const *const ending = &file->points[i];
        if (!ending->count) continue;
        fprintf(out, "%s%s %" PRIu64, between, ending->label, ending->count);
        between = ", ";
    }
    fputc('\n', out);
}

static void print_step(const cov_file *file, size_t at, FILE *out)
{
    cov_point const *const step = &file->points[at];
    print_share(out, share_of(file, at), 4, step->label);
    fprintf(out, "   entered %" PRIu64, step->count);
    if (cov_runs(step) != step->count) fprintf(out, ", ran %" PRIu64, cov_runs(step));
    fputc('\n', out);
}

/* Or is the target an ending, or another task? */
static bool is_step(const char *target)
{
    return strcmp(target, "done") != 0 && strcmp(target, "fail") != 0 && !strchr(target, ' ');
}

static void print_point(const cov_place *place, const cov_file *file, const cov_point *point, FILE *out)
{
    fprintf(out, "%s:%" PRIu32 ": ", file->name, point->line);
    cov_print_place(out, place, cov_print_plain);
    if (point->kind == KIND_STEP) {
        fputc('\n', out);
        return;
    }
    fputs(": ", out);
    if (point->kind == KIND_STAY) fprintf(out, "%s\n", point->label);
    else if (point->kind == KIND_NEXT) fprintf(out, "%s%s\n", is_step(point->target) ? "next " : "", point->target);
    else if (point->kind == KIND_TRUE || point->kind == KIND_FALSE)
        fprintf(out, "%s was never %s\n", point->label, cov_kinds[point->kind].word);
    else if (*point->target) fprintf(out, "%s -> %s\n", point->label, point->target);
    else fprintf(out, "%s\n", point->label);
}

/* The points that were never taken. For a step that was never entered, only itself. Returns: what precedes the next. */
static const char *print_missed(const cov_file *file, const char *before, FILE *out)
{
    cov_place place = {0};
    for (size_t i = 0; i < file->count; i++) {
        cov_point const *const point = &file->points[i];
        cov_follow(&place, point);
        cov_point const *const step = place.in[KIND_STEP];
        bool const is_told = step && !step->count && point != step;
        if (point->count > 0 || !cov_is_counted(point) || is_told) continue;
        fputs(before, out);
        before = "";
        print_point(&place, file, point, out);
    }
    return before;
}

static void print_groups(const cov_file *file, FILE *out)
{
    const char *between = "  ";
    for (int group = GROUP_NONE + 1; group < (int)GROUP_COUNT; group++) {
        cov_share all = {0};
        for (size_t i = 0; i < file->count; i++) {
            if ((int)cov_kinds[file->points[i].kind].group == group) cov_add(&all, &file->points[i]);
        }
        if (!all.points) continue;
        fprintf(out, "%s%s %zu/%zu", between, cov_groups[group], all.taken, all.points);
        between = ", ";
    }
    fputc('\n', out);
}

static void print_file(const cov_file *file, FILE *out)
{
    cov_place place = {0};
    cov_share all = {0};
    for (size_t i = 0; i < file->count; i++) cov_add(&all, &file->points[i]);
    print_share(out, all, 0, file->name);
    fputc('\n', out);
    print_groups(file, out);
    for (size_t i = 0; i < file->count; i++) {
        cov_follow(&place, &file->points[i]);
        if (file->points[i].kind == KIND_TASK) print_task(file, i, &place, out);
        if (file->points[i].kind == KIND_STEP) print_step(file, i, out);
    }
}

static void widen(size_t length)
{
    if (length < 200 && (int)length > name_width) name_width = (int)length;
}

static void measure_names(const cov_file *file)
{
    size_t flow = 0;
    widen(strlen(file->name));
    for (size_t i = 0; i < file->count; i++) {
        size_t const length = strlen(file->points[i].label);
        if (file->points[i].kind == KIND_FLOW) flow = length;
        if (file->points[i].kind == KIND_TASK) widen(2 + flow + 1 + length);
        if (file->points[i].kind == KIND_STEP) widen(4 + length);
    }
}

void cov_text(const cov_data *data, FILE *out)
{
    const char *before = "\nnever taken:\n";
    for (size_t i = 0; i < data->current; i++) measure_names(&data->files[i]);
    for (size_t i = 0; i < data->current; i++) print_file(&data->files[i], out);
    for (size_t i = 0; i < data->current; i++) before = print_missed(&data->files[i], before, out);
}

/* The current text of a file is the last one. */
void cov_merged(const cov_data *data, FILE *out)
{
    for (size_t i = data->count; i-- > 0;) {
        cov_file const *const file = &data->files[i];
        fprintf(out, "uflow-coverage 2 %016" PRIx64 " %s\n", file->checksum, file->name);
        for (size_t p = 0; p < file->count; p++) {
            cov_point const *const point = &file->points[p];
            fprintf(out, "%" PRIu64 " %" PRIu32 " %" PRIu32 " %s%s%s%s%s\n", point->count, point->place, point->line,
                    cov_kinds[point->kind].word, *point->label ? " " : "", point->label, *point->target ? " -> " : "",
                    point->target);
        }
        fputs("end\n", out);
    }
}
