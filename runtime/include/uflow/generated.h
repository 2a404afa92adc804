/* generated.h - what code made by ufc calls. Not for people: its shape changes with UF_ABI.
 *
 * Every intent of a .uflow step is one `return f(...)` of these or of a generated function around them. A step function
 * runs in its flow's turn, on the pump's thread. */
#ifndef UFLOW_GENERATED_H
#define UFLOW_GENERATED_H

#include "uflow/base.h"
#include "uflow/checkpoint.h"
#include "uflow/clock.h"
#include "uflow/flow.h"
#include "uflow/job.h"
#include "uflow/mailbox.h"
#include "uflow/observer.h"
#include "uflow/pump.h"
#include "uflow/signal.h"
#include "uflow/stop.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -- names: a macro of the user's may have every other name, so generated code has none but these and C's own words -- */

typedef bool uf_bool;
typedef uint16_t uf_u16;
typedef uint32_t uf_u32;

/* What a turn came to: a kind, in UF_INTENT_KIND. A next and a become have the state that they lead to in UF_INTENT_STATE:
 * the turn stores it, so that other threads never see the step of one moment with the time of another. */
#define UF_INTENT_STATE  0x0ffffu
#define UF_INTENT_KIND   0x70000u

#define UF_INTENT_NEXT   0x00000u /* another step: next round */
#define UF_INTENT_BECOME 0x10000u /* the entry of another task: next round */
#define UF_INTENT_STAY   0x20000u /* the state is as it was: the body again, next round */
#define UF_INTENT_PARK   0x30000u /* the state names a wait: its arms wake the flow */
#define UF_INTENT_POLL   0x40000u /* the same, but a condition has to be looked at in each round as well */
#define UF_INTENT_DONE   0x50000u /* the task was left, its result stored */
#define UF_INTENT_FAIL   0x60000u /* the reason is stored; the turn leaves the task */

#define UF_INTENT_WOKEN  0x80000u /* beside a kind: a parked await was decided, no body ran; see uf_woken() */

/* A struct, so that nothing converts to it: the C compiler refuses a `return 1;` that a macro hides in a step's body. */
typedef struct uf_intent {
    uint32_t bits;
} uf_intent;

static inline uf_intent uf_intent_of(uint32_t bits)
{
    uf_intent const intent = {bits};
    return intent;
}

static inline uf_bool uf_intent_is(uf_intent intent, uint32_t bits)
{
    return intent.bits == bits;
}

static inline uint32_t uf_intent_kind(uf_intent intent)
{
    return intent.bits & UF_INTENT_KIND;
}

/* A function that is not made part of the one that calls it: that stays short, and needs no stack. Where
 * size counts, the compiler may do as it likes. */
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define UF_NOINLINE __attribute__((noinline))
#else
#define UF_NOINLINE
#endif

/* A state is read by other threads while it changes: one plain load or store, but one that no compiler may split or
 * double. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define UF_LOAD_STATE(flow)      __atomic_load_n(&(flow)->state, __ATOMIC_RELAXED)
#define UF_STORE_STATE(flow, to) __atomic_store_n(&(flow)->state, (uint32_t)(to), __ATOMIC_RELAXED)
#else
#define UF_LOAD_STATE(flow)      (*(const volatile uint32_t *)&(flow)->state)
#define UF_STORE_STATE(flow, to) ((void)(*(volatile uint32_t *)&(flow)->state = (uint32_t)(to)))
#endif

#if defined(__GNUC__)
#define UF_OFFSET(type, member) ((uf_u32) __builtin_offsetof(type, member))
#else
#define UF_OFFSET(type, member) ((uf_u32)offsetof(type, member))
#endif

/* Words of C in the user's members, as C++ has them. */
#if !defined(__cplusplus)
#define UF_ALIGNAS       _Alignas
#define UF_RESTRICT      restrict
#define UF_STATIC_ASSERT _Static_assert
#else
#define UF_ALIGNAS       alignas
#define UF_RESTRICT      __restrict
#define UF_STATIC_ASSERT static_assert
#endif

