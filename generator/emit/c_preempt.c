/* SPDX-License-Identifier: MIT */
/* Handlers `on SIGNAL` and `on timeout`, and companions `with run`. */
#include "c_parts.h"
#include "fragment.h"
#include "mutants.h"

static const char *slot_of(const writer *w, const ir_preempt *preempt)
{
    return arena_printf(w->names, "%u%s", (unsigned)preempt->slot, preempt->more.text);
}

/* Is it a companion for each element of an array? */
static bool is_of_elements(const writer *w, const ir_preempt *preempt)
{
    return preempt->kind == IR_WITH_RUN && is_each_run(&w->unit->events[preempt->event]);
}

static const char *preempt_place(const writer *w, const ir_preempt *preempt)
{
    return arena_printf(w->names, "&flow->uf_preempts[%s]", slot_of(w, preempt));
}

/* -- what begins with a task --------------------------------------------------------------------------------------- */

bool has_preempt(const writer *w, ir_range preempts, ir_preempt_kind kind)
{
    IR_EACH (ir_preempt, preempt, w->unit->preempts, preempts) {
        if (preempt->kind == kind) return true;
    }
    return false;
}

void put_timeouts(writer *w, ir_range preempts)
{
    IR_EACH (ir_preempt, preempt, w->unit->preempts, preempts) {
        if (preempt->kind != IR_ON_TIMEOUT) continue;
        if (preempt->after.kind == IR_DURATION_EXPRESSION) put_place(w, preempt->after.text);
        put(w, "    uf_", preempt->name, "(&flow->uf, ", preempt_place(w, preempt), ", ");
        put_timeout(w, &preempt->after, NULL, preempt->at);
        put(w, ");\n");
        put_own_place(w);
    }
}

static void put_companion_start(writer *w, const ir_event *run, const char *arm, const char *child)
{
    put(w, "        if (", durable_prefix(w, run), "with_run(&flow->uf, ", arm, ", (uf_flow *)", child, ")) {\n");
    if (ir_has_text(run->args)) put_place(w, run->args);
    put(w, "            uf_with_started(&flow->uf, ", arm, ", ", cname_for_task(w, &w->unit->tasks[run->task], "start"),
        "(", child);
    put_further(w, run->args);
    put(w, "));\n");
    put_own(w, "        }\n");
}

/* Starts the run in a block: its expressions see `flow` and, in a task, `self` only. */
static void put_companion(writer *w, const ir_preempt *preempt)
{
    const ir_event *const run = &w->unit->events[preempt->event];
    put(w, "    {\n");
    put_at(w, run->target, "        ", w->unit->flows[run->flow].name, " *const uf_child0 = ");
    put_user(w, run->target);
    put(w, ";\n");
    put_own_place(w);
    put_companion_start(w, run, preempt_place(w, preempt), "uf_child0");
    put(w, "    }\n");
}

/* The same for each element of an array: the arguments see its index. */
static void put_companions_of_elements(writer *w, const ir_preempt *preempt)
{
    const ir_event *const run = &w->unit->events[preempt->event];
    const char *const arm = ARENA_CONCAT(w->names, preempt_place(w, preempt), " + uf_i");
    const char *const element = ARENA_CONCAT(w->names, "&flow->", each_name(w, run), "[uf_i]");
    put(w, "    for (uf_u32 uf_i = 0; uf_i < ", each_count(w, run), "; uf_i++) {\n");
    if (run->uses_index) put(w, "        int const index = (int)uf_i;\n");
    put_companion_start(w, run, arm, element);
    put(w, "    }\n");
}

void put_companions(writer *w, ir_range preempts)
{
    IR_EACH (ir_preempt, preempt, w->unit->preempts, preempts) {
        const char *const left_out = mutant_reached(w, MUTANT_ARM, preempt->at);
        if (preempt->kind != IR_WITH_RUN) continue;
        if (*left_out) put(w, "    if (!", left_out, ")\n");
        if (is_of_elements(w, preempt)) put_companions_of_elements(w, preempt);
        else put_companion(w, preempt);
    }
}

