/* SPDX-License-Identifier: MIT */
/* cycles.c - flows that wait for each other at the end of a trace, as uf_pump_dump() finds them in a pump.
 *
 * A cycle leads along the first arm of each flow that waits for another one; of one flow also along a later arm. */
#include "sink.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 64 /* of a cycle with a later arm */
#define LINE    512

/* One way on from a flow: an arm, and the flow that it waits for. 0: there is none. */
typedef struct branch {
    unsigned arm;
    uint32_t to;
} branch;

/* The flows that are directly inside a flow, in the order of their numbers. 0: none, or no other. */
typedef struct family {
    uint32_t child, sibling;
} family;

typedef struct search {
    FILE *out;
    trace_reader *reader;
    uint64_t time;
    branch *first; /* of each flow */
    family *families;
} search;

static bool waits_at(const trace_object *flow, uint64_t time)
{
    return flow->kind == UF_DEFINE_FLOW && flow->running && flow->waiting && flow->waiting_since <= time;
}

static bool waits_for_flows(const trace_object *flow, uint64_t time)
{
    for (unsigned i = 0; waits_at(flow, time) && i < flow->arm_count; i++) {
        uf_arm_kind const kind = flow->arms[i].kind;
        if (kind == UF_ARM_RUN || kind == UF_ARM_IDLE || kind == UF_ARM_ROOM || kind == UF_ARM_ARRIVED ||
            kind == UF_ARM_VACANT || kind == UF_ARM_EMPTY)
            return true;
    }
    return false;
}

/* Is it a member of the pool of the flow around it? */
static bool is_member(const trace_object *flow, const char *pool)
{
    char const *const dot = strrchr(flow->name, '.'), *const name = dot ? dot + 1 : flow->name;
    size_t const length = strlen(pool);

    return strncmp(name, pool, length) == 0 && name[length] == '[';
}

/* The first running member, from a flow on, that waits, or does not wait, for flows. 0: there is none. */
static uint32_t member_from(const search *all, uint32_t from, const char *pool, bool waits)
{
    for (uint32_t i = from; i; i = all->families[i].sibling) {
        trace_object const *const member = trace_object_of(all->reader, i);
        if (is_member(member, pool) && member->running && waits_for_flows(member, all->time) == waits) return i;
    }
    return 0;
}

/* The flow that an arm waits for; for a pool, the first one after `before`. Members that can end by themselves wait for
 * no flow: if there is one, a wait for any free member is in no cycle. */
static uint32_t awaited(const search *all, uint32_t number, const trace_arm *arm, uint32_t before)
{
    bool const of_pool = arm->kind == UF_ARM_VACANT || arm->kind == UF_ARM_EMPTY;
    bool const of_owner = arm->kind == UF_ARM_ROOM || arm->kind == UF_ARM_ARRIVED;
    uint32_t const to = (uint32_t)(of_owner ? arm->operand >> 24 : arm->operand);
    trace_object const *const target = trace_object_of(all->reader, to);

    if (of_pool && target->kind == UF_DEFINE_NAME) {
        family const *const of = all->families;
        if (before) return member_from(all, of[before].sibling, target->name, true);
        if (arm->kind == UF_ARM_VACANT && member_from(all, of[number].child, target->name, false)) return 0;
        return member_from(all, of[number].child, target->name, true);
    }
    if (!of_owner && arm->kind != UF_ARM_RUN && arm->kind != UF_ARM_IDLE) return 0;
    return before == 0 && target->kind == UF_DEFINE_FLOW && target->running ? to : 0;
}

/* The next branch of a flow. The first one follows {0, 0}. */
static branch next_branch(const search *all, uint32_t number, branch before)
{
    trace_object const *const flow = trace_object_of(all->reader, number);

    for (unsigned i = before.arm; waits_at(flow, all->time) && i < flow->arm_count; i++) {
        before.to = awaited(all, number, &flow->arms[i], before.to);
        if (before.to) return (branch){i, before.to};
    }
    return (branch){0, 0};
}

