/* SPDX-License-Identifier: MIT */
/* template_riscv.c - template.c for a RISC-V in machine mode: a clock with the machine timer (CLINT), a sleep with WFI,
 * and the end after a failure.
 *
 * Copy this file and template.h, adapt it, and compile it with bare.c. The main loop is that of template.c. tests/bare
 * runs it on QEMU's machine `virt`. Compile with `_zicsr` in -march, such as rv32imac_zicsr, or
 * with -misa-spec=2.2.
 *
 * uflow masks interrupts by the bit MIE of mstatus. If some must never be delayed, or with a CLIC, write a header with
 * your own ufp_disable_interrupts() and ufp_restore_interrupts(), and compile all files with
 * -DUFP_INTERRUPTS='"that_header.h"'. See port_words.h. Only one hart may use the runtime. */
#include "template.h"

/* -- the clock ----------------------------------------------------------------------------------------------------- */

#ifndef BOARD_CYCLES_PER_MS
#define BOARD_CYCLES_PER_MS 10000u /* adapt, or define it for the compiler: the clock of mtime in kHz */
#endif
#ifndef BOARD_CLINT
#define BOARD_CLINT 0x02000000u
#endif
/* The length of a cycle in units of 1/4096 ns. A tick has less than 2^32 such units. */
#define CYCLE ((uint32_t)((UINT64_C(1000000) << 12) / BOARD_CYCLES_PER_MS))

/* Two words each: a RISC-V of 32 bits has no access of 64. */
#define TIMECMP ((volatile uint32_t *)(BOARD_CLINT + 0x4000u))
#define TIME    ((volatile uint32_t *)(BOARD_CLINT + 0xBFF8u))
enum { MIE = 1 << 3 /* in mstatus: any interrupt */, MTIE = 1 << 7 /* in mie: that of the timer */ };

static volatile uf_time ticked; /* ns at the last tick. Only the handler writes it, so it needs no division */
static volatile uint64_t due;   /* the mtime of the next tick */

/* The next tick. The first word keeps the comparison false until both are there. */
static void set_timer(uint64_t at)
{
    due = at;
    TIMECMP[1] = UINT32_MAX;
    TIMECMP[0] = (uint32_t)at;
    TIMECMP[1] = (uint32_t)(at >> 32);
}

/* Let your trap handler call it for the interrupt of the machine timer: mcause is 0x80000007. */
void board_tick(void)
{
    ticked += UF_MS(1);
    set_timer(due + BOARD_CYCLES_PER_MS);
}

/* The register mtvec points to your trap handler before. */
void board_start_clock(void)
{
    uint32_t high;
    uint32_t low;
    do {
        high = TIME[1];
        low = TIME[0];
    } while (high != TIME[1]);
    set_timer(((uint64_t)high << 32 | low) + BOARD_CYCLES_PER_MS);
    __asm__ volatile("csrs mie, %0" ::"r"(MTIE) : "memory");
    __asm__ volatile("csrs mstatus, %0" ::"r"(MIE) : "memory");
}

/* In ns, with the resolution of a cycle. You may call it with interrupts masked: it counts a tick that has not been
 * handled yet. The difference of the low words is right across their wrap. */
uf_time board_now(void)
{
    uint32_t state;
    __asm__ volatile("csrrc %0, mstatus, %1" : "=r"(state) : "r"(MIE) : "memory");
    uint32_t const since_tick = TIME[0] - ((uint32_t)due - BOARD_CYCLES_PER_MS);
    uf_time const tick = ticked;
    __asm__ volatile("csrs mstatus, %0" ::"r"(state & MIE) : "memory");
    return tick + (uf_time)((uint64_t)since_tick * CYCLE >> 12);
}

/* -- interrupt handlers -------------------------------------------------------------------------------------------- */

/* Set it in your trap handler, and clear it at its end. No register of a RISC-V tells that a handler runs. */
volatile bool board_handling;

/* Replaces that of bare.c: with it, core refuses in a handler what only the main loop may do. */
void *ufp_thread_self(void)
{
    return (void *)(uintptr_t)board_handling;
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

/* Sleeps until board_wake() or the deadline, through any number of other interrupts. WFI also ends by an interrupt
 * that is pending while MIE masks it, so none is lost between the test and WFI. The tick is the resolution of the
 * sleep. For a deeper sleep set the timer to the deadline here, and let board_tick() add the time that has passed. */
void board_sleep_until(uf_time deadline)
{
    for (;;) {
        __asm__ volatile("csrc mstatus, %0" ::"r"(MIE) : "memory");
        if (woken || ticked >= deadline) break;
        __asm__ volatile("wfi" ::: "memory");
        __asm__ volatile("csrs mstatus, %0" ::"r"(MIE) : "memory"); /* the handlers run here */
    }
    __asm__ volatile("csrs mstatus, %0" ::"r"(MIE) : "memory");
}

/* -- the end ------------------------------------------------------------------------------------------------------- */

/* A flow with the policy UF_FAIL_ABORT has failed. Instead of this breakpoint, log both texts and reset the machine. */
_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    (void)flow;
    (void)reason;
    __asm__ volatile("ebreak");
    for (;;) {}
}
