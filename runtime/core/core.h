/* core.h - what the files of core share, and nobody else sees.
 *
 * A flow that runs is on one of its pump's two lists, also during its own turn, or on none of them when it is
 * parked. A round walks through the lists and leaves the flows where they are: what becomes ready meanwhile is put
 * before the flow whose turn it is. So it runs in the next round, the order is that of becoming ready, and a `next`
 * touches no list. */
#ifndef UFLOW_CORE_H
#define UFLOW_CORE_H

#include "uflow/generated.h"

#include "hosted.h"

#include <stdarg.h>

/* Where size counts there is one way for all, be it longer for most. */
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define UFI_FAST_PATHS true
#else
#define UFI_FAST_PATHS false
#endif

/* -- flags of a flow; UF_FLAG_ARMED (1) and UF_FLAG_POLLED (2) are generated code's too ---------------------------- */

enum {
    UFI_STAYING = 1 << 2,    /* the arms are those of a `stay`: the body has to take them off if it goes on otherwise */
    UFI_REFUSED = 1 << 3,    /* a run of this await did not start */
    UFI_CANCEL = 1 << 4,     /* asked to end at the next turn */
    UFI_NEW = 1 << 5,        /* started, and observers have not been told */
    UFI_ENTERING = 1 << 6,   /* the next turn enters a task */
    UFI_ENTERED = 1 << 7,    /* the current task's `on exit` has to run */
    UFI_FAILING = 1 << 8,    /* a reason is stored; the turn will leave the task */
    UFI_DESCRIBED = 1 << 9,  /* the description holds something */
    UFI_POLLING = 1 << 10,   /* on the polling list */
    UFI_ODD_ROUND = 1 << 11, /* put there in a round with an odd number */
    UFI_PREEMPTED = 1 << 12, /* a signal that pre-empts it has fired */
    UFI_STOPS = 1 << 13,     /* this await has a checkpoint */
    UFI_JOBS = 1 << 14,      /* this task has submitted some */
    UFI_WOKEN = 1 << 15,     /* in its own turn: it looks at its arms once more before it parks */
    UFI_SEEN = UFI_ODD_ROUND /* of one that does not poll: in its own turn somebody has begun to look on */
};

static inline void ufi_flag_set(uf_flow *flow, unsigned flags)
{
    flow->flags = (uint16_t)(flow->flags | flags);
}
static inline void ufi_flag_clear(uf_flow *flow, unsigned flags)
{
    flow->flags = (uint16_t)(flow->flags & ~flags);
}

/* -- lists: circular, with a sentinel ------------------------------------------------------------------------------ */

static inline void ufi_list_init(uf_link *list)
{
    list->next = list->prev = list;
}
static inline bool ufi_list_empty(const uf_link *list)
{
    return list->next == list;
}

static inline void ufi_list_remove(uf_link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
}

/* Before another link; before the sentinel: at the end. */
static inline void ufi_list_insert(uf_link *before, uf_link *link)
{
    link->next = before;
    link->prev = before->prev;
    before->prev->next = link;
    before->prev = link;
}

/* The link is a flow's first member. */
static inline uf_flow *ufi_flow_of(uf_link *link)
{
    return (uf_flow *)(void *)link;
}

static inline uf_flow *ufi_attached_flow(uf_link *link)
{
    return (uf_flow *)((uintptr_t)link - offsetof(uf_flow, attached));
}

enum { UFI_ON_LIST = 1 }; /* an arm's on_list */

/* Arms are on circular lists without a sentinel; the head points to the last one, and an all-zero head is empty. */
static inline void ufi_arms_append(uf_arm **last, uf_arm *arm)
{
    uf_arm *const before = *last;

    if (before) {
        uf_arm *const first = before->next;
        arm->prev = before;
        arm->next = first;
        first->prev = arm;
        before->next = arm;
    } else {
        arm->next = arm->prev = arm;
    }
    arm->on_list = UFI_ON_LIST;
    *last = arm;
}

