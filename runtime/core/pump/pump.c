/* SPDX-License-Identifier: MIT */
/* pump.c - rounds. */
#include "basics/clocks.h"
#include "basics/wheel.h"
#include "jobs/work.h"
#include "pump/rounds.h"
#include "waits/signals.h"

UFI_COLD static bool is_valid(const uf_pump_config *config)
{
    (void)config; /* it may have none of these members */
    uf_time const limits = UFI_SETTING(OBSERVERS, *config, slow_step) | UFI_SETTING(OBSERVERS, *config, slow_round);
    bool const is_negative =
        (limits | UFI_SETTING(POLLS, *config, stay_interval) | UFI_SETTING(JOBS, *config, slow_job) |
         UFI_SETTING(PACE, *config, step_interval)) < 0; /* the sign of any */
    uf_pool const *const pool = UFI_SETTING(JOBS, *config, pool);

    return !is_negative && !(limits && !UFI_SETTING(OBSERVERS, *config, monotonic)) && !(pool && !pool->kind);
}

UFI_COLD uf_status uf_pump_init(uf_pump *pump, const uf_pump_config *config)
{
    if (!pump || (config && !is_valid(config))) return UF_INVALID;
    uf_pump_config const given = config ? *config : (uf_pump_config){0}; /* it may be part of the pump */
    (void)memset(pump, 0, UF_PUMP_SIZE);
    pump->config = given;
    UF_WITH(UF_USES_POLLS, if (pump->config.stay_interval == 0) pump->config.stay_interval = UFI_DEFAULT_STAY_INTERVAL;)
    UF_WITH(UF_USES_JOBS, if (pump->config.jobs_per_flow == 0) pump->config.jobs_per_flow = UFI_DEFAULT_JOBS_PER_FLOW;)
    uf_time const start = UFI_SETTING(PACE, given, start);
    uf_clock_init(&pump->clock, start);
    ufi_wheel_init(&pump->wheel, start);
    ufi_list_init(&pump->ready);
    if (UF_USES_POLLS) ufi_list_init(&pump->polling);
    if (UF_USES_PARTS) ufi_list_init(&pump->flows);
    if (UF_USES_PUMPS) ufi_list_init(&pump->fired);
    ufi_set_driver(pump);
    UF_WITH(UF_USES_JOBS, if (pump->config.pool) ufi_open_pool(pump, pump->config.pool);)
    return UF_OK;
}

UFI_COLD uf_status uf_pump_destroy(uf_pump *pump)
{
    if (!ufi_is_pump(pump) || ufi_host(pump)) return UF_INVALID;
    ufi_lock_flows(pump);
    bool const empty = UF_USES_PARTS ? ufi_list_empty(&pump->flows) : *ufi_flow_count(pump) == 0;
    ufi_unlock_flows(pump);
    if (!empty) return UF_BUSY;
    ufi_close_pool(pump);
    while (UF_USES_MESSAGES && ufp_load_seq_cst(&pump->pins))
        ufp_spin_pause(); /* threads that have fired a signal unpin the pump last */
    ufi_detach_store(pump);
    ufi_end_pump(pump);
    return UF_OK;
}

UFI_COLD void ufi_open_pool(uf_pump *pump, uf_pool *pool)
{
    pump->pool = pool;
    if (pool->kind->open) pool->kind->open(pool, pump);
}

UFI_COLD void ufi_close_pool(uf_pump *pump)
{
    uf_pool *const pool = UF_USES_JOBS ? pump->pool : NULL;

    if (!pool) return;
    if (pump->works_in_flight) pump->jobs->recall(pump);
    pump->pool = NULL;
    if (pool->kind->close) pool->kind->close(pool, pump);
}

static inline void process_fired(uf_pump *pump)
{
    if (UF_USES_PUMPS) pump->signals->process_fired(pump, NULL);
    else ufi_signals_process(pump);
}

static void begin(uf_pump *pump)
{
    ufi_set_driver(pump);
    pump->in_round = true;
    if (UF_USES_OBSERVERS) pump->begins_anew = false;
    if (ufi_is_observed(pump) && ufi_monotonic_of(pump)) pump->notify->measure_round(pump);
    if (ufi_pre_round_of(pump)) ufi_pre_round_of(pump)(pump->config.context);
    if (UF_USES_MESSAGES && (ufp_load_pointer(&pump->inbox) || pump->messages)) ufi_inbox_deliver(pump);
    if (ufi_has_fired(pump)) process_fired(pump);
    if (ufi_real_events(pump)) pump->real->begin_round(pump);
    if (ufi_stop(pump)) pump->stop->hooks->begin_round(pump);
    if (ufi_wheel_soonest(&pump->wheel) <= pump->clock.logical) ufi_wake_due(pump);
}

static inline void run(uf_pump *pump)
{
    if (UF_USES_COUNTS) pump->round++;
    pump->advanced = false;
    ufi_run_ready(pump);
    if (ufi_is_polling(pump)) ufi_run_polling(pump);
}

static void end(uf_pump *pump)
{
    if (UF_USES_POLLS) pump->rounded = pump->clock.logical;
    ufp_store_pointer(&pump->current, NULL);
    if (UF_USES_OBSERVERS && pump->measured) pump->notify->round_measured(pump);
    if (ufi_jobs(pump)) pump->jobs->end_round(pump);
    if (ufi_hands_on(pump)) pump->hand_on(pump);
    pump->in_round = false;
}

