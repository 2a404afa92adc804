/* SPDX-License-Identifier: MIT */
#include "emit_json.h"

#include "fragment.h"
#include "json_text.h"

static void put_json(writer *w, const char *text)
{
    json_text(w->out, "", text);
}

/* Writes `, "jobs": [ { … }, { … } ]`. `gap` stands before each item: a blank, or a line end. A list of lines has a
 * blank before its bracket even if it has no item. */
typedef void put_item(writer *w, uint32_t index);

static void put_list(writer *w, const char *key, ir_range range, const char *gap, put_item *put_one)
{
    put(w, ", \"", key, "\": [");
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
        put(w, i > range.first ? "," : "", gap);
        put_one(w, i);
    }
    put(w, range.count || *gap == '\n' ? " ]" : "]");
}

static void put_target(writer *w, outcome_kind outcome, uint32_t step, uint32_t task)
{
    if (outcome == OUTCOME_STEP) put(w, ", \"step\": \"", w->unit->steps[step].name, "\"");
    else if (outcome == OUTCOME_BECOME) put(w, ", \"become\": \"", w->unit->tasks[task].name, "\"");
    else put(w, ", \"end\": \"", outcome_infos[outcome].name, "\"");
}

/* The number of slots of an event: one for each element of `&flow->NAME[*]`. 0: not known, or more than a trace
 * tells apart. */
static uint32_t elements_of(const writer *w, const ir_event *event)
{
    uint32_t const size = is_each_run(event) ? w->unit->members[event->each].subflow.size : 1;
    return size <= 127 ? size : 0;
}

static bool has_known_slots(const writer *w, const ir_event *event)
{
    return event->slot == IR_NONE || (event->more.count != IR_NONE && elements_of(w, event));
}

/* The indices of its events among the flow's arms at run time. A condition that only polls has none. Nothing is written
 * unless all are known. */
static void put_slots(writer *w, ir_range events)
{
    if (!events.count) return;
    const ir_event *const all = w->unit->events + events.first;
    bool any = false;
    for (uint32_t i = 0; i < events.count; i++) {
        if (!has_known_slots(w, &all[i])) return;
    }
    for (uint32_t i = 0; i < events.count; i++) {
        uint32_t const count = all[i].slot == IR_NONE ? 0 : elements_of(w, &all[i]);
        for (uint32_t k = 0; k < count; k++, any = true)
            put(w, any ? ", " : ", \"slots\": [", all[i].slot + all[i].more.count + k);
    }
    put(w, any ? "]" : "");
    if (all[0].is_first) put(w, ", \"first\": true");
}

static void put_edge(writer *w, uint32_t index)
{
    const ir_edge *const edge = &w->unit->edges[index];
    put(w, "            { \"on\": \"", ir_trigger_infos[edge->trigger].name, "\", \"label\": ");
    put_json(w, edge->label);
    put_target(w, edge->outcome, edge->to, edge->to == IR_NONE ? IR_NONE : w->unit->steps[edge->to].task);
    put(w, ", \"line\": ", ir_line(edge->at));
    put_slots(w, edge->events);
    put(w, " }");
}

/* Writes `, "result": "int"`. */
static void put_type(writer *w, const char *key, const ir_variable *v)
{
    put(w, ", \"", key, "\": ");
    put_json(w, ARENA_CONCAT(w->names, v->before, v->after));
}

static void put_param(writer *w, uint32_t index)
{
    const ir_variable *const v = &w->unit->variables[index];
    put(w, "{ \"name\": \"", v->name, "\"");
    put_type(w, "type", v);
    put(w, " }");
}

/* The point with that index at file scope or, if there is a flow, the member with that index; NULL: it is no point. */
static const ir_point *point_at(const writer *w, const ir_flow *flow, uint32_t index)
{
    if (!flow) return &w->unit->points[index];
    const ir_member *const m = &w->unit->members[flow->members.first + index];
    return m->kind == IR_MEMBER_POINT ? &w->unit->points[m->index] : NULL;
}

/* Writes `, "signals": ["estop"]`, or likewise the checkpoints. */
static void put_names(writer *w, const char *what, const ir_flow *flow, uint32_t count, bool are_checkpoints)
{
    const char *between = "";
    put(w, ", \"", what, "\": [");
    for (uint32_t i = 0; i < count; i++) {
        const ir_point *const point = point_at(w, flow, i);
        if (!point || point->is_checkpoint != are_checkpoints) continue;
        put(w, between, "\"", point->name, "\"");
        between = ", ";
    }
    put(w, "]");
}

