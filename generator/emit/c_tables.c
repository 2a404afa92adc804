/* SPDX-License-Identifier: MIT */
/* Tables of names, lines and edges, and the descriptor of a flow. */
#include "c_parts.h"
#include "fragment.h"

static unsigned index_in(ir_range range, uint32_t index)
{
    return (unsigned)(index - range.first);
}

/* Task properties for graceful shutdown. A stop waits for a `forever` task that can hear `stopping`, as for any other
 * task. */
static const char *task_kind(const ir_task *task)
{
    if (task->shutdown) return "UF_TASK_SHUTDOWN";
    return task->forever && !task->awaits_stop ? "UF_TASK_FOREVER" : "UF_TASK_PLAIN";
}

/* Does the state of the entry have a case of its own in the switch? */
static bool has_entry(const writer *w, const ir_task *task)
{
    return has_enter(w, task) || w->unit->steps[task->steps.first].is_timed;
}

/* A durable flow is kept by name. */
static const char *told(const writer *w, const ir_flow *flow, const char *name)
{
    return w->options->no_names && !flow->is_durable ? "" : name;
}

static uint32_t edge_count(const writer *w, const ir_flow *flow)
{
    return w->options->no_names ? 0 : flow->edges.count;
}

/* The row of the group, counted from 1; 0: none. */
static uint32_t around(const writer *w, uint32_t group)
{
    return group == IR_NONE ? 0 : row_of_group(w, &w->unit->groups[group]) + 1;
}

static bool is_inside(const writer *w, uint32_t inner, uint32_t group)
{
    while (inner != IR_NONE && inner != group) inner = w->unit->groups[inner].outer;
    return inner != IR_NONE;
}

/* The tasks in a group are adjacent. Groups are in source order: none begins before `first`, the first task of the
 * group before it. Returns that of this group. */
static uint32_t put_group_row(writer *w, const ir_flow *flow, uint32_t index, uint32_t first)
{
    const ir_group *const group = &w->unit->groups[index];
    const ir_task *const tasks = &w->unit->tasks[flow->tasks.first];
    uint32_t end;
    while (!is_inside(w, tasks[first].group, index)) first++;
    for (end = first + 1; end < flow->tasks.count && is_inside(w, tasks[end].group, index);) end++;
    put(w, "    { UF_NAMED(\"", told(w, flow, group->name), "\", ", ir_line(group->at), ") ", first, ", ", end - first,
        ", UF_TASK_GROUP, 0, ", around(w, group->outer), " },\n");
    return first;
}

static void put_task_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_task_info ", cname_hidden(w, flow, "tasks"),
        "[] UF_TABLE = { /* name, line, entry, result, kind, entry code, group + 1 */\n");
    IR_EACH (ir_task, task, w->unit->tasks, flow->tasks) {
        put(w, "    { UF_NAMED(\"", told(w, flow, task->name), "\", ", ir_line(task->at), ") ",
            index_in(flow->steps, task->steps.first), ", ", task->result_class, ", ", task_kind(task),
            has_entry(w, task) ? ", 1, " : ", 0, ", around(w, task->group), " },\n");
    }
    for (uint32_t i = 0, first = 0; i < flow->groups.count; i++)
        first = put_group_row(w, flow, flow->groups.first + i, first);
    put(w, "};\n\n");
}

static void put_step_table(writer *w, const ir_flow *flow)
{
    put(w, "static const uf_step_info ", cname_hidden(w, flow, "steps"), "[] UF_TABLE = { /* name, line, task */\n");
    IR_EACH (ir_step, step, w->unit->steps, flow->steps) {
        put(w, "    { UF_NAMED(\"", told(w, flow, step->name), "\", ", ir_line(step->at), ") ",
            index_in(flow->tasks, step->task), " },\n");
    }
    put(w, "};\n\n");
}

static const char *edge_kind(const ir_edge *edge)
{
    return edge->outcome == OUTCOME_STEP ? ir_trigger_infos[edge->trigger].edge : outcome_infos[edge->outcome].edge;
}