/* Does another round follow at once, with nothing to do in begin()? No timer becomes due between rounds of one time:
 * a timer that is due when it is set is not put on the wheel. */
static inline bool has_more(const uf_pump *pump)
{
    return !ufi_list_empty(&pump->ready) && !ufi_has_news(pump) && !(UF_USES_MESSAGES && pump->messages) &&
           !ufi_real_events(pump) && !(UF_USES_OBSERVERS && (pump->measured || pump->begins_anew)) && !ufi_stop(pump) &&
           !ufi_hands_on(pump) && !UFI_SETTING(PACE, pump->config, step_interval);
}

void ufi_rounds(uf_pump *pump, uint64_t at_most)
{
    uint64_t const last = at_most < UINT64_MAX - pump->round ? pump->round + at_most : UINT64_MAX;

    begin(pump);
    for (;;) {
        run(pump);
        if (pump->round >= last || !has_more(pump)) break;
        if (pump->ready.next != pump->ready.prev || ufi_is_polling(pump)) continue; /* no lone flow */
        uint64_t const left = last - pump->round;
        ufi_run_lone(pump, left < UINT32_MAX ? (uint32_t)left : UINT32_MAX);
        if (pump->round >= last || !has_more(pump)) break;
    }
    end(pump);
}

uf_time uf_pump_round(uf_pump *pump, uf_time real)
{
    return !ufi_is_pump(pump) || ufi_host(pump) ? UF_FOREVER : ufi_round(pump, real);
}

/* After a step was left by an exception or longjmp(), no round could go on where that one was. */
UFI_COLD _Noreturn static void abort_in_round(const uf_pump *pump)
{
    uf_flow const *const flow = pump->current;
    ufp_abort(flow ? ufi_name_of(flow) : UFI_WORDS("none"),
              UFI_WORDS("uf_pump_round() was called in its step, or the step was left by an exception or longjmp()"));
}

static uf_time earlier(uf_time a, uf_time b)
{
    return a < b ? a : b;
}

/* Real time from the last round until a deadline. */
static inline uf_time time_until(const uf_pump *pump, uf_time deadline)
{
    if (UF_USES_SCALE || UF_USES_PACE) return uf_clock_real_until(&pump->clock, deadline);
    if (deadline == UF_FOREVER) return UF_FOREVER;
    return deadline > pump->clock.logical ? deadline - pump->clock.logical : 0; /* which began at 0 */
}

UFI_COLD static uf_time timeout_of(uf_pump *pump)
{
    if (pump->advanced && UFI_SETTING(PACE, pump->config, step_interval) == 0) return 0;
    if (!pump->advanced && !ufi_list_empty(&pump->ready)) return 0;
    if (UF_USES_MESSAGES && (ufp_load_pointer_seq_cst(&pump->inbox) || pump->messages)) return 0;
    if (ufi_has_fired(pump)) return 0;

    uf_time until = time_until(pump, ufi_wheel_bound(&pump->wheel, pump->clock.logical));
    uf_time moment = ufi_next_real(pump);
    if (ufi_stop(pump)) moment = earlier(moment, pump->stop->hooks->next_deadline(pump));
    if (moment <= ufi_real_time(pump)) return 0;
    if (moment != UF_FOREVER) until = earlier(until, moment - ufi_real_time(pump));
    uf_time const interval = pump->advanced          ? UFI_SETTING(PACE, pump->config, step_interval)
                             : !ufi_is_polling(pump) ? UF_FOREVER
                                                     : UFI_SETTING(POLLS, pump->config, stay_interval);
    return earlier(until, interval);
}

/* Not inline: gcc would inline its first lines only, and save registers twice. */
UF_NOINLINE uf_time ufi_round(uf_pump *pump, uf_time real)
{
    if (pump->in_round) abort_in_round(pump);
    ufi_clock_advance(&pump->clock, real);
    begin(pump);
    run(pump);
    end(pump);
    return timeout_of(pump);
}

UFI_COLD uf_time uf_pump_timeout(uf_pump *pump)
{
    return ufi_is_pump(pump) ? timeout_of(pump) : UF_FOREVER;
}

uf_time uf_pump_next_deadline(uf_pump *pump)
{
    return ufi_is_pump(pump) ? ufi_wheel_next(&pump->wheel) : UF_FOREVER;
}

size_t uf_pump_running(const uf_pump *pump)
{
    return pump ? ufp_load(&pump->running) : 0;
}
uint64_t uf_pump_rounds(const uf_pump *pump)
{
    return pump ? pump->round : 0;
}

UFI_COLD uf_flow *uf_pump_next_flow(const uf_pump *pump, const uf_flow *after)
{
    if (!UF_USES_PARTS || !ufi_is_pump(pump) || (after && after->pump != pump)) return NULL;
    ufi_lock_flows(pump);
    uf_link *const link = after ? after->attached.next : pump->flows.next;
    uf_flow const *const member = after ? ufi_member_around(after) : NULL;
    bool const has_left = member && !ufi_member_of(member)->is_attached;
    ufi_unlock_flows(pump);
    if (link == &pump->flows || has_left) return NULL;
    return ufi_attached_flow(link);
}

UFI_COLD void uf_pump_cancel_all(uf_pump *pump)
{
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) (void)uf_flow_cancel(flow);
}
