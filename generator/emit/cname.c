/* SPDX-License-Identifier: MIT */
#include "cname.h"

#include <string.h>

static const char *flow_of(const writer *w, const ir_task *task)
{
    return w->unit->flows[task->flow].name;
}

static const ir_task *task_of(const writer *w, const ir_step *step)
{
    return &w->unit->tasks[step->task];
}

const char *cname_of_flow(const writer *w, const ir_flow *flow, const char *what)
{
    return ARENA_JOIN(w->names, flow->name, what);
}

/* The name of the first test without its number. */
const char *cname_tests(const writer *w)
{
    const char *const first = w->unit->flows[w->unit->tests[0].flow].name;
    return arena_printf(w->names, "uf_tests%.*s", (int)(strlen(first) - strlen("uf_test") - strlen("_1")),
                        first + strlen("uf_test"));
}

const char *cname_hidden(const writer *w, const ir_flow *flow, const char *what)
{
    return ARENA_JOIN(w->names, "uf", flow->name, what);
}

const char *cname_of_file(const writer *w, const char *what)
{
    return cname_hidden(w, &w->unit->flows[0], what);
}

const char *cname_task(const writer *w, const ir_task *task)
{
    return ARENA_JOIN(w->names, flow_of(w, task), task->name);
}

const char *cname_for_task(const writer *w, const ir_task *task, const char *what)
{
    return ARENA_JOIN(w->names, flow_of(w, task), what, task->name);
}

const char *cname_of_task(const writer *w, const ir_task *task, const char *what)
{
    return ARENA_JOIN(w->names, flow_of(w, task), task->name, what);
}

const char *cname_of_task_hidden(const writer *w, const ir_task *task, const char *what)
{
    return ARENA_JOIN(w->names, "uf", flow_of(w, task), task->name, what);
}

const char *cname_group(const writer *w, const ir_group *group)
{
    return ARENA_JOIN(w->names, w->unit->flows[group->flow].name, group->name);
}

const char *cname_step(const writer *w, const ir_step *step)
{
    return ARENA_JOIN(w->names, flow_of(w, task_of(w, step)), task_of(w, step)->name, step->name);
}

const char *cname_to_step(const writer *w, const ir_step *step)
{
    return ARENA_JOIN(w->names, flow_of(w, task_of(w, step)), task_of(w, step)->name, "to", step->name);
}

const char *cname_step_state(const writer *w, const ir_step *step)
{
    const ir_task *const task = task_of(w, step);
    return ARENA_JOIN(w->names, flow_of(w, task), "at", task->name, step->name);
}

const char *cname_of_worker(const writer *w, const ir_worker *worker, const char *what)
{
    return ARENA_JOIN(w->names, "uf", what, "of", worker->name);
}

const char *cname_stored(const writer *w, const char *what, const char *member)
{
    return ARENA_JOIN(w->names, "uf", what, "of", member);
}

const char *cname_of_spawn(const writer *w, const ir_flow *flow, const ir_subflow *pool, const ir_task *task)
{
    return ARENA_JOIN(w->names, flow->name, pool->name, "spawn", task->name);
}

const char *cname_of_drop(const writer *w, const ir_mailbox *mailbox)
{
    return ARENA_JOIN(w->names, "uf", w->unit->flows[mailbox->flow].name, "drop", mailbox->item.name);
}

static const char *numbered(const writer *w, const ir_pause *pause, const char *what)
{
    return pause->number == 1 ? what : arena_printf(w->names, "%s%u", what, (unsigned)pause->number);
}

const char *cname_pause(const writer *w, const ir_pause *pause, const char *what)
{
    const ir_step *const step = &w->unit->steps[pause->step];
    const ir_task *const task = task_of(w, step);
    return ARENA_JOIN(w->names, flow_of(w, task), task->name, step->name, numbered(w, pause, what));
}

const char *cname_pause_state(const writer *w, const ir_pause *pause)
{
    const ir_step *const step = &w->unit->steps[pause->step];
    const ir_task *const task = task_of(w, step);
    const char *const what = numbered(w, pause, pause->kind == IR_AWAIT ? "wait" : "stay");
    return ARENA_JOIN(w->names, flow_of(w, task), "at", task->name, step->name, what);
}

const char *target_of_outcome(const writer *w, const ir_outcome *outcome)
{
    if (outcome->kind == OUTCOME_STEP) return w->unit->steps[outcome->target].name;
    return outcome->kind == OUTCOME_BECOME ? ARENA_CONCAT(w->names, "become ", w->unit->tasks[outcome->target].name)
                                           : outcome_infos[outcome->kind].name;
}

const char *target_of_edge(const writer *w, const ir_edge *edge)
{
    bool const becomes = edge->outcome == OUTCOME_BECOME; /* and leads to the first step of a task */
    uint32_t const target = becomes ? w->unit->steps[edge->to].task : edge->to;
    return target_of_outcome(w, &(ir_outcome){.kind = edge->outcome, .target = target});
}

const ir_body *body_of_handler(const part *of, handler_kind on)
{
    return &(of->task ? of->task->handlers : of->group ? of->group->handlers : of->flow->handlers)[on];
}

static const char *cname_part(const writer *w, const part *of)
{
    if (of->task) return cname_task(w, of->task);
    return of->group ? cname_group(w, of->group) : of->flow->name;
}

const char *cname_handler(const writer *w, const part *of, handler_kind on)
{
    bool const is_of_flow_alone = on == ON_INIT || on == ON_END;
    return ARENA_JOIN(w->names, cname_part(w, of),
                      is_of_flow_alone ? ARENA_JOIN(w->names, "on", handler_name(on)) : handler_name(on));
}

const char *cname_owner(const writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    return cname_part(w, &(part){flow, preempt->task == IR_NONE ? NULL : &w->unit->tasks[preempt->task],
                                 preempt->group == IR_NONE ? NULL : &w->unit->groups[preempt->group]});
}

const char *cname_preempt(const writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    return ARENA_JOIN(w->names, "uf", cname_owner(w, flow, preempt), preempt->name);
}
