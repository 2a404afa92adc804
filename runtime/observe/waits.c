/* SPDX-License-Identifier: MIT */
/* waits.c - the arms of a flow as text; dump.h shows it. */
#include "waits.h"
#include "uflow/pause.h"
#include "uflow/pool.h"
#include "uflow/priv/arrival.h"
#include "uflow/priv/duration.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "port.h"

#define PATH_SIZE 128

/* Where a text is written. */
typedef struct place {
    char *text;
    size_t size;
} place;

/* Behind what is written there. */
static place end_of(place to)
{
    size_t const length = strlen(to.text);
    return (place){to.text + length, to.size - length};
}

uf_time ufi_deadline_of(const uf_flow *flow, const uf_arm *arm)
{
    uf_time const deadline = arm->on.deadline;
    bool const is_left = deadline != UF_FOREVER && arm->kind != UF_ARM_DEADLINE && uf_flow_paused_for(flow) >= 0;
    return is_left ? uf_time_add(uf_pump_now(flow->pump), deadline) : deadline;
}

/* Writes the time that is left. */
static void write_deadline(place to, const char *what, uf_time now, uf_time deadline)
{
    uf_time const left = deadline > now ? deadline - now : 0;
    char time[UF_DURATION_SIZE];

    if (deadline == UF_FOREVER) snprintf(to.text, to.size, "%s never", what);
    else snprintf(to.text, to.size, "%s in %s", what, uf_duration_text((uint64_t)left, time));
}

static void write_flow(place to, const char *what, const uf_flow *flow)
{
    char path[PATH_SIZE];
    uf_flow_path(flow, path, sizeof path);
    snprintf(to.text, to.size, "%s %s", what, path);
}

static void write_name(place to, const char *what, const char *name)
{
    snprintf(to.text, to.size, "%s %s", what, name ? name : "without a name");
}

/* A signal that has fired before the flow waited for it is a lost wake-up, or one of many. */
static void write_signal(place to, const char *what, const uf_signal *signal)
{
    uint32_t const fires = uf_signal_epoch(signal);

    write_name(to, what, signal->name);
    place const end = end_of(to);
    if (fires) snprintf(end.text, end.size, " (fires so far: %" PRIu32 ")", fires);
}

/* In the critical section: the flow that must receive, so that there is room in its mailbox. NULL: it may be gone. A
 * thread that ends a mailbox takes all arms from its list first. */
static const uf_flow *receiver(const uf_arm *arm)
{
    if (!arm->next) return NULL;
    return ((const uf_mailbox *)((uintptr_t)arm->on.room - offsetof(uf_mailbox, room)))->owner;
}

static void write_room(place to, const char *what, const uf_arm *arm)
{
    char path[PATH_SIZE] = "";

    if (arm->on_list) {
        ufp_critical_enter(arm->on.room);
        uf_flow const *const owner = receiver(arm);
        if (owner) uf_flow_path(owner, path, sizeof path);
        ufp_critical_leave(arm->on.room);
    }
    write_name(to, what, arm[1].on.name);
    place const end = end_of(to);
    if (*path) snprintf(end.text, end.size, " of %s", path);
}

/* Does the job have a record of a pool? */
static bool is_pending(const uf_job *job)
{
    return uf_job_status_of(job) == UF_JOB_PENDING && job->work;
}

/* The progress of a pending job, and since when. */
static void write_progress(place to, const uf_job *job)
{
    uf_work const *const work = job->work;
    uf_time const passed = uf_pump_real_now(work->pump) - work->submitted;
    char time[UF_DURATION_SIZE];

    uf_duration_text(passed > 0 ? (uint64_t)passed : 0, time);
    if (ufp_load(&work->begun)) snprintf(to.text, to.size, " (%s, runs, submitted %s ago)", job->worker->name, time);
    else snprintf(to.text, to.size, " (%s, in the queue for %s)", job->worker->name, time);
}

static void write_job(place to, const char *what, const uf_flow *flow, const uf_arm *arm)
{
    uf_job const *const job = arm->on.job;
    char const *const task = uf_flow_task(flow), *name = job->worker->name;
    bool is_element = false;

    for (unsigned i = 0; i < flow->type->job_count; i++) {
        uf_job_info const *const info = &flow->type->jobs[i];
        uintptr_t const at = (uintptr_t)flow + info->offset + arm->index * info->stride;
        if (at != (uintptr_t)job || flow->type->tasks[info->task].name != task) continue;
        name = info->name;
        is_element = info->count > 0;
    }
    if (is_element) snprintf(to.text, to.size, "%s %s[%" PRIu32 "]", what, name, arm->index);
    else snprintf(to.text, to.size, "%s %s", what, name);
    if (is_pending(job)) write_progress(end_of(to), job);
}

