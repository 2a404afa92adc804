/* SPDX-License-Identifier: MIT */
/* turn.c - a flow's turn: one step, and the effects of its intent. */
#include "runs/runs.h"

#include "basics/clocks.h"

#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define INLINE __attribute__((always_inline)) inline /* clang needs this; otherwise each turn saves registers */
#else
#define INLINE
#endif

#if defined(__GNUC__)
#define LIKELY(condition) __builtin_expect((condition), 1) /* keeps the hot path of the loop contiguous */
#else
#define LIKELY(condition) (condition)
#endif

/* Flags that rule out the fast path of a park. */
#define NOT_JUST_PARK                                                                                                  \
    (UF_FLAG_POLLED | UFI_FAILING | UF_FLAG_POLLING | UFI_HAS_CHECKPOINT | UFI_CANCEL | UFI_PREEMPTED | UFI_WOKEN |    \
     UFI_OBSERVED)

/* -- transitions --------------------------------------------------------------------------------------------------- */

UF_NOINLINE static bool leave_task(uf_flow *flow, uf_outcome outcome)
{
    bool const well = outcome == UF_DONE || outcome == UF_BECAME;

    if (well && flow->flags & UFI_FAILING) return false; /* the step or the `on exit` of a subtask failed it */
    if (flow->flags & UFI_ENTERED) {
        ufi_flag_clear(flow, UFI_ENTERED);
        if (ufi_has_on_exit(flow)) flow->type->on_exit(flow, outcome);
    }
    if (flow->flags & UFI_HAS_JOBS) flow->pump->jobs->leave_task(flow);
    return !(flow->flags & UFI_FAILING);
}

bool uf_leave(uf_flow *flow, uf_outcome outcome)
{
    if (ufi_is_observed(flow->pump)) flow->pump->notify->leaves(flow); /* an observer may look at the arms */
    ufi_leave_await(flow);
    if (ufi_preempt_count(flow)) flow->type->preempting->leave_task(flow);
    if (!(flow->flags & (UFI_FAILING | UFI_HAS_JOBS)) && !ufi_has_on_exit(flow)) return true;
    return leave_task(flow, outcome);
}

uf_intent uf_done(uf_flow *flow)
{
    return uf_intent_of(uf_leave(flow, UF_DONE) ? UF_INTENT_DONE : UF_INTENT_STAY);
}

/* Publishes a step under the flow's seqlock. Each store after the mark is a release. So a reader that has loaded one of
 * the new values sees the mark, or the values of a later change. */
INLINE static void enter_step(const uf_pump *pump, uf_flow *flow, uint32_t state)
{
    ufi_begin_change(flow);
    ufp_store_release(&flow->state, state);
    if (UF_USES_TIMES) ufp_store_release(&flow->ordinal, flow->ordinal + 1);
    ufi_end_change(flow, pump->clock.logical);
}

void ufi_enter_step(uf_flow *flow, uint32_t state)
{
    enter_step(flow->pump, flow, state);
}

UF_NOINLINE static void change_step(uf_pump *pump, uf_flow *flow, uint32_t from, uint32_t to)
{
    pump->advanced = true;
    if (ufi_is_observed(pump)) {
        pump->notify->change_step(flow, from, to);
        return;
    }
    if (flow->flags & UFI_DESCRIBED) ufi_clear_description(flow);
    enter_step(pump, flow, to);
}

/* -- endings ------------------------------------------------------------------------------------------------------- */

static void call_on_end(uf_flow *flow, uf_outcome outcome)
{
    ufi_rare_flag_put(flow, UFI_ENDING, true);
    flow->type->on_end(flow, outcome);
    ufi_rare_flag_put(flow, UFI_ENDING, false);
}

/* The task was left: ends the run. The order is: `on end`, observers, the report of a failure that nobody waits for,
 * waiting flows, waiting threads, a shutdown. The state becomes idle last, since another thread may then start the
 * flow. */
