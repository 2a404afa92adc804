/* SPDX-License-Identifier: MIT */
/* The states of a flow, its switch over them, and on exit. */
#include "c_parts.h"
#include "fragment.h"
#include "mutants.h"

/* -- states -------------------------------------------------------------------------------------------------------- */

/* Ends a constant that is a sum. */
static void put_plus(writer *w, uint32_t number)
{
    if (number) put(w, " + ", number);
    put(w, ",");
}

/* Writes one line per step: the state of its body, and of each await and timed stay. */
static void put_step_states(writer *w, const ir_flow *flow, const ir_step *step)
{
    uint32_t const index = (uint32_t)(step - &w->unit->steps[flow->steps.first]);
    put(w, "    ", cname_step_state(w, step), " = ", index, ",");
    for (uint32_t i = 0; i < step->pauses.count; i++) {
        const ir_pause *const pause = &w->unit->pauses[step->pauses.first + i];
        put(w, " ", cname_pause_state(w, pause), " = UF_WAIT(", i + 1, ")");
        put_plus(w, index);
    }
    put_line(w, "");
}

void emit_states(writer *w, const ir_flow *flow)
{
    put(w, "enum ", cname_of_flow(w, flow, "state"), " {\n");
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        put(w, "    ", cname_for_task(w, task, "enter"), " = UF_ENTRY");
        put_plus(w, task->steps.first - flow->steps.first);
        put(w, "\n");
        IR_EACH (ir_step, step, w->unit->steps, task->steps) put_step_states(w, flow, step);
    }
    put(w, "};\n\n");
}

/* -- the switch ---------------------------------------------------------------------------------------------------- */

static void put_body_count(writer *w, const ir_step *step)
{
    uint32_t const index = (uint32_t)(step - w->unit->steps);
    if (!covers(w)) return;
    put(w, "(void)uf_count_body(uf, ");
    put_counter(w, COVER_STEP, index);
    put(w, ", ");
    put_counter(w, COVER_AGAIN, index);
    put(w, "), ");
}

static void put_body_return(writer *w, const ir_step *step)
{
    put(w, "return ");
    put_body_count(w, step);
    put_body_turn_call(w, step);
    put_line(w, ";");
}

/* Code that runs before the entry step in the same turn. Without such code, the case is that of the step. */
static void put_entry_case(writer *w, const ir_task *task)
{
    const ir_step *const entry = &w->unit->steps[task->steps.first];
    put(w, "    case ", cname_for_task(w, task, "enter"), ":");
    if (has_enter(w, task)) {
        put(w, " return ", cname_of_task(w, task, "enter"), "(flow, &", task_place(w, task), ");");
    } else if (entry->is_timed) {
        put(w, " return ");
        put_count_of(w, COVER_TASK, tasks, task);
        put_entered(w, task, "uf");
        put(w, ";");
    } else if (covers(w)) { /* compilers warn of code that falls through to the next case */
        put(w, " return ");
        put_count_of(w, COVER_TASK, tasks, task);
        put_body_count(w, entry);
        put_body_turn_call(w, entry);
        put(w, ";");
    }
    put_line(w, "");
}

static void put_pause_case(writer *w, const ir_step *step, const ir_pause *pause)
{
    const ir_outcome *const late = &w->unit->outcomes[pause->kind == IR_STAY ? pause->outcome : 0];
    put(w, "    case ", cname_pause_state(w, pause), ": return ");
    if (pause->kind == IR_STAY) put_mutant_mark(w, MUTANT_TIMEOUT, pause->at);
    if (pause->kind == IR_AWAIT) put_wait_call(w, pause, true);
    else if (has_user_text(late)) put_pause_turn_call(w, pause, "late");
    else put_outcome(w, late, &w->unit->tasks[step->task]);
    put_line(w, ";");
}

/* The call of a handler of a task or a group, with its counter. */
static void put_handler_call(writer *w, const part *of, handler_kind on, const char *argument)
{
    uint32_t const index = (uint32_t)(of->task ? of->task - w->unit->tasks : of->group - w->unit->groups);
    put_count(w, cover_of_handler(on, of->group), index);
    put(w, cname_handler(w, of, on), "(flow");
    if (of->task) put(w, ", &", task_place(w, of->task));
    put(w, argument, ");");
}

static void put_pause_handler(writer *w, const part *of, handler_kind on)
{
    const ir_body *const body = body_of_handler(of, on);
    if (!ir_has_body(body)) return;
    put(w, "        ");
    put_handler_call(w, of, on, body->uses_paused ? ", uf_flow_now(uf) - flow->uf_paused_at" : "");
    put(w, "\n");
}

static void put_pause_cases(writer *w, const part *of, uint32_t row)
{
    const ir_body *const pause = body_of_handler(of, ON_PAUSE), *const resume = body_of_handler(of, ON_RESUME);
    if (ir_has_body(pause) || resume->uses_paused) {
        put(w, "    case UF_ON_PAUSE | ", row, ":\n");
        put(w, resume->uses_paused ? "        flow->uf_paused_at = uf_flow_now(uf);\n" : "");
        put_pause_handler(w, of, ON_PAUSE);
        put(w, "        return uf_stay();\n");
    }
    if (!ir_has_body(resume)) return;
    put(w, "    case UF_ON_RESUME | ", row, ":\n");
    put_pause_handler(w, of, ON_RESUME);
    put(w, "        return uf_stay();\n");
}

