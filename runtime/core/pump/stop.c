/* SPDX-License-Identifier: MIT */
/* stop.c - graceful shutdown of a pump, phase by phase; see uflow/stop.h.
 *
 * It runs on the pump's thread, in rounds, by real time. Only `stopping` and `refused` are shared with other
 * threads. */
#include "basics/format.h"
#include "jobs/work.h"
#include "pump/rounds.h"

bool uf_pump_stopping(const uf_pump *pump)
{
    return pump && ufi_is_stopping(pump);
}

/* -- the report ---------------------------------------------------------------------------------------------------- */

const char *uf_stop_phase_text(uf_stop_phase phase)
{
    switch (phase) {
    case UF_STOP_NONE: return "none";
    case UF_STOP_ENDING: return "ending";
    case UF_STOP_SHUTTING_DOWN: return "shutting down";
    case UF_STOP_JOBS: return "jobs";
    case UF_STOP_OVER: return "over";
    }
    return "unknown phase";
}

void ufi_stop_name(uf_stop_report *report, const char *name, const char *task, const char *what)
{
    if (report->named == UF_STOP_NAMES) return;
    (void)ufi_join(report->names[report->named++], UF_STOP_NAME_SIZE,
                   UFI_PARTS(name, ": ", task, *task ? ": " : "", what));
}

static void name_flow(uf_stop *stop, const uf_flow *flow, const char *task, const char *what)
{
    char path[UF_STOP_NAME_SIZE];
    (void)uf_flow_path(flow, path, sizeof path);
    ufi_stop_name(&stop->report, path, task, what);
}

static void enter_phase(uf_pump *pump, uf_stop_phase phase)
{
    uf_stop *const stop = pump->stop;

    stop->phase = stop->report.phase = phase;
    stop->report.refused = ufp_load(&pump->refused);
    stop->report.took = ufi_time_sub(ufi_real_time(pump), stop->began);
    if (stop->report.took < 0) stop->report.took = 0; /* the stop began after the round read its time */
    if (ufi_is_observed(pump)) pump->notify->stopping(pump, &stop->report);
}

uf_status ufi_stop_status(const uf_stop_report *report)
{
    return report->cut_off || report->jobs_left || report->stuck ? UF_TIMED_OUT : UF_OK;
}

/* -- flows --------------------------------------------------------------------------------------------------------- */

static const uf_task_info *task_of(const uf_flow *flow, uint32_t state)
{
    return &flow->type->tasks[ufi_step_of(flow, state)->task];
}

/* The flow's `shutdown` task; NULL: none. */
static const uf_task_info *shutdown_of(const uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->task_count; i++) {
        if (flow->type->tasks[i].kind == UF_TASK_SHUTDOWN) return &flow->type->tasks[i];
    }
    return NULL;
}

static bool waits_for_shutdown(const uf_flow *flow)
{
    return !(flow->rare_flags & UFI_SHUT_DOWN) && shutdown_of(flow);
}

/* Have the flow and all its containers run for the last time? */
static bool is_finished(const uf_flow *flow)
{
    for (; flow; flow = ufi_container(flow)) {
        if (uf_flow_running(flow) || waits_for_shutdown(flow)) return false;
    }
    return true;
}

uf_status uf_flow_init_begin(uf_flow *flow, const uf_flow_type *type, uf_pump *pump, const char *name)
{
    return ufi_attach(flow, type, pump, name, UFI_STATE_NEW);
}

/* If the init has started a task, the state is that of its run. */
void uf_flow_init_end(uf_flow *flow)
{
    (void)ufp_compare_exchange_seq_cst(&flow->state, UFI_STATE_NEW, UF_STATE_IDLE);
}

