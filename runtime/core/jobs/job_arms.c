/* SPDX-License-Identifier: MIT */
/* job_arms.c - arms that wait for jobs: for one, for one element of an array, for any element, or for all.
 *
 * A job that has ended is taken when an arm has won with it, until it is submitted again or cleared. An arm for any
 * element takes the one that ended first. Ends are counted per pump, so the oldest end is the one with the greatest
 * distance from the count. */
#include "jobs/work.h"
#include "waits/arms.h"

#define NO_ELEMENT UINT32_MAX

static bool has_ended(const uf_job *job)
{
    return job->status > UF_JOB_PENDING;
}

/* `job` NULL: none was submitted. */
static void settle(uf_arm *arm, const uf_job *job)
{
    bool const done = job && job->status == UF_JOB_DONE;
    arm->state = done ? UF_ARM_READY : UF_ARM_FAILED;
    arm->cause = done ? UF_CAUSE_NONE : UF_CAUSE_JOB;
    if (!job) arm->index = NO_ELEMENT;
}

static void decide_any(const uf_flow *flow, uf_arm *arm)
{
    uf_job_info const *const info = arm->on.jobs;
    uint32_t const ends = flow->pump->job_ends;
    uf_job const *first = NULL;
    bool is_pending = false;

    arm->state = UF_ARM_PENDING;
    for (uint32_t i = 0; i < info->count; i++) {
        uf_job const *const job = ufi_job_at(flow, info, i);
        is_pending |= job->status == UF_JOB_PENDING;
        if (!has_ended(job) || job->taken || (first && ends - job->end <= ends - first->end)) continue;
        first = job;
        arm->index = i;
    }
    if (first || !is_pending) settle(arm, first);
}

/* Only submitted jobs count. A job that was taken has succeeded, or its failure was seen. */
static void decide_all(const uf_flow *flow, uf_arm *arm)
{
    uf_job_info const *const info = arm->on.jobs;
    bool is_submitted = false;

    arm->state = UF_ARM_PENDING;
    arm->left = 0;
    for (uint32_t i = 0; i < info->count; i++) {
        uf_job const *const job = ufi_job_at(flow, info, i);
        if (job->status == UF_JOB_NONE) continue;
        is_submitted = true;
        if (job->status == UF_JOB_PENDING) arm->left++;
        if (!has_ended(job) || job->taken || job->status == UF_JOB_DONE) continue;
        settle(arm, job);
        arm->index = i;
        return;
    }
    if (!is_submitted) settle(arm, NULL);
    else if (arm->left == 0) arm->state = UF_ARM_READY;
}

static void decide(const uf_flow *flow, uf_arm *arm)
{
    if (arm->kind == UF_ARM_JOB) settle(arm, arm->on.job);
    else if (arm->kind == UF_ARM_ANY) decide_any(flow, arm);
    else decide_all(flow, arm);
}

/* -- setting arms -------------------------------------------------------------------------------------------------- */

/* Returns true if the arm is pending. */
static bool begin(uf_flow *flow, uf_arm *arm)
{
    if (!flow->pump->jobs) ufi_begin_jobs(flow->pump); /* the hook for the reason of a job that was never submitted */
    decide(flow, arm);
    return arm->state == UF_ARM_PENDING;
}

bool uf_arm_job(uf_flow *flow, uf_arm *arm, uf_job *job)
{
    ufi_set_arm(flow, arm, UF_ARM_JOB);
    arm->on.job = job;
    return job->status == UF_JOB_PENDING || begin(flow, arm);
}

uf_job *uf_element(uf_flow *flow, uint16_t which, int64_t index)
{
    uf_job_info const *const info = &flow->type->jobs[which];

    if (index >= 0 && (uint64_t)index < info->count) return ufi_job_at(flow, info, (uint32_t)index);
    ufi_flow_fail_place(flow, info->name, info->count, index);
    return NULL;
}

bool uf_arm_element(uf_flow *flow, uf_arm *arm, uint16_t which, int64_t index)
{
    uf_job *const job = uf_element(flow, which, index);

    if (!job) return true; /* the flow has failed */
    bool const pending = uf_arm_job(flow, arm, job);
    arm->index = (uint32_t)index;
    return pending;
}

bool uf_arm_any(uf_flow *flow, uf_arm *arm, uint16_t which)
{
    ufi_set_arm(flow, arm, UF_ARM_ANY);
    arm->on.jobs = &flow->type->jobs[which];
    return begin(flow, arm);
}

