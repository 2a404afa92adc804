/* SPDX-License-Identifier: MIT */
#include "emit_json.h"

#include "json_text.h"

static void put_json(writer *w, const char *text)
{
    json_text(w->out, "", text);
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
    bool const is_array = event->kind == ARM_RUN && event->each != IR_NONE;
    uint32_t const size = is_array ? w->unit->members[event->each].subflow.size : 1;
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

static void put_edge(writer *w, const ir_edge *edge)
{
    put(w, "            { \"on\": \"", ir_trigger_infos[edge->trigger].name, "\", \"label\": ");
    put_json(w, edge->label);
    put_target(w, edge->outcome, edge->to, edge->to == IR_NONE ? IR_NONE : w->unit->steps[edge->to].task);
    put(w, ", \"line\": ", ir_line(edge->at));
    put_slots(w, edge->events);
    put(w, " }");
}

/* Writes names and types of parameters. */
static void put_params(writer *w, ir_range params)
{
    put(w, "[");
    for (uint32_t i = 0; i < params.count; i++) {
        const ir_variable *const v = &w->unit->variables[params.first + i];
        put(w, i ? ", " : " ", "{ \"name\": \"", v->name, "\", \"type\": ");
        put_json(w, arena_printf(w->names, "%s%s", v->before, v->after));
        put(w, " }");
    }
    put(w, params.count ? " ]" : "]");
}

/* Writes `, "signals": ["estop"]`. `named` returns the name of an item, or NULL for an item of another kind. */
typedef const char *naming(const writer *w, uint32_t index);

static void put_names(writer *w, const char *what, ir_range range, naming *named)
{
    const char *between = "";
    put(w, ", \"", what, "\": [");
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
        const char *const name = named(w, i);
        if (!name) continue;
        put(w, between, "\"", name, "\"");
        between = ", ";
    }
    put(w, "]");
}

static const char *signal_name(const writer *w, uint32_t index)
{
    return w->unit->points[index].is_checkpoint ? NULL : w->unit->points[index].name;
}

static const char *checkpoint_name(const writer *w, uint32_t index)
{
    return w->unit->points[index].is_checkpoint ? w->unit->points[index].name : NULL;
}

static const char *member_signal(const writer *w, uint32_t index)
{
    const ir_member *const m = &w->unit->members[index];
    return m->kind == IR_MEMBER_POINT ? signal_name(w, m->index) : NULL;
}

static const char *member_checkpoint(const writer *w, uint32_t index)
{
    const ir_member *const m = &w->unit->members[index];
    return m->kind == IR_MEMBER_POINT ? checkpoint_name(w, m->index) : NULL;
}

/* Writes `, "counts": { "go": 3 }`: the numbers of elements of arrays of signals and checkpoints, if there are any. */
static void put_counts(writer *w, ir_range range, const ir_point *(*point_of)(const writer *w, uint32_t index))
{
    const char *between = ", \"counts\": { ";
    bool any = false;
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
        const ir_point *const point = point_of(w, i);
        if (!point || !point->count) continue;
        put(w, between, "\"", point->name, "\": ", point->count);
        between = ", ";
        any = true;
    }
    put(w, any ? " }" : "");
}

static const ir_point *point_at(const writer *w, uint32_t index)
{
    return &w->unit->points[index];
}

static const ir_point *member_point(const writer *w, uint32_t index)
{
    const ir_member *const m = &w->unit->members[index];
    return m->kind == IR_MEMBER_POINT ? point_at(w, m->index) : NULL;
}

static void put_expression(writer *w, const char *key, span text)
{
    if (!ir_has_text(text)) return;
    put(w, ", \"", key, "\": ");
    put_json(w, arena_copy(w->names, text.in->text + text.begin, text.end - text.begin));
}

/* The expression in the brackets of an array, pool or mailbox. */
static void put_count(writer *w, span count)
{
    put_expression(w, "count", count);
}

