/* model.c - the flows of a document as rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

static void set_waits(top_row *row)
{
    char const *const description = top_string(row->flow, "description");
    size_t i;
    json_t *wait;
    char text[192];

    row->waits[0] = '\0';
    json_array_foreach(json_object_get(row->flow, "waits"), i, wait)
    {
        top_wait_text(wait, text, sizeof text);
        top_append(row->waits, sizeof row->waits, "%s%s", i ? ", " : "", text);
    }
    if (top_number(row->flow, "waits_cut") > 0)
        top_append(row->waits, sizeof row->waits, " and %.0f more", top_number(row->flow, "waits_cut"));
    if (!row->running) top_write(row->waits, sizeof row->waits, "%s", top_string(row->flow, "reason"));
    else if (*description) top_append(row->waits, sizeof row->waits, "%s\"%s\"", *row->waits ? "  " : "", description);
    top_make_printable(row->waits);
}

static void set_row(top_row *row, const json_t *flow)
{
    json_t const *const counts = json_object_get(flow, "counts");
    char const *const outcome = top_string(flow, "outcome");

    *row = (top_row){
        .flow = flow,
        .path = top_string(flow, "path"),
        .parent = top_string(flow, "parent"),
        .in_step = top_number(flow, "in_step"),
        .runs = top_number(flow, "runs"),
        .failures = top_number(counts ? counts : flow, "failed"),
        .running = strcmp(outcome, "running") == 0,
        .failed = strcmp(outcome, "failed") == 0,
    };
    if (row->failed && row->failures < 1) row->failures = 1; /* its event is not in the recorder any more */
    if (!row->running) top_write(row->position, sizeof row->position, "(%s)", outcome);
    else if (!*top_string(flow, "step")) top_write(row->position, sizeof row->position, "(starts)");
    else
        top_write(row->position, sizeof row->position, "%s.%s:%.0f", top_string(flow, "task"), top_string(flow, "step"),
                  top_number(flow, "line"));
    top_make_printable(row->position);
    set_waits(row);
}

static void mark_cycles(top_model *model)
{
    size_t i, j;
    json_t *cycle, *member;

    json_array_foreach(json_object_get(model->document, "cycles"), i, cycle)
    {
        json_array_foreach(cycle, j, member)
        {
            for (size_t row = 0; row < model->count; row++) {
                if (strcmp(model->rows[row].path, top_string(member, "flow")) == 0) model->rows[row].in_cycle = true;
            }
        }
    }
}

void top_model_set(top_model *model, json_t *document)
{
    json_t *const flows = json_object_get(document, "flows");
    size_t i;
    json_t *flow;

    json_decref(model->document);
    model->document = document;
    model->count = json_array_size(flows);
    model->rows = tool_resize(model->rows, model->count, sizeof *model->rows);
    model->shown = tool_resize(model->shown, model->count, sizeof *model->shown);
    json_array_foreach(flows, i, flow) set_row(&model->rows[i], flow);
    mark_cycles(model);
}

void top_model_free(top_model *model)
{
    json_decref(model->document);
    free(model->rows);
    free(model->shown);
}
