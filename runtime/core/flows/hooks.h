/* SPDX-License-Identifier: MIT */
/* hooks.h - how lower layers call optional parts of the runtime, and the host.
 *
 * Each part fills a table of functions. A pump or flow refers to the table from the first use of the part on. So a
 * program links only the parts that it uses, and no lower layer includes a higher header. */
#ifndef UFLOW_HOOKS_H
#define UFLOW_HOOKS_H

#include "basics/core.h"

/* -- observers (observer.c): pump->notify -------------------------------------------------------------------------- */

typedef enum ufi_job_event_kind {
    UFI_SUBMITTED,
    UFI_COMPLETED,
    UFI_ABANDONED,
    UFI_REJECTED,
    UFI_SLOW
} ufi_job_event_kind;

struct ufi_observer_hooks {
    void (*started)(uf_flow *flow);
    void (*restored)(uf_flow *flow, uint32_t times);
    /* In a turn: this turn's flow has started another flow, has fired a signal whose home is the pump, or has armed a
     * checkpoint. */
    void (*run_requested)(const uf_flow *flow);
    void (*sent)(uf_pump *pump, const uf_signal *signal);
    void (*checkpoint_armed)(uf_pump *pump, const char *name);
    /* Changes the step, and notifies observers. */
    void (*change_step)(uf_flow *flow, uint32_t from, uint32_t to);
    void (*step_failed)(uf_flow *flow);
    /* The flow leaves its task, and has not left its await. */
    void (*leaves)(uf_flow *flow);
    /* Called before the handler is disarmed; for a new run, after its start. */
    void (*handler_decided)(uf_flow *flow, uint32_t handler);
    void (*paused)(uf_flow *flow);
    void (*resumed)(uf_flow *flow);
    void (*keeping_changed)(uf_flow *flow, uf_keeping keeping);
    void (*body_ran)(uf_flow *flow, uint32_t state, uf_time took);
    void (*ended)(uf_flow *flow, uint32_t last_state, uf_outcome outcome);
    void (*signal_fired)(uf_pump *pump, const char *name, uint32_t released);
    void (*checkpoint_parked)(uf_flow *flow, const char *name);
    void (*stopping)(uf_pump *pump, const struct uf_stop_report *so_far);
    /* The time at which observers hear again of the phase of a stop; `end`, if that is earlier. */
    uf_time (*next_telling)(const uf_pump *pump, uf_time end);
    void (*job)(uf_flow *flow, ufi_job_event_kind kind, const uf_job_event *event);
    void (*slow_step)(uf_flow *flow, const uf_slow_step *slow);
    void (*slow_round)(uf_pump *pump);
    void (*round_ran)(uf_pump *pump);
    /* ufi_run(), timed if the pump has a clock for it. Notifies the observers if a wait begins or ends. */
    uf_intent (*turn)(uf_pump *pump, uf_flow *flow, uint32_t state);
    /* Fast paths; NULL without them. Runs a turn without an entry, a cancel or a handler. Returns: false if it did not,
     * since the turn has one of these. */
    bool (*try_turn)(uf_pump *pump, uf_flow *flow);
    /* The rounds of ufi_run_lone(). */
    void (*run_lone_rounds)(uf_pump *pump, uf_flow *flow);
    /* A round begins: sets pump->measured if anyone needs its time. A measured round ends. */
    void (*measure_round)(uf_pump *pump);
    void (*round_measured)(uf_pump *pump);
};

/* -- events of real time (job.c, real_time.c): pump->real, if pump->real_events is not 0 --------------------------- */

struct ufi_real_hooks {
    /* A round begins: runs the jobs of a pool without threads, and times out others; wakes the owners of timers. */
    void (*begin_round)(uf_pump *pump);
    /* The latest real time for the next begin_round(). */
    uf_time (*next_deadline)(const uf_pump *pump);
    /* Takes a timer off. NULL if the pump has never had one. */
    void (*remove)(uf_pump *pump, uf_arm *arm);
};

static inline uf_time ufi_next_real(const uf_pump *pump)
{
    return UF_USES_REAL_TIME && pump->real_events ? pump->real->next_deadline(pump) : UF_FOREVER;
}