/* g++ has no atomic types of C. It takes them for volatile ones, which lie as they do: C aligns them to their size. */
#if !defined(__cplusplus) || defined(__clang__)
#define UF_ATOMIC        _Atomic /* of a pointer */
#define UF_ATOMIC_OF(of) _Atomic(of)
#else
extern "C++" {
template <typename T> struct uf_atomic {
    enum { is_plain = sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 };
    typedef volatile T uf_type __attribute__((aligned(is_plain ? sizeof(T) : alignof(T))));
};
}
#define UF_ATOMIC        volatile
#define UF_ATOMIC_OF(of) uf_atomic<of>::uf_type
#endif

/* memset() and memcpy() under names that no user's macro can have; volatile storage is handled too. */
static inline void uf_clear(void *to, size_t size)
{
#if defined(__GNUC__)
    __builtin_memset(to, 0, size);
#else
    for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = 0;
#endif
}

static inline void uf_copy(void *to, const void *from, size_t size)
{
#if defined(__GNUC__)
    __builtin_memcpy(to, from, size);
#else
    for (size_t i = 0; i < size; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
#endif
}

static inline void uf_copy_volatile(volatile void *to, const volatile void *from, size_t size)
{
    for (size_t i = 0; i < size; i++) ((volatile unsigned char *)to)[i] = ((const volatile unsigned char *)from)[i];
}

static inline uf_pump *uf_pump_of(const uf_flow *flow)
{
    return flow->pump;
}

/* -- descriptors: const tables, for the runtime, observers, debuggers and tools ------------------------------------ */

typedef struct uf_step_info {
    const char *name;
    uint32_t line;
    uint16_t task; /* index into tasks */
} uf_step_info;

typedef enum uf_task_kind { UF_TASK_PLAIN, UF_TASK_FOREVER, UF_TASK_SHUTDOWN } uf_task_kind;

typedef struct uf_task_info {
    const char *name;
    uint32_t line;
    uint16_t entry;        /* index into steps */
    uint16_t result_class; /* tasks of one flow with the same result type share one; 0: no result */
    uint8_t kind;          /* a uf_task_kind */
} uf_task_info;

typedef enum uf_state_kind {
    UF_STATE_ENTRY, /* started or become, not entered yet: state initialisers, `on enter`, entry step */
    UF_STATE_STEP,  /* a body */
    UF_STATE_WAIT,  /* parked in an await */
    UF_STATE_STAY   /* staying with a timeout: its outcome or the body */
} uf_state_kind;

typedef struct uf_state_info {
    uint16_t step;
    uint8_t kind; /* a uf_state_kind */
} uf_state_info;

typedef enum uf_edge_kind {
    UF_EDGE_NEXT,
    UF_EDGE_STAY,
    UF_EDGE_AWAIT,
    UF_EDGE_TIMEOUT,
    UF_EDGE_ELSE,
    UF_EDGE_BECOME,
    UF_EDGE_DONE,
    UF_EDGE_FAIL
} uf_edge_kind;

typedef struct uf_edge_info {
    uint16_t from; /* step */
    uint16_t to;   /* step; UF_NO_STEP at an end */
    uint8_t kind;  /* a uf_edge_kind */
    uint32_t line;
} uf_edge_info;

#define UF_NO_STEP 0xffffu

/* `on SIGNAL -> OUTCOME;`, in textual order. */
typedef struct uf_preempt_info {
    uf_signal *signal; /* NULL: it lies `offset` bytes into the flow's struct */
    uint32_t offset;
    uint32_t line;
    uint16_t task; /* index into tasks; UF_NO_TASK: the flow's own */
} uf_preempt_info;

#define UF_NO_TASK 0xffffu

/* What turns do about them: only flows that have any refer to it, so that programs without are linked without it. */
extern const struct uf_preempting uf_preempting;

/* A job of a task. */
typedef struct uf_job_info {
    uint32_t offset; /* of its uf_job in the flow's struct */
    uint16_t task;
    const char *name;
} uf_job_info;

/* A worker. The handles of its jobs are structs that begin with their uf_job. */
struct uf_worker {
    const char *name;
    void (*run)(uf_work *work, const void *arguments, void *value); /* on a thread of the pool */
    uint32_t arguments_size, value_size;                            /* 0: none */
    uint32_t value_offset, reason_offset;                           /* in the handle's struct; 0: it has none */
    uint32_t line;
    const char *source;
};

struct uf_flow_type {   /* generated code fills it in this order, without designators */
    uint32_t abi;       /* UF_ABI of the generated code */
    uint32_t size;      /* of the flow's struct */
    const char *name;   /* "Picker" */
    const char *source; /* the .uflow file, as named to ufc */
    /* Runs what the state says. */
    uf_intent (*turn)(uf_flow *flow);
    /* `on exit` of the current task, which was entered; NULL: no task has one. */
    void (*on_exit)(uf_flow *flow, uf_outcome outcome);
    const uf_task_info *tasks;
    const uf_step_info *steps;
    const uf_state_info *states; /* indexed by state */
    const uf_edge_info *edges;
    uint16_t task_count, step_count, state_count, edge_count;
    uint16_t arm_count;          /* of the widest wait */
    uint32_t arms_offset;        /* of `uf_arm uf_arms[arm_count]` in the flow's struct; 0: none */
    uint32_t reason_offset;      /* of `char uf_reason[UF_REASON_SIZE]`; 0: none */
    uint32_t description_offset; /* of `char uf_description[UF_DESCRIPTION_SIZE]`; 0: none */
    const uf_preempt_info *preempts;
    const struct uf_preempting *preempting; /* &uf_preempting, if it has any */
    uint16_t preempt_count;
    uint32_t preempts_offset; /* of `uf_arm uf_preempts[preempt_count]` in the flow's struct */
    /* The outcome of preempts[which], made as that of an await is: it leaves what the flow waits for. In a turn of its
     * own, before the body or the arms are looked at; uf_woken() is the runtime's. */
    uf_intent (*preempt)(uf_flow *flow, uint16_t which);
    /* Destroys what others reach in it: its signals, checkpoints and mailboxes; NULL: it has none. When it is detached. */
    void (*release)(uf_flow *flow);
    const uf_job_info *jobs;
    uint16_t job_count;
    uint32_t jobs_offset; /* of `uint32_t uf_jobs` in the flow's struct: how many are in flight; 0: it has no jobs */
};

/* -- arms: what a parked flow waits for ---------------------------------------------------------------------------- */

typedef enum uf_arm_kind {
    UF_ARM_UNUSED = 0,
    UF_ARM_DEADLINE, /* `timeout D`, `stay timeout D` */
    UF_ARM_INTERVAL, /* `stay every D` */
    UF_ARM_HELD,     /* `until (cond) for D`; on the wheel while the condition holds */
    UF_ARM_RUN,      /* a run of another flow */
    UF_ARM_IDLE,     /* another flow's being idle */
    UF_ARM_JOB,      /* a job of the task */
    UF_ARM_OPERAND,  /* waits for nothing: keeps a duration that was evaluated when the await was reached */
    UF_ARM_READABLE, /* a file descriptor */
    UF_ARM_WRITABLE,
    UF_ARM_STOPPING, /* an ordered stop */
    UF_ARM_SIGNAL,
    UF_ARM_CHECKPOINT, /* waits for its signal once the flow stands there */
    UF_ARM_ARRIVED,    /* somebody stands at a checkpoint */
    UF_ARM_MAILBOX,
    UF_ARM_PREEMPT /* in `uf_preempts`: no step waits for it */
} uf_arm_kind;

typedef enum uf_arm_state { UF_ARM_PENDING = 0, UF_ARM_READY, UF_ARM_FAILED } uf_arm_state;

/* Why a run failed; the text is made when it is asked for. */
typedef enum uf_arm_cause {
    UF_CAUSE_NONE = 0,
    UF_CAUSE_REASON, /* the child's own */
    UF_CAUSE_CANCELLED,
    UF_CAUSE_STATUS,   /* it did not start: `why` is the uf_status */
    UF_CAUSE_ENDED_IN, /* it ended in a task of another result type: `why` is its index */
    UF_CAUSE_SYSTEM,   /* of a descriptor: `why` is the errno */
    UF_CAUSE_CLOSED    /* the descriptor was closed while it was waited for */
} uf_arm_cause;

typedef struct uf_arm_detail {
    uint16_t result_class; /* of a run: the class in which it must end */
    uint16_t why;          /* see uf_arm_cause */
} uf_arm_detail;

/* 40 bytes on LP64. On one list at most: a slot of the wheel, the waiters of a flow or of a signal. All zero before its first
 * use; between two, on no list. */
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

/* -- life ---------------------------------------------------------------------------------------------------------- */

/* Attaches a zeroed flow to its pump, idle. UF_ABI_MISMATCH; UF_INVALID for a NULL. */
uf_status uf_flow_init(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name);

/* Detaches a flow and the sub-flows inside it. UF_BUSY, and nothing happens, while one of them runs, or the flow
 * that ran one has not yet seen how that ended; UF_INVALID if it is not attached. */
uf_status uf_flow_detach(uf_flow *flow);

/* Has the last run ended done, in that task? So that its result can be read. */
bool uf_done_in(const uf_flow *flow, uint16_t task);

/* A start in two halves, with the arguments stored between them: claim says UF_OK, UF_BUSY or UF_STOPPING;
 * commit makes the flow runnable in the state `entry` and, if `run` is not NULL, hands out the handle. Any thread. */
uf_status uf_start_claim(uf_flow *flow);
void uf_start_commit(uf_flow *flow, uint32_t entry, uf_run *run);

/* A start that waits: for its turn, then for the end of that very run. Made by Flow_call_Task(): init, then arguments
 * and result as far as there are any, then make. */
typedef struct uf_call {
    uf_flow *flow;
    uint32_t entry;
    uint16_t result_class;
    uf_time timeout; /* real time, for all of it; UF_FOREVER: none */
    uf_call_info *info;
    void *arguments_to; /* in the flow; copied from the caller's when its turn has come */
    const void *arguments;
    size_t arguments_size;
    void *result; /* the caller's; copied from the flow's on the pump's thread, when the run ends done */
    const void *result_from;
    size_t result_size;
} uf_call;

void uf_call_init(uf_call *call, uf_flow *flow, uint32_t entry, uint16_t result_class, uf_time timeout,
                  uf_call_info *info);
void uf_call_arguments(uf_call *call, void *to, const void *from, size_t size);
void uf_call_result(uf_call *call, void *to, const void *from, size_t size);

/* UF_OK: done, and the result is there. UF_NOT_DONE: it ended otherwise, `info` says how. UF_TIMED_OUT: nothing of it is
 * left, a run that had begun is being cancelled. UF_DEADLOCK on the pump's own thread; UF_UNSUPPORTED on a pump that is
 * driven by hand; UF_STOPPING, UF_CLOSED, UF_NO_MEMORY, UF_INVALID. */
uf_status uf_call_make(const uf_call *call);

/* `(count) ms`, with a count of any arithmetic type. In C only, as generated code is. */
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__OPTIMIZE_SIZE__) && UINTPTR_MAX > UINT32_MAX
static inline uf_time uf_duration_whole(int64_t count, uf_time unit)
{
    uf_time product;
    return __builtin_mul_overflow(count, unit, &product) ? uf_duration(count, unit) : product;
}
#else
#define uf_duration_whole uf_duration
#endif
#if defined(UF_NO_FLOAT)
#define UF_DURATION_REAL
#else
#define UF_DURATION_REAL float : uf_duration_real, double : uf_duration_real, long double : uf_duration_real,
#endif
/* clang-format off */
#define UF_DURATION(count, unit)                                                                                        \
    (_Generic((count), UF_DURATION_REAL unsigned long: uf_duration_unsigned, unsigned long long: uf_duration_unsigned,  \
              default: uf_duration_whole)((count), (unit)))
