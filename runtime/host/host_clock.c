/* SPDX-License-Identifier: MIT */
/* host_clock.c - the logical time of a runtime. Any thread may read and change one clock under the mutex. The driving
 * thread advances the pump's copy without the mutex.
 *
 * Both clocks advance by the same exact arithmetic, so they agree until a thread changes one of them. That thread
 * first sets `clock_changed` and then reads the real time at which its change takes effect. The driving thread first
 * reads the real time and then loads the flag. Both operations are sequentially consistent: if the driving thread
 * does not see the flag, it advances its copy to a moment before the change. */
#include "host.h"

#include "uflow/timer.h"

void ufh_advance_clock(uf_runtime *runtime, uf_time real)
{
    if (!ufp_load_seq_cst(&runtime->clock_changed)) {
        uf_clock_advance(&runtime->pump.clock, real);
        return;
    }
    ufp_mutex_lock(&runtime->mutex);
    ufp_store(&runtime->clock_changed, 0);
    uf_clock_advance(&runtime->clock, real);
    runtime->pump.clock = runtime->clock;
    ufp_mutex_unlock(&runtime->mutex);
}

uf_time uf_real_now(void)
{
    return ufp_monotonic_now();
}

void uf_timer_start_real(uf_timer *timer)
{
    if (timer) *timer = (uf_timer){.clock = uf_real_now, .has_clock = true, .started = uf_real_now()};
}

/* With the mutex held. */
static uf_time advance_to_now(uf_runtime *runtime)
{
    return uf_clock_advance(&runtime->clock, ufp_monotonic_now());
}

uf_time ufh_now(const uf_pump *pump)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);

    if (ufi_on_pump_thread(pump)) {
        ufh_advance_clock(runtime, ufp_monotonic_now());
        return pump->clock.logical;
    }
    ufp_mutex_lock(&runtime->mutex);
    uf_time const logical = advance_to_now(runtime);
    ufp_mutex_unlock(&runtime->mutex);
    return logical;
}

/* Pins the pump until the change is complete: another thread may wait for its effect and then free the runtime. */
uf_clock *ufh_begin_clock_change(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);

    ufi_pump_pin(pump);
    ufp_mutex_lock(&runtime->mutex);
    ufp_store_seq_cst(&runtime->clock_changed, 1);
    (void)advance_to_now(runtime);
    return &runtime->clock;
}

void ufh_end_clock_change(uf_pump *pump, bool changed)
{
    uf_runtime *const runtime = ufh_runtime_of(pump);

    ufp_mutex_unlock(&runtime->mutex);
    if (changed) ufh_request_round(pump);
    ufi_pump_unpin(pump);
}
