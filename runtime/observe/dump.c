/* SPDX-License-Identifier: MIT */
/* dump.c - the state of flows as text; dump.h shows it. */
#include "uflow/dump.h"
#include "uflow/pause.h"
#include "uflow/pool.h"
#include "uflow/priv/duration.h"
#include "uflow/store.h"

#include <inttypes.h>

#include "waits.h"

#define PATH_SIZE 128
#define TEXT_SIZE (PATH_SIZE + 96)

static void print_arm(FILE *out, const uf_flow *flow, const uf_arm *arm)
{
    char text[TEXT_SIZE];
    ufi_wait_text(flow, arm, text, sizeof text);
    fprintf(out, "%s\n", text);
}

static void print_waits(FILE *out, const uf_flow *flow)
{
    uf_arm const *const arms = (const uf_arm *)((uintptr_t)flow + flow->type->arms_offset);

    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        if (!ufi_is_waited_for(&arms[i])) continue;
        fputs("    waits: ", out);
        print_arm(out, flow, &arms[i]);
    }
}

/* What the flow waits for beside its await: a timeout or a companion, of its task or of a group around it. */
static void print_handlers(FILE *out, const uf_flow *flow)
{
    uf_flow_type const *const type = flow->type;
    uf_arm const *const arms = (const uf_arm *)((uintptr_t)flow + type->preempts_offset);

    uint16_t of = UF_NO_TASK;

    for (unsigned i = 0; i < type->preempt_count; i++) {
        if (type->preempts[i].line) of = type->preempts[i].task; /* else a further element of an array */
        bool const is_of_group = of >= type->task_count && of != UF_NO_TASK;
        if (!ufi_is_waited_for(&arms[i])) continue;
        fprintf(out, is_of_group ? "    group %s: " : "    task: ", is_of_group ? type->tasks[of].name : "");
        print_arm(out, flow, &arms[i]);
    }
}

static void print_keeping(FILE *out, const uf_flow *flow)
{
    char time[UF_DURATION_SIZE];
    uf_time lasts;
    uf_keeping const keeping = uf_flow_keeping(flow, &lasts);

    if (keeping != UF_KEEPING_NOTHING) fprintf(out, "  %s", uf_keeping_text(keeping));
    if (lasts >= 0) fprintf(out, " for %s", uf_duration_text((uint64_t)lasts, time));
}

static void dump_flow(FILE *out, const uf_flow *flow)
{
    char path[PATH_SIZE];
    char time[UF_DURATION_SIZE];
    uf_flow_view view;

    uf_flow_path(flow, path, sizeof path);
    uf_flow_view_of(flow, &view);
    if (!view.running) {
        fprintf(out, "%s  idle, %s%s%s", path, uf_outcome_text(view.outcome), view.outcome == UF_FAILED ? ": " : "",
                view.outcome == UF_FAILED ? view.reason : "");
        print_keeping(out, flow);
        fputc('\n', out);
        return;
    }
    if (view.ordinal < 0) { /* another thread is about to start it */
        fprintf(out, "%s  starts\n", path);
        return;
    }
    fprintf(out, "%s  %s.%s:%" PRIu32 "  #%02lld  for %s", path, view.task, view.step, view.line,
            (long long)view.ordinal, uf_duration_text((uint64_t)view.elapsed, time));
    uf_time const paused = uf_flow_paused_for(flow);
    if (paused >= 0) fprintf(out, "  paused for %s", uf_duration_text((uint64_t)paused, time));
    print_keeping(out, flow);
    fprintf(out, "%s%s\n", view.description[0] ? "  " : "", view.description);
    if (flow->flags & UF_FLAG_ARMED) print_waits(out, flow);
    if (ufi_polls(flow)) fputs("    waits: " UF_CONDITION_WORDS "\n", out);
    print_handlers(out, flow);
}

/* -- cycles of waits ----------------------------------------------------------------------------------------------- */

static const uf_arm *arm_at(const uf_flow *flow, unsigned index)
{
    return (const uf_arm *)((uintptr_t)flow + flow->type->arms_offset) + index;
}

/* One way on from a flow: an arm, and a flow that it waits for. NULL: there is none. */
typedef struct branch {
    const uf_arm *arm;
    const uf_flow *to;
} branch;

/* The next branch of a flow. The first one follows {NULL, NULL}. */
static branch next_branch(const uf_flow *flow, branch before)
{
    unsigned const from = before.arm ? (unsigned)(before.arm - arm_at(flow, 0)) : 0;

    for (unsigned i = from; i < flow->type->arm_count; i++) {
        before.to = ufi_next_awaited(flow, arm_at(flow, i), before.to);
        if (before.to) return (branch){.arm = arm_at(flow, i), .to = before.to};
    }
    return (branch){.arm = NULL};
}

