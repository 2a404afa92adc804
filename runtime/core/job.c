/* job.c - jobs, on the pump's side: submit, and what becomes of it. See work.h. */
#include "stopping.h"
#include "work.h"

_Static_assert(sizeof(((uf_work *)0)->payload) >= UF_JOB_PAYLOAD + UFI_PAYLOAD_ALIGNMENT - 1,
               "room for arguments and value");

/* -- handles ------------------------------------------------------------------------------------------------------- */

uf_job_status uf_job_status_of(const uf_job *job)
{
    return job ? (uf_job_status)job->status : UF_JOB_NONE;
}

const char *uf_job_status_text(uf_job_status status)
{
    switch (status) {
    case UF_JOB_NONE: return "none";
    case UF_JOB_PENDING: return "pending";
    case UF_JOB_DONE: return "done";
    case UF_JOB_FAILED: return "failed";
    case UF_JOB_TIMED_OUT: return "timed out";
    case UF_JOB_REJECTED: return "rejected";
    }
    return "unknown status";
}

static void *in_handle(const uf_job *job, uint32_t offset)
{
    return (void *)((uintptr_t)job + offset);
}

const char *uf_job_reason(const uf_job *job)
{
    if (!job) return "";
    switch (uf_job_status_of(job)) {
    case UF_JOB_PENDING:
    case UF_JOB_DONE: return "";
    case UF_JOB_FAILED: return job->worker->reason_offset ? in_handle(job, job->worker->reason_offset) : "";
    case UF_JOB_NONE: return job->cleared ? "cleared" : "not submitted";
    case UF_JOB_REJECTED: return job->why;
    case UF_JOB_TIMED_OUT: break;
    }
    return uf_job_status_text(uf_job_status_of(job));
}

static uf_job *job_at(const uf_flow *flow, const uf_job_info *info)
{
    return (uf_job *)((uintptr_t)flow + info->offset);
}

/* That of a job of the task that the flow is in; NULL: it is none. */
static const uf_job_info *info_of(const uf_flow *flow, const uf_job *job)
{
    uint16_t const task = ufi_step_of(flow, ufp_load(&flow->state))->task;
    for (unsigned i = 0; i < flow->type->job_count; i++) {
        uf_job_info const *const info = &flow->type->jobs[i];
        if (info->task == task && job_at(flow, info) == job) return info;
    }
    return NULL;
}

static uint32_t *in_flight(const uf_flow *flow)
{
    return (uint32_t *)((uintptr_t)flow + flow->type->jobs_offset);
}

/* -- time and observers --------------------------------------------------------------------------------------------- */

static uf_time deadline_of(const uf_work *work)
{
    return uf_time_add(work->submitted, work->timeout);
}

/* `since`: the time of its submit, if that is to be told. */
static void tell(uf_flow *flow, const uf_job *job, ufi_job_news news, const char *reason, uf_time since)
{
    if (!flow->pump->observers) return;
    uf_job_info const *const info = info_of(flow, job);
    uf_time const now = since == UF_FOREVER ? since : uf_pump_real_now(flow->pump);
    uf_job_event const event = {
        .job = info ? info->name : "",
        .worker = job->worker->name,
        .step = uf_flow_step(flow),
        .status = uf_job_status_of(job),
        .reason = reason,
        .waited = now > since ? now - since : 0,
        .in_flight = *in_flight(flow),
    };
    flow->pump->tell->job(flow, news, &event);
}

/* -- what becomes of a job ------------------------------------------------------------------------------------------- */

/* Wakes its flow if that is parked, and waits for it. */
static void wake(uf_flow *flow, const uf_job *job)
{
    uf_arm const *const arms = ufi_arms(flow);

    if (!(flow->flags & UF_FLAG_ARMED)) return;
    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (arms[i].kind != UF_ARM_JOB || arms[i].on.job != job) continue;
        ufi_wake(flow);
        return;
    }
}

