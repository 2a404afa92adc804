/* SPDX-License-Identifier: MIT */
/* FreeRTOSConfig.h - for the tests: a tick of 1 ms, two priorities of tasks, and memory from its heap_4. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ                   25000000u
#define configTICK_RATE_HZ                   1000
#define configTICK_TYPE_WIDTH_IN_BITS        TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION                 1
#define configUSE_IDLE_HOOK                  0
#define configUSE_TICK_HOOK                  1
#define configMAX_PRIORITIES                 4
#define configMINIMAL_STACK_SIZE             256
#define configTOTAL_HEAP_SIZE                32768
#define configUSE_TASK_NOTIFICATIONS         1
#define configCHECK_FOR_STACK_OVERFLOW       0
#define configKERNEL_INTERRUPT_PRIORITY      0xE0
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x40
#define INCLUDE_vTaskDelay                   1

/* The names of the vectors of image.c. */
#define vPortSVCHandler     image_call
#define xPortPendSVHandler  image_pend
#define xPortSysTickHandler image_tick

#endif
