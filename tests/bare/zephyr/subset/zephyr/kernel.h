/* SPDX-License-Identifier: MIT */
/* kernel.h - not the real one: the declarations of Zephyr that the port uses, to compile it without a kernel. */
#ifndef KERNEL_SUBSET_H
#define KERNEL_SUBSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t k_ticks_t;
typedef struct {
    k_ticks_t ticks;
} k_timeout_t;
typedef struct k_thread *k_tid_t;
struct k_sem {
    void *waiters[2];
    unsigned count, limit;
};

#define K_FOREVER  ((k_timeout_t){-1})
#define K_TICKS(t) ((k_timeout_t){t})

unsigned int irq_lock(void);
void irq_unlock(unsigned int key);
bool k_is_in_isr(void);
k_tid_t k_current_get(void);
int64_t k_uptime_ticks(void);
uint64_t k_ticks_to_ns_floor64(uint64_t ticks);
uint64_t k_ns_to_ticks_ceil64(uint64_t ns);
int k_sem_init(struct k_sem *sem, unsigned int count, unsigned int limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);

#endif
