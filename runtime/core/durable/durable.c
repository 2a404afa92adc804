/* SPDX-License-Identifier: MIT */
/* durable.c - the turns of a durable flow: a step begins, and a run ends, only when that is kept.
 *
 * The descriptor of a durable flow names the functions of this file where others name those that ufc generates. So
 * nothing else in core knows such flows, apart from a stop. A turn that must wait for a commit parks the flow in the
 * state in which it is, without an arm: the commit wakes it, and the turn comes again. UFI_GUARDED is always set, so
 * that each turn first calls check(): a cancel does not wait for a commit. */
#include "durable/store.h"

#include "basics/format.h"

static bool has_store(const uf_flow *flow)
{
    return ufi_durable(flow)->store != NULL;
}

static bool is_shutdown(const uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);
    return !ufi_claimed_only(state) && flow->type->tasks[ufi_step_of(flow, state)->task].kind == UF_TASK_SHUTDOWN;
}

bool ufi_is_kept(const uf_flow *flow)
{
    return ufi_is_durable(flow) && has_store(flow) && !is_shutdown(flow);
}

static bool is_ending(const uf_durable *durable)
{
    return durable->outcome != UF_RUNNING;
}

/* Is the end not kept yet? It may be put with a record of the flow that has started this one. */
static bool waits_for_end(const uf_durable *durable)
{
    return durable->is_waiting || durable->starter;
}

/* -- suspending: a stop leaves the run as it is kept --------------------------------------------------------------- */

static bool is_being_stopped(const uf_flow *flow)
{
    uf_stop const *const stop = ufi_stop(flow->pump);
    return stop && stop->phase >= UF_STOP_SHUTTING_DOWN && stop->phase < UF_STOP_OVER;
}

/* Its children have ended by now, apart from companions of groups and of the flow. A run that was not entered, or not
 * released, has nothing to suspend. */
static void suspend(uf_flow *flow, bool was_entered)
{
    uf_durable *const durable = ufi_durable(flow);

    if (durable->is_suspended) return;
    durable->is_suspended = true;
    if (ufi_preempt_count(flow)) ufi_disarm_companions(flow, 0, UF_NO_TASK);
    ufi_keeping_note(flow);
    ufi_keeping_tell(flow, UF_KEEPING_SUSPENDED);
    if (was_entered && !durable->is_restoring && durable->type->suspend) durable->type->suspend(flow);
}

/* Does the run, or that of an owner, end with a step that is not kept? */
static bool is_lent(const uf_flow *flow)
{
    while (flow && !ufi_durable(flow)->is_lent) flow = ufi_durable(flow)->owner;
    return flow != NULL;
}

/* Is the flow inside a member whose own run ends, or has ended? */
static bool ends_with_member(const uf_flow *flow)
{
    const uf_flow *const member = UF_USES_POOLS && flow->rare_flags & UFI_IN_MEMBER ? ufi_member_around(flow) : NULL;
    if (!member) return false;
    return is_ending(ufi_durable(member)) || (!uf_flow_running(member) && !ufi_durable(member)->is_suspended);
}

static bool must_suspend(const uf_flow *flow, uf_outcome outcome)
{
    const uf_durable *const durable = ufi_durable(flow);
    bool const is_cancel =
        outcome == UF_CANCELLED && durable->outcome != UF_CANCELLED; /* another end that was put stays */
    bool const goes_on = is_cancel && !durable->store->is_failed && is_being_stopped(flow);
    return goes_on && !is_lent(flow) && !ends_with_member(flow);
}

bool ufi_is_suspending(const uf_flow *flow)
{
    return ufi_durable(flow)->is_suspended || (flow->flags & UFI_CANCEL && must_suspend(flow, UF_CANCELLED));
}

/* -- endings ------------------------------------------------------------------------------------------------------- */

static void call_on_end(uf_flow *flow, uf_outcome outcome)
{
    ufi_rare_flag_put(flow, UFI_ENDING, true);
    ufi_durable(flow)->type->on_end(flow, outcome);
    ufi_rare_flag_put(flow, UFI_ENDING, false);
}

