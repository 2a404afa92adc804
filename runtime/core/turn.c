/* turn.c - a flow's turn: one step, and what comes of its intent. */
#include "stopping.h"
#include "work.h"

#if !defined(__GNUC__)
#define INLINE inline
#elif !defined(__OPTIMIZE_SIZE__)
#define INLINE __attribute__((always_inline)) inline /* clang would not, and then each turn saves registers */
#else
#define INLINE __attribute__((noinline)) /* one for all who call it */
#endif

/* What the code of a loop is laid out for. */
#if defined(__GNUC__)
#define LIKELY(condition) __builtin_expect((condition), 1)
#else
#define LIKELY(condition) (condition)
#endif

/* With any of these the way of a `next` is not the short one. */
#define EXCEPTIONAL (UF_FLAG_ARMED | UF_FLAG_POLLED | UFI_FAILING | UFI_DESCRIBED | UFI_POLLING | UFI_WOKEN | UFI_SEEN)

/* With any of these there is more to a park than to stand aside. */
#define NOT_ASIDE                                                                                                      \
    (UF_FLAG_POLLED | UFI_FAILING | UFI_POLLING | UFI_STOPS | UFI_CANCEL | UFI_PREEMPTED | UFI_WOKEN | UFI_SEEN)

/* With any of these it is not the body that runs, or not it alone. */
#define OTHERWISE (UFI_CANCEL | UFI_ENTERING | UFI_STAYING | UFI_PREEMPTED)

/* -- where a flow stands ------------------------------------------------------------------------------------------- */

static void take_off(uf_pump *pump, uf_flow *flow)
{
    if (ufi_place(pump) == &flow->link) pump->next = flow->link.next;
    ufi_list_remove(&flow->link);
    ufi_flag_clear(flow, UFI_POLLING | UFI_ODD_ROUND);
}

/* Before a link of the ready list; one that is ready already keeps its place. */
INLINE static void put_on_ready(uf_pump *pump, uf_flow *flow, uf_link *before)
{
    if (flow->flags & UFI_POLLING) take_off(pump, flow);
    else if (!ufi_list_empty(&flow->link)) return;
    ufi_list_insert(before, &flow->link);
}

/* Behind all that are. */
static void make_ready(uf_pump *pump, uf_flow *flow)
{
    put_on_ready(pump, flow, ufi_behind_ready(pump));
}

/* Behind all that poll; one that does already keeps its place, and has been polled in this round. */
static void make_polling(uf_pump *pump, uf_flow *flow)
{
    if (!(flow->flags & UFI_POLLING)) {
        take_off(pump, flow);
        ufi_list_insert(&pump->polling, &flow->link);
    }
    ufi_flag_clear(flow, UFI_ODD_ROUND);
    ufi_flag_set(flow, UFI_POLLING | (pump->round & 1 ? UFI_ODD_ROUND : 0));
}

static void make_parked(uf_pump *pump, uf_flow *flow)
{
    take_off(pump, flow);
    ufi_list_init(&flow->link);
}

/* The same of a flow that is ready, at the end of its turn. Returns what came behind it. */
static inline uf_link *stand_aside(uf_flow *flow)
{
    uf_link *const next = flow->link.next;

    ufi_list_remove(&flow->link);
    ufi_list_init(&flow->link);
    return next;
}

/* It polls, and its turn in this round is still to come. */
static bool will_poll(const uf_pump *pump, const uf_flow *flow)
{
    bool const odd = (flow->flags & UFI_ODD_ROUND) != 0;
    return flow->flags & UFI_POLLING && odd != (pump->round & 1);
}

void ufi_wake(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;

    if (!pump->in_round) {
        pump->advanced = false; /* something has come from outside: no interval is waited out */
    } else if (flow == pump->current) {
        ufi_flag_set(flow, UFI_WOKEN); /* its turn is not over, and puts the flow where it belongs */
        return;
    } else if (will_poll(pump, flow)) {
        return; /* its turn is to come anyway */
    }
    make_ready(pump, flow);
}

