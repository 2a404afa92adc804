/* SPDX-License-Identifier: MIT */
/* The state diagram for Graphviz: one cluster per task. */
#include "boxes.h"
#include "cname.h"

/* The node of an end of a task or flow, by the name of that in C. */
static const char *end_of(const writer *w, const char *owner, outcome_kind kind)
{
    return ARENA_CONCAT(w->names, owner, "__", outcome_infos[kind].name);
}

static const char *style(const ir_edge *edge)
{
    if (edge->outcome == OUTCOME_BECOME) return "bold";
    return edge->trigger == IR_BY_TIMEOUT || edge->trigger == IR_BY_ELSE ? "dashed" : "solid";
}

static void put_edge(writer *w, const ir_edge *edge)
{
    const ir_unit *const u = w->unit;
    const ir_step *const from = &u->steps[edge->from];
    put(w, "    ", cname_step(w, from), " -> ",
        edge->to != IR_NONE ? cname_step(w, &u->steps[edge->to])
                            : end_of(w, cname_task(w, &u->tasks[from->task]), edge->outcome),
        " [style=", style(edge));
    if (*edge->label) {
        put(w, ", label=");
        put_string(w, arena_printf(w->names, "  %s  ", edge->label)); /* Graphviz leaves no room beside a label */
    }
    put(w, "];\n");
}

/* A viewer opens the source: `URL="door.uflow#L12", tooltip="door.uflow:12"`. */
static void put_source(writer *w, span at)
{
    const char *const name = file_name(w, w->unit->in->name);
    put(w, ", URL=");
    put_string(w, arena_printf(w->names, "%s#L%u", name, (unsigned)ir_line(at)));
    put(w, ", tooltip=");
    put_string(w, arena_printf(w->names, "%s:%u", name, (unsigned)ir_line(at)));
}

/* The node of what preempts. It is beside the steps, since it can leave any of them. */
static const char *origin_of(const writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    return ARENA_CONCAT(w->names, cname_owner(w, flow, preempt), "__", preempt->name);
}

static void put_end(writer *w, const char *indent, const char *owner, outcome_kind kind)
{
    put(w, indent, end_of(w, owner, kind), " [label=\"", outcome_infos[kind].name, "\", shape=plaintext];\n");
}

static void put_origins(writer *w, const ir_flow *flow, ir_range preempts, const char *indent)
{
    IR_EACH (ir_preempt, preempt, w->unit->preempts, preempts) {
        put(w, indent, origin_of(w, flow, preempt), " [label=");
        put_string(w, preempt->label);
        put(w, ", shape=plaintext");
        put_source(w, preempt->at);
        put(w, "];\n");
        outcome_kind const kind = w->unit->outcomes[preempt->outcome].kind;
        if (preempt->task == IR_NONE && outcome_ends(kind)) put_end(w, indent, cname_owner(w, flow, preempt), kind);
    }
}

static void put_preempt(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    const ir_unit *const u = w->unit;
    const ir_outcome *const outcome = &u->outcomes[preempt->outcome];
    put(w, "    ", origin_of(w, flow, preempt), " -> ");
    if (outcome->kind == OUTCOME_STEP) put(w, cname_step(w, &u->steps[outcome->target]));
    else if (outcome->kind == OUTCOME_BECOME) put(w, cname_step(w, &u->steps[u->tasks[outcome->target].steps.first]));
    else put(w, end_of(w, cname_owner(w, flow, preempt), outcome->kind));
    put(w, " [style=bold];\n");
}

static bool ends_in(const writer *w, const ir_task *task, outcome_kind kind)
{
    IR_EACH (ir_step, step, w->unit->steps, task->steps) {
        IR_EACH (ir_edge, edge, w->unit->edges, step->edges) {
            if (edge->outcome == kind) return true;
        }
    }
    IR_EACH (ir_preempt, preempt, w->unit->preempts, task->preempts) {
        if (w->unit->outcomes[preempt->outcome].kind == kind) return true;
    }
    return false;
}

static void put_group(writer *w, const ir_group *group)
{
    put(w, "    subgraph cluster_", cname_group(w, group), " {\n        label=\"", w->unit->flows[group->flow].name,
        ".", group->name, "\"; style=\"rounded,dashed\";\n");
    put_origins(w, &w->unit->flows[group->flow], group->preempts, "        ");
}

static void put_task(writer *w, const ir_task *task)
{
    put(w, "    subgraph cluster_", cname_task(w, task), " {\n        label=\"", w->unit->flows[task->flow].name, ".",
        task->name, "\";\n");
    for (uint32_t s = 0; s < task->steps.count; s++) {
        const ir_step *const step = &w->unit->steps[task->steps.first + s];
        put(w, "        ", cname_step(w, step), " [label=\"", step->name, "\"", s == 0 ? ", penwidth=2" : "");
        put_source(w, step->at);
        put(w, "];\n");
    }
    put_origins(w, &w->unit->flows[task->flow], task->preempts, "        ");
    for (outcome_kind kind = 0; kind < OUTCOME_KINDS; kind++) {
        if (outcome_ends(kind) && ends_in(w, task, kind)) put_end(w, "        ", cname_task(w, task), kind);
    }
    put(w, "    }\n");
}

void emit_dot(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    writer_begin(&w, unit, options, out);
    put(&w, "digraph ");
    put_string(&w, file_name(&w, unit->in->name));
    put(&w, " {\n"
            "    fontname=\"Helvetica,Arial,sans-serif\";\n"
            "    node [shape=box, style=rounded, fontname=\"Helvetica,Arial,sans-serif\"];\n"
            "    edge [fontname=\"Helvetica,Arial,sans-serif\", fontsize=11];\n");
    for (uint32_t f = 0; f < unit->own_count; f++) {
        const ir_flow *const flow = &unit->flows[f];
        put_boxes(&w, flow, &(boxes){.begin = put_group, .end = "    }\n", .task = put_task, .indent = "    "});
        put_origins(&w, flow, ir_preempts_of_flow(unit, flow), "    ");
        IR_EACH (ir_edge, edge, unit->edges, flow->edges) put_edge(&w, edge);
        IR_EACH (ir_preempt, preempt, unit->preempts, flow->preempts) put_preempt(&w, flow, preempt);
    }
    put(&w, "}\n");
    writer_end(&w);
}