static void settle(uf_flow *flow, uf_job *job, uf_job_status status, uf_time submitted)
{
    if (status == UF_JOB_REJECTED) job->why = UFI_REJECTED_AS "the pool has ended";
    else job->work = NULL;
    job->status = (uint8_t)status;
    if (flow->pump->observers) tell(flow, job, UFI_COMPLETED, uf_job_reason(job), submitted);
    wake(flow, job);
}

/* To the handle, from a record that is over. */
static uf_job_status bring(uf_job *job, uf_work *work)
{
    uf_worker const *const worker = work->worker;

    if (work->dropped) return UF_JOB_REJECTED;
    if (work->took > work->timeout)
        return UF_JOB_TIMED_OUT; /* it ended too late, even if nobody has looked until now */
    if (work->failed) {
        if (worker->reason_offset) memcpy(in_handle(job, worker->reason_offset), work->reason, sizeof work->reason);
        return UF_JOB_FAILED;
    }
    if (worker->value_size) memcpy(in_handle(job, worker->value_offset), ufi_value_of(work), worker->value_size);
    return UF_JOB_DONE;
}

/* -- records in flight ------------------------------------------------------------------------------------------------ */

static void begin_flight(uf_pump *pump, uf_work *work)
{
    uf_link *before = &pump->timed;

    ufi_list_insert(&pump->works, &work->of_pump);
    if (pump->lasting == &pump->works) pump->lasting = &work->of_pump;
    pump->works_in_flight++;
    ++*in_flight(work->flow);
    if (work->timeout == UF_FOREVER) return;
    while (before->prev != &pump->timed && deadline_of(ufi_timed_work(before->prev)) > deadline_of(work)) {
        before = before->prev;
    }
    ufi_list_insert(before, &work->timed);
}

static void forget_timeout(uf_work *work)
{
    if (work->timeout == UF_FOREVER || !work->timed.next) return;
    ufi_list_remove(&work->timed);
    work->timed.next = NULL;
}

static void end_flight(uf_work *work)
{
    if (work->pump->lasting == &work->of_pump) work->pump->lasting = work->of_pump.next;
    ufi_list_remove(&work->of_pump);
    work->pump->works_in_flight--;
    if (work->flow) --*in_flight(work->flow);
}

/* -- slow ones ------------------------------------------------------------------------------------------------------- */

static void tell_slow(uf_work *work, uf_time waited)
{
    uf_flow *const flow = work->flow;
    uf_job const *const job = work->job;
    uf_job_info const *const info = flow && job ? info_of(flow, job) : NULL;

    work->slow = true;
    if (!flow) return; /* it is gone */
    uf_job_event const event = {
        .job = info ? info->name : "",
        .worker = work->worker->name,
        .step = uf_flow_step(flow),
        .status = job ? UF_JOB_PENDING : UF_JOB_NONE,
        .reason = "",
        .waited = waited,
        .in_flight = *in_flight(flow),
    };
    flow->pump->tell->job(flow, UFI_SLOW, &event);
}

static bool watches_time(const uf_pump *pump)
{
    return pump->config.slow_job && pump->observers;
}

/* The real time at which the next one will have been slow. */
static uf_time next_slow(const uf_pump *pump)
{
    if (!watches_time(pump) || pump->lasting == &pump->works) return UF_FOREVER;
    return uf_time_add(ufi_pump_work(pump->lasting)->submitted, pump->config.slow_job);
}

static void tell_all_slow(uf_pump *pump)
{
    while (next_slow(pump) <= pump->clock.real) {
        uf_work *const work = ufi_pump_work(pump->lasting);
        pump->lasting = pump->lasting->next;
        if (!work->slow) tell_slow(work, ufi_time_sub(pump->clock.real, work->submitted));
    }
}

/* -- the end of a record ----------------------------------------------------------------------------------------------- */