static inline void ufi_arms_remove(uf_arm **last, uf_arm *arm)
{
    if (arm->next == arm) *last = NULL;
    else if (*last == arm) *last = arm->prev;
    arm->prev->next = arm->next;
    arm->next->prev = arm->prev;
    arm->next = arm->prev = NULL;
    arm->on_list = 0;
}

/* -- time ---------------------------------------------------------------------------------------------------------- */

/* Logical time goes to exactly `logical`, and real time as far as that takes: at once if it passed already. False, and
 * nothing changes, if the clock stands. */
bool ufi_clock_move_to(uf_clock *clock, uf_time logical);

/* a - b, saturating. */
uf_time ufi_time_sub(uf_time a, uf_time b);

void ufi_wheel_init(uf_wheel *wheel, uf_time now);

/* Sets an arm that is on no list to its on.deadline, which is to come, and not UF_FOREVER. */
void ufi_wheel_set(uf_wheel *wheel, uf_arm *arm);
void ufi_wheel_cancel(uf_wheel *wheel, uf_arm *arm);

/* Of a wheel's `soonest`: no deadline is so early. */
#define UFI_WHEEL_UNKNOWN INT64_MIN

/* Takes the next arm that is due at `now`, which never runs backwards, off the wheel, ready: in the order of the deadlines,
 * ties as they were set. NULL: there is none. */
uf_arm *ufi_wheel_take(uf_wheel *wheel, uf_time now);
static inline uf_arm *ufi_wheel_pop(uf_wheel *wheel, uf_time now)
{
    return wheel->soonest <= now ? ufi_wheel_take(wheel, now) : NULL;
}

/* The earliest deadline; UF_FOREVER: none. Searches one slot if its earliest was cancelled, and remembers what it found. */
uf_time ufi_wheel_search(uf_wheel *wheel);
static inline uf_time ufi_wheel_next(uf_wheel *wheel)
{
    return wheel->soonest != UFI_WHEEL_UNKNOWN ? wheel->soonest : ufi_wheel_search(wheel);
}

/* A time that no deadline is before; the earliest one itself, unless that was cancelled and the next one would have to be
 * searched for among many. Who waits until then wakes up too early once, and timers have moved down by then. O(1). */
uf_time ufi_wheel_bound(uf_wheel *wheel);

/* -- pumps --------------------------------------------------------------------------------------------------------- */

/* False for NULL and zeroed storage: uf_pump_init() makes no pump whose interval is 0. A member that never changes, for
 * other threads may ask too. */
static inline bool ufi_is_pump(const uf_pump *pump)
{
    return pump && pump->config.stay_interval != 0;
}

/* -- flows --------------------------------------------------------------------------------------------------------- */

/* While this bit is on in a flow's ticks, its words are changing: what other threads read now may be of two moments. Only
 * the pump's thread changes them so: when a run begins, and when a step or a task is entered. */
#define UFI_CHANGING UINT32_C(0x80000000)

/* Logical time as it was last read: in a round of a runtime it may be older than this moment by what its steps took. */
static inline uf_time ufi_now(const uf_flow *flow)
{
    return flow->pump->clock.logical;
}

/* Logical time at this moment, from which durations are counted. A runtime reads its clock, and its pump's time advances;
 * any other pump has one time per round. */
static inline uf_time ufi_read_time(const uf_pump *pump)
{
    return pump->host ? pump->host->now(pump) : pump->clock.logical;
}

/* A state without what says that it is idle or on its way. */
static inline uint32_t ufi_plain(uint32_t state)
{
    return state & ~(UF_STATE_IDLE | UF_STATE_CLAIMED | UFI_STATE_CANCEL);
}

const uf_step_info *ufi_step_of(const uf_flow *flow, uint32_t state);
const char *ufi_task_name(const uf_flow *flow, uint32_t state);
char *ufi_reason_buffer(const uf_flow *flow); /* NULL: the flow has none */

