/* main.c - runs the flow of bare.h four times. Prints the SysTick cycles of three of these runs, and the bytes of stack
 * that all needed. */
#include "bare.h"

#include <stdio.h>

#define SYSTICK ((volatile uint32_t *)0xE000E010u)
#define PAINT   0xA5A5A5A5u

enum { PAINTED = 1024 }; /* words */

/* Words of the stack below the caller's frame. */
static volatile uint32_t *painted(void)
{
    uint32_t *here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    return here - PAINTED;
}

static uint32_t run(void)
{
    uint32_t ms = 0;

    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 5; /* without an exception */
    bare_start();   /* the first run initialises */
    while (bare_run(ms)) ms++;
    uint32_t const began = SYSTICK[2];
    for (int i = 0; i < 3; i++) {
        bare_start();
        while (bare_run(ms)) ms += 10;
    }
    return began - SYSTICK[2];
}

int main(void)
{
    volatile uint32_t *const words = painted();
    for (int i = 0; i < PAINTED - 16; i++) words[i] = PAINT;
    uint32_t const cycles = run();
    int unused = 0;
    while (words[unused] == PAINT) unused++;
    printf("%lu %d\n", (unsigned long)cycles, (PAINTED - unused) * (int)sizeof *words);
    return 0;
}