UF_NOINLINE static void end_run(uf_flow *flow, uf_outcome outcome)
{
    uf_pump *const pump = flow->pump;

    if (ufi_pauses(pump)) pump->pauses->ends(flow);
    uint32_t const last_state = ufp_load(&flow->state);
    if (ufi_has_on_end(flow)) call_on_end(flow, outcome);
    if (UF_USES_PAUSES) ufi_flag_clear(flow, UFI_ENTERED | UFI_ENTERING); /* from now on it cannot be paused */
    if (ufi_is_observed(pump)) pump->notify->ended(flow, last_state, outcome);
    if (outcome == UF_FAILED && ufi_host(pump) && !ufi_is_run_by_another(flow)) ufi_host(pump)->failed(flow);
    ufi_make_parked(pump, flow);
    if (ufi_preempt_count(flow)) flow->type->preempting->disarm(flow);
    if (flow->flags & UFI_DESCRIBED) ufi_clear_description(flow);
    flow->flags = 0;
    ufi_rare_flag_put(flow, UFI_HAS_ITEM, false);
    ufp_store_byte_release(&flow->outcome, (uint8_t)outcome);
    if (UF_USES_COUNTS) ufp_store(&pump->running, pump->running - 1);
    pump->advanced = true;
    if (ufi_waiters(flow)) pump->subtasks->wake_waiters(flow, last_state);
    if (ufi_host(pump) && ufp_load(&pump->watched)) ufi_host(pump)->ended(flow, last_state | UF_STATE_IDLE);
    else ufp_store_release(&flow->state, last_state | UF_STATE_IDLE);
    if (ufi_stop(pump)) pump->stop->hooks->run_ended(flow, last_state, outcome);
    if (flow->rare_flags & UFI_MEMBER) ufi_pooling_of(flow)->ended(flow); /* last: it may be used again at once */
}

void ufi_cancel_now(uf_flow *flow)
{
    (void)uf_leave(flow, UF_CANCELLED);
    end_run(flow, UF_CANCELLED);
}

/* -- intents ------------------------------------------------------------------------------------------------------- */

static void notify_started(uf_flow *flow)
{
    ufi_flag_clear(flow, UFI_NEW);
    if (ufi_is_observed(flow->pump)) flow->pump->notify->started(flow);
}

void uf_enter_task(uf_flow *flow)
{
    bool const is_new = (flow->flags & UFI_NEW) != 0;
    uint32_t const paused = UFI_IF(PAUSES, UFI_STATE_PAUSED); /* a handler, or a cancel, ends it */
    uint32_t const step = ufp_load(&flow->state) & (UF_STATE_STEP | paused);

    ufi_flag_clear(flow, UFI_ENTERING);
    ufi_flag_set(flow, UFI_ENTERED);
    ufi_begin_change(flow);
    ufp_store_release(&flow->state, step);
    ufi_end_change(flow, flow->pump->clock.logical);
    if (is_new) notify_started(flow);
}

uf_intent uf_next_timed(uf_flow *flow, uint32_t step)
{
    (void)ufi_read_time(flow->pump); /* advances the pump's time, which the turn stores as the time of entry */
    return uf_next(flow, step);
}

uf_intent uf_entered_timed(uf_flow *flow)
{
    uf_time const now = ufi_read_time(flow->pump);

    ufi_begin_change(flow);
    ufi_end_change(flow, now);
    return uf_entered(flow);
}

static void fail_run(uf_flow *flow, uint32_t state, bool by_helper)
{
    ufp_store(&flow->state, state); /* drops the intent */
    if (by_helper && ufi_is_observed(flow->pump)) flow->pump->notify->step_failed(flow);
    (void)uf_leave(flow, UF_FAILED);
    end_run(flow, UF_FAILED);
}

static void become(uf_flow *flow, uint32_t from)
{
    uint32_t const to = ufp_load(&flow->state);

    ufi_flag_set(flow, UFI_ENTERING);
    if (ufi_preempt_count(flow))
        flow->type->preempting->change_task(flow, ufi_step_of(flow, from)->task, ufi_step_of(flow, to)->task);
}

static inline bool may_be_preempted(const uf_flow *flow)
{
    return (flow->rare_flags & UFI_GUARDED) != 0;
}

