/* host_clock.c - logical time of a runtime: one clock under the mutex, which any thread may change and read at any moment,
 * and the pump's own copy of it, which stands still for the length of a round. */
#include "host.h"

void ufh_take_clock(uf_runtime *runtime, uf_time real)
{
    if (real == runtime->taken && !ufp_load(&runtime->clock_changed)) return;
    ufp_lock(&runtime->mutex);
    ufp_store(&runtime->clock_changed, 0);
    uf_clock_advance(&runtime->clock, real);
    runtime->pump.clock = runtime->clock;
    ufp_unlock(&runtime->mutex);
    runtime->taken = real;
}

static uf_time now(uf_runtime *runtime)
{
    return uf_clock_advance(&runtime->clock, ufp_now());
}

uf_time ufh_now(const uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);
    ufp_lock(&runtime->mutex);
    uf_time const logical = now(runtime);
    ufp_unlock(&runtime->mutex);
    return logical;
}

uf_time uf_runtime_now(uf_runtime *runtime)
{
    return runtime ? ufh_now(&runtime->pump) : 0;
}

/* Inside from first to last: what a change lets happen may be what somebody waits for who then frees the runtime. */
uf_clock *ufh_begin_change(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);

    ufi_go_inside(pump);
    ufp_lock(&runtime->mutex);
    (void)now(runtime);
    return &runtime->clock;
}

/* The plans of the pump are looked at again. */
void ufh_end_change(uf_pump *pump, bool changed)
{
    uf_runtime *const runtime = ufh_of(pump);

    if (changed) ufp_store(&runtime->clock_changed, 1);
    ufp_unlock(&runtime->mutex);
    if (changed) ufh_review(pump);
    ufi_leave(pump);
}
