/* SPDX-License-Identifier: MIT */
/* image_riscv.c - what image.c is for a Cortex-M, for QEMU's machine `virt` of RISC-V. Start-up code and output by
 * semihosting are picolibc's. The two interrupts are one of software that keeps in mind which of them were raised. */
#include <stdint.h>
#include <stdlib.h>

#include "image_riscv.h"
#include "port.h" /* the compiler compares its functions with those of template.h */
#include "template.h"

#define SOFTWARE (*(volatile uint32_t *)0x02000000u) /* of the CLINT: raises the interrupt, or takes it back */
enum { SOFTWARE_INTERRUPT = 3, MSIE = 1 << SOFTWARE_INTERRUPT };

void __attribute__((weak)) image_tick(void);
void __attribute__((weak)) image_interrupt_0(void);
void __attribute__((weak)) image_interrupt_1(void);

static volatile uint32_t raised;

void image_raise(uint32_t interrupts)
{
    raised |= interrupts;
    SOFTWARE = 1;
}

/* Handlers do not nest, so nothing comes between the two lines that take what was raised. */
static void take_raised(void)
{
    SOFTWARE = 0;
    uint32_t const taken = raised;
    raised = 0;
    if ((taken & 1) && image_interrupt_0) image_interrupt_0();
    if ((taken & 2) && image_interrupt_1) image_interrupt_1();
}

static void __attribute__((interrupt("machine"), aligned(4))) on_trap(void)
{
    uint32_t cause;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (!(cause >> 31)) _Exit(70); /* a fault */
    board_handling = true;
    if ((cause & 0xFF) == SOFTWARE_INTERRUPT) take_raised();
    else if (image_tick) image_tick();
    else board_tick();
    board_handling = false;
}

static void __attribute__((constructor)) set_trap(void)
{
    __asm__ volatile("csrw mtvec, %0" ::"r"((uintptr_t)on_trap));
    __asm__ volatile("csrs mie, %0" ::"r"(MSIE));
}