void ufi_wake_due(uf_pump *pump)
{
    uf_time const now = pump->clock.logical;

    for (const uf_arm *arm; (arm = ufi_wheel_pop(&pump->wheel, now)) != NULL;) {
        put_on_ready(pump, arm->owner, &pump->ready); /* through which nobody walks yet */
    }
}

/* -- endings and transitions --------------------------------------------------------------------------------------- */

UF_NOINLINE static bool leave(uf_flow *flow, uf_outcome outcome)
{
    bool const well = outcome == UF_DONE || outcome == UF_BECAME;

    if (well && flow->flags & UFI_FAILING) return false; /* it was before, or a child's `on exit` said so */
    if (flow->flags & UFI_ENTERED) {
        ufi_flag_clear(flow, UFI_ENTERED);
        if (flow->type->on_exit) flow->type->on_exit(flow, outcome);
    }
    if (flow->flags & UFI_JOBS) flow->pump->jobs->abandon(flow);
    return !(flow->flags & UFI_FAILING);
}

bool uf_leave(uf_flow *flow, uf_outcome outcome)
{
    if (flow->flags & UF_FLAG_ARMED) uf_disarm_all(flow);
    if (UFI_FAST_PATHS && !(flow->flags & (UFI_FAILING | UFI_JOBS)) && !flow->type->on_exit) return true;
    return leave(flow, outcome);
}

uf_intent uf_done(uf_flow *flow)
{
    return uf_intent_of(uf_leave(flow, UF_DONE) ? UF_INTENT_DONE : UF_INTENT_STAY);
}

/* What observers are told of the step that is left, before anything of it is overwritten. */
static uf_step_change change_from(const uf_flow *flow, uint32_t from)
{
    return (uf_step_change){
        .task = ufi_task_name(flow, from),
        .from = ufi_step_of(flow, from)->name,
        .to = "",
        .to_task = "",
        .description = uf_flow_description(flow),
        .ordinal = flow->ordinal,
        .elapsed = ufi_time_sub(ufi_read_time(flow->pump), flow->entered),
        .ticks = flow->ticks,
    };
}

/* What other threads may see is stored in an order in which they can tell whether it was whole: each store that follows the
 * mark is a release, so who has read any of them sees the mark when he looks for it after that, or what came later. */
INLINE static void enter_step(const uf_pump *pump, uf_flow *flow, uint32_t state)
{
    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_release(&flow->state, state);
    ufp_store_time_release(&flow->entered, pump->clock.logical);
    ufp_store_release(&flow->ordinal, flow->ordinal + 1);
    ufp_store_release(&flow->ticks, 0);
}

/* The body has run. They are not counted any further than that. */
static inline void count_tick(uf_flow *flow)
{
    uint32_t const ticks = flow->ticks + 1;
    if (!(ticks & UFI_CHANGING)) ufp_store(&flow->ticks, ticks);
}

UF_NOINLINE static void change_step_seen(uf_pump *pump, uf_flow *flow, uint32_t from, uint32_t to)
{
    char description[UF_DESCRIPTION_SIZE];
    uf_step_change change = change_from(flow, from);

    change.description = ufi_keep_description(flow, description);
    change.to = ufi_step_of(flow, to)->name;
    change.to_task = ufi_task_name(flow, to);
    if (flow->flags & UFI_DESCRIBED) ufi_clear_description(flow); /* it is not the next step's for a moment */
    enter_step(pump, flow, to);
    flow->pump->tell->step_changed(flow, &change);
}

static void change_step(uf_pump *pump, uf_flow *flow, uint32_t from, uint32_t to)
{
    pump->advanced = true;
    if (pump->observers) {
        change_step_seen(pump, flow, from, to);
        return;
    }
    if (flow->flags & UFI_DESCRIBED) ufi_clear_description(flow);
    enter_step(pump, flow, to);
}

