/* SPDX-License-Identifier: MIT */
/* three_switch.c - the flow of sizes/three.uflow as one would write it by hand: a switch, and a deadline in
 * milliseconds. */
#include "bare.h"

enum { IDLE, FIRST, SECOND, WAIT, THIRD };

typedef struct three {
    uint8_t state;
    uint32_t deadline;
    int turns;
} three;

static three one;
static uint32_t now;

void bare_start(void)
{
    one.state = FIRST;
}

bool bare_running(void)
{
    return one.state != IDLE;
}

void bare_tick(void)
{
    now += BARE_MS;
}

/* Runs until it waits. */
static void run(void)
{
    for (;;) {
        switch (one.state) {
        case FIRST:
            one.turns = 0;
            one.state = SECOND;
            break;
        case SECOND:
            one.turns++;
            one.deadline = now + 10;
            one.state = WAIT;
            return;
        case WAIT:
            if ((int32_t)(now - one.deadline) < 0) return;
            one.state = THIRD;
            break;
        case THIRD:
            if (one.turns < 10) {
                one.state = SECOND;
                break;
            }
            one.state = IDLE;
            return;
        default: return;
        }
    }
}

void bare_loop(void)
{
    for (;;) {
        run();
        bare_idle();
    }
}
