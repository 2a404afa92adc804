/* SPDX-License-Identifier: MIT */
/* pause.c - pauses; see uflow/pause.h.
 *
 * A flow that stands has UFI_STATE_PAUSED in its state and, so that none of its turns takes a fast path, UFI_PREEMPTED.
 * Events wake it as ever. Its turn then finds that it stands, and parks it. So no event has to be remembered: the turn
 * after the resume evaluates all arms.
 *
 * While a flow stands, its timers are on no list. Their deadlines are durations: what remains of them. `entered` is the
 * time that the flow has been in its step.
 *
 * Other threads set what they want in the record, and send it. The pump's thread carries out what the record then says,
 * so a pause and a resume may overtake each other. */
#include "basics/clocks.h"
#include "basics/wheel.h"
#include "runs/runs.h"

#include "uflow/pause.h"

/* -- the flows that a flow runs ------------------------------------------------------------------------------------ */

static bool stands(const uf_flow *flow)
{
    return ufi_is_paused(ufp_load(&flow->state));
}

/* The run is leaving its task, or ends: it does not stand any more. */
static bool is_left(const uf_flow *flow)
{
    return (flow->flags & (UFI_ENTERED | UFI_ENTERING)) == 0 || flow->rare_flags & UFI_ENDING;
}

/* NULL: no flow runs this one. */
static uf_flow *runner_of(const uf_flow *flow)
{
    uf_arm const *const arm = ufi_arm_run_for(flow);

    if (arm) return arm->owner;
    return flow->rare_flags & UFI_MEMBER ? ufi_member_of(flow)->pool->owner : NULL;
}

/* The first member that runs, in this pool from this index on, or in a later pool. */
static uf_flow *member_from(const uf_flow *owner, size_t pool, uint32_t index)
{
    for (; pool < ufi_pool_count(owner); pool++, index = 0) {
        uf_members_info const *const info = &owner->type->pools[pool];
        uf_members const *const members = (const uf_members *)((uintptr_t)owner + info->offset);
        uint32_t const used = ufi_is_pool_there(members, owner->pump) ? ufp_load_acquire(&members->used) : 0;
        for (; index < used; index++) {
            uf_flow *const flow = ufi_member_flow(owner, info, index);
            if (!(ufp_load_acquire(&flow->state) & (UF_STATE_IDLE | UF_STATE_CLAIMED))) return flow;
        }
    }
    return NULL;
}

static uf_flow *child_from(const uf_flow *owner, uf_arm *arm)
{
    for (; arm; arm = ufi_arm_after(owner, arm)) {
        if (ufi_has_run(arm) && arm->on_list) return arm->on.target;
    }
    return member_from(owner, 0, 0);
}

static uf_flow *child_after(const uf_flow *owner, const uf_flow *child)
{
    uf_arm *const arm = ufi_arm_run_for(child);

    if (arm) return child_from(owner, ufi_arm_after(owner, arm));
    uf_member const *const member = ufi_member_of(child);
    return member_from(owner, (size_t)(member->pool->info - owner->type->pools), member->index + 1);
}

/* This child, or the next one for which the test holds. */
static uf_flow *next_that(bool (*holds)(const uf_flow *child), const uf_flow *owner, uf_flow *child)
{
    while (child && !holds(child)) child = child_after(owner, child);
    return child;
}

static uf_flow *first_that(bool (*holds)(const uf_flow *child), const uf_flow *owner)
{
    return next_that(holds, owner, child_from(owner, ufi_first_arm(owner)));
}

/* -- records ------------------------------------------------------------------------------------------------------- */

/* The following functions are called in the critical section of the pump. */

static bool is_in_use(const uf_pause *hold)
{
    return hold->is_wanted || hold->is_in_effect || hold->is_sent;
}

static void forget_unless_in_use(uf_pump *pump, uf_pause *hold)
{
    uf_pause **at = &pump->holds;

    if (is_in_use(hold)) return;
    while (*at != hold) at = &(*at)->next;
    *at = hold->next;
}

static bool is_wanted_for(const uf_pump *pump, const uf_flow *flow)
{
    for (const uf_pause *hold = pump->holds; hold; hold = hold->next) {
        if (hold->flow == flow && hold->is_wanted) return true;
    }
    return false;
}

static uf_pause *in_effect_for(const uf_pump *pump, const uf_flow *flow)
{
    uf_pause *hold = pump->holds;
    while (hold && !(hold->flow == flow && hold->is_in_effect)) hold = hold->next;
    return hold;
}