static void write_jobs(place to, const char *what, const uf_flow *flow, const uf_job_info *info)
{
    uint32_t pending = 0, begun = 0;

    for (uint32_t i = 0; i < info->count; i++) {
        uf_job const *const job = (const uf_job *)((uintptr_t)flow + info->offset + i * info->stride);
        pending += uf_job_status_of(job) == UF_JOB_PENDING;
        begun += is_pending(job) && ufp_load(&job->work->begun);
    }
    snprintf(to.text, to.size, "%s(%s) (%" PRIu32 " pending, %" PRIu32 " of them run)", what, info->name, pending,
             begun);
}

/* Any thread may resume it, so the text cannot name one. */
static void write_checkpoint(place to, const char *what, const uf_arm *arm)
{
    uf_checkpoint const *const checkpoint =
        (uf_checkpoint const *)((uintptr_t)arm->on.signal - offsetof(uf_checkpoint, held));

    write_name(to, what, checkpoint->held.name);
    place const end = end_of(to);
    if (uf_signal_epoch(&checkpoint->held) != arm->since) snprintf(end.text, end.size, " (resumed)");
    else
        snprintf(end.text, end.size, " (%" PRIu32 " stopped; who resumes it is not known)",
                 uf_checkpoint_parked(checkpoint));
}

const ufi_arm_info ufi_arm_infos[] = {
#define ROW_OF_KIND(name, number, key, words, target, lifetime) [number] = {key, words, UF_TARGET_##target},
    UF_ARM_KINDS(ROW_OF_KIND)
#undef ROW_OF_KIND
};

static uf_arm_target target_of(const uf_arm *arm)
{
    return ufi_arm_infos[arm->kind].target;
}

void ufi_wait_text(const uf_flow *flow, const uf_arm *arm, char *text, size_t size)
{
    place const to = {text, size};
    const char *const words = ufi_arm_infos[arm->kind].words;

    *text = '\0';
    switch (target_of(arm)) {
    case UF_TARGET_NOTHING: break;
    case UF_TARGET_CONDITION:
    case UF_TARGET_STOP: snprintf(text, size, "%s", words); break;
    case UF_TARGET_TIME: write_deadline(to, words, uf_pump_now(flow->pump), ufi_deadline_of(flow, arm)); break;
    case UF_TARGET_REAL_TIME: write_deadline(to, words, uf_pump_real_now(flow->pump), arm->on.deadline); break;
    case UF_TARGET_FLOW: write_flow(to, words, arm->on.target); break;
    case UF_TARGET_JOB: write_job(to, words, flow, arm); break;
    case UF_TARGET_JOBS: write_jobs(to, words, flow, arm->on.jobs); break;
    case UF_TARGET_DESCRIPTOR: snprintf(text, size, "%s %d", words, arm->on.fd); break;
    case UF_TARGET_SIGNAL: write_signal(to, words, arm->on.signal); break;
    case UF_TARGET_CHECKPOINT: write_checkpoint(to, words, arm); break;
    case UF_TARGET_ARRIVAL: write_name(to, words, ufi_arrived_at(arm)->held.name); break;
    case UF_TARGET_MAILBOX: /* its first member is the signal */
        write_name(to, words, ((const uf_mailbox *)(const void *)arm->on.signal)->name);
        break;
    case UF_TARGET_ROOM: write_room(to, words, arm); break;
    case UF_TARGET_POOL: write_name(to, words, arm[1].on.name); break;
    }
}

bool ufi_is_waited_for(const uf_arm *arm)
{
    bool const may_be_old = arm->kind == UF_ARM_INTERVAL; /* of an earlier `stay` */

    switch (target_of(arm)) {
    case UF_TARGET_NOTHING: return false;
    case UF_TARGET_CONDITION: return true;
    case UF_TARGET_REAL_TIME:
    case UF_TARGET_TIME:
        return !may_be_old || arm->on_list || arm->cause == UF_CAUSE_KEPT || arm->on.deadline == UF_FOREVER;
    case UF_TARGET_JOB: return arm->on.job && arm->on.job->worker && uf_job_status_of(arm->on.job) == UF_JOB_PENDING;
    case UF_TARGET_SIGNAL:
    case UF_TARGET_CHECKPOINT:
    case UF_TARGET_ARRIVAL:
    case UF_TARGET_MAILBOX: return arm->state == UF_ARM_PENDING && arm->on.signal;
    case UF_TARGET_FLOW: return arm->state == UF_ARM_PENDING && arm->on.target && arm->on_list;
    case UF_TARGET_STOP:
    case UF_TARGET_ROOM:
    case UF_TARGET_POOL:
    case UF_TARGET_JOBS:
    case UF_TARGET_DESCRIPTOR: break;
    }
    return arm->state == UF_ARM_PENDING;
}