void emit_companions(writer *w, const ir_task *task)
{
    if (!has_preempt(w, task->preempts, IR_WITH_RUN)) return;
    put(w, "static void ", cname_of_task_hidden(w, task, "with"), "(", w->unit->flows[task->flow].name, " *flow, ",
        cname_task(w, task), " *self)\n{\n");
    put_companions(w, task->preempts);
    put(w, "}\n\n");
}

/* -- targets ------------------------------------------------------------------------------------------------------- */

/* If the task was not entered yet, a handler that leads to a step enters the task first. Any other target gets the
 * state that it reads. */
static void put_entering(writer *w, const ir_preempt *preempt, const ir_task *task)
{
    bool const goes_on = w->unit->outcomes[preempt->outcome].kind == OUTCOME_STEP;
    if (!goes_on && !task->fields.count && !task->jobs.count) return;
    put(w, "    if (uf_state(&flow->uf) == ", cname_for_task(w, task, "enter"), ") ");
    if (!goes_on) {
        put(w, cname_of_task_hidden(w, task, "fields"), "(flow, self);\n");
        return;
    }
    put(w, "{\n        uf_enter_task(&flow->uf);\n");
    if (!has_enter(w, task)) put_count_statement(w, COVER_TASK, (uint32_t)(task - w->unit->tasks));
    if (has_enter(w, task)) put(w, "        (void)", cname_of_task(w, task, "enter"), "(flow, self);\n");
    if (has_enter(w, task)) put(w, "        if (uf_failing(&flow->uf)) return uf_stay();\n");
    put(w, "    }\n");
}

/* A handler marks the changes of itself; a companion, that of its `else`. */
static void put_marks(writer *w, const ir_preempt *preempt)
{
    if (preempt->kind == IR_ON_SIGNAL) put_mutant_mark(w, MUTANT_ARM, preempt->at);
    if (preempt->kind == IR_ON_TIMEOUT) put_mutant_mark(w, MUTANT_TIMEOUT, preempt->at);
}

/* In the changed program, the `else` of a companion is not there. */
static void put_without_else(writer *w, const ir_preempt *preempt, const char *place)
{
    const char *const dropped = mutant_reached(w, MUTANT_ELSE, w->unit->outcomes[preempt->outcome].at);
    if (!*dropped) return;
    put(w, "    if (", dropped, ") {\n        return ");
    put_arm_failure(w, &w->unit->events[preempt->event], place, NULL, NULL);
    put_line(w, ";");
    put(w, "    }\n");
}

static void emit_preempt(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    const ir_task *const task = preempt->task == IR_NONE ? NULL : &w->unit->tasks[preempt->task];
    const ir_outcome *const outcome = &w->unit->outcomes[preempt->outcome];
    bool const is_element = is_of_elements(w, preempt);
    const char *const place = ARENA_CONCAT(w->names, preempt_place(w, preempt), is_element ? " + uf_i" : "");
    put(w, "static uf_intent ", cname_preempt(w, flow, preempt), "(", flow->name, " *flow");
    if (task) put(w, ", ", cname_task(w, task), " *self");
    put(w, is_element ? ", uf_u32 uf_i)\n{\n" : ")\n{\n");
    if (is_element && outcome->uses & BINDS_INDEX) put(w, "    int const index = (int)uf_i;\n");
    if (task && preempt->kind == IR_ON_SIGNAL) put_entering(w, preempt, task); /* other handlers begin with the entry */
    if (preempt->is_handed_on) {
        put(w, "    return ");
        put_count_of(w, COVER_PREEMPT, preempts, preempt);
        put_arm_failure(w, &w->unit->events[preempt->event], place, task, NULL);
        put(w, ";\n}\n\n");
        return;
    }
    put_without_else(w, preempt, place);
    if (outcome->uses & BINDS_REASON) put(w, "    const char *const reason = uf_reason(&flow->uf, ", place, ");\n");
    put_at(w, outcome->at, "    return ");
    put_marks(w, preempt);
    put_count_of(w, COVER_PREEMPT, preempts, preempt);
    put_outcome(w, outcome, task);
    put(w, ";\n");
    put_own(w, "}\n\n");
}

