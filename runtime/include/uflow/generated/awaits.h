/* SPDX-License-Identifier: MIT */
/* awaits.h - arms: the events that a parked flow waits for.
 *
 * The flow's array `uf_arms` holds the arms of the current await, in source order. Generated code sets each arm by
 * uf_arm_...(). Then it asks which arm is ready or has failed, and again at each turn: uf_ready(), uf_evaluate(). */
#ifndef UFLOW_GENERATED_AWAITS_H
#define UFLOW_GENERATED_AWAITS_H

#include "uflow/arm_kinds.h"
#include "uflow/generated/members.h"

UF_C_BEGIN

typedef enum uf_arm_state {
    UF_ARM_PENDING = 0,
    UF_ARM_READY,
    UF_ARM_FAILED,
    UF_ARM_HOLDING /* of UF_ARM_HELD: the condition holds, and the arm is ready at its deadline */
} uf_arm_state;

/* Why an arm failed; uf_reason() makes the text. */
typedef enum uf_arm_cause {
    UF_CAUSE_NONE = 0,
    UF_CAUSE_REASON, /* the child's own reason; `why` is not 0 until somebody notices the failure: see wait.c */
    UF_CAUSE_CANCELLED,
    UF_CAUSE_STATUS,         /* it did not start: `why` is the uf_status */
    UF_CAUSE_ENDED_IN,       /* it ended in a task of another result type: `why` is its index */
    UF_CAUSE_JOB,            /* the job's own reason */
    UF_CAUSE_SYSTEM,         /* of a descriptor: `why` is the errno */
    UF_CAUSE_CLOSED,         /* the descriptor was closed during the wait */
    UF_CAUSE_BAD_DESCRIPTOR, /* on a caller-driven pump: the number is no descriptor */
    UF_CAUSE_NULL,           /* there is no signal or checkpoint */
    UF_CAUSE_KEPT,           /* no failure: the next turn takes a message of this mailbox, if one was there */
    UF_CAUSE_DECIDED         /* no failure: this turn does, when the runs that the await leaves have ended */
} uf_arm_cause;

typedef struct uf_arm_detail {
    union {
        uint16_t result_class; /* for a run: the class in which it must end */
        uint16_t room;         /* for room, vacant, idle(POOL): see core/waits/room.c */
    };
    uint16_t why; /* see uf_arm_cause */
} uf_arm_detail;

/* 40 bytes on LP64. An arm is on one list at most: a slot of the wheel, or the waiters of a flow, a signal or a stop.
 * It is zeroed before its first use. An arm that is not set is on no list. */
struct uf_arm {
    struct uf_arm *next, *prev;
    union {
        uf_time deadline;
        uf_flow *target;
        uf_job *job;
        const uf_job_info *jobs;
        int fd;
        uf_signal *signal;
        struct uf_room *room;
        const char *name;
    } on; /* see uf_arm_target; of UF_ARM_OPERAND: `deadline` */
    uf_flow *owner;
    uint8_t kind;    /* a uf_arm_kind */
    uint8_t state;   /* a uf_arm_state */
    uint8_t cause;   /* a uf_arm_cause */
    uint8_t on_list; /* 0: on no list; 2: among its pump's foreign waiters; 1: on any other list */
    union {
        uint16_t place;       /* of a timer: the slot of the wheel */
        uint32_t since;       /* of a signal: only fires after this epoch count; of a real timer: its number */
        uint32_t index;       /* of an array of jobs: the element that has decided; UINT32_MAX: none was submitted */
        uint32_t left;        /* of UF_ARM_JOBS while it is pending: the number of jobs that have not ended */
        uf_arm_detail detail; /* of a run, a room or a descriptor */
    };
};

/* A flag of a flow: an arm is set. */
#define UF_FLAG_ARMED UINT16_C(1)

/* -- setting arms -------------------------------------------------------------------------------------------------- */

/* `if (C)` before an arm: C is false, so this await does not have the arm. uf_is_set() returns that, also later. The
 * operands of the arm are not evaluated, so they begin as UF_UNSET. */
