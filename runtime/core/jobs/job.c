/* SPDX-License-Identifier: MIT */
/* job.c - jobs, on the pump's side: submit, completion, abandonment. See work.h. */
#include "basics/clocks.h"
#include "jobs/work.h"
#include "waits/arms.h"

_Static_assert(sizeof(((uf_work *)0)->payload) >= UF_JOB_PAYLOAD + UFI_PAYLOAD_ALIGNMENT - 1,
               "room for arguments and value");

/* -- the jobs of a flow ------------------------------------------------------------------------------------------- */

/* The description of a job of the current task; NULL: it is no job of that task. */
static const uf_job_info *info_of(const uf_flow *flow, const uf_job *job)
{
    uint16_t const task = ufi_step_of(flow, ufp_load(&flow->state))->task;
    for (unsigned i = 0; i < flow->type->job_count; i++) {
        uf_job_info const *const info = &flow->type->jobs[i];
        if (info->task == task && ufi_job_is_of(flow, info, job)) return info;
    }
    return NULL;
}

static uint32_t *in_flight(const uf_flow *flow)
{
    return (uint32_t *)((uintptr_t)flow + flow->type->jobs_offset);
}

/* -- time and observers ------------------------------------------------------------------------------------------- */

/* Notifies the observers. `job` NULL: it was given up. */
static void notify_of(uf_flow *flow, const uf_job *job, ufi_job_event_kind kind, const uf_worker *worker,
                      const char *reason, uf_time waited)
{
    uf_job_info const *const info = job ? info_of(flow, job) : NULL;
    uf_job_event const event = {
        .job = info ? info->name : "",
        .index = info && info->count ? (int32_t)ufi_job_index(flow, info, job) : -1,
        .worker = worker->name,
        .step = uf_flow_step(flow),
        .status = uf_job_status_of(job),
        .reason = reason,
        .waited = waited,
        .in_flight = *in_flight(flow),
    };
    flow->pump->notify->job(flow, kind, &event);
}

/* `since`: the time of the submit; UF_FOREVER: the event has no duration. */
static void notify(uf_flow *flow, const uf_job *job, ufi_job_event_kind kind, const char *reason, uf_time since)
{
    if (!ufi_is_observed(flow->pump)) return;
    uf_time const now = since == UF_FOREVER ? since : uf_pump_real_now(flow->pump);
    notify_of(flow, job, kind, job->worker, reason, now > since ? now - since : 0);
}

/* -- completion ------------------------------------------------------------------------------------------- */

static const char timed_out[] = "timed out", never_began[] = "timed out in the queue";

/* The value of a job that no arm has taken belongs to its handle. It is marked as taken first: `drop` may clear it. */
static void drop_value(uf_job *job)
{
    bool const owns = job->status == UF_JOB_DONE && !job->taken;
    job->taken = true;
    if (owns && job->worker->drop) job->worker->drop(ufi_in_handle(job, job->worker->value_offset));
}

static void end_job(uf_pump *pump, uf_job *job, uf_job_status status, const char *why)
{
    job->why = why;
    job->status = (uint8_t)status;
    job->end = pump->job_ends++;
}

static void complete(uf_flow *flow, uf_job *job, uf_job_status status, uf_time submitted, const char *why)
{
    end_job(flow->pump, job, status, why);
    if (ufi_is_observed(flow->pump)) notify(flow, job, UFI_COMPLETED, uf_job_reason(job), submitted);
    ufi_job_ended(flow, job);
}

/* Copies the result from a completed record to the handle. */
static uf_job_status copy_result(uf_job *job, uf_work *work)
{
    uf_worker const *const worker = work->worker;

    if (work->dropped) return UF_JOB_REJECTED;
    if (work->took > work->timeout) return UF_JOB_TIMED_OUT; /* the pump may learn of the timeout only now */
    if (work->failed) {
        if (worker->reason_offset)
            (void)memcpy(ufi_in_handle(job, worker->reason_offset), work->reason, sizeof work->reason);
        return UF_JOB_FAILED;
    }
    if (worker->value_size)
        (void)memcpy(ufi_in_handle(job, worker->value_offset), ufi_value_of(work), worker->value_size);
    return UF_JOB_DONE;
}