/* The same record may pause the same run again before the pump has carried out its resume. */
static uf_status want(uf_pump *pump, uf_pause *hold, uf_run run)
{
    bool const again = is_in_use(hold) && hold->flow == run.flow && hold->run == run.number && !hold->is_wanted;

    if ((is_in_use(hold) && !again) || is_wanted_for(pump, run.flow)) return UF_BUSY;
    if (!again) {
        hold->flow = run.flow;
        hold->run = run.number;
        hold->next = pump->holds;
        pump->holds = hold;
        ufp_note_shared(&hold->pump, sizeof hold->pump);
        ufp_store_pointer(&hold->pump, pump);
    }
    hold->is_wanted = true;
    return UF_OK;
}

/* -- outside of the critical section, on the pump's thread */

static bool has_record(const uf_flow *flow)
{
    ufp_critical_enter(flow->pump);
    bool const has = in_effect_for(flow->pump, flow) != NULL;
    ufp_critical_leave(flow->pump);
    return has;
}

/* Ends the flow's own pause without a resume. Two records may be in effect: one whose resume is on its way, and one
 * that came after it. Returns: false if it has none. */
static bool release(const uf_flow *flow)
{
    uf_pump *const pump = flow->pump;
    bool has_one = false;

    ufp_critical_enter(pump);
    for (uf_pause *hold; (hold = in_effect_for(pump, flow)) != NULL; has_one = true) {
        hold->is_wanted = hold->is_in_effect = false;
        forget_unless_in_use(pump, hold);
    }
    ufp_critical_leave(pump);
    return has_one;
}

/* -- one flow ------------------------------------------------------------------------------------------------------ */

static bool stops_with_flow(const uf_arm *arm)
{
    bool const is_timer = arm->kind == UF_ARM_TIMEOUT || arm->kind == UF_ARM_INTERVAL || arm->kind == UF_ARM_ON_TIMEOUT;
    return is_timer && arm->on.deadline != UF_FOREVER;
}

/* UF_CAUSE_KEPT marks a timer that was running. */
static void stop_timer(uf_flow *flow, uf_arm *arm, uf_time now)
{
    bool const was_running = arm->on_list != 0;

    if (arm->kind == UF_ARM_HELD) {
        ufi_arm_drop(flow, arm);
        arm->state = UF_ARM_PENDING;
    }
    if (!stops_with_flow(arm)) return;
    ufi_arm_drop(flow, arm);
    arm->on.deadline = ufi_time_sub(arm->on.deadline, now);
    arm->cause = was_running ? UF_CAUSE_KEPT : UF_CAUSE_NONE;
}

static void start_timer(uf_flow *flow, uf_arm *arm, uf_time now)
{
    if (!stops_with_flow(arm)) return;
    arm->on.deadline = uf_time_add(now, arm->on.deadline);
    if (arm->cause != UF_CAUSE_KEPT) return;
    arm->cause = UF_CAUSE_NONE;
    if (ufi_reached(flow, arm->on.deadline)) arm->state = UF_ARM_READY;
    else if (arm->on.deadline != UF_FOREVER) ufi_wheel_set(&flow->pump->wheel, arm);
}

/* Only the state and the time of entry change; see enter_step() in turn.c. */
static void publish(uf_flow *flow, uint32_t state, uf_time entered)
{
    uint32_t const ticks = flow->ticks;

    ufi_begin_change(flow);
    ufp_store_release(&flow->state, state);
    ufp_store_time_release(&flow->entered, entered);
    ufp_store_release(&flow->ticks, ticks);
}

static uint16_t place_of(const uf_flow *flow, uint32_t state)
{
    return (uint16_t)(ufi_step_of(flow, state)->task + 1);
}

/* Is the flow in a group, and about to enter another task there? */
static bool is_between_tasks(const uf_flow *flow)
{
    unsigned const both = UFI_ENTERED | UFI_ENTERING;
    return (flow->flags & both) == both && !stands(flow);
}

/* A flow that is kept may wait between two tasks for long. */
static bool knows_group(const uf_flow *flow)
{
    return ufi_store_hooks(flow->pump) && ufi_store_hooks(flow->pump)->keeps(flow);
}

/* The innermost place in which the flow is. Before a task is entered, and in a run that will be cancelled, no handler
 * runs. */
static uint16_t current_place(const uf_flow *flow)
{
    unsigned const how = flow->flags & (UFI_ENTERED | UFI_ENTERING | UFI_CANCEL);

    if (how == UFI_ENTERED) return place_of(flow, ufp_load(&flow->state));
    bool const is_between = how == (UFI_ENTERED | UFI_ENTERING) && knows_group(flow);
    return is_between ? ufi_store_hooks(flow->pump)->group(flow) : 0;
}

