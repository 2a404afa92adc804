/* SPDX-License-Identifier: MIT */
/* priv/pump.h - the struct behind uf_pump, so that you can allocate one. Its members are private. */
#ifndef UFLOW_PRIV_PUMP_H
#define UFLOW_PRIV_PUMP_H

#include "uflow/pump.h"

#include "uflow/priv/wheel.h"

UF_C_BEGIN

/* Number of kinds of arms from UF_ARM_SIGNAL to UF_ARM_EMPTY. */
#define UF_EVALUATED_KINDS 7

/* The members of a pump: those that it has always, and those of a feature of core. With a config file, the pump of a
 * program has only those that its core uses; see UF_HAS. */
/* clang-format off */
#define UF_PUMP_MEMBERS(OF)                                                                                            \
    /* Flows and rounds. */                                                                                            \
    OF(ALWAYS, uf_clock clock;)                                                                                        \
    OF(ALWAYS, uf_link ready;)                          /* flows that run in the next round, in FIFO order */          \
    OF(POLLS, uf_link polling;)                         /* flows that run in each round, after those */                \
    OF(PARTS, uf_link flows;)                           /* all attached flows, in the order of attachment */           \
    /* the first uf_observer; NULL. Atomic: posts test whether there is one */                                         \
    OF(OBSERVERS, void *observers;)                                                                                    \
    OF(OBSERVERS, const struct ufi_observer_hooks *notify;) /* calls the observers; NULL before the first observer */  \
    /* the flow whose turn it is, or the last one of this round; NULL. Atomic */                                       \
    OF(ALWAYS, void *current;)                                                                                         \
    OF(OBSERVERS, uint32_t measured_runs;)              /* runs that observers have room for */                        \
    /* foreign arms of this pump's flows, and rooms on `handing_on` */                                                 \
    OF(PUMPS, uint32_t foreign_count;)                                                                                 \
    /* the observers still to be called about the current event; NULL: no event */                                     \
    OF(OBSERVERS, struct ufi_cursor *cursor;)                                                                          \
    OF(COUNTS, uint64_t round;)                         /* number of the current or last round, from 1 */              \
    OF(POLLS, uf_time rounded;)                         /* logical time of that round */                               \
    /* where the round continues if the current flow has left its list; otherwise NULL */                              \
    OF(ALWAYS, uf_link *walk_next;)                                                                                    \
    /* flows that run, without starts that are still in the inbox. Atomic */                                           \
    OF(COUNTS, uint32_t running;)                                                                                      \
    /* rounds that the only ready flow may still run in the loop of ufi_run_lone() */                                  \
    OF(VIRTUAL, uint32_t lone_rounds;)                                                                                 \
    OF(ALWAYS, bool in_round;)                                                                                         \
    /* the round is walking the ready list: flows are enqueued before its position */                                  \
    OF(ALWAYS, bool walking_ready;)                                                                                    \
    /* a flow advanced in the last round, and no message has arrived since */                                          \
    OF(ALWAYS, bool advanced;)                                                                                         \
    OF(OBSERVERS, bool measured;)                       /* this round is timed */                                      \
    OF(JOBS, uint32_t job_timeouts;)                    /* counts the jobs that were submitted with a timeout */       \
    OF(ALWAYS, uf_pump_config config;)                                                                                 \
    /* Members that other threads read and this thread seldom writes. They stand between those that this thread writes \
     * all the time and those that any thread writes: to transfer a cache line costs more than the rest of a post. */  \
    OF(HOST, const struct ufi_host *host;)              /* NULL: caller-driven */                                      \
    OF(ALWAYS, void *thread;)                           /* the thread that drives the pump */                          \
    OF(STOP, uint32_t stopping;)                        /* a graceful shutdown has begun: new requests are refused */  \
    /* real time in ms, made odd, at which a timed body began; 0: none */                                              \
    OF(OBSERVERS, uint32_t body_began;)                                                                                \
    /* Set at the first use of each feature, so that other programs do not link it. */                                 \
    OF(PUMPS, const struct ufi_signal_hooks *signals;)                                                                 \
    OF(RUNS, const struct ufi_subtask_hooks *subtasks;) /* set with the first flow that waits for a flow */            \
    OF(CHECKPOINTS, bool (*hold_at_checkpoints)(uf_flow *flow);)                                                       \
    /* by kind, from UF_ARM_SIGNAL: is it ready? */                                                                    \
    OF(PUMPS, bool (*evaluate[UF_EVALUATED_KINDS])(uf_flow *flow, uf_arm *arm);)                                       \
    /* Members that other threads write. All zero on a caller-driven pump. */                                          \
    OF(MESSAGES, void *inbox;)                          /* MPSC stack of uf_message: the newest message */             \
    /* starts and posts of other threads that the pump has not finished */                                             \
    OF(MESSAGES, uint32_t requests;)                                                                                   \
    OF(MESSAGES, uint32_t pins;)                        /* threads that still use the pump; see ufi_pump_pin() */      \
    /* MPSC stack of what other threads have fired or woken; see core/waits/signals.h */                               \
    OF(SIGNALS, void *fired_elsewhere;)                                                                                \
    OF(PUMPS, uf_message check_elsewhere;)              /* tells the pump to process `fired_elsewhere` */              \
    /* threads that wait for a flow or for all flows, and cancels under way */                                         \
    OF(HOST, uint32_t watched;)                                                                                        \
    OF(STOP, uint32_t refused;)                         /* number of refused requests */                               \
    /* Graceful shutdown. */                                                                                           \
    OF(STOP, struct uf_stop *stop;)                     /* from the first round of the shutdown on */                  \
    OF(STOP, uf_arm *stop_waiters;)                     /* arms `stopping`: last of a circular list */                 \
    /* an await or a durable body is about to start it: a shutdown does not refuse that start */                       \
    OF(RUNS, const uf_flow *child_to_start;)                                                                           \
    /* Pauses. */                                                                                                      \
    OF(PAUSES, const struct ufi_pause_hooks *pauses;)   /* NULL before the first pause */                              \
    OF(PAUSES, struct uf_pause *holds;)                 /* records in use, in the critical section of the pump */      \
    /* Pools of flows. */                                                                                              \
    OF(POOLS, uf_flow *member_to_init;)                 /* the member whose init is running; NULL: none */             \
    /* Durable flows. */                                                                                               \
    OF(DURABLE, struct uf_store *store;)                /* NULL: what they are is not kept */                          \
    /* Slow rounds. */                                                                                                 \
    OF(OBSERVERS, uf_time round_began;)                                                                                \
    OF(OBSERVERS, uf_slow_round slow;)                                                                                 \
    /* the seqlock of all descriptions and reasons; odd: one of them changes */                                        \
    OF(NAMES, uint32_t texts;)                                                                                         \
    /* Messages of the inbox, and requests. */                                                                         \
    OF(MESSAGES, uint32_t requests_done;)               /* finished, and still in `requests` */                        \
    /* taken out of the inbox in this round, oldest first, not delivered yet */                                        \
    OF(MESSAGES, uf_message *messages;)                                                                                \
    /* tells the pump to process `fired`; it is never in the inbox */                                                  \
    OF(PUMPS, uf_message check_fired;)                                                                                 \
    OF(PUMPS, bool check_queued;)                       /* `check_fired` is among the messages */                      \
    OF(PAUSES, bool changes_holds;)                     /* `on pause` or `on resume` of flows are being called */      \
    OF(PAUSES, bool has_early_holds;)                   /* some came before the start of their run */                  \
    /* an observer was added in this round: the next one does not just go on */                                        \
    OF(OBSERVERS, bool begins_anew;)                                                                                   \
    /* a turn decides a wait, and observers have not been notified of its end */                                       \
    OF(OBSERVERS, bool deciding;)                                                                                      \
    /* counts the messages that were delivered, if there are threads */                                                \
    OF(MESSAGES, uint32_t delivered;)                                                                                  \
    /* Fired signals. */                                                                                               \
    OF(PUMPS, uf_link fired;)                           /* fired signals whose home is this pump */                    \
    /* foreign arms whose signal has fired, before and after their release: last ones */                               \
    OF(PUMPS, uf_arm *due, *released;)                                                                                 \
    /* next of the pumps that a firing thread is about to notify */                                                    \
    OF(PUMPS, struct uf_pump *next_notified;)                                                                          \
    /* caller-driven: its thread's list of pumps with such */                                                          \
    OF(PUMPS, struct uf_pump *next_foreign, *prev_foreign;)                                                            \
    /* Waits for room: see core/waits/room.h. */                                                                       \
    OF(ROOMS, uf_arm *woken_arms;)                      /* links of arms that were woken: last of a circular list */   \
    /* rooms whose next waiters are woken at the end of the round; NULL: unused yet */                                 \
    OF(ROOMS, uf_link handing_on;)                                                                                     \
    OF(ROOMS, void (*hand_on)(uf_pump *pump);)          /* NULL: nothing to hand on */                                 \
    OF(ROOMS, const struct ufi_waiting_hooks *rooms;)                                                                  \
    /* Mailboxes of this pump's flows; in the critical section of the pump. */                                         \
    OF(MAILBOXES, uf_link mailboxes;)                   /* uninitialised while `mail` is NULL */                       \
    OF(MAILBOXES, const struct ufi_mail_hooks *mail;)   /* NULL before the first mailbox */                            \
    /* Jobs. The lists are uninitialised while `jobs` is NULL. */                                                      \
    OF(JOBS, uf_pool *pool;)                            /* NULL: none yet */                                           \
    OF(JOBS, uf_link works;)                            /* records in flight, in the order of their submits */         \
    /* pending records with a timeout: the root of a heap, see job_timeouts.c; NULL: none */                           \
    OF(JOBS, uf_work *timed;)                                                                                          \
    /* in `works`: the first record that has not been checked for slowness */                                          \
    OF(JOBS, uf_link *first_not_slow;)                                                                                 \
    OF(JOBS, uint32_t works_in_flight;)                                                                                \
    OF(JOBS, uint32_t job_ends;)                        /* counts the jobs that have ended */                          \
    /* counts the jobs that were submitted with a timeout, and the timers */                                           \
    OF(REAL_TIME, uint32_t real_timeouts;)                                                                             \
    OF(JOBS, const struct ufi_job_hooks *jobs;)         /* NULL before the first submit */                             \
    /* Events of real time. */                                                                                         \
    OF(REAL_TIME, const struct ufi_real_hooks *real;)   /* NULL before the first one */                                \
    OF(REAL_TIME, uf_arm *real_timers;)                 /* the earliest one; see core/waits/real_time.c */             \
    OF(REAL_TIME, uint32_t real_events;)                /* jobs in flight, and 1 more if there are timers */           \
    /* Descriptors; see descriptor.c. */                                                                               \
    OF(DESCRIPTORS, void (*unwatch)(struct uf_pump *pump, uf_arm *arm);) /* set with the first arm */                  \
    OF(DESCRIPTORS, uf_arm *descriptor_arms;)           /* on a caller-driven pump: the root of the trie */            \
    /* descriptor << 2 | events; 0: free, as all that follow */                                                        \
    OF(DESCRIPTORS, uint32_t unclaimed[UF_UNCLAIMED_DESCRIPTORS];)                                                     \
    OF(ALWAYS, uf_wheel wheel;)                                                                                        \
    /* Kept by a pool of threads. */                                                                                   \
    /* records of jobs that ended in this round, for its next submits; linked by `next` */                             \
    OF(JOBS, uf_link *spare;)                                                                                          \
    OF(JOBS, uf_link submitted;)                        /* records of this round that the pool has not received yet */

/* clang-format on */

/* A pump. The members are private.
 * Lifetime: you own it; see uf_pump_init(). */
struct uf_pump {
    UF_PUMP_MEMBERS(UF_HAS)
    UF_LACKS(PARTS, uint32_t flow_count;) /* instead of `flows`: how many are attached */
#if defined(UFI_CORE) && defined(UF_CONFIG_ABI)
    char ufi_nowhere[PTRDIFF_MAX > INT32_MAX ? INT32_MAX / 2 : PTRDIFF_MAX / 4];
    UF_PUMP_MEMBERS(UF_LACKS)
#define UF_PUMP_SIZE offsetof(uf_pump, ufi_nowhere)
} UF_MAY_ALIAS;
#else
#define UF_PUMP_SIZE sizeof(uf_pump)
};
#endif

UF_C_END
#endif
