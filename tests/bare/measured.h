/* SPDX-License-Identifier: MIT */
/* measured.h - for UFP_INTERRUPTS: masks interrupts like port_words.h, and notes the longest time that they are
 * masked. */
#ifndef MEASURED_H
#define MEASURED_H

#include <stdint.h>

/* In a build for measuring, a SysTick cycle is a known part of an instruction; see live.py. So is one of the timer of
 * a RISC-V, which counts up. */
#if defined(__riscv)
#define MEASURED_NOW()            (0u - *(volatile uint32_t *)0x0200BFF8u)
#define MEASURED_MASK             "csrrci %0, mstatus, 8\n\tandi %0, %0, 8"
#define MEASURED_BACK             "csrs mstatus, %0"
#define MEASURED_OUTERMOST(state) ((state) != 0) /* interrupts were on */
#else
#define MEASURED_NOW()            (*(volatile uint32_t *)0xE000E018u)
#define MEASURED_MASK             "mrs %0, primask\n\tcpsid i"
#define MEASURED_BACK             "msr primask, %0"
#define MEASURED_OUTERMOST(state) ((state) == 0)
#endif

extern uint32_t measured_since, measured_longest;

/* From the first instruction of an interrupt handler to the step that its fire has released: the shortest time. */
extern uint32_t measured_fire, measured_latency;

static inline uint32_t ufp_disable_interrupts(void)
{
    uint32_t state;
    __asm__ volatile(MEASURED_MASK : "=r"(state)::"memory");
    if (MEASURED_OUTERMOST(state)) measured_since = MEASURED_NOW();
    return state;
}

/* SysTick counts down. A masked section that contains a reload is not counted. */
static inline void ufp_restore_interrupts(uint32_t state)
{
    uint32_t const now = MEASURED_NOW();
    if (MEASURED_OUTERMOST(state) && measured_since >= now && measured_since - now > measured_longest)
        measured_longest = measured_since - now;
    __asm__ volatile(MEASURED_BACK ::"r"(state) : "memory");
}

#endif
