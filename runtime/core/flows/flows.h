/* SPDX-License-Identifier: MIT */
/* flows.h - flags, state words and descriptors of a flow. */
#ifndef UFLOW_FLOWS_H
#define UFLOW_FLOWS_H

#include "flows/hooks.h"
#include "port.h"
#include "uflow/store.h"

/* With -Os, use only the general path. */
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define UFI_FAST_PATHS true
#else
#define UFI_FAST_PATHS false
#endif

/* Shorter than a call, which gcc would make with -Os. */
#if defined(__GNUC__)
#define UFI_INLINE __attribute__((__always_inline__))
#else
#define UFI_INLINE
#endif

/* Cold: compiled for size, although the file is compiled for speed. */
#if defined(__GNUC__)
#define UFI_COLD __attribute__((__cold__))
#else
#define UFI_COLD
#endif

/* A bit, if core has one of these features; see features.h. */
#define UFI_IF(feature, bit)               UF_IF(UF_USES_##feature, bit)
#define UFI_IF_EITHER(feature, other, bit) UF_IF(UF_USES_##feature || UF_USES_##other, bit)

/* uf_flow.flags. Public headers have UF_FLAG_ARMED (bit 0), UF_FLAG_POLLED (bit 1) and UF_FLAG_POLLING (bit 10). */
enum {
    UFI_STAYING = UFI_IF(STAYS, 1 << 2), /* the flow stays: its arms are the timers of that, up to its next turn */
    UFI_REFUSED = UFI_IF(RUNS, 1 << 3),  /* a run of this await did not start */
    UFI_CANCEL = UFI_IF(CANCEL, 1 << 4), /* the next turn cancels the run */
    UFI_NEW = UFI_IF_EITHER(OBSERVERS, POOLS, 1 << 5),    /* started; observers have not been notified */
    UFI_ENTERING = 1 << 6,                                /* the next turn enters a task */
    UFI_ENTERED = UFI_IF_EITHER(ON_EXIT, PAUSES, 1 << 7), /* the task was entered: its `on exit` is due */
    UFI_FAILING = 1 << 8,                                 /* a reason is stored; the turn leaves the task */
    UFI_DESCRIBED = UFI_IF(DESCRIPTIONS, 1 << 9),         /* the description is not empty */
    UFI_OBSERVED = UFI_IF(OBSERVERS, 1 << 11),            /* an observer was added in this turn: no fast path */
    UFI_PREEMPTED = UFI_IF(HANDLERS, 1 << 12),            /* a signal that preempts the flow has fired */
    UFI_HAS_CHECKPOINT = UFI_IF(CHECKPOINTS, 1 << 13),    /* an arm of this await is a checkpoint */
    UFI_HAS_JOBS = UFI_IF(JOBS, 1 << 14),                 /* the current task has submitted jobs */
    UFI_WOKEN = 1 << 15 /* woken in its own turn: it evaluates its arms again before it parks */
};

/* The flags of a wait: they are cleared when the wait ends. */
#define UFI_WAIT_FLAGS (UF_FLAG_ARMED | UF_FLAG_POLLED | UFI_STAYING | UFI_REFUSED | UFI_HAS_CHECKPOINT)

/* While a run ends, it has no wait: it is left up to the next group with companions that run, see end_subtask(). */
#define UFI_LEFT_BY_PARTS UFI_REFUSED

/* uf_flow.rare_flags: no fast path tests them, except the two that a preemption needs. */
enum {
    UFI_ABORT_ON_FAILURE = 1 << 0,          /* the policy UF_FAIL_ABORT */
    UFI_SHUT_DOWN = UFI_IF(STOP, 1 << 1),   /* this stop has started the `shutdown` task */
    UFI_POLLED_ODD = UFI_IF(POLLS, 1 << 2), /* last enqueued for polling in a round with an odd number */
    UFI_ENDING = UFI_IF(ON_END, 1 << 3),    /* `on end` is running */
    /* An arm of this turn receives an item: its step comes before interruptions. */
    UFI_HAS_ITEM = UF_IF(UF_USES_MAILBOXES || UF_USES_JOBS || UF_USES_POOLS, 1 << 4),
    UFI_MEMBER = UFI_IF(POOLS, 1 << 5),    /* a member of a pool */
    UFI_IN_MEMBER = UFI_IF(POOLS, 1 << 6), /* a flow inside a member */
    /* Handlers or companions of the current task are armed: they may preempt the flow. */
    UFI_GUARDED = UFI_IF(HANDLERS, 1 << 7)
};