/* Completes a job whose worker function has returned, or that the pool has dropped. */
static void complete_from(uf_flow *flow, uf_job *job, uf_work *work, uf_time submitted)
{
    uf_job_status const status = copy_result(job, work);
    char const *const why = status == UF_JOB_REJECTED          ? UFI_REJECTED_AS "the pool has ended"
                            : status == UF_JOB_TIMED_OUT       ? timed_out
                            : work->failed == UFI_THREAD_ENDED ? "its thread has ended"
                                                               : NULL;
    complete(flow, job, status, submitted, why);
    if (status == UF_JOB_TIMED_OUT) ufi_drop_result(work); /* after the end: `drop` may clear the job */
}

/* -- records in flight -------------------------------------------------------------------------------------------- */

static void count_flight(uf_pump *pump, uint32_t more)
{
    pump->works_in_flight += more;
    pump->real_events += more;
}

static void begin_flight(uf_pump *pump, uf_work *work)
{
    ufi_list_insert(&pump->works, &work->of_pump);
    if (pump->first_not_slow == &pump->works) pump->first_not_slow = &work->of_pump;
    count_flight(pump, 1);
    ++*in_flight(work->flow);
    if (work->timeout != UF_FOREVER) ufi_timeout_begin(pump, work);
}

static void forget_timeout(uf_work *work)
{
    if (work->timeout != UF_FOREVER && work->before) ufi_timeout_end(work->pump, work);
}

static void end_flight(uf_work *work)
{
    if (work->pump->first_not_slow == &work->of_pump) work->pump->first_not_slow = work->of_pump.next;
    ufi_list_remove(&work->of_pump);
    count_flight(work->pump, UINT32_MAX);
    if (work->flow) --*in_flight(work->flow);
}

/* -- slow jobs ---------------------------------------------------------------------------------------------------- */

static void notify_slow(uf_work *work, uf_time waited)
{
    work->slow = true;
    if (work->flow) notify_of(work->flow, work->job, UFI_SLOW, work->worker, "", waited); /* NULL: it was detached */
}

static bool limits_duration(const uf_pump *pump)
{
    return UFI_SETTING(JOBS, pump->config, slow_job) && ufi_is_observed(pump);
}

/* The real time at which the next record becomes slow. */
static uf_time next_slow(const uf_pump *pump)
{
    if (!limits_duration(pump) || pump->first_not_slow == &pump->works) return UF_FOREVER;
    return uf_time_add(ufi_pump_work(pump->first_not_slow)->submitted, UFI_SETTING(JOBS, pump->config, slow_job));
}

static void notify_all_slow(uf_pump *pump)
{
    while (next_slow(pump) <= ufi_real_time(pump)) {
        uf_work *const work = ufi_pump_work(pump->first_not_slow);
        pump->first_not_slow = pump->first_not_slow->next;
        if (!work->slow) notify_slow(work, ufi_time_sub(ufi_real_time(pump), work->submitted));
    }
}

/* -- the end of a record ------------------------------------------------------------------------------------------ */

/* The job is given up. Returns: false if it has begun, and then its record stays in flight. */
static bool withdraw(uf_work *work)
{
    uf_pool *const pool = work->pool;

    work->job = NULL;
    forget_timeout(work);
    if (!pool->kind->withdraw || !pool->kind->withdraw(pool, work)) return false;
    end_flight(work);
    pool->kind->put(pool, work);
    return true;
}

/* Gives up a job. If it has begun, returns false, and its record stays in flight until its worker has returned. */
static bool give_up(uf_work *work)
{
    uf_pump *const pump = work->pump; /* afterwards the pool may use the record for another job */

    if (!withdraw(work)) {
        ufp_store(&work->cancelled, 1);
        return false;
    }
    if (ufi_stop(pump)) pump->stop->report.jobs_dropped++;
    return true;
}

