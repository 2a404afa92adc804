/* SPDX-License-Identifier: MIT */
/* recorder_events.c - what a flight recorder records: the callbacks of its observer. See trace_format.h. */
#include "basics/clocks.h"
#include "recording.h"
#include "waits/room.h"

#include "uflow/priv/arrival.h"
#include "uflow/store.h"

/* -- runs and steps ------------------------------------------------------------------------------------------------ */

static uint32_t step_of(const uf_flow *flow)
{
    return ufp_load(&flow->state) & UF_STATE_STEP;
}

/* A STARTED, STEP or ENDED. The event comes first; see ufi_state_step(). */
static void record_step(uf_recorder *recorder, uint32_t kind, const uf_recorder_slot *slot, uint32_t a, uint32_t b)
{
    ufi_record(recorder, kind, slot->object, a, b);
    ufi_state_step(ufi_state_of(recorder, slot), kind, recorder->pump->clock.logical, a, b);
}

static void flow_started(void *context, const uf_flow *flow)
{
    uf_recorder *const recorder = context;
    record_step(recorder, UF_CELL_STARTED, ufi_slot_of(recorder, flow), step_of(flow), flow->run);
}

static void flow_restored(void *context, const uf_flow *flow, uint32_t times)
{
    uf_recorder *const recorder = context;

    flow_started(recorder, flow); /* for this process, it begins now */
    ufi_record(recorder, UF_CELL_RESTORED, ufi_number_of(recorder, flow), times, flow->run);
}

/* Is an arm about to start a run of the flow? Then the wait has that information. */
static bool runs_by_arm(const uf_flow *by, const uf_flow *flow)
{
    uf_arm const *const arms = ufi_arms(by);

    for (uint32_t i = 0; by->flags & UF_FLAG_ARMED && i < by->type->arm_count; i++) {
        if (arms[i].kind == UF_ARM_RUN && arms[i].on.target == flow && !arms[i].on_list) return true;
    }
    return false;
}

static void run_requested(void *context, const uf_flow *by, const uf_flow *flow)
{
    uf_recorder *const recorder = context;

    if (runs_by_arm(by, flow)) return;
    uint32_t const starter = ufi_number_of(recorder, by);
    ufi_record(recorder, UF_CELL_STARTS, starter, ufi_number_of(recorder, flow), flow->run);
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    uf_recorder *const recorder = context;
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);
    uint32_t const ticks = change->ticks < UINT16_MAX ? change->ticks : UINT16_MAX;

    if (*change->description) ufi_record_text(recorder, UF_CELL_DESCRIPTION, slot->object, change->description);
    if (*change->to) record_step(recorder, UF_CELL_STEP, slot, step_of(flow) | ticks << 16, change->ordinal);
}

static void step_failed(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    uf_recorder *const recorder = context;
    (void)step;
    (void)reason; /* that of the end */
    ufi_record(recorder, UF_CELL_FAILED, ufi_number_of(recorder, flow), step_of(flow), 0);
}

static void record_pause(uf_recorder *recorder, uint32_t kind, const uf_flow *flow)
{
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);

    ufi_record(recorder, kind, slot->object, 0, 0);
    ufi_state_pause(ufi_state_of(recorder, slot), kind == UF_CELL_PAUSED);
}

static void flow_paused(void *context, const uf_flow *flow)
{
    record_pause(context, UF_CELL_PAUSED, flow);
}

static void flow_resumed(void *context, const uf_flow *flow)
{
    record_pause(context, UF_CELL_RESUMED, flow);
}

static void keeping_changed(void *context, const uf_flow *flow, uf_keeping keeping)
{
    uf_recorder *const recorder = context;
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);

    ufi_record(recorder, UF_CELL_KEEPING, slot->object, keeping, 0);
    ufi_state_keeping(ufi_state_of(recorder, slot), keeping);
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    uf_recorder *const recorder = context;
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);

    if (end->outcome == UF_FAILED) ufi_record_text(recorder, UF_CELL_REASON, slot->object, end->reason);
    record_step(recorder, UF_CELL_ENDED, slot, step_of(flow) | (uint32_t)end->outcome << 16, end->ordinal);
}

/* -- waits --------------------------------------------------------------------------------------------------------- */

