/* SPDX-License-Identifier: MIT */
/* priv/features.h - what core can leave out: the one table of features, for core, for programs and for ufc. It
 * includes nothing.
 *
 * Without a config file, core has everything. With -DUF_CONFIG_FILE='"uf_config.h"', which `ufc --emit=config` writes
 * for the flows of a program, core has what that program uses, and is as small. Core and all files of the program must
 * be compiled with the same file. */
#ifndef UFLOW_PRIV_FEATURES_H
#define UFLOW_PRIV_FEATURES_H

/* FEATURE(name, text): the switch UF_USES_name, and what uses it. ufc sets those that flows use. */
#define UF_FEATURES(FEATURE)                                                                                           \
    FEATURE(STAYS, "a `stay` with a time")                                                                             \
    FEATURE(POLLS, "`stay;`, `until`")                                                                                 \
    FEATURE(RUNS, "`run`, `idle`, `with run`")                                                                         \
    FEATURE(HANDLERS, "`on SIGNAL`, `on timeout`, `with run`")                                                         \
    FEATURE(ON_EXIT, "`on exit`, groups that are entered")                                                             \
    FEATURE(ON_END, "`on end`")                                                                                        \
    FEATURE(POOLS, "pools of flows")                                                                                   \
    FEATURE(JOBS, "`submit`")                                                                                          \
    FEATURE(DESCRIPTIONS, "`describe`, uf_flow_describe()")                                                            \
    FEATURE(SIGNALS, "signals, checkpoints and mailboxes")                                                             \
    FEATURE(CHECKPOINTS, "checkpoints")                                                                                \
    FEATURE(MAILBOXES, "mailboxes")                                                                                    \
    FEATURE(DESCRIPTORS, "`readable`, `writable`")                                                                     \
    FEATURE(REAL_TIME, "`timeout real`, jobs")                                                                         \
    FEATURE(PAUSES, "`on pause`, `on resume`, uf_flow_pause()")                                                        \
    FEATURE(STOP, "`shutdown`, `stopping`, uf_pump_stop()")                                                            \
    FEATURE(CANCEL, "uf_flow_cancel(), uf_run_cancel(), uf_pump_cancel_all()")                                         \
    FEATURE(OBSERVERS, "uf_pump_add_observer(): the recorder, too")                                                    \
    FEATURE(SCALE, "uf_pump_set_scale(), uf_pump_freeze()")                                                            \
    FEATURE(PACE, "`start`, `step_interval` and `pre_round` of a uf_pump_config")                                      \
    FEATURE(PUMPS, "signals that flows of several pumps wait for, or callbacks")                                       \
    FEATURE(MESSAGES, "what interrupts and jobs send to a pump")                                                       \
    FEATURE(ROOMS, "waits for a place in a mailbox or pool")                                                           \
    FEATURE(DURABLE, "durable flows")                                                                                  \
    FEATURE(NAMES, "names and lines: uf_flow_name(), uf_flow_step(), uf_flow_view_of(), dumps")                        \
    FEATURE(TASKS, "the task of a step: results, handlers, groups")                                                    \
    FEATURE(TIMES, "times and numbers of steps and runs: uf_flow_step_elapsed(), uf_flow_this_run(), uf_timer")        \
    FEATURE(PARTS, "flows inside flows, uf_pump_next_flow()")                                                          \
    FEATURE(COUNTS, "uf_pump_running(), uf_pump_rounds()")                                                             \
    FEATURE(VIRTUAL, "virtual time: uf_simulate_until() and its relatives")                                            \
    FEATURE(REASONS, "texts of failures: `reason`, uf_flow_reason()")

/* IMPLIES(name, other): a core with the first has the second. */
#define UF_IMPLICATIONS(IMPLIES)                                                                                       \
    IMPLIES(POOLS, CANCEL)                                                                                             \
    IMPLIES(POOLS, SIGNALS)                                                                                            \
    IMPLIES(POOLS, ROOMS)                                                                                              \
    IMPLIES(MAILBOXES, ROOMS)                                                                                          \
    IMPLIES(JOBS, MESSAGES)                                                                                            \
    IMPLIES(ROOMS, PUMPS)                                                                                              \
    IMPLIES(CHECKPOINTS, PUMPS)                                                                                        \
    IMPLIES(PUMPS, SIGNALS)                                                                                            \
    IMPLIES(PUMPS, MESSAGES)                                                                                           \
    IMPLIES(PAUSES, MESSAGES)                                                                                          \
    IMPLIES(JOBS, REAL_TIME)                                                                                           \
    IMPLIES(CHECKPOINTS, SIGNALS)                                                                                      \
    IMPLIES(MAILBOXES, SIGNALS)                                                                                        \
    IMPLIES(PAUSES, HANDLERS)                                                                                          \
    IMPLIES(STOP, CANCEL)                                                                                              \
    IMPLIES(DURABLE, MESSAGES)                                                                                         \
    IMPLIES(DURABLE, HANDLERS)                                                                                         \
    IMPLIES(DURABLE, REAL_TIME)                                                                                        \
    IMPLIES(DURABLE, ON_EXIT)                                                                                          \
    IMPLIES(DURABLE, ON_END)                                                                                           \
    IMPLIES(DURABLE, CANCEL)                                                                                           \
    IMPLIES(DURABLE, NAMES)                                                                                            \
    IMPLIES(OBSERVERS, NAMES)                                                                                          \
    IMPLIES(OBSERVERS, COUNTS)                                                                                         \
    IMPLIES(NAMES, TASKS)                                                                                              \
    IMPLIES(NAMES, TIMES)                                                                                              \
    IMPLIES(NAMES, REASONS)                                                                                            \
    IMPLIES(POOLS, REASONS)                                                                                            \
    IMPLIES(NAMES, PARTS)                                                                                              \
    IMPLIES(RUNS, TASKS)                                                                                               \
    IMPLIES(HANDLERS, TASKS)                                                                                           \
    IMPLIES(ON_EXIT, TASKS)                                                                                            \
    IMPLIES(JOBS, TASKS)                                                                                               \
    IMPLIES(POOLS, TASKS)                                                                                              \
    IMPLIES(STOP, TASKS)                                                                                               \
    IMPLIES(STOP, COUNTS)                                                                                              \
    IMPLIES(MAILBOXES, PARTS)                                                                                          \
    IMPLIES(CHECKPOINTS, PARTS)                                                                                        \
    IMPLIES(STAYS, TIMES)                                                                                              \
    IMPLIES(PAUSES, TIMES)                                                                                             \
    IMPLIES(CANCEL, TIMES)                                                                                             \
    IMPLIES(CANCEL, PARTS)                                                                                             \
    IMPLIES(VIRTUAL, TIMES)                                                                                            \
    IMPLIES(VIRTUAL, COUNTS)                                                                                           \
    IMPLIES(POLLS, COUNTS)

#endif