/* -- jobs (job.c): pump->jobs -------------------------------------------------------------------------------------- */

struct ufi_job_hooks {
    struct ufi_real_hooks real; /* only while jobs are in flight */
    /* A flow leaves its task: abandons the pending jobs of that task. */
    void (*leave_task)(uf_flow *flow);
    /* A flow is detached: its records in flight forget it. */
    void (*disown)(uf_flow *flow);
    void (*end_round)(uf_pump *pump);
    /* See ufi_close_pool(). */
    void (*recall)(uf_pump *pump);
    /* Why an arm that waits for jobs has failed. */
    const char *(*reason)(const uf_flow *flow, const uf_arm *arm);
};

/* -- signals (fired.c): pump->signals ------------------------------------------------------------------------------ */

struct ufi_signal_hooks {
    void (*dequeue)(uf_flow *flow, uf_arm *arm);
    /* See ufi_process_fired_early(). */
    bool (*process_fired_early)(uf_pump *pump);
    /* The same at the top of a round, called like a message: `message` is not used. */
    void (*process_fired)(uf_pump *pump, uf_message *message);
};

/* -- waits for room (room.c): pump->rooms -------------------------------------------------------------------------- */

struct ufi_waiting_hooks {
    /* An arm leaves its await. */
    void (*leave)(uf_pump *pump, uf_arm *arm);
    /* Wake-ups of arms have arrived. */
    void (*receive_woken)(uf_pump *pump);
};

/* -- mailboxes (mailbox.c): pump->mail ----------------------------------------------------------------------------- */

struct ufi_mail_hooks {
    /* A graceful shutdown begins: sends are refused from now on. The waits are woken by pump->hand_on(). */
    void (*stop_begins)(uf_pump *pump);
    /* It is over: drops unread items of mailboxes with `drop`. */
    void (*stop_ends)(uf_pump *pump);
};

/* -- callbacks of a signal (signal.c): callback->hooks. So only programs that subscribe link them ----------------- */

struct ufi_callback_hooks {
    /* Moves the callbacks that are due to a list of this thread, in the critical section. */
    void (*detach)(uf_signal *signal, uf_signal_callback **detached);
    /* Calls them. The signal may be gone. */
    void (*call)(const uf_signal *signal, uf_signal_callback **detached);
};

/* -- flows that wait for flows (wait.c): pump->subtasks ----------------------------------------------------------- */

struct ufi_subtask_hooks {
    /* A run has ended in this state: decides and wakes the arms that wait for it. There is at least one such arm. */
    void (*wake_waiters)(uf_flow *flow, uint32_t last_state);
    /* Ends the subtask of an arm, after that subtask's own subtasks. */
    void (*end)(const uf_arm *of);
};

/* -- pauses (pause.c): pump->pauses -------------------------------------------------------------------------------- */

struct ufi_pause_hooks {
    /* A run has begun: it stands if the flow that runs it does. */
    void (*began)(uf_flow *flow);
    /* A run is about to end: if the flow stands, that ends, too. */
    void (*ends)(uf_flow *flow);
    /* A flow that stands has a turn. Takes a handler that ends the pause, and ends it. Returns: false if there is none;
     * the turn is over. */
    bool (*take)(uf_flow *flow, uf_intent *intent);
    uf_time (*lasted)(const uf_flow *flow);
};

/* -- graceful shutdown (stop.c): pump->stop->hooks ---------------------------------------------------------------- */

struct ufi_stop_hooks {
    /* A round begins: enters the next phase if it is time. */
    void (*begin_round)(uf_pump *pump);
    /* The latest real time for the next begin_round(). */
    uf_time (*next_deadline)(const uf_pump *pump);
    void (*run_began)(uf_flow *flow, uint32_t state);
    void (*run_became)(uf_flow *flow, uint32_t from, uint32_t to);
    void (*run_ended)(uf_flow *flow, uint32_t state, uf_outcome outcome);
    /* A run stands, or goes on: the stop does not wait for it meanwhile. */
    void (*run_stands)(const uf_flow *flow, bool stands);
};

