/* SPDX-License-Identifier: MIT */
#include "uses.h"

#include <string.h>

#define USES(name) (UINT32_C(1) << FEATURE_##name)

_Static_assert(FEATURES <= 32, "the bits of a set");

static uint32_t of_arm(arm_kind kind)
{
    enum { FEATURE_ALWAYS = FEATURES };
    static const uint8_t features[] = {
#define ARM(kind, word, form, operand, function, noun, feature, traits) [ARM_##kind] = FEATURE_##feature,
#include "arms.def"
    };
    return features[kind] == FEATURE_ALWAYS ? 0 : UINT32_C(1) << features[kind];
}

static uint32_t of_preempt(const ir_preempt *preempt)
{
    bool const is_real = preempt->kind == IR_ON_TIMEOUT && strcmp(preempt->name, "on_timeout_real") == 0;
    uint32_t const signal = preempt->kind == IR_ON_SIGNAL ? USES(SIGNALS) : 0;
    return USES(HANDLERS) | signal | (preempt->kind == IR_WITH_RUN ? USES(RUNS) : 0) | (is_real ? USES(REAL_TIME) : 0);
}

static uint32_t of_piece(const ir_unit *unit, const ir_piece *piece)
{
    switch (piece->kind) {
    case IR_PIECE_STAY: return unit->durations[piece->every].kind == IR_DURATION_NONE ? USES(POLLS) : USES(STAYS);
    case IR_DESCRIBE: return USES(DESCRIPTIONS);
    case IR_SUBMIT: return USES(JOBS);
    case IR_SPAWN: return USES(POOLS);
    case IR_TEXT:
    case IR_INTENT:
    case IR_PIECE_PAUSE:
    case IR_CONDITION:
    case IR_WORK_FAIL:
    case IR_EXPECT:
    case IR_EXPECT_TEXT: break;
    }
    return 0;
}

static uint32_t of_point(const ir_point *point)
{
    return point->is_checkpoint ? USES(CHECKPOINTS) : USES(SIGNALS);
}

static uint32_t of_member(const ir_unit *unit, const ir_member *member)
{
    switch (member->kind) {
    case IR_MEMBER_POINT: return of_point(&unit->points[member->index]);
    case IR_MEMBER_MAILBOX: return USES(MAILBOXES);
    case IR_MEMBER_SUBFLOW: return ir_is_pool(member) ? USES(POOLS) : USES(PARTS);
    case IR_MEMBER_FIELD: break;
    }
    return 0;
}

static uint32_t of_handlers(const ir_body *handlers)
{
    bool const has_pauses = ir_has_body(&handlers[ON_PAUSE]) || ir_has_body(&handlers[ON_RESUME]);
    bool const has_reasons = handlers[ON_EXIT].uses_reason || handlers[ON_END].uses_reason;
    return (has_pauses ? USES(PAUSES) : 0) | (has_reasons ? USES(REASONS) : 0);
}

static uint32_t of_flow(const ir_unit *unit, const ir_flow *flow)
{
    uint32_t uses = flow->has_exits || flow->enters_groups ? USES(ON_EXIT) : 0;
    if (ir_has_body(&flow->handlers[ON_END])) uses |= USES(ON_END) | of_handlers(flow->handlers);
    if (flow->is_durable) uses |= USES(DURABLE);
    if (flow->describes) uses |= USES(DESCRIPTIONS);
    IR_EACH (ir_member, member, unit->members, flow->members) uses |= of_member(unit, member);
    IR_EACH (ir_group, group, unit->groups, flow->groups) uses |= of_handlers(group->handlers);
    IR_EACH (ir_task, task, unit->tasks, flow->tasks) {
        uses |= of_handlers(task->handlers) | (task->shutdown ? USES(STOP) : 0);
        uses |= task->result_class ? USES(TASKS) : 0;
    }
    return uses;
}

uint32_t uses_of(const ir_unit *unit)
{
    uint32_t uses = unit->job_count ? USES(JOBS) : 0;
    for (uint32_t i = 0; i < unit->own_count; i++) uses |= of_flow(unit, &unit->flows[i]);
    for (uint32_t i = 0; i < unit->own_point_count; i++) uses |= of_point(&unit->points[i]);
    for (uint32_t i = 0; i < unit->event_count; i++) uses |= of_arm(unit->events[i].kind);
    for (uint32_t i = 0; i < unit->outcome_count; i++)
        uses |= unit->outcomes[i].uses & BINDS_REASON ? USES(REASONS) : 0;
    for (uint32_t i = 0; i < unit->preempt_count; i++) uses |= of_preempt(&unit->preempts[i]);
    for (uint32_t i = 0; i < unit->piece_count; i++) uses |= of_piece(unit, &unit->pieces[i]);
    for (uint32_t i = 0; i < unit->pause_count; i++) {
        const ir_pause *const pause = &unit->pauses[i];
        bool const has_interval = pause->every.kind != IR_DURATION_NONE;
        if (pause->kind == IR_STAY) uses |= USES(STAYS) | (has_interval ? 0 : USES(POLLS));
    }
    return uses;
}