void emit_preempts(writer *w, const ir_flow *flow, ir_range preempts)
{
    for (uint32_t i = 0; i < preempts.count; i++) emit_preempt(w, flow, &w->unit->preempts[preempts.first + i]);
}

/* Calls the function of a handler, up to its further arguments. */
static void put_call(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    put(w, "return ", cname_preempt(w, flow, preempt), "(flow");
    if (preempt->task != IR_NONE) put(w, ", &", task_place(w, &w->unit->tasks[preempt->task]));
}

static void put_elements_case(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    if (!is_of_elements(w, preempt)) return;
    const char *const element = arena_printf(w->names, "(uf_u32)uf_which - (%s)", slot_of(w, preempt));
    put(w, "    if (", element, " < ", each_count(w, &w->unit->events[preempt->event]), ") {\n        ");
    put_call(w, flow, preempt);
    put(w, ", (uf_u32)(", element, "));\n    }\n");
}

static void emit_preempt_switch(writer *w, const ir_flow *flow)
{
    put(w, "static uf_intent ", cname_hidden(w, flow, "preempt"), "(uf_flow *uf, uf_u16 uf_which)\n{\n");
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n\n");
    IR_EACH (ir_preempt, preempt, w->unit->preempts, flow->preempts) put_elements_case(w, flow, preempt);
    put(w, "    switch (uf_which) {\n");
    IR_EACH (ir_preempt, preempt, w->unit->preempts, flow->preempts) {
        if (is_of_elements(w, preempt)) continue;
        put(w, "    case ", slot_of(w, preempt), ": ");
        put_call(w, flow, preempt);
        put(w, ");\n");
    }
    put(w, "    default: return uf_stay();\n    }\n}\n\n");
}

/* A handler without a signal has neither. */
static void put_signal(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    const ir_point *const point = preempt->kind == IR_ON_SIGNAL ? &w->unit->points[preempt->point] : NULL;
    if (!point) {
        put(w, "0, 0, ");
        return;
    }
    const char *const element = point->count ? arena_printf(w->names, "[%u]", (unsigned)preempt->element) : "";
    if (point->in_flow) put(w, "0, UF_OFFSET(", flow->name, ", ", point->name, element, "), ");
    else put(w, "&", point->name, element, ", 0, ");
}

static void put_preempt_table(writer *w, const ir_flow *flow)
{
    put(w, mutates(w) ? "static " : "static const ", "uf_preempt_info ", cname_hidden(w, flow, "preempts"),
        has_elements(w, flow) ? ARENA_CONCAT(w->names, "[UF_LENGTH(", flow->name, ", uf_preempts)]") : "[]",
        " = { /* signal, or where it lies in the flow; line, task", flow->groups.count ? " or group" : "",
        has_elements(w, flow) ? "; 0 for further elements */\n" : " */\n");
    IR_EACH (ir_preempt, preempt, w->unit->preempts, flow->preempts) {
        put(w, "    ");
        if (*preempt->more.text) put(w, "[", slot_of(w, preempt), "] = ");
        put(w, "{ ");
        put_signal(w, flow, preempt);
        put(w, ir_line(preempt->at), ", ");
        if (preempt->task != IR_NONE) put(w, preempt->task - flow->tasks.first, " },\n");
        else if (preempt->group != IR_NONE) put(w, row_of_group(w, &w->unit->groups[preempt->group]), " },\n");
        else put(w, "UF_NO_TASK },\n");
    }
    put(w, "};\n\n");
}

void put_dropped_handlers(writer *w, const ir_flow *flow)
{
    const char *const table = cname_hidden(w, flow, "preempts");
    IR_EACH (ir_preempt, preempt, w->unit->preempts, flow->preempts) {
        const char *const dropped = mutant_is(w, MUTANT_ARM, preempt->at);
        if (preempt->kind != IR_ON_SIGNAL || !*dropped) continue;
        put(w, "    if (", dropped, ") uf_drop_handler(&", table, "[", slot_of(w, preempt));
        put_line(w, "]);");
    }
}

void emit_preempt_table(writer *w, const ir_flow *flow)
{
    put_preempt_table(w, flow);
    emit_preempt_switch(w, flow);
}