/* A fire before the turn preempts the flow, even if the pump has not processed it yet. */
static inline void check_preemption(uf_flow *flow)
{
    if (may_be_preempted(flow)) flow->type->preempting->check(flow);
}

/* Is a cancel or a preemption pending? The next turn takes it, after any intent of the body. */
static bool is_interrupted(const uf_flow *flow)
{
    return (flow->flags & (UFI_CANCEL | UFI_PREEMPTED)) != 0;
}

/* Begins the wait of an await. Returns: false if an arm may have become ready after the step tested it. */
static bool begin_wait(const uf_pump *pump, uf_flow *flow, uf_intent intent)
{
    ufi_flag_clear(flow, UF_FLAG_POLLED);
    if (uf_intent_is(intent, UF_INTENT_AGAIN)) return false;
    bool const held = !(flow->flags & UFI_HAS_CHECKPOINT) || pump->hold_at_checkpoints(flow);
    bool const woken = (flow->flags & (UFI_WOKEN | UFI_STAYING)) == UFI_WOKEN; /* only a timer ends a `stay` */
    return held && !woken && !is_interrupted(flow);
}

/* Carries out the intent of a turn that ran in `state`. `woken`: no body ran, but a wait was decided. Returns: true if
 * the next step or task runs in this turn too. */
UF_NOINLINE static bool apply_intent(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent, bool woken)
{
    uint32_t const to = intent.bits & UF_INTENT_STATE;
    uint32_t const kind = uf_intent_kind(intent);

    if (!woken) ufi_count_tick(flow);
    if (flow->flags & UFI_FAILING) {
        fail_run(flow, state, kind != UF_INTENT_FAIL);
        return false;
    }
    switch (kind) {
    case UF_INTENT_STAY:
        if (!UF_USES_POLLS) return false;
        ufi_leave_await(flow);
        if (is_interrupted(flow)) ufi_make_ready(pump, flow);
        else ufi_make_polling(pump, flow);
        ufi_flag_clear(flow, UFI_WOKEN | UFI_OBSERVED);
        return false;
    case UF_INTENT_POLL:
    case UF_INTENT_PARK:
        if (!begin_wait(pump, flow, intent)) ufi_make_ready(pump, flow);
        else if (UF_USES_POLLS && kind == UF_INTENT_POLL) ufi_make_polling(pump, flow);
        else ufi_make_parked(pump, flow);
        ufi_flag_clear(flow, UFI_WOKEN | UFI_OBSERVED);
        return false;
    case UF_INTENT_NEXT:
    case UF_INTENT_BECOME:
        ufi_leave_await(flow);
        ufi_flag_clear(flow, UFI_WOKEN | UFI_OBSERVED);
        if (kind == UF_INTENT_BECOME && ufi_stop(pump)) pump->stop->hooks->run_became(flow, state, to);
        change_step(pump, flow, state, kind == UF_INTENT_BECOME ? to | UF_ENTRY : to);
        if (kind == UF_INTENT_BECOME) become(flow, state);
        if (woken) return true;
        ufi_make_ready(pump, flow);
        return false;
    case UF_INTENT_DONE: end_run(flow, UF_DONE); return false;
    default: return false; /* UF_INTENT_FAIL sets UFI_FAILING */
    }
}

/* apply_intent() for a turn of body or arms. A cancel or a fire during the turn comes before the next step. The
 * `on exit` of a subtask that the await has left may cause it, and the same fire may have decided the await. */
static bool apply_unless_interrupted(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent)
{
    if (!apply_intent(pump, flow, state, intent, ufi_is_wait(state))) return false;
    if (flow->rare_flags & UFI_HAS_ITEM) { /* the step gets the item first; the cancel or signal remains pending */
        ufi_rare_flag_put(flow, UFI_HAS_ITEM, false);
        return true;
    }
    check_preemption(flow);
    if (!is_interrupted(flow)) return true;
    ufi_make_ready(pump, flow);
    return false;
}

/* -- turns: the general path --------------------------------------------------------------------------------------- */

