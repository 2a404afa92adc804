/* SPDX-License-Identifier: MIT */
/* nothing.c - an implementation without a flow: the cost of main.c and the C library. */
#include "bare.h"

void bare_loop(void)
{
    for (;;) bare_idle();
}

void bare_start(void)
{
}

bool bare_running(void)
{
    return false;
}

void bare_tick(void)
{
}

void bare_answer(void)
{
}

void bare_press(int hole)
{
    (void)hole;
}

int bare_score(void)
{
    return 0;
}
