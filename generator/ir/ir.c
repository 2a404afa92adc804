/* SPDX-License-Identifier: MIT */
#include "ir.h"

const ir_trigger_info ir_trigger_infos[] = {[IR_BY_NEXT] = {"next", "UF_EDGE_NEXT"},
                                            [IR_BY_STAY] = {"stay", "UF_EDGE_STAY"},
                                            [IR_BY_ARM] = {"await", "UF_EDGE_AWAIT"},
                                            [IR_BY_TIMEOUT] = {"timeout", "UF_EDGE_TIMEOUT"},
                                            [IR_BY_ELSE] = {"else", "UF_EDGE_ELSE"}};

bool ir_has_text(span text)
{
    return text.in && text.end > text.begin;
}

bool ir_is_pool(const ir_member *member)
{
    return member->kind == IR_MEMBER_SUBFLOW && member->subflow.is_pool;
}

bool ir_is_subflow_with_pools(const ir_unit *unit, const ir_member *member)
{
    return member->kind == IR_MEMBER_SUBFLOW && !member->subflow.is_pool && unit->flows[member->subflow.flow].has_pools;
}

bool ir_has_body(const ir_body *body)
{
    return body->text.in != NULL;
}

const char *ir_name_of(const ir_unit *unit, const ir_event *event)
{
    arm_operand const operand = arm_infos[event->kind].operand;
    if (operand_is_nameable(operand) && ir_has_text(event->target) && !event->is_element) return "";
    if (operand == OPERAND_POOL) return unit->members[event->index].subflow.name;
    if (operand != OPERAND_NAME && operand != OPERAND_JOBS && !operand_is_nameable(operand)) return "";
    if (event->kind == ARM_MAILBOX || event->kind == ARM_ROOM) return unit->mailboxes[event->index].item.name;
    if (event->kind == ARM_JOB || event->kind == ARM_JOBS || event->kind == ARM_ANY)
        return unit->jobs[event->index].name;
    return unit->points[event->index].name;
}

uint32_t ir_line(span at)
{
    return source_line(at.in, at.begin);
}

static bool is_of_flow(const ir_preempt *preempt)
{
    return preempt->task == IR_NONE && preempt->group == IR_NONE;
}

ir_range ir_preempts_of_flow(const ir_unit *unit, const ir_flow *flow)
{
    uint32_t const end = flow->preempts.first + flow->preempts.count;
    ir_range own = {end, 0};
    for (; own.count < flow->preempts.count && is_of_flow(&unit->preempts[own.first - 1]); own.count++) own.first--;
    return own;
}

uint32_t ir_count_jobs(const ir_unit *unit, const ir_flow *flow)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < flow->tasks.count; i++) count += unit->tasks[flow->tasks.first + i].jobs.count;
    return count;
}

uint32_t ir_job_number(const ir_unit *unit, uint32_t job)
{
    const ir_flow *const flow = &unit->flows[unit->tasks[unit->jobs[job].task].flow];
    return job - unit->tasks[flow->tasks.first].jobs.first;
}

/* An element of an array is taken for `any`, and a value that is dropped otherwise is taken from its handle. */
bool ir_takes_job(const ir_unit *unit, const ir_event *event)
{
    if (event->kind == ARM_JOBS || event->kind == ARM_ANY) return true;
    if (event->kind != ARM_JOB) return false;
    const ir_job *const job = &unit->jobs[event->index];
    return ir_has_text(job->count) || unit->workers[job->worker].drop;
}
