/* SPDX-License-Identifier: MIT */
/* Groups: the functions that enter and leave them. */
#include "c_parts.h"
#include "cname.h"
#include "cover.h"
#include "fragment.h"

uint32_t row_of_group(const writer *w, uint32_t group)
{
    const ir_flow *const flow = &w->unit->flows[w->unit->groups[group].flow];
    return flow->tasks.count + (group - flow->groups.first);
}

static void put_call_of_entry(writer *w, uint32_t group, const char *otherwise)
{
    if (group == IR_NONE) return;
    put(w, "    if (!", cname_of_group(w, &w->unit->groups[group], "enter"), "(flow)) return ", otherwise, ";\n");
}

void put_entry_of_groups(writer *w, const ir_task *task)
{
    uint32_t const row = (uint32_t)(task - &w->unit->tasks[w->unit->flows[task->flow].tasks.first]);
    put_call_of_entry(w, entered_group(w, task->group), "uf_stay()");
    if (is_noted(w, task)) put(w, "    uf_enter_place(&flow->uf_inside, ", row, ");\n");
}

static void put_head(writer *w, const ir_group *group, const char *result, const char *name)
{
    put(w, "static ", result, " ", name, "(", w->unit->flows[group->flow].name, " *flow");
}

/* A failed `on enter` has entered its group, so that its `on exit` follows. */
static void emit_enter(writer *w, const ir_group *group, uint32_t index)
{
    put_head(w, group, "uf_bool", cname_of_group(w, group, "enter"));
    put(w, ")\n{\n");
    put_call_of_entry(w, entered_group(w, group->outer), "0");
    put(w, "    if (!uf_enter_group(&flow->uf, &flow->uf_inside, ", row_of_group(w, index),
        ")) return 1; /* the flow is in it */\n");
    put_timeouts(w, group->preempts);
    if (ir_has_body(&group->on_enter)) {
        put_count_statement(w, COVER_GROUP_ENTER, index);
        if (w->has_restored) put(w, "    {\n");
        begin_restored(w);
        emit_block(w, &group->on_enter);
        put_own_place(w);
        end_restored(w);
        if (w->has_restored) put(w, "    }\n");
    }
    put_companions(w, group->preempts);
    put(w, "    return !uf_failing(&flow->uf);\n}\n\n");
}

static void emit_exit(writer *w, const ir_group *group)
{
    bool const is_placed = !group->on_exit.uses_reason;
    if (is_placed) put_place(w, group->on_exit.text);
    put_head(w, group, "void", cname_of_group(w, group, "exit"));
    put(w, ", uf_outcome const outcome)");
    if (is_placed) emit_body(w, &group->on_exit);
    else emit_end_body(w, &group->on_exit);
    put(w, "\n");
}

static void emit_pause_handler(writer *w, const ir_group *group, const ir_body *body, const char *what)
{
    if (!ir_has_body(body)) return;
    put_place(w, body->text);
    put_head(w, group, "void", cname_of_group(w, group, what));
    put(w, body->uses_paused ? ", uf_time const paused)" : ")");
    emit_body(w, body);
    put(w, "\n");
}

void emit_groups(writer *w, const ir_flow *flow)
{
    for (uint32_t i = flow->groups.first; i < flow->groups.first + flow->groups.count; i++) {
        const ir_group *const group = &w->unit->groups[i];
        put_heading(w, ARENA_CONCAT(w->names, "group ", flow->name, ".", group->name));
        if (group->is_entered) emit_enter(w, group, i);
        if (ir_has_body(&group->on_exit)) emit_exit(w, group);
        emit_pause_handler(w, group, &group->on_pause, "pause");
        emit_pause_handler(w, group, &group->on_resume, "resume");
        emit_preempts(w, flow, group->preempts);
    }
}
