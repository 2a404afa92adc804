/* SPDX-License-Identifier: MIT */
/* recorded.c - for a runtime that has never answered: makes a snapshot from the data of a recorder.
 *
 * The addresses of flows in this snapshot are the recorder's numbers. */
#include "inspecting.h"

#include <inttypes.h>
#include <stdio.h>

#include "waits.h"

typedef struct maker {
    ufi_snapshot *snapshot;
    const ufi_events *events;
    uf_time now;
    ufi_part part; /* with room for one flow */
    bool failed;
} maker;

/* NULL: not known. */
static const uf_flow *address_of(uint64_t number)
{
    return (const uf_flow *)(uintptr_t)number;
}

static void put_operand(const maker *to, const ufi_recorded *flow, ufi_wait *wait, uint64_t value)
{
    char const *const name = ufi_events_name(to->events, (uint32_t)value & UF_CELL_OBJECT);
    uint32_t const owner = (uint32_t)(value >> 24) & UF_CELL_OBJECT, element = (uint32_t)(value >> 16);
    uint32_t const index = (uint32_t)value & 0xffff;
    char const *const job = index < flow->type->job_count ? flow->type->jobs[index].name : "";
    size_t const length = strlen(wait->text), size = sizeof wait->text - length;
    char *const end = wait->text + length;
    uf_arm_target const target = ufi_arm_infos[wait->kind].target;

    if (target == UF_TARGET_ARRIVAL || target == UF_TARGET_ROOM) wait->flow = address_of(owner);
    switch (target) {
    case UF_TARGET_FLOW:
        if (wait->kind != UF_ARM_COMPANION) wait->flow = address_of(value & UF_CELL_OBJECT); /* no wait for its end */
        snprintf(end, size, " %s", name);
        break;
    case UF_TARGET_SIGNAL:
    case UF_TARGET_CHECKPOINT:
    case UF_TARGET_ARRIVAL:
    case UF_TARGET_MAILBOX:
    case UF_TARGET_POOL: snprintf(end, size, " %s", *name ? name : "without a name"); break;
    case UF_TARGET_ROOM:
        snprintf(end, size, owner ? " %s of %s" : " %s", name, ufi_events_name(to->events, owner));
        break;
    case UF_TARGET_JOB:
        if (element) snprintf(end, size, " %s[%" PRIu32 "]", job, element - 1);
        else snprintf(end, size, " %s", job);
        break;
    case UF_TARGET_JOBS: snprintf(end, size, "(%s)", job); break;
    case UF_TARGET_DESCRIPTOR: snprintf(end, size, " %" PRId32, (int32_t)(uint32_t)value); break;
    case UF_TARGET_REAL_TIME:
    case UF_TARGET_TIME:
        if (wait->deadline == UF_FOREVER) snprintf(end, size, " never");
        break;
    case UF_TARGET_NOTHING:
    case UF_TARGET_CONDITION:
    case UF_TARGET_STOP: break;
    }
}

static void see_arm(maker *to, const ufi_recorded *flow, ufi_seen *seen, const uf_trace_state *state,
                    const uint32_t *arm)
{
    uint32_t const cell = UF_ARM_CELL_KIND(arm[0]);
    uint64_t const value = (uint64_t)(arm[0] >> 16) << 32 | arm[1];
    uf_time const since = (uf_time)((uint64_t)state->since_high << 32 | state->since);

    if (cell == UF_ARM_CELL_CONDITION) seen->polls = true;
    if (cell >= UF_ARM_KIND_COUNT || ufi_arm_infos[cell].target == UF_TARGET_NOTHING) return;
    ufi_wait *const wait = &to->part.waits[seen->wait_count++];
    uf_arm_target const target = ufi_arm_infos[cell].target;
    bool const is_time = target == UF_TARGET_TIME || target == UF_TARGET_REAL_TIME,
               is_never = value == UF_ARM_CELL_MOST;
    *wait = (ufi_wait){.kind = (uf_arm_kind)cell, .deadline = UF_FOREVER};
    if (is_time && !is_never) wait->deadline = uf_time_add(since, (uf_time)value);
    snprintf(wait->text, sizeof wait->text, "%s", ufi_arm_infos[cell].words);
    put_operand(to, flow, wait, value);
    if (wait->kind == UF_ARM_CHECKPOINT) {
        size_t const length = strlen(wait->text);
        snprintf(wait->text + length, sizeof wait->text - length, " (stopped)");
    }
}

static void see_step(const maker *to, const ufi_recorded *flow, ufi_seen *seen, const uf_trace_state *state)
{
    uf_time const entered = ufi_entered_by(state);
    bool const ended = UF_STATE_CELL_KIND(state->what) == UF_CELL_ENDED,
               is_known = (state->a & 0xffff) < flow->type->step_count;
    uf_step_info const *const step = is_known ? &flow->type->steps[state->a & 0xffff] : NULL;

    seen->step = ended ? 0 : state->a & 0xffff;
    seen->keeping = (uf_keeping)UF_STATE_CELL_KEEPING(state->what);
    seen->keeping_lasts = -1;
    seen->view = (uf_flow_view){
        .running = !ended, .outcome = ended ? (uf_outcome)(state->a >> 16) : UF_RUNNING, .task = "", .step = ""};
    if (ended || !step) return;
    seen->view.task = flow->type->tasks[step->task].name;
    seen->view.step = step->name;
    seen->view.line = step->line;
    seen->view.elapsed = to->now > entered ? to->now - entered : 0;
}

static void see(void *context, const ufi_recorded *flow)
{
    maker *const to = context;
    ufi_seen *const seen = to->part.seen;
    ufi_state_copy copy;

    if (to->failed || !ufi_copy_state(flow->state, &copy) || copy.state.what == 0) return;
    *seen = (ufi_seen){.flow = address_of(flow->number), .type = flow->type, .now = to->now};
    see_step(to, flow, seen, &copy.state);
    snprintf(seen->path, sizeof seen->path, "%s", flow->path);
    if (flow->parent_length < sizeof seen->path) seen->parent_length = (uint16_t)flow->parent_length;
    for (uint32_t i = 0; seen->view.running && i < UF_STATE_CELL_ARMS(copy.state.what) && i < UF_STATE_CELL_MOST; i++)
        see_arm(to, flow, seen, &copy.state, &copy.arms[2 * i]);
    to->part.first = to->snapshot->count;
    to->part.count = 1;
    to->part.wait_count = seen->wait_count;
    to->part.seen_pump.running += seen->view.running;
    if (!ufi_snapshot_add(to->snapshot, &to->part)) to->failed = true;
}

bool ufi_snapshot_of_recorder(ufi_snapshot *snapshot, const ufi_events *events, uf_time now)
{
    maker to = {.snapshot = snapshot, .events = events, .now = now};

    to.part.seen = ufp_allocate(sizeof *to.part.seen);
    to.part.waits = ufp_allocate(UF_STATE_CELL_MOST * sizeof *to.part.waits);
    to.failed = !to.part.seen || !to.part.waits;
    snapshot->count = 0;
    ufi_events_flows(events, see, &to);
    ufp_free(to.part.seen);
    ufp_free(to.part.waits);
    if (to.failed || snapshot->count == 0) return false;
    snapshot->pump = (ufi_seen_pump){.now = now, .running = to.part.seen_pump.running};
    snapshot->is_recorded = true;
    ufi_snapshot_finish(snapshot, false);
    return true;
}