/* -- handlers and companions (preempt.c): flow->type->preempting -------------------------------------------------- */

struct uf_preempting {
    /* Stores the signals' epochs: later fires preempt the run that is about to begin. Called by the thread that
     * claimed the flow. */
    void (*note_epochs)(uf_flow *flow);
    /* Arms the handlers of the flow, of its first task and of the groups around it, from the stored epochs on. */
    void (*arm)(uf_flow *flow, uint16_t task);
    /* Arms the handlers of the task that follows another one, and of the groups that hold only the former. */
    void (*change_task)(uf_flow *flow, uint16_t from, uint16_t to);
    /* The flow leaves its task: cancels the companions of the task, and disarms its timeout. */
    void (*leave_task)(uf_flow *flow);
    /* Leaves a task that is being cancelled, and the groups around it up to the next one with companions that run.
     * Returns: one of these; NULL: no companion runs. */
    uf_arm *(*leave_to_companion)(uf_flow *flow);
    void (*disarm)(uf_flow *flow);
    /* Sets UFI_PREEMPTED if a handler must be taken: a signal has fired by now, the timeout is due, or a companion has
     * failed. A fire counts even if the pump has not processed it yet. */
    void (*check)(uf_flow *flow);
    /* Makes the intent of the first such handler. Returns: false if there is none. */
    bool (*take)(uf_flow *flow, uf_intent *intent);
    /* ufi_signal_enqueue(). NULL for flows without handlers for signals, whose programs need not link it. */
    void (*enqueue)(uf_flow *flow, uf_arm *arm, uf_signal *signal, uint32_t since);
};

/* -- members of pools (members.c): member's pool->info->pooling --------------------------------------------------- */

struct uf_pooling {
    /* The init of a flow inside the member that is being initialised, or of that member. */
    uf_status (*init_part)(uf_pump *pump, uf_flow *part, const uf_flow_type *type, const char *name);
    /* Is the member reserved for a start by this thread? Takes the reservation. */
    bool (*take_reserved)(uf_flow *member);
    /* The run of a member begins: initialises and attaches it. Returns: false if its init failed. */
    bool (*begin)(uf_flow *member);
    /* A run that ends before its first turn enters its task first. */
    void (*enter)(uf_flow *member);
    /* The run of a member has ended: the member is free. */
    void (*ended)(uf_flow *member);
    /* Does the flow have a pool with a member that is not free? */
    bool (*is_busy)(const uf_flow *owner);
    /* The same as that of mailboxes, for spawns. */
    void (*stop_begins)(uf_flow *owner);
    /* In the critical section of the pool: the number of places that are kept for ends; frees them if the run of the
     * owner in which they ended is over. NULL: none is kept. */
    uint32_t (*kept)(uf_members *pool);
    /* The end of a member is there again, or was taken and its place is not free yet; that is free. NULL: none is. */
    void (*keep_end)(uf_members *pool, uf_member *member, bool is_taken);
    void (*free_taken)(uf_members *pool, uf_member *member);
};

/* -- durable flows (durable.c): pump->store->hooks ----------------------------------------------------------------- */

/* Why such a flow was cancelled. */
#define UFI_OWNER_LOST "owner lost"

struct ufi_store_hooks {
    /* Is the run of this flow kept, so that a stop suspends it? Was it just suspended? */
    bool (*keeps)(const uf_flow *flow);
    bool (*has_suspended)(const uf_flow *flow);
    /* A flow is being detached, or is a part of a member whose run has ended. */
    void (*detached)(uf_flow *flow);
    /* The init of a member is over: its parts have their paths. */
    void (*member_begun)(uf_flow *member);
    /* On the pump's thread, or while none drives it: UF_OK: it is kept that the run has begun; UF_BUSY: not yet;
     * UF_STORE: the store has failed; UF_STALE: it has ended before. */
    uf_status (*begun)(uf_run run);
    /* Is the flow busy although it does not run? Any thread. */
    bool (*is_owed)(const uf_flow *flow);
    /* The time of a timer without an owner has come. */
    void (*due)(uf_pump *pump, uf_arm *timer);
    /* Was it cancelled because its owner does not go on? Any thread. */
    bool (*is_lost)(const uf_flow *flow);
    /* The end of a member is taken. Returns: true: its place is not free yet. */
    bool (*hold_end)(uf_flow *member);
    /* The task of a member was just entered without a turn, since the member is interrupted before its first one. */
    void (*enter)(uf_flow *member);
    /* The row of the innermost group that a flow that is kept is in, counted from 1; 0: none. */
    uint16_t (*group)(const uf_flow *flow);
    /* What is kept, and since when, in real time. */
    uf_keeping (*keeping)(const uf_flow *flow, uf_time *since);
};

