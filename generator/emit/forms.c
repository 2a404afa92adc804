/* SPDX-License-Identifier: MIT */
#include "forms.h"

#include <string.h>

#include "fragment.h"

subject subject_of(const writer *w, const ir_task *task)
{
    return (subject){.flow = &w->unit->flows[task->flow], .task = task};
}

static void put_parameters_of(writer *w, const subject *of, ir_range params)
{
    if (of->has_names) put_variables(w, params, ", ", "");
    else put_hidden_parameters(w, params);
}

static void put_result(writer *w, const ir_task *task)
{
    if (!task->has_result) return;
    put(w, ", ");
    put_variable(w, &task->result, "*uf_out", false);
}

static void put_hole(writer *w, const subject *of, char hole)
{
    ir_range const params = of->task ? of->task->params : of->flow->params;
    switch (hole) {
    case 'L': put(w, of->flow->is_test ? "static " : ""); break;
    case 'F': put(w, of->flow->name); break;
    case 'T': put(w, of->task->name); break;
    case 'M': put(w, of->pool ? of->pool->name : of->mailbox->item.name); break;
    case 'C': put(w, w->unit->flows[of->pool->flow].name); break;
    case 'P': put_parameters_of(w, of, params); break;
    case 'A': put_arguments(w, params, HIDDEN_PREFIX); break;
    case 'S': put_stores(w, params, ARENA_CONCAT(w->names, task_place(w, of->task), "."), HIDDEN_PREFIX); break;
    case 'I': put_variable(w, &of->mailbox->item, "uf_item", false); break;
    case 'J': put_variable(w, &of->mailbox->item, "*uf_item", false); break;
    case 'R': put_result(w, of->task); break;
    default: put_line(w, ""); break;
    }
}

void put_form(writer *w, const subject *of, const char *text)
{
    for (const char *hole; (hole = strchr(text, '$')) != NULL; text = hole + 2) {
        buffer_append(w->out, text, (size_t)(hole - text));
        put_hole(w, of, hole[1]);
    }
    put(w, text);
}