void uf_arm_jobs(uf_flow *flow, uf_arm *arm, uint16_t which)
{
    ufi_set_arm(flow, arm, UF_ARM_JOBS);
    arm->on.jobs = &flow->type->jobs[which];
    (void)begin(flow, arm);
}

/* -- ends ---------------------------------------------------------------------------------------------------------- */

static bool waits_for(const uf_flow *flow, const uf_arm *arm, const uf_job *job)
{
    if (arm->kind == UF_ARM_JOB) return arm->on.job == job;
    if (arm->kind != UF_ARM_ANY && arm->kind != UF_ARM_JOBS) return false;
    return ufi_job_is_of(flow, arm->on.jobs, job);
}

/* Decides an arm when one more job has ended, without a scan of the array. Only a failure in `all` needs a scan. */
static void note_end(const uf_flow *flow, uf_arm *arm, const uf_job *job)
{
    if (arm->kind == UF_ARM_JOB) {
        settle(arm, job);
    } else if (arm->kind == UF_ARM_JOBS && job->status != UF_JOB_DONE) {
        decide_all(flow, arm);
    } else if (arm->state != UF_ARM_PENDING) {
        return; /* an earlier end has decided */
    } else if (arm->kind == UF_ARM_JOBS) {
        if (--arm->left == 0) arm->state = UF_ARM_READY;
    } else {
        settle(arm, job);
        arm->index = ufi_job_index(flow, arm->on.jobs, job);
    }
}

static void decide_arms(uf_flow *flow, const uf_job *job, bool has_come)
{
    uf_arm *const arms = ufi_arms(flow);
    bool wakes = false;

    if (!(flow->flags & UF_FLAG_ARMED)) return;
    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (!waits_for(flow, &arms[i], job)) continue;
        if (has_come) note_end(flow, &arms[i], job);
        else decide(flow, &arms[i]);
        wakes |= arms[i].state != UF_ARM_PENDING;
    }
    if (wakes) ufi_wake(flow);
}

void ufi_job_ended(uf_flow *flow, const uf_job *job)
{
    decide_arms(flow, job, true);
}

void ufi_job_cleared(uf_flow *flow, const uf_job *job)
{
    decide_arms(flow, job, false);
}

/* -- deciding ------------------------------------------------------------------------------------------------------ */

/* The job that has decided the arm; NULL: none was submitted. */
static uf_job *job_of(const uf_flow *flow, const uf_arm *arm)
{
    if (arm->kind == UF_ARM_JOB) return arm->on.job;
    return arm->index == NO_ELEMENT ? NULL : ufi_job_at(flow, arm->on.jobs, arm->index);
}

static void take_all(const uf_flow *flow, const uf_job_info *info)
{
    for (uint32_t i = 0; i < info->count; i++) {
        uf_job *const job = ufi_job_at(flow, info, i);
        if (has_ended(job)) job->taken = true;
    }
}

void uf_take_jobs(uf_flow *flow, const uf_arm *arm)
{
    if (arm->kind == UF_ARM_JOBS && arm->state == UF_ARM_READY) {
        take_all(flow, arm->on.jobs);
        return;
    }
    uf_job *const job = job_of(flow, arm);
    if (job && has_ended(job)) job->taken = true;
}

bool ufi_job_is_awarded(const uf_flow *flow, const uf_job *job)
{
    if (!(flow->rare_flags & UFI_HAS_ITEM) || job->taken) return false;
    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        uf_arm const *const arm = ufi_arms(flow) + i;
        if (arm->state != UF_ARM_READY || !waits_for(flow, arm, job)) continue;
        if (arm->kind == UF_ARM_JOBS || job_of(flow, arm) == job) return true;
    }
    return false;
}

const char *ufi_job_arm_reason(const uf_flow *flow, const uf_arm *arm)
{
    uf_job const *const job = job_of(flow, arm);
    return job ? uf_job_reason(job) : "not submitted";
}

uf_intent uf_element_failure(uf_flow *flow, const uf_arm *arm, const char *name)
{
    if (arm->index == NO_ELEMENT) return uf_arm_failure(flow, arm, name);
    if (!UF_USES_REASONS) return uf_fail_silent(flow);
    return uf_fail(flow, "%s[%lu]: %s", name, (unsigned long)arm->index, uf_reason(flow, arm));
}
