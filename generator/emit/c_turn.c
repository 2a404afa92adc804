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
    put(w, "enum %s {\n", cname_of_flow(w, flow, "state"));
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        put(w, "    %s,\n", cname_for_task(w, task, "enter"));
        for (uint32_t s = 0; s < task->steps.count; s++) {
            const ir_step *const step = step_at(w, task->steps, s);
            put(w, "    %s,\n", cname_step_state(w, step));
            for (uint32_t p = 0; p < step->pauses.count; p++) {
                put(w, "    %s,\n", cname_pause_state(w, &w->unit->pauses[step->pauses.first + p]));
            }
        }
    }
    put(w, "};\n\n");
}

static void put_end(writer *w, const char *end)
{
    put(w, "%s", end);
    put_wrapped(w);
    put(w, "\n");
}

static void put_entry(writer *w, const ir_task *task)
{
    const ir_step *const entry = step_at(w, task->steps, 0);
    put(w, "    case %s:\n", cname_for_task(w, task, "enter"));
    if (has_enter(task)) put(w, "        %s(flow, &%s);\n", cname_of_task(w, task, "enter"), task_place(w, task));
    put(w, "        uf_enter(uf, %s);\n", cname_step_state(w, entry));
    if (has_enter(task)) put(w, "        if (uf_failing(uf)) return uf_stay();\n");
    put(w, "        return ");
    put_body_turn_call(w, entry);
    put_end(w, ";");
}

static void put_step_case(writer *w, const ir_step *step)
{
    put(w, "    case %s:\n        return ", cname_step_state(w, step));
    put_body_turn_call(w, step);
    put_end(w, ";");
}

static void put_pause_case(writer *w, const ir_step *step, const ir_pause *pause)
{
    put(w, "    case %s:\n        ", cname_pause_state(w, pause));
    if (pause->kind == IR_AWAIT) {
        put(w, "return uf_woken(");
        put_turn_call(w, step, cname_pause(w, pause, "wait"));
        put_end(w, ");");
        return;
    }
    put(w, "if (uf_stay_expired(uf, %s)) {\n            return uf_woken(",
        arm_place(w, pause->every.kind == IR_DURATION_NONE ? 0 : 1));
    put_turn_call(w, step, cname_pause(w, pause, "late"));
    put_end(w, ");");
    put(w, "        }\n        return ");
    put_body_turn_call(w, step);
    put_end(w, ";");
}

static void emit_switch(writer *w, const ir_flow *flow)
{
    put(w, "static uf_intent %s(uf_flow *uf)\n{\n", cname_of_flow(w, flow, "turn"));
    put(w, "    %s *const flow = (%s *)uf;\n\n", flow->name, flow->name);
    put(w, "    switch ((enum %s)uf_state(uf)) {\n", cname_of_flow(w, flow, "state"));
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        put_entry(w, task);
        for (uint32_t s = 0; s < task->steps.count; s++) {
            const ir_step *const step = step_at(w, task->steps, s);
            put_step_case(w, step);
            for (uint32_t p = 0; p < step->pauses.count; p++) {
                put_pause_case(w, step, &w->unit->pauses[step->pauses.first + p]);
            }
        }
    }
    put(w, "    }\n    return uf_stay();\n}\n\n");
}

static void emit_on_exit(writer *w, const ir_flow *flow)
{
    put(w, "static void %s(uf_flow *uf, uf_outcome outcome)\n{\n", cname_of_flow(w, flow, "on_exit"));
    put(w, "    %s *const flow = (%s *)uf;\n\n", flow->name, flow->name);
    put(w, "    switch (%s[%s[uf_state(uf)].step].task) {\n", cname_hidden(w, flow, "steps"),
        cname_hidden(w, flow, "states"));
    for (uint32_t t = 0; t < flow->tasks.count; t++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + t];
        if (!ir_has_body(&task->on_exit)) continue;
        put(w, "    case %u: %s(flow, &%s, outcome); break;\n", (unsigned)t, cname_of_task(w, task, "exit"),
            task_place(w, task));
    }
    put(w, "    }\n}\n\n");
}

void emit_turn(writer *w, const ir_flow *flow)
{
    emit_switch(w, flow);
    emit_tables(w, flow);
    if (flow->has_exits) emit_on_exit(w, flow);
    emit_outside(w, flow);
    emit_descriptor(w, flow);
}