/* The points of the flow, or those at file scope. Then `, "counts": { "go": 3 }`, the numbers of elements of arrays, if
 * there are any. */
static void put_points(writer *w, const ir_flow *flow)
{
    uint32_t const count = flow ? flow->members.count : w->unit->own_point_count;
    const char *between = ", \"counts\": { ", *end = "";
    put_names(w, "signals", flow, count, false);
    put_names(w, "checkpoints", flow, count, true);
    for (uint32_t i = 0; i < count; i++) {
        const ir_point *const point = point_at(w, flow, i);
        if (!point || !point->count) continue;
        put(w, between, "\"", point->name, "\": ", point->count);
        between = ", ", end = " }";
    }
    put(w, end);
}

static void put_expression(writer *w, const char *key, span text)
{
    if (!ir_has_text(text)) return;
    put(w, ", \"", key, "\": ");
    put_json(w, arena_copy(w->names, text.in->text + text.begin, text.end - text.begin));
}

static void put_mailboxes(writer *w, const ir_flow *flow)
{
    const char *between = " ";
    put(w, ", \"mailboxes\": [");
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (m->kind != IR_MEMBER_MAILBOX) continue;
        const ir_variable *const item = &w->unit->mailboxes[m->index].item;
        const char *const drop = w->unit->mailboxes[m->index].drop;
        put(w, between, "{ \"name\": \"", item->name, "\"");
        put_type(w, "type", item);
        put_expression(w, "count", w->unit->mailboxes[m->index].capacity);
        if (drop) put(w, ", \"drop\": \"", drop, "\"");
        put(w, " }");
        between = ", ";
    }
    put(w, *between == ',' ? " " : "", "]");
}

/* What preempts: a key, and the rest of its label. */
static void put_cause(writer *w, const ir_preempt *preempt)
{
    bool const is_companion = preempt->kind == IR_WITH_RUN;
    put(w, is_companion ? "\"with\": " : "\"on\": ");
    put_json(w, preempt->label + (is_companion ? sizeof "with" : sizeof "on"));
}

/* Companions of an array have as many slots as it has elements, from the first one on. */
static void put_slot(writer *w, const ir_preempt *preempt)
{
    uint32_t const elements = preempt->kind == IR_WITH_RUN ? elements_of(w, &w->unit->events[preempt->event]) : 1;
    if (preempt->more.count == IR_NONE || !elements) return;
    put(w, ", \"slot\": ", preempt->slot + preempt->more.count);
    if (elements > 1) put(w, ", \"elements\": ", elements);
}

static void put_preempt(writer *w, uint32_t index)
{
    const ir_preempt *const preempt = &w->unit->preempts[index];
    const ir_outcome *const outcome = &w->unit->outcomes[preempt->outcome];
    put(w, "{ ");
    put_cause(w, preempt);
    put_target(w, outcome->kind, outcome->target, outcome->target);
    put(w, ", \"line\": ", ir_line(preempt->at));
    put_slot(w, preempt);
    put(w, " }");
}

static void put_job(writer *w, uint32_t index)
{
    const ir_job *const job = &w->unit->jobs[index];
    put(w, "{ \"name\": \"", job->name, "\", \"worker\": \"", w->unit->workers[job->worker].name, "\"");
    put_expression(w, "count", job->count);
    put(w, " }");
}

static void put_worker(writer *w, uint32_t index)
{
    const ir_worker *const worker = &w->unit->workers[index];
    put(w, "    { \"name\": \"", worker->name, "\", \"line\": ", ir_line(worker->at));
    put_list(w, "parameters", worker->params, " ", put_param);
    if (worker->has_result) put_type(w, "result", &worker->result);
    put_expression(w, "limit", worker->limit);
    put(w, " }");
}

/* Writes `, "kept": [ { "name": "dosed_g", "type": "int", "line": 12 } ]`: of a durable flow, of a task of it, or of a
 * plain struct. */
static void put_kept(writer *w, ir_range range, unsigned kind)
{
    const char *between = " ";
    put(w, ", \"kept\": [");
    IR_EACH (ir_kept, kept, w->unit->kept, range) {
        if ((unsigned)kept->kind != kind) continue;
        put(w, between, "{ \"name\": \"", kept->name, "\", \"type\": ");
        put_json(w, kept->type);
        put(w, ", \"line\": ", ir_line(kept->at), " }");
        between = ", ";
    }
    put(w, *between == ',' ? " " : "", "]");
}

