/* The structure of a file for tools: flows, tasks, steps and edges with their lines. */
#include <string.h>

#include "json_text.h"
#include "writer.h"

static void put_json(writer *w, const char *text)
{
    buffer quoted = {0};
    json_string(&quoted, text, strlen(text));
    put(w, "%s", quoted.text);
    buffer_free(&quoted);
}

static const char *trigger(const ir_edge *edge)
{
    switch (edge->trigger) {
    case IR_BY_NEXT: return "next";
    case IR_BY_STAY: return "stay";
    case IR_BY_ARM: return "await";
    case IR_BY_TIMEOUT: return "timeout";
    case IR_BY_ELSE: return "else";
    }
    return "next";
}

static void put_edge(writer *w, const ir_edge *edge)
{
    const ir_unit *const u = w->unit;
    put(w, "            { \"on\": \"%s\", \"label\": ", trigger(edge));
    put_json(w, edge->label);
    switch (edge->outcome) {
    case IR_STEP: put(w, ", \"step\": \"%s\"", u->steps[edge->to].name); break;
    case IR_BECOME: put(w, ", \"become\": \"%s\"", u->tasks[u->steps[edge->to].task].name); break;
    case IR_DONE: put(w, ", \"end\": \"done\""); break;
    case IR_FAIL: put(w, ", \"end\": \"fail\""); break;
    }
    put(w, ", \"line\": %u }", (unsigned)ir_line(edge->at));
}

/* `["int slot", …]`: names and types of parameters. */
static void put_params(writer *w, ir_range params)
{
    put(w, "[");
    for (uint32_t i = 0; i < params.count; i++) {
        const ir_variable *const v = &w->unit->variables[params.first + i];
        put(w, "%s{ \"name\": \"%s\", \"type\": ", i ? ", " : " ", v->name);
        put_json(w, arena_printf(w->names, "%s%s", v->before, v->after));
        put(w, " }");
    }
    put(w, params.count ? " ]" : "]");
}

static void put_step(writer *w, const ir_step *step)
{
    put(w, "        { \"name\": \"%s\", \"line\": %u, \"parameters\": ", step->name, (unsigned)ir_line(step->at));
    put_params(w, step->params);
    put(w, ", \"edges\": [");
    for (uint32_t i = 0; i < step->edges.count; i++) {
        put(w, "%s", i ? ",\n" : "\n");
        put_edge(w, &w->unit->edges[step->edges.first + i]);
    }
    put(w, " ] }");
}

static void put_task(writer *w, const ir_task *task)
{
    put(w, "      { \"name\": \"%s\", \"line\": %u, \"forever\": %s, \"parameters\": ", task->name,
        (unsigned)ir_line(task->at), task->forever ? "true" : "false");
    put_params(w, task->params);
    if (task->has_result) {
        put(w, ", \"result\": ");
        put_json(w, arena_printf(w->names, "%s%s", task->result.before, task->result.after));
    }
    put(w, ", \"steps\": [");
    for (uint32_t i = 0; i < task->steps.count; i++) {
        put(w, "%s", i ? ",\n" : "\n");
        put_step(w, &w->unit->steps[task->steps.first + i]);
    }
    put(w, " ] }");
}

static void put_flow(writer *w, const ir_flow *flow)
{
    put(w, "    { \"name\": \"%s\", \"line\": %u, \"parameters\": ", flow->name, (unsigned)ir_line(flow->at));
    put_params(w, flow->params);
    put(w, ", \"flows\": [");
    const char *between = " ";
    for (uint32_t i = 0; i < flow->members.count; i++) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (m->kind != IR_MEMBER_SUBFLOW) continue;
        put(w, "%s{ \"name\": \"%s\", \"type\": \"%s\" }", between, m->subflow.name,
            w->unit->flows[m->subflow.flow].name);
        between = ", ";
    }
    put(w, "%s], \"tasks\": [", *between == ',' ? " " : "");
    for (uint32_t i = 0; i < flow->tasks.count; i++) {
        put(w, "%s", i ? ",\n" : "\n");
        put_task(w, &w->unit->tasks[flow->tasks.first + i]);
    }
    put(w, " ] }");
}

void emit_json(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    writer_begin(&w, unit, options, out);
    put(&w, "{ \"source\": ");
    put_json(&w, unit->in->name);
    put(&w, ", \"flows\": [");
    for (uint32_t i = 0; i < unit->own_count; i++) {
        put(&w, "%s", i ? ",\n" : "\n");
        put_flow(&w, &unit->flows[i]);
    }
    put(&w, " ] }\n");
    writer_end(&w);
}
