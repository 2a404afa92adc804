/* Tables of names, lines, states and edges, and the descriptor of a flow. */
#include "c_parts.h"
#include "cname.h"

static unsigned index_in(ir_range range, uint32_t index)
{
    return (unsigned)(index - range.first);
}

/* What a stop needs to know. A task for ever that can hear of it is waited for as any other. */
static const char *task_kind(const ir_task *task)
{
    if (task->shutdown) return "UF_TASK_SHUTDOWN";
    return task->forever && !task->awaits_stop ? "UF_TASK_FOREVER" : "UF_TASK_PLAIN";
}

static void put_task_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_task_info ", cname_hidden(w, flow, "tasks"),
        "[] = { /* name, line, entry, result class, kind */\n");
    for (uint32_t i = 0; i < flow->tasks.count; i++) {
        const ir_task *const task = &w->unit->tasks[flow->tasks.first + i];
        put(w, "    { \"", task->name, "\", ", ir_line(task->at), ", ", index_in(flow->steps, task->steps.first), ", ",
            task->result_class, ", ", task_kind(task), " },\n");
    }
    put(w, "};\n\n");
}

static void put_step_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_step_info ", cname_hidden(w, flow, "steps"), "[] = { /* name, line, task */\n");
    for (uint32_t i = 0; i < flow->steps.count; i++) {
        const ir_step *const step = &w->unit->steps[flow->steps.first + i];
        put(w, "    { \"", step->name, "\", ", ir_line(step->at), ", ", index_in(flow->tasks, step->task), " },\n");
    }
    put(w, "};\n\n");
}

static void put_state(writer *w, const char *name, unsigned step, const char *kind)
{
    put(w, "    [", name, "] = { ", step, ", ", kind, " },\n");
}

static void put_state_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_state_info ", cname_hidden(w, flow, "states"), "[] = { /* step, kind */\n");
    for (uint32_t i = 0; i < flow->steps.count; i++) {
        const ir_step *const step = &w->unit->steps[flow->steps.first + i];
        const ir_task *const task = &w->unit->tasks[step->task];
        if (task->steps.first == flow->steps.first + i) {
            put_state(w, cname_for_task(w, task, "enter"), (unsigned)i, "UF_STATE_ENTRY");
        }
        put_state(w, cname_step_state(w, step), (unsigned)i, "UF_STATE_STEP");
        for (uint32_t p = 0; p < step->pauses.count; p++) {
            const ir_pause *const pause = &w->unit->pauses[step->pauses.first + p];
            put_state(w, cname_pause_state(w, pause), (unsigned)i,
                      pause->kind == IR_AWAIT ? "UF_STATE_WAIT" : "UF_STATE_STAY");
        }
    }
    put(w, "};\n\n");
}

static const char *edge_kind(const ir_edge *edge)
{
    return edge->outcome == OUTCOME_STEP ? ir_trigger_infos[edge->trigger].edge : outcome_infos[edge->outcome].edge;
}

static void put_edge_table(writer *w, const ir_flow *flow)
{
    if (!flow->edges.count) return;
    put(w, "static const uf_edge_info ", cname_hidden(w, flow, "edges"), "[] = { /* from, to, kind, line */\n");
    for (uint32_t i = 0; i < flow->edges.count; i++) {
        const ir_edge *const edge = &w->unit->edges[flow->edges.first + i];
        put(w, "    { ", index_in(flow->steps, edge->from), ", ");
        if (edge->to == IR_NONE) put(w, "UF_NO_STEP");
        else put(w, index_in(flow->steps, edge->to));
        put(w, ", ", edge_kind(edge), ", ", ir_line(edge->at), " },\n");
    }
    put(w, "};\n\n");
}

/* How many states put_state_table() writes. */
static uint32_t count_states(const writer *w, const ir_flow *flow)
{
    uint32_t count = flow->tasks.count + flow->steps.count;
    for (uint32_t i = 0; i < flow->steps.count; i++) count += w->unit->steps[flow->steps.first + i].pauses.count;
    return count;
}

void emit_tables(writer *w, const ir_flow *flow)
{
    put_task_table(w, flow);
    put_step_table(w, flow);
    put_state_table(w, flow);
    put_edge_table(w, flow);
}

static void put_table(writer *w, const ir_flow *flow, const char *name, uint32_t count)
{
    put(w, "    ", count ? cname_hidden(w, flow, name) : "0", ",", count ? "" : " /* no ", count ? "" : name,
        count ? "" : " */", "\n");
}

static void put_offset(writer *w, const ir_flow *flow, bool is_there, const char *member)
{
    if (is_there) put(w, "    UF_OFFSET(", flow->name, ", ", member, "),\n");
    else put(w, "    0, /* no ", member, " */\n");
}

/* In the order of uf_flow_type, without designators: the user may have macros of their names. */
void emit_descriptor(writer *w, const ir_flow *flow)
{
    put(w, "const uf_flow_type ", cname_of_flow(w, flow, "type"), " = {\n    UF_ABI, sizeof(", flow->name, "), \"",
        flow->name, "\", ");
    put_string(w, file_name(w, w->unit->in->name));
    put(w, ",\n    ", cname_of_flow(w, flow, "turn"), ",\n    ",
        flow->has_exits ? cname_of_flow(w, flow, "on_exit") : "0", ", /* on exit */\n");
    put_table(w, flow, "tasks", flow->tasks.count);
    put_table(w, flow, "steps", flow->steps.count);
    put_table(w, flow, "states", 1);
    put_table(w, flow, "edges", flow->edges.count);
    put(w, "    ", flow->tasks.count, ", ", flow->steps.count, ", ", count_states(w, flow), ", ", flow->edges.count,
        ", ", flow->arm_count, ", /* tasks, steps, states, edges, arms */\n");
    put_offset(w, flow, flow->arm_count, "uf_arms");
    put_offset(w, flow, flow->keeps_reason, "uf_reason");
    put_offset(w, flow, flow->describes, "uf_description");
    put_outside_descriptor(w, flow);
    put(w, "};\n\n");
}
