/* SPDX-License-Identifier: MIT */
/* harness.h - the setup of every test of the runtime: a pump and an empty log. */
#ifndef HARNESS_H
#define HARNESS_H

#include "../cases.h"

/* A test looks at what a flow does rather than at whether it starts. */
#define UF_NODISCARD
#include "uflow/trace.h"
#include "uflow/uflow.h"

#include "log.h"

static uf_pump pump;

static inline int begin(void **state)
{
    (void)state;
    log_clear();
    return uf_pump_init(&pump, NULL) == UF_OK ? 0 : 1;
}

/* Runs rounds at the current time. */
static inline void rounds(int count)
{
    while (count-- > 0) uf_pump_round(&pump, pump.clock.real);
}

static inline long long now_ms(void)
{
    return (long long)(uf_pump_now(&pump) / UF_MS(1));
}

static inline void run_until_idle(void)
{
    assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1000)), UF_OK);
}

#define assert_log(expected) assert_string_equal(log_text(), expected)
#define TEST(name)           CASE_WITH(name, begin, NULL)

/* Logs every event. `ended` includes the flow's name, so that the test can check the order of events of several
 * flows. */
static inline void note_started(void *context, const uf_flow *flow)
{
    (void)context;
    log_note("started:%s", uf_flow_name(flow));
}

static inline void note_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    log_note("%s:%s>%s", uf_flow_name(flow), change->from, change->to);
}

static inline void note_failed(void *context, const uf_flow *flow, const char *step, const char *reason)
{
    (void)context;
    log_note("%s:%s!%s", uf_flow_name(flow), step, reason);
}

static inline void note_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    log_note("%s:%s(%s)%s", uf_flow_running(flow) ? "ended" : "idle", uf_flow_name(flow), uf_outcome_text(end->outcome),
             end->reason);
}

static inline void note_events(void)
{
    static uf_observer observer;
    observer = (uf_observer){.flow_started = note_started,
                             .step_changed = note_changed,
                             .step_failed = note_failed,
                             .flow_ended = note_ended};
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
}

#endif