static uint64_t job_operand(const uf_flow *flow, const uf_arm *arm)
{
    for (uint32_t i = 0; i < ufi_count_jobs(flow); i++) {
        uf_job_info const *const info = &flow->type->jobs[i];
        uintptr_t const from = (uintptr_t)flow + info->offset, at = (uintptr_t)arm->on.job;
        if (info->task != ufi_step_of(flow, ufp_load(&flow->state))->task || at < from) continue;
        if (info->count == 0 && at == from) return i;
        if (info->count > 0 && at < from + info->count * info->stride)
            return i | ((at - from) / info->stride + 1) << 16;
    }
    return UINT16_MAX;
}

static uint64_t time_left(uf_time now, uf_time deadline)
{
    uf_time const left = deadline > now ? ufi_time_sub(deadline, now) : 0;
    return (uint64_t)left < UF_ARM_CELL_MOST ? (uint64_t)left : UF_ARM_CELL_MOST;
}

/* While a flow stands, its timers hold what is left of them. */
static uint64_t left_of(const uf_flow *flow, const uf_arm *arm)
{
    bool const stands = ufi_is_paused(ufp_load(&flow->state)) && arm->kind != UF_ARM_DEADLINE;
    return time_left(stands ? 0 : ufi_now(flow), arm->on.deadline);
}

/* A mailbox that has no room, with the flow that must receive. The mailbox may be gone if the arm is on no list. */
static uint64_t room_of(uf_recorder *recorder, const uf_arm *arm)
{
    uint64_t name = ufi_number_of_name(recorder, arm[1].on.name);
    uf_mailbox const *const mailbox = (const uf_mailbox *)((uintptr_t)arm->on.room - offsetof(uf_mailbox, room));

    if (!arm->on_list) return name;
    ufp_critical_enter(arm->on.room);
    if (arm->next) name |= (uint64_t)ufi_number_of(recorder, mailbox->owner) << 24;
    ufp_critical_leave(arm->on.room);
    return name;
}

/* A checkpoint, with the flow that can stop there. */
static uint64_t arrival_at(uf_recorder *recorder, const uf_checkpoint *checkpoint)
{
    uf_flow const *const flow = ufi_flow_around(checkpoint);
    uint64_t const name = ufi_number_of_name(recorder, checkpoint->held.name);

    return flow ? name | (uint64_t)ufi_number_of(recorder, flow) << 24 : name;
}

static uf_arm_target target_of_kind(uint32_t kind)
{
    static const uint8_t targets[] = {
#define TARGET_OF_KIND(name, number, key, words, target, lifetime) [number] = UF_TARGET_##target,
        UF_ARM_KINDS(TARGET_OF_KIND)
#undef TARGET_OF_KIND
    };
    return (uf_arm_target)targets[kind];
}

static uint64_t operand_of(uf_recorder *recorder, const uf_flow *flow, const uf_arm *arm)
{
    uf_signal const *const signal = arm->on.signal;

    switch (target_of_kind(arm->kind)) {
    case UF_TARGET_NOTHING:
    case UF_TARGET_CONDITION:
    case UF_TARGET_STOP: break;
    case UF_TARGET_TIME: return left_of(flow, arm);
    case UF_TARGET_REAL_TIME: return time_left(ufi_real_time(flow->pump), arm->on.deadline);
    case UF_TARGET_FLOW: /* it may be gone if the arm is on no list */
        return arm->on_list && arm->on.target ? ufi_number_of(recorder, arm->on.target) : UFI_NO_OBJECT;
    case UF_TARGET_JOB: return job_operand(flow, arm);
    case UF_TARGET_JOBS: return (uint64_t)(arm->on.jobs - flow->type->jobs);
    case UF_TARGET_DESCRIPTOR: return (uint32_t)arm->on.fd;
    case UF_TARGET_SIGNAL:
    case UF_TARGET_CHECKPOINT: return ufi_number_of_name(recorder, signal ? signal->name : NULL);
    case UF_TARGET_ARRIVAL: return signal ? arrival_at(recorder, ufi_arrived_at(arm)) : 0;
    case UF_TARGET_MAILBOX: /* its first member is the signal */
        return ufi_number_of_name(recorder, signal ? ((const uf_mailbox *)(const void *)signal)->name : NULL);
    case UF_TARGET_ROOM: return room_of(recorder, arm);
    case UF_TARGET_POOL: return ufi_number_of_name(recorder, arm[1].on.name);
    }
    return 0;
}

