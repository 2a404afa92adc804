/* priv/pump.h - the struct behind uf_pump, so that you can allocate one. Its members are private. */
#ifndef UFLOW_PRIV_PUMP_H
#define UFLOW_PRIV_PUMP_H

#include "uflow/pump.h"

#include "uflow/priv/wheel.h"

UF_C_BEGIN

/* Number of kinds of arms from UF_ARM_SIGNAL to UF_ARM_EMPTY. */
#define UF_EVALUATED_KINDS 7

/* A pump. The members are private.
 * Lifetime: you own it; see uf_pump_init(). */
struct uf_pump {
    /* Flows and rounds. */
    uf_clock clock;
    uf_link ready;                           /* flows that run in the next round, in FIFO order */
    uf_link polling;                         /* flows that run in each round, after those */
    uf_link flows;                           /* all attached flows, in the order of attachment */
    void *observers;                         /* the first uf_observer; NULL. Atomic: posts test whether there is one */
    const struct ufi_observer_hooks *notify; /* calls the observers; NULL before the first observer */
    void *current;             /* the flow whose turn it is, or the last one of this round; NULL. Atomic */
    uint32_t measured_runs;    /* runs that observers have room for */
    uint32_t foreign_count;    /* foreign arms of this pump's flows, and rooms on `handing_on` */
    struct ufi_cursor *cursor; /* the observers still to be called about the current event; NULL: no event */
    uint64_t round;            /* number of the current or last round, from 1 */
    uf_time rounded;           /* logical time of that round */
    uf_link *walk_next;        /* where the round continues if the current flow has left its list; otherwise NULL */
    uint32_t running;          /* flows that run, without starts that are still in the inbox. Atomic */
    uint32_t lone_rounds;      /* rounds that the only ready flow may still run in the loop of ufi_run_lone() */
    bool in_round;
    bool walking_ready;    /* the round is walking the ready list: flows are enqueued before its position */
    bool advanced;         /* a flow advanced in the last round, and no message has arrived since */
    bool measured;         /* this round is timed */
    uint32_t job_timeouts; /* counts the jobs that were submitted with a timeout */
    uf_pump_config config;
    /* Members that other threads read and this thread seldom writes. They stand between those that this thread writes
     * all the time and those that any thread writes: to transfer a cache line costs more than the rest of a post. */
    const struct ufi_host *host; /* NULL: caller-driven */
    void *thread;                /* the thread that drives the pump */
    uint32_t stopping;           /* a graceful shutdown has begun: new requests are refused */
    uint32_t body_began;         /* real time in ms, made odd, at which a timed body began; 0: none */
    /* Set at the first use of each feature, so that other programs do not link it. */
    const struct ufi_signal_hooks *signals;
    const struct ufi_subtask_hooks *subtasks; /* set with the first flow that waits for a flow */
    bool (*hold_at_checkpoints)(uf_flow *flow);
    bool (*evaluate[UF_EVALUATED_KINDS])(uf_flow *flow, uf_arm *arm); /* by kind, from UF_ARM_SIGNAL: is it ready? */
    /* Members that other threads write. All zero on a caller-driven pump. */
    void *inbox;                /* MPSC stack of uf_message: the newest message */
    uint32_t requests;          /* starts and posts of other threads that the pump has not finished */
    uint32_t pins;              /* threads that still use the pump; see ufi_pump_pin() */
    void *fired_elsewhere;      /* MPSC stack of what other threads have fired or woken; see core/waits/signals.h */
    uf_message check_elsewhere; /* tells the pump to process `fired_elsewhere` */
    uint32_t watched;           /* threads that wait for a flow or for all flows, and cancels under way */
    uint32_t refused;           /* number of refused requests */
    /* Graceful shutdown. */
    struct uf_stop *stop;          /* from the first round of the shutdown on */
    uf_arm *stop_waiters;          /* arms `stopping`: last of a circular list */
    const uf_flow *child_to_start; /* an await is about to start it: a shutdown does not refuse that start */
    /* Pauses. */
    const struct ufi_pause_hooks *pauses; /* NULL before the first pause */
    struct uf_pause *holds;               /* records in use, in the critical section of the pump */
    /* Pools of flows. */
    uf_flow *member_to_init; /* the member whose init is running; NULL: none */
    /* Slow rounds. */
    uf_time round_began;
    uf_slow_round slow;
    uint32_t texts; /* the seqlock of all descriptions and reasons; odd: one of them changes */
    /* Messages of the inbox, and requests. */
    uint32_t requests_done; /* finished, and still in `requests` */
    uf_message *messages;   /* taken out of the inbox in this round, oldest first, not delivered yet */
    uf_message check_fired; /* tells the pump to process `fired`; it is never in the inbox */
    bool check_queued;      /* `check_fired` is among the messages */
    bool changes_holds;     /* `on pause` or `on resume` of flows are being called */
    bool begins_anew;       /* an observer was added in this round: the next one does not just go on */
    uint32_t delivered;     /* counts the messages that were delivered, if there are threads */
    /* Fired signals. */
    uf_link fired;                 /* fired signals whose home is this pump */
    uf_arm *due, *released;        /* foreign arms whose signal has fired, before and after their release: last ones */
    struct uf_pump *next_notified; /* next of the pumps that a firing thread is about to notify */
    struct uf_pump *next_foreign, *prev_foreign; /* caller-driven: its thread's list of pumps with such */
    /* Waits for room: see core/waits/room.h. */
    uf_arm *woken_arms;             /* links of arms that were woken: last of a circular list */
    uf_link handing_on;             /* rooms whose next waiters are woken at the end of the round; NULL: unused yet */
    void (*hand_on)(uf_pump *pump); /* NULL: nothing to hand on */
    const struct ufi_waiting_hooks *rooms;
    /* Mailboxes of this pump's flows; in the critical section of the pump. */
    uf_link mailboxes;                 /* uninitialised while `mail` is NULL */
    const struct ufi_mail_hooks *mail; /* NULL before the first mailbox */
    /* Jobs. The lists are uninitialised while `jobs` is NULL. */
    uf_pool *pool;           /* NULL: none yet */
    uf_link works;           /* records in flight, in the order of their submits */
    uf_work *timed;          /* pending records with a timeout: the root of a heap, see job_timeouts.c; NULL: none */
    uf_link *first_not_slow; /* in `works`: the first record that has not been checked for slowness */
    uint32_t works_in_flight;
    uint32_t job_ends;                /* counts the jobs that have ended */
    uint32_t real_timeouts;           /* counts the jobs that were submitted with a timeout, and the timers */
    const struct ufi_job_hooks *jobs; /* NULL before the first submit */
    /* Events of real time. */
    const struct ufi_real_hooks *real; /* NULL before the first one */
    uf_arm *real_timers;               /* the earliest one; see core/waits/real_time.c */
    uint32_t real_events;              /* jobs in flight, and 1 more if there are timers */
    /* Descriptors; see descriptor.c. */
    void (*unwatch)(struct uf_pump *pump, uf_arm *arm); /* set with the first arm */
    uf_arm *descriptor_arms;                            /* on a caller-driven pump: the root of the trie */
    uint32_t unclaimed[UF_UNCLAIMED_DESCRIPTORS];       /* descriptor << 2 | events; 0: free, as all that follow */
    uf_wheel wheel;
    /* Kept by a pool of threads. */
    uf_link *spare;    /* records of jobs that ended in this round, for its next submits; linked by `next` */
    uf_link submitted; /* records of this round that the pool has not received yet */
};

UF_C_END
#endif