static inline void ufi_flag_set(uf_flow *flow, unsigned flags)
{
    flow->flags = (uint16_t)(flow->flags | flags);
}
static inline void ufi_flag_clear(uf_flow *flow, unsigned flags)
{
    flow->flags = (uint16_t)(flow->flags & ~flags);
}
static inline void ufi_rare_flag_put(uf_flow *flow, unsigned flag, bool on)
{
    flow->rare_flags = (uint8_t)((flow->rare_flags & ~flag) | (on ? flag : 0u));
}

/* False where only interrupt handlers run beside the pump. */
#if defined(UFP_BARE) || !__STDC_HOSTED__
#define UFI_MANY_THREADS false
#else
#define UFI_MANY_THREADS true
#endif

/* Can a host drive a pump? */
#define UFI_HAS_HOST (UFI_MANY_THREADS && UF_USES_HOST)

/* -- state --------------------------------------------------------------------------------------------------------- */

/* A thread that starts a flow first claims it: UFI_CLAIMED_ONLY, the entry step is unknown. When the start is in the
 * inbox, the state is the entry step and UF_STATE_CLAIMED. `run` and `outcome` are those of the last run until the
 * pump receives the start; the coming run has the next number. A cancel in between sets UFI_STATE_CANCEL. */
#define UFI_STATE_CANCEL UINT32_C(0x20000000)
#define UFI_CLAIMED_ONLY (UF_STATE_CLAIMED | (UFI_STATE_CANCEL - 1u))

/* Idle, and its init has not ended: a stop does not start its `shutdown` task yet. */
#define UFI_STATE_NEW (UF_STATE_IDLE | UFI_STATE_CANCEL)

/* A flow that stands, see pause.c. The bit has other meanings in the states above. */
#define UFI_STATE_PAUSED UFI_STATE_CANCEL
static inline bool ufi_is_paused(uint32_t state)
{
    return UF_USES_PAUSES && (state & (UF_STATE_IDLE | UF_STATE_CLAIMED | UFI_STATE_PAUSED)) == UFI_STATE_PAUSED;
}

static inline bool ufi_claimed_only(uint32_t state)
{
    return (state & ~UFI_STATE_CANCEL) == UFI_CLAIMED_ONLY;
}

/* The state of the generated code, without the runtime's bits. */
static inline uint32_t ufi_step_state(uint32_t state)
{
    return state & ~(UF_STATE_IDLE | UF_STATE_CLAIMED | UFI_STATE_CANCEL);
}

/* The mark of the seqlock under which a flow's words change; a bit of `ticks`. Only the pump's thread writes: when a
 * run begins, and when it enters a step or task. See introspect.c for the reader. */
#define UFI_CHANGING 0x80000000u

/* Its words are about to change; see introspect.c. On bare metal, the words have no other reader. */
static inline void ufi_begin_change(uf_flow *flow)
{
    if (UFI_MANY_THREADS && UF_USES_TIMES) ufp_store(&flow->ticks, UFI_CHANGING);
}

/* The end of that change: a step is entered, and its body has not run. */
static inline void ufi_end_change(uf_flow *flow, uf_time entered)
{
    if (!UF_USES_TIMES) return;
    ufp_store_time_release(&flow->entered, entered);
    ufp_store_release(&flow->ticks, 0);
}

/* -- the descriptor, and other parts of the generated struct ------------------------------------------------------- */

static inline const uf_step_info *ufi_step_of(const uf_flow *flow, uint32_t state)
{
    return &flow->type->steps[state & UF_STATE_STEP];
}

static inline const char *ufi_name_of_step(const uf_step_info *step)
{
    (void)step;
    return UF_HAS(NAMES, step->name) UF_LACKS(NAMES, "");
}
static inline uint32_t ufi_line_of_step(const uf_step_info *step)
{
    (void)step;
    return UF_HAS(NAMES, step->line) UF_LACKS(NAMES, 0);
}

/* The name of a task or group. */
static inline const char *ufi_name_of_task(const uf_task_info *task)
{
    (void)task;
    return UF_HAS(NAMES, task->name) UF_LACKS(NAMES, "");
}
static inline const char *ufi_task_of_step(const uf_flow *flow, const uf_step_info *step)
{
    return ufi_name_of_task(&flow->type->tasks[step->task]);
}