void uf_arm_none(uf_flow *flow, uf_arm *arm);
static inline bool uf_is_set(const uf_arm *arm)
{
    return arm->kind != UF_ARM_UNUSED;
}
/* clang-format off */
#ifdef __cplusplus
#define UF_UNSET {}
#else
#define UF_UNSET {0}
#endif
/* clang-format on */

/* `timeout D`: counts from now on. Returns true if the arm is pending, false if `after` <= 0: then it is ready. */
bool uf_arm_timeout(uf_flow *flow, uf_arm *arm, uf_time after);

/* `timeout real D`: the same on the real clock, whatever the scale is, and also while the clock is frozen. */
bool uf_arm_timeout_real(uf_flow *flow, uf_arm *arm, uf_time after);

/* `deadline(T)`: ready when the logical time is `at` or later; never if `at` is UF_FOREVER. */
void uf_arm_deadline(uf_flow *flow, uf_arm *arm, uf_time at);

/* `until (cond) for D`. If D is an expression, the next arm keeps its value. */
void uf_arm_held(uf_flow *flow, uf_arm *arm);
void uf_arm_operand(uf_flow *flow, uf_arm *arm, uf_time value);
static inline uf_time uf_operand(const uf_arm *arm)
{
    return arm->on.deadline;
}

/* Waits for a fire after epoch `since`. For a signal by name, that is the epoch at which the body began; for
 * `fired(&expr)`, the epoch at which the await is reached. A signal that is NULL or destroyed fails the flow when the
 * arm is evaluated. Returns true if the arm is pending. */
bool uf_arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);
static inline uint32_t uf_since(const uf_signal *signal) /* uf_signal_epoch(), inline where a plain load suffices */
{
#if defined(__GNUC__) && !defined(__TINYC__) && UINTPTR_MAX > UINT32_MAX && !defined(UFP_ANNOTATED) && UF_USES_PUMPS
    return UF_AS(uint32_t, __atomic_load_n(&signal->word, __ATOMIC_SEQ_CST) >> 32);
#elif !UF_USES_PUMPS
    return *(const volatile uint32_t *)&signal->fires;
#else
    return uf_signal_epoch(signal);
#endif
}
/* The same for an array of signals. Returns: the counts. */
static inline const uint32_t *uf_sinces(uint32_t *counts, const uf_signal *signals, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) counts[i] = uf_since(&signals[i]);
    return counts;
}

/* An element of an array of signals or checkpoints. An index out of range fails the flow.
 * Returns: the index; 0 if it is out of range. */
uint32_t uf_place(uf_flow *flow, const char *name, uint32_t count, int64_t index);

static inline uint32_t uf_signal_now(const uf_signal *signal) /* for `fired(&expr)`, which may be NULL */
{
    return signal ? uf_signal_epoch(signal) : 0;
}

/* The flow is at the checkpoint from the moment when it parks in this await until it leaves the await. */
void uf_arm_checkpoint(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);

/* A checkpoint that is NULL or destroyed fails the flow, as a signal does. */
void uf_arm_arrived(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);

void uf_arm_mailbox(uf_flow *flow, uf_arm *arm, uf_mailbox *mailbox);

/* Uses the next arm too. Fails if the mailbox is NULL or destroyed, and while its pump is being stopped. */
void uf_arm_room(uf_flow *flow, uf_arm *arm, uf_mailbox *mailbox);

void uf_arm_idle(uf_flow *flow, uf_arm *arm, uf_flow *target);
void uf_arm_stopping(uf_flow *flow, uf_arm *arm);

/* Return true if the arm is pending. */
bool uf_arm_job(uf_flow *flow, uf_arm *arm, uf_job *job);

/* Arrays of jobs: `which` is the array's index in the flow's table of jobs. An index out of range fails the flow. */
bool uf_arm_element(uf_flow *flow, uf_arm *arm, uint16_t which, int64_t index);
bool uf_arm_any(uf_flow *flow, uf_arm *arm, uint16_t which);
void uf_arm_jobs(uf_flow *flow, uf_arm *arm, uint16_t which);

/* A descriptor with an error or a hang-up is ready: read() or write() then reports the error. The arm fails in these
 * cases: the descriptor is invalid or closed, or there is no memory to watch it. On a caller-driven pump it waits for
 * uf_pump_ready(). */
