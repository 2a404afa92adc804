/* SPDX-License-Identifier: MIT */
/* groups.c - which groups a flow is in. The generated code enters them from the outside, each before its `on enter`,
 * and leaves them from the inside. */
#include "runs/runs.h"

static bool is_around(const uf_flow *flow, uint16_t group, uint16_t place)
{
    while (place && place != group) place = ufi_place_around(flow, place);
    return place != 0;
}

uint16_t ufi_common_group(const uf_flow *flow, uint16_t place, uint16_t other)
{
    uint16_t group = ufi_place_around(flow, place);

    while (group && !is_around(flow, group, other)) group = ufi_place_around(flow, group);
    return group;
}

bool uf_enter_group(uf_flow *flow, uf_inside *inside, uint16_t group)
{
    uint16_t const place = (uint16_t)(group + 1);

    if (is_around(flow, place, inside->place)) return false;
    inside->place = place;
    return true;
}

void uf_keep_groups(uf_flow *flow, uf_inside *inside, uint32_t entry)
{
    inside->kept = ufi_common_group(flow, (uint16_t)(ufi_step_of(flow, entry)->task + 1), inside->place);
}

/* Is nothing more left now? An `on exit` that fails the flow fails the run: also what a `become` would keep is left. */
static bool has_left(const uf_flow *flow, const uf_inside *inside, uf_outcome *outcome)
{
    if (uf_failing(flow) && *outcome != UF_CANCELLED) *outcome = UF_FAILED;
    return !inside->place || (*outcome == UF_BECAME && inside->place == inside->kept);
}

static bool has_companion(const uf_flow *flow, uint16_t group)
{
    for (unsigned i = 0; i < ufi_preempt_count(flow); i++) {
        uint16_t const of = flow->type->preempts[ufi_row_of_preempt(flow->type, i)].task;
        if (of == group && ufi_has_run(ufi_preempts(flow) + i)) return true;
    }
    return false;
}

uint16_t uf_leave_place(uf_flow *flow, uf_inside *inside, uf_outcome *outcome)
{
    bool const by_parts = (flow->flags & UFI_LEFT_BY_PARTS) != 0;

    if (by_parts && inside->place > flow->type->task_count && has_companion(flow, (uint16_t)(inside->place - 1)))
        return UF_NO_TASK;
    if (has_left(flow, inside, outcome)) {
        if (inside->place) ufi_flag_set(flow, UFI_ENTERED); /* the next leave is due, even before the next entry */
        return UF_NO_TASK;
    }
    uint16_t const left = (uint16_t)(inside->place - 1);

    inside->place = ufi_place_around(flow, inside->place);
    if (left >= flow->type->task_count) {
        ufi_disarm_companions(flow, left, (uint16_t)(left + 1));
        (void)has_left(flow, inside, outcome); /* the `on exit` of a companion may have failed the flow */
    }
    return left;
}