static void run_steps(uf_pump *pump, uf_flow *flow)
{
    uint32_t state;
    uf_intent intent;

    do {
        uint32_t const entry = flow->flags & UFI_ENTERING ? UF_ENTRY : 0;
        if (entry) uf_enter_task(flow);
        if (flow->flags & UFI_STAYING) ufi_end_pause(flow);
        state = ufp_load(&flow->state);
        intent = ufi_is_observed(pump) ? pump->notify->turn(pump, flow, state | entry) : ufi_run(flow, state | entry);
    } while (apply_unless_interrupted(pump, flow, state, intent));
}

/* A handler decides like the arm of an await: its target runs in the same turn. Other handlers come after that step,
 * even if the `on exit` of a subtask has fired their signals meanwhile. Only a cancel comes before that step. */
UF_NOINLINE static void preempted_turn(uf_pump *pump, uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);
    bool const stands = ufi_is_paused(state);
    uf_intent intent;

    if (stands && !pump->pauses->take(flow, &intent)) return;
    if (stands || flow->type->preempting->take(flow, &intent)) {
        if (flow->flags & UFI_NEW) notify_started(flow);
        if (!apply_intent(pump, flow, ufi_step_state(state), intent, true)) return;
        if (flow->flags & UFI_CANCEL) {
            ufi_make_ready(pump, flow);
            return;
        }
    }
    run_steps(pump, flow);
}

static void general_turn(uf_pump *pump, uf_flow *flow)
{
    if (flow->flags & UFI_CANCEL) {
        ufi_enter_member(flow);
        ufi_cancel_now(flow);
    } else if (flow->flags & UFI_PREEMPTED) preempted_turn(pump, flow);
    else run_steps(pump, flow);
}

/* Without fast paths, it has no caller. The compiler then sees that apply_unless_interrupted() has one caller,
 * run_steps(), and saves its frame. */
UF_NOINLINE void ufi_finish_turn(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent)
{
    if (UFI_FAST_PATHS && apply_unless_interrupted(pump, flow, state, intent)) run_steps(pump, flow);
}

/* The successor of a flow after its turn. */
static uf_link *walk_on(uf_pump *pump, const uf_link *link)
{
    uf_link *const next = pump->walk_next ? pump->walk_next : link->next;
    pump->walk_next = NULL;
    return next;
}

/* -- turns: the fast path ------------------------------------------------------------------------------------------ */

/* Does a decided wait only lead to a step? The subtasks that the await has left may have cancelled the flow. */
static inline bool just_goes_on(uf_flow *flow, uint32_t state, uf_intent intent)
{
    if (!ufi_is_next(intent) || !ufi_is_wait(state)) return false;
    ufi_leave_await(flow);
    return !(flow->flags & (UFI_NOT_JUST_NEXT | UFI_CANCEL)) && !may_be_preempted(flow);
}

static inline bool just_parks(const uf_flow *flow, uint32_t state, uf_intent intent)
{
    return intent.bits == UF_INTENT_PARK && !(flow->flags & NOT_JUST_PARK) && !ufi_is_wait(state);
}

/* Enters the task, if nothing else rules out the fast path. Otherwise takes the general path, and returns false. */
UF_NOINLINE static bool is_fast_after_entry(uf_pump *pump, uf_flow *flow)
{
    bool const fast = (flow->flags & UFI_NOT_JUST_BODY) == UFI_ENTERING;

    if (fast) uf_enter_task(flow);
    else general_turn(pump, flow);
    return fast;
}

/* Fast path of a turn without observers: a `next`, a park, or a decided wait followed by one of these. It calls only
 * the body. A transition takes a quarter of the instructions of the general path, and a wait for a signal half. The end
 * of a task skips the steps between. All other turns take the general path.
 * Returns: true, and `*link` is the next flow; false if the turn took the general path. */