static void call_on_pause(uf_flow *flow)
{
    for (uint16_t place = current_place(flow); place; place = ufi_place_around(flow, place))
        (void)flow->type->turn(flow, UF_ON_PAUSE | (place - 1u));
}

/* From the outside to this place. */
static void call_on_resume(uf_flow *flow, uint16_t innermost)
{
    for (uint16_t outer = 0, place; outer != innermost; outer = place) {
        for (place = innermost; ufi_place_around(flow, place) != outer;) place = ufi_place_around(flow, place);
        (void)flow->type->turn(flow, UF_ON_RESUME | (place - 1u));
    }
}

/* A flow that is ready remains so: its turn may take a cancel, or a handler that ends the pause. */
static void begin_to_stand(uf_flow *flow)
{
    call_on_pause(flow);

    uf_time const now = ufi_now(flow);
    for (uf_arm *arm = ufi_first_arm(flow); arm; arm = ufi_arm_after(flow, arm)) stop_timer(flow, arm, now);
    publish(flow, ufp_load(&flow->state) | UFI_STATE_PAUSED, ufi_time_sub(now, flow->entered));
    ufi_flag_set(flow, UFI_PREEMPTED);
    if (flow->flags & UF_FLAG_POLLING) ufi_make_parked(flow->pump, flow);
    if (ufi_stop(flow->pump)) flow->pump->stop->hooks->run_stands(flow, true);
    if (flow->pump->observers) flow->pump->notify->paused(flow);
}

static void cease_to_stand(uf_flow *flow)
{
    uf_time const now = ufi_now(flow);

    if (flow->pump->observers) flow->pump->notify->resumed(flow);
    publish(flow, ufp_load(&flow->state) & ~UFI_STATE_PAUSED, ufi_time_sub(now, flow->entered));
    for (uf_arm *arm = ufi_first_arm(flow); arm; arm = ufi_arm_after(flow, arm)) start_timer(flow, arm, now);
    ufi_flag_clear(flow, UFI_PREEMPTED);
    if (ufi_stop(flow->pump)) flow->pump->stop->hooks->run_stands(flow, false);
}

/* Does the flow wait for the next time of its `stay every`? A turn would run its body too early. */
static bool stays_on(const uf_flow *flow)
{
    bool is_waiting = false, is_due = false;

    if (!(flow->flags & UFI_STAYING) || flow->flags & (UFI_PREEMPTED | UFI_CANCEL)) return false;
    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        uf_arm const *const arm = ufi_arms(flow) + i;
        is_waiting |= arm->kind == UF_ARM_INTERVAL && arm->on_list;
        is_due |= arm->kind == UF_ARM_TIMEOUT && arm->state == UF_ARM_READY;
    }
    return is_waiting && !is_due;
}

/* `inside`: the innermost place that the flow does not leave. */
static void go_on(uf_flow *flow, uint16_t inside)
{
    cease_to_stand(flow);
    call_on_resume(flow, inside);
    if (flow->type->preempt_count) flow->type->preempting->check(flow);
    if (!stays_on(flow)) ufi_wake(flow);
}

/* -- a flow and those that it runs: loops, since a chain may be longer than the stack is deep ---------------------- */

static bool moves(const uf_flow *flow)
{
    return !stands(flow) && !is_left(flow);
}

static bool stands_with_runner(const uf_flow *flow)
{
    return stands(flow) && !has_record(flow);
}

/* Children before parents. `on pause` may spawn a member. */
static void pause_tree(uf_flow *root)
{
    uf_flow *flow = root;

    for (;;) {
        for (uf_flow *child; (child = first_that(moves, flow)) != NULL;) flow = child;
        begin_to_stand(flow);
        if (flow == root) return;
        uf_flow *const runner = runner_of(flow), *const next = next_that(moves, runner, child_after(runner, flow));
        flow = next ? next : runner;
    }
}

/* Parents before children. A handler of `leaving`, which may be NULL, ends the pause: the flow stays in this place. */
static void resume_tree(uf_flow *root, const uf_flow *leaving, uint16_t inside)
{
    uf_flow *flow = root;

    while (flow) {
        go_on(flow, flow == leaving ? inside : current_place(flow));
        uf_flow *next = first_that(stands_with_runner, flow);
        while (!next && flow != root) {
            uf_flow *const runner = runner_of(flow);
            next = next_that(stands_with_runner, runner, child_after(runner, flow));
            flow = runner;
        }
        flow = next;
    }
}

/* -- hooks --------------------------------------------------------------------------------------------------------- */

