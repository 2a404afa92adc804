/* SPDX-License-Identifier: MIT */
/* typical_switch.c - the flow of sizes/typical.uflow as one would write it by hand. The reason of a failure is a
 * constant; `tries` is its number. */
#include "bare.h"

#include <stddef.h>

enum { IDLE, SEND, WAIT, FINISH };

typedef struct typical {
    uint8_t state;
    bool answered;
    uint32_t deadline;
    int limit, tries;
    const char *reason;
} typical;

static typical one;
static uint32_t now;

static void ask(typical *flow, int limit)
{
    flow->limit = limit;
    flow->reason = NULL;
    flow->state = SEND;
}

void bare_start(void)
{
    ask(&one, 10);
}

bool bare_running(void)
{
    return one.state != IDLE;
}

void bare_tick(void)
{
    now += BARE_MS;
}

void bare_answer(void)
{
    one.answered = true;
}

/* Runs until it waits. */
static void run(typical *flow)
{
    for (;;) {
        switch (flow->state) {
        case SEND:
            if (flow->tries == flow->limit) {
                flow->reason = "no answer";
                flow->state = IDLE;
                return;
            }
            flow->tries++;
            flow->answered = false;
            flow->deadline = now + 200;
            flow->state = WAIT;
            return;
        case WAIT:
            if (flow->answered) flow->state = FINISH;
            else if ((int32_t)(now - flow->deadline) >= 0) flow->state = SEND;
            else return;
            break;
        case FINISH: flow->state = IDLE; return;
        default: return;
        }
    }
}

void bare_loop(void)
{
    for (;;) {
        run(&one);
        bare_idle();
    }
}
