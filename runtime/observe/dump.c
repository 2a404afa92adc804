/* dump.c - the state of flows as text; dump.h shows it. */
#include "uflow/dump.h"
#include "uflow/checkpoint.h"
#include "uflow/generated.h"
#include "uflow/mailbox.h"

#include "text.h"

#define PATH_SIZE 128

/* Prints the time that is left. */
static void print_deadline(FILE *out, const uf_flow *flow, uf_time deadline)
{
    uf_time const now = uf_pump_now(flow->pump), left = deadline > now ? deadline - now : 0;

    if (deadline == UF_FOREVER) fputs("deadline never", out);
    else fprintf(out, "deadline in " TIME_FORMAT, TIME_ARGS(left));
}

static void print_flow(FILE *out, const char *what, const uf_flow *flow)
{
    char path[PATH_SIZE];
    uf_flow_path(flow, path, sizeof path);
    fprintf(out, "%s %s", what, path);
}

static void print_name(FILE *out, const char *what, const char *name)
{
    fprintf(out, "%s %s", what, name ? name : "without a name");
}

static void print_job(FILE *out, const uf_flow *flow, const uf_arm *arm)
{
    uf_job const *const job = arm->on.job;
    char const *const task = uf_flow_task(flow), *name = job->worker->name;
    bool is_element = false;

    for (unsigned i = 0; i < flow->type->job_count; i++) {
        uf_job_info const *const info = &flow->type->jobs[i];
        uintptr_t const at = (uintptr_t)flow + info->offset + arm->index * info->stride;
        if (at != (uintptr_t)job || flow->type->tasks[info->task].name != task) continue;
        name = info->name;
        is_element = info->count > 0;
    }
    if (is_element) fprintf(out, "job %s[%" PRIu32 "] (", name, arm->index);
    else fprintf(out, "job %s (", name);
    fprintf(out, "%s)", uf_job_status_text(uf_job_status_of(job)));
}

static void print_jobs(FILE *out, const char *what, const uf_flow *flow, const uf_job_info *info)
{
    uint32_t pending = 0;

    for (uint32_t i = 0; i < info->count; i++) {
        uintptr_t const job = (uintptr_t)flow + info->offset + i * info->stride;
        pending += uf_job_status_of((const uf_job *)job) == UF_JOB_PENDING;
    }
    fprintf(out, "%s(%s) (%" PRIu32 " pending)", what, info->name, pending);
}

/* The name of the checkpoint that contains the signal `arrived`. */
static const char *checkpoint_name(const uf_signal *arrived)
{
    return ((uf_checkpoint const *)((uintptr_t)arrived - offsetof(uf_checkpoint, arrived)))->held.name;
}

static void print_arm(FILE *out, const uf_flow *flow, const uf_arm *arm)
{
    switch ((uf_arm_kind)arm->kind) {
    case UF_ARM_DEADLINE:
    case UF_ARM_INTERVAL: print_deadline(out, flow, arm->on.deadline); break;
    case UF_ARM_HELD: fputs("until a condition has held", out); break;
    case UF_ARM_RUN:
    case UF_ARM_COMPANION: print_flow(out, "run of", arm->on.target); break;
    case UF_ARM_IDLE: print_flow(out, "idle", arm->on.target); break;
    case UF_ARM_JOB: print_job(out, flow, arm); break;
    case UF_ARM_ANY: print_jobs(out, "any", flow, arm->on.jobs); break;
    case UF_ARM_JOBS: print_jobs(out, "all", flow, arm->on.jobs); break;
    case UF_ARM_READABLE: fprintf(out, "readable %d", arm->on.fd); break;
    case UF_ARM_WRITABLE: fprintf(out, "writable %d", arm->on.fd); break;
    case UF_ARM_STOPPING: fputs("stopping", out); break;
    case UF_ARM_SIGNAL: print_name(out, "signal", arm->on.signal->name); break;
    case UF_ARM_CHECKPOINT: print_name(out, "checkpoint", arm->on.signal->name); break;
    case UF_ARM_ARRIVED: print_name(out, "arrived", checkpoint_name(arm->on.signal)); break;
    case UF_ARM_MAILBOX: /* its first member is the signal */
        print_name(out, "mailbox", ((const uf_mailbox *)(const void *)arm->on.signal)->name);
        break;
    case UF_ARM_ROOM: print_name(out, "room in", arm[1].on.name); break; /* the mailbox may be gone */
    case UF_ARM_VACANT: print_name(out, "vacant", arm[1].on.name); break;
    case UF_ARM_EMPTY: print_name(out, "idle", arm[1].on.name); break;
    case UF_ARM_UNUSED:
    case UF_ARM_OPERAND:
    case UF_ARM_PREEMPT: break;
    }
}

/* True if the arm is pending and its target still exists. */
static bool is_waited_for(const uf_arm *arm)
{
    switch ((uf_arm_kind)arm->kind) {
    case UF_ARM_UNUSED:
    case UF_ARM_OPERAND:
    case UF_ARM_PREEMPT: return false;
    case UF_ARM_HELD:
    case UF_ARM_DEADLINE: return true;
    case UF_ARM_INTERVAL: return arm->on_list || arm->on.deadline == UF_FOREVER; /* otherwise of an earlier `stay` */
    case UF_ARM_JOB: return arm->on.job && arm->on.job->worker && uf_job_status_of(arm->on.job) == UF_JOB_PENDING;
    case UF_ARM_SIGNAL:
    case UF_ARM_CHECKPOINT:
    case UF_ARM_ARRIVED:
    case UF_ARM_MAILBOX: return arm->state == UF_ARM_PENDING && arm->on.signal;
    case UF_ARM_RUN:
    case UF_ARM_COMPANION:
    case UF_ARM_IDLE: return arm->state == UF_ARM_PENDING && arm->on.target && arm->on_list;
    case UF_ARM_ANY:
    case UF_ARM_JOBS:
    case UF_ARM_READABLE:
    case UF_ARM_WRITABLE:
    case UF_ARM_ROOM:
    case UF_ARM_VACANT:
    case UF_ARM_EMPTY:
    case UF_ARM_STOPPING: break;
    }
    return arm->state == UF_ARM_PENDING;
}