/* A record behind the step is about to be put. */
static void leave_step(uf_flow *flow)
{
    ufi_starts_over(flow);
    ufi_starts_put(flow);
    ufi_owed_put(flow);
}

/* After the task was left: puts the end. What waits for it is woken when it is kept. */
static void begin_end(uf_flow *flow, uf_outcome outcome)
{
    uf_durable *const durable = ufi_durable(flow);

    if (durable->type->on_end) call_on_end(flow, outcome);
    ufi_flag_clear(flow, UFI_ENTERED | UFI_ENTERING); /* from now on it cannot be paused */
    if (durable->run != flow->run) ufi_owed_begin(flow);
    durable->outcome = (uint8_t)outcome;
    durable->run = flow->run;
    ufi_store_leave(flow);
    ufi_owed_drop(flow, true);
    leave_step(flow);
    ufi_ends_free(flow, true);
    if (durable->starter) return; /* it is put with that of the starter */
    if (ufi_store_put(flow, false, false)) ufi_store_wait(flow);
    else ufi_wake(flow);
}

/* The task was not entered after all. If groups around it were, their `on exit` is due. */
static void take_entry_back(uf_flow *flow)
{
    if (!ufi_keep_group(flow)) ufi_flag_clear(flow, UFI_ENTERED);
}

static uf_intent hold(uf_flow *flow, uint32_t state)
{
    if (state & UF_ENTRY) {
        take_entry_back(flow);
        ufi_flag_set(flow, UFI_ENTERING);
    }
    return uf_intent_of(UF_INTENT_PARK);
}

/* After a body, a decision or a handler. If it ends the run, the flow parks until that is kept. */
static uf_intent after(uf_flow *flow, uint32_t state, uf_intent intent)
{
    if (flow->flags & UFI_FAILING) {
        if (ufi_durable(flow)->store->is_failed) return intent;
        ufp_store(&flow->state, ufi_step_state(state) & ~(uint32_t)UF_ENTRY); /* drops the intent */
        if (uf_intent_kind(intent) != UF_INTENT_FAIL && ufi_is_observed(flow->pump))
            flow->pump->notify->step_failed(flow);
        (void)uf_leave(flow, UF_FAILED);
        ufi_flag_clear(flow, UFI_FAILING);
        begin_end(flow, UF_FAILED);
        return hold(flow, 0);
    }
    if (!uf_intent_is(intent, UF_INTENT_DONE) || ufi_durable(flow)->store->is_failed) return intent;
    begin_end(flow, UF_DONE);
    return hold(flow, 0);
}

static uf_intent fail_with_store(uf_flow *flow)
{
    return ufi_fail_joined(flow, UFI_PARTS(ufi_durable(flow)->store->failure));
}

/* The end is kept, or the store has failed and takes it from the run. */
static uf_intent finish(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (durable->store->is_failed) {
        durable->outcome = UF_FAILED;
        return fail_with_store(flow);
    }
    if (durable->outcome == UF_DONE) return uf_intent_of(UF_INTENT_DONE);
    ufi_flag_set(flow, UFI_FAILING); /* the reason is stored */
    return uf_intent_of(UF_INTENT_FAIL);
}

/* -- turns --------------------------------------------------------------------------------------------------------- */

static bool is_new_entry(const uf_flow *flow)
{
    return !ufi_entry_is_put(flow) || ufi_durable(flow)->must_put;
}

/* Puts that the step begins. */
static uf_intent put_entry(uf_flow *flow, uint32_t state)
{
    uf_durable *const durable = ufi_durable(flow);

    if (durable->run != flow->run) ufi_owed_begin(flow);
    if (!ufi_entry_is_put(flow)) {
        durable->restored = 0;
        ufi_owed_drop(flow, false);
        leave_step(flow);
        ufi_ends_put(flow);
    }
    durable->run = flow->run;
    durable->ordinal = flow->ordinal;
    durable->must_put = false;
    durable->is_first = true;
    if (!ufi_store_put(flow, true, !(state & UF_ENTRY))) return fail_with_store(flow);
    uf_intent const intent = hold(flow, state); /* before observers hear that it waits */
    ufi_store_wait(flow);
    return intent;
}