static branch first_branch(const uf_flow *flow)
{
    return next_branch(flow, (branch){.arm = NULL});
}

static const uf_flow *next_awaited(const uf_flow *flow)
{
    return flow ? first_branch(flow).to : NULL;
}

/* An order of flows that does not depend on which flow waits for which. */
static uint32_t rank_of(const uf_flow *flow)
{
    uint32_t rank = (uint32_t)((uintptr_t)flow / _Alignof(uf_flow));
    rank = (rank ^ rank >> 16) * UINT32_C(0x85ebca6b);
    rank = (rank ^ rank >> 13) * UINT32_C(0xc2b2ae35);
    return rank ^ rank >> 16;
}

static bool is_before(const uf_flow *one, const uf_flow *other)
{
    uint32_t const rank = rank_of(one), other_rank = rank_of(other);
    return rank == other_rank ? (uintptr_t)one < (uintptr_t)other : rank < other_rank;
}

/* Follows the waits from the first branch of a flow, and then by the first branch of each flow. The cycle counts for
 * its first flow only. So a walk ends at an earlier flow, which it meets after a few steps, however long the chain is.
 * In another cycle on the way, the slow walk meets the fast one. Returns: the length of the cycle; 0: none. */
static unsigned first_cycle(const uf_flow *flow, branch way)
{
    uf_flow const *fast = way.to, *slow = fast;
    unsigned length = 1;

    for (; fast != flow; length++) {
        if (!fast || is_before(fast, flow)) return 0;
        fast = next_awaited(fast);
        if (length % 2 == 0) slow = next_awaited(slow);
        if (fast == slow && fast != flow) return 0;
    }
    return length;
}

#define LONGEST 64 /* cycle that begins with a later branch; as in inspect/cycles.c */

static unsigned later_cycle(const uf_flow *flow, branch way)
{
    uf_flow const *at = way.to;
    unsigned length = 1;

    for (; at && at != flow && length <= LONGEST; length++) at = next_awaited(at);
    return at == flow ? length : 0;
}

static void print_in_cycle(FILE *out, const uf_flow *flow, const uf_arm *arm)
{
    char path[PATH_SIZE];

    uf_flow_path(flow, path, sizeof path);
    fprintf(out, "    %s  %s.%s:%" PRIu32 "  ", path, uf_flow_task(flow), uf_flow_step(flow), uf_flow_line(flow));
    print_arm(out, flow, arm);
}

static void print_cycle(FILE *out, const uf_flow *flow, branch way, unsigned length)
{
    if (length == 1) fputs("this flow waits for itself:\n", out);
    else fprintf(out, "these %u flows wait for each other:\n", length);
    while (length-- > 0) {
        print_in_cycle(out, flow, way.arm);
        flow = way.to;
        way = first_branch(flow);
    }
}

/* One cycle per arm is enough: all members of a pool may wait for its flow. */
static void dump_cycles(FILE *out, const uf_flow *flow)
{
    branch const first = first_branch(flow);
    if (!first.to) return;

    branch way = next_branch(flow, first);
    bool const has_twin = way.to && way.arm == first.arm;
    uf_arm const *found = has_twin && later_cycle(flow, first) ? first.arm : NULL;
    unsigned length = first_cycle(flow, first);

    if (length > 0) print_cycle(out, flow, first, length);
    for (; way.to; way = next_branch(flow, way)) {
        length = way.arm == found ? 0 : later_cycle(flow, way);
        if (length == 0) continue;
        found = way.arm;
        print_cycle(out, flow, way, length);
    }
}

static void dump_given_up(FILE *out, const uf_pump *pump)
{
    for (uf_work const *work = NULL; (work = ufi_next_given_up(pump, work)) != NULL;) {
        char path[PATH_SIZE] = "a flow that is gone", time[UF_DURATION_SIZE];
        uf_time const passed = uf_pump_real_now(pump) - work->submitted;

        if (work->flow) uf_flow_path(work->flow, path, sizeof path);
        fprintf(out, "a worker function of a job that was given up still runs: %s for %s, submitted %s ago\n",
                work->worker->name, path, uf_duration_text(passed > 0 ? (uint64_t)passed : 0, time));
    }
}

uf_status uf_pump_dump(uf_pump *pump, FILE *out)
{
    if (!pump || !pump->config.jobs_per_flow || !out) return UF_INVALID; /* 0: not initialised, or destroyed */
    for (uf_flow const *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) dump_flow(out, flow);
    for (uf_flow const *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) dump_cycles(out, flow);
    dump_given_up(out, pump);
    return UF_OK;
}
