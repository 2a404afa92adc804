/* awaits.h - arms: the events that a parked flow waits for.
 *
 * The arms of an await are in `uf_arms`, in source order: the index of an arm is its number. Generated code sets them
 * (uf_arm_...). It then asks whether each one is ready or has failed, at once and after each wake-up. */
#ifndef UFLOW_GENERATED_AWAITS_H
#define UFLOW_GENERATED_AWAITS_H

#include "uflow/checkpoint.h"
#include "uflow/generated/descriptors.h"
#include "uflow/mailbox.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Up to UF_ARM_SIGNAL, UF_ARM_READY is final. A pending signal, and the levels after it, are tested by
 * uf_evaluate(). */
typedef enum uf_arm_kind {
    UF_ARM_UNUSED = 0,
    UF_ARM_DEADLINE, /* `timeout D`, `stay timeout D` */
    UF_ARM_INTERVAL, /* `stay every D` */
    UF_ARM_HELD,     /* `until (cond) for D`; on the wheel while the condition holds */
    UF_ARM_OPERAND,  /* never waits: keeps the value of a duration from when the flow reached the await */
    UF_ARM_RUN,      /* a run of another flow */
    UF_ARM_JOB,      /* a job of the task */
    UF_ARM_READABLE, /* a file descriptor */
    UF_ARM_WRITABLE,
    UF_ARM_SIGNAL,
    UF_ARM_CHECKPOINT, /* waits for its signal while the flow is held there */
    UF_ARM_ARRIVED,    /* a flow is held at a checkpoint */
    UF_ARM_MAILBOX,    /* a mailbox holds an item */
    UF_ARM_IDLE,       /* another flow is idle */
    UF_ARM_STOPPING,   /* a graceful shutdown has begun */
    UF_ARM_PREEMPT     /* in `uf_preempts`: not part of an await */
} uf_arm_kind;

typedef enum uf_arm_state {
    UF_ARM_PENDING = 0,
    UF_ARM_READY,
    UF_ARM_FAILED,
    UF_ARM_HOLDING /* of UF_ARM_HELD: the condition holds, and the arm is ready at its deadline */
} uf_arm_state;

/* Why an arm failed; uf_reason() makes the text. */
typedef enum uf_arm_cause {
    UF_CAUSE_NONE = 0,
    UF_CAUSE_REASON, /* the child's own reason */
    UF_CAUSE_CANCELLED,
    UF_CAUSE_STATUS,     /* it did not start: `why` is the uf_status */
    UF_CAUSE_ENDED_IN,   /* it ended in a task of another result type: `why` is its index */
    UF_CAUSE_JOB,        /* the job's own reason */
    UF_CAUSE_SYSTEM,     /* of a descriptor: `why` is the errno */
    UF_CAUSE_CLOSED,     /* the descriptor was closed during the wait */
    UF_CAUSE_NO_RUNTIME, /* the pump belongs to no runtime */
    UF_CAUSE_NULL        /* there is no signal or checkpoint */
} uf_arm_cause;

typedef struct uf_arm_detail {
    uint16_t result_class; /* for a run: the class in which it must end */
    uint16_t why;          /* see uf_arm_cause */
} uf_arm_detail;

/* 40 bytes on LP64. It is on at most one list: a slot of the wheel, the waiters of a flow or of a signal. All zero
 * before its first use; between uses, on no list. */
struct uf_arm {
    struct uf_arm *next, *prev;
    union {
        uf_time deadline;
        uf_flow *target;
        uf_job *job;
        int fd;
        uf_signal *signal;
    } on; /* see uf_arm_kind: a time, flow, job handle or descriptor; otherwise a signal, NULL once it was destroyed */
    uf_flow *owner;
    uint8_t kind;    /* a uf_arm_kind */
    uint8_t state;   /* a uf_arm_state */
    uint8_t cause;   /* a uf_arm_cause */
    uint8_t on_list; /* linked into the wheel, a flow's waiters, a signal's (1) or its pump's foreign waiters (2) */
    union {
        uint16_t place;       /* arms for a time: the slot of the wheel */
        uint32_t since;       /* arms for a signal: the epoch since when they wait */
        uf_arm_detail detail; /* arms for a run or a descriptor */
    };
};

/* A flag of a flow: an arm is set. */
#define UF_FLAG_ARMED UINT16_C(1)

/* -- setting arms -------------------------------------------------------------------------------------------------- */

/* Counts from now on. Returns: false if the arm is ready at once, since `after` <= 0. */
bool uf_arm_timeout(uf_flow *flow, uf_arm *arm, uf_time after);

/* `until (cond) for D`, and the arm beside it that keeps D if that is an expression. */
void uf_arm_held(uf_flow *flow, uf_arm *arm);
void uf_arm_operand(uf_flow *flow, uf_arm *arm, uf_time value);
static inline uf_time uf_operand(const uf_arm *arm)
{
    return arm->on.deadline;
}

/* Counts fires after epoch `since`. For a signal by name, that is the epoch when the body begins; for `fired(&expr)`,
 * the epoch when the flow reaches the await. A signal that is NULL or destroyed fails the flow when the arm is
 * evaluated. Returns: false if the arm is decided already. */