static uf_intent poisoned(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);
    char text[UF_REASON_SIZE];

    (void)ufi_format_args(text, sizeof text, "restored %u times in %s", (unsigned)durable->restored,
                          uf_flow_step(flow));
    durable->is_restoring = false;
    return ufi_fail_joined(flow, UFI_PARTS(text));
}

/* A body or an entry is about to run. Returns: true, and what to do instead. */
static bool must_wait(uf_flow *flow, uint32_t state, uf_intent *intent)
{
    uf_durable *const durable = ufi_durable(flow);

    if (durable->is_held || durable->starter) {
        *intent = hold(flow, state);
    } else if (durable->store->is_failed && is_new_entry(flow)) {
        *intent = fail_with_store(flow);
    } else if (durable->is_restoring && durable->restored >= durable->store->config.restore_limit) {
        *intent = poisoned(flow);
    } else if (is_new_entry(flow)) {
        *intent = put_entry(flow, state);
    } else if (durable->is_waiting) {
        *intent = hold(flow, state);
    } else if (durable->put > durable->store->kept && durable->store->is_failed) {
        *intent = fail_with_store(flow);
    } else {
        return false;
    }
    return true;
}

static uf_intent run_body(uf_flow *flow, uint32_t state)
{
    uf_durable *const durable = ufi_durable(flow);

    if (durable->is_first) ufp_store(&flow->ticks, durable->is_restoring); /* turns that only waited are none */
    durable->is_first = false;
    ufi_ends_free(flow, false);
    if (durable->is_restoring) {
        durable->is_restoring = false;
        ufp_store_time_release(&flow->entered, ufi_now(flow)); /* the times of a `stay` count anew */
        durable->type->restore(flow, !(state & UF_ENTRY));
        if (flow->flags & UFI_FAILING) return uf_stay();
    }
    uf_intent const intent = durable->type->turn(flow, state);
    if (!uf_intent_is(intent, UF_INTENT_ENTERED)) ufi_owed_drop(flow, true);
    return intent;
}

static uf_intent turn(uf_flow *flow, uint32_t state)
{
    uf_durable *const durable = ufi_durable(flow);
    uf_intent intent;

    if (is_ending(durable)) return waits_for_end(durable) ? hold(flow, 0) : finish(flow);
    if (ufi_is_wait(state)) return after(flow, state, durable->type->turn(flow, state));
    if (must_wait(flow, state, &intent)) {
        if (state & UF_ENTRY) take_entry_back(flow);
        return after(flow, state, intent);
    }
    return after(flow, state, run_body(flow, state));
}

static bool is_leaving(uf_intent intent)
{
    return ufi_is_next(intent) || uf_intent_is(intent, UF_INTENT_BECOME) || uf_intent_is(intent, UF_INTENT_ENTERED);
}

uf_intent uf_durable_turn(uf_flow *flow, uint32_t state)
{
    uf_durable *const durable = ufi_durable(flow);

    if (!ufi_is_kept(flow) || (state & UF_ON_PAUSE)) return durable->type->turn(flow, state);
    uf_intent const intent = turn(flow, state);
    if (!is_leaving(intent) && !(flow->flags & UFI_FAILING)) ufi_starts_park(flow);
    return intent;
}

/* -- before each turn: uf_flow_type.preempting --------------------------------------------------------------------- */

static const struct uf_preempting *own(const uf_flow *flow)
{
    return ufi_durable(flow)->type->preempting;
}

static void guard(uf_flow *flow)
{
    if (has_store(flow)) ufi_rare_flag_put(flow, UFI_GUARDED, true);
}

