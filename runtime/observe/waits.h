/* SPDX-License-Identifier: MIT */
/* waits.h - what a flow waits for. Thread: the pump's. */
#ifndef UFLOW_OBSERVE_WAITS_H
#define UFLOW_OBSERVE_WAITS_H

#include "uflow/generated.h"

/* True if the arm is pending and its target still exists. */
bool ufi_is_waited_for(const uf_arm *arm);

/* The rows of UF_ARM_KINDS, by uf_arm_kind. */
typedef struct ufi_arm_info {
    const char *key, *words;
    uf_arm_target target;
} ufi_arm_info;
extern const ufi_arm_info ufi_arm_infos[UF_ARM_KIND_COUNT];

/* Does the flow poll a condition? An `until` with `for` is an arm instead. */
bool ufi_polls(const uf_flow *flow);

/* The deadline of an arm that waits for logical time. While its flow stands, the arm has what remains instead, see
 * core/runs/pause.c: the deadline is that of a resume at this moment. */
uf_time ufi_deadline_of(const uf_flow *flow, const uf_arm *arm);

/* Writes what the arm waits for, such as "signal estop", truncated. Calls nothing that allocates. */
void ufi_wait_text(const uf_flow *flow, const uf_arm *arm, char *text, size_t size);

/* The flow that an arm of an await waits for: one that must end, receive, or stop at a checkpoint. For the members of a
 * pool: the first member that itself waits for flows. NULL: no running flow of this pump. */
const uf_flow *ufi_awaited_by(const uf_flow *flow, const uf_arm *arm);

/* The same, for a pool: the next one after `before`; NULL: the first one. */
const uf_flow *ufi_next_awaited(const uf_flow *flow, const uf_arm *arm, const uf_flow *before);

/* The next worker function that still runs although its job was abandoned or has timed out, in the order of their
 * submits. `before` NULL: the first one. NULL: there is no other. */
const uf_work *ufi_next_given_up(const uf_pump *pump, const uf_work *before);

#endif