bool uf_arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);
static inline uint32_t uf_since(const uf_signal *signal) /* uf_signal_epoch(), inline where a plain load suffices */
{
#if defined(__GNUC__) && !defined(__TINYC__) && UINTPTR_MAX > UINT32_MAX && !defined(UFP_ANNOTATED)
    return (uint32_t)(__atomic_load_n(&signal->word, __ATOMIC_SEQ_CST) >> 32);
#else
    return uf_signal_epoch(signal);
#endif
}
static inline uint32_t uf_signal_now(const uf_signal *signal) /* for `fired(&expr)`, which may be NULL */
{
    return signal ? uf_signal_epoch(signal) : 0;
}

/* The flow is held at the checkpoint from the moment when it parks in this await until it leaves it. */
void uf_arm_checkpoint(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);

/* A checkpoint that is NULL or destroyed fails the flow, as a signal does. */
void uf_arm_arrived(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);

void uf_arm_mailbox(uf_flow *flow, uf_arm *arm, uf_mailbox *mailbox);
void uf_arm_idle(uf_flow *flow, uf_arm *arm, uf_flow *target);
void uf_arm_stopping(uf_flow *flow, uf_arm *arm);

/* Returns: false if the arm is decided already. */
bool uf_arm_job(uf_flow *flow, uf_arm *arm, uf_job *job);

/* Waits for a file descriptor, on the pump of a runtime. One with an error or a hang-up is ready: read() or write()
 * reports that. The arm fails if the descriptor is invalid or closed, or if there is no memory to watch it. */
void uf_arm_readable(uf_flow *flow, uf_arm *arm, int fd);
void uf_arm_writable(uf_flow *flow, uf_arm *arm, int fd);

/* Starts a run: `if (uf_arm_run(...)) uf_arm_started(..., Flow_start_Task(...));`. The child's end in a task of
 * `result_class` (0: any) makes the arm ready. Once one run of an await did not start, its other runs are not tried.
 *
 * uf_arm_run() returns false if no run may start. The arm has then failed:
 *   UF_INVALID     no child, or it is not attached
 *   UF_OTHER_PUMP  the child is on another pump
 *   UF_BUSY        the child is the flow itself */
bool uf_arm_run(uf_flow *flow, uf_arm *arm, uf_flow *child, uint16_t result_class);
void uf_arm_started(uf_flow *flow, uf_arm *arm, uf_status status);

/* True once a run of this await has been armed in this turn. The conditions were evaluated before its start, and are
 * not evaluated again. Only for an await with both a run and an until. */
#define UF_FLAG_POLLED UINT16_C(2)
static inline bool uf_polled(const uf_flow *flow)
{
    return (flow->flags & UF_FLAG_POLLED) != 0;
}

/* -- deciding ------------------------------------------------------------------------------------------------------ */

/* Is an arm ready, for kinds whose state is sufficient? */
static inline bool uf_ready(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY;
}

/* Is a signal or a level ready? If its signal was destroyed, this fails the flow and returns false. */
bool uf_evaluate_arm(uf_flow *flow, uf_arm *arm);
static inline bool uf_evaluate(uf_flow *flow, uf_arm *arm)
{
    bool const has_fired = arm->kind == UF_ARM_SIGNAL && arm->state == UF_ARM_READY; /* which is final */
    return has_fired || uf_evaluate_arm(flow, arm);
}

/* Has the condition held for that long? */
bool uf_held(uf_flow *flow, uf_arm *arm, bool condition, uf_time hold);

static inline bool uf_failed(const uf_arm *arm)
{
    return arm->state == UF_ARM_FAILED;
}

/* The reason of a failed arm, without a prefix: "busy", "closed", "ended in Park", or a child's own. It is in the
 * flow's reason buffer until the run ends or another reason is read. "" if the flow has no buffer or is failing. */
const char *uf_reason(uf_flow *flow, const uf_arm *arm);

/* Handles a failure without `else`: fails the task with "Axis.Home: <reason>". */
uf_intent uf_arm_failure(uf_flow *flow, const uf_arm *arm, const char *source);

/* The flow that has the result, for an arm with a run that is ready. */
static inline uf_flow *uf_child(const uf_arm *arm)
{
    return arm->on.target;
}

/* No arm is decided: parks in `state`. With a condition among the arms, the flow polls. */
static inline uf_intent uf_park(uf_flow *flow, uint32_t state)
{
    UF_STORE_STATE(flow, state);
    return uf_intent_of(UF_INTENT_PARK);
}
static inline uf_intent uf_poll(uf_flow *flow, uint32_t state)
{
    UF_STORE_STATE(flow, state);
    return uf_intent_of(UF_INTENT_POLL);
}

/* -- stay ---------------------------------------------------------------------------------------------------------- */

/* `stay every D`, `stay [every D] timeout D`: arm[0] has the interval. The timeout is in arm[1], or in arm[0] without
 * an interval. `state` is that of the body or, with a timeout, that of the wait: its turn comes when the timeout is
 * due.
 *   stay every D;               return uf_stay_every(uf, &arm[0], D, <step state>);
 *   stay timeout T -> O;        if (uf_stay_timed_out(uf, &arm[0], T)) return O; return uf_poll(uf, <wait state>);
 *   stay every D timeout T -> O;    both, with arm[1] for T and the wait state */
uf_intent uf_stay_every(uf_flow *flow, uf_arm *interval, uf_time every, uint32_t state);

/* Has `timeout` passed since the step was entered? If not, sets the arm to that moment. */
bool uf_stay_timed_out(uf_flow *flow, uf_arm *arm, uf_time timeout);

#ifdef __cplusplus
}
#endif
#endif