void ufi_finish_work(uf_work *work)
{
    uf_job *const job = work->job;
    uf_pump *const pump = work->pump;

    if (limits_duration(pump) && !work->slow && work->took > UFI_SETTING(JOBS, pump->config, slow_job))
        notify_slow(work, work->took);
    end_flight(work);
    forget_timeout(work);
    if (job) complete_from(work->flow, job, work, work->submitted);
    else ufi_drop_result(work);
    pump->pool->kind->put(pump->pool, work);
}

static void deliver_record(uf_pump *pump, uf_message *message)
{
    (void)pump;
    ufi_finish_work((uf_work *)((uintptr_t)message - offsetof(uf_work, message)));
}

static void time_out(uf_work *work)
{
    uf_flow *const flow = work->flow;
    uf_job *const job = work->job;
    uf_time const submitted = work->submitted;

    bool const has_begun = !give_up(work);
    complete(flow, job, UF_JOB_TIMED_OUT, submitted, has_begun ? timed_out : never_began);
}

static void abandon_job(uf_flow *flow, uf_job *job)
{
    uf_time const submitted = job->work->submitted;

    (void)give_up(job->work);
    job->work = NULL;
    notify(flow, job, UFI_ABANDONED, "", submitted);
    job->status = UF_JOB_NONE;
    job->cleared = true;
}

/* If not, the handles may hold anything: a run that has ended may not have entered its task. */
static bool has_jobs(const uf_flow *flow)
{
    return (flow->flags & UFI_HAS_JOBS) != 0;
}

/* Abandons a pending job, or drops its value. Returns: true. */
static bool give_back(uf_flow *flow, uf_job *job)
{
    if (job->status == UF_JOB_PENDING) abandon_job(flow, job);
    else drop_value(job);
    return true;
}

/* -- clear, leave, detach ----------------------------------------------------------------------------------------- */

/* Has the current task been entered? Not while another thread is starting the flow. */
static bool is_in_task(const uf_flow *flow)
{
    return !(ufp_load(&flow->state) & (UF_STATE_IDLE | UF_STATE_CLAIMED)) && !(flow->flags & UFI_ENTERING);
}

/* On the pump's thread, but not in an observer. */
static bool may_clear(const uf_flow *flow)
{
    uf_pump const *const pump = uf_flow_pump(flow);
    return pump && ufi_on_pump_thread(pump) && !ufi_is_telling(pump) && is_in_task(flow);
}

static void clear(uf_flow *flow, uf_job *job)
{
    if (has_jobs(flow)) (void)give_back(flow, job);
    *job = (uf_job){.worker = job->worker, .cleared = true};
    ufi_job_cleared(flow, job);
}

uf_status uf_job_clear(uf_flow *flow, uf_job *job)
{
    if (!may_clear(flow) || !info_of(flow, job)) return UF_INVALID;
    if (ufi_job_is_awarded(flow, job)) return UF_BUSY;
    clear(flow, job);
    return UF_OK;
}

/* Calls a function for each job of the flow's task. Returns: how often it returned true. */
static uint32_t count_jobs(uf_flow *flow, bool (*function)(uf_flow *flow, uf_job *job))
{
    uint16_t const task = ufi_step_of(flow, ufp_load(&flow->state))->task;
    uint32_t count = 0;

    for (unsigned i = 0; i < flow->type->job_count; i++) {
        uf_job_info const *const info = &flow->type->jobs[i];
        for (uint32_t at = 0; info->task == task && at < ufi_job_count(info); at++)
            count += function(flow, ufi_job_at(flow, info, at));
    }
    return count;
}

static void leave_task(uf_flow *flow)
{
    (void)count_jobs(flow, give_back);
    ufi_flag_clear(flow, UFI_HAS_JOBS);
}

static bool is_pending(uf_flow *flow, uf_job *job)
{
    (void)flow;
    return job->status == UF_JOB_PENDING;
}

uint32_t uf_flow_jobs_pending(const uf_flow *flow)
{
    uf_pump const *const pump = uf_flow_pump(flow);
    bool const may_read = pump && ufi_on_pump_thread(pump) && is_in_task(flow);
    return may_read && has_jobs(flow) ? count_jobs((uf_flow *)(uintptr_t)flow, is_pending) : 0;
}