UF_NOINLINE static void tell_ended(uf_flow *flow, uint32_t last_state, uf_outcome outcome)
{
    uf_step_change change = change_from(flow, last_state);

    if (flow->flags & UFI_NEW) flow->pump->tell->started(flow);
    flow->pump->tell->step_changed(flow, &change);
    flow->pump->tell->ended(flow, outcome);
}

/* A run whose end concerns nobody but its flow, which is ready, and whose turn this is. */
static inline bool ends_alone(const uf_pump *pump, const uf_flow *flow)
{
    uintptr_t const others = (uintptr_t)pump->observers | (uintptr_t)pump->stop | (uintptr_t)flow->waiters |
                             ufp_load(&pump->watched) | flow->type->preempt_count;
    return !(flow->flags & (UFI_FAILING | UFI_DESCRIBED | UFI_POLLING)) && !others;
}

static inline void end_alone(uf_pump *pump, uf_flow *flow)
{
    pump->next = stand_aside(flow);
    flow->flags = 0;
    ufp_store_byte_release(&flow->outcome, UF_DONE);
    ufp_store(&pump->running, pump->running - 1);
    pump->advanced = true;
    ufp_store_release(&flow->state, ufp_load(&flow->state) | UF_STATE_IDLE);
}

/* The task was left: the run is over. To be idle is the last thing that happens. */
UF_NOINLINE static void end(uf_flow *flow, uf_outcome outcome)
{
    uf_pump *const pump = flow->pump;
    uint32_t const last_state = ufp_load(&flow->state);

    if (pump->observers) tell_ended(flow, last_state, outcome);
    make_parked(pump, flow);
    if (flow->type->preempt_count) flow->type->preempting->drop(flow);
    if (flow->flags & UFI_DESCRIBED) ufi_clear_description(flow);
    flow->flags = 0;
    ufp_store_byte_release(&flow->outcome, (uint8_t)outcome);
    ufp_store(&pump->running, pump->running - 1);
    pump->advanced = true;
    if (flow->waiters) ufi_wake_waiters(flow, last_state);
    if (pump->host && ufp_load(&pump->watched)) pump->host->ended(flow, last_state | UF_STATE_IDLE);
    else ufp_store_release(&flow->state, last_state | UF_STATE_IDLE);
    if (pump->stop) pump->stop->does->ended(flow, last_state, outcome);
}

void ufi_cancel_now(uf_flow *flow)
{
    uf_leave(flow, UF_CANCELLED);
    end(flow, UF_CANCELLED);
}

/* -- the turn ------------------------------------------------------------------------------------------------------ */

static void tell_started(uf_flow *flow)
{
    ufi_flag_clear(flow, UFI_NEW);
    if (flow->pump->observers) flow->pump->tell->started(flow);
}

/* True: observers have to be told that the run has started. */
static inline bool begin_task(const uf_pump *pump, uf_flow *flow)
{
    unsigned const flags = flow->flags;

    flow->flags = (uint16_t)((flags & ~(unsigned)(UFI_ENTERING | UFI_NEW)) | UFI_ENTERED);
    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_time_release(&flow->entered, pump->clock.logical);
    ufp_store_release(&flow->ticks, 0);
    return flags & UFI_NEW && pump->observers;
}

static void enter_task(uf_flow *flow)
{
    if (begin_task(flow->pump, flow)) flow->pump->tell->started(flow);
}

void uf_enter_task(uf_flow *flow)
{
    enter_task(flow);
}

uf_intent uf_next_timed(uf_flow *flow, uint32_t state)
{
    (void)ufi_read_time(flow->pump); /* which the turn stores as the time of entry */
    return uf_next(flow, state);
}

void uf_enter_timed(uf_flow *flow, uint32_t state)
{
    uf_time const now = ufi_read_time(flow->pump);

    ufp_store(&flow->ticks, UFI_CHANGING);
    ufp_store_time_release(&flow->entered, now);
    ufp_store_release(&flow->state, state);
    ufp_store_release(&flow->ticks, 0);
}