bool ufi_polls(const uf_flow *flow)
{
    uf_arm const *const arms = (const uf_arm *)((uintptr_t)flow + flow->type->arms_offset);

    for (unsigned i = 0; flow->flags & UF_FLAG_ARMED && i < flow->type->arm_count; i++) {
        if (arms[i].kind == UF_ARM_HELD) return false;
    }
    return flow->flags & UF_FLAG_POLLING && ufp_load(&flow->state) & UF_STATE_WAIT;
}

/* The list is initialised with the first submit. */
const uf_work *ufi_next_given_up(const uf_pump *pump, const uf_work *before)
{
    if (!pump->works_in_flight) return NULL;
    for (uf_link const *at = before ? before->of_pump.next : pump->works.next; at != &pump->works; at = at->next) {
        uf_work const *const work = (const uf_work *)((uintptr_t)at - offsetof(uf_work, of_pump));
        if (!work->job && ufp_load(&work->begun)) return work;
    }
    return NULL;
}

/* -- flows that wait for flows ------------------------------------------------------------------------------------- */

static bool is_set(const uf_flow *flow, const uf_arm *arm)
{
    return flow->flags & UF_FLAG_ARMED && arm->on_list && ufi_is_waited_for(arm);
}

static bool waits_for_flows(const uf_flow *flow)
{
    uf_arm const *const arms = (const uf_arm *)((uintptr_t)flow + flow->type->arms_offset);

    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        uf_arm_target const target = target_of(&arms[i]);
        bool const of_flows = target == UF_TARGET_FLOW || target == UF_TARGET_ROOM || target == UF_TARGET_ARRIVAL ||
                              target == UF_TARGET_POOL;
        if (of_flows && is_set(flow, &arms[i])) return true;
    }
    return false;
}

/* At most this many members are examined, since the pump waits meanwhile. */
#define MOST_MEMBERS 1000

static uint32_t used_members(const uf_members *pool)
{
    return ufp_load_acquire(&pool->used);
}

/* The running member of a pool with this index or the next higher one that, or that does not, wait for flows. */
static const uf_flow *member_from(const uf_members *pool, uint32_t index, bool waits)
{
    for (; index < used_members(pool) && index < MOST_MEMBERS; index++) {
        uf_flow const *const member =
            (const uf_flow *)((uintptr_t)pool->owner + pool->info->first + index * pool->info->stride);
        if (uf_flow_running(member) && waits_for_flows(member) == waits) return member;
    }
    return NULL;
}

/* Members that can end by themselves wait for no flow. If there is one, a wait for any free member is in no cycle. */
static const uf_flow *awaited_member(const uf_arm *arm, const uf_flow *before)
{
    bool const any = arm->kind == UF_ARM_VACANT;
    size_t const offset = any ? offsetof(uf_members, vacant) : offsetof(uf_members, empty);
    uf_members const *const pool = (const uf_members *)((uintptr_t)arm->on.room - offset);

    if (any && (used_members(pool) > MOST_MEMBERS || member_from(pool, 0, false))) return NULL;
    return member_from(pool, before ? ((uf_member *)((uintptr_t)before + before->type->size))->index + 1 : 0, true);
}

/* The receiver, if its pump is this one. Then it stays while the caller runs on the pump's thread. */
static const uf_flow *receiver_here(const uf_pump *pump, const uf_arm *arm)
{
    if (!arm->on_list) return NULL;
    ufp_critical_enter(arm->on.room);
    uf_flow const *const owner = receiver(arm);
    bool const is_here = owner && owner->pump == pump;
    ufp_critical_leave(arm->on.room);
    return is_here ? owner : NULL;
}

const uf_flow *ufi_next_awaited(const uf_flow *flow, const uf_arm *arm, const uf_flow *before)
{
    uf_flow const *awaited = NULL;

    if (!is_set(flow, arm)) return NULL;
    if (target_of(arm) == UF_TARGET_POOL) return awaited_member(arm, before);
    if (before) return NULL;
    if (target_of(arm) == UF_TARGET_FLOW && arm->kind != UF_ARM_COMPANION) awaited = arm->on.target;
    if (target_of(arm) == UF_TARGET_ROOM) awaited = receiver_here(flow->pump, arm);
    if (target_of(arm) == UF_TARGET_ARRIVAL) awaited = ufi_flow_around(ufi_arrived_at(arm));
    return awaited && awaited->pump == flow->pump && uf_flow_running(awaited) ? awaited : NULL;
}

const uf_flow *ufi_awaited_by(const uf_flow *flow, const uf_arm *arm)
{
    return ufi_next_awaited(flow, arm, NULL);
}
