/* SPDX-License-Identifier: MIT */
/* The functions that a task's intents call. Each stores its parameters, the evaluated arguments, and names the next
 * state. */
#include "c_parts.h"
#include "forms.h"
#include "fragment.h"

static const char *flow_name(const writer *w, const ir_task *task)
{
    return w->unit->flows[task->flow].name;
}

static void emit_to(writer *w, const ir_step *step)
{
    const ir_task *const task = &w->unit->tasks[step->task];
    put_at(w, step->at, "static uf_intent ", cname_to_step(w, step), "(", flow_name(w, task), " *flow");
    put_variables(w, step->params, ", ", "");
    put(w, ")\n");
    put_own(w, "{\n");
    put_stores(w, step->params, arguments_place(w, step), "");
    put(w, "    return uf_next", step->is_timed ? "_timed" : "", "(&flow->uf, ", cname_step_state(w, step),
        ");\n}\n\n");
}

static void emit_done(writer *w, const ir_task *task)
{
    put_at(w, task->result.at, "static uf_intent ", cname_of_task(w, task, "done"), "(", flow_name(w, task),
           " *flow, ");
    put_variable(w, &task->result, "uf_value", false);
    put(w, ")\n");
    put_own(w, "{\n    if (!uf_leave(&flow->uf, UF_DONE)) return uf_stay();\n");
    put(w, "    flow->uf_result.", task->name, " = uf_value;\n    return uf_intent_of(UF_INTENT_DONE);\n}\n\n");
}

/* Zeroes everything except the parameters, then runs the initialisers. */
static void put_fields(writer *w, const ir_task *task)
{
    IR_EACH (ir_variable, v, w->unit->variables, task->params) {
        put(w, "    ");
        put_variable(w, v, ARENA_CONCAT(w->names, HIDDEN_PREFIX, v->name), true);
        put(w, " = self->", v->name, ";\n");
    }
    put(w, "    uf_clear(self, sizeof *self);\n");
    put_stores(w, task->params, "self->", HIDDEN_PREFIX);
    emit_inits(w, &w->unit->flows[task->flow], task->inits, "self");
}

void put_entered(writer *w, const ir_task *task, const char *flow)
{
    put(w, w->unit->steps[task->steps.first].is_timed ? "uf_entered_timed(" : "uf_entered(", flow, ")");
}

static void put_enter_head(writer *w, const ir_task *task, const char *result, const char *name)
{
    put(w, "static ", result, " ", name, "(", flow_name(w, task), " *flow, ", cname_task(w, task), " *self)\n{\n");
}

/* The initialisers have their own function: a preemption can end a task that was never entered, and its target may read
 * the task's state. */
static void emit_enter(writer *w, const ir_task *task)
{
    bool const has_fields = task->fields.count || task->jobs.count;
    bool const is_apart = has_fields && (task->preempts.count || w->unit->flows[task->flow].is_durable);
    const char *const fields = cname_of_task_hidden(w, task, "fields");
    if (is_apart) {
        put_enter_head(w, task, "void", fields);
        put_fields(w, task);
        put_own(w, "}\n\n");
    }
    put_enter_head(w, task, "uf_intent", cname_of_task(w, task, "enter"));
    put_entry_of_groups(w, task);
    put_count_statement(w, COVER_TASK, (uint32_t)(task - w->unit->tasks));
    if (is_apart) put(w, "    ", fields, "(flow, self);\n");
    else if (has_fields) put_fields(w, task);
    put_timeouts(w, task->preempts);
    put_on_enter(w, &task->handlers[ON_ENTER], COVER_ON_ENTER, (uint32_t)(task - w->unit->tasks));
    put_own_place(w);
    if (has_preempt(w, task->preempts, IR_WITH_RUN))
        put(w, "    ", cname_of_task_hidden(w, task, "with"), "(flow, self);\n");
    put(w, "    return ");
    put_entered(w, task, "&flow->uf");
    put(w, ";\n}\n\n");
}

void emit_transitions(writer *w, const ir_task *task)
{
    const ir_flow *const flow = &w->unit->flows[task->flow];
    emit_companions(w, task);
    if (has_enter(w, task)) emit_enter(w, task);
    for (handler_kind on = ON_EXIT; on <= ON_RESUME; on++) emit_handler(w, &(part){flow, task, NULL}, on);
    IR_EACH (ir_step, step, w->unit->steps, task->steps) {
        if (step->is_target && step->params.count) emit_to(w, step);
    }
    if (task->is_done) emit_done(w, task);
    emit_preempts(w, flow, task->preempts);
}

void emit_become(writer *w, const ir_task *task)
{
    subject const of = subject_of(w, task);
    if (task->params.count) put_place(w, task->at); /* their types are text of the user */
    put_form(w, &of, "static uf_intent $F_become_$T($F *flow$P)\n");
    put_own(w, "{\n");
    if (of.flow->enters_groups)
        put(w, "    uf_keep_groups(&flow->uf, &flow->uf_inside, ", cname_for_task(w, task, "enter"), ");\n");
    put_form(w, &of,
             "    if (!uf_leave(&flow->uf, UF_BECAME)) return uf_stay();\n"
             "$S    return uf_become(&flow->uf, $F_enter_$T);\n}\n\n");
}
