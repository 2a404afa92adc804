/* SPDX-License-Identifier: MIT */
/* freertos_interrupts.h - for UFP_INTERRUPTS: masks the interrupts that may call FreeRTOS, in tasks and in handlers. */
#ifndef UFLOW_FREERTOS_INTERRUPTS_H
#define UFLOW_FREERTOS_INTERRUPTS_H

#include <stdint.h>

#include "FreeRTOS.h"

static inline uint32_t ufp_disable_interrupts(void)
{
    return (uint32_t)portSET_INTERRUPT_MASK_FROM_ISR();
}

static inline void ufp_restore_interrupts(uint32_t state)
{
    portCLEAR_INTERRUPT_MASK_FROM_ISR(state);
}

#endif
