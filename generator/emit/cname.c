#include "cname.h"

#include <stdint.h>

static const char *flow_of(const writer *w, const ir_task *task)
{
    return w->unit->flows[task->flow].name;
}

static const ir_task *task_of(const writer *w, const ir_step *step)
{
    return &w->unit->tasks[step->task];
}

/* Which of the functions below makes a name. */
enum { OF_FLOW, HIDDEN, FOR_TASK, OF_TASK, OF_PAUSE };

/* The place of a name that was made not long ago, or of the one that is made now: then it is NULL. `of` is what it is
 * made of, which is larger than there are ways to do it. */
static const char **recent(const writer *w, const void *of, int way, const char *what)
{
    const char *const key = (const char *)of + way;
    uint64_t const mixed = ((uint64_t)(uintptr_t)key ^ (uint64_t)(uintptr_t)what << 20) * UINT64_C(0x9E3779B97F4A7C15);
    recent_name *const name = &w->recent[mixed >> 32 & (RECENT_NAMES - 1)];
    if (name->of != key || name->what != what) *name = (recent_name){.of = key, .what = what};
    return &name->text;
}

const char *cname_of_flow(const writer *w, const ir_flow *flow, const char *what)
{
    const char **const name = recent(w, flow, OF_FLOW, what);
    if (!*name) *name = ARENA_JOIN(w->names, flow->name, what);
    return *name;
}

const char *cname_hidden(const writer *w, const ir_flow *flow, const char *what)
{
    const char **const name = recent(w, flow, HIDDEN, what);
    if (!*name) *name = ARENA_JOIN(w->names, "uf", flow->name, what);
    return *name;
}

const char *cname_task(const writer *w, const ir_task *task)
{
    const char **const name = &w->task_names[task - w->unit->tasks].type;
    if (!*name) *name = ARENA_JOIN(w->names, flow_of(w, task), task->name);
    return *name;
}

const char *cname_for_task(const writer *w, const ir_task *task, const char *what)
{
    const char **const name = recent(w, task, FOR_TASK, what);
    if (!*name) *name = ARENA_JOIN(w->names, flow_of(w, task), what, task->name);
    return *name;
}

const char *cname_of_task(const writer *w, const ir_task *task, const char *what)
{
    const char **const name = recent(w, task, OF_TASK, what);
    if (!*name) *name = ARENA_JOIN(w->names, flow_of(w, task), task->name, what);
    return *name;
}

const char *cname_of_task_hidden(const writer *w, const ir_task *task, const char *what)
{
    return ARENA_JOIN(w->names, "uf", cname_of_task(w, task, what));
}

const char *cname_step(const writer *w, const ir_step *step)
{
    const char **const name = &w->step_names[step - w->unit->steps].body;
    if (!*name) *name = ARENA_JOIN(w->names, cname_task(w, task_of(w, step)), step->name);
    return *name;
}

const char *cname_to_step(const writer *w, const ir_step *step)
{
    const char **const name = &w->step_names[step - w->unit->steps].to;
    if (!*name) *name = ARENA_JOIN(w->names, cname_task(w, task_of(w, step)), "to", step->name);
    return *name;
}

const char *cname_step_state(const writer *w, const ir_step *step)
{
    const char **const name = &w->step_names[step - w->unit->steps].state;
    const ir_task *const task = task_of(w, step);
    if (!*name) *name = ARENA_JOIN(w->names, flow_of(w, task), "at", task->name, step->name);
    return *name;
}

const char *cname_of_worker(const writer *w, const ir_worker *worker, const char *what)
{
    return ARENA_JOIN(w->names, "uf", what, "of", worker->name);
}

const char *cname_of_mailbox(const writer *w, const ir_flow *flow, const ir_mailbox *mailbox, const char *what)
{
    return ARENA_JOIN(w->names, flow->name, mailbox->item.name, what);
}

static const char *numbered(const writer *w, const char *name, const char *what, uint32_t number)
{
    if (number == 1) return ARENA_JOIN(w->names, name, what);
    return arena_printf(w->names, "%s_%s%u", name, what, (unsigned)number);
}

const char *cname_pause(const writer *w, const ir_pause *pause, const char *what)
{
    const char **const name = recent(w, pause, OF_PAUSE, what);
    if (!*name) *name = numbered(w, cname_step(w, &w->unit->steps[pause->step]), what, pause->number);
    return *name;
}

const char *cname_pause_state(const writer *w, const ir_pause *pause)
{
    const char **const name = &w->pause_states[pause - w->unit->pauses];
    const char *const what = pause->kind == IR_AWAIT ? "wait" : "stay";
    if (!*name) *name = numbered(w, cname_step_state(w, &w->unit->steps[pause->step]), what, pause->number);
    return *name;
}

const char *cname_preempt(const writer *w, const ir_flow *flow, const ir_preempt *preempt)
{
    const char *const owner = preempt->task == IR_NONE ? flow->name : cname_task(w, &w->unit->tasks[preempt->task]);
    return ARENA_JOIN(w->names, "uf", owner, "on", w->unit->points[preempt->point].name);
}
