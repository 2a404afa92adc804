/* pump.c - rounds. */
#include "core.h"

#include "round.h"

#define DEFAULT_STAY_INTERVAL UF_MS(20)

uf_status uf_pump_init(uf_pump *pump, const uf_pump_config *config)
{
    uf_pump_config const given = config ? *config : (uf_pump_config){ 0 };

    if (given.stay_interval < 0 || given.step_interval < 0) return UF_INVALID;
    memset(pump, 0, sizeof *pump);
    pump->config = given;
    if (given.stay_interval == 0) pump->config.stay_interval = DEFAULT_STAY_INTERVAL;
    uf_clock_init(&pump->clock, given.start);
    ufi_wheel_init(&pump->wheel, given.start);
    ufi_list_init(&pump->ready);
    ufi_list_init(&pump->polling);
    ufi_list_init(&pump->flows);
    return UF_OK;
}

uf_status uf_pump_destroy(uf_pump *pump) { return ufi_list_empty(&pump->flows) ? UF_OK : UF_BUSY; }

/* Each flow of a list up to *last, which is moved when a flow is taken off before its turn. A turn leaves its flow behind the
 * last one or on another list, so that the next one is always the first. */
static void run_up_to(uf_pump *pump, uf_link *list, uf_link *const *last)
{
    while (*last != list) {
        uf_link *const link = list->next;
        ufi_turn(pump, ufi_flow_of(link));
        if (*last == link) break;
    }
}

void ufi_round(uf_pump *pump)
{
    uf_time const now = pump->clock.logical;

    for (uf_arm *arm; (arm = ufi_wheel_pop(&pump->wheel, now)) != NULL;) ufi_wake(arm->owner);

    pump->round++;
    pump->rounded = now;
    pump->advanced = false;
    pump->ready_last = pump->ready.prev;
    pump->polling_last = pump->polling.prev;
    pump->in_round = true;
    run_up_to(pump, &pump->ready, &pump->ready_last);
    run_up_to(pump, &pump->polling, &pump->polling_last);
    pump->in_round = false;
    pump->current = NULL;
    pump->ready_last = pump->polling_last = NULL;
}

uf_time uf_pump_round(uf_pump *pump, uf_time real)
{
    if (pump->in_round) return 0;
    uf_clock_advance(&pump->clock, real);
    ufi_round(pump);
    return uf_pump_wait(pump);
}

uf_time uf_pump_wait(uf_pump *pump)
{
    if (pump->advanced) return pump->config.step_interval;
    if (!ufi_list_empty(&pump->ready)) return 0;

    uf_time const until = uf_clock_real_until(&pump->clock, ufi_wheel_next(&pump->wheel));
    uf_time const stay = pump->config.stay_interval;
    return ufi_list_empty(&pump->polling) || until < stay ? until : stay;
}

uf_time uf_pump_next_deadline(uf_pump *pump) { return ufi_wheel_next(&pump->wheel); }

uf_clock *uf_pump_clock(uf_pump *pump) { return &pump->clock; }
uf_time uf_pump_now(const uf_pump *pump) { return pump->clock.logical; }
size_t uf_pump_running(const uf_pump *pump) { return pump->running; }
uint64_t uf_pump_rounds(const uf_pump *pump) { return pump->round; }

uf_flow *uf_pump_next_flow(const uf_pump *pump, const uf_flow *after)
{
    uf_link *const link = after ? after->attached.next : pump->flows.next;
    if (link == &pump->flows) return NULL;
    return (uf_flow *)((uintptr_t)link - offsetof(uf_flow, attached));
}

void uf_pump_cancel_all(uf_pump *pump)
{
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(pump, flow)) != NULL;) uf_flow_cancel(flow);
}
