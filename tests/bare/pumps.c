/* SPDX-License-Identifier: MIT */
/* pumps.c - flows of two pumps wait for one signal, which an interrupt handler fires at any moment. The pump whose flow
 * waits first becomes the signal's home, and stops being it when its last flow leaves; the other pump only waits.
 * So fires meet each of these changes. */
#include <stdio.h>

#include "pumps_flows.h"

enum { EACH = 3, ROUNDS = 60000 };

static uf_pump pumps[2];
static Waiter waiters[2][EACH];
static volatile uint32_t seed = 1;
static volatile unsigned released;

typedef struct systick {
    volatile uint32_t control, reload, value, calibration;
} systick;
#define SYSTICK ((systick *)0xE000E010u)

void image_tick(void);

static unsigned below(unsigned limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

void image_tick(void)
{
    SYSTICK->reload = 3000 + below(60000); /* in cycles; see INSTRUCTION_NS of live.py */
    released += uf_signal_fire(&pulse);
}

static bool start(void)
{
    for (int of = 0; of < 2; of++) {
        if (uf_pump_init(&pumps[of], NULL) != UF_OK) return false;
        for (int i = 0; i < EACH; i++) {
            if (Waiter_init(&waiters[of][i], &pumps[of], "waiter") != UF_OK) return false;
            if (Waiter_start_Wait(&waiters[of][i], UF_US(500 + 400 * i + 200 * of)) != UF_OK) return false;
        }
    }
    return true;
}

int main(void)
{
    unsigned fired = 0, late = 0;
    uf_time now = 0;

    if (!start()) return 1;
    SYSTICK->reload = 30000;
    SYSTICK->value = 0;
    SYSTICK->control = 7;
    for (unsigned i = 0; i < ROUNDS; i++, now += UF_US(300)) {
        if (i % 7 < 4) uf_pump_round(&pumps[0], now);
        if (i % 5 < 3) uf_pump_round(&pumps[1], now);
    }
    SYSTICK->control = 0;
    for (int i = 0; i < 8; i++) uf_pump_round(&pumps[i % 2], now);
    for (int i = 0; i < 2 * EACH; i++) {
        fired += waiters[i / EACH][i % EACH].fired;
        late += waiters[i / EACH][i % EACH].late;
    }
    bool const lost = fired < released || fired == 0 || late == 0;
    printf("waiting %u, %s\n", (unsigned)uf_signal_fire(&pulse), lost ? "lost" : "none lost");
    return 0;
}