/* clang-format on */

/* -- intents ------------------------------------------------------------------------------------------------------- */

/* What the turn is to run. */
static inline uint32_t uf_state(const uf_flow *flow)
{
    return UF_LOAD_STATE(flow);
}

/* At a task's entry turn, before its entry step runs: from here on the state is that step's. */
static inline void uf_enter(uf_flow *flow, uint32_t state)
{
    UF_STORE_STATE(flow, state);
}

/* The same if the entry step stays or polls: the time of entry is read anew. */
void uf_enter_timed(uf_flow *flow, uint32_t state);

/* In a pre-emption by which a task that was not entered yet goes on to a step: before its `on enter`. */
void uf_enter_task(uf_flow *flow);

static inline uf_intent uf_next(uf_flow *flow, uint32_t state)
{
    (void)flow;
    return uf_intent_of(UF_INTENT_NEXT | state);
}

/* The same to a step that stays or polls: its time is counted from this moment. */
uf_intent uf_next_timed(uf_flow *flow, uint32_t state);

static inline uf_intent uf_stay(void)
{
    return uf_intent_of(UF_INTENT_STAY);
}

/* `stay every D`, `stay [every D] timeout D`: arm[0] has the interval, arm[1], or arm[0] if there is no interval, the
 * timeout. `state` is the body's own (UF_STATE_STEP) or, with a timeout, the pause's (UF_STATE_STAY).
 *   stay every D;               return uf_stay_every(uf, &arm[0], D, <step state>);
 *   stay timeout T -> O;        if (uf_stay_timed_out(uf, &arm[0], T)) return O; return uf_poll(uf, <stay state>);
 *   stay every D timeout T -> O;    the two, with arm[1] for T and the stay state */