static void emit_switch(writer *w, const ir_flow *flow)
{
    put(w, "static uf_intent ", cname_of_flow(w, flow, "turn"), "(uf_flow *uf, uf_u32 uf_now)\n{\n");
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n\n");
    put(w, "    switch (uf_now) {\n");
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        put_entry_case(w, task);
        IR_EACH (ir_step, step, w->unit->steps, task->steps) {
            put(w, "    case ", cname_step_state(w, step), ": ");
            put_body_return(w, step);
            IR_EACH (ir_pause, pause, w->unit->pauses, step->pauses) put_pause_case(w, step, pause);
        }
        put_pause_cases(w, &(part){flow, task, NULL}, row_of_task(w, task));
    }
    IR_EACH (ir_group, group, w->unit->groups, flow->groups)
        put_pause_cases(w, &(part){flow, NULL, group}, row_of_group(w, group));
    put(w, "    default: return uf_stay();\n    }\n}\n\n");
}

/* How the task was left, which its `on exit` may change. The counters of a task's endings are as far apart as the
 * flow's file has tasks. */
static void put_ending_counts(writer *w, const ir_flow *flow)
{
    if (!covers(w)) return;
    if (flow->has_exits) put(w, "    if (uf_failing(uf) && outcome != UF_CANCELLED) outcome = UF_FAILED;\n");
    put(w, "    uf_count(");
    put_counter(w, COVER_DONE, flow->tasks.first);
    put(w, " + ", w->unit->task_count, " * (outcome - UF_DONE) + uf_task_in(", cname_hidden(w, flow, "steps"),
        ", uf));");
    put_line(w, "");
}

static void put_exit_case(writer *w, const char *indent, const part *of, uint32_t row)
{
    const ir_body *const body = body_of_handler(of, ON_EXIT);
    if (!ir_has_body(body)) return;
    const char *const left_out = mutant_reached(w, MUTANT_EXIT, body->text);
    put(w, indent, "case ", row, ": ");
    if (*left_out) put(w, "if (!", left_out, ") ");
    put_handler_call(w, of, ON_EXIT, ", outcome");
    put(w, " break;\n");
}

static void put_exit_cases(writer *w, const ir_flow *flow, const char *indent)
{
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks)
        put_exit_case(w, indent, &(part){flow, task, NULL}, row_of_task(w, task));
    IR_EACH (ir_group, group, w->unit->groups, flow->groups)
        put_exit_case(w, indent, &(part){flow, NULL, group}, row_of_group(w, group));
    put(w, indent, "default: break;\n", indent, "}\n");
}

static void put_exit_switch(writer *w, const ir_flow *flow)
{
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n\n");
    put(w, "    switch (uf_task_in(", cname_hidden(w, flow, "steps"), ", uf)) {\n");
    put_exit_cases(w, flow, "    ");
}

/* The task, and then each group around it that the flow leaves. */
static void put_exit_loop(writer *w, const ir_flow *flow)
{
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n    uf_u32 uf_place;\n\n");
    put(w, "    while ((uf_place = uf_leave_place(uf, &flow->uf_inside, &outcome)) != UF_NO_TASK) {\n");
    put(w, "        switch (uf_place) {\n");
    put_exit_cases(w, flow, "        ");
    if (covers(w)) put(w, "        if (uf_place >= ", flow->tasks.count, ") continue;\n");
    put_ending_counts(w, flow);
    put(w, "    }\n");
}

static void emit_on_exit(writer *w, const ir_flow *flow)
{
    put(w, "static void ", cname_of_flow(w, flow, "on_exit"), "(uf_flow *uf, uf_outcome outcome)\n{\n");
    if (flow->enters_groups) {
        put_exit_loop(w, flow);
    } else {
        if (flow->has_exits) put_exit_switch(w, flow);
        put_ending_counts(w, flow);
    }
    put(w, "}\n\n");
}

static void emit_on_end(writer *w, const ir_flow *flow)
{
    emit_handler(w, &(part){flow, NULL, NULL}, ON_END);
    put(w, "static void ", cname_hidden(w, flow, "end"), "(uf_flow *uf, uf_outcome outcome)\n{\n");
    put_count_statement(w, COVER_ON_END, (uint32_t)(flow - w->unit->flows));
    put(w, "    ", cname_of_flow(w, flow, "on_end"), "((", flow->name, " *)uf, outcome);\n}\n\n");
}

void emit_turn(writer *w, const ir_flow *flow)
{
    bool const has_tables = !w->options->skeleton;
    if (has_tables) emit_switch(w, flow);
    if (has_tables) emit_tables(w, flow);
    if (has_tables && has_on_exit(w, flow)) emit_on_exit(w, flow);
    if (ir_has_body(&flow->handlers[ON_END])) emit_on_end(w, flow);
    emit_outside(w, flow);
    emit_durable(w, flow);
    if (has_tables) emit_descriptor(w, flow);
}
