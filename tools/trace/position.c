/* SPDX-License-Identifier: MIT */
/* position.c - where each flow is, and the names of what it is in and waits for. */
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- positions ----------------------------------------------------------------------------------------------------- */

static void enter(trace_object *flow, uint32_t step, uint64_t time)
{
    flow->running = true;
    flow->step = step;
    flow->entered = time;
    flow->waiting = flow->helper_failed = false;
    flow->keeping = UF_KEEPING_NOTHING;
    flow->decided.kind = UF_ARM_CELL_CONDITION;
}

/* Ends a pause, if there is one. */
static void resume(trace_object *flow, uint64_t time)
{
    if (flow->paused && flow->paused_since != TRACE_LOST) flow->stood += time - flow->paused_since;
    flow->paused = false;
}

void trace_apply(trace_reader *reader, const trace_event *event)
{
    trace_object *const flow = trace_object_of(reader, event->object);

    if (!flow->kind) return;
    switch ((unsigned)event->kind) {
    case UF_CELL_STARTED:
        enter(flow, event->a & 0xffff, event->since);
        flow->run = event->b;
        flow->ordinal = 0;
        break;
    case UF_CELL_STEP:
        enter(flow, event->a & 0xffff, event->since);
        flow->ordinal = event->b + 1;
        break;
    case UF_CELL_ENDED:
        flow->running = flow->waiting = false;
        flow->keeping = UF_KEEPING_NOTHING;
        flow->decided.kind = UF_ARM_CELL_CONDITION;
        flow->step = TRACE_UNKNOWN;
        flow->outcome = event->a >> 16;
        flow->ended = event->since;
        flow->ended_in = event->a & 0xffff;
        flow->end_is_lost = event->still;
        break;
    case UF_CELL_WAIT:
        flow->running = flow->waiting = true;
        flow->stood = 0;
        flow->waiting_since = event->since;
        flow->arm_count = event->arm_count;
        flow->arms = tool_resize(flow->arms, event->arm_count, sizeof *flow->arms);
        memcpy(flow->arms, event->arms, event->arm_count * sizeof *flow->arms);
        break;
    case UF_CELL_WOKEN:
        flow->waiting = false;
        if (event->arm_count > 0 && trace_is_handler(&event->arms[0])) flow->decided = event->arms[0];
        break;
    case UF_CELL_FAILED: flow->helper_failed = true; break;
    case UF_CELL_PAUSED:
        flow->paused = true;
        flow->paused_since = event->time;
        break;
    case UF_CELL_RESUMED: resume(flow, event->time); break;
    case UF_CELL_KEEPING:
        flow->keeping = event->a;
        flow->keeping_since = event->time;
        break;
    default: break;
    }
}

/* -- texts --------------------------------------------------------------------------------------------------------- */

static const trace_step *step_of(const trace_object *flow, uint32_t step)
{
    trace_type const *const type = flow->type;
    return type && step < type->step_count && type->steps[step].name ? &type->steps[step] : NULL;
}

const char *trace_step_name(const trace_object *flow, uint32_t step, uint32_t *line)
{
    trace_step const *const info = step_of(flow, step);
    if (line) *line = info ? info->line : 0;
    return info ? info->name : "?";
}

const char *trace_task_name(const trace_object *flow, uint32_t step)
{
    trace_step const *const info = step_of(flow, step);
    if (!info || info->task >= flow->type->task_count || !flow->type->tasks[info->task].name) return "?";
    return flow->type->tasks[info->task].name;
}

const char *trace_job_name(const trace_object *flow, uint32_t job)
{
    trace_type const *const type = flow->type;
    return type && job < type->job_count && type->jobs[job] ? type->jobs[job] : "?";
}

