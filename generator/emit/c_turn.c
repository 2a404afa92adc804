/* The states of a flow, the switch that is its table of contents, and on exit. */
#include "c_parts.h"
#include "cname.h"
#include "fragment.h"

static const ir_step *step_at(const writer *w, ir_range steps, uint32_t index)
{
    return &w->unit->steps[steps.first + index];
}

void emit_states(writer *w, const ir_flow *flow)
{
    put(w, "enum ", cname_of_flow(w, flow, "state"), " {\n");
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        put(w, "    ", cname_for_task(w, task, "enter"), ",\n");
        for (uint32_t s = 0; s < task->steps.count; s++) {
            const ir_step *const step = step_at(w, task->steps, s);
            put(w, "    ", cname_step_state(w, step), ",\n");
            for (uint32_t p = 0; p < step->pauses.count; p++) {
                put(w, "    ", cname_pause_state(w, &w->unit->pauses[step->pauses.first + p]), ",\n");
            }
        }
    }
    put(w, "};\n\n");
}

static void put_end(writer *w, const char *end)
{
    put(w, end);
    put_wrapped(w);
    put(w, "\n");
}

/* What a turn seldom does is done apart, so that the switch calls nothing and returns to nowhere: it needs no frame, and
 * a step costs what its body does. */
static void begin_apart(writer *w, const char *flow, const char *name)
{
    put(w, "UF_NOINLINE static uf_intent uf_", name, "(", flow, " *flow)\n{\n");
}

static const char *pause_apart(const writer *w, const ir_pause *pause)
{
    return cname_pause(w, pause, pause->kind == IR_AWAIT ? "wait" : "stay");
}

static void put_case_apart(writer *w, const char *state, const char *name)
{
    put(w, "    case ", state, ":\n        return uf_", name, "(flow);\n");
}

static void put_entry(writer *w, const ir_flow *flow, const ir_task *task)
{
    const ir_step *const entry = step_at(w, task->steps, 0);
    begin_apart(w, flow->name, cname_of_task(w, task, "begin"));
    if (has_enter(task)) put(w, "    ", cname_of_task(w, task, "enter"), "(flow, &", task_place(w, task), ");\n");
    put(w, "    uf_enter", entry->is_timed ? "_timed" : "", "(&flow->uf, ", cname_step_state(w, entry), ");\n");
    if (has_enter(task)) put(w, "    if (uf_failing(&flow->uf)) return uf_stay();\n");
    put(w, "    return ");
    put_body_turn_call(w, entry);
    put_end(w, ";");
    put(w, "}\n\n");
}

static void put_pause(writer *w, const ir_flow *flow, const ir_step *step, const ir_pause *pause)
{
    begin_apart(w, flow->name, pause_apart(w, pause));
    if (pause->kind == IR_AWAIT) {
        put(w, "    return uf_woken(");
        put_turn_call(w, step, cname_pause(w, pause, "wait"));
        put_end(w, ");");
    } else {
        put(w, "    if (uf_stay_expired(&flow->uf, ", arm_place(w, pause->every.kind == IR_DURATION_NONE ? 0 : 1),
            ")) {\n        return uf_woken(");
        put_turn_call(w, step, cname_pause(w, pause, "late"));
        put_end(w, ");");
        put(w, "    }\n    return ");
        put_body_turn_call(w, step);
        put_end(w, ";");
    }
    put(w, "}\n\n");
}

static void emit_apart(writer *w, const ir_flow *flow)
{
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        put_entry(w, flow, task);
        for (uint32_t s = 0; s < task->steps.count; s++) {
            const ir_step *const step = step_at(w, task->steps, s);
            for (uint32_t p = 0; p < step->pauses.count; p++) {
                put_pause(w, flow, step, &w->unit->pauses[step->pauses.first + p]);
            }
        }
    }
}

static void put_step_case(writer *w, const ir_step *step)
{
    put(w, "    case ", cname_step_state(w, step), ":\n        return ");
    put_body_turn_call(w, step);
    put_end(w, ";");
}

static void emit_switch(writer *w, const ir_flow *flow)
{
    put(w, "static uf_intent ", cname_of_flow(w, flow, "turn"), "(uf_flow *uf)\n{\n");
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n\n");
    put(w, "    switch ((enum ", cname_of_flow(w, flow, "state"), ")uf_state(uf)) {\n");
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        put_case_apart(w, cname_for_task(w, task, "enter"), cname_of_task(w, task, "begin"));
        for (uint32_t s = 0; s < task->steps.count; s++) {
            const ir_step *const step = step_at(w, task->steps, s);
            put_step_case(w, step);
            for (uint32_t p = 0; p < step->pauses.count; p++) {
                const ir_pause *const pause = &w->unit->pauses[step->pauses.first + p];
                put_case_apart(w, cname_pause_state(w, pause), pause_apart(w, pause));
            }
        }
    }
    put(w, "    }\n    return uf_stay();\n}\n\n");
}

static void emit_on_exit(writer *w, const ir_flow *flow)
{
    put(w, "static void ", cname_of_flow(w, flow, "on_exit"), "(uf_flow *uf, uf_outcome outcome)\n{\n");
    put(w, "    ", flow->name, " *const flow = (", flow->name, " *)uf;\n\n");
    put(w, "    switch (", cname_hidden(w, flow, "steps"), "[", cname_hidden(w, flow, "states"),
        "[uf_state(uf)].step].task) {\n");
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        if (!ir_has_body(&task->on_exit)) continue;
        put(w, "    case ", t, ": ", cname_of_task(w, task, "exit"), "(flow, &", task_place(w, task),
            ", outcome); break;\n");
    }
    put(w, "    }\n}\n\n");
}

void emit_turn(writer *w, const ir_flow *flow)
{
    emit_apart(w, flow);
    emit_switch(w, flow);
    emit_tables(w, flow);
    if (flow->has_exits) emit_on_exit(w, flow);
    emit_outside(w, flow);
    emit_descriptor(w, flow);
}