INLINE static bool fast_turn(uf_pump *pump, uf_link **link)
{
    uf_flow *const flow = ufi_flow_of(*link);

    ufp_store_pointer(&pump->current, flow);
    check_preemption(flow);
    bool const other = (flow->flags & UFI_NOT_JUST_BODY) != 0;
    if (other && !is_fast_after_entry(pump, flow)) return false;
    uint32_t state = ufp_load(&flow->state);
    uf_intent intent = other ? ufi_run(flow, state | UF_ENTRY) : flow->type->turn(flow, state);
    if (LIKELY(ufi_is_next(intent) && !(flow->flags & UFI_NOT_JUST_NEXT))) {
        enter_step(pump, flow, intent.bits);
        pump->advanced = true;
        *link = flow->link.next;
        return true;
    }
    if (just_goes_on(flow, state, intent)) {
        state = intent.bits;
        ufi_rare_flag_put(flow, UFI_HAS_ITEM, false);
        pump->advanced = true;
        enter_step(pump, flow, state);
        intent = flow->type->turn(flow, state);
    }
    if (just_parks(flow, state, intent)) {
        ufi_count_tick(flow);
        *link = flow->link.next;
        ufi_list_remove(&flow->link);
        ufi_list_init(&flow->link);
        return true;
    }
    if (intent.bits == UF_INTENT_DONE && !(flow->flags & (UFI_FAILING | UFI_OBSERVED))) end_run(flow, UF_DONE);
    else ufi_finish_turn(pump, flow, state, intent);
    return false;
}

static uf_link *turn(uf_pump *pump, uf_link *link)
{
    uf_flow *const flow = ufi_flow_of(link);
    ufp_store_pointer(&pump->current, flow);
    check_preemption(flow);
    bool const ran = UFI_FAST_PATHS && ufi_is_observed(pump) && pump->notify->try_turn(pump, flow);
    if (!ran) general_turn(pump, flow);
    return walk_on(pump, link);
}

void ufi_run_ready(uf_pump *pump)
{
    uf_link *link = pump->ready.next;

    pump->walking_ready = true;
    while (UFI_FAST_PATHS && link != &pump->ready && !ufi_is_observed(pump)) {
        do {
            if (!fast_turn(pump, &link)) {
                link = walk_on(pump, link);
                break; /* the turn may have added an observer */
            }
        } while (link != &pump->ready);
    }
    while (link != &pump->ready) link = turn(pump, link);
    pump->walking_ready = false;
}

/* The rounds of ufi_run_lone(). Each turn of a loop without observers takes a third of the instructions. */
static void run_lone_rounds(uf_pump *pump, uf_flow *flow)
{
    do {
        uint32_t const state = ufp_load(&flow->state);
        pump->round++;
        uf_intent const intent = flow->type->turn(flow, state);
        if (!ufi_is_next(intent) || flow->flags & UFI_NOT_LONE) {
            pump->advanced = false;
            ufi_finish_turn(pump, flow, state, intent);
            return;
        }
        enter_step(pump, flow, intent.bits);
    } while (--pump->lone_rounds && !ufi_has_news(pump));
}

/* Fast path of simulated time: rounds of one flow without the list and without the checks between rounds. All other
 * effects of a step show in the flow's flags, in `lone_rounds` (it made a flow ready), or in the inbox. */
void ufi_run_lone(uf_pump *pump, uint32_t at_most)
{
    uf_flow *const flow = ufi_flow_of(pump->ready.next);

    if (!UFI_FAST_PATHS || flow->flags & UFI_NOT_LONE || may_be_preempted(flow)) return;
    pump->lone_rounds = at_most;
    pump->advanced = pump->walking_ready = true;
    ufp_store_pointer(&pump->current, flow);
    if (ufi_is_observed(pump)) pump->notify->run_lone_rounds(pump, flow);
    else run_lone_rounds(pump, flow);
    pump->walk_next = NULL;
    pump->walking_ready = false;
}

void ufi_run_polling(uf_pump *pump)
{
    for (uf_link *link = pump->polling.next; link != &pump->polling; link = turn(pump, link)) {
        if (!ufi_polls_in_this_round(pump, ufi_flow_of(link))) break; /* the rest ran as ready flows in this round */
    }
}
