/* SPDX-License-Identifier: MIT */
/* elements.c - arms for all elements of an array of flows: `all(run …)`, `first(run …)`, `idle`. */
#include "waits/arms.h"

void uf_arm_tried(uf_flow *flow, const uf_arm *arm)
{
    if (arm->state == UF_ARM_FAILED) ufi_flag_clear(flow, UFI_REFUSED);
}

bool uf_all_ready(const uf_arm *arms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (arms[i].state != UF_ARM_READY) return false;
    }
    return true;
}

uf_arm *uf_failed_one(uf_arm *arms, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (uf_failed(&arms[i])) return &arms[i];
    }
    return NULL;
}

uf_arm *uf_first_ready(uf_arm *arms, size_t count)
{
    uf_arm *ready = NULL;

    for (size_t i = count; i-- > 0;) {
        (void)uf_failed(&arms[i]);
        if (arms[i].state == UF_ARM_READY) ready = &arms[i];
    }
    return ready;
}

/* A failure without a cause is one that was seen before, while others could still be done. */
bool uf_all_failed(uf_flow *flow, uf_arm *arms, size_t count)
{
    size_t failed = 0;

    for (size_t i = 0; i < count; i++) failed += arms[i].state == UF_ARM_FAILED;
    if (failed == count) return true;
    for (size_t i = 0; i < count; i++) {
        if (!uf_failed(&arms[i])) continue;
        ufi_arm_drop(flow, &arms[i]);
        arms[i].cause = UF_CAUSE_NONE;
    }
    return false;
}

uf_arm *uf_last_failed(uf_arm *arms, size_t count)
{
    uf_arm *last = arms;

    for (size_t i = 0; i < count; i++) {
        if (uf_failed(&arms[i]) && arms[i].cause != UF_CAUSE_NONE) last = &arms[i];
    }
    return last;
}

bool uf_all_idle(uf_flow *flow, uf_arm *arm, uf_flow *first, size_t stride, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uf_flow *const element = (uf_flow *)((uintptr_t)first + i * stride);
        if (!uf_flow_running(element) && !ufi_is_owed(element)) continue;
        if (arm->on_list && arm->on.target == element) return false;
        ufi_arm_drop(flow, arm);
        arm->state = UF_ARM_PENDING;
        arm->on.target = element;
        ufi_wait_for_flow(arm);
        return false;
    }
    return true;
}