/* The `shutdown` task of a container runs before the tasks of its parts. */
static void start_shutdown_if_due(uf_flow *flow)
{
    uf_flow const *const container = ufi_container(flow);

    if (!waits_for_shutdown(flow) || (container && !is_finished(container))) return;
    if (ufp_load_acquire(&flow->state) == UFI_STATE_NEW) return;
    if (ufi_begin_run_at(flow, shutdown_of(flow)->entry | UF_ENTRY)) ufi_rare_flag_put(flow, UFI_SHUT_DOWN, true);
}

/* -- hooks --------------------------------------------------------------------------------------------------------- */

/* Does the stop wait for the end of the task? A run that is kept goes on in the next process. */
static bool is_finite(const uf_flow *flow, uint32_t state)
{
    if (ufi_store_hooks(flow->pump) && ufi_store_hooks(flow->pump)->keeps(flow)) return false;
    return task_of(flow, state)->kind != UF_TASK_FOREVER;
}

static void run_began(uf_flow *flow, uint32_t state)
{
    flow->pump->stop->finite += is_finite(flow, state);
}

static void run_became(uf_flow *flow, uint32_t from, uint32_t to)
{
    uf_stop *const stop = flow->pump->stop;
    stop->finite += is_finite(flow, to);
    stop->finite -= is_finite(flow, from);
}

static void run_stands(const uf_flow *flow, bool stands)
{
    bool const counts = is_finite(flow, ufp_load(&flow->state));
    flow->pump->stop->finite += stands ? 0U - counts : counts;
}

static void count_shutdown(uf_stop *stop, const uf_flow *flow, const char *task, uf_outcome outcome)
{
    uf_stop_report *const report = &stop->report;

    if (outcome == UF_DONE) {
        report->shut_down++;
    } else if (outcome == UF_FAILED) {
        char const *const reason = ufi_reason_buffer(flow);
        report->failed++;
        name_flow(stop, flow, task, reason && *reason ? reason : "failed");
    } else {
        report->cut_off++;
        name_flow(stop, flow, task, "cut off");
    }
}

static void run_ended(uf_flow *flow, uint32_t state, uf_outcome outcome)
{
    uf_pump *const pump = flow->pump;
    uf_stop *const stop = pump->stop;
    uf_task_info const *const task = task_of(flow, state);

    stop->finite -= is_finite(flow, state);
    if (task->kind == UF_TASK_SHUTDOWN && flow->rare_flags & UFI_SHUT_DOWN)
        count_shutdown(stop, flow, ufi_name_of_task(task), outcome);
    else if (ufi_store_hooks(pump) && ufi_store_hooks(pump)->has_suspended(flow)) stop->report.suspended++;
    else if (outcome == UF_CANCELLED) stop->report.cancelled++;
    else stop->report.ended++;
    if (stop->phase != UF_STOP_SHUTTING_DOWN || stop->cut) return;

    for (uf_flow *part = flow; ufi_is_part_of(part, flow); part = uf_pump_next_flow(pump, part))
        start_shutdown_if_due(part);
}

/* -- phases -------------------------------------------------------------------------------------------------------- */

static bool all_idle(const uf_pump *pump)
{
    return pump->running == 0 && !(UF_USES_MESSAGES && ufp_load_seq_cst(&pump->requests));
}

/* The time is over: all runs end in this round or the next one. */
static void cut_off(uf_pump *pump)
{
    uf_stop *const stop = pump->stop;

    stop->cut = true;
    uf_pump_cancel_all(pump);
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) {
        if (!waits_for_shutdown(flow)) continue;
        stop->report.cut_off++;
        name_flow(stop, flow, ufi_name_of_task(shutdown_of(flow)), "no time");
    }
}

static void begin_shutting_down(uf_pump *pump)
{
    uf_stop *const stop = pump->stop;
    uf_time const left = stop->until == UF_FOREVER ? UF_FOREVER : ufi_time_sub(stop->until, ufi_real_time(pump));

    ufi_pump_end_scaling(pump);
    stop->limit = ufi_works_in_flight(pump) ? uf_time_add(ufi_real_time(pump), left / 2) : stop->until;
    enter_phase(pump, UF_STOP_SHUTTING_DOWN);
    uf_pump_cancel_all(pump);
    if (left <= 0) cut_off(pump);
    for (uf_flow *flow = NULL; left > 0 && (flow = uf_pump_next_flow(pump, flow)) != NULL;) start_shutdown_if_due(flow);
}

