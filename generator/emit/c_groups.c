/* SPDX-License-Identifier: MIT */
/* Groups: the functions that enter and leave them. */
#include "c_parts.h"
#include "fragment.h"

uint32_t row_of_group(const writer *w, const ir_group *group)
{
    const ir_flow *const flow = &w->unit->flows[group->flow];
    return flow->tasks.count + (uint32_t)(group - &w->unit->groups[flow->groups.first]);
}

uint32_t row_of_task(const writer *w, const ir_task *task)
{
    return (uint32_t)(task - &w->unit->tasks[w->unit->flows[task->flow].tasks.first]);
}

static const char *name_of_entry(const writer *w, const ir_group *group)
{
    return cname_handler(w, &(part){.group = group}, ON_ENTER);
}

static void put_call_of_entry(writer *w, uint32_t group, const char *otherwise)
{
    if (group == IR_NONE) return;
    put(w, "    if (!", name_of_entry(w, &w->unit->groups[group]), "(flow)) return ", otherwise, ";\n");
}

void put_entry_of_groups(writer *w, const ir_task *task)
{
    put_call_of_entry(w, entered_group(w, task->group), "uf_stay()");
    if (is_noted(w, task)) put(w, "    uf_enter_place(&flow->uf_inside, ", row_of_task(w, task), ");\n");
}

/* A failed `on enter` has entered its group, so that its `on exit` follows. */
static void emit_enter(writer *w, const ir_group *group)
{
    put(w, "static uf_bool ", name_of_entry(w, group), "(", w->unit->flows[group->flow].name, " *flow)\n{\n");
    put_call_of_entry(w, entered_group(w, group->outer), "0");
    put(w, "    if (!uf_enter_group(&flow->uf, &flow->uf_inside, ", row_of_group(w, group),
        ")) return 1; /* the flow is in it */\n");
    put_timeouts(w, group->preempts);
    put_on_enter(w, &group->handlers[ON_ENTER], COVER_GROUP_ENTER, (uint32_t)(group - w->unit->groups));
    put_companions(w, group->preempts);
    put(w, "    return !uf_failing(&flow->uf);\n}\n\n");
}

void emit_groups(writer *w, const ir_flow *flow)
{
    IR_EACH (ir_group, group, w->unit->groups, flow->groups) {
        put_heading(w, ARENA_CONCAT(w->names, "group ", flow->name, ".", group->name));
        if (group->is_entered) emit_enter(w, group);
        for (handler_kind on = ON_EXIT; on <= ON_RESUME; on++) emit_handler(w, &(part){flow, NULL, group}, on);
        emit_preempts(w, flow, group->preempts);
    }
}