static bool is_awarded(uf_flow *flow, uf_job *job)
{
    return ufi_job_is_awarded(flow, job);
}

static bool clear_used(uf_flow *flow, uf_job *job)
{
    bool const is_used = job->worker != NULL;
    if (is_used) clear(flow, job);
    return is_used;
}

uf_status uf_flow_jobs_clear(uf_flow *flow)
{
    if (!may_clear(flow)) return UF_INVALID;
    if (!has_jobs(flow)) return UF_OK;
    if (count_jobs(flow, is_awarded) > 0) return UF_BUSY;
    (void)count_jobs(flow, clear_used);
    return UF_OK;
}

static void disown(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;

    if (*in_flight(flow) == 0) return;
    for (uf_link *link = pump->works.next; link != &pump->works; link = link->next) {
        if (ufi_pump_work(link)->flow == flow) ufi_pump_work(link)->flow = NULL;
    }
}

/* -- the pump ----------------------------------------------------------------------------------------------------- */

static void begin_round(uf_pump *pump)
{
    uf_pool_kind const *const kind = pump->pool->kind;

    if (kind->round) kind->round(pump->pool, pump);
    if (limits_duration(pump)) notify_all_slow(pump);
    while (pump->timed && ufi_work_deadline(pump->timed) <= ufi_real_time(pump)) time_out(pump->timed);
}

static uf_time next_deadline(const uf_pump *pump)
{
    uf_time const deadline = pump->timed ? ufi_work_deadline(pump->timed) : UF_FOREVER;
    uf_time const end = pump->pool->kind->next ? pump->pool->kind->next(pump->pool, pump) : UF_FOREVER;
    uf_time const slow = next_slow(pump), first = end < deadline ? end : deadline;
    return slow < first ? slow : first;
}

/* After the exchange, the pool may use the record for another job. */
static void leave_to_pool(uf_pump *pump, uf_work *work)
{
    uf_pool *const pool = pump->pool;

    if (withdraw(work)) return;
    end_flight(work);
    work->flow = NULL;
    ufp_store(&work->cancelled, 1);
    if (pool->kind->leave ? pool->kind->leave(pool, work)
                          : ufp_compare_exchange_seq_cst(&work->progress, UFI_WORK_IN_POOL, UFI_WORK_ORPHANED)) {
        return;
    }
    ufi_list_insert(&pump->works, &work->of_pump); /* the worker is sending it */
    count_flight(pump, 1);
}

static void end_round(uf_pump *pump)
{
    if (pump->spare || !ufi_list_empty(&pump->submitted)) pump->pool->kind->after(pump->pool, pump);
}

static void recall(uf_pump *pump)
{
    for (uint32_t count = pump->works_in_flight; count > 0; count--) {
        leave_to_pool(pump, ufi_pump_work(pump->works.next));
    }
    while (pump->works_in_flight) {
        ufi_inbox_deliver(pump);
        if (pump->works_in_flight) ufp_spin_pause();
    }
}

static const struct ufi_job_hooks hooks = {
    .leave_task = leave_task,
    .disown = disown,
    .real = {.begin_round = begin_round, .next_deadline = next_deadline},
    .end_round = end_round,
    .recall = recall,
    .reason = ufi_job_arm_reason,
};

/* -- submit ------------------------------------------------------------------------------------------------------- */

void ufi_begin_jobs(uf_pump *pump)
{
    ufi_list_init(&pump->works);
    pump->first_not_slow = &pump->works;
    pump->timed = NULL;
    ufi_list_init(&pump->submitted);
    pump->jobs = &hooks;
    if (!pump->real) pump->real = &hooks.real;
}

static void fill(uf_work *work, const uf_worker *worker, const void *arguments, uf_time timeout)
{
    work->worker = worker;
    work->timeout = timeout;
    work->took = 0;
    work->progress = UFI_WORK_IN_POOL;
    ufp_store(&work->cancelled, 0);
    ufp_store(&work->begun, 0);
    work->measured = work->dropped = work->slow = false;
    work->failed = 0;
    work->reason[0] = '\0';
    if (worker->arguments_size) (void)memcpy(work->payload.room, arguments, worker->arguments_size);
}

