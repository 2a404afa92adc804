/* position.c - where each flow is, and the names of what it is in and waits for. */
#include "reader.h"

#include <stdio.h>
#include <string.h>

/* -- positions ----------------------------------------------------------------------------------------------------- */

static void enter(trace_object *flow, uint32_t step, uint64_t time)
{
    flow->running = true;
    flow->step = step;
    flow->entered = time;
    flow->waiting = false;
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
        flow->step = TRACE_UNKNOWN;
        flow->outcome = event->a >> 16;
        flow->ended = event->since;
        break;
    case UF_CELL_WAIT:
        flow->running = flow->waiting = true;
        flow->waiting_since = event->since;
        flow->arm_count = event->arm_count;
        flow->arms = tool_resize(flow->arms, event->arm_count, sizeof *flow->arms);
        memcpy(flow->arms, event->arms, event->arm_count * sizeof *flow->arms);
        break;
    case UF_CELL_WOKEN: flow->waiting = false; break;
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

static const char *const arm_words[] = {
#define ARM_WORD(name, number, text) [number] = text,
    UF_TRACE_ARMS(ARM_WORD)
#undef ARM_WORD
};

static void duration_text(uint64_t ns, char *buffer, size_t size)
{
    if (ns >= UF_ARM_CELL_MOST) snprintf(buffer, size, "never");
    else if (ns >= 1000000000) snprintf(buffer, size, "%.10gs", (double)ns / 1e9);
    else if (ns >= 1000000) snprintf(buffer, size, "%.9gms", (double)ns / 1e6);
    else if (ns >= 1000) snprintf(buffer, size, "%.6gus", (double)ns / 1e3);
    else snprintf(buffer, size, "%uns", (unsigned)ns);
}

static void arm_text(trace_reader *reader, const trace_object *flow, const trace_arm *arm, bool times, char *buffer,
                     size_t size)
{
    char const *const word = arm->kind < sizeof arm_words / sizeof *arm_words ? arm_words[arm->kind] : "?";
    char time[32];

    switch (arm->kind) {
    case UF_ARM_CELL_DEADLINE:
    case UF_ARM_CELL_INTERVAL:
        duration_text(arm->operand, time, sizeof time);
        snprintf(buffer, size, times ? "%s in %s" : "%s", word, time);
        return;
    case UF_ARM_CELL_JOB:
    case UF_ARM_CELL_ANY:
    case UF_ARM_CELL_ALL: {
        unsigned const element = (unsigned)(arm->operand >> 16);
        char const *const job = trace_job_name(flow, (uint32_t)(arm->operand & 0xffff));
        if (arm->kind == UF_ARM_CELL_JOB && element > 0) snprintf(buffer, size, "%s %s[%u]", word, job, element - 1);
        else snprintf(buffer, size, "%s %s", word, job);
        return;
    }
    case UF_ARM_CELL_READABLE:
    case UF_ARM_CELL_WRITABLE: snprintf(buffer, size, "%s %d", word, (int)(uint32_t)arm->operand); return;
    case UF_ARM_CELL_CONDITION:
    case UF_ARM_CELL_HOLD:
    case UF_ARM_CELL_STOPPING:
    case UF_ARM_CELL_UNKNOWN: snprintf(buffer, size, "%s", word); return;
    case UF_ARM_CELL_ROOM: {
        uint32_t const owner = (uint32_t)(arm->operand >> 24);
        char const *const name = trace_object_of(reader, (uint32_t)arm->operand & UF_CELL_OBJECT)->name;
        if (owner) snprintf(buffer, size, "%s %s.%s", word, trace_object_of(reader, owner)->name, name);
        else snprintf(buffer, size, "%s %s", word, name);
        return;
    }
    case UF_ARM_CELL_RUN:
    case UF_ARM_CELL_SIGNAL:
    case UF_ARM_CELL_CHECKPOINT:
    case UF_ARM_CELL_ARRIVED:
    case UF_ARM_CELL_MAILBOX:
    case UF_ARM_CELL_VACANT:
    case UF_ARM_CELL_EMPTY:
    case UF_ARM_CELL_IDLE: break;
    }
    snprintf(buffer, size, "%s %s", word, trace_object_of(reader, (uint32_t)arm->operand)->name);
}

void trace_arms_text(trace_reader *reader, const trace_object *flow, const trace_arm *arms, unsigned count, bool times,
                     char *buffer, size_t size)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (unsigned i = 0; i < count && length + 4 < size; i++) {
        if (i > 0) memcpy(buffer + length, ", ", 3), length += 2;
        arm_text(reader, flow, &arms[i], times, buffer + length, size - length);
        length += strlen(buffer + length);
    }
}

/* A run that has ended since the wait began has done its part. */
void trace_waits_text(trace_reader *reader, const trace_object *flow, char *buffer, size_t size)
{
    static const char *const outcomes[] = {"never ran", "running", "done", "failed", "cancelled", "became"};
    size_t length = 0;

    buffer[0] = '\0';
    for (unsigned i = 0; i < flow->arm_count && length + 4 < size; i++) {
        trace_object const *const target = trace_object_of(reader, (uint32_t)flow->arms[i].operand);
        bool const has_ended = flow->arms[i].kind == UF_ARM_CELL_RUN && target->kind == UF_DEFINE_FLOW &&
                               !target->running && target->outcome && target->ended >= flow->waiting_since;
        if (i > 0) memcpy(buffer + length, ", ", 3), length += 2;
        arm_text(reader, flow, &flow->arms[i], true, buffer + length, size - length);
        length += strlen(buffer + length);
        if (!has_ended) continue;
        snprintf(buffer + length, size - length, " (has ended: %s)",
                 target->outcome < 6 ? outcomes[target->outcome] : "?");
        length += strlen(buffer + length);
    }
}
