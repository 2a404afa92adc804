/* SPDX-License-Identifier: MIT */
/* measured.h - for UFP_INTERRUPTS: masks interrupts like port_words.h, and notes the longest time that they are
 * masked. */
#ifndef MEASURED_H
#define MEASURED_H

#include <stdint.h>

/* In a build for measuring, a SysTick cycle is a known part of an instruction; see images.py. */
#define MEASURED_NOW() (*(volatile uint32_t *)0xE000E018u)

extern uint32_t measured_since, measured_longest;

/* From the first instruction of an interrupt handler to the step that its fire has released: the shortest time. */
extern uint32_t measured_fire, measured_latency;

static inline uint32_t ufp_disable_interrupts(void)
{
    uint32_t state;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
    if (!state) measured_since = MEASURED_NOW();
    return state;
}

/* SysTick counts down. A masked section that contains a reload is not counted. */
static inline void ufp_restore_interrupts(uint32_t state)
{
    uint32_t const now = MEASURED_NOW();
    if (!state && measured_since >= now && measured_since - now > measured_longest)
        measured_longest = measured_since - now;
    __asm__ volatile("msr primask, %0" ::"r"(state) : "memory");
}

#endif
