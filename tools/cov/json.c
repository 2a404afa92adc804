/* SPDX-License-Identifier: MIT */
/* json.c - all counts as JSON, in the structure of the .uflow files; docs/uflow-cov.md describes it. */
#include "cov.h"

#include <inttypes.h>

/* The texts are printable. */
void cov_print_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
}

void cov_print_json(FILE *out, const char *text)
{
    fputc('"', out);
    cov_print_escaped(out, text);
    fputc('"', out);
}

/* -- the structure ------------------------------------------------------------------------------------------------- */

/* The state of the output: each function prints the points from `at` on that it knows, and moves on. */
typedef struct walk {
    const cov_file *file;
    size_t at;
    FILE *out;
} walk;

static const cov_point *point_of(const walk *w, cov_kind kind)
{
    bool const is_there = w->at < w->file->count && w->file->points[w->at].kind == kind;
    return is_there ? &w->file->points[w->at] : NULL;
}

static void print_named(const walk *w, const cov_point *point, const char *indent)
{
    fprintf(w->out, "%s{\"name\": ", indent);
    cov_print_json(w->out, point->label);
    fprintf(w->out, ", \"line\": %" PRIu32 ", \"count\": %" PRIu64, point->line, point->count);
}

/* Prints handlers, including those that preempt. */
static void print_handlers(walk *w)
{
    const char *between = "";
    fputs(", \"handlers\": [", w->out);
    for (; point_of(w, KIND_HANDLER) || point_of(w, KIND_PREEMPT) || point_of(w, KIND_FAILURE); w->at++) {
        cov_point const *const point = &w->file->points[w->at];
        fprintf(w->out, "%s{\"label\": ", between);
        cov_print_json(w->out, point->label);
        if (*point->target) fputs(", \"target\": ", w->out);
        if (*point->target) cov_print_json(w->out, point->target);
        fprintf(w->out, ", \"line\": %" PRIu32 ", \"count\": %" PRIu64 "}", point->line, point->count);
        between = ", ";
    }
    fputc(']', w->out);
}

static void print_edge(walk *w, const cov_point *edge)
{
    fprintf(w->out, "{\"on\": \"%s\", \"label\": ", cov_kinds[edge->kind].word);
    cov_print_json(w->out, edge->label);
    fputs(", \"target\": ", w->out);
    cov_print_json(w->out, edge->target);
    fprintf(w->out, ", \"line\": %" PRIu32 ", \"count\": %" PRIu64, edge->line, edge->count);
    for (w->at++; point_of(w, KIND_TRUE) || point_of(w, KIND_FALSE); w->at++) {
        cov_point const *const value = &w->file->points[w->at];
        fprintf(w->out, ", \"%s\": %" PRIu64, cov_kinds[value->kind].word, value->count);
    }
    fputc('}', w->out);
}

static void print_step(walk *w)
{
    const char *between = "\n              ";
    cov_point const *const step = &w->file->points[w->at++];
    print_named(w, step, "\n            ");
    fprintf(w->out, ", \"runs\": %" PRIu64 ", \"edges\": [", cov_runs(step));
    while (w->at < w->file->count && w->file->points[w->at].kind > KIND_STEP) {
        cov_point const *const point = &w->file->points[w->at];
        if (!(cov_kinds[point->kind].traits & EDGE)) {
            w->at++;
            continue;
        }
        fputs(between, w->out);
        print_edge(w, point);
        between = ",\n              ";
    }
    fputs("]}", w->out);
}

static void print_task(walk *w)
{
    const char *between = "";
    print_named(w, &w->file->points[w->at++], "\n        ");
    fputs(", \"endings\": {", w->out);
    for (const cov_point *ending; (ending = point_of(w, KIND_ENDING)) != NULL; w->at++, between = ", ") {
        fputs(between, w->out);
        cov_print_json(w->out, ending->label);
        fprintf(w->out, ": %" PRIu64, ending->count);
    }
    fputc('}', w->out);
    print_handlers(w);
    fputs(", \"steps\": [", w->out);
    for (between = ""; point_of(w, KIND_STEP); between = ",") {
        fputs(between, w->out);
        print_step(w);
    }
    fputs("]}", w->out);
}

static void print_flow(walk *w)
{
    const char *between = "";
    print_named(w, &w->file->points[w->at++], "\n    ");
    print_handlers(w);
    fputs(", \"tasks\": [", w->out);
    for (; point_of(w, KIND_TASK); between = ",") {
        fputs(between, w->out);
        print_task(w);
    }
    fputs("]}", w->out);
}

void cov_json(const cov_data *data, FILE *out)
{
    const char *between = "";
    fprintf(out, "{\"format\": \"uflow-cov\", \"version\": 1, \"percent\": %.2f, \"files\": [",
            cov_percent(cov_share_of(data)));
    for (size_t i = 0; i < data->current; i++) {
        walk w = {.file = &data->files[i], .out = out};
        fprintf(out, "%s\n  {\"file\": ", between);
        cov_print_json(out, w.file->name);
        fprintf(out, ", \"checksum\": \"%016" PRIx64 "\", \"flows\": [", w.file->checksum);
        for (between = ""; point_of(&w, KIND_FLOW); between = ",") {
            fputs(between, out);
            print_flow(&w);
        }
        fputs("]}", out);
        between = ",";
    }
    fputs("]}\n", out);
}
