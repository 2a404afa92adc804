/* SPDX-License-Identifier: MIT */
/* jobs_fixture.h - a pool whose jobs the test runs one by one, and observers of jobs that write to the log. */
#ifndef JOBS_FIXTURE_H
#define JOBS_FIXTURE_H

#include "hand_pool.h"

#include "jobs.h"

int jobs_worker_runs(void);

static Lab lab;

/* `on end` of a flow of jobs.uflow. */
void jobs_end(uf_flow *flow, uf_job *job)
{
    log_note("%u pending, %s, %s", (unsigned)uf_flow_jobs_pending(flow), uf_status_text(uf_flow_jobs_clear(flow)),
             uf_status_text(uf_job_clear(flow, job)));
}

/* -- fixtures ----------------------------------------------------------------------------------------------------- */

static inline void begin_with(uf_pool *pool, uint32_t per_flow)
{
    uf_pump_config const config = {.pool = pool, .jobs_per_flow = per_flow};
    log_clear();
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    assert_int_equal(Lab_init(&lab, &pump, "lab"), UF_OK);
}

static inline void begin_by_hand(uint32_t per_flow)
{
    hand = (hand_pool){.pool.kind = &hand_kind};
    begin_with(&hand.pool, per_flow);
    assert_int_equal(hand.opened, 1);
}

static inline void finish(void)
{
    assert_int_equal(Lab_destroy(&lab), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_int_equal(hand.opened, 0);
}

static inline void note_job(const char *what, const uf_flow *flow, const uf_job_event *event)
{
    log_note("%s:%s/%s:%s%s%s@%s#%u", what, event->job, event->worker, uf_job_status_text(event->status),
             event->reason[0] ? "," : "", event->reason, event->step, (unsigned)event->in_flight);
    (void)flow;
}
static inline void note_submitted(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("submitted", flow, event);
}
static inline void note_completed(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("completed", flow, event);
}
static inline void note_abandoned(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("abandoned", flow, event);
    assert_int_equal(uf_job_clear((uf_flow *)(uintptr_t)flow, &lab.uf_task.Clear.a.job), UF_INVALID); /* not in here */
}
static inline void note_rejected(void *context, const uf_flow *flow, const uf_job_event *event)
{
    (void)context;
    note_job("rejected", flow, event);
}

static inline void note_jobs(void)
{
    static uf_observer observer;
    observer = (uf_observer){
        .flow_ended = note_ended,
        .job_submitted = note_submitted,
        .job_completed = note_completed,
        .job_abandoned = note_abandoned,
        .job_rejected = note_rejected,
    };
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
}

/* Called by a step after its submit. */
static uf_job_status status_after_submit;
void jobs_look(const uf_job *job)
{
    status_after_submit = uf_job_status_of(job);
}

#endif