static void fail(uf_flow *flow, uint32_t state, bool by_helper)
{
    ufp_store(&flow->state, state); /* nothing of the intent takes place */
    if (by_helper && flow->pump->observers) flow->pump->tell->step_failed(flow);
    uf_leave(flow, UF_FAILED);
    end(flow, UF_FAILED);
}

static void become(uf_flow *flow, uint32_t from)
{
    uint32_t const to = ufp_load(&flow->state);

    ufi_flag_set(flow, UFI_ENTERING);
    if (flow->pump->stop) flow->pump->stop->does->became(flow, from, to);
    if (flow->type->preempt_count)
        flow->type->preempting->change(flow, ufi_step_of(flow, from)->task, ufi_step_of(flow, to)->task);
}

/* What pre-empts the flow counts if its signal fired before the turn, though the message about it is still to come. */
static inline void check_preemption(uf_flow *flow)
{
    if (flow->type->preempt_count) flow->type->preempting->check(flow);
}

/* A cancel or a pre-emption is pending: the next round takes it, whatever the body ended with. */
static bool is_interrupted(const uf_flow *flow)
{
    return (flow->flags & (UFI_CANCEL | UFI_PREEMPTED)) != 0;
}

/* False: something that this await waits for has come in this very turn, after it was looked at. */
static bool waits(const uf_pump *pump, uf_flow *flow)
{
    ufi_flag_clear(flow, UF_FLAG_POLLED);
    bool const stands = !(flow->flags & UFI_STOPS) || pump->stand(flow);
    bool const woken = (flow->flags & (UFI_WOKEN | UFI_STAYING)) == UFI_WOKEN; /* only time ends a pause */
    return stands && !woken && !is_interrupted(flow);
}

/* What becomes of the flow after it ran in `state`. True: what it goes on to runs in this turn too. */
UF_NOINLINE static bool settle(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent)
{
    bool const woken = (intent.bits & UF_INTENT_WOKEN) != 0;
    uint32_t const to = intent.bits & UF_INTENT_STATE;
    uint32_t const kind = uf_intent_kind(intent);

    if (!woken) count_tick(flow);
    if (flow->flags & UFI_FAILING) {
        fail(flow, state, kind != UF_INTENT_FAIL);
        return false;
    }
    switch (kind) {
    case UF_INTENT_STAY:
        if (flow->flags & UF_FLAG_ARMED) uf_disarm_all(flow);
        if (is_interrupted(flow)) make_ready(pump, flow);
        else make_polling(pump, flow);
        ufi_flag_clear(flow, UFI_WOKEN);
        return false;
    case UF_INTENT_POLL:
        if (!waits(pump, flow)) make_ready(pump, flow);
        else make_polling(pump, flow);
        ufi_flag_clear(flow, UFI_WOKEN);
        return false;
    case UF_INTENT_PARK:
        if (!waits(pump, flow)) make_ready(pump, flow);
        else make_parked(pump, flow);
        ufi_flag_clear(flow, UFI_WOKEN | UFI_SEEN);
        return false;
    case UF_INTENT_NEXT:
    case UF_INTENT_BECOME:
        if (flow->flags & UF_FLAG_ARMED) uf_disarm_all(flow);
        ufi_flag_clear(flow, UFI_WOKEN | UFI_SEEN);
        change_step(pump, flow, state, to);
        if (kind == UF_INTENT_BECOME) become(flow, state);
        if (woken) return true;
        make_ready(pump, flow);
        return false;
    case UF_INTENT_DONE: end(flow, UF_DONE); return false;
    default: return false; /* UF_INTENT_FAIL came with UFI_FAILING */
    }
}

/* settle(), for a turn of arms or body. The step that a decided wait leads to runs in the same turn, unless a signal has
 * fired since the turn began that pre-empts the flow: it may be the very fire that has decided the wait. */
