/* The state diagram for Graphviz: one cluster per task. */
#include "writer.h"

static void put_node(writer *w, const ir_step *step)
{
    const ir_task *const task = &w->unit->tasks[step->task];
    put(w, w->unit->flows[task->flow].name, "_", task->name, "_", step->name);
}

static void put_end(writer *w, const ir_task *task, const char *what)
{
    put(w, w->unit->flows[task->flow].name, "_", task->name, "__", what);
}

static const char *style(const ir_edge *edge)
{
    if (edge->outcome == OUTCOME_BECOME) return "bold";
    return edge->trigger == IR_BY_TIMEOUT || edge->trigger == IR_BY_ELSE ? "dashed" : "solid";
}

static void put_edge(writer *w, const ir_edge *edge)
{
    const ir_unit *const u = w->unit;
    put(w, "    ");
    put_node(w, &u->steps[edge->from]);
    put(w, " -> ");
    if (edge->to != IR_NONE) put_node(w, &u->steps[edge->to]);
    else put_end(w, &u->tasks[u->steps[edge->from].task], outcome_infos[edge->outcome].name);
    put(w, " [style=", style(edge));
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

/* Writes the node where an interrupt begins. It is outside the steps, since it can leave any of them. */
static void put_origin(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    put(w, flow->name, "_");
    if (preempt->task != IR_NONE) put(w, w->unit->tasks[preempt->task].name, "_");
    put(w, "_", preempt->name);
}

static void put_origins(writer *w, const ir_flow *flow, ir_range preempts, const char *indent)
{
    for (uint32_t i = 0; i < preempts.count; i++) {
        const ir_preempt *const preempt = &w->unit->preempts[preempts.first + i];
        put(w, indent);
        put_origin(w, flow, preempt);
        put(w, " [label=");
        put_string(w, preempt->label);
        put(w, ", shape=plaintext");
        put_source(w, preempt->at);
        put(w, "];\n");
        outcome_kind const kind = w->unit->outcomes[preempt->outcome].kind;
        const char *const end = outcome_infos[kind].name;
        if (preempt->task == IR_NONE && outcome_ends(kind))
            put(w, indent, flow->name, "__", end, " [label=\"", end, "\", shape=plaintext];\n");
    }
}

static void put_preempt(writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    const ir_unit *const u = w->unit;
    const ir_outcome *const outcome = &u->outcomes[preempt->outcome];
    put(w, "    ");
    put_origin(w, flow, preempt);
    put(w, " -> ");
    if (outcome->kind == OUTCOME_STEP) put_node(w, &u->steps[outcome->target]);
    else if (outcome->kind == OUTCOME_BECOME) put_node(w, &u->steps[u->tasks[outcome->target].steps.first]);
    else if (preempt->task == IR_NONE) put(w, flow->name, "__", outcome_infos[outcome->kind].name);
    else put_end(w, &u->tasks[preempt->task], outcome_infos[outcome->kind].name);
    put(w, " [style=bold];\n");
}

static bool ends_in(const writer *w, const ir_task *task, outcome_kind kind)
{
    for (uint32_t s = 0; s < task->steps.count; s++) {
        const ir_step *const step = &w->unit->steps[task->steps.first + s];
        for (uint32_t e = 0; e < step->edges.count; e++) {
            if (w->unit->edges[step->edges.first + e].outcome == kind) return true;
        }
    }
    const ir_range preempts = task->preempts;
    for (uint32_t i = 0; i < preempts.count; i++) {
        if (w->unit->outcomes[w->unit->preempts[preempts.first + i].outcome].kind == kind) return true;
    }
    return false;
}

static void put_task(writer *w, const ir_task *task)
{
    const char *const flow = w->unit->flows[task->flow].name;
    put(w, "    subgraph cluster_", flow, "_", task->name, " {\n        label=\"", flow, ".", task->name, "\";\n");
    for (uint32_t s = 0; s < task->steps.count; s++) {
        put(w, "        ");
        const ir_step *const step = &w->unit->steps[task->steps.first + s];
        put_node(w, step);
        put(w, " [label=\"", step->name, "\"", s == 0 ? ", penwidth=2" : "");
        put_source(w, step->at);
        put(w, "];\n");
    }
    put_origins(w, &w->unit->flows[task->flow], task->preempts, "        ");
    for (outcome_kind kind = 0; kind < OUTCOME_KINDS; kind++) {
        if (!outcome_ends(kind) || !ends_in(w, task, kind)) continue;
        put(w, "        ");
        put_end(w, task, outcome_infos[kind].name);
        put(w, " [label=\"", outcome_infos[kind].name, "\", shape=plaintext];\n");
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
        for (uint32_t t = 0; t < flow->tasks.count; t++) put_task(&w, &unit->tasks[flow->tasks.first + t]);
        put_origins(&w, flow, ir_preempts_of_flow(unit, flow), "    ");
        for (uint32_t e = 0; e < flow->edges.count; e++) put_edge(&w, &unit->edges[flow->edges.first + e]);
        for (uint32_t i = 0; i < flow->preempts.count; i++)
            put_preempt(&w, flow, &unit->preempts[flow->preempts.first + i]);
    }
    put(&w, "}\n");
    writer_end(&w);
}
