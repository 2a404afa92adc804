/* SPDX-License-Identifier: MIT */
/* model.c - the flows of a document as rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

static void set_waits(top_row *row)
{
    char const *const description = top_string(row->flow, "description");
    char const *const keeping = top_string(row->flow, "keeping");
    size_t i;
    json_t *wait;
    char text[192];

    row->waits[0] = '\0';
    if (strcmp(keeping, "kept") != 0) top_write(row->waits, sizeof row->waits, "%s", keeping);
    json_array_foreach(json_object_get(row->flow, "waits"), i, wait)
    {
        top_wait_text(wait, text, sizeof text);
        top_append(row->waits, sizeof row->waits, "%s%s", *row->waits ? ", " : "", text);
    }
    if (top_number(row->flow, "waits_cut") > 0)
        top_append(row->waits, sizeof row->waits, " and %.0f more", top_number(row->flow, "waits_cut"));
    if (!row->running) top_write(row->waits, sizeof row->waits, "%s", top_string(row->flow, "reason"));
    else if (*description) top_append(row->waits, sizeof row->waits, "%s\"%s\"", *row->waits ? "  " : "", description);
    tool_make_printable(row->waits);
}

/* The flow of the first wait that names one: a flow that must end, receive or stop, or has armed the checkpoint. */
static const char *awaited_by(const json_t *flow)
{
    size_t i;
    json_t *wait;

    json_array_foreach(json_object_get(flow, "waits"), i, wait)
    {
        char const *const path = top_string(wait, "flow"), *const armer = top_string(wait, "armed_by");
        if (*path || *armer) return *path ? path : armer;
    }
    return NULL;
}

/* The event of the last end may have left the recorder. */
static void count_last(top_row *row, const char *outcome)
{
    double *const of = strcmp(outcome, "done") == 0        ? &row->done
                       : strcmp(outcome, "failed") == 0    ? &row->failures
                       : strcmp(outcome, "cancelled") == 0 ? &row->cancelled
                                                           : NULL;
    if (of && *of < 1) *of = 1;
}

static void set_row(top_row *row, const json_t *flow, double now)
{
    json_t const *const counts = json_object_get(flow, "counts"), *const known = counts ? counts : flow;
    json_t const *const ended = json_object_get(flow, "ended_at");
    char const *const outcome = top_string(flow, "outcome");

    *row = (top_row){
        .flow = flow,
        .path = top_string(flow, "path"),
        .parent = top_string(flow, "parent"),
        .in_step = top_number(flow, "in_step"),
        .ended = ended ? now - json_number_value(ended) : -1,
        .runs = top_number(flow, "runs"),
        .done = top_number(known, "done"),
        .failures = top_number(known, "failed"),
        .cancelled = top_number(known, "cancelled"),
        .awaited = awaited_by(flow),
        .running = strcmp(outcome, "running") == 0,
        .failed = strcmp(outcome, "failed") == 0,
    };
    count_last(row, outcome);
    if (!row->running) top_write(row->position, sizeof row->position, "(%s)", outcome);
    else if (!*top_string(flow, "step")) top_write(row->position, sizeof row->position, "(starts)");
    else
        top_write(row->position, sizeof row->position, "%s.%s:%.0f", top_string(flow, "task"), top_string(flow, "step"),
                  top_number(flow, "line"));
    tool_make_printable(row->position);
    set_waits(row);
}

static int by_path(const void *one, const void *other)
{
    return strcmp((*(top_row *const *)one)->path, (*(top_row *const *)other)->path);
}

/* Among `shown`, which is sorted by path. */
static top_row *find(const top_model *model, const char *path)
{
    top_row const key = {.path = path};
    top_row const *const at = &key;
    top_row **const found = path && model->count ? bsearch(&at, model->shown, model->count, sizeof at, by_path) : NULL;
    return found ? *found : NULL;
}

/* A flow whose chain of awaited flows ends in a cycle is behind that cycle. A walk ends where one has been before, and
 * gives what is known there to all flows on its way. */
static void mark_behind(const top_model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        top_row *const first = &model->rows[i], *end = first;
        for (; end && !end->is_walked; end = find(model, end->awaited)) end->is_walked = true;
        for (top_row *at = first; at && at != end; at = find(model, at->awaited)) at->behind = end ? end->behind : 0;
    }
}

static void mark_cycles(top_model *model)
{
    size_t i, j;
    json_t *cycle, *member;

    for (size_t row = 0; row < model->count; row++) model->shown[row] = &model->rows[row];
    qsort(model->shown, model->count, sizeof *model->shown, by_path);
    json_array_foreach(json_object_get(model->document, "cycles"), i, cycle)
    {
        json_array_foreach(cycle, j, member)
        {
            top_row *const row = find(model, top_string(member, "flow"));
            if (!row) continue;
            row->in_cycle = row->is_walked = true;
            if (!row->behind) row->behind = i + 1;
        }
    }
    mark_behind(model);
}

void top_model_set(top_model *model, json_t *document)
{
    json_t *const flows = json_object_get(document, "flows");
    double const now = top_number(json_object_get(document, "runtime"), "time");
    size_t i;
    json_t *flow;

    json_decref(model->document);
    model->document = document;
    model->count = 0;
    model->rows = tool_resize(model->rows, json_array_size(flows), sizeof *model->rows);
    model->shown = tool_resize(model->shown, json_array_size(flows), sizeof *model->shown);
    json_array_foreach(flows, i, flow)
    {
        if (json_is_object(flow)) set_row(&model->rows[model->count++], flow, now);
    }
    mark_cycles(model);
}

void top_model_free(top_model *model)
{
    json_decref(model->document);
    free(model->rows);
    free(model->shown);
}
