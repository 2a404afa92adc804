/* SPDX-License-Identifier: MIT */
/* zephyr.h - a Zephyr thread that drives a pump, on a system with one CPU.
 *
 * Compile core and bare.c with -DUFP_BARE '-DUFP_INTERRUPTS="zephyr_interrupts.h"', and zephyr.c beside them.
 *
 *   static uf_zephyr driver;
 *   static uf_pump pump;
 *   uf_zephyr_init(&driver, &pump, NULL);                   in the thread that drives it
 *   ...init and start flows...
 *   uf_zephyr_drive(&driver);
 *
 * Other threads and interrupt handlers may call the functions for interrupt handlers: uf_signal_fire(),
 * uf_checkpoint_resume(), Flow_MAILBOX_send() and uf_work_over(). A start, cancel or stop by them returns
 * UF_UNSUPPORTED. A signal or mailbox must not be destroyed while another thread uses it. One thread drives all pumps
 * of a program. */
#ifndef UFLOW_ZEPHYR_H
#define UFLOW_ZEPHYR_H

#include <zephyr/kernel.h>

#include "uflow/pump.h"

/* The members are private. */
typedef struct uf_zephyr {
    uf_pump *pump;
    struct k_sem woken;
} uf_zephyr;

/* Initialises the pump for the calling thread, which drives it. Real time is the time since the start of the system.
 * `start`, `wake` and `context` of the configuration are set here.
 * Returns: the status of uf_pump_init(). */
uf_status uf_zephyr_init(uf_zephyr *driver, uf_pump *pump, const uf_pump_config *config);

/* Runs rounds, and sleeps between them, until no flow runs. */
void uf_zephyr_drive(uf_zephyr *driver);

#endif