/* The kind and the operand of an arm. Returns: false if the flow does not wait by it. */
static bool cell_of(uf_recorder *recorder, const uf_flow *flow, const uf_arm *arm, uint32_t *kind, uint64_t *operand)
{
    *kind = arm->kind;
    *operand = operand_of(recorder, flow, arm);
    return target_of_kind(arm->kind) != UF_TARGET_NOTHING;
}

/* Where the arms of a wait go: its state, and the ring unless the wait began before the recorder. */
typedef struct arms_to {
    uf_recorder *recorder;
    uint32_t object;
    uf_trace_state *state;
    bool records;
} arms_to;

/* The cell of an arm after the beginning of the wait: a signal that has released the flow may be gone. Its name stands
 * in the flow's state, unless the wait began before the recorder. */
static bool cell_of_begun(uf_recorder *recorder, const uf_trace_state *state, const uf_flow *flow, uint32_t index,
                          uint32_t *kind, uint64_t *operand)
{
    uf_arm const *const arm = &ufi_arms(flow)[index];

    if (arm->kind != UF_ARM_SIGNAL || arm->on_list) return cell_of(recorder, flow, arm, kind, operand);
    *kind = UF_ARM_SIGNAL;
    *operand = ufi_state_operand(state, *kind, index);
    return true;
}

/* The kind and the operand of a handler or a companion that is armed in the flow's task, a group around it or the
 * flow. */
static bool cell_of_handler(uf_recorder *recorder, const uf_flow *flow, uint32_t handler, uint32_t *kind,
                            uint64_t *operand)
{
    uf_arm const *const arm = &ufi_preempts(flow)[handler];
    uint16_t const of = flow->type->preempts[ufi_row_of_preempt(flow->type, handler)].task;

    if (of < flow->type->task_count && of != ufi_step_of(flow, ufp_load(&flow->state))->task) return false;
    return cell_of(recorder, flow, arm, kind, operand);
}

/* A real time counts as if the clock were neither scaled nor frozen. */
static bool is_time(uint32_t kind)
{
    return target_of_kind(kind) == UF_TARGET_TIME || target_of_kind(kind) == UF_TARGET_REAL_TIME;
}

/* The time that a deadline leaves counts from the beginning of the wait, which may be before the recorder. */
static uint64_t from_begin(const uf_flow *flow, uint32_t kind, uint64_t operand, uf_time since)
{
    uint64_t const passed = (uint64_t)ufi_time_sub(ufi_now(flow), since);
    if (!is_time(kind)) return operand;
    return passed < UF_ARM_CELL_MOST - operand ? operand + passed : UF_ARM_CELL_MOST;
}

/* The first word of an arm, with its place in the flow's arms and the upper part of its operand. */
static uint32_t word_of(uint32_t kind, uint32_t index, uint64_t operand)
{
    return kind | (index < 0x7f ? index : 0x7f) << 8 | (uint32_t)(operand >> 32) << 16;
}

static void add_arm(const arms_to *to, uint32_t first, uint64_t operand)
{
    if (to->records) ufi_record(to->recorder, UF_CELL_WAIT, to->object, first, (uint32_t)operand);
    ufi_state_add_arm(to->state, first, (uint32_t)operand);
}

static bool has_hold(const uf_flow *flow, const uf_arm *arms)
{
    for (uint32_t i = 0; i < flow->type->arm_count; i++) {
        if (arms[i].kind == UF_ARM_HELD) return true;
    }
    return false;
}

/* Can the handler still decide? A companion that has ended cannot. */
static bool is_armed(const uf_flow *flow, uint32_t handler)
{
    uf_arm const *const arm = &ufi_preempts(flow)[handler];
    return arm->kind != UF_ARM_COMPANION || (arm->on_list && arm->state == UF_ARM_PENDING);
}

/* One cell per arm, then one per handler. The first and the last one have marks, so each is recorded when the next one
 * is found. The condition comes first: kind and operand 0. An `until` with `for` is an arm itself. */