static bool settle_wait(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent)
{
    if (!settle(pump, flow, state, intent)) return false;
    check_preemption(flow);
    if (!(flow->flags & UFI_PREEMPTED)) return true;
    make_ready(pump, flow);
    return false;
}

/* A turn, or what is left of it, with everything that may belong to one; a cancel waits for the next. */
UF_NOINLINE static void whole_turn(uf_pump *pump, uf_flow *flow)
{
    uint32_t state;
    uf_intent intent;

    do {
        if (flow->flags & UFI_ENTERING) enter_task(flow);
        if (flow->flags & UFI_STAYING) ufi_end_pause(flow);
        state = ufp_load(&flow->state);
        intent =
            pump->observers && pump->config.monotonic ? pump->tell->timed_turn(pump, flow) : flow->type->turn(flow);
    } while (settle_wait(pump, flow, state, intent));
}

/* A pre-emption is decided as a parked await is: what it leads to runs in this turn. */
static void preempted_turn(uf_pump *pump, uf_flow *flow)
{
    uint32_t const state = ufp_load(&flow->state);
    uf_intent intent;

    if (flow->type->preempting->take(flow, &intent)) {
        if (flow->flags & UFI_NEW) tell_started(flow);
        if (!settle(pump, flow, state, uf_woken(intent))) return;
    }
    whole_turn(pump, flow);
}

static inline bool is_next(uf_intent intent)
{
    return intent.bits <= UF_INTENT_STATE;
}

/* After a wait that is over. */
static inline bool is_woken_next(uf_intent intent)
{
    return (intent.bits & ~UF_INTENT_STATE) == UF_INTENT_WOKEN;
}

static inline bool is_done(uf_intent intent)
{
    return uf_intent_kind(intent) == UF_INTENT_DONE;
}

/* A wait is over, and nothing else is to be seen to: the step that it leads to runs at once. */
static inline bool goes_on(const uf_flow *flow, uf_intent intent)
{
    return UFI_FAST_PATHS && is_woken_next(intent) && !(flow->flags & EXCEPTIONAL) && !flow->type->preempt_count;
}

static inline uf_intent go_on(uf_pump *pump, uf_flow *flow, uint32_t state)
{
    pump->advanced = true;
    enter_step(pump, flow, state);
    return flow->type->turn(flow);
}

/* A step waits, and there is nothing else to it: the flow stands aside. */
static inline bool parks(const uf_flow *flow, uf_intent intent)
{
    return UFI_FAST_PATHS && intent.bits == UF_INTENT_PARK && !(flow->flags & NOT_ASIDE);
}

UF_NOINLINE static void finish(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent)
{
    if (settle_wait(pump, flow, state, intent)) whole_turn(pump, flow);
}

/* What is left of a turn. That of a step that waits, and of one that is done, is short as well, and calls nothing. */
UF_NOINLINE static void long_way(uf_pump *pump, uf_flow *flow, uint32_t state, uf_intent intent)
{
    if (parks(flow, intent)) {
        count_tick(flow);
        pump->next = stand_aside(flow);
    } else if (UFI_FAST_PATHS && is_done(intent) && ends_alone(pump, flow)) {
        end_alone(pump, flow);
    } else {
        finish(pump, flow, state, intent);
    }
}

/* The first turn in a task, and nobody looks on. */
UF_NOINLINE static void enter(uf_pump *pump, uf_flow *flow)
{
    (void)begin_task(pump, flow);
    uint32_t const state = ufp_load(&flow->state);
    long_way(pump, flow, state, flow->type->turn(flow));
}

UF_NOINLINE static void any_turn(uf_pump *pump, uf_flow *flow)
{
    if (flow->flags & UFI_CANCEL) ufi_cancel_now(flow);
    else if (flow->flags & UFI_PREEMPTED) preempted_turn(pump, flow);
    else whole_turn(pump, flow);
}

