/* awaits.h - arms: what a parked flow waits for.
 *
 * The arms of an await lie in `uf_arms`, in textual order: an arm's index is its number. Generated code sets them
 * (uf_arm_...), then asks of each whether it is ready or has failed, at once and when the flow is woken. */
#ifndef UFLOW_GENERATED_AWAITS_H
#define UFLOW_GENERATED_AWAITS_H

#include "uflow/checkpoint.h"
#include "uflow/generated/descriptors.h"
#include "uflow/mailbox.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Up to UF_ARM_SIGNAL, UF_ARM_READY is final. A pending signal, and the levels after it, are tested by uf_evaluate(). */
typedef enum uf_arm_kind {
    UF_ARM_UNUSED = 0,
    UF_ARM_DEADLINE, /* `timeout D`, `stay timeout D` */
    UF_ARM_INTERVAL, /* `stay every D` */
    UF_ARM_HELD,     /* `until (cond) for D`; on the wheel while the condition holds */
    UF_ARM_OPERAND,  /* waits for nothing: keeps a duration that was evaluated when the await was reached */
    UF_ARM_RUN,      /* a run of another flow */
    UF_ARM_JOB,      /* a job of the task */
    UF_ARM_READABLE, /* a file descriptor */
    UF_ARM_WRITABLE,
    UF_ARM_SIGNAL,
    UF_ARM_CHECKPOINT, /* waits for its signal once the flow stands there */
    UF_ARM_ARRIVED,    /* a flow stands at a checkpoint */
    UF_ARM_MAILBOX,    /* a mailbox holds an item */
    UF_ARM_IDLE,       /* another flow is idle */
    UF_ARM_STOPPING,   /* a graceful shutdown has begun */
    UF_ARM_PREEMPT     /* in `uf_preempts`: no step waits for it */
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
    UF_CAUSE_REASON, /* the child's own */
    UF_CAUSE_CANCELLED,
    UF_CAUSE_STATUS,     /* it did not start: `why` is the uf_status */
    UF_CAUSE_ENDED_IN,   /* it ended in a task of another result type: `why` is its index */
    UF_CAUSE_JOB,        /* the job's own */
    UF_CAUSE_SYSTEM,     /* of a descriptor: `why` is the errno */
    UF_CAUSE_CLOSED,     /* the descriptor was closed during the wait */
    UF_CAUSE_NO_RUNTIME, /* the pump is none of a runtime */
    UF_CAUSE_NULL        /* there is no signal or checkpoint */
} uf_arm_cause;

typedef struct uf_arm_detail {
    uint16_t result_class; /* of a run: the class in which it must end */
    uint16_t why;          /* see uf_arm_cause */
} uf_arm_detail;

/* 40 bytes on LP64. On one list at most: a slot of the wheel, the waiters of a flow or of a signal. All zero before its
 * first use; between two, on no list. */
struct uf_arm {
    struct uf_arm *next, *prev;
    union {
        uf_time deadline;
        uf_flow *target;
        uf_job *job;
        int fd;
        uf_signal *signal;
    } on; /* UF_ARM_DEADLINE, _HELD, _OPERAND: a time; UF_ARM_RUN, _IDLE: a flow; UF_ARM_JOB: a handle;
           * _READABLE, _WRITABLE: a descriptor; the others: a signal, NULL once it was destroyed */
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

/* In a flow's flags: something is armed. */
#define UF_FLAG_ARMED UINT16_C(1)

/* -- setting arms -------------------------------------------------------------------------------------------------- */

/* From now on. Returns false if it is ready at once, since `after` <= 0. */
bool uf_arm_timeout(uf_flow *flow, uf_arm *arm, uf_time after);

/* `until (cond) for D`, and the arm beside it that keeps D if that is an expression. */
void uf_arm_held(uf_flow *flow, uf_arm *arm);
void uf_arm_operand(uf_flow *flow, uf_arm *arm, uf_time value);
static inline uf_time uf_operand(const uf_arm *arm)
{
    return arm->on.deadline;
}

/* Fires after epoch `since` count: for a signal by name, the epoch when the body begins; for `fired(&expr)`, the epoch
 * when the await is reached. A signal that is NULL or destroyed fails the flow when the arm is evaluated.
 * Returns false if the arm is decided already. */
bool uf_arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);
static inline uint32_t uf_since(const uf_signal *signal) /* uf_signal_epoch(), inline where a plain load does it */
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