/* Nobody waits for it any more. A record that is with a worker stays in flight until that has returned. */
static void let_go(uf_work *work)
{
    uf_pool *const pool = work->pool;

    work->job = NULL;
    forget_timeout(work);
    if (pool->kind->withdraw && pool->kind->withdraw(pool, work)) {
        end_flight(work);
        if (work->pump->stop) ufi_stop_dropped(work->pump);
        pool->kind->put(pool, work);
    } else {
        ufp_store(&work->cancelled, 1);
    }
}

void ufi_finish_work(uf_work *work)
{
    uf_job *const job = work->job;
    uf_pump *const pump = work->pump;

    if (watches_time(pump) && !work->slow && work->took > pump->config.slow_job) tell_slow(work, work->took);
    end_flight(work);
    forget_timeout(work);
    if (job) settle(work->flow, job, bring(job, work), work->submitted);
    pump->pool->kind->put(pump->pool, work);
}

static void deliver(uf_pump *pump, uf_message *message)
{
    (void)pump;
    ufi_finish_work((uf_work *)((uintptr_t)message - offsetof(uf_work, message)));
}

static void time_out(uf_work *work)
{
    uf_flow *const flow = work->flow;
    uf_job *const job = work->job;
    uf_time const submitted = work->submitted;

    let_go(work);
    settle(flow, job, UF_JOB_TIMED_OUT, submitted);
}

static void abandon(uf_flow *flow, uf_job *job)
{
    uf_time const submitted = job->work->submitted;

    let_go(job->work);
    job->work = NULL;
    tell(flow, job, UFI_ABANDONED, "", submitted);
    job->status = UF_JOB_NONE;
    job->cleared = true;
}

/* -- clear, leave, detach ----------------------------------------------------------------------------------------------- */

/* Is the state of its task its own? Not before that was entered, nor while another thread is about to start it. */
static bool is_within(const uf_flow *flow)
{
    return !(ufp_load(&flow->state) & (UF_STATE_IDLE | UF_STATE_CLAIMED)) && !(flow->flags & UFI_ENTERING);
}

uf_status uf_job_clear(uf_flow *flow, uf_job *job)
{
    uf_pump *const pump = uf_flow_pump(flow);

    if (!pump || !ufi_here(pump) || pump->cursor || !is_within(flow) || !info_of(flow, job)) return UF_INVALID;
    if (job->status == UF_JOB_PENDING) abandon(flow, job);
    *job = (uf_job){.worker = job->worker, .cleared = true};
    wake(flow, job);
    return UF_OK;
}

static void abandon_all(uf_flow *flow)
{
    uint16_t const task = ufi_step_of(flow, ufp_load(&flow->state))->task;

    ufi_flag_clear(flow, UFI_JOBS);
    for (unsigned i = 0; i < flow->type->job_count; i++) {
        if (flow->type->jobs[i].task != task) continue;
        uf_job *const job = job_at(flow, &flow->type->jobs[i]);
        if (job->status == UF_JOB_PENDING) abandon(flow, job);
    }
}

static void disown(uf_flow *flow)
{
    uf_pump *const pump = flow->pump;

    if (*in_flight(flow) == 0) return;
    for (uf_link *link = pump->works.next; link != &pump->works; link = link->next) {
        if (ufi_pump_work(link)->flow == flow) ufi_pump_work(link)->flow = NULL;
    }
}

/* -- the pump ------------------------------------------------------------------------------------------------------------ */

static void look(uf_pump *pump)
{
    uf_pool_kind const *const kind = pump->pool->kind;

    if (kind->round) kind->round(pump->pool, pump);
    if (watches_time(pump)) tell_all_slow(pump);
    while (!ufi_list_empty(&pump->timed)) {
        uf_work *const first = ufi_timed_work(pump->timed.next);
        if (deadline_of(first) > pump->clock.real) break;
        time_out(first);
    }
}

