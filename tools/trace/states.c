/* SPDX-License-Identifier: MIT */
/* states.c - a trace's data about flows whose last step and wait it has lost. */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct trace_state {
    uint64_t entered, since;
    uint32_t kind, a, b;
    uint32_t keeping;
    bool is_early, is_paused;
    unsigned arm_count;
    trace_arm arms[];
} trace_state;

/* A step or a wait that goes on, or an end that was lost. */
typedef struct trace_still {
    uint64_t since;
    uint32_t object;
    bool is_wait;
} trace_still;

#define FIXED (sizeof(uf_trace_state) / sizeof(uint32_t))

trace_arm trace_arm_of(uint32_t a, uint32_t b)
{
    return (trace_arm){.kind = (uf_arm_kind)UF_ARM_CELL_KIND(a),
                       .failed = (a & UF_ARM_CELL_FAILED) != 0,
                       .index = UF_ARM_CELL_INDEX(a),
                       .operand = (uint64_t)(a >> 16) << 32 | b};
}

/* A state that was being changed does not count: its event is in the trace. */
void trace_take_state(trace_states *states, trace_reader *reader, uint32_t number, const uint32_t *words, size_t count)
{
    trace_object *const flow = trace_object_of(reader, number);
    uf_trace_state now;

    if (flow->kind != UF_DEFINE_FLOW || count < FIXED) return;
    memcpy(&now, words, sizeof now);
    if (now.version % 2 != 0 || now.what == 0) return;
    size_t const room = (count - FIXED) / 2,
                 arms = UF_STATE_CELL_ARMS(now.what) < room ? UF_STATE_CELL_ARMS(now.what) : room;
    if (!flow->state) {
        states->flows = tool_grow(states->flows, states->flow_count, sizeof *states->flows);
        states->flows[states->flow_count++] = number;
    }
    flow->state = tool_resize(flow->state, 1, sizeof *flow->state + arms * sizeof *flow->state->arms);
    trace_state *const state = flow->state;
    *state = (trace_state){
        .kind = UF_STATE_CELL_KIND(now.what),
        .is_early = (now.what & UF_STATE_CELL_EARLY) != 0,
        .is_paused = (now.what & UF_STATE_CELL_PAUSED) != 0,
        .keeping = UF_STATE_CELL_KEEPING(now.what),
        .entered = (uint64_t)now.entered_high << 32 | now.entered,
        .since = (uint64_t)now.since_high << 32 | now.since,
        .a = now.a,
        .b = now.b,
    };
    for (unsigned i = 0; i < arms && i < UF_STATE_CELL_MOST; i++)
        state->arms[state->arm_count++] = trace_arm_of(words[FIXED + 2 * i], words[FIXED + 2 * i + 1]);
    states->pending = true;
}

static void add(trace_states *states, uint32_t object, bool is_wait, uint64_t since)
{
    states->stills = tool_grow(states->stills, states->count, sizeof *states->stills);
    states->stills[states->count++] = (trace_still){.since = since, .object = object, .is_wait = is_wait};
}

static bool is_known(const trace_object *flow, const trace_state *state)
{
    if (state->kind == UF_CELL_ENDED) return !flow->running && flow->outcome != 0 && flow->ended == state->entered;
    return flow->running && flow->step == (state->a & 0xffff) && flow->entered == state->entered;
}

/* A step may wait twice at the same time, for other events. */
static bool is_same_wait(const trace_object *flow, const trace_state *state)
{
    if (!flow->waiting || flow->waiting_since != state->since || flow->arm_count != state->arm_count) return false;
    for (unsigned i = 0; i < state->arm_count; i++) {
        trace_arm const *const known = &flow->arms[i], *const now = &state->arms[i];
        if (known->kind != now->kind || known->index != now->index || known->operand != now->operand) return false;
    }
    return true;
}

/* An event after the next one is in the trace itself. */
static void order_state(trace_states *states, trace_object *flow, uint32_t number)
{
    trace_state const *const state = flow->state;

    if (!states->full && !state->is_early) return;
    if (state->entered > states->next_time) {
        flow->running = flow->waiting = false;
        flow->step = TRACE_UNKNOWN;
        return;
    }
    bool const known = is_known(flow, state);
    bool const waits = state->arm_count > 0 && state->since <= states->next_time;
    if (state->kind != 0 && !known) add(states, number, false, state->entered);
    if (waits && !(known && is_same_wait(flow, state))) add(states, number, true, state->since);
    if (known && !waits) flow->waiting = false;
    if (state->is_paused && !flow->paused) flow->paused_since = TRACE_LOST;
    flow->paused = state->is_paused;
    if (state->keeping != flow->keeping) flow->keeping_since = TRACE_LOST;
    flow->keeping = state->keeping;
}

static int by_time(const void *left, const void *right)
{
    trace_still const *const a = left, *const b = right;
    if (a->since != b->since) return a->since < b->since ? -1 : 1;
    if (a->object != b->object) return a->object < b->object ? -1 : 1;
    return a->is_wait - b->is_wait;
}

/* UINT64_MAX: there is no next event. */
void trace_order_states(trace_states *states, trace_reader *reader, uint64_t next_time)
{
    states->pending = false;
    states->next_time = next_time;
    for (size_t i = 0; i < states->flow_count; i++)
        order_state(states, trace_object_of(reader, states->flows[i]), states->flows[i]);
    if (states->count > 1) qsort(states->stills, states->count, sizeof *states->stills, by_time);
}

static void end_states(trace_states *states, trace_reader *reader)
{
    for (size_t i = 0; i < states->flow_count; i++) {
        trace_object *const flow = trace_object_of(reader, states->flows[i]);
        free(flow->state);
        flow->state = NULL;
    }
    free(states->stills);
    free(states->flows);
    states->stills = NULL;
    states->flows = NULL;
    states->count = states->next = states->flow_count = 0;
}

bool trace_next_still(trace_states *states, trace_reader *reader, trace_event *event)
{
    if (states->next == states->count) {
        if (!states->pending && states->flow_count) end_states(states, reader);
        return false;
    }
    trace_still const *const still = &states->stills[states->next++];
    trace_state const *const state = trace_object_of(reader, still->object)->state;
    event->kind = still->is_wait ? UF_CELL_WAIT : (uf_cell_kind)state->kind;
    event->still = true;
    event->since = still->since;
    event->time = states->begun && states->next_time != UINT64_MAX ? states->next_time : still->since;
    event->object = still->object;
    event->a = state->a;
    event->b = state->b;
    event->description = event->reason = "";
    event->arm_count = still->is_wait ? state->arm_count : 0;
    memcpy(event->arms, state->arms, event->arm_count * sizeof *event->arms);
    return true;
}

const char *trace_clock(const trace_reader *reader, const char *before, uint64_t time, const char *after, char *buffer,
                        size_t size)
{
    trace_states const *const states = trace_states_of(reader);
    time_t const day = (time_t)((states->day - states->now + time) / 1000000000);
    struct tm local;
    char text[32];

    if (states->day == 0 || !localtime_r(&day, &local) || !strftime(text, sizeof text, "%H:%M:%S", &local)) return "";
    snprintf(buffer, size, "%s%s%s", before, text, after);
    return buffer;
}