/* Their `shutdown` tasks did not run: their fields were not set when the others ran. */
static void name_new_flows(uf_pump *pump)
{
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) {
        if (waits_for_shutdown(flow))
            name_flow(pump->stop, flow, ufi_name_of_task(shutdown_of(flow)), "its init had not ended");
    }
}

static void begin_jobs_phase(uf_pump *pump)
{
    uf_stop *const stop = pump->stop;

    if (!stop->cut) name_new_flows(pump);
    stop->limit = stop->until;
    stop->jobs = ufi_works_in_flight(pump);
    enter_phase(pump, UF_STOP_JOBS);
}

/* Another thread may be initialising the first mailbox. */
static const struct ufi_mail_hooks *mail_of(const uf_pump *pump)
{
    ufp_critical_enter(pump);
    const struct ufi_mail_hooks *const mail = UF_USES_MAILBOXES ? pump->mail : NULL;
    ufp_critical_leave(pump);
    return mail;
}

#define NOT_RETURNED "its worker has not returned"

static void end_stop(uf_pump *pump)
{
    uf_stop_report *const report = &pump->stop->report;

    report->jobs_ended = pump->stop->jobs - ufi_works_in_flight(pump);
    report->jobs_left = ufi_works_in_flight(pump);
    uf_link *link = UF_USES_JOBS ? pump->works.next : NULL;
    for (uint32_t left = ufi_works_in_flight(pump); left > 0; left--, link = link->next) {
        uf_work const *const work = ufi_pump_work(link);
        if (work->flow) name_flow(pump->stop, work->flow, work->worker->name, NOT_RETURNED);
        else ufi_stop_name(report, work->worker->name, "", NOT_RETURNED);
    }
    const struct ufi_mail_hooks *const mail = mail_of(pump);
    if (mail) mail->stop_ends(pump);
    pump->stop->limit = ufi_real_time(pump);
    enter_phase(pump, UF_STOP_OVER);
}

/* Is there nothing left to wait for in this phase? */
static bool is_phase_complete(const uf_pump *pump)
{
    switch (pump->stop->phase) {
    case UF_STOP_ENDING:
        return pump->stop->pass && pump->stop->finite == 0 && !(UF_USES_MESSAGES && ufp_load_seq_cst(&pump->requests));
    case UF_STOP_SHUTTING_DOWN: return all_idle(pump);
    case UF_STOP_JOBS: return ufi_works_in_flight(pump) == 0;
    case UF_STOP_NONE:
    case UF_STOP_OVER: break;
    }
    return false;
}

static bool time_is_over(const uf_pump *pump)
{
    return pump->stop->limit != UF_FOREVER && pump->stop->limit <= ufi_real_time(pump);
}

static void begin_round(uf_pump *pump)
{
    uf_stop *const stop = pump->stop;

    if (stop->phase == UF_STOP_ENDING) {
        if (is_phase_complete(pump) || time_is_over(pump)) begin_shutting_down(pump);
        stop->pass = true;
    }
    if (stop->phase == UF_STOP_SHUTTING_DOWN) {
        if (all_idle(pump)) begin_jobs_phase(pump);
        else if (!stop->cut && time_is_over(pump)) cut_off(pump);
        else if (stop->cut) uf_pump_cancel_all(pump); /* including runs that began after the cut */
    }
    if (stop->phase == UF_STOP_JOBS && (is_phase_complete(pump) || time_is_over(pump))) end_stop(pump);
    if (pump->stop != stop) return; /* an observer has restarted the pump */
    if (ufi_is_observed(pump) && pump->notify->next_telling(pump, UF_FOREVER) <= ufi_real_time(pump))
        enter_phase(pump, stop->phase);
}

