/* SPDX-License-Identifier: MIT */
/* The state diagram for Mermaid, which Markdown renderers draw: one composite state per task. */
#include <string.h>

#include "boxes.h"
#include "cname.h"
#include "writer.h"

/* Marks that end a label, or begin a comment or an entity, are written as entities. */
static void put_text(writer *w, const char *text)
{
    for (; *text; text++) {
        if (strchr("#:;%\"<", *text)) buffer_printf(w->out, "#%d;", *text);
        else buffer_putc(w->out, *text);
    }
}

static void put_label(writer *w, const ir_edge *edge)
{
    const char *const end = outcome_ends(edge->outcome) ? outcome_infos[edge->outcome].name : "";
    if (!*edge->label && !*end) return;
    put(w, " : ");
    put_text(w, edge->label);
    put(w, *edge->label && *end ? ", " : "", end);
}

static void put_edge(writer *w, const ir_edge *edge)
{
    const ir_unit *const u = w->unit;
    put(w, "        ", cname_step(w, &u->steps[edge->from]), " --> ",
        edge->to == IR_NONE ? "[*]" : cname_step(w, &u->steps[edge->to]));
    put_label(w, edge);
    put(w, "\n");
}

/* What preempts is a state with an arrow to its outcome. */
static void put_preempt(writer *w, const ir_flow *flow, const ir_preempt *preempt, const char *indent)
{
    const ir_unit *const u = w->unit;
    const ir_outcome *const outcome = &u->outcomes[preempt->outcome];
    const char *const from = cname_preempt(w, flow, preempt);
    put(w, indent, from, " : ");
    put_text(w, preempt->label);
    put(w, "\n", indent, from, " --> ");
    if (outcome->kind == OUTCOME_STEP) put(w, cname_step(w, &u->steps[outcome->target]), "\n");
    else if (outcome->kind == OUTCOME_BECOME) put(w, cname_task(w, &u->tasks[outcome->target]), "\n");
    else put(w, "[*] : ", outcome_infos[outcome->kind].name, "\n");
}

/* What leads to another task, and what preempts the whole flow, is drawn outside of the box of its task or group. */
static void put_preempts(writer *w, const ir_flow *flow, ir_range preempts, bool inside)
{
    IR_EACH (ir_preempt, preempt, w->unit->preempts, preempts) {
        bool const is_of_flow = preempt->task == IR_NONE && preempt->group == IR_NONE;
        bool const stays = !is_of_flow && w->unit->outcomes[preempt->outcome].kind != OUTCOME_BECOME;
        if (stays == inside) put_preempt(w, flow, preempt, inside ? "        " : "    ");
    }
}

static void put_group(writer *w, const ir_group *group)
{
    const ir_flow *const flow = &w->unit->flows[group->flow];
    put(w, "    state \"", flow->name, ".", group->name, "\" as ", cname_group(w, group), " {\n");
    put_preempts(w, flow, group->preempts, true);
}

static void put_task(writer *w, const ir_task *task)
{
    put(w, "    state \"", w->unit->flows[task->flow].name, ".", task->name, "\" as ", cname_task(w, task), " {\n");
    IR_EACH (ir_step, step, w->unit->steps, task->steps) {
        put(w, "        ", cname_step(w, step), " : ", step->name, "\n");
    }
    put(w, "        [*] --> ", cname_step(w, &w->unit->steps[task->steps.first]), "\n");
    IR_EACH (ir_step, step, w->unit->steps, task->steps) {
        IR_EACH (ir_edge, edge, w->unit->edges, step->edges) {
            if (edge->outcome != OUTCOME_BECOME) put_edge(w, edge);
        }
    }
    put_preempts(w, &w->unit->flows[task->flow], task->preempts, true);
    put(w, "    }\n");
}

/* `become` leads from one composite state to another. */
static void put_becomes(writer *w, const ir_flow *flow)
{
    const ir_unit *const u = w->unit;
    IR_EACH (ir_edge, edge, u->edges, flow->edges) {
        if (edge->outcome != OUTCOME_BECOME) continue;
        const ir_task *const from = &u->tasks[u->steps[edge->from].task], *const to =
                                                                              &u->tasks[u->steps[edge->to].task];
        put(w, "    ", cname_task(w, from), " --> ", cname_task(w, to), " : ", u->steps[edge->from].name,
            *edge->label ? ", " : "");
        put_text(w, edge->label);
        put(w, "\n");
    }
}

void emit_mermaid(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    writer_begin(&w, unit, options, out);
    put(&w, "stateDiagram-v2\n");
    for (uint32_t f = 0; f < unit->own_count; f++) {
        const ir_flow *const flow = &unit->flows[f];
        put_boxes(&w, flow, &(boxes){.begin = put_group, .end = "    }\n", .task = put_task, .indent = "    "});
        put_becomes(&w, flow);
        put_preempts(&w, flow, flow->preempts, false);
    }
    writer_end(&w);
}