static void print_arms(FILE *out, const uf_flow *flow, const char *what, size_t offset, unsigned count)
{
    uf_arm const *const arms = (const uf_arm *)((uintptr_t)flow + offset);

    for (unsigned i = 0; i < count; i++) {
        if (!is_waited_for(&arms[i])) continue;
        fprintf(out, "    %s: ", what);
        print_arm(out, flow, &arms[i]);
        fputc('\n', out);
    }
}

static void dump_flow(FILE *out, const uf_flow *flow)
{
    char path[PATH_SIZE];
    uf_flow_view view;

    uf_flow_path(flow, path, sizeof path);
    uf_flow_view_of(flow, &view);
    if (!view.running) {
        fprintf(out, "%s  idle, %s%s%s\n", path, uf_outcome_text(view.outcome), view.outcome == UF_FAILED ? ": " : "",
                view.outcome == UF_FAILED ? view.reason : "");
        return;
    }
    if (view.ordinal < 0) { /* another thread is about to start it */
        fprintf(out, "%s  starts\n", path);
        return;
    }
    fprintf(out, "%s  %s.%s:%" PRIu32 "  #%02" PRId64 "  for " TIME_FORMAT "%s%s\n", path, view.task, view.step,
            view.line, view.ordinal, TIME_ARGS(view.elapsed), view.description[0] ? "  " : "", view.description);
    if (flow->flags & UF_FLAG_ARMED) print_arms(out, flow, "waits", flow->type->arms_offset, flow->type->arm_count);
    print_arms(out, flow, "task", flow->type->preempts_offset, flow->type->preempt_count);
}

/* -- cycles of waits ----------------------------------------------------------------------------------------------- */

/* The flow that an arm waits for: one that must end, or receive. NULL: none of this pump, which runs. */
static const uf_flow *awaited_by(const uf_flow *flow, const uf_arm *arm)
{
    uf_flow const *awaited = NULL;

    if (!(flow->flags & UF_FLAG_ARMED) || !arm->on_list || !is_waited_for(arm)) return NULL;
    if (arm->kind == UF_ARM_RUN || arm->kind == UF_ARM_IDLE) awaited = arm->on.target;
    if (arm->kind == UF_ARM_ROOM)
        awaited = ((uf_mailbox const *)((uintptr_t)arm->on.room - offsetof(uf_mailbox, room)))->owner;
    return awaited && awaited->pump == flow->pump && uf_flow_running(awaited) ? awaited : NULL;
}

static const uf_arm *arm_at(const uf_flow *flow, unsigned index)
{
    return (const uf_arm *)((uintptr_t)flow + flow->type->arms_offset) + index;
}

/* The first arm by which a flow waits for another one. NULL: there is none. */
static const uf_arm *first_awaiting(const uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (awaited_by(flow, arm_at(flow, i))) return arm_at(flow, i);
    }
    return NULL;
}

static const uf_flow *next_awaited(const uf_flow *flow)
{
    uf_arm const *const arm = flow ? first_awaiting(flow) : NULL;
    return arm ? awaited_by(flow, arm) : NULL;
}

/* Follows the waits from one arm on, by the first such arm of each flow. Another cycle may be on the way: there the
 * slow walk meets the fast one. A cycle of first arms counts at its lowest address only. Returns: the number of flows
 * in the cycle; 0: none. */
static unsigned cycle_from(const uf_flow *flow, const uf_arm *arm)
{
    uf_flow const *fast = awaited_by(flow, arm), *slow = fast;
    bool const is_first = fast && arm == first_awaiting(flow);
    unsigned length = 1;

    for (; fast && fast != flow; length++) {
        if (is_first && (uintptr_t)fast < (uintptr_t)flow) return 0;
        fast = next_awaited(fast);
        if (length % 2 == 0) slow = next_awaited(slow);
        if (fast == slow && fast != flow) return 0;
    }
    return fast ? length : 0;
}

static void print_in_cycle(FILE *out, const uf_flow *flow, const uf_arm *arm)
{
    print_flow(out, "   ", flow);
    fprintf(out, "  %s.%s:%" PRIu32 "  ", uf_flow_task(flow), uf_flow_step(flow), uf_flow_line(flow));
    print_arm(out, flow, arm);
    fputc('\n', out);
}

static void print_cycle(FILE *out, const uf_flow *flow, const uf_arm *arm, unsigned length)
{
    if (length == 1) fputs("this flow waits for itself:\n", out);
    else fprintf(out, "these %u flows wait for each other:\n", length);
    while (length-- > 0) {
        print_in_cycle(out, flow, arm);
        flow = awaited_by(flow, arm);
        arm = first_awaiting(flow);
    }
}

static void dump_cycles(FILE *out, const uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        unsigned const length = cycle_from(flow, arm_at(flow, i));
        if (length > 0) print_cycle(out, flow, arm_at(flow, i), length);
    }
}

uf_status uf_pump_dump(uf_pump *pump, FILE *out)
{
    if (!pump || !pump->config.stay_interval || !out) return UF_INVALID; /* 0: not initialised */
    for (uf_flow const *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) dump_flow(out, flow);
    for (uf_flow const *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) dump_cycles(out, flow);
    return UF_OK;
}
