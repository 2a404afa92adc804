#include "ir.h"

bool ir_has_text(span text)
{
    return text.in && text.end > text.begin;
}

bool ir_has_body(const ir_body *body)
{
    return body->text.in != NULL;
}

bool ir_can_fail(const ir_event *event)
{
    return event->kind == IR_RUN || event->kind == IR_JOB || event->kind == IR_READABLE || event->kind == IR_WRITABLE;
}

uint32_t ir_line(span at)
{
    return source_line(at.in, at.begin);
}

static ir_range preempts_in(const ir_unit *unit, const ir_flow *flow, uint32_t task)
{
    ir_range in = {flow->preempts.first, 0};
    for (uint32_t i = flow->preempts.first; i < flow->preempts.first + flow->preempts.count; i++) {
        if (unit->preempts[i].task != task) continue;
        if (in.count++ == 0) in.first = i;
    }
    return in;
}

ir_range ir_preempts_of(const ir_unit *unit, const ir_task *task)
{
    return preempts_in(unit, &unit->flows[task->flow], (uint32_t)(task - unit->tasks));
}

ir_range ir_preempts_of_flow(const ir_unit *unit, const ir_flow *flow)
{
    return preempts_in(unit, flow, IR_NONE);
}

uint32_t ir_count_jobs(const ir_unit *unit, const ir_flow *flow)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < flow->tasks.count; i++) count += unit->tasks[flow->tasks.first + i].jobs.count;
    return count;
}
