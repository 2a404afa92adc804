/* host_clock.c - logical time of a runtime: one clock under the mutex, which any thread may change and read at any moment,
 * and the pump's copy, which the driving thread advances without the mutex.
 *
 * Both are advanced by the same exact arithmetic, so they agree at every moment until one of them is changed. Another
 * thread that changes the clock first sets `clock_changed` and then reads the time from which the change counts; the
 * driving thread first reads the time and then looks at the flag. Both are operations of the one total order: if the
 * driving thread does not see the flag, it has advanced its copy to a moment before the change. */
#include "host.h"

void ufh_take_clock(uf_runtime *runtime, uf_time real)
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

static uf_time now(uf_runtime *runtime)
{
    return uf_clock_advance(&runtime->clock, ufp_monotonic_now());
}

uf_time ufh_now(const uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);

    if (ufi_on_pump_thread(pump)) {
        ufh_take_clock(runtime, ufp_monotonic_now());
        return pump->clock.logical;
    }
    ufp_mutex_lock(&runtime->mutex);
    uf_time const logical = now(runtime);
    ufp_mutex_unlock(&runtime->mutex);
    return logical;
}

/* Inside from first to last: what a change lets happen may be what somebody waits for who then frees the runtime. */
uf_clock *ufh_begin_change(uf_pump *pump)
{
    uf_runtime *const runtime = ufh_of(pump);

    ufi_pump_pin(pump);
    ufp_mutex_lock(&runtime->mutex);
    ufp_store_seq_cst(&runtime->clock_changed, 1);
    (void)now(runtime);
    return &runtime->clock;
}

/* The plans of the pump are looked at again. */
void ufh_end_change(uf_pump *pump, bool changed)
{
    uf_runtime *const runtime = ufh_of(pump);

    ufp_mutex_unlock(&runtime->mutex);
    if (changed) ufh_review(pump);
    ufi_pump_unpin(pump);
}
