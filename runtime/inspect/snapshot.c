/* SPDX-License-Identifier: MIT */
/* snapshot.c - the state of all flows, copied by the runtime's thread to memory of the server's thread.
 *
 * The runtime's thread copies one part per round, at the top of it, as the delivery of a message. It allocates nothing
 * and wakes no thread: the server's thread checks until it finds the part done. The only locks that it takes are the
 * short critical sections of the list of flows, and of the rooms that flows wait for. */
#include "inspecting.h"

#include <stdio.h>
#include <stdlib.h>

#include "uflow/pause.h"
#include "uflow/pool.h"
#include "uflow/store.h"

#include "recording.h"
#include "waits.h"

/* -- on the runtime's thread --------------------------------------------------------------------------------------- */

static void see_waits(ufi_part *part, ufi_seen *seen, const uf_flow *flow, const uf_arm *arms, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!ufi_is_waited_for(&arms[i])) continue;
        if (part->wait_count == UFI_PART_WAITS) {
            seen->waits_left_out++;
            continue;
        }
        ufi_wait *const wait = &part->waits[part->wait_count++];
        seen->wait_count++;
        bool const is_time = ufi_arm_infos[arms[i].kind].target == UF_TARGET_TIME && arms[i].on.deadline != UF_FOREVER;
        wait->kind = (uf_arm_kind)arms[i].kind;
        wait->flow = ufi_awaited_by(flow, &arms[i]);
        wait->deadline = is_time ? ufi_deadline_of(flow, &arms[i]) : UF_FOREVER;
        if (is_time) snprintf(wait->text, sizeof wait->text, "%s", ufi_arm_infos[arms[i].kind].words);
        else ufi_wait_text(flow, &arms[i], wait->text, sizeof wait->text);
    }
}

static void see_pools(ufi_seen *seen, const uf_flow *flow)
{
    seen->pools_left_out = flow->type->pool_count > UFI_POOLS ? (uint16_t)(flow->type->pool_count - UFI_POOLS) : 0;
    for (unsigned i = 0; i < flow->type->pool_count && i < UFI_POOLS; i++) {
        uf_members_info const *const info = &flow->type->pools[i];
        uf_members const *const members = (const uf_members *)((uintptr_t)flow + info->offset);
        if (!ufi_is_pool_there(members, flow->pump)) continue;
        seen->pools[seen->pool_count++] = (ufi_members){.name = info->name,
                                                        .busy = ufp_load(&members->busy),
                                                        .most = ufp_load(&members->most),
                                                        .count = info->count};
    }
}

/* Returns: false if the flow belongs to the next part. */
static bool see_flow(ufi_part *part, const uf_flow *flow)
{
    ufi_seen *const seen = &part->seen[part->count];
    size_t const length = uf_flow_path(flow, seen->path, sizeof seen->path), own = uf_flow_path(flow, NULL, 0);
    uf_flow const *const container = ufi_container(flow);
    size_t const above = container ? uf_flow_path(container, NULL, 0) : 0;

    seen->flow = flow;
    seen->row = uf_flow_row(flow);
    seen->type = flow->type;
    seen->step = ufp_load(&flow->state) & UF_STATE_STEP;
    uf_flow_view_of(flow, &seen->view);
    seen->now = flow->pump->clock.logical;
    seen->ticks = flow->ticks & ~UFI_CHANGING;
    seen->polls = ufi_polls(flow);
    seen->paused_for = uf_flow_paused_for(flow);
    seen->keeping = uf_flow_keeping(flow, &seen->keeping_lasts);
    seen->parent_length = (uint16_t)(own == length && above < sizeof seen->path ? above : 0);
    seen->wait_count = seen->waits_left_out = seen->pool_count = 0;
    seen->first_wait = part->wait_count;
    if (seen->view.running && seen->view.ordinal >= 0) {
        if (flow->flags & UF_FLAG_ARMED) see_waits(part, seen, flow, ufi_arms(flow), flow->type->arm_count);
        see_waits(part, seen, flow, ufi_preempts(flow), flow->type->preempt_count);
    }
    if (seen->waits_left_out && part->count > 0) {
        part->wait_count = seen->first_wait;
        return false;
    }
    see_pools(seen, flow);
    part->count++;
    return true;
}

static void see_given_up(ufi_seen_pump *seen, const uf_pump *pump)
{
    for (uf_work const *work = NULL; (work = ufi_next_given_up(pump, work)) != NULL; seen->given_up_count++) {
        if (seen->given_up_count == UFI_GIVEN_UP) return;
        ufi_given_up *const of = &seen->given_up[seen->given_up_count];
        *of = (ufi_given_up){.worker = work->worker->name, .passed = uf_pump_real_now(pump) - work->submitted};
        if (work->flow) uf_flow_path(work->flow, of->path, sizeof of->path);
    }
}

static void see_pump(ufi_seen_pump *seen, const uf_pump *pump)
{
    *seen = (ufi_seen_pump){
        .round = pump->round,
        .now = uf_pump_now(pump),
        .scale = pump->clock.speed.scale,
        .running = ufp_load(&pump->running),
        .jobs_in_flight = pump->works_in_flight,
        .jobs_ended = pump->job_ends,
        .refused = ufp_load_acquire(&pump->refused),
        .frozen = pump->clock.speed.frozen,
        .stopping = ufp_load_acquire(&pump->stopping) != 0,
    };
    see_given_up(seen, pump);
}