static void add_arms(const arms_to *to, const uf_flow *flow, bool polls, uf_time since)
{
    uf_arm const *const arms = ufi_arms(flow);
    bool any = polls && !has_hold(flow, arms);
    uint32_t before = UF_ARM_CELL_CONDITION | UF_ARM_CELL_FIRST, kind = before;
    uint64_t operand_before = 0, operand;

    ufi_state_wait(to->state, since);
    for (uint32_t i = 0; i < flow->type->arm_count; i++) {
        bool const has = to->records ? cell_of(to->recorder, flow, &arms[i], &kind, &operand)
                                     : cell_of_begun(to->recorder, to->state, flow, i, &kind, &operand);
        if (!has) continue;
        if (!to->records) operand = from_begin(flow, kind, operand, since);
        if (any) add_arm(to, before, operand_before);
        before = word_of(kind, i, operand) | (any ? 0 : UF_ARM_CELL_FIRST);
        operand_before = operand;
        any = true;
    }
    for (uint32_t i = 0; i < ufi_preempt_count(flow); i++) {
        if (!is_armed(flow, i) || !cell_of_handler(to->recorder, flow, i, &kind, &operand)) continue;
        if (!to->records) operand = from_begin(flow, kind, operand, since);
        add_arm(to, before, operand_before);
        before = word_of(kind, i, operand);
        operand_before = operand;
    }
    add_arm(to, before | UF_ARM_CELL_LAST, operand_before);
    ufi_state_arms_end(to->state);
}

static void wait_began(void *context, const uf_flow *flow, bool polls)
{
    uf_recorder *const recorder = context;
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);

    add_arms(&(arms_to){recorder, slot->object, ufi_state_of(recorder, slot), true}, flow, polls,
             recorder->pump->clock.logical);
}

/* Did the arm decide the wait, as far as it shows after the decision? */
static bool is_ready(const uf_flow *flow, const uf_arm *arm)
{
    uf_arm_kind const kind = (uf_arm_kind)arm->kind;
    uf_arm_target const target = target_of_kind(arm->kind);

    if (arm->state == UF_ARM_READY || arm->state == UF_ARM_FAILED) return true;
    if (kind == UF_ARM_TIMEOUT || kind == UF_ARM_DEADLINE) return ufi_reached(flow, arm->on.deadline);
    if (target == UF_TARGET_JOB) return arm->on.job && arm->on.job->status != UF_JOB_PENDING;
    if (kind == UF_ARM_IDLE) return arm->on_list && ufp_load(&arm->on.target->state) & UF_STATE_IDLE;
    if (target == UF_TARGET_ROOM || target == UF_TARGET_POOL) return ufi_room_has_place(arm);
    return target == UF_TARGET_STOP && ufp_load_seq_cst(&flow->pump->stopping);
}

/* All arms that are ready. The first of them has decided, unless it is a part of an `all` that is not complete. */
static void wait_ended(void *context, const uf_flow *flow)
{
    uf_recorder *const recorder = context;
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);
    uf_trace_state *const state = ufi_state_of(recorder, slot);
    uf_arm const *const arms = ufi_arms(flow);
    uint32_t before = UF_ARM_CELL_UNKNOWN | UF_ARM_CELL_FIRST;
    uint64_t operand_before = 0, operand;
    bool any = false;

    for (uint32_t i = 0, kind = 0; i < flow->type->arm_count; i++) {
        if (!is_ready(flow, &arms[i]) || !cell_of_begun(recorder, state, flow, i, &kind, &operand)) continue;
        if (any) ufi_record(recorder, UF_CELL_WOKEN, slot->object, before, (uint32_t)operand_before);
        before = word_of(kind, i, operand) | (any ? 0 : UF_ARM_CELL_FIRST);
        bool const job_failed = arms[i].kind == UF_ARM_JOB && arms[i].on.job && arms[i].on.job->status != UF_JOB_DONE;
        if (arms[i].state == UF_ARM_FAILED || job_failed) before |= UF_ARM_CELL_FAILED;
        operand_before = operand;
        any = true;
    }
    ufi_record(recorder, UF_CELL_WOKEN, slot->object, before | UF_ARM_CELL_LAST, (uint32_t)operand_before);
    ufi_state_woken(state);
}