/* Does the flow wait in this state, so that its turn decides an await and runs no body? */
static inline bool ufi_is_wait(uint32_t state)
{
    return (state & UF_STATE_WAIT) != 0;
}

const char *ufi_task_name(const uf_flow *flow, uint32_t state);
char *ufi_reason_buffer(const uf_flow *flow); /* NULL: the flow has none */

/* Other threads read these members, and the links only in critical sections. */
static inline void ufi_note_shared_flow(const uf_flow *flow)
{
    ufp_note_shared(flow, offsetof(uf_flow, attached));
    ufp_note_shared(&flow->parent_offset, UF_FLOW_SIZE - offsetof(uf_flow, parent_offset));
}

/* Array of type->arm_count arms. */
static inline uf_arm *ufi_arms(const uf_flow *flow)
{
    return (uf_arm *)((uintptr_t)flow + flow->type->arms_offset);
}

/* Array of type->preempt_count arms: handlers, and companions of tasks. */
static inline uf_arm *ufi_preempts(const uf_flow *flow)
{
    return (uf_arm *)((uintptr_t)flow + flow->type->preempts_offset);
}

/* A companion for each element of an array has one row in `preempts`: the further ones, without a line, are empty. */
static inline unsigned ufi_row_of_preempt(const uf_flow_type *type, unsigned which)
{
    while (type->preempts[which].line == 0) which--;
    return which;
}

/* Copies the description to a buffer of UF_DESCRIPTION_SIZE bytes. Returns: the buffer. */
const char *ufi_copy_description(const uf_flow *flow, char *buffer);
void ufi_clear_description(uf_flow *flow);

/* Writes a text that other threads may be reading; on the pump's thread. */
void ufi_publish_text(uf_pump *pump, char *buffer, const char *text);

/* uf_fail() and uf_flow_fail() with a text of several parts up to a NULL; see ufi_join(). */
uf_intent ufi_fail_joined(uf_flow *flow, const char *const parts[]);
void ufi_flow_fail_joined(uf_flow *flow, const char *const parts[]);

/* uf_flow_fail() for a place that an array does not have. It links simple conversions, and without UF_USES_REASONS
 * none. */
void ufi_flow_fail_place(uf_flow *flow, const char *name, uint32_t count, int64_t index);

/* Copies the reason of `outcome` to a buffer of UF_REASON_SIZE bytes. On the pump's thread, or while the flow is
 * idle. */
const char *ufi_reason_of(const uf_flow *flow, uf_outcome outcome);
void ufi_copy_reason(const uf_flow *flow, uf_outcome outcome, char *reason);

/* Is `part` the flow `whole`, or one of the flows inside its struct? `part` may be NULL. */
bool ufi_is_part_of(const uf_flow *part, const uf_flow *whole);

/* For a member of a pool: the record after the flow's struct. */
static inline uf_member *ufi_member_of(const uf_flow *flow)
{
    return (uf_member *)((uintptr_t)flow + flow->type->size);
}
static inline const struct uf_pooling *ufi_pooling_of(const uf_flow *member)
{
    return ufi_member_of(member)->pool->info->pooling;
}

/* Is the pool initialised? Another thread may be in the init of its flow, which is on the pump's list already. */
static inline bool ufi_is_pool_there(const uf_members *pool, const uf_pump *pump)
{
    ufp_critical_enter(pump);
    bool const is_there = pool->info != NULL;
    ufp_critical_leave(pump);
    return is_there;
}

/* A member always enters its task, even if its first turn is an interruption: it sees the arguments of its spawn. */
static inline void ufi_enter_member(uf_flow *flow)
{
    if (flow->rare_flags & UFI_MEMBER && flow->flags & UFI_NEW) ufi_pooling_of(flow)->enter(flow);
}

/* The flow whose struct contains this one; NULL: none. Any thread. */
static inline const uf_flow *ufi_container(const uf_flow *flow)
{
    if (!UF_USES_PARTS) return NULL;
    uint32_t const offset = ufp_load(&flow->parent_offset);
    if (offset == UF_PARENT_IS_POOL) return ufi_member_of(flow)->pool->owner;
    return offset ? (const uf_flow *)((uintptr_t)flow - offset * sizeof(void *)) : NULL;
}

/* The member of a pool that the flow is, or lies in; NULL: none. Any thread. */
static inline const uf_flow *ufi_member_around(const uf_flow *flow)
{
    if (!UF_USES_PARTS) return NULL;
    while (flow && ufp_load(&flow->parent_offset) != UF_PARENT_IS_POOL) flow = ufi_container(flow);
    return flow;
}

