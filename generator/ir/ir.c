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

ir_range ir_preempts_of_flow(const ir_unit *unit, const ir_flow *flow)
{
    uint32_t const end = flow->preempts.first + flow->preempts.count;
    ir_range own = {end, 0};
    for (; own.count < flow->preempts.count && unit->preempts[own.first - 1].task == IR_NONE; own.count++) own.first--;
    return own;
}

uint32_t ir_count_jobs(const ir_unit *unit, const ir_flow *flow)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < flow->tasks.count; i++) count += unit->tasks[flow->tasks.first + i].jobs.count;
    return count;
}
