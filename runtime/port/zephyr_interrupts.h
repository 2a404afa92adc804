/* SPDX-License-Identifier: MIT */
/* zephyr_interrupts.h - for UFP_INTERRUPTS: masks interrupts, in threads and in handlers. */
#ifndef UFLOW_ZEPHYR_INTERRUPTS_H
#define UFLOW_ZEPHYR_INTERRUPTS_H

#include <zephyr/kernel.h>

#if defined(CONFIG_SMP)
#error "the port for Zephyr masks the interrupts of one CPU: it needs CONFIG_SMP=n"
#endif

static inline uint32_t ufp_disable_interrupts(void)
{
    return irq_lock();
}

static inline void ufp_restore_interrupts(uint32_t state)
{
    irq_unlock(state);
}

#endif