/* -- the host (runtime/host): pump->host; NULL on a caller-driven pump -------------------------------------------- */

struct ufi_host {
    /* A message is in the inbox: makes sure that a round follows. Any thread. */
    void (*wake)(uf_pump *pump);
    /* Is a wake-up needed? False only if a later round sees all earlier messages. Any thread that pins the pump. */
    bool (*asleep)(const uf_pump *pump);
    /* A run ended while threads wait for flows. Stores `state` last, or passes the flow on to a waiting call. */
    void (*ended)(uf_flow *flow, uint32_t state);
    /* A run that no other flow waits for has failed, and is about to end. Or it has ended, and another event decided
     * the wait of the flow that waited for it. Reports it unless a thread waits for it. */
    void (*failed)(uf_flow *flow);
    /* Does a thread wait for the end of this run? */
    bool (*awaited)(const uf_flow *flow);
    /* Threads wait for flows, and a request of another thread has ended. Any thread. */
    void (*review)(uf_pump *pump);
    /* The public functions of these names, called on another thread than the pump's. */
    uf_status (*cancel)(uf_run run);
    uf_status (*detach)(uf_flow *flow);
    /* Calls a function on the pump's thread, from another one, and waits for it. */
    uf_status (*run)(uf_pump *pump, void (*function)(void *argument), void *argument);
    uf_status (*call)(const uf_call *call);
    /* Something of a flow was committed while threads wait for flows. */
    void (*kept)(uf_flow *flow);
    /* A flow is being detached: messages in the inbox forget it. On the pump's thread. */
    void (*forget)(uf_flow *flow);
    /* The last pin of a pump that is being freed is gone. */
    void (*left)(uf_pump *pump);
    /* Current logical time and real time. Any thread. On the pump's thread, `now` also advances the pump's clock. */
    uf_time (*now)(const uf_pump *pump);
    uf_time (*real)(void);
    /* Locks the clock that rounds copy, and advances it to the current time. give_clock() unlocks it; if the clock
     * was changed, the pump computes its next deadline again. Any thread. */
    uf_clock *(*take_clock)(uf_pump *pump);
    void (*give_clock)(uf_pump *pump, bool changed);
    /* Watches a descriptor: afterwards the arm is ready, has failed, or is on a list until unwatch(). */
    void (*watch)(uf_pump *pump, uf_arm *arm);
    void (*unwatch)(uf_pump *pump, uf_arm *arm);
    /* Asks the system whether the descriptor of a watched, pending arm is ready now: the arm is ready, has failed, or
     * stays pending. */
    void (*look)(uf_arm *arm);
    /* The system's text for an errno. */
    void (*error_text)(int error, char *text, size_t size);
    /* Processes the fires of all runtimes that this thread drives. Returns: false if there were none. */
    bool (*process_own_fired)(void);
};

/* -- the host, by name: parts of it that only programs with jobs, or with such waits, link ------------------------- */

/* In a program without the host, port/alone.c defines them. On bare metal nothing calls them. */

/* Makes and opens a pool for the pump of a runtime. Returns: NULL, or the reason of a failure, a constant that begins
 * with the prefix. */
#define UFI_REJECTED_AS "rejected: "
const char *ufp_make_pool(uf_pump *pump);

/* uf_mailbox_send_wait() of a runtime's mailbox. The mailbox exists until it returns. */
uf_status ufp_send_wait(uf_mailbox *mailbox, const void *item, uf_time timeout);

#endif