/* A text that only a person reads. */
#define UFI_WORDS(text) (UF_USES_NAMES ? (text) : "")

/* Was the generated code made for this core? With a config file, the headers have checked it. */
static inline bool ufi_fits(const uf_flow_type *type)
{
    return !UF_USES_HOST || (type->abi == UF_ABI && type->size >= UF_FLOW_SIZE);
}

/* -- parts that a core may lack, see features.h: NULL or 0, so that the compiler leaves out the code for them ------ */

static inline const char *ufi_name_of(const uf_flow *flow)
{
    return UF_USES_NAMES ? flow->name : "";
}
static inline unsigned ufi_preempt_count(const uf_flow *flow)
{
    return UF_IF(UF_USES_HANDLERS, flow->type->preempt_count);
}
static inline unsigned ufi_count_jobs(const uf_flow *flow)
{
    return UF_IF(UF_USES_JOBS, flow->type->job_count);
}
static inline unsigned ufi_pool_count(const uf_flow *flow)
{
    return UF_IF(UF_USES_POOLS, flow->type->pool_count);
}
static inline bool ufi_has_on_exit(const uf_flow *flow)
{
    return UF_USES_ON_EXIT && flow->type->on_exit;
}
static inline bool ufi_has_on_end(const uf_flow *flow)
{
    return UF_USES_ON_END && flow->type->on_end;
}
static inline uf_arm *ufi_waiters(const uf_flow *flow)
{
    return UF_USES_RUNS ? flow->waiters : NULL;
}
static inline bool ufi_is_observed(const uf_pump *pump)
{
    return UF_USES_OBSERVERS && pump->observers;
}
/* Are observers being told of an event? */
static inline bool ufi_is_telling(const uf_pump *pump)
{
    return UF_USES_OBSERVERS && pump->cursor;
}
static inline uf_stop *ufi_stop(const uf_pump *pump)
{
    return UF_USES_STOP ? pump->stop : NULL;
}
static inline bool ufi_is_stopping(const uf_pump *pump)
{
    return UF_USES_STOP && ufp_load_seq_cst(&pump->stopping);
}
static inline const struct ufi_pause_hooks *ufi_pauses(const uf_pump *pump)
{
    return UF_USES_PAUSES ? pump->pauses : NULL;
}
static inline const struct ufi_job_hooks *ufi_jobs(const uf_pump *pump)
{
    return UF_USES_JOBS ? pump->jobs : NULL;
}
/* The store that keeps the runs of durable flows; NULL: none. */
static inline struct uf_store *ufi_store(const uf_pump *pump)
{
    return UF_USES_DURABLE ? pump->store : NULL;
}
/* NULL: no flow has used it. */
static inline const struct ufi_store_hooks *ufi_store_hooks(const uf_pump *pump)
{
    return ufi_store(pump) ? ufp_load_pointer(&pump->store->hooks) : NULL;
}
/* The pump ends, and the store stays. */
static inline void ufi_detach_store(const uf_pump *pump)
{
    uf_store *const store = ufi_store(pump);

    if (!store) return;
    if (store->kind->detach) store->kind->detach(store);
    store->pump = NULL;
}
static inline uint32_t ufi_works_in_flight(const uf_pump *pump)
{
    return UF_IF(UF_USES_JOBS, pump->works_in_flight);
}
static inline uint32_t ufi_real_events(const uf_pump *pump)
{
    return UF_IF(UF_USES_REAL_TIME, pump->real_events);
}

/* Do rounds hand on wake-ups of those who wait for room? */
static inline bool ufi_hands_on(const uf_pump *pump)
{
    return UF_USES_ROOMS && pump->hand_on;
}

/* -- the pump ------------------------------------------------------------------------------------------------------ */

