/* SPDX-License-Identifier: MIT */
/* freertos.h - a FreeRTOS task that drives a pump.
 *
 * Compile core and bare.c with -DUFP_BARE '-DUFP_INTERRUPTS="freertos_interrupts.h"', and freertos.c beside them. It
 * needs a port of FreeRTOS with xPortIsInsideInterrupt(), such as those for Cortex-M3 to M33, and task notifications.
 *
 *   static void flows_task(void *unused)
 *   {
 *       static uf_freertos driver;
 *       static uf_pump pump;
 *       uf_freertos_init(&driver, &pump, &(uf_pump_config){0});
 *       ...init and start flows...
 *       uf_freertos_drive(&driver);
 *   }
 *
 * Other tasks, and interrupt handlers of a priority that may call FreeRTOS, may call the functions for interrupt
 * handlers: uf_signal_fire(), uf_checkpoint_resume(), Flow_MAILBOX_send() and uf_work_over(). A start, cancel or stop
 * by them returns UF_UNSUPPORTED. A signal or mailbox must not be destroyed while another task uses it. One task drives
 * all pumps of a program. */
#ifndef UFLOW_FREERTOS_H
#define UFLOW_FREERTOS_H

#include "FreeRTOS.h"
#include "task.h"
#include "uflow/pump.h"

/* The members are private. */
typedef struct uf_freertos {
    uf_pump *pump;
    TaskHandle_t task;
    TickType_t ticks; /* at `now` */
    uf_time now;
} uf_freertos;

/* Initialises the pump for the calling task, which drives it. `wake` and `context` of the configuration are set here.
 * Returns: the status of uf_pump_init(). */
uf_status uf_freertos_init(uf_freertos *driver, uf_pump *pump, const uf_pump_config *config);

/* Runs rounds, and sleeps between them, until no flow runs. */
void uf_freertos_drive(uf_freertos *driver);

#endif
