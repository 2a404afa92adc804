/* SPDX-License-Identifier: MIT */
/* timer.c - stopwatches on the logical time of a flow's pump, or on another clock. */
#include "basics/clocks.h"
#include "flows/flows.h"

#include "uflow/timer.h"

static bool has_started(const uf_timer *timer)
{
    return timer && timer->flow && (timer->has_clock || timer->flow->pump);
}

static uf_time now_of(const uf_timer *timer)
{
    return timer->has_clock ? timer->clock() : uf_flow_now(timer->flow);
}

static void start(uf_timer *timer, const uf_flow *flow, uf_time at, bool follows_steps)
{
    *timer = (uf_timer){
        .flow = flow, .started = at, .run = flow->run, .ordinal = flow->ordinal, .follows_steps = follows_steps};
}

void uf_timer_start(uf_timer *timer, const uf_flow *flow)
{
    if (timer && flow && flow->pump) start(timer, flow, uf_flow_now(flow), false);
}

void uf_timer_start_step(uf_timer *timer, const uf_flow *flow)
{
    if (timer && flow && flow->pump) start(timer, flow, uf_flow_now(flow), true);
}

/* Restarts a timer that follows steps at the entry of the current step. */
static void follow_step(uf_timer *timer)
{
    uf_flow const *const flow = timer->flow;
    if (!timer->follows_steps || (timer->run == flow->run && timer->ordinal == flow->ordinal)) return;
    bool const is_paused = ufi_is_paused(ufp_load(&flow->state)); /* then `entered` is a duration, see pause.c */
    start(timer, flow, is_paused ? ufi_time_sub(uf_flow_now(flow), flow->entered) : flow->entered, true);
}

/* The start of another thread may have read the clock after this round did. The difference must not be negative. */
static uf_time time_since(uf_time then, uf_time now)
{
    return now > then ? ufi_time_sub(now, then) : 0;
}

uf_time uf_timer_elapsed(uf_timer *timer)
{
    if (!has_started(timer)) return 0;
    follow_step(timer);
    return time_since(timer->started, now_of(timer));
}

bool uf_timer_passed(uf_timer *timer, uf_time duration)
{
    return has_started(timer) && (duration <= 0 || uf_timer_elapsed(timer) >= duration);
}

bool uf_timer_held_for(uf_timer *timer, bool condition, uf_time duration)
{
    if (!has_started(timer)) return false;
    follow_step(timer);
    uf_time const now = now_of(timer);
    if (condition && !timer->held) timer->held_since = now;
    timer->held = condition;
    return condition && time_since(timer->held_since, now) >= duration;
}