/* Unless the run is suspended: that is kept as one that was not entered. */
static void enter(uf_flow *member)
{
    uint32_t const state = ufi_step_state(ufp_load(&member->state));

    if (member->flags & UFI_CANCEL && must_suspend(member, UF_CANCELLED)) ufi_flag_clear(member, UFI_ENTERED);
    else if (member->type->tasks[ufi_step_of(member, state)->task].has_entry)
        (void)ufi_durable(member)->type->turn(member, state | UF_ENTRY);
}

/* The first turn of a member may wait until it is kept that the run begins. */
static bool is_before_first_turn(const uf_flow *flow)
{
    return flow->flags & UFI_ENTERING && flow->ordinal == 0 && !ufi_durable(flow)->is_restoring;
}

/* `on exit` runs at once; the end waits until it is kept. */
static void cancel(uf_flow *flow)
{
    if (flow->rare_flags & UFI_MEMBER && is_before_first_turn(flow)) ufi_pooling_of(flow)->enter(flow);
    ufi_flag_clear(flow, UFI_CANCEL);
    (void)uf_leave(flow, UF_CANCELLED);
    ufi_flag_clear(flow, UFI_FAILING); /* an `on exit` does not make a failure of a cancel */
    if (ufi_pauses(flow->pump)) flow->pump->pauses->ends(flow);
    begin_end(flow, UF_CANCELLED);
}

static void take_cancel(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (is_ending(durable)) ufi_flag_clear(flow, UFI_CANCEL); /* the run keeps its outcome */
    else if (!durable->store->is_failed && !must_suspend(flow, UF_CANCELLED)) cancel(flow);
}

static void check(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (!ufi_is_kept(flow)) {
        if (own(flow) && ufi_preempt_count(flow)) own(flow)->check(flow);
        return;
    }
    if (flow->flags & UFI_CANCEL) take_cancel(flow);
    bool const waits = is_ending(durable) || durable->is_held;
    if (waits && !ufi_is_paused(ufp_load(&flow->state))) ufi_flag_clear(flow, UFI_PREEMPTED);
    else if (!waits && own(flow) && ufi_preempt_count(flow)) own(flow)->check(flow);
    if (durable->outcome == UF_CANCELLED && !waits_for_end(durable)) ufi_flag_set(flow, UFI_CANCEL);
}

/* The target of a handler that ends the run is no turn of its own. */
static bool take(uf_flow *flow, uf_intent *intent)
{
    uint32_t const state = ufp_load(&flow->state);

    if (ufi_durable(flow)->is_held || !own(flow)->take(flow, intent)) return false;
    if (ufi_is_kept(flow)) *intent = after(flow, state, *intent);
    return true;
}

/* Of a member that is only reserved, its init does so. */
static void note_epochs(uf_flow *flow)
{
    if (ufi_durable(flow)->type) own(flow)->note_epochs(flow);
}

static void arm(uf_flow *flow, uint16_t task)
{
    own(flow)->arm(flow, task);
    guard(flow);
}

static void change_task(uf_flow *flow, uint16_t from, uint16_t to)
{
    own(flow)->change_task(flow, from, to);
    guard(flow);
}

static void leave_task(uf_flow *flow)
{
    own(flow)->leave_task(flow);
}

static uf_arm *leave_to_companion(uf_flow *flow)
{
    return own(flow)->leave_to_companion(flow);
}

static void disarm(uf_flow *flow)
{
    own(flow)->disarm(flow);
    guard(flow);
}

static void enqueue(uf_flow *flow, uf_arm *handler, uf_signal *signal, uint32_t since)
{
    own(flow)->enqueue(flow, handler, signal, since);
}

const struct uf_preempting uf_durable_preempting = {.note_epochs = note_epochs,
                                                    .arm = arm,
                                                    .change_task = change_task,
                                                    .leave_task = leave_task,
                                                    .leave_to_companion = leave_to_companion,
                                                    .disarm = disarm,
                                                    .check = check,
                                                    .take = take,
                                                    .enqueue = enqueue};

