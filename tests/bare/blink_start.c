/* SPDX-License-Identifier: MIT */
/* blink_start.c - start.h of examples/adopt/cortex_m for the images of the tests. */
#include <stdio.h>

#include "start.h"
#include "template.h"

void image_tick(void);
void image_tick(void)
{
    board_tick();
}

void debug_print(const char *text)
{
    (void)fputs(text, stdout);
}