void uf_arm_readable(uf_flow *flow, uf_arm *arm, int fd);
void uf_arm_writable(uf_flow *flow, uf_arm *arm, int fd);

/* Called after the arms of an await are set. A descriptor that is ready when the flow reaches its await takes part in
 * the decision only if it is polled, which costs a system call. So this polls only if another arm may be ready, too;
 * otherwise the next sleep reports the descriptor. `always`: the await has a condition or a run. */
void uf_look(uf_flow *flow, bool always);

/* A run: `if (uf_arm_run(...)) uf_arm_started(..., Flow_start_Task(...));`. The arm is ready when the child's run is
 * done in a task of `result_class` (0: any). uf_arm_run() returns false if it refuses the start; the arm has failed:
 *   UF_INVALID     no child, or it is not attached
 *   UF_OTHER_PUMP  the child is on another pump
 *   UF_BUSY        the child is the flow itself
 * After a run of the await was refused or did not start, it also returns false for the runs that follow. */
bool uf_arm_run(uf_flow *flow, uf_arm *arm, uf_flow *child, uint16_t result_class);
void uf_arm_started(uf_flow *flow, uf_arm *arm, uf_status status);

/* In a flow's flags: this turn has armed a run of the await. The conditions were evaluated before that, and are not
 * evaluated again. Used by awaits that have both a run and an `until`. */
#define UF_FLAG_POLLED UF_IF(UF_USES_RUNS, UINT16_C(2))
static inline bool uf_polled(const uf_flow *flow)
{
    return (flow->flags & UF_FLAG_POLLED) != 0;
}

/* In a flow's flags: each round evaluates its conditions, or runs its body again. It is on the polling list. */
#define UF_FLAG_POLLING UF_IF(UF_USES_POLLS, UINT16_C(1024))

/* -- deciding ------------------------------------------------------------------------------------------------------ */

/* Is an arm ready whose kind has no EVALUATED in arms.def? */
static inline bool uf_ready(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY;
}

/* Is an arm ready whose kind has EVALUATED? If its signal was destroyed, fails the flow and returns false. */
bool uf_evaluate_arm(uf_flow *flow, uf_arm *arm);
static inline bool uf_evaluate(uf_flow *flow, uf_arm *arm)
{
    bool const has_fired = arm->kind == UF_ARM_SIGNAL && arm->state == UF_ARM_READY; /* which is final */
    return has_fired || uf_evaluate_arm(flow, arm);
}

/* Has the condition been true at every poll for `hold`? */
bool uf_held(uf_flow *flow, uf_arm *arm, bool condition, uf_time hold);

/* Has the arm failed? It then decides the await, so a failure of its run has been noticed. */
static inline bool uf_failed(uf_arm *arm)
{
    if (arm->state != UF_ARM_FAILED) return false;
    if (arm->cause == UF_CAUSE_REASON) arm->detail.why = 0;
    return true;
}

/* Returns why an arm has failed: "busy", "closed", "ended in Park", or the reason of the child. A text about a run lies
 * in the child's reason buffer until the child's next start. The error of a descriptor and the reason of a job lie in
 * the flow's reason buffer, until the run ends or the next such text. It is "" if the flow has no buffer or is
 * failing. */
const char *uf_reason(uf_flow *flow, const uf_arm *arm);

/* An arm without `else` has failed: fails the task with "<source>: <reason>". */
uf_intent uf_arm_failure(uf_flow *flow, const uf_arm *arm, const char *source);
/* The same for the run of another flow: by the name of that flow, or of its type if it has none. */
uf_intent uf_run_failure(uf_flow *flow, const uf_arm *arm, const char *type, const char *task);
/* The same for `room`: by the path of the flow that receives, and the name of its mailbox. */
uf_intent uf_room_failure(uf_flow *flow, const uf_arm *arm);

/* Returns the flow that has the result of a run. The arm is ready. */
static inline uf_flow *uf_child(const uf_arm *arm)
{
    return arm->on.target;
}

/* May this turn take a value that owns something: an item, or the result of a job? Then the step that gets it runs in
 * this turn, even if a signal preempts the flow meanwhile. So no cancel can come between and lose the value.
 * Returns: false if the await was just reached: its step runs in the next round, so it is decided there. */
