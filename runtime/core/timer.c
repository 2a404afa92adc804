/* timer.c - stopwatches on a logical clock. */
#include "core.h"

#include "uflow/timer.h"

static void start(uf_timer *timer, uf_time at)
{
    timer->started = at;
    timer->held_since = UF_FOREVER;
}

/* A step timer starts again at the entry of the step that its flow is in now. */
static void follow_step(uf_timer *timer)
{
    uf_flow const *const flow = timer->flow;
    if (!flow || (timer->run == flow->run && timer->ordinal == flow->ordinal)) return;
    timer->run = flow->run;
    timer->ordinal = flow->ordinal;
    start(timer, flow->entered);
}

void uf_timer_init(uf_timer *timer, const uf_clock *clock)
{
    *timer = (uf_timer){.clock = clock};
    start(timer, uf_clock_now(clock));
}

void uf_timer_init_step(uf_timer *timer, const uf_flow *flow)
{
    *timer = (uf_timer){.clock = &flow->pump->clock, .flow = flow, .run = flow->run, .ordinal = flow->ordinal};
    start(timer, uf_clock_now(timer->clock));
}

void uf_timer_restart(uf_timer *timer)
{
    follow_step(timer);
    start(timer, uf_clock_now(timer->clock));
}

uf_time uf_timer_elapsed(uf_timer *timer)
{
    follow_step(timer);
    return ufi_time_sub(uf_clock_now(timer->clock), timer->started);
}

bool uf_timer_passed(uf_timer *timer, uf_time duration)
{
    return uf_timer_elapsed(timer) >= duration;
}

bool uf_timer_held_for(uf_timer *timer, bool condition, uf_time duration)
{
    uf_time const now = uf_clock_now(timer->clock);

    follow_step(timer);
    if (!condition) {
        timer->held_since = UF_FOREVER;
        return false;
    }
    if (timer->held_since == UF_FOREVER) timer->held_since = now;
    return ufi_time_sub(now, timer->held_since) >= duration;
}