/* -- the end ------------------------------------------------------------------------------------------------------- */

void uf_durable_on_exit(uf_flow *flow, uf_outcome outcome)
{
    uf_durable const *const durable = ufi_durable(flow);

    if (!ufi_is_kept(flow) || !must_suspend(flow, outcome)) {
        if (durable->type->on_exit) durable->type->on_exit(flow, outcome);
    } else if (!(flow->flags & UFI_LEFT_BY_PARTS)) { /* otherwise its companions end first */
        suspend(flow, true);
    }
}

/* Another flow ends the run. If that is its owner, it is put with the next record of that. */
static void end_from_outside(uf_flow *flow, uf_outcome outcome)
{
    uf_durable *const durable = ufi_durable(flow);

    durable->outcome = (uint8_t)outcome;
    ufi_owed_drop(flow, true);
    durable->is_deferred = durable->owner != NULL;
    if (durable->is_deferred) {
        ufi_starts_pass(flow, durable->owner);
        return;
    }
    leave_step(flow);
    ufi_ends_free(flow, true);
    (void)ufi_store_put(flow, false, false);
}

/* The run ends now. If it was another flow that ended it, that is not kept yet. */
void uf_durable_on_end(uf_flow *flow, uf_outcome outcome)
{
    uf_durable *const durable = ufi_durable(flow);

    if (!ufi_is_kept(flow)) {
        if (durable->type->on_end) durable->type->on_end(flow, outcome);
        return;
    }
    ufi_store_leave(flow);
    ufi_starts_leave(flow);
    if (must_suspend(flow, outcome)) {
        ufi_starts_pass(flow, NULL);
        suspend(flow, false); /* unless `on exit` was due before */
        ufp_store(&durable->is_open, 0);
    } else if (!is_ending(durable)) {
        if (durable->type->on_end) durable->type->on_end(flow, outcome);
        end_from_outside(flow, outcome);
    } else if (outcome != (uf_outcome)durable->outcome) { /* by its owner, before its own end was kept */
        end_from_outside(flow, outcome);
    }
    if (!durable->is_suspended) ufi_owed_leave(flow);
    ufi_owed_end(flow);
    durable->outcome = UF_RUNNING;
    durable->run = flow->run;
    durable->ordinal = UFI_RUN_OVER;
    durable->is_held = durable->is_restoring = durable->is_lent = false;
    if (flow->rare_flags & UFI_MEMBER) ufi_index_remove(flow); /* its place may be free now */
}

static bool has_suspended(const uf_flow *flow)
{
    return ufi_is_kept(flow) && ufi_durable(flow)->is_suspended;
}

/* -- init and start ------------------------------------------------------------------------------------------------ */

static void detached(uf_flow *flow)
{
    ufi_starts_detach(flow);
    if (!ufi_is_durable(flow) || !ufi_durable(flow)->type) return; /* a member that was only reserved */
    ufi_owed_forget(flow);
    ufi_index_remove(flow);
}

static const struct ufi_store_hooks hooks = {.keeps = ufi_is_kept,
                                             .has_suspended = has_suspended,
                                             .detached = detached,
                                             .member_begun = ufi_index_add_parts,
                                             .begun = ufi_store_begun,
                                             .is_owed = ufi_owed_is,
                                             .due = ufi_store_due,
                                             .is_lost = ufi_owed_is_lost,
                                             .hold_end = ufi_ends_hold,
                                             .enter = enter,
                                             .group = ufi_keep_group,
                                             .keeping = ufi_keeping};

/* A flow with a `shutdown` task is new until its init ends; see stop.c. */
static uint32_t idle_state(const uf_flow_type *type)
{
    for (unsigned i = 0; type && i < type->task_count; i++) {
        if (type->tasks[i].kind == UF_TASK_SHUTDOWN) return UFI_STATE_NEW;
    }
    return UF_STATE_IDLE;
}

