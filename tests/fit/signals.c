/* SPDX-License-Identifier: MIT */
/* signals.c - fires signals and destroys them, at random but always alike, and prints what the flows do. */
#include "signals.h"

#include <inttypes.h>
#include <stdio.h>

enum { WAITERS = 3, ROUNDS = 3000 };

static uf_pump pump;
static Waiter waiters[WAITERS];
static Handler handlers[2];

static unsigned draw(unsigned below)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % below;
}

static void show(const uf_flow *flow)
{
    printf(" %s.%s/%d%s", uf_flow_task(flow), uf_flow_step(flow), (int)uf_flow_outcome(flow), uf_flow_reason(flow));
}

static void act(void)
{
    uf_signal *const signals[] = {&go, &halt, &waiters[draw(WAITERS)].own};
    uf_signal *const signal = signals[draw(3)];

    if (draw(40) == 0) {
        uf_signal_destroy(signal);
        (void)uf_pump_round(&pump, 0);
        uf_signal_init(signal, "again");
        printf(" destroyed");
    }
    printf(" %" PRIu32 "/%" PRIu32, uf_signal_fire(signal), uf_signal_epoch(signal));
}

int main(void)
{
    (void)uf_pump_init(&pump, NULL);
    for (int i = 0; i < WAITERS; i++) (void)Waiter_init(&waiters[i], &pump, NULL);
    for (int i = 0; i < 2; i++) (void)Handler_init(&handlers[i], &pump, NULL);
    for (uf_time now = 1; now <= ROUNDS; now++) {
        for (int i = 0; i < WAITERS; i++)
            if (draw(4) == 0) (void)Waiter_start_Run(&waiters[i]);
        for (int i = 0; i < 2; i++)
            if (draw(4) == 0) (void)Handler_start_Run(&handlers[i]);
        for (unsigned count = draw(4); count > 0; count--) act();
        printf(" %" PRId64, uf_pump_round(&pump, UF_MS(now / 3)));
        if (draw(10) == 0) (void)uf_flow_cancel(&waiters[0].uf);
        for (int i = 0; i < WAITERS; i++) show(&waiters[i].uf);
        for (int i = 0; i < 2; i++) show(&handlers[i].uf);
        printf("\n");
    }
    return 0;
}