/* Is the remembered flow where it was? A member of a pool, and what is inside it, is on the list while it is used. */
static bool is_in_place(const uf_runtime *runtime)
{
    uf_flow const *const flow = runtime->next_seen, *const member = flow ? ufi_member_around(flow) : NULL;
    return flow && (!member || (ufi_member_of(member)->is_attached && member->run == runtime->next_seen_use));
}

/* Finds the flow with which the part begins. The runtime remembers where the last one has ended. */
static const uf_flow *first_flow(const ufi_part *part)
{
    uf_runtime const *const runtime = ufh_runtime_of(part->pump);
    uf_flow const *flow = runtime->next_seen;

    if (runtime->next_seen_number == part->first && is_in_place(runtime)) return flow;
    flow = uf_pump_next_flow(part->pump, NULL);
    for (uint32_t i = 0; i < part->first && flow; i++) flow = uf_pump_next_flow(part->pump, flow);
    return flow;
}

/* Afterwards the part belongs to the server's thread. */
static void copy_part(void *argument)
{
    ufi_part *const part = argument;
    uf_pump *const pump = part->pump;
    uf_runtime *const runtime = ufh_runtime_of(pump);
    uf_flow const *flow = first_flow(part);

    if (part->recorder && part->first == 0) {
        (void)uf_pump_add_observer(pump, &part->recorder->observer);
        ufi_note_clock(part->recorder);
    }
    if (part->remove) (void)uf_pump_remove_observer(pump, part->remove);
    see_pump(&part->seen_pump, pump);
    part->count = part->wait_count = 0;
    for (; flow && part->count < part->most && see_flow(part, flow); flow = uf_pump_next_flow(pump, flow)) {
        if (part->recorder) ufi_note_flow(part->recorder, flow);
    }
    runtime->next_seen = flow;
    runtime->next_seen_number = part->first + part->count;
    uf_flow const *const member = flow ? ufi_member_around(flow) : NULL;
    runtime->next_seen_use = member ? member->run : 0;
    part->is_last = !flow;
    ufp_store_release(&part->asked, 0);
}

/* The request is ended last: until then the pump exists. */
static void deliver(uf_pump *pump, uf_message *message)
{
    copy_part(message);
    ufi_request_end(pump);
}

/* -- on the server's thread ---------------------------------------------------------------------------------------- */

/* Like ufh_run_on_driver(), without waiting. */
void ufi_part_ask(ufi_part *part, uf_runtime *runtime)
{
    part->pump = &runtime->pump;
    ufp_store_release(&part->asked, 1);
    ufi_pump_pin(&runtime->pump);
    for (;;) {
        if (ufh_count_request(runtime)) {
            ufh_send(&runtime->pump, &part->message, deliver);
            break;
        }
        if (ufh_run_if_stopped(runtime, copy_part, part)) break;
    }
    ufi_pump_unpin(&runtime->pump);
}

bool ufi_snapshot_add(ufi_snapshot *snapshot, const ufi_part *part)
{
    if (part->first == 0) {
        snapshot->count = snapshot->wait_count = 0;
        snapshot->pump = part->seen_pump;
    }
    size_t const flow_count = snapshot->count + part->count, wait_count = snapshot->wait_count + part->wait_count;
    ufi_seen *const flows = ufp_grown(snapshot->flows, &snapshot->capacity, flow_count, sizeof *flows);
    if (!flows) return false;
    snapshot->flows = flows;
    ufi_wait *const waits = ufp_grown(snapshot->waits, &snapshot->wait_capacity, wait_count, sizeof *waits);
    if (!waits) return false;
    snapshot->waits = waits;
    memcpy(flows + snapshot->count, part->seen, part->count * sizeof *flows);
    memcpy(waits + snapshot->wait_count, part->waits, part->wait_count * sizeof *waits);
    for (uint32_t i = 0; i < part->count; i++) flows[snapshot->count + i].first_wait += snapshot->wait_count;
    snapshot->count += part->count;
    snapshot->wait_count += part->wait_count;
    return true;
}

static int by_address(const void *one, const void *other)
{
    uintptr_t const a = (uintptr_t)((const ufi_by_address *)one)->flow;
    uintptr_t const b = (uintptr_t)((const ufi_by_address *)other)->flow;
    return (a > b) - (a < b);
}

/* If there is no memory for the index, it has no flows. */
void ufi_snapshot_finish(ufi_snapshot *snapshot, bool is_cut)
{
    ufp_free(snapshot->index);
    snapshot->index = ufp_allocate((snapshot->count + 1) * sizeof *snapshot->index);
    snapshot->is_cut = is_cut;
    snapshot->taken = ufp_monotonic_now();
    if (!snapshot->index) snapshot->count = 0;
    for (uint32_t i = 0; i < snapshot->count; i++) snapshot->index[i] = (ufi_by_address){snapshot->flows[i].flow, i};
    if (snapshot->count > 1) qsort(snapshot->index, snapshot->count, sizeof *snapshot->index, by_address);
}

const ufi_seen *ufi_snapshot_find(const ufi_snapshot *snapshot, const uf_flow *flow)
{
    ufi_by_address const key = {.flow = flow};
    ufi_by_address const *const found =
        flow && snapshot->count ? bsearch(&key, snapshot->index, snapshot->count, sizeof *snapshot->index, by_address)
                                : NULL;
    return found ? &snapshot->flows[found->at] : NULL;
}

void ufi_snapshot_free(ufi_snapshot *snapshot)
{
    ufp_free(snapshot->flows);
    ufp_free(snapshot->waits);
    ufp_free(snapshot->index);
}