/* A turn that is none of a body, or not of that alone, or that somebody looks at. */
UF_NOINLINE static void other_turn(uf_pump *pump, uf_flow *flow)
{
    if (UFI_FAST_PATHS && (flow->flags & OTHERWISE) == UFI_ENTERING && !pump->observers) enter(pump, flow);
    else any_turn(pump, flow);
}

/* The link behind that of the flow whose turn is over. */
static uf_link *walk_on(uf_pump *pump, const uf_link *link)
{
    uf_link *const next = pump->next ? pump->next : link->next;
    pump->next = NULL;
    return next;
}

/* While nobody looks on. Most turns are short: a body, and then a `next`, which leaves the flow, that is ready, where it is,
 * or a wait. False: it was another one. */
INLINE static bool unseen_turn(uf_pump *pump, uf_link **link)
{
    uf_flow *const flow = ufi_flow_of(*link);

    ufp_store_pointer(&pump->current, flow);
    check_preemption(flow);
    if (flow->flags & OTHERWISE) {
        other_turn(pump, flow);
        return false;
    }
    uint32_t state = ufp_load(&flow->state);
    uf_intent intent = flow->type->turn(flow);
    if (LIKELY(is_next(intent) && !(flow->flags & EXCEPTIONAL))) {
        enter_step(pump, flow, intent.bits);
        pump->advanced = true;
        *link = flow->link.next;
        return true;
    }
    if (goes_on(flow, intent)) intent = go_on(pump, flow, state = intent.bits & UF_INTENT_STATE);
    if (parks(flow, intent)) {
        count_tick(flow);
        *link = stand_aside(flow);
        return true;
    }
    long_way(pump, flow, state, intent);
    return false;
}

/* Whoever looks on or not. */
static uf_link *turn(uf_pump *pump, uf_link *link)
{
    uf_flow *const flow = ufi_flow_of(link);
    ufp_store_pointer(&pump->current, flow);
    check_preemption(flow);
    other_turn(pump, flow);
    return walk_on(pump, link);
}

void ufi_run_ready(uf_pump *pump)
{
    uf_link *link = pump->ready.next;

    pump->walks_ready = true;
    while (link != &pump->ready && !pump->observers) {
        do {
            if (!unseen_turn(pump, &link)) {
                link = walk_on(pump, link);
                break;
            }
        } while (link != &pump->ready);
    }
    while (link != &pump->ready) link = turn(pump, link);
    pump->walks_ready = false;
}

/* What a step does beside its `next` shows in the flags; in `alone`, if it makes another flow ready; or in the inbox. */
void ufi_run_alone(uf_pump *pump, uint32_t at_most)
{
    uf_flow *const flow = ufi_flow_of(pump->ready.next);
    uf_intent (*const run)(uf_flow *) = flow->type->turn;
    unsigned const other = EXCEPTIONAL | OTHERWISE | UFI_JOBS;
    bool goes_on;

    if (flow->flags & other || flow->type->preempt_count) return;
    pump->alone = at_most;
    pump->advanced = false;
    pump->walks_ready = true;
    ufp_store_pointer(&pump->current, flow);
    do {
        pump->round++;
        uint32_t const state = ufp_load(&flow->state);
        uf_intent const intent = run(flow);
        goes_on = is_next(intent) && !(flow->flags & other);
        if (goes_on) enter_step(pump, flow, intent.bits);
        else long_way(pump, flow, state, intent);
    } while (goes_on && --pump->alone && !ufp_load_pointer(&pump->inbox));
    if (goes_on) pump->advanced = true;
    pump->next = NULL;
    pump->walks_ready = false;
}

void ufi_run_polling(uf_pump *pump)
{
    for (uf_link *link = pump->polling.next; link != &pump->polling; link = turn(pump, link)) {
        if (!will_poll(pump, ufi_flow_of(link))) break; /* from here on they ran as ready ones in this round */
    }
}
