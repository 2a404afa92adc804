/* SPDX-License-Identifier: MIT */
/* windows.c - the Windows port of port.h. */
#include "windows_port.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    fprintf(stderr, "uflow: flow '%s' failed: %s\n", flow, reason);
    abort();
}

/* No thread has the number 0. */
void *ufp_thread_self(void)
{
    return (void *)(uintptr_t)GetCurrentThreadId();
}

void **ufp_thread_slot(void)
{
    static _Thread_local void *slots[UFP_SLOTS];
    return slots;
}

/* A lock per cache line. Two subjects share one with a probability of 1 in SECTIONS. Zeroed, they are unlocked. */
#define SECTION_BITS 10
#define SECTIONS     (1 << SECTION_BITS)
static union {
    _Alignas(64) SRWLOCK lock;
    char line[64];
} sections[SECTIONS];

static SRWLOCK *section_of(const void *subject)
{
    uint32_t const address = (uint32_t)((uintptr_t)subject >> 4); /* whose low bits may be the same for all */
    return &sections[((address ^ address >> 15) * UINT32_C(0x9e3779b1)) >> (32 - SECTION_BITS)].lock;
}

void ufp_critical_enter(const void *subject)
{
    AcquireSRWLockExclusive(section_of(subject));
}

void ufp_critical_leave(const void *subject)
{
    ReleaseSRWLockExclusive(section_of(subject));
}

int ufp_begin_uncancelled(void)
{
    return 0;
}

void ufp_end_uncancelled(int state)
{
    (void)state;
}

/* SwitchToThread() also runs a thread of lower priority that is ready on this CPU. For a thread that is ready on
 * another CPU, some calls sleep; only a few, because the shortest sleep may take 16 ms. */
void ufp_spin_pause(void)
{
    static _Thread_local unsigned calls;

    if (++calls % 16384) SwitchToThread();
    else Sleep(1);
}
