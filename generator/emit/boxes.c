/* SPDX-License-Identifier: MIT */
#include "boxes.h"

#include <string.h>

/* Indents the lines that were written since then. */
static void indent_since(writer *w, size_t begin, const boxes *how)
{
    size_t const length = w->out->length - begin;
    const char *const text = arena_copy(w->names, w->out->text + begin, length), *const end = text + length;
    w->out->length = begin;
    for (const char *line = text; line < end;) {
        const char *const newline = memchr(line, '\n', (size_t)(end - line));
        size_t const size = (size_t)((newline ? newline + 1 : end) - line);
        bool const is_blank = size <= how->margin + 1;
        buffer_append(w->out, line, is_blank ? size : how->margin);
        if (!is_blank) put(w, how->indent);
        if (!is_blank) buffer_append(w->out, line + how->margin, size - how->margin);
        line += size;
    }
}

/* Writes the tasks from *task on that are in the group, or in one inside it. */
static void put_inside(writer *w, const ir_flow *flow, uint32_t group, uint32_t *task, const boxes *how)
{
    const ir_unit *const u = w->unit;
    while (*task < flow->tasks.count) {
        const ir_task *const one = &u->tasks[flow->tasks.first + *task];
        uint32_t inner = one->group;
        if (inner == group) {
            how->task(w, one);
            ++*task;
            continue;
        }
        while (inner != IR_NONE && u->groups[inner].outer != group) inner = u->groups[inner].outer;
        if (inner == IR_NONE) return; /* it is outside of this group */
        how->begin(w, &u->groups[inner]);
        size_t const begin = w->out->length;
        put_inside(w, flow, inner, task, how);
        indent_since(w, begin, how);
        put(w, how->end);
    }
}

void put_boxes(writer *w, const ir_flow *flow, const boxes *how)
{
    uint32_t task = 0;
    put_inside(w, flow, IR_NONE, &task, how);
}
