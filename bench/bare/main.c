/* SPDX-License-Identifier: MIT */
/* main.c - runs a flow of bare.h four times. Prints the SysTick cycles and the waits of three of these runs, and the
 * bytes of stack that all needed. With BARE_GAME it plays moles.uflow, and prints ticks instead of waits, then the
 * score of each game, and how often its lamp has changed. */
#include "bare.h"

#include <stdio.h>
#include <stdlib.h>

#define SYSTICK ((volatile uint32_t *)0xE000E010u)
#define PAINT   0xA5A5A5A5u

enum { PAINTED = 1024 /* words */, RUNS = 4 };

static volatile uint32_t *painted;
#ifdef BARE_GAME
static int scores[RUNS], changes[RUNS], changed;
#endif

/* Words of the stack below the caller's frame. */
static volatile uint32_t *below(void)
{
    uint32_t *here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    return here - PAINTED;
}

static void report(uint32_t cycles, int waits)
{
    int unused = 0;
    while (painted[unused] == PAINT) unused++;
    printf("%lu %d %d\n", (unsigned long)cycles, waits, (PAINTED - unused) * (int)sizeof *painted);
#ifdef BARE_GAME
    for (int i = 0; i < RUNS; i++) printf("%d %d\n", scores[i], changes[i]);
#endif
    exit(0);
}

#ifdef BARE_GAME
void bare_lamp(bool on)
{
    static bool lit;

    if (on == lit) return;
    lit = on;
    changed++;
}

/* A tick, or the press of a button when all is done that the tick has made due. */
static void play(int *ticks)
{
    static uint32_t now, next = 500, random = 1;

    if ((int32_t)(now - next) >= 0) {
        random = random * 1664525u + 1013904223u;
        next += 120 + (random >> 28) * 10;
        bare_press((int)(random >> 24) & 3);
        return;
    }
    now += BARE_MS;
    ++*ticks;
    bare_tick();
}
#endif

void bare_idle(void)
{
    static int runs, waits, idle;
    static uint32_t began;

    if (bare_running()) {
#ifdef BARE_GAME
        (void)idle;
        play(&waits);
        return;
#endif
        if (idle < BARE_IDLE_TICKS) {
            idle++;
            bare_tick();
            return;
        }
        idle = 0;
        waits++;
#ifdef BARE_ANSWERS /* every second wait */
        if (waits % 2 == 0) {
            bare_answer();
            return;
        }
#endif
        bare_tick();
        return;
    }
#ifdef BARE_GAME
    if (runs > 0) {
        scores[runs - 1] = bare_score();
        changes[runs - 1] = changed;
        changed = 0;
    }
#endif
    if (runs == RUNS) report(began - SYSTICK[2], waits);
    if (runs++ == 1) { /* the first run initialised */
        waits = 0;
        began = SYSTICK[2];
    }
    bare_start();
}

int main(void)
{
    painted = below();
    for (int i = 0; i < PAINTED - 16; i++) painted[i] = PAINT;
    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 5; /* without an exception */
    bare_loop();
}