static const struct {
    const char *words;
    uf_arm_target target;
    uf_arm_lifetime lifetime;
} arm_kinds[] = {
#define ROW_OF_ARM(name, number, key, words, target, lifetime)                                                         \
    [number] = {words, UF_TARGET_##target, UF_LIFETIME_##lifetime},
    UF_ARM_KINDS(ROW_OF_ARM)
#undef ROW_OF_ARM
};

bool trace_is_handler(const trace_arm *arm)
{
    return arm->kind < UF_ARM_KIND_COUNT && arm_kinds[arm->kind].lifetime == UF_LIFETIME_TASK;
}

/* `passed`: of the wait. */
static void time_left_text(const char *word, uint64_t left, bool times, uint64_t passed, char *buffer, size_t size)
{
    char time[UF_DURATION_SIZE];

    if (!times) snprintf(buffer, size, "%s", word);
    else if (left >= UF_ARM_CELL_MOST) snprintf(buffer, size, "%s never", word);
    else if (left < passed) snprintf(buffer, size, "%s overdue for %s", word, uf_duration_text(passed - left, time));
    else snprintf(buffer, size, "%s in %s", word, uf_duration_text(left - passed, time));
}

static void arm_text(trace_reader *reader, const trace_object *flow, const trace_arm *arm, bool times, uint64_t passed,
                     char *buffer, size_t size)
{
    bool const is_known = arm->kind < UF_ARM_KIND_COUNT;
    char const *const words = is_known ? arm_kinds[arm->kind].words : "?";
    uint32_t const owner = (uint32_t)(arm->operand >> 24), element = (uint32_t)(arm->operand >> 16);
    char const *const job = trace_job_name(flow, (uint32_t)(arm->operand & 0xffff)),
                      *const name = trace_object_of(reader, (uint32_t)arm->operand & UF_CELL_OBJECT)->name;

    switch (is_known ? arm_kinds[arm->kind].target : UF_TARGET_SIGNAL) {
    case UF_TARGET_NOTHING:
    case UF_TARGET_CONDITION:
    case UF_TARGET_STOP: snprintf(buffer, size, "%s", words); return;
    case UF_TARGET_REAL_TIME:
    case UF_TARGET_TIME: time_left_text(words, arm->operand, times, passed, buffer, size); return;
    case UF_TARGET_DESCRIPTOR: snprintf(buffer, size, "%s %d", words, (int)(uint32_t)arm->operand); return;
    case UF_TARGET_JOBS: snprintf(buffer, size, "%s(%s)", words, job); return;
    case UF_TARGET_JOB:
        if (element > 0) snprintf(buffer, size, "%s %s[%u]", words, job, (unsigned)element - 1);
        else snprintf(buffer, size, "%s %s", words, job);
        return;
    case UF_TARGET_ROOM:
        if (owner) snprintf(buffer, size, "%s %s of %s", words, name, trace_object_of(reader, owner)->name);
        else snprintf(buffer, size, "%s %s", words, name);
        return;
    case UF_TARGET_FLOW:
    case UF_TARGET_SIGNAL:
    case UF_TARGET_CHECKPOINT:
    case UF_TARGET_ARRIVAL:
    case UF_TARGET_MAILBOX:
    case UF_TARGET_POOL: snprintf(buffer, size, "%s %s", words, name); return;
    }
}

void trace_arms_text(trace_reader *reader, const trace_object *flow, const trace_arm *arms, unsigned count, bool times,
                     char *buffer, size_t size)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (unsigned i = 0; i < count && length + 4 < size; i++) {
        if (i > 0) memcpy(buffer + length, ", ", 3), length += 2;
        arm_text(reader, flow, &arms[i], times, 0, buffer + length, size - length);
        length += strlen(buffer + length);
        if (arms[i].failed) snprintf(buffer + length, size - length, " (failed)");
        length += strlen(buffer + length);
    }
    tool_make_printable(buffer); /* its end, if it is cut */
}

/* The time that counts for an arm: timeouts stand while the flow does. */
static uint64_t passed_for(const trace_object *flow, const trace_arm *arm, uint64_t time)
{
    bool const stands = arm->kind == UF_ARM_TIMEOUT || arm->kind == UF_ARM_INTERVAL || arm->kind == UF_ARM_ON_TIMEOUT;
    uint64_t const passed = time - flow->waiting_since, now = flow->paused ? time - flow->paused_since : 0;
    return stands && flow->stood + now <= passed ? passed - flow->stood - now : passed;
}

/* A run that has ended since the wait began has done its part. */
void trace_wait_text(trace_reader *reader, const trace_object *flow, const trace_arm *arm, uint64_t time, char *buffer,
                     size_t size)
{
    static const char *const outcomes[] = {"never ran", "running", "done", "failed", "cancelled", "became"};
    trace_object const *const target = trace_object_of(reader, (uint32_t)arm->operand);
    bool const is_run = arm->kind == UF_ARM_RUN || arm->kind == UF_ARM_COMPANION;

    bool const is_known = !flow->paused || flow->paused_since != TRACE_LOST;

    arm_text(reader, flow, arm, is_known, passed_for(flow, arm, time), buffer, size);
    tool_make_printable(buffer); /* its end, if it is cut */
    if (!is_run || target->kind != UF_DEFINE_FLOW || target->running) return;
    if (!target->outcome || target->ended < flow->waiting_since) return;
    size_t const length = strlen(buffer);
    snprintf(buffer + length, size - length, " (has ended: %s)", target->outcome < 6 ? outcomes[target->outcome] : "?");
}

void trace_waits_text(trace_reader *reader, const trace_object *flow, uint64_t time, char *buffer, size_t size)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (unsigned i = 0; i < flow->arm_count && length + 4 < size; i++) {
        if (i > 0) memcpy(buffer + length, ", ", 3), length += 2;
        trace_wait_text(reader, flow, &flow->arms[i], time, buffer + length, size - length);
        length += strlen(buffer + length);
    }
}