static void print_member(const search *all, const trace_object *flow, unsigned arm)
{
    char text[LINE];
    uint32_t line;
    char const *const step = trace_step_name(flow, flow->step, &line);

    trace_wait_text(all->reader, flow, &flow->arms[arm], all->time, text, sizeof text);
    fprintf(all->out, "    %s  %s.%s", flow->name, trace_task_name(flow, flow->step), step);
    if (line) fprintf(all->out, ":%" PRIu32, line);
    fprintf(all->out, "  %s\n", text);
}

/* The number of flows in the cycle that begins with a branch of a flow; 0 if the filter hides all of them. */
static unsigned length_of(const search *all, uint32_t from, uint32_t at)
{
    bool shown = trace_object_of(all->reader, from)->matched >= 0;
    unsigned length = 1;

    for (; at != from; at = all->first[at].to, length++) shown |= trace_object_of(all->reader, at)->matched >= 0;
    return shown ? length : 0;
}

static void print_cycle(const search *all, uint32_t from, branch way)
{
    unsigned const length = length_of(all, from, way.to);
    uint32_t at = from;

    if (length == 1) fputs("\nthis flow waits for itself:\n", all->out);
    else if (length > 0) fprintf(all->out, "\nthese %u flows wait for each other:\n", length);
    for (unsigned i = 0; i < length; i++) {
        print_member(all, trace_object_of(all->reader, at), way.arm);
        at = way.to;
        way = all->first[at];
    }
}

/* Does the way by first branches lead back? */
static bool leads_back(const search *all, uint32_t from, uint32_t at)
{
    for (unsigned steps = 0; at && at != from && steps < LONGEST; steps++) at = all->first[at].to;
    return at == from;
}

/* Cycles that begin with a branch of this flow that is not its first one. One per arm is enough: all members of a pool
 * may wait for its flow. */
static void print_later(const search *all, uint32_t from)
{
    branch way = all->first[from];
    bool known = way.to && leads_back(all, from, way.to);

    for (branch next; way.to && (next = next_branch(all, from, way)).to; way = next) {
        if (next.arm != way.arm) known = false;
        if (known || !leads_back(all, from, next.to)) continue;
        known = true;
        print_cycle(all, from, next);
    }
}

static void find_families(search *all, uint32_t count)
{
    memset(all->families, 0, ((size_t)count + 1) * sizeof *all->families);
    for (uint32_t i = count; i > 0; i--) {
        family *const around = &all->families[trace_object_of(all->reader, i)->parent];
        all->families[i].sibling = around->child;
        around->child = i;
    }
}

/* Each flow is visited once. `walks` has the number of the walk that has visited it; 0: none. A walk that meets itself
 * has found a cycle. */
void trace_print_cycles(FILE *out, trace_reader *reader, uint64_t time)
{
    uint32_t const count = trace_object_count(reader);
    search all = {.out = out, .reader = reader, .time = time};
    uint32_t *const walks = tool_resize(NULL, (size_t)count + 1, sizeof *walks);

    memset(walks, 0, ((size_t)count + 1) * sizeof *walks);
    all.first = tool_resize(NULL, (size_t)count + 1, sizeof *all.first);
    all.families = tool_resize(NULL, (size_t)count + 1, sizeof *all.families);
    find_families(&all, count);
    for (uint32_t i = 0; i <= count; i++) all.first[i] = next_branch(&all, i, (branch){0, 0});
    for (uint32_t i = 1; i <= count; i++) {
        uint32_t at = i;
        print_later(&all, i);
        for (; at && walks[at] == 0; at = all.first[at].to) walks[at] = i;
        if (at && walks[at] == i) print_cycle(&all, at, all.first[at]);
    }
    free(walks);
    free(all.first);
    free(all.families);
}