static void put_step(writer *w, uint32_t index)
{
    const ir_step *const step = &w->unit->steps[index];
    const span body = step->body.text;
    put(w, "        { \"name\": \"", step->name, "\", \"line\": ", ir_line(step->at),
        ", \"last_line\": ", source_line(body.in, body.end - 1));
    put_list(w, "parameters", step->params, " ", put_param);
    put_list(w, "edges", step->edges, "\n", put_edge);
    put(w, " }");
}

static void put_task(writer *w, uint32_t index)
{
    const ir_task *const task = &w->unit->tasks[index];
    put(w, "      { \"name\": \"", task->name, "\", \"line\": ", ir_line(task->at),
        ", \"forever\": ", task->forever ? "true" : "false", ", \"shutdown\": ", task->shutdown ? "true" : "false");
    put_list(w, "parameters", task->params, " ", put_param);
    if (task->has_result) put_type(w, "result", &task->result);
    if (task->group != IR_NONE) put(w, ", \"group\": \"", w->unit->groups[task->group].name, "\"");
    if (w->unit->flows[task->flow].is_durable) put_kept(w, task->kept, IR_KEPT_OF_TASK);
    put_list(w, "jobs", task->jobs, " ", put_job);
    put_list(w, "preempts", task->preempts, " ", put_preempt);
    put_list(w, "steps", task->steps, "\n", put_step);
    put(w, " }");
}

static void put_subflows(writer *w, const ir_flow *flow, const char *key, bool pools)
{
    const char *between = " ";
    put(w, ", \"", key, "\": [");
    IR_EACH (ir_member, m, w->unit->members, flow->members) {
        if (m->kind != IR_MEMBER_SUBFLOW || m->subflow.is_pool != pools) continue;
        put(w, between, "{ \"name\": \"", m->subflow.name, "\", \"type\": \"", w->unit->flows[m->subflow.flow].name,
            "\"");
        put_expression(w, "count", m->subflow.count);
        put(w, " }");
        between = ", ";
    }
    put(w, *between == ',' ? " " : "", "]");
}

static void put_group(writer *w, uint32_t index)
{
    const ir_group *const group = &w->unit->groups[index];
    put(w, "      { \"name\": \"", group->name, "\", \"line\": ", ir_line(group->at));
    if (group->outer != IR_NONE) put(w, ", \"group\": \"", w->unit->groups[group->outer].name, "\"");
    put_list(w, "preempts", group->preempts, " ", put_preempt);
    put(w, " }");
}

static void put_flow(writer *w, uint32_t index)
{
    const ir_flow *const flow = &w->unit->flows[index];
    put(w, "    { \"name\": \"", flow->name, "\", \"line\": ", ir_line(flow->at));
    put_list(w, "parameters", flow->params, " ", put_param);
    if (flow->is_durable) {
        put(w, ", \"durable\": true");
        put_kept(w, flow->kept, IR_KEPT_OF_FLOW);
    }
    put_subflows(w, flow, "flows", false);
    put_subflows(w, flow, "pools", true);
    put_points(w, flow);
    put_mailboxes(w, flow);
    put_list(w, "preempts", ir_preempts_of_flow(w->unit, flow), " ", put_preempt);
    if (flow->groups.count) put_list(w, "groups", flow->groups, "\n", put_group);
    put_list(w, "tasks", flow->tasks, "\n", put_task);
    put(w, " }");
}

/* Those of the file, then those of imports. */
static void put_plain(writer *w, uint32_t index)
{
    const ir_unit *const unit = w->unit;
    bool const is_own = index < unit->plain_count;
    const ir_plain *const plain = is_own ? &unit->plains[index] : &unit->seen_plains[index - unit->plain_count];
    put(w, "    { \"name\": \"", plain->name, "\"");
    if (!is_own) {
        put(w, ", \"source\": ");
        put_json(w, file_name(w, plain->at.in->name));
    }
    put(w, ", \"line\": ", ir_line(plain->at));
    put_kept(w, plain->kept, IR_KEPT_MEMBER);
    put(w, " }");
}

void put_structure(writer *w)
{
    const ir_unit *const unit = w->unit;
    uint32_t const plains = unit->plain_count + unit->seen_plain_count;
    put(w, "\"source\": ");
    put_json(w, file_name(w, unit->in->name));
    put_points(w, NULL);
    put_list(w, "workers", (ir_range){0, unit->worker_count}, unit->worker_count ? "\n" : "", put_worker);
    if (plains) put_list(w, "plains", (ir_range){0, plains}, "\n", put_plain);
    put_list(w, "flows", (ir_range){0, unit->own_count}, "\n", put_flow);
}

void emit_json(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    writer_begin(&w, unit, options, out);
    put(&w, "{ ");
    put_structure(&w);
    put(&w, " }\n");
    writer_end(&w);
}
