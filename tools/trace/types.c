/* SPDX-License-Identifier: MIT */
/* types.c - what is known about a type of flows: names and lines of tasks and steps, edges, jobs, handlers. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include "uflow/generated/descriptors.h"

/* Makes room for an index of a table, zeroed. Tables are defined in order, so another index is damage. */
static bool make_room(void **table, uint32_t *count, uint32_t index, size_t size)
{
    if (index > *count) return false;
    if (index < *count) return true;
    *table = tool_grow(*table, *count, size);
    memset((char *)*table + index * size, 0, size);
    ++*count;
    return true;
}

static void set_name(const char **name, const char *text)
{
    free((char *)(uintptr_t)*name);
    *name = trace_copy_name(text, strlen(text));
}

void trace_set_task(trace_type *type, uint32_t index, const char *name, uint32_t line)
{
    if (!make_room((void **)&type->tasks, &type->task_count, index, sizeof *type->tasks)) return;
    set_name(&type->tasks[index].name, name);
    type->tasks[index].line = line;
}

void trace_set_step(trace_type *type, uint32_t index, uint32_t task, const char *name, uint32_t line)
{
    if (!make_room((void **)&type->steps, &type->step_count, index, sizeof *type->steps)) return;
    trace_step *const step = &type->steps[index];
    set_name(&step->name, name);
    step->line = line;
    step->task = task;
}

void trace_set_job(trace_type *type, uint32_t index, const char *name)
{
    if (make_room((void **)&type->jobs, &type->job_count, index, sizeof *type->jobs))
        set_name(&type->jobs[index], name);
}

void trace_set_handler(trace_type *type, uint32_t index, trace_handler handler)
{
    if (make_room((void **)&type->handlers, &type->handler_count, index, sizeof *type->handlers))
        type->handlers[index] = handler;
}

uint32_t trace_end_by(uint32_t kind)
{
    return kind << 16 | UF_NO_STEP;
}

size_t *trace_edge_at(trace_type *type, uint32_t from, uint32_t to)
{
    return tool_table_at(&type->edge_numbers, (uint64_t)from << 32 | to);
}

static void add_edge(trace_type *type, uint32_t from, uint32_t to, trace_edge edge)
{
    type->edges = tool_grow(type->edges, type->edge_count, sizeof *type->edges);
    type->edges[type->edge_count++] = edge;
    size_t *const number = trace_edge_at(type, from, to == UF_NO_STEP ? trace_end_by(edge.kind) : to);
    *number = *number ? SIZE_MAX : type->edge_count;
}

/* A part of a type. */
void trace_define_part(trace_type *type, const uf_trace_cell *cell, const char *text)
{
    uint32_t const index = cell->a & 0xffff, upper = cell->a >> 16;

    switch (UF_CELL_KIND(cell->what)) {
    case UF_DEFINE_TASK: trace_set_task(type, index, text, cell->b); return;
    case UF_DEFINE_PLACE: trace_set_step(type, index, upper, text, cell->b); return;
    case UF_DEFINE_JOB: trace_set_job(type, index, text); return;
    case UF_DEFINE_HANDLER: trace_set_handler(type, index, (trace_handler){cell->b, upper}); return;
    case UF_DEFINE_EDGE: add_edge(type, index, upper, (trace_edge){cell->b & UF_CELL_OBJECT, cell->b >> 24}); return;
    default: return; /* of a later version */
    }
}

void trace_free_type(trace_type *type)
{
    for (uint32_t i = 0; i < type->step_count; i++) free((char *)(uintptr_t)type->steps[i].name);
    for (uint32_t i = 0; i < type->task_count; i++) free((char *)(uintptr_t)type->tasks[i].name);
    for (uint32_t i = 0; i < type->job_count; i++) free((char *)(uintptr_t)type->jobs[i]);
    free((char *)(uintptr_t)type->source);
    free(type->tasks);
    free(type->steps);
    free(type->edges);
    tool_table_free(&type->edge_numbers);
    free((void *)type->jobs);
    free(type->handlers);
    free(type);
}