uf_bool uf_may_take(uf_flow *flow);

/* Notes that an arm has won with its jobs. The flow owns their values from then on, and `any` does not find them. */
void uf_take_jobs(uf_flow *flow, const uf_arm *arm);

/* The index of the element with which an arm has won or failed; -1: none was submitted. */
static inline int uf_index(const uf_arm *arm)
{
    return arm->index == UINT32_MAX ? -1 : UF_AS(int, arm->index);
}

/* An arm for an array of jobs, without `else`, has failed: fails the task with "fetch[3]: <reason>". */
uf_intent uf_element_failure(uf_flow *flow, const uf_arm *arm, const char *name);

/* -- all elements of an array of flows, each with an arm of its own --------------------------------------------- */

/* `first(run …)`: after the try to start one. If it did not start, it has failed, and the others start. */
void uf_arm_tried(uf_flow *flow, const uf_arm *arm);

bool uf_all_ready(const uf_arm *arms, size_t count);

/* The first arm that has failed; NULL: none. */
uf_arm *uf_failed_one(uf_arm *arms, size_t count);

/* The first arm that is ready; NULL: none. The failures of others have been noticed. */
uf_arm *uf_first_ready(uf_arm *arms, size_t count);

/* Have all failed? Forgets failures that were seen in an earlier turn: uf_last_failed() returns one of the last. */
bool uf_all_failed(uf_flow *flow, uf_arm *arms, size_t count);
uf_arm *uf_last_failed(uf_arm *arms, size_t count);

/* `idle(&flow->NAME[*])`: the arm waits for one that runs, until none does. */
bool uf_all_idle(uf_flow *flow, uf_arm *arm, uf_flow *first, size_t stride, size_t count);

/* No arm is decided: the flow parks in `state`, or decides in the next round. If one of the arms is a condition, it
 * polls. */
static inline uf_intent uf_park(uf_flow *flow, uint32_t state)
{
    UF_STORE_STATE(flow, state);
    return uf_intent_of(UF_INTENT_PARK);
}
static inline uf_intent uf_again(uf_flow *flow, uint32_t state)
{
    UF_STORE_STATE(flow, state);
    return uf_intent_of(UF_INTENT_AGAIN);
}
static inline uf_intent uf_poll(uf_flow *flow, uint32_t state)
{
    UF_STORE_STATE(flow, state);
    return uf_intent_of(UF_INTENT_POLL);
}

/* -- what lasts as long as a task ---------------------------------------------------------------------------------- */

/* `on timeout D -> O;` as the flow enters the task: counts from now on. The arm is one of `uf_preempts`. */
void uf_on_timeout(uf_flow *flow, uf_arm *arm, uf_time after);
void uf_on_timeout_real(uf_flow *flow, uf_arm *arm, uf_time after);

/* `with run`, after `on enter`: `if (uf_with_run(...)) uf_with_started(..., Flow_start_Task(...));`. It starts nothing
 * if `on enter` has failed. A start that is refused preempts the task, as the failure of the run does. */
bool uf_with_run(uf_flow *flow, uf_arm *arm, uf_flow *child);
void uf_with_started(uf_flow *flow, uf_arm *arm, uf_status status);

/* -- stay ---------------------------------------------------------------------------------------------------------- */

/* `stay every D` and `stay [every D] timeout T`: the interval is in arm[0], the timeout in the next arm. `state` is the
 * state of the body; with a timeout, that of the wait, whose turn decides whether the timeout is due.
 *   stay every D;               return uf_stay_every(uf, &arm[0], D, <step state>);
 *   stay timeout T -> O;        if (uf_stay_timed_out(uf, &arm[0], T)) return O; return uf_poll(uf, <wait state>);
 *   stay every D timeout T -> O;    both, with arm[1] for T and the wait state */
uf_intent uf_stay_every(uf_flow *flow, uf_arm *interval, uf_time every, uint32_t state);

/* Has `timeout` passed since the step was entered? If not, sets the arm for that moment. */
bool uf_stay_timed_out(uf_flow *flow, uf_arm *arm, uf_time timeout);

UF_C_END
#endif
