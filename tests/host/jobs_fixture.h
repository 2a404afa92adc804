/* SPDX-License-Identifier: MIT */
/* jobs_fixture.h - a runtime with flows that submit jobs, worker functions, and an observer that writes text. */
#ifndef JOBS_FIXTURE_H
#define JOBS_FIXTURE_H

#include "host_test.h"

#include <stdlib.h>

#include "uflow/pool.h"

#include "jobber.h"

static Jobber jobbers[4];

static inline void begin_jobs(const uf_runtime_config *config)
{
    assert_int_equal(uf_runtime_new(&runtime, config), UF_OK);
    for (int i = 0; i < 4; i++) assert_int_equal(Jobber_init(&jobbers[i], uf_runtime_pump(runtime), "jobber"), UF_OK);
}

static inline void end_jobs(void)
{
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(jobbers[i].enters, jobbers[i].exits);
        assert_int_equal(jobbers[i].uf_jobs, 0);
        assert_null(jobbers[i].uf.pump);
    }
}

static inline uf_outcome wait_for(Jobber *flow, char *reason)
{
    uf_call_info end;
    assert_int_equal(uf_flow_wait(&flow->uf, LONG, &end), UF_OK);
    if (reason) memcpy(reason, end.reason, sizeof end.reason);
    return end.outcome;
}

/* -- workers ------------------------------------------------------------------------------------------------------- */

typedef struct gate { /* a worker waits here until it is opened, or until the worker's job is abandoned */
    int came, opened, left, told;
    bool deaf;
} gate;

static inline int pass(uf_work *work, void *argument)
{
    gate *const g = argument;
    (void)work;
    COUNT(g->came);
    while (!READ(g->opened)) {
        if (uf_job_cancelled()) {
            SET(g->told, 1);
            if (!g->deaf) break;
        }
        sleep_ms(1);
    }
    return COUNT(g->left);
}

static inline int answer(uf_work *work, void *argument)
{
    (void)work;
    return *(int *)argument;
}

static inline int refuse(uf_work *work, void *argument)
{
    uf_work_fail(work, "scale %d does not answer", *(int *)argument);
    uf_work_fail(work, "and this comes too late");
    return 7;
}

static inline int note_thread(uf_work *work, void *argument)
{
    (void)work;
    *(pthread_t *)argument = pthread_self();
    return uf_job_cancelled();
}

static pthread_t pumps_thread;

static inline void note_pumps_thread(Jobber *flow)
{
    (void)flow;
    pumps_thread = pthread_self();
}

static inline int nap_10_ms(uf_work *work, void *argument)
{
    (void)work;
    sleep_ms(10);
    __atomic_store_n((int64_t *)argument, real_now(), __ATOMIC_SEQ_CST);
    return 0;
}

/* For a body: waits until the worker runs, so that the job cannot be withdrawn. */
static inline void until_it_came(Jobber *flow)
{
    gate const *const g = flow->uf_task.what.argument;
    UNTIL(READ(g->came) >= (flow->context ? *(int *)flow->context : 1));
}

/* -- events as text ------------------------------------------------------------------------------------------------ */

static char told[16384];

static inline void note(const char *what, const uf_job_event *event)
{
    size_t const length = strlen(told);
    snprintf(told + length, sizeof told - length, "%s %s(%s) at %s %s%s%s %u;", what, event->job, event->worker,
             event->step, uf_job_status_text(event->status), event->reason[0] ? ": " : "", event->reason,
             (unsigned)event->in_flight);
}
static inline void on_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("submitted", event);
}
static inline void on_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("completed", event);
}
static inline void on_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("abandoned", event);
}
static inline void on_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    (void)flow;
    note("rejected", event);
}
static inline void on_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    size_t const length = strlen(told);
    snprintf(told + length, sizeof told - length, "ended;");
}

static uf_observer watching = {
    .job_submitted = on_submitted,
    .job_completed = on_completed,
    .job_abandoned = on_abandoned,
    .job_rejected = on_rejected,
    .flow_ended = on_ended,
};

static inline void begin_watched(uf_runtime_config config)
{
    told[0] = '\0';
    config.observers = &watching;
    begin_jobs(&config);
}

#endif
