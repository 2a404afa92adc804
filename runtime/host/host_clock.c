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
    runtime->scale_taken = runtime->pump.clock.scale;
    runtime->frozen_taken = runtime->pump.clock.frozen;
}

/* A step may have changed the pump's copy, by uf_pump_clock(). */
void ufh_give_clock(uf_runtime *runtime)
{
    uf_clock const *const own = &runtime->pump.clock;

    if (own->scale == runtime->scale_taken && own->frozen == runtime->frozen_taken) return;
    ufp_lock(&runtime->mutex);
    uf_clock_advance(&runtime->clock, ufp_now());
    if (own->scale != runtime->scale_taken) runtime->clock.scale = own->scale;
    if (own->frozen != runtime->frozen_taken) runtime->clock.frozen = own->frozen;
    ufp_unlock(&runtime->mutex);
    runtime->taken = runtime->real - 1; /* to be taken anew */
    runtime->scale_taken = own->scale;
    runtime->frozen_taken = own->frozen;
}

uf_time uf_real_now(void)
{
    return ufp_now();
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
    return ufh_now(&runtime->pump);
}

/* Under the mutex, from the time that it is to the new way of counting; then the plans of the pump are looked at again.
 * Inside from first to last: what the change lets happen may be what somebody waits for who then frees the runtime. */
static void begin_change(uf_runtime *runtime)
{
    ufi_go_inside(&runtime->pump);
    ufp_lock(&runtime->mutex);
    (void)now(runtime);
}

static void end_change(uf_runtime *runtime)
{
    ufp_store(&runtime->clock_changed, 1);
    ufp_unlock(&runtime->mutex);
    ufh_review(&runtime->pump);
    ufi_leave(&runtime->pump);
}

uf_status uf_runtime_set_scale(uf_runtime *runtime, double scale)
{
    begin_change(runtime);
    uf_status const status = uf_clock_set_scale(&runtime->clock, scale);
    end_change(runtime);
    return status;
}

void uf_runtime_freeze(uf_runtime *runtime)
{
    begin_change(runtime);
    uf_clock_freeze(&runtime->clock);
    end_change(runtime);
}

void uf_runtime_resume(uf_runtime *runtime)
{
    begin_change(runtime);
    uf_clock_resume(&runtime->clock);
    end_change(runtime);
}

double uf_runtime_scale(uf_runtime *runtime)
{
    ufp_lock(&runtime->mutex);
    double const scale = uf_clock_scale(&runtime->clock);
    ufp_unlock(&runtime->mutex);
    return scale;
}

bool uf_runtime_frozen(uf_runtime *runtime)
{
    ufp_lock(&runtime->mutex);
    bool const frozen = uf_clock_frozen(&runtime->clock);
    ufp_unlock(&runtime->mutex);
    return frozen;
}