/* A member of a uf_pump_config, which lacks those of a feature that core lacks: 0 then. */
#define UFI_SETTING(feature, config, member)                                                                           \
    (UF_WITH(UF_USES_##feature, (config).member) UF_WITHOUT(UF_USES_##feature, 0))
typedef void ufi_pre_round(void *context);
static inline ufi_pre_round *ufi_pre_round_of(const uf_pump *pump)
{
    (void)pump;
    return UFI_SETTING(PACE, pump->config, pre_round);
}
typedef uf_time ufi_monotonic(void *context);
static inline ufi_monotonic *ufi_monotonic_of(const uf_pump *pump)
{
    (void)pump;
    return UFI_SETTING(OBSERVERS, pump->config, monotonic);
}
typedef int ufi_poll(void *context, int fd, int events);
static inline ufi_poll *ufi_poll_of(const uf_pump *pump)
{
    (void)pump;
    return UFI_SETTING(DESCRIPTORS, pump->config, poll);
}

/* A flow has become ready, or a round has more to do: ends the loop of a lone flow. */
static inline void ufi_end_lone(uf_pump *pump)
{
    if (UF_USES_VIRTUAL) pump->lone_rounds = 1;
}

/* In a core without UF_USES_PARTS, a pump only counts its flows. */
static inline uint32_t *ufi_flow_count(uf_pump *pump)
{
    (void)pump;
    return UF_HAS(PARTS, NULL) UF_LACKS(PARTS, &pump->flow_count);
}

/* Around uses of the list of a pump's flows. Other threads attach flows; interrupt handlers do not. */
static inline void ufi_lock_flows(const uf_pump *pump)
{
    if (UFI_MANY_THREADS) ufp_critical_enter(pump);
}
static inline void ufi_unlock_flows(const uf_pump *pump)
{
    if (UFI_MANY_THREADS) ufp_critical_leave(pump);
}

/* False for NULL and zeroed storage: uf_pump_init() always sets a limit or, in a core without jobs, a list. Any
 * thread. */
UFI_INLINE static inline bool ufi_is_pump(const uf_pump *pump)
{
    return pump && (UF_WITH(UF_USES_JOBS, ufp_load(&pump->config.jobs_per_flow)) /* clang-format off */
                    UF_WITHOUT(UF_USES_JOBS, pump->ready.next)) != 0; /* clang-format on */
}
static inline void ufi_end_pump(uf_pump *pump)
{
    UF_WITH(UF_USES_JOBS, pump->config.jobs_per_flow) UF_WITHOUT(UF_USES_JOBS, pump->ready.next) = 0;
}

/* NULL: the caller drives the pump. On bare metal it always is: the compiler then leaves out the code for a host. */
static inline const struct ufi_host *ufi_host(const uf_pump *pump)
{
    return UFI_HAS_HOST ? pump->host : NULL;
}

/* Bare metal, or signals of one pump: has an interrupt handler fired a signal, or a step? Elsewhere a message tells. */
static inline bool ufi_has_fired(const uf_pump *pump)
{
    return UF_USES_SIGNALS && !(UFI_MANY_THREADS && UF_USES_PUMPS) && ufp_load_pointer(&pump->fired_elsewhere);
}

/* Does the next round have something to receive? */
static inline bool ufi_has_news(const uf_pump *pump)
{
    return (UF_USES_MESSAGES && ufp_load_pointer(&pump->inbox)) || ufi_has_fired(pump);
}

/* Real time as last read. In a core without scales, logical time is the same. */
static inline uf_time ufi_real_time(const uf_pump *pump)
{
    return UF_WITH(UF_USES_SCALE, pump->clock.real) UF_WITHOUT(UF_USES_SCALE, pump->clock.logical);
}

/* Logical time as last read. In a round of a runtime it does not include the time that the round's steps took. */
static inline uf_time ufi_now(const uf_flow *flow)
{
    return flow->pump->clock.logical;
}

static inline bool ufi_reached(const uf_flow *flow, uf_time deadline)
{
    return deadline != UF_FOREVER && deadline <= ufi_now(flow);
}

/* Current logical time, from which durations are counted. A runtime reads its clock and advances the pump's time.
 * Any other pump has one time per round. */
static inline uf_time ufi_read_time(const uf_pump *pump)
{
    return ufi_host(pump) ? ufi_host(pump)->now(pump) : pump->clock.logical;
}

/* Logical time continues at the speed of real time, as that of a graceful shutdown does. */
void ufi_pump_end_scaling(uf_pump *pump);

/* On bare metal: the thread that initialises the pump, or runs its rounds, drives it. */
static inline void ufi_set_driver(uf_pump *pump)
{
    if (!UFI_MANY_THREADS) ufp_store_pointer(&pump->thread, ufp_thread_self());
}

/* Is this the thread that drives the pump? On bare metal: not an interrupt handler. */
static inline bool ufi_on_pump_thread(const uf_pump *pump)
{
    return (UFI_MANY_THREADS && !ufi_host(pump)) || ufp_load_pointer(&pump->thread) == ufp_thread_self();
}

#endif