static uf_time next(const uf_pump *pump)
{
    uf_time const deadline = ufi_list_empty(&pump->timed) ? UF_FOREVER : deadline_of(ufi_timed_work(pump->timed.next));
    uf_time const end = pump->pool->kind->next ? pump->pool->kind->next(pump->pool, pump) : UF_FOREVER;
    uf_time const slow = next_slow(pump), first = end < deadline ? end : deadline;
    return slow < first ? slow : first;
}

/* After the swap a record that was left to the pool may be in use for another job. */
static void leave_to_pool(uf_pump *pump, uf_work *work)
{
    uf_pool *const pool = pump->pool;

    work->job = NULL;
    forget_timeout(work);
    if (pool->kind->withdraw && pool->kind->withdraw(pool, work)) {
        end_flight(work);
        pool->kind->put(pool, work);
        return;
    }
    end_flight(work);
    work->flow = NULL;
    ufp_store(&work->cancelled, 1);
    if (pool->kind->leave ? pool->kind->leave(pool, work)
                          : ufp_compare_exchange_seq_cst(&work->progress, UFI_WORK_IN_POOL, UFI_WORK_ORPHANED)) {
        return;
    }
    ufi_list_insert(&pump->works, &work->of_pump); /* it is on its way here */
    pump->works_in_flight++;
}

static void after(uf_pump *pump)
{
    if (pump->spare || !ufi_list_empty(&pump->submitted)) pump->pool->kind->after(pump->pool, pump);
}

static void recall(uf_pump *pump)
{
    for (uint32_t count = pump->works_in_flight; count > 0; count--) {
        leave_to_pool(pump, ufi_pump_work(pump->works.next));
    }
    while (pump->works_in_flight) {
        ufi_deliver_messages(pump);
        if (pump->works_in_flight) ufp_spin_pause();
    }
}

static const struct ufi_jobs all_about_jobs = {
    .abandon = abandon_all,
    .disown = disown,
    .look = look,
    .next = next,
    .after = after,
    .recall = recall,
};

/* -- submit ---------------------------------------------------------------------------------------------------------- */

/* The first of a pump. */
static void begin_jobs(uf_pump *pump)
{
    ufi_list_init(&pump->works);
    pump->lasting = &pump->works;
    ufi_list_init(&pump->timed);
    ufi_list_init(&pump->submitted);
    pump->jobs = &all_about_jobs;
}

static void fill(uf_work *work, const uf_worker *worker, const void *arguments, uf_time timeout)
{
    work->worker = worker;
    work->timeout = timeout;
    work->took = 0;
    work->progress = UFI_WORK_IN_POOL;
    ufp_store(&work->cancelled, 0);
    work->measured = work->failed = work->dropped = work->slow = false;
    work->reason[0] = '\0';
    if (worker->arguments_size) memcpy(work->payload.room, arguments, worker->arguments_size);
}

static void reject(uf_flow *flow, uf_job *job, const char *why)
{
    job->status = UF_JOB_REJECTED;
    job->why = why;
    tell(flow, job, UFI_REJECTED, why + sizeof UFI_REJECTED_AS - 1, UF_FOREVER); /* that it was, they know */
}

/* Apart, so that no other submit pays for a record on the stack. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
run_at_once(uf_flow *flow, uf_job *job, const void *arguments, uf_time timeout, uf_time now)
{
    uf_work work;

    work.pump = flow->pump;
    work.pool = flow->pump->pool; /* whether it is called by a worker is asked by what ends pools and runtimes */
    fill(&work, job->worker, arguments, timeout);
    uf_work_run(&work);
    settle(flow, job, bring(job, &work), now);
}

static void hand_over(uf_pump *pump, uf_flow *flow, uf_job *job, uf_work *work, uf_time now)
{
    work->flow = flow;
    work->job = job;
    work->submitted = now;
    job->work = work;
    begin_flight(pump, work);
    tell(flow, job, UFI_SUBMITTED, "", UF_FOREVER);
    pump->pool->kind->run(pump->pool, work);
}

