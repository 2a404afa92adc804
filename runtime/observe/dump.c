/* dump.c - the state of flows as text; dump.h shows it. */
#include "uflow/dump.h"

#include "text.h"
#include "waits.h"

#define PATH_SIZE 128
#define TEXT_SIZE (PATH_SIZE + 96)

static void print_arm(FILE *out, const uf_flow *flow, const uf_arm *arm)
{
    char text[TEXT_SIZE];
    ufi_wait_text(flow, arm, text, sizeof text);
    fprintf(out, "%s\n", text);
}

static void print_arms(FILE *out, const uf_flow *flow, const char *what, size_t offset, unsigned count)
{
    uf_arm const *const arms = (const uf_arm *)((uintptr_t)flow + offset);

    for (unsigned i = 0; i < count; i++) {
        if (!ufi_is_waited_for(&arms[i])) continue;
        fprintf(out, "    %s: ", what);
        print_arm(out, flow, &arms[i]);
    }
}

static void dump_flow(FILE *out, const uf_flow *flow)
{
    char path[PATH_SIZE];
    char time[UFI_TIME_SIZE];
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
    fprintf(out, "%s  %s.%s:%" PRIu32 "  #%02" PRId64 "  for %s%s%s\n", path, view.task, view.step, view.line,
            view.ordinal, ufi_time_text(view.elapsed, time), view.description[0] ? "  " : "", view.description);
    if (flow->flags & UF_FLAG_ARMED) print_arms(out, flow, "waits", flow->type->arms_offset, flow->type->arm_count);
    print_arms(out, flow, "task", flow->type->preempts_offset, flow->type->preempt_count);
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

/* Follows the waits from one branch on, by the first one of each flow. Another cycle may be on the way: there the slow
 * walk meets the fast one. Returns: the number of flows in the cycle, and the one with the lowest address; 0: none. */
static unsigned cycle_from(const uf_flow *flow, branch way, const uf_flow **lowest)
{
    uf_flow const *fast = way.to, *slow = fast;
    unsigned length = 1;

    for (*lowest = flow; fast && fast != flow; length++) {
        if ((uintptr_t)fast < (uintptr_t)*lowest) *lowest = fast;
        fast = next_awaited(fast);
        if (length % 2 == 0) slow = next_awaited(slow);
        if (fast == slow && fast != flow) return 0;
    }
    return fast ? length : 0;
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

/* A cycle of first branches is printed for its lowest flow only. One cycle per arm is enough: all members of a pool may
 * wait for its flow. */
static void dump_cycles(FILE *out, const uf_flow *flow)
{
    uf_arm const *found = NULL;
    uf_flow const *lowest;
    bool is_first = true;

    for (branch way = first_branch(flow); way.to; way = next_branch(flow, way), is_first = false) {
        unsigned const length = way.arm == found ? 0 : cycle_from(flow, way, &lowest);
        if (length == 0) continue;
        found = way.arm;
        if (!is_first || lowest == flow) print_cycle(out, flow, way, length);
    }
}

uf_status uf_pump_dump(uf_pump *pump, FILE *out)
{
    if (!pump || !pump->config.stay_interval || !out) return UF_INVALID; /* 0: not initialised */
    for (uf_flow const *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) dump_flow(out, flow);
    for (uf_flow const *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) dump_cycles(out, flow);
    return UF_OK;
}
