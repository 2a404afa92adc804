/* SPDX-License-Identifier: MIT */
/* image_riscv.h - raises interrupts of image_riscv.c: bit 0 is image_interrupt_0(), bit 1 image_interrupt_1(). */
#ifndef IMAGE_RISCV_H
#define IMAGE_RISCV_H

#include <stdint.h>

void image_raise(uint32_t interrupts);

#endif