static void handler_decided(void *context, const uf_flow *flow, uint32_t handler)
{
    uf_recorder *const recorder = context;
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);
    uint32_t kind = UF_ARM_CELL_UNKNOWN;
    uint64_t operand = 0;

    (void)cell_of_handler(recorder, flow, handler, &kind, &operand);
    ufi_record(recorder, UF_CELL_WOKEN, slot->object,
               word_of(kind, handler, operand) | UF_ARM_CELL_FIRST | UF_ARM_CELL_LAST, (uint32_t)operand);
    ufi_state_woken(ufi_state_of(recorder, slot));
}

/* -- flows that ran before the recorder ---------------------------------------------------------------------------- */

/* A start that is still in the inbox will be an event. When the wait began is not known: no earlier than the step. */
void ufi_note_flow(uf_recorder *recorder, const uf_flow *flow)
{
    uint32_t const now = ufp_load(&flow->state);
    if (now & (UF_STATE_IDLE | UF_STATE_CLAIMED)) return;
    uf_recorder_slot const *const slot = ufi_slot_of(recorder, flow);
    uf_trace_state *const state = ufi_state_of(recorder, slot);
    bool const is_first = flow->ordinal == 0, polls = flow->flags & UF_FLAG_POLLING && ufi_is_wait(now);
    uint32_t const what = (is_first ? UF_CELL_STARTED : UF_CELL_STEP) | UF_STATE_CELL_EARLY;
    uf_time const entered = ufi_is_paused(now) ? ufi_time_sub(ufi_now(flow), flow->entered) : flow->entered;

    if (!state || state->what != 0) return;
    ufi_state_step(state, what, entered, step_of(flow), is_first ? flow->run : flow->ordinal - 1);
    ufi_state_pause(state, ufi_is_paused(now));
    ufi_state_keeping(state, uf_flow_keeping(flow, NULL));
    if (!polls && !(flow->flags & UF_FLAG_ARMED)) return;
    add_arms(&(arms_to){recorder, slot->object, state, false}, flow, polls, entered);
}

void uf_recorder_catch_up(uf_recorder *recorder)
{
    if (!recorder || !recorder->pump) return;
    ufi_note_clock(recorder);
    for (const uf_flow *flow = NULL; (flow = uf_pump_next_flow(recorder->pump, flow)) != NULL;)
        ufi_note_flow(recorder, flow);
}

/* -- jobs, and events without a flow ------------------------------------------------------------------------------- */

static uint32_t index_of_job(const uf_flow *flow, const uf_job_event *event)
{
    uint32_t const task = ufi_step_of(flow, ufp_load(&flow->state))->task;

    for (uint32_t i = 0; i < ufi_count_jobs(flow); i++) {
        if (flow->type->jobs[i].name == event->job && flow->type->jobs[i].task == task) return i;
    }
    return UINT16_MAX;
}

static void add_job(uf_recorder *recorder, uint32_t kind, const uf_flow *flow, const uf_job_event *event)
{
    uint32_t const object = ufi_number_of(recorder, flow);

    if (event->reason) ufi_record_text(recorder, UF_CELL_REASON, object, event->reason);
    ufi_record(recorder, kind, object, index_of_job(flow, event) | (uint32_t)event->status << 16,
               (uint32_t)event->index);
}

#define JOB_EVENT(callback, kind)                                                                                      \
    static void callback(void *context, const uf_flow *flow, const uf_job_event *event)                                \
    {                                                                                                                  \
        add_job(context, kind, flow, event);                                                                           \
    }
JOB_EVENT(job_submitted, UF_CELL_JOB_SUBMITTED)
JOB_EVENT(job_completed, UF_CELL_JOB_ENDED)
JOB_EVENT(job_abandoned, UF_CELL_JOB_ABANDONED)
JOB_EVENT(job_rejected, UF_CELL_JOB_REJECTED)
JOB_EVENT(slow_job, UF_CELL_JOB_SLOW)

static void checkpoint_parked(void *context, const uf_flow *flow, const char *name)
{
    uf_recorder *const recorder = context;
    ufi_record(recorder, UF_CELL_HELD, ufi_number_of(recorder, flow), ufi_number_of_name(recorder, name), 0);
}