/* A flow inside a member is kept as that is. Members inside of members are as ones that are not durable. */
static uf_store *store_for(const uf_flow *flow)
{
    if (UF_USES_POOLS && flow->rare_flags & UFI_IN_MEMBER) {
        const uf_flow *const member = flow->pump->member_to_init; /* this is its init */
        return ufi_is_durable(member) ? ufi_durable(member)->store : NULL;
    }
    return flow->rare_flags & UFI_MEMBER && !ufi_pools_keep(flow) ? NULL : ufi_store(flow->pump);
}

uf_status uf_durable_init(uf_flow *flow, const uf_flow_type *type, const uf_durable_type *durable, uf_pump *pump,
                          const char *name)
{
    uf_status const status = ufi_attach(flow, type, pump, name, idle_state(type));
    if (status != UF_OK) return status;
    uf_store *const store = store_for(flow);
    bool is_full; /* a spawn was refused then */

    *ufi_durable(flow) =
        (uf_durable){.type = durable, .store = store, .outcome = UF_RUNNING, .is_open = !store, .since = -1};
    ufi_list_init(&ufi_durable(flow)->debts);
    ufi_list_init(&ufi_durable(flow)->begun);
    ufi_list_init(&ufi_durable(flow)->numbers);
    ufi_list_init(&ufi_durable(flow)->taken_ends);
    if (!store) return UF_OK;
    if (!ufi_store_hooks(pump)) ufp_store_pointer(&store->hooks, (void *)(uintptr_t)&hooks);
    if (flow->rare_flags & UFI_MEMBER && !store->is_restored && !store->is_restoring) return UF_BUSY;
    if (!(flow->rare_flags & UFI_IN_MEMBER) && !ufi_index_add(flow)) {
        (void)uf_flow_detach(flow);
        return UF_BUSY;
    }
    ufp_store(&ufi_durable(flow)->is_open, store->is_restored);
    guard(flow);
    if (flow->rare_flags & UFI_MEMBER) ufi_starts_note(flow, ufi_starts_by(flow, &is_full));
    return UF_OK;
}

/* On any thread, unlike the flag for it. */
static bool is_member(const uf_flow *flow)
{
    return UF_USES_POOLS && ufp_load(&flow->parent_offset) == UF_PARENT_IS_POOL;
}

/* May a run begin? A run that ends first says whether that is owed, and then that it is idle. */
static bool is_open(uf_flow *flow)
{
    if (is_member(flow)) return !ufi_pools_refuse(flow);
    if (!ufp_load_acquire(&ufi_durable(flow)->is_open)) return false;
    return ufp_load_acquire(&flow->state) & UF_STATE_IDLE && !ufi_owed_is(flow);
}

uf_status uf_durable_claim(uf_flow *flow)
{
    bool is_full;

    if (!flow || !flow->pump) return UF_INVALID;
    if (!is_open(flow)) return UF_BUSY;
    if (is_member(flow)) return uf_start_claim(flow); /* uf_durable_init() has noted who spawned it */
    uf_flow *const starter = ufi_starts_by(flow, &is_full);
    if (is_full) return UF_FULL;
    if (!starter) return uf_start_claim(flow);
    uf_flow const *const before = ufi_starts_let(flow->pump, flow);
    uf_status const status = uf_start_claim(flow);
    (void)ufi_starts_let(flow->pump, before);
    if (status == UF_OK) ufi_starts_note(flow, starter);
    return status;
}

uf_status uf_durable_call(const uf_call *call)
{
    if (!call->flow || !call->flow->pump || ufp_load(&ufi_durable(call->flow)->is_open)) return uf_call_make(call);
    if (call->info) ufi_join(call->info->reason, UF_REASON_SIZE, UFI_PARTS(uf_status_text(UF_BUSY)));
    return UF_BUSY;
}

bool uf_is_inside(const uf_flow *flow, const uf_inside *inside, uint16_t group)
{
    uint16_t place = inside->place;
    while (place && place != group + 1) place = ufi_place_around(flow, place);
    return place != 0;
}