static void reject(uf_flow *flow, uf_job *job, const char *why)
{
    end_job(flow->pump, job, UF_JOB_REJECTED, why);
    notify(flow, job, UFI_REJECTED, why + sizeof UFI_REJECTED_AS - 1,
           UF_FOREVER); /* the event itself says `rejected` */
}

/* Not inlined, so that no other submit needs the stack for a record. */
UF_NOINLINE static void run_inline(uf_flow *flow, uf_job *job, const void *arguments, uf_time timeout, uf_time now)
{
    uf_work work;

    work.pump = flow->pump;
    work.pool = flow->pump->pool; /* functions that free pools and runtimes test this member */
    fill(&work, job->worker, arguments, timeout);
    uf_work_run(&work);
    complete_from(flow, job, &work, now);
}

static void submit_record(uf_pump *pump, uf_flow *flow, uf_job *job, uf_work *work, uf_time now)
{
    work->flow = flow;
    work->job = job;
    work->submitted = now;
    job->work = work;
    begin_flight(pump, work);
    notify(flow, job, UFI_SUBMITTED, "", UF_FOREVER);
    pump->pool->kind->run(pump->pool, work);
}

static uf_work *take_from_pool(uf_pump *pump)
{
    uf_work *const work = pump->pool->kind->take(pump->pool);

    if (!work) return NULL;
    work->pool = pump->pool;
    work->pump = pump;
    work->message = (uf_message){.deliver = deliver_record};
    return work;
}

/* Reuses a record of this round, or takes one from the pool; NULL: none. */
static uf_work *take_record(uf_pump *pump)
{
    uf_link *const spare = pump->spare;

    if (!spare) return take_from_pool(pump);
    pump->spare = spare->next;
    return (uf_work *)(void *)spare;
}

/* Why the job must be rejected; NULL: it is accepted so far. */
static const char *rejection(uf_pump *pump, const uf_flow *flow, const uf_worker *worker)
{
    uint32_t const most = UFI_SETTING(JOBS, pump->config, jobs_per_flow);

    if (worker->arguments_size + worker->value_size > UF_JOB_PAYLOAD)
        return UFI_REJECTED_AS "its arguments and result are too large";
    if (*in_flight(flow) >= most) return UFI_REJECTED_AS "too many of this flow are in flight";
    if (pump->pool) return NULL;
    return ufi_host(pump) ? ufp_make_pool(pump) : UFI_REJECTED_AS "no pool";
}

void uf_submit(uf_flow *flow, uf_job *job, const uf_worker *worker, const void *arguments, uf_time timeout)
{
    uf_pump *const pump = flow->pump;
    uf_work *work;

    if (!ufi_on_pump_thread(pump) || pump->current != flow || ufi_is_telling(pump))
        return;       /* not called from a body of this flow */
    if (!job) return; /* uf_element() has failed the flow */
    (void)give_back(flow, job);
    *job = (uf_job){.worker = worker, .status = UF_JOB_PENDING};
    ufi_flag_set(flow, UFI_HAS_JOBS);
    if (!pump->jobs) ufi_begin_jobs(pump);

    /* A timeout begins now, and the time of the round may be old. */
    uf_time const now = timeout != UF_FOREVER || ufi_is_observed(pump) ? uf_pump_real_now(pump) : ufi_real_time(pump);
    char const *const why = rejection(pump, flow, worker);
    if (why) {
        reject(flow, job, why);
    } else if (timeout <= 0) {
        notify(flow, job, UFI_SUBMITTED, "", UF_FOREVER);
        complete(flow, job, UF_JOB_TIMED_OUT, now, never_began);
    } else if (!pump->pool->kind->take) {
        notify(flow, job, UFI_SUBMITTED, "", UF_FOREVER);
        run_inline(flow, job, arguments, timeout, now);
    } else if ((work = take_record(pump)) == NULL) {
        reject(flow, job, UFI_REJECTED_AS "the pool is full, or has ended");
    } else {
        fill(work, worker, arguments, timeout);
        submit_record(pump, flow, job, work, now);
    }
}