/* Writes one line per step. */
static void put_edge_table(writer *w, const ir_flow *flow)
{
    if (!edge_count(w, flow)) return;
    put(w, "static const uf_edge_info ", cname_hidden(w, flow, "edges"),
        "[] UF_TABLE = { /* from, to, kind, line */\n");
    for (uint32_t i = 0; i < flow->edges.count; i++) {
        const ir_edge *const edge = &w->unit->edges[flow->edges.first + i];
        bool const is_first = i == 0 || edge[-1].from != edge->from;
        bool const is_last = i + 1 == flow->edges.count || edge[1].from != edge->from;
        put(w, is_first ? "    { " : " { ", index_in(flow->steps, edge->from), ", ");
        if (edge->to == IR_NONE) put(w, "UF_NO_STEP");
        else put(w, index_in(flow->steps, edge->to));
        put(w, ", ", edge_kind(edge), ", ", ir_line(edge->at), " },");
        if (!is_last) continue;
        put_wrapped(w);
        put(w, "\n");
    }
    put(w, "};\n\n");
}

void emit_tables(writer *w, const ir_flow *flow)
{
    put_task_table(w, flow);
    put_step_table(w, flow);
    put_edge_table(w, flow);
}

const char *offset_of(writer *w, const ir_flow *flow, bool is_there, const char *member)
{
    return is_there ? ARENA_CONCAT(w->names, "UF_OFFSET(", flow->name, ", ", member, ")") : "0";
}

static void put_source_member(writer *w, const ir_flow *flow)
{
    if (w->options->no_names) put(w, "    UF_HAS(NAMES, \"\",) /* source */\n");
    else put_source_name(w, "    UF_HAS(NAMES, ", flow->at, ",)");
}

/* Uses the order of uf_flow_type, with comments for designators: the user may have macros with their names. */
void emit_descriptor(writer *w, const ir_flow *flow)
{
    put(w, flow->is_test ? "static " : "", "const uf_flow_type ", cname_of_flow(w, flow, "type"),
        " = {\n    UF_HAS(HOST, UF_ABI,) sizeof(", flow->name, "), UF_HAS(NAMES, \"",
        flow->is_test ? "test" : flow->name, "\",)\n");
    put_source_member(w, flow);
    const char *const on_exit = has_on_exit(w, flow) ? cname_of_flow(w, flow, "on_exit") : "0";
    const char *const on_end = ir_has_body(&flow->handlers[ON_END]) ? cname_hidden(w, flow, "end") : "0";
    PUT_MEMBER(w, "turn", flow->is_durable ? "uf_durable_turn" : cname_of_flow(w, flow, "turn"));
    PUT_MEMBER_OF(w, "ON_EXIT", "on exit", flow->is_durable ? "uf_durable_on_exit" : on_exit);
    PUT_MEMBER_OF(w, "ON_END", "on end", flow->is_durable ? "uf_durable_on_end" : on_end);
    PUT_MEMBER_OF(w, "TASKS", "tasks", flow->tasks.count ? cname_hidden(w, flow, "tasks") : "0");
    PUT_MEMBER_OF(w, "TASKS", "steps", flow->steps.count ? cname_hidden(w, flow, "steps") : "0");
    PUT_MEMBER_OF(w, "NAMES", "edges", edge_count(w, flow) ? cname_hidden(w, flow, "edges") : "0");
    PUT_MEMBER_OF(w, "TASKS", "number of tasks", flow->tasks.count);
    PUT_MEMBER_OF(w, "NAMES", "steps", flow->steps.count);
    PUT_MEMBER_OF(w, "NAMES", "edges", edge_count(w, flow));
    if (has_elements(w, flow) && flow->arm_count)
        PUT_MEMBER(w, "arms", ARENA_CONCAT(w->names, "UF_LENGTH(", flow->name, ", uf_arms)"));
    else PUT_MEMBER(w, "arms", flow->arm_count);
    PUT_MEMBER(w, "offset of uf_arms", offset_of(w, flow, flow->arm_count, "uf_arms"));
    PUT_MEMBER_OF(w, "REASONS", "offset of uf_reason", offset_of(w, flow, flow->keeps_reason, "uf_reason"));
    PUT_MEMBER_OF(w, "DESCRIPTIONS", "offset of uf_description", offset_of(w, flow, flow->describes, "uf_description"));
    put_outside_descriptor(w, flow);
    put(w, "};\n\n");
}