/* The flow stands at the checkpoint from the moment that it has parked in this await until it leaves it. */
void uf_arm_checkpoint(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);

/* A checkpoint that is NULL or destroyed fails the flow, as a signal does. */
void uf_arm_arrived(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);

void uf_arm_mailbox(uf_flow *flow, uf_arm *arm, uf_mailbox *mailbox);
void uf_arm_idle(uf_flow *flow, uf_arm *arm, uf_flow *target);
void uf_arm_stopping(uf_flow *flow, uf_arm *arm);

/* Returns false if the arm is decided already. */
bool uf_arm_job(uf_flow *flow, uf_arm *arm, uf_job *job);

/* A file descriptor, on the pump of a runtime. One with an error or a hang-up is ready: read() or write() reports that.
 * The arm fails if the descriptor is invalid or closed, or if there is no memory to watch it. */
void uf_arm_readable(uf_flow *flow, uf_arm *arm, int fd);
void uf_arm_writable(uf_flow *flow, uf_arm *arm, int fd);

/* A run: `if (uf_arm_run(...)) uf_arm_started(..., Flow_start_Task(...));`. The child's end in a task of `result_class`
 * (0: any) makes the arm ready. uf_arm_run() returns false if nothing may be started; the arm has failed then:
 *   UF_INVALID     no child, or it is not attached
 *   UF_OTHER_PUMP  the child is on another pump
 *   UF_BUSY        the child is the flow itself
 * Once a run of an await did not start, its others are not tried. */
bool uf_arm_run(uf_flow *flow, uf_arm *arm, uf_flow *child, uint16_t result_class);
void uf_arm_started(uf_flow *flow, uf_arm *arm, uf_status status);

/* True once a run of this await has been armed in this turn. The conditions were evaluated before it was started, and
 * are not evaluated again. Only for an await with both a run and an until. */
#define UF_FLAG_POLLED UINT16_C(2)
static inline bool uf_polled(const uf_flow *flow)
{
    return (flow->flags & UF_FLAG_POLLED) != 0;
}

/* -- deciding ------------------------------------------------------------------------------------------------------ */

/* Is an arm ready whose state says it all? */
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

/* The bare reason of an arm that has failed: "busy", "closed", "ended in Park", a child's own. Lies in the flow's
 * reason buffer until its run ends or another reason is asked for; "" if the flow has no buffer or is failing. */
const char *uf_reason(uf_flow *flow, const uf_arm *arm);

/* A failure that no `else` takes: fails the task with "Axis.Home: <reason>". */
uf_intent uf_arm_failure(uf_flow *flow, const uf_arm *arm, const char *source);

/* Of a run that is ready: the flow that has the result. */
static inline uf_flow *uf_child(const uf_arm *arm)
{
    return arm->on.target;
}

/* No arm is decided: park in `state`; with a condition among the arms, poll. */
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

/* `stay every D`, `stay [every D] timeout D`: arm[0] has the interval, arm[1], or arm[0] if there is no interval, the
 * timeout. `state` is the body's own or, with a timeout, that of the wait: its turn comes when the timeout is due.
 *   stay every D;               return uf_stay_every(uf, &arm[0], D, <step state>);
 *   stay timeout T -> O;        if (uf_stay_timed_out(uf, &arm[0], T)) return O; return uf_poll(uf, <wait state>);
 *   stay every D timeout T -> O;    the two, with arm[1] for T and the wait state */
uf_intent uf_stay_every(uf_flow *flow, uf_arm *interval, uf_time every, uint32_t state);

/* Has `timeout` passed since the step was entered? Sets the arm to that moment if not. */
bool uf_stay_timed_out(uf_flow *flow, uf_arm *arm, uf_time timeout);

#ifdef __cplusplus
}
#endif
#endif