/* type->arm_count of them. */
static inline uf_arm *ufi_arms(const uf_flow *flow)
{
    return (uf_arm *)((uintptr_t)flow + flow->type->arms_offset);
}

/* Makes a flow that runs take a turn: in the next round, or, if its turn in this one is still to come, then. */
void ufi_wake(uf_flow *flow);

/* The place of a round on the list that it walks through: the flow whose turn it is, or, if that has left the list, what
 * came behind it. NULL: no round is under way, or it has not begun to walk. */
static inline uf_link *ufi_place(const uf_pump *pump)
{
    return pump->next ? pump->next : (uf_link *)(void *)pump->current;
}

/* Before which flows are put that become ready: behind all that are. The one whose turn it is, is not alone any more. */
static inline uf_link *ufi_behind_ready(uf_pump *pump)
{
    pump->alone = 1;
    return pump->walks_ready ? ufi_place(pump) : &pump->ready;
}

/* At the top of a round: those whose timers are due become ready. */
void ufi_wake_due(uf_pump *pump);

/* By one who is inside: the pump has been sent something, and its driver may sleep. */
static inline void ufi_wake_driver(uf_pump *pump)
{
    if (pump->config.wake) pump->config.wake(pump->config.context);
}

/* uf_pump_round(), for whoever drives the pump. */
uf_time ufi_round(uf_pump *pump, uf_time real);

/* Rounds at the clock's time, one after the other, until all that is left needs time, or so many. */
void ufi_rounds(uf_pump *pump, uint64_t at_most);

/* A turn for each flow that is ready, and for each that polls and has had none in this round. */
void ufi_run_ready(uf_pump *pump);

void ufi_run_polling(uf_pump *pump);

/* Where one flow alone is ready, none polls and nobody looks on: rounds, as long as it does nothing but `next`, and the one
 * in which it does something else; one at least, so many at most. None if there is more to its next turn than its body. */
void ufi_run_alone(uf_pump *pump, uint32_t at_most);

/* Ends a run out of its turn and at once: its children, its `on exit`, then it is idle. */
void ufi_cancel_now(uf_flow *flow);

/* Tells those who wait for a flow, there are some, that its run is over; it ended in `state`. */
void ufi_wake_waiters(uf_flow *flow, uint32_t state);

/* What `describe` said, in a buffer of UF_DESCRIPTION_SIZE bytes. */
const char *ufi_keep_description(const uf_flow *flow, char *buffer);

/* Forgets it. */
void ufi_clear_description(uf_flow *flow);

/* A start that another thread has sent comes to its pump. */
void ufi_arrive(uf_flow *flow);

/* Takes an arm for a descriptor or a stop off its list. */
void ufi_descriptor_leave(uf_flow *flow, uf_arm *arm);

/* Takes the timers of a `stay` off the wheel: its body is about to run again, and sets them anew if it stays again. The
 * kind and the deadline of an interval remain, from which the next one is counted; but nothing is ready, for an await that
 * the body reaches looks at its arms before all of them are set. */
void ufi_end_pause(uf_flow *flow);

/* An arm of an await that is being reached: it has an owner and a kind, and is on no list. */
static inline void ufi_set_arm(uf_flow *flow, uf_arm *arm, uf_arm_kind kind)
{
    if (flow->flags & UFI_STAYING) uf_disarm_all(flow); /* the body stayed before: those arms are over */
    arm->on.deadline = 0;
    arm->owner = flow;
    arm->kind = (uint8_t)kind;
    arm->state = UF_ARM_PENDING;
    arm->cause = UF_CAUSE_NONE;
    arm->on_list = 0;
    arm->place = 0;
    arm->why = 0;
    ufi_flag_set(flow, UF_FLAG_ARMED);
}

/* -- pre-emption: for flows whose type has any, and brings this along -------------------------------------------- */

