/* SPDX-License-Identifier: MIT */
/* map.c - names, lines and edges of types from the JSON of `ufc --emit=json`. */
#include "reader.h"

#include <string.h>

#if defined(TRACE_JANSSON)
#include <jansson.h>

static const char *text_of(const json_t *object, const char *key)
{
    char const *const text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

static uint32_t line_of(const json_t *object)
{
    json_int_t const line = json_integer_value(json_object_get(object, "line"));
    return line > 0 && line < UINT32_MAX ? (uint32_t)line : 0;
}

/* Adds the handlers of a flow, or of a task or group of that number. */
static void add_handlers(trace_type *type, const json_t *of, uint32_t number)
{
    size_t index;
    json_t *handler;

    json_array_foreach(json_object_get(of, "preempts"), index, handler)
    {
        json_t *const first = json_object_get(handler, "slot"), *const more = json_object_get(handler, "elements");
        json_int_t const slot = json_is_integer(first) ? json_integer_value(first) : -1;
        json_int_t const count = more ? json_integer_value(more) : 1;
        for (json_int_t i = 0; i < count && slot >= 0 && slot + i < UINT16_MAX; i++)
            trace_set_handler(type, (uint32_t)(slot + i), (trace_handler){line_of(handler), number});
    }
}

/* The runtime numbers the steps and jobs of a flow task by task. */
static void add_tasks(trace_type *type, const json_t *flow)
{
    uint32_t steps = 0, jobs = 0;
    uint32_t groups = (uint32_t)json_array_size(json_object_get(flow, "tasks"));
    size_t index, at;
    json_t *task, *part;

    json_array_foreach(json_object_get(flow, "tasks"), index, task)
    {
        trace_set_task(type, (uint32_t)index, text_of(task, "name"), line_of(task));
        add_handlers(type, task, (uint32_t)index);
        json_array_foreach(json_object_get(task, "steps"), at, part)
            trace_set_step(type, steps++, (uint32_t)index, text_of(part, "name"), line_of(part));
        json_array_foreach(json_object_get(task, "jobs"), at, part) trace_set_job(type, jobs++, text_of(part, "name"));
    }
    json_array_foreach(json_object_get(flow, "groups"), index, part)
    {
        trace_set_task(type, groups, text_of(part, "name"), line_of(part));
        add_handlers(type, part, groups++);
    }
}

static bool add_type(void *map, trace_type *type)
{
    size_t index;
    json_t *flow;

    if (!type) {
        json_decref(map);
        return false;
    }
    json_array_foreach(json_object_get(map, "flows"), index, flow)
    {
        if (strcmp(text_of(flow, "name"), type->name) != 0) continue;
        add_tasks(type, flow);
        add_handlers(type, flow, UINT16_MAX);
        return true;
    }
    return false;
}

void trace_read_map(trace_reader *reader, const char *path)
{
    json_error_t error;
    json_t *const map = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (!map) tool_die("%s:%d: %s", path, error.line, error.text);
    trace_use_map(reader, map, add_type);
}

#else

void trace_read_map(trace_reader *reader, const char *path)
{
    (void)reader;
    tool_die("%s: this uflow-trace was built without jansson, so it has no --map", path);
}

#endif