/* The record that came before the start of this run. */
static uf_pause *take_early_hold(uf_pump *pump, const uf_flow *flow)
{
    uf_pause *found = NULL;

    if (!pump->has_early_holds) return NULL;
    pump->has_early_holds = false;
    ufp_critical_enter(pump);
    for (uf_pause *hold = pump->holds; hold; hold = hold->next) {
        if (!hold->is_wanted || hold->is_in_effect || hold->is_sent) continue;
        if (hold->flow == flow) found = hold;
        else pump->has_early_holds = true;
    }
    ufp_critical_leave(pump);
    return found;
}

static void carry_out(uf_pump *pump, uf_pause *hold, bool is_delivered);

/* An await starts its runs in the turn of its flow, which does not stand. */
static void began(uf_flow *flow)
{
    uf_pause *const early = take_early_hold(flow->pump, flow);

    if (early) carry_out(flow->pump, early, false);
    if (flow->rare_flags & UFI_MEMBER && !stands(flow) && stands(runner_of(flow))) begin_to_stand(flow);
}

/* Its subtasks have ended. Its members go on. */
static void ends(uf_flow *flow)
{
    if (!stands(flow)) return;
    (void)release(flow);
    flow->pump->changes_holds = true; /* also while observers hear of it */
    cease_to_stand(flow);
    for (uf_flow *member = first_that(stands_with_runner, flow); member;
         member = next_that(stands_with_runner, flow, child_after(flow, member)))
        resume_tree(member, NULL, 0);
    flow->pump->changes_holds = false;
}

/* Ends all pauses for which the flow stands; see resume_tree(). */
static void end_pauses(uf_flow *flow, uint16_t inside)
{
    uf_flow *top = flow;

    for (uf_flow *at = flow; at && stands(at); at = runner_of(at)) {
        if (release(at)) top = at;
    }
    flow->pump->changes_holds = true;
    resume_tree(top, flow, inside);
    flow->pump->changes_holds = false;
}

/* The innermost group that a `become` does not leave; 0: none, or the intent is another one. */
static uint16_t group_that_stays(const uf_flow *flow, uf_intent intent)
{
    if (uf_intent_kind(intent) != UF_INTENT_BECOME || flow->flags & UFI_FAILING) return 0;
    return ufi_common_group(flow, place_of(flow, ufp_load(&flow->state)),
                            place_of(flow, intent.bits & UF_INTENT_STATE));
}

/* The order is: `on exit` of the places that the handler leaves, `on resume` of those that stay, the entry. */
static bool take(uf_flow *flow, uf_intent *intent)
{
    bool const ends_pause = flow->type->preempt_count && flow->type->preempting->take(flow, intent);

    if (!ends_pause) {
        ufi_flag_set(flow, UFI_PREEMPTED);
        ufi_flag_clear(flow, UFI_WOKEN | UFI_OBSERVED);
        ufi_make_parked(flow->pump, flow);
        return false;
    }
    if (flow->flags & UFI_FAILING) (void)uf_leave(flow, UF_FAILED);
    end_pauses(flow, group_that_stays(flow, *intent));
    return true;
}

static uf_time lasted(const uf_flow *flow)
{
    uf_time since = UF_FOREVER;

    ufp_critical_enter(flow->pump);
    for (const uf_flow *at = flow; at && stands(at); at = runner_of(at)) {
        uf_pause const *const hold = in_effect_for(flow->pump, at);
        if (hold && hold->since < since) since = hold->since;
    }
    ufp_critical_leave(flow->pump);
    return ufi_time_sub(ufi_read_time(flow->pump), since);
}

static const struct ufi_pause_hooks hooks = {.began = began, .ends = ends, .take = take, .lasted = lasted};

/* -- pause and resume ---------------------------------------------------------------------------------------------- */

/* A flow that stands with its runner keeps its place among those that stand. */
static void change(uf_flow *flow, bool is_paused)
{
    uf_flow const *const runner = runner_of(flow);

    if (is_paused ? stands(flow) : runner && stands(runner)) return;
    flow->pump->changes_holds = true;
    if (is_paused) pause_tree(flow);
    else resume_tree(flow, NULL, 0);
    flow->pump->changes_holds = false;
}