struct uf_preempting {
    /* What fires from now on pre-empts the run that is about to begin; any thread that has claimed the flow. */
    void (*note)(uf_flow *flow);
    /* Sets those of the flow and of its first task, since they were noted; those of a task that follows another, from now
     * on; takes off all. */
    void (*set)(uf_flow *flow, uint16_t task);
    void (*change)(uf_flow *flow, uint16_t from, uint16_t to);
    void (*drop)(uf_flow *flow);
    /* Flags the flow as pre-empted if a signal has fired by now, also one that its pump has not been told of yet. */
    void (*check)(uf_flow *flow);
    /* Makes the intent of the first one that has come; false: none has that counts now. */
    bool (*take)(uf_flow *flow, uf_intent *intent);
};

/* Stores a reason and makes the turn fail the flow; false if it was failing already. */
bool ufi_fail(uf_flow *flow, const char *format, va_list arguments);

/* -- observers ----------------------------------------------------------------------------------------------------- */

/* What became of a job: one of the observers' callbacks. */
typedef enum ufi_job_news { UFI_SUBMITTED, UFI_COMPLETED, UFI_ABANDONED, UFI_REJECTED, UFI_SLOW } ufi_job_news;

/* A pump has it from its first observer on, so that programs without any are linked without all this. */
struct ufi_telling {
    void (*started)(uf_flow *flow);
    void (*step_changed)(uf_flow *flow, uf_step_change *change); /* which is given its `times` */
    void (*step_failed)(uf_flow *flow);
    void (*body_ran)(uf_flow *flow, uint32_t state, uf_time took);
    void (*ended)(uf_flow *flow, uf_outcome outcome);
    void (*signal_fired)(uf_pump *pump, const char *name, uint32_t released);
    void (*checkpoint_parked)(uf_flow *flow, const char *name);
    void (*stopping)(uf_pump *pump, const struct uf_stop_report *so_far);
    void (*job)(uf_flow *flow, ufi_job_news news, const uf_job_event *event);
    void (*slow_step)(uf_flow *flow, const uf_slow_step *slow);
    void (*slow_round)(uf_pump *pump);
    void (*round_ran)(uf_pump *pump);
    /* The turn of a flow's type, timed for them. */
    uf_intent (*timed_turn)(uf_pump *pump, uf_flow *flow);
    /* A round begins, and is measured if there is a limit or somebody who wants to know; it ends, and was measured. */
    void (*measure_round)(uf_pump *pump);
    void (*round_measured)(uf_pump *pump);
};

/* For the tables of observer.c: slow.c. */
uf_intent ufi_timed_turn(uf_pump *pump, uf_flow *flow);
void ufi_measure_round(uf_pump *pump);
void ufi_round_measured(uf_pump *pump);

/* What is measured of runs: times.c. Observers are given a copy, or NULL: it is not measured. All but the first only while
 * measured_runs is not 0. */
void ufi_run_begins(const uf_flow *flow);
const uf_run_times *ufi_measure_step(const uf_flow *flow, const uf_step_change *change,
                                     uf_run_times *copy); /* it is left */
const uf_run_times *ufi_measure_run(const uf_flow *flow, uf_run_times *copy);
void ufi_run_ended(const uf_flow *flow);
void ufi_body_timed(const uf_flow *flow, uf_time took);
void ufi_job_took(const uf_flow *flow, uf_time waited);

/* -- text ---------------------------------------------------------------------------------------------------------- */

/* Formats into `buffer`, always NUL-terminated, cut with "..." where it is too long, between two UTF-8 characters.
 * Returns the length written. At an unknown conversion the rest of the format is copied as it stands. */
size_t ufi_format(char *buffer, size_t size, const char *format, va_list arguments);
size_t ufi_format_args(char *buffer, size_t size, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* These four are all that core asks of a C library; a freestanding compiler asks for them too. */
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int byte, size_t size);

#endif
