/* SPDX-License-Identifier: MIT */
/* FreeRTOS.h - not the real one: the declarations that the port uses, with the types of the port for Cortex-M3, to
 * compile it where there is no kernel. */
#ifndef FREERTOS_SUBSET_H
#define FREERTOS_SUBSET_H

#include <stdint.h>

#include "FreeRTOSConfig.h"

typedef long BaseType_t;
typedef uint32_t TickType_t;

#define pdFALSE       ((BaseType_t)0)
#define pdTRUE        ((BaseType_t)1)
#define portMAX_DELAY ((TickType_t)0xffffffffUL)

uint32_t ulPortRaiseBASEPRI(void);
void vPortSetBASEPRI(uint32_t mask);
BaseType_t xPortIsInsideInterrupt(void);
void subset_yield(BaseType_t is_urgent);
#define portSET_INTERRUPT_MASK_FROM_ISR()    ulPortRaiseBASEPRI()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(x) vPortSetBASEPRI(x)
#define portYIELD_FROM_ISR(x)                subset_yield(x)

#endif