/* Carries out what the record says now; `is_delivered`: it was sent. Until then it is in use, and on the list. */
static void carry_out(uf_pump *pump, uf_pause *hold, bool is_delivered)
{
    uf_flow *const flow = hold->flow;
    uf_time const now = ufi_read_time(pump);
    uf_run const run = {.flow = flow, .number = hold->run};
    bool const is_over = !flow || uf_run_outcome(run) != UF_RUNNING || is_left(flow);

    pump->pauses = &hooks;
    ufp_critical_enter(pump);
    bool const before = hold->is_in_effect;
    if (is_delivered) hold->is_sent = false;
    if (is_over) hold->is_wanted = false;
    bool const after = hold->is_in_effect = hold->is_wanted;
    if (after && !before) hold->since = now;
    forget_unless_in_use(pump, hold);
    bool const goes_on = flow && before && !after && !in_effect_for(pump, flow);
    ufp_critical_leave(pump);
    if (goes_on || (after && !before)) change(flow, after);
}

/* If the pause began between two tasks, `on pause` of the group would not run: it begins after the entry. */
static bool is_too_early(const uf_flow *flow)
{
    return is_between_tasks(flow) && !knows_group(flow);
}

/* The pump has not received the start of the run: then began() carries the record out. The starting thread may have
 * stopped between its claim and its message, so the pump must not look again and again. */
static bool comes_before_start(uf_pump *pump, uf_pause *hold)
{
    uf_run const run = {.flow = hold->flow, .number = hold->run};

    if (!(ufp_load(&run.flow->state) & UF_STATE_CLAIMED) || uf_run_outcome(run) != UF_RUNNING) return false;
    pump->pauses = &hooks;
    pump->has_early_holds = true;
    ufp_critical_enter(pump);
    hold->is_sent = false;
    forget_unless_in_use(pump, hold);
    ufp_critical_leave(pump);
    return true;
}

static void deliver(uf_pump *pump, uf_message *message)
{
    uf_pause *const hold = (uf_pause *)(void *)message;

    if (hold->flow && is_too_early(hold->flow)) ufi_inbox_send(pump, message);
    else if (!hold->flow || !comes_before_start(pump, hold)) carry_out(pump, hold, true);
}

/* In the critical section that changes the record: else the pump could take it off the list before the message.
 * Returns: true if it must be sent. */
static bool is_to_be_sent(uf_pause *hold, bool at_once)
{
    bool const was_sent = hold->is_sent;

    hold->is_sent |= !at_once;
    return !at_once && !was_sent;
}

static bool runs_in(const uf_flow *flow, const uf_flow *whole)
{
    while (flow && flow != whole) flow = runner_of(flow);
    return flow != NULL;
}

/* May this thread carry it out at once? A flow in its turn does not stand before the end of the turn. */
static bool is_at_once(const uf_pump *pump, const uf_flow *flow, bool is_pause)
{
    if (!ufi_on_pump_thread(pump) || pump->changes_holds) return false;
    if (!is_pause) return true;
    bool const has_turn = pump->in_round && pump->current && runs_in(pump->current, flow);
    return !has_turn && !is_left(flow) && !is_too_early(flow) && !(ufp_load(&flow->state) & UF_STATE_CLAIMED);
}

static void act(uf_pump *pump, uf_pause *hold, bool at_once, bool sends)
{
    if (at_once) {
        carry_out(pump, hold, false);
    } else if (sends) {
        hold->message.deliver = deliver;
        ufi_inbox_send(pump, &hold->message);
    }
}

uf_status uf_flow_pause(uf_flow *flow, uf_pause *hold)
{
    uf_pump *const pump = uf_flow_pump(flow);
    if (!pump || !hold) return UF_INVALID;
    if (!UFI_MANY_THREADS && !ufi_on_pump_thread(pump)) return UF_UNSUPPORTED;

    uf_run const run = uf_flow_this_run(flow);
    if (uf_run_outcome(run) != UF_RUNNING) return UF_STALE;
    bool const at_once = is_at_once(pump, flow, true);
    ufp_critical_enter(pump);
    uf_status const status = want(pump, hold, run);
    bool const sends = status == UF_OK && is_to_be_sent(hold, at_once);
    ufp_critical_leave(pump);
    if (status == UF_OK) act(pump, hold, at_once, sends);
    return status;
}

uf_status uf_flow_resume(uf_pause *hold)
{
    if (!hold) return UF_INVALID;
    uf_pump *const pump = ufp_load_pointer(&hold->pump);
    if (!pump) return UF_STALE;
    if (!UFI_MANY_THREADS && !ufi_on_pump_thread(pump)) return UF_UNSUPPORTED;

    bool const at_once = is_at_once(pump, NULL, false);
    ufp_critical_enter(pump);
    bool const is_paused = hold->is_wanted, sends = is_paused && is_to_be_sent(hold, at_once);
    hold->is_wanted = false;
    ufp_critical_leave(pump);
    if (is_paused) act(pump, hold, at_once, sends);
    return is_paused ? UF_OK : UF_STALE;
}
