/* SPDX-License-Identifier: MIT */
/* futex.h - the system call, and a word by which one thread waits for another. */
#ifndef FUTEX_H
#define FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void futex_wait(uint32_t *word, uint32_t while_it_is)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, while_it_is, NULL, NULL, 0);
}

static inline void futex_wake(uint32_t *word, int how_many)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, how_many, NULL, NULL, 0);
}

/* The word is 1 if given, 0 if taken, and 2 while its owner sleeps. */
static inline void hand_over(uint32_t *word)
{
    if (__atomic_exchange_n(word, 1, __ATOMIC_SEQ_CST) == 2) futex_wake(word, 1);
}

static inline void take_over(uint32_t *word)
{
    for (;;) {
        uint32_t none = 0;
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 1) break;
        if (__atomic_compare_exchange_n(word, &none, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE) || none == 2) {
            futex_wait(word, 2);
        }
    }
    __atomic_store_n(word, 0, __ATOMIC_RELAXED);
}

#endif