static uf_work *take_from_pool(uf_pump *pump)
{
    uf_work *const work = pump->pool->kind->take(pump->pool);

    if (!work) return NULL;
    work->pool = pump->pool;
    work->pump = pump;
    work->message = (uf_message){.link.prev = &work->message.link, .deliver = deliver};
    return work;
}

/* NULL: there is none. */
static uf_work *take_record(uf_pump *pump)
{
    uf_link *const spare = pump->spare;

    if (!spare) return take_from_pool(pump);
    pump->spare = spare->next;
    return (uf_work *)(void *)spare;
}

/* NULL: nothing is in the way. */
static const char *obstacle(uf_pump *pump, const uf_flow *flow, const uf_worker *worker)
{
    if (worker->arguments_size + worker->value_size > UF_JOB_PAYLOAD)
        return UFI_REJECTED_AS "its arguments and result are too large";
    if (*in_flight(flow) >= pump->config.jobs_per_flow) return UFI_REJECTED_AS "too many of this flow are in flight";
    if (pump->pool) return NULL;
    return pump->host ? pump->host->make_pool(pump) : UFI_REJECTED_AS "no pool";
}

void uf_submit(uf_flow *flow, uf_job *job, const uf_worker *worker, const void *arguments, uf_time timeout)
{
    uf_pump *const pump = flow->pump;
    uf_work *work;

    if (!ufi_here(pump) || pump->current != flow || pump->cursor) return; /* no body of this flow's step */
    if (job->status == UF_JOB_PENDING) abandon(flow, job);
    *job = (uf_job){.worker = worker, .status = UF_JOB_PENDING};
    ufi_flag_set(flow, UFI_JOBS);
    if (!pump->jobs) begin_jobs(pump);

    /* The clock of a round may be old by now, and a timeout begins now. */
    uf_time const now = timeout != UF_FOREVER || pump->observers ? uf_pump_real_now(pump) : pump->clock.real;
    char const *const why = obstacle(pump, flow, worker);
    if (why) {
        reject(flow, job, why);
    } else if (timeout <= 0) {
        tell(flow, job, UFI_SUBMITTED, "", UF_FOREVER);
        settle(flow, job, UF_JOB_TIMED_OUT, now);
    } else if (!pump->pool->kind->take) {
        tell(flow, job, UFI_SUBMITTED, "", UF_FOREVER);
        run_at_once(flow, job, arguments, timeout, now);
    } else if ((work = take_record(pump)) == NULL) {
        reject(flow, job, UFI_REJECTED_AS "the pool is full, or has ended");
    } else {
        fill(work, worker, arguments, timeout);
        hand_over(pump, flow, job, work, now);
    }
}

/* -- arms -------------------------------------------------------------------------------------------------------------- */

/* Apart, as few bodies stay before they wait for a job. */
UF_NOINLINE static bool arm_after_stay(uf_flow *flow, uf_arm *arm, uf_job *job)
{
    uf_disarm_all(flow);
    return uf_arm_job(flow, arm, job);
}

bool uf_arm_job(uf_flow *flow, uf_arm *arm, uf_job *job)
{
    if (flow->flags & UFI_STAYING) return arm_after_stay(flow, arm, job);
    ufi_set_arm(flow, arm, UF_ARM_JOB);
    arm->on.job = job;
    return job->status == UF_JOB_PENDING;
}

const char *uf_job_failure_reason(uf_flow *flow, const uf_arm *arm)
{
    char const *const reason = uf_job_reason(arm->on.job);
    char *const own = ufi_reason_buffer(flow);

    if (!own || flow->flags & UFI_FAILING) return reason;
    ufi_format_args(own, UF_REASON_SIZE, "%s", reason); /* the task, and the handle in it, may be left with it */
    return own;
}

uf_intent uf_job_failure(uf_flow *flow, const uf_arm *arm, const char *source)
{
    return uf_fail(flow, "%s: %s", source, uf_job_reason(arm->on.job));
}