static void put_mailboxes(writer *w, const ir_flow *flow)
{
    const char *between = " ";
    put(w, ", \"mailboxes\": [");
    for (uint32_t i = 0; i < flow->members.count; i++) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (m->kind != IR_MEMBER_MAILBOX) continue;
        const ir_variable *const item = &w->unit->mailboxes[m->index].item;
        const char *const drop = w->unit->mailboxes[m->index].drop;
        put(w, between, "{ \"name\": \"", item->name, "\", \"type\": ");
        put_json(w, arena_printf(w->names, "%s%s", item->before, item->after));
        put_count(w, w->unit->mailboxes[m->index].capacity);
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

static void put_preempts(writer *w, ir_range preempts)
{
    const ir_unit *const u = w->unit;
    put(w, ", \"preempts\": [");
    for (uint32_t i = 0; i < preempts.count; i++) {
        const ir_preempt *const preempt = &u->preempts[preempts.first + i];
        const ir_outcome *const outcome = &u->outcomes[preempt->outcome];
        put(w, i ? ", " : " ", "{ ");
        put_cause(w, preempt);
        put_target(w, outcome->kind, outcome->target, outcome->target);
        put(w, ", \"line\": ", ir_line(preempt->at));
        put_slot(w, preempt);
        put(w, " }");
    }
    put(w, preempts.count ? " ]" : "]");
}

static void put_jobs(writer *w, const ir_task *task)
{
    put(w, ", \"jobs\": [");
    for (uint32_t i = 0; i < task->jobs.count; i++) {
        const ir_job *const job = &w->unit->jobs[task->jobs.first + i];
        put(w, i ? ", " : " ", "{ \"name\": \"", job->name, "\", \"worker\": \"", w->unit->workers[job->worker].name,
            "\"");
        put_count(w, job->count);
        put(w, " }");
    }
    put(w, task->jobs.count ? " ]" : "]");
}

static void put_workers(writer *w)
{
    const ir_unit *const u = w->unit;
    put(w, ", \"workers\": [");
    for (uint32_t i = 0; i < u->worker_count; i++) {
        const ir_worker *const worker = &u->workers[i];
        put(w, i ? ",\n" : "\n", "    { \"name\": \"", worker->name, "\", \"line\": ", ir_line(worker->at),
            ", \"parameters\": ");
        put_params(w, worker->params);
        if (worker->has_result) {
            put(w, ", \"result\": ");
            put_json(w, arena_printf(w->names, "%s%s", worker->result.before, worker->result.after));
        }
        put_expression(w, "limit", worker->limit);
        put(w, " }");
    }
    put(w, u->worker_count ? " ]" : "]");
}

/* Writes `, "kept": [ { "name": "dosed_g", "type": "int", "line": 12 } ]`: of a durable flow, of a task of it, or of a
 * plain struct. */
static void put_kept(writer *w, ir_range range, unsigned kind)
{
    const char *between = " ";
    put(w, ", \"kept\": [");
    for (uint32_t i = 0; i < range.count; i++) {
        const ir_kept *const kept = &w->unit->kept[range.first + i];
        if ((unsigned)kept->kind != kind) continue;
        put(w, between, "{ \"name\": \"", kept->name, "\", \"type\": ");
        put_json(w, kept->type);
        put(w, ", \"line\": ", ir_line(kept->at), " }");
        between = ", ";
    }
    put(w, *between == ',' ? " " : "", "]");
}

static void put_step(writer *w, const ir_step *step)
{
    const span body = step->body.text;
    put(w, "        { \"name\": \"", step->name, "\", \"line\": ", ir_line(step->at),
        ", \"last_line\": ", source_line(body.in, body.end - 1), ", \"parameters\": ");
    put_params(w, step->params);
    put(w, ", \"edges\": [");
    for (uint32_t i = 0; i < step->edges.count; i++) {
        put(w, i ? ",\n" : "\n");
        put_edge(w, &w->unit->edges[step->edges.first + i]);
    }
    put(w, " ] }");
}

static void put_task(writer *w, const ir_flow *flow, const ir_task *task)
{
    put(w, "      { \"name\": \"", task->name, "\", \"line\": ", ir_line(task->at),
        ", \"forever\": ", task->forever ? "true" : "false", ", \"shutdown\": ", task->shutdown ? "true" : "false",
        ", \"parameters\": ");
    put_params(w, task->params);
    if (task->has_result) {
        put(w, ", \"result\": ");
        put_json(w, arena_printf(w->names, "%s%s", task->result.before, task->result.after));
    }
    if (task->group != IR_NONE) put(w, ", \"group\": \"", w->unit->groups[task->group].name, "\"");
    if (flow->is_durable) put_kept(w, task->kept, IR_KEPT_OF_TASK);
    put_jobs(w, task);
    put_preempts(w, task->preempts);
    put(w, ", \"steps\": [");
    for (uint32_t i = 0; i < task->steps.count; i++) {
        put(w, i ? ",\n" : "\n");
        put_step(w, &w->unit->steps[task->steps.first + i]);
    }
    put(w, " ] }");
}

static void put_subflows(writer *w, const ir_flow *flow, const char *key, bool pools)
{
    const char *between = " ";
    put(w, ", \"", key, "\": [");
    for (uint32_t i = 0; i < flow->members.count; i++) {
        const ir_member *const m = &w->unit->members[flow->members.first + i];
        if (m->kind != IR_MEMBER_SUBFLOW || m->subflow.is_pool != pools) continue;
        put(w, between, "{ \"name\": \"", m->subflow.name, "\", \"type\": \"", w->unit->flows[m->subflow.flow].name,
            "\"");
        put_count(w, m->subflow.count);
        put(w, " }");
        between = ", ";
    }
    put(w, *between == ',' ? " " : "", "]");
}

/* In source order. A flow without groups has no such key. */
static void put_groups(writer *w, const ir_flow *flow)
{
    if (!flow->groups.count) return;
    put(w, ", \"groups\": [");
    for (uint32_t i = 0; i < flow->groups.count; i++) {
        const ir_group *const group = &w->unit->groups[flow->groups.first + i];
        put(w, i ? ",\n" : "\n", "      { \"name\": \"", group->name, "\", \"line\": ", ir_line(group->at));
        if (group->outer != IR_NONE) put(w, ", \"group\": \"", w->unit->groups[group->outer].name, "\"");
        put_preempts(w, group->preempts);
        put(w, " }");
    }
    put(w, " ]");
}

static void put_flow(writer *w, const ir_flow *flow)
{
    put(w, "    { \"name\": \"", flow->name, "\", \"line\": ", ir_line(flow->at), ", \"parameters\": ");
    put_params(w, flow->params);
    if (flow->is_durable) {
        put(w, ", \"durable\": true");
        put_kept(w, flow->kept, IR_KEPT_OF_FLOW);
    }
    put_subflows(w, flow, "flows", false);
    put_subflows(w, flow, "pools", true);
    put_names(w, "signals", flow->members, member_signal);
    put_names(w, "checkpoints", flow->members, member_checkpoint);
    put_counts(w, flow->members, member_point);
    put_mailboxes(w, flow);
    put_preempts(w, ir_preempts_of_flow(w->unit, flow));
    put_groups(w, flow);
    put(w, ", \"tasks\": [");
    for (uint32_t i = 0; i < flow->tasks.count; i++) {
        put(w, i ? ",\n" : "\n");
        put_task(w, flow, &w->unit->tasks[flow->tasks.first + i]);
    }
    put(w, " ] }");
}

static void put_plains(writer *w)
{
    const ir_unit *const unit = w->unit;
    uint32_t const count = unit->plain_count + unit->seen_plain_count;
    if (!count) return;
    put(w, ", \"plains\": [");
    for (uint32_t i = 0; i < count; i++) {
        const ir_plain *const plain =
            i < unit->plain_count ? &unit->plains[i] : &unit->seen_plains[i - unit->plain_count];
        put(w, i ? ",\n" : "\n", "    { \"name\": \"", plain->name, "\"");
        if (i >= unit->plain_count) {
            put(w, ", \"source\": ");
            put_json(w, file_name(w, plain->at.in->name));
        }
        put(w, ", \"line\": ", ir_line(plain->at));
        put_kept(w, plain->kept, IR_KEPT_MEMBER);
        put(w, " }");
    }
    put(w, " ]");
}

void put_structure(writer *w)
{
    const ir_unit *const unit = w->unit;
    put(w, "\"source\": ");
    put_json(w, file_name(w, unit->in->name));
    put_names(w, "signals", (ir_range){0, unit->own_point_count}, signal_name);
    put_names(w, "checkpoints", (ir_range){0, unit->own_point_count}, checkpoint_name);
    put_counts(w, (ir_range){0, unit->own_point_count}, point_at);
    put_workers(w);
    put_plains(w);
    put(w, ", \"flows\": [");
    for (uint32_t i = 0; i < unit->own_count; i++) {
        put(w, i ? ",\n" : "\n");
        put_flow(w, &unit->flows[i]);
    }
    put(w, " ]");
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
