/* three_switch.c - the flow of sizes/three.uflow as one would write it by hand: a switch, and a deadline in
 * milliseconds. */
#include <stdbool.h>
#include <stdint.h>

#include "bare.h"

enum { IDLE, FIRST, SECOND, WAIT, THIRD };

typedef struct three {
    uint8_t state;
    uint32_t deadline;
    int turns;
} three;

static three one;

void bare_start(void)
{
    one.state = FIRST;
}

/* Runs until it waits. Returns: whether it still runs. */
bool bare_run(uint32_t ms)
{
    for (;;) {
        switch (one.state) {
        case FIRST:
            one.turns = 0;
            one.state = SECOND;
            break;
        case SECOND:
            one.turns++;
            one.deadline = ms + 10;
            one.state = WAIT;
            return true;
        case WAIT:
            if ((int32_t)(ms - one.deadline) < 0) return true;
            one.state = THIRD;
            break;
        case THIRD:
            if (one.turns < 10) {
                one.state = SECOND;
                break;
            }
            one.state = IDLE;
            return false;
        default: return false;
        }
    }
}