/* The round that ends the stop returns 0, so that a loop that ends with the stop does not sleep once more. */
static uf_time end_of_phase(const uf_pump *pump)
{
    if (pump->stop->phase == UF_STOP_OVER)
        return pump->stop->limit < ufi_real_time(pump) ? UF_FOREVER : pump->stop->limit;
    if (pump->stop->phase == UF_STOP_ENDING && !pump->stop->pass) return ufi_real_time(pump);
    if (is_phase_complete(pump)) return ufi_real_time(pump);
    if (pump->stop->phase == UF_STOP_SHUTTING_DOWN && pump->stop->cut)
        return UF_FOREVER; /* the cancelled runs end in their turns */
    return pump->stop->limit;
}

static uf_time next_deadline(const uf_pump *pump)
{
    uf_time const end = end_of_phase(pump);
    return ufi_is_observed(pump) ? pump->notify->next_telling(pump, end) : end;
}

/* -- beginning and end --------------------------------------------------------------------------------------------- */

static const struct ufi_stop_hooks hooks = {
    .begin_round = begin_round,
    .next_deadline = next_deadline,
    .run_began = run_began,
    .run_became = run_became,
    .run_ended = run_ended,
    .run_stands = run_stands,
};

void ufi_stop_begin(uf_pump *pump, uf_stop *stop, uf_time began, uf_time grace, bool at_once)
{
    *stop = (uf_stop){.hooks = &hooks, .began = began, .until = uf_time_add(began, grace > 0 ? grace : 0)};
    stop->limit = at_once ? began : uf_time_add(began, grace > 0 ? grace / 2 : 0);
    pump->stop = stop;
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) {
        uint32_t const state = ufp_load(&flow->state);
        if (!(state & (UF_STATE_IDLE | UF_STATE_CLAIMED | UFI_STATE_PAUSED))) stop->finite += is_finite(flow, state);
        if (ufi_pool_count(flow)) flow->type->pools->pooling->stop_begins(flow);
    }
    uf_arm *const last = pump->stop_waiters;
    for (uf_arm *arm = last ? last->next : NULL; arm; arm = arm == last ? NULL : arm->next) ufi_wake(arm->owner);
    ufi_end_lone(pump);
    const struct ufi_mail_hooks *const mail = mail_of(pump);
    if (mail) mail->stop_begins(pump);
    if (ufi_hands_on(pump)) pump->hand_on(pump);
    enter_phase(pump, UF_STOP_ENDING);
}

void ufi_stop_forget(uf_pump *pump)
{
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) {
        ufi_rare_flag_put(flow, UFI_SHUT_DOWN, false);
    }
    pump->stop = NULL;
    ufp_store(&pump->refused, 0);
}

/* -- caller-driven pumps ------------------------------------------------------------------------------------------ */

uf_status uf_pump_stop(uf_pump *pump, uf_stop *stop, uf_time grace)
{
    if (!ufi_is_pump(pump) || !stop) return UF_INVALID;
    if (ufi_host(pump) || !ufi_on_pump_thread(pump)) return UF_UNSUPPORTED;
    if (uf_pump_stopping(pump)) return UF_BUSY;
    ufp_store_seq_cst(&pump->stopping, 1);
    ufi_stop_begin(pump, stop, ufi_real_time(pump), grace, false);
    return UF_OK;
}

bool uf_pump_stopped(const uf_pump *pump)
{
    return pump && ufi_stop(pump) && pump->stop->phase == UF_STOP_OVER;
}

uf_status uf_pump_restart(uf_pump *pump)
{
    if (!uf_pump_stopping(pump)) return UF_INVALID;
    if (pump->stop && !uf_pump_stopped(pump)) return UF_BUSY;
    ufi_stop_forget(pump);
    ufp_store_seq_cst(&pump->stopping, 0);
    return UF_OK;
}
