/* SPDX-License-Identifier: MIT */
/* template.c - the part of a bare-metal port that belongs to your board: a clock, a sleep, and the end after a failure.
 *
 * Copy this file, adapt it, and compile it with bare.c. It is written for ARM Cortex-M (M0 and up), with SysTick as the
 * clock and WFI as the sleep. tests/bare runs it. Your program does:
 *
 *   uf_pump_init(&pump, &(uf_pump_config){.wake = board_wake});
 *   board_start_clock();
 *   for (;;) {
 *       board_awake();
 *       uf_time const now = board_now();
 *       uf_time const wait = uf_pump_round(&pump, now);
 *       if (wait > 0) board_sleep_until(uf_time_add(now, wait));
 *   }
 *
 * A fire or a send of an interrupt handler calls board_wake(). So an interrupt after board_awake() ends the next sleep,
 * and no wake-up is lost. Other interrupts, such as the tick of the clock, cause no round.
 *
 * If some interrupts must never be delayed, give them a higher priority than those that use the runtime, and compile
 * all files with -DUFP_BASEPRI=n. Then uflow masks only priorities from n on (M3 and up). Set the priority of each
 * interrupt that uses the runtime: after a reset it is 0, which BASEPRI never masks. For another machine, write a
 * header with your own ufp_disable_interrupts() and ufp_restore_interrupts(), and compile all files with
 * -DUFP_INTERRUPTS='"that_header.h"'. See port_words.h. */
#include "template.h"

/* -- the clock ----------------------------------------------------------------------------------------------------- */

#ifndef BOARD_CYCLES_PER_MS
#define BOARD_CYCLES_PER_MS 25000u /* adapt, or define it for the compiler: the clock of the CPU in kHz */
#endif
/* The length of a cycle in units of 1/4096 ns. A tick has less than 2^32 such units. */
#define CYCLE ((uint32_t)((UINT64_C(1000000) << 12) / BOARD_CYCLES_PER_MS))

typedef struct systick {
    volatile uint32_t control, reload, value, calibration;
} systick;
#define SYSTICK ((systick *)0xE000E010u)
#define PENDING (*(volatile uint32_t *)0xE000ED04u) /* ICSR; bit 26: the SysTick exception is pending */

static volatile uf_time ticked; /* ns at the last tick. Only the handler writes it, so it needs no division */

/* Put it into your vector table. */
void board_tick(void)
{
    ticked += UF_MS(1);
}

void board_start_clock(void)
{
    SYSTICK->reload = BOARD_CYCLES_PER_MS - 1;
    SYSTICK->value = 0;
    SYSTICK->control = 7; /* the CPU's clock, an exception per tick, on */
}

/* In ns, with the resolution of a cycle. You may call it with interrupts masked: it counts a tick that has not been
 * handled yet. PRIMASK, not BASEPRI: SysTick may have a priority that BASEPRI does not mask, and must not come between
 * the accesses. */
uf_time board_now(void)
{
    uint32_t state;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(state)::"memory");
    uint32_t left = SYSTICK->value;
    bool const pending = (PENDING & (UINT32_C(1) << 26)) != 0;
    if (pending) left = SYSTICK->value; /* of the new tick */
    uf_time const tick = ticked;
    __asm__ volatile("msr primask, %0" ::"r"(state) : "memory");
    uint32_t const since_tick = (BOARD_CYCLES_PER_MS - 1 - left) * CYCLE >> 12;
    return tick + (since_tick + (pending ? (uint32_t)UF_MS(1) : 0)); /* one addition of 64 bits */
}

/* -- the sleep ----------------------------------------------------------------------------------------------------- */

static volatile bool woken;

/* uf_pump_config.wake: an interrupt has brought work. */
void board_wake(void *context)
{
    (void)context;
    woken = true;
}

/* Call it before the round that does this work. */
void board_awake(void)
{
    woken = false;
}

/* Sleeps until board_wake() or the deadline, through any number of other interrupts. An interrupt between the test and
 * WFI is pending then, and ends WFI at once. PRIMASK, not BASEPRI: an interrupt that BASEPRI masks does not end WFI.
 * The tick is the resolution of the sleep. For a deeper sleep stop SysTick here, set a timer of the board to the
 * deadline, and add the time that it measured to `ticked`. */
void board_sleep_until(uf_time deadline)
{
    for (;;) {
        __asm__ volatile("cpsid i" ::: "memory");
        if (woken || ticked >= deadline) break;
        __asm__ volatile("dsb\n\twfi" ::: "memory");
        __asm__ volatile("cpsie i\n\tisb" ::: "memory"); /* the handlers run here */
    }
    __asm__ volatile("cpsie i" ::: "memory");
}

/* -- the end ------------------------------------------------------------------------------------------------------- */

/* A flow with the policy UF_FAIL_ABORT has failed. Instead of this breakpoint, log both texts and reset the machine. */
_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    (void)flow;
    (void)reason;
    __asm__ volatile("bkpt 0");
    for (;;) {}
}