static void signal_fired(void *context, const char *name, uint32_t released)
{
    uf_recorder *const recorder = context;
    ufi_record(recorder, UF_CELL_SIGNAL, UFI_NO_OBJECT, ufi_number_of_name(recorder, name), released);
}

static void sent(void *context, const uf_flow *by, const char *name, const uf_flow *to)
{
    uf_recorder *const recorder = context;
    uint32_t const sender = ufi_number_of(recorder, by), number = ufi_number_of_name(recorder, name);
    ufi_record(recorder, UF_CELL_SENDS, sender, number, to ? ufi_number_of(recorder, to) : UFI_NO_OBJECT);
}

static void record_checkpoint(uf_recorder *recorder, uint32_t kind, const uf_flow *by, const char *name)
{
    uint32_t const number = ufi_number_of(recorder, by);
    ufi_record(recorder, kind, number, ufi_number_of_name(recorder, name), 0);
}

static void checkpoint_armed(void *context, const uf_flow *by, const char *name)
{
    record_checkpoint(context, UF_CELL_ARMS, by, name);
}

static void checkpoint_resumed(void *context, const uf_flow *by, const char *name)
{
    record_checkpoint(context, UF_CELL_RESUMES, by, name);
}

static void record_post(uf_recorder *recorder, uf_cell_kind kind, const uf_post_event *post)
{
    ufi_record(recorder, kind, UFI_NO_OBJECT, ufi_number_of_name(recorder, post->caller), (uint32_t)post->line);
}

static void post_began(void *context, const uf_post_event *post)
{
    record_post(context, UF_CELL_POST_BEGAN, post);
}

static void posted(void *context, const uf_post_event *post)
{
    record_post(context, UF_CELL_POST, post);
}

static void stopping(void *context, const struct uf_stop_report *so_far)
{
    ufi_record(context, UF_CELL_STOPPING, UFI_NO_OBJECT, (uint32_t)so_far->phase, 0);
}

static uint32_t in_us(uf_time took)
{
    return took / UF_US(1) < UINT32_MAX ? (uint32_t)(took / UF_US(1)) : UINT32_MAX;
}

static void slow_step(void *context, const uf_flow *flow, const uf_slow_step *slow)
{
    uf_recorder *const recorder = context;
    ufi_record(recorder, UF_CELL_SLOW_STEP, ufi_number_of(recorder, flow), step_of(flow), in_us(slow->took));
}

static void slow_round(void *context, const uf_slow_round *round)
{
    ufi_record(context, UF_CELL_SLOW_ROUND, UFI_NO_OBJECT, round->turns, in_us(round->took));
}

void uf_recorder_note(uf_recorder *recorder, const char *text)
{
    if (!recorder || !recorder->header || !text) return;
    ufi_record_text(recorder, UF_CELL_DESCRIPTION, UFI_NO_OBJECT, text);
    ufi_record(recorder, UF_CELL_NOTE, UFI_NO_OBJECT, 0, 0);
}

/* -- the observer -------------------------------------------------------------------------------------------------- */

const uf_observer ufi_recorder_callbacks = {
    .flow_started = flow_started,
    .flow_restored = flow_restored,
    .run_requested = run_requested,
    .step_changed = step_changed,
    .step_failed = step_failed,
    .wait_began = wait_began,
    .wait_ended = wait_ended,
    .handler_decided = handler_decided,
    .flow_paused = flow_paused,
    .flow_resumed = flow_resumed,
    .keeping_changed = keeping_changed,
    .flow_ended = flow_ended,
    .post_began = post_began,
    .posted = posted,
    .signal_fired = signal_fired,
    .sent = sent,
    .checkpoint_parked = checkpoint_parked,
    .checkpoint_armed = checkpoint_armed,
    .checkpoint_resumed = checkpoint_resumed,
    .job_submitted = job_submitted,
    .job_completed = job_completed,
    .job_abandoned = job_abandoned,
    .job_rejected = job_rejected,
    .slow_step = slow_step,
    .slow_job = slow_job,
    .slow_round = slow_round,
    .stopping = stopping,
};