uf_intent uf_stay_every(uf_flow *flow, uf_arm *interval, uf_time every, uint32_t state);

/* Has `timeout` passed since the step was entered? Sets the arm to that moment if not. */
bool uf_stay_timed_out(uf_flow *flow, uf_arm *arm, uf_time timeout);

/* At the turn in the stay state: is it the timeout that has come, so that the body does not run again? */
bool uf_stay_expired(const uf_flow *flow, const uf_arm *arm);

/* Leaves the current task: cancels its children, then runs its `on exit`. True: go on, and store what the ending
 * brings. False: uf_flow_fail() has been called, nothing else of the intent may take place; the turn sees to the
 * failure. */
bool uf_leave(uf_flow *flow, uf_outcome outcome);

uf_intent uf_done(uf_flow *flow); /* `done;` without a result */

/* After uf_leave(flow, UF_BECAME) and storing the arguments. */
static inline uf_intent uf_become(uf_flow *flow, uint32_t entry)
{
    (void)flow;
    return uf_intent_of(UF_INTENT_BECOME | entry);
}

/* `fail "format", ...;` formats the reason; the turn then leaves the task. */
uf_intent uf_fail(uf_flow *flow, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* `fail;`: the reason is empty. */
uf_intent uf_fail_silent(uf_flow *flow);

void uf_describe(uf_flow *flow, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* True from uf_flow_fail() to the end of the turn: `on enter` failed, so the entry step is not run. */
bool uf_failing(const uf_flow *flow);

/* -- await --------------------------------------------------------------------------------------------------------- */

/* In the order of the generated code: the await function sets its arms, the wait function decides, at once and when
 * woken. */
bool uf_arm_timeout(uf_flow *flow, uf_arm *arm,
                    uf_time after);           /* from now on; <= 0, which it says by false: is due at once */
void uf_arm_held(uf_flow *flow, uf_arm *arm); /* until ... for */
void uf_arm_operand(uf_flow *flow, uf_arm *arm, uf_time value); /* a slot that keeps the D of `for D` */
static inline uf_time uf_operand(const uf_arm *arm)
{
    return arm->on.deadline;
}
void uf_arm_idle(uf_flow *flow, uf_arm *arm, uf_flow *target);

/* Of a flow's flags: something is armed. */
#define UF_FLAG_ARMED UINT16_C(1)

/* A run that was started with `status`; the child's end in a task of `result_class` (0: any) is its success. */
void uf_arm_run(uf_flow *flow, uf_arm *arm, uf_flow *child, uf_status status, uint16_t result_class);

/* May `flow` run `child`? UF_INVALID for none, or one that is not attached; UF_OTHER_PUMP unless they are on one
 * pump; UF_BUSY for itself, and after an earlier run of the same await did not start: the failure is decided
 * already, nothing more is started. */
uf_status uf_run_allowed(const uf_flow *flow, const uf_flow *child);

/* True once a run of this await has been armed in this turn: the conditions were polled before, when nothing was
 * started yet, and are not polled again: `if (!uf_polled(uf) && (condition))`. Only for an await with both a run and
 * an until. */
#define UF_FLAG_POLLED UINT16_C(2)
static inline bool uf_polled(const uf_flow *flow)
{
    return (flow->flags & UF_FLAG_POLLED) != 0;
}

static inline bool uf_timed_out(const uf_flow *flow,
                                const uf_arm *arm) /* a deadline arm has come: it has left its list */
{
    (void)flow;
    return arm->state == UF_ARM_READY;
}
/* The only arm of an await has come, and is on no list: nothing of that is armed any more. An await that runs a
 * sub-task looks at that arm before it sets it: it is to be found as uf_disarm_all() leaves it. */
static inline void uf_disarm_alone(uf_flow *flow, uf_arm *arm)
{
    arm->kind = UF_ARM_UNUSED;
    arm->state = UF_ARM_PENDING;
    flow->flags &= (uint16_t)~UF_FLAG_ARMED;
}
static inline bool uf_timed_out_alone(uf_flow *flow, uf_arm *arm) /* the same of the only arm of an await */
{
    if (arm->state != UF_ARM_READY) return false;
    uf_disarm_alone(flow, arm);
    return true;
}
bool uf_held(uf_flow *flow, uf_arm *arm, bool condition, uf_time hold); /* the condition has held for so long */
bool uf_idle(const uf_arm *arm);                                        /* a level: idle now, and on the same pump */
static inline bool uf_run_done(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY;
}
static inline bool uf_run_failed(const uf_arm *arm)
{
    return arm->state == UF_ARM_FAILED;
}
static inline uf_flow *uf_run_child(const uf_arm *arm)
{
    return arm->on.target;
}

/* Bare reason of a failed run: the child's own, "busy", "cancelled", "other pump", "stopping", "ended in Park". Lies
 * in the flow's own reason buffer, until its run ends or another one is asked for. */
const char *uf_run_reason(uf_flow *flow, const uf_arm *arm);

/* A failure that no `else` takes: fails the task with "Axis.Home: <reason>". */
uf_intent uf_run_failure(uf_flow *flow, const uf_arm *arm, const char *source);

/* A signal. `since`: for one with a name, its epoch as the first thing that the body does; for `fired(&expr)`, the epoch
 * when the await is reached. With NULL, and once it was destroyed, looking fails the flow. False: looking says at once what
 * comes of it. */
bool uf_arm_signal(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);
static inline uint32_t uf_since(const uf_signal *signal) /* uf_signal_epoch(), with a load of its own where that does */
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
bool uf_look_at_signal(uf_flow *flow, const uf_arm *arm);
bool uf_look_at_first(uf_flow *flow); /* the same of the flow's first arm, so that who calls it need not keep that */
static inline bool uf_signalled(uf_flow *flow, const uf_arm *arm) /* it has fired; true from then on */
{
    return arm->state == UF_ARM_READY || uf_look_at_signal(flow, arm);
}
/* The same of the only arm of an await, the flow's first. One that was released has left its list. */
static inline bool uf_signalled_alone(uf_flow *flow, uf_arm *arm)
{
    if (arm->state != UF_ARM_READY || arm->on_list) return uf_look_at_first(flow);
    uf_disarm_alone(flow, arm);
    return true;
}

/* A checkpoint. The flow stands there from the moment that it has parked in this await until it leaves it. */
void uf_arm_checkpoint(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);
bool uf_checkpoint_passed(uf_flow *flow, uf_arm *arm); /* not armed; or resumed since we stand there */

/* Levels: somebody stands at the checkpoint, which is NULL or destroyed as a signal may be; there is something in the mailbox. */
void uf_arm_arrived(uf_flow *flow, uf_arm *arm, uf_checkpoint *checkpoint);
bool uf_arrived(uf_flow *flow, uf_arm *arm);
void uf_arm_mailbox(uf_flow *flow, uf_arm *arm, uf_mailbox *mailbox);
bool uf_mail(uf_flow *flow, uf_arm *arm);

/* A job of the task. */
bool uf_arm_job(uf_flow *flow, uf_arm *arm, uf_job *job); /* false: looking says at once what comes of it */
static inline bool uf_job_done(const uf_arm *arm)
{
    return arm->on.job->status == UF_JOB_DONE;
}
static inline bool uf_job_done_alone(uf_flow *flow, uf_arm *arm) /* the same of the only arm of an await */
{
    if (!uf_job_done(arm)) return false;
    uf_disarm_alone(flow, arm);
    return true;
}
static inline bool uf_job_failed(const uf_arm *arm)
{
    return arm->on.job->status != UF_JOB_DONE && arm->on.job->status != UF_JOB_PENDING;
}

/* Bare reason of one that has failed; see uf_job_reason(). Lies where that of a run does, if the flow has a buffer. */
const char *uf_job_failure_reason(uf_flow *flow, const uf_arm *arm);

/* A failure that no `else` takes: fails the task with "weigh: <reason>". */
uf_intent uf_job_failure(uf_flow *flow, const uf_arm *arm, const char *source);

/* A file descriptor, on the pump of a runtime. One that has failed or was hung up is ready, which reading or writing it
 * will tell. Failed: it is none, or was closed meanwhile, or there is no memory to watch one more. */
void uf_arm_readable(uf_flow *flow, uf_arm *arm, int fd);
void uf_arm_writable(uf_flow *flow, uf_arm *arm, int fd);
static inline bool uf_fd_ready(const uf_arm *arm)
{
    return arm->state == UF_ARM_READY;
}
static inline bool uf_fd_failed(const uf_arm *arm)
{
    return arm->state == UF_ARM_FAILED;
}
/* Bare reason of one that has failed, as that of a run; and "readable: <reason>" as the task's. */
const char *uf_fd_reason(uf_flow *flow, const uf_arm *arm);
uf_intent uf_fd_failure(uf_flow *flow, const uf_arm *arm, const char *source);

/* A level: an ordered stop has begun. */
void uf_arm_stopping(uf_flow *flow, uf_arm *arm);
static inline bool uf_stopping(const uf_flow *flow)
{
    return uf_pump_stopping(flow->pump);
}

/* No arm is ready: park in `state`; with a condition among the arms, poll. */
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

/* Leaves an await or a timed stay: cancels its runs that have not ended, takes its arms off every list. Called by what
 * stores the arguments of an outcome, after they were evaluated. Cheap when nothing is armed. */
void uf_disarm_all(uf_flow *flow);
static inline void uf_leave_await(uf_flow *flow)
{
    if (flow->flags & UF_FLAG_ARMED) uf_disarm_all(flow);
}

/* Around every decision that is made at a turn without running the body: a parked await's, an expired stay's. It is
 * no step of its own: the step or task that it leads to runs in the same turn. */
static inline uf_intent uf_woken(uf_intent intent)
{
    return uf_intent_of(UF_INTENT_WOKEN | intent.bits);
}

/* -- jobs ---------------------------------------------------------------------------------------------------------- */

/* `submit JOB(args) [timeout D];` in a step's body. The arguments, of worker->arguments_size, are copied; `timeout` is real
 * time, UF_FOREVER: none; with 0 or less it times out at once. A job of this handle that is pending is abandoned first. How
 * it stands is in the handle from now on, rejected or timed out perhaps. */
void uf_submit(uf_flow *flow, uf_job *job, const uf_worker *worker, const void *arguments, uf_time timeout);

/* `fail "format", ...;` in a worker: the reason comes with the failure if the handle has room for it; the first one counts.
 * `fail;`: without one. */
void uf_work_fail(uf_work *work, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void uf_work_fail_silent(uf_work *work);

#ifdef __cplusplus
}
#endif
#endif
