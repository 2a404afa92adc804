/* SPDX-License-Identifier: MIT */
/* posix.c - the POSIX port of port.h. */
#undef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "port.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    fprintf(stderr, "uflow: flow '%s' failed: %s\n", flow, reason);
    abort();
}

void *ufp_thread_self(void)
{
    static _Thread_local char self;
    return &self;
}

void **ufp_thread_slot(void)
{
    static _Thread_local void *slots[UFP_SLOTS];
    return slots;
}

/* A mutex per cache line. Two subjects share one with a probability of 1 in SECTIONS. Memory that no section has used
 * takes no page. */
#define SECTION_BITS 10
#define SECTIONS     (1 << SECTION_BITS)
#define ONE                                                                                                            \
    {                                                                                                                  \
        PTHREAD_MUTEX_INITIALIZER                                                                                      \
    }
#define FOUR(each) each, each, each, each
static union {
    _Alignas(64) pthread_mutex_t mutex;
    char line[64];
} sections[SECTIONS] = {FOUR(FOUR(FOUR(FOUR(FOUR(ONE)))))};

static pthread_mutex_t *section_of(const void *subject)
{
    uint32_t const address = (uint32_t)((uintptr_t)subject >> 4); /* whose low bits may be the same for all */
    return &sections[((address ^ address >> 15) * UINT32_C(0x9e3779b1)) >> (32 - SECTION_BITS)].mutex;
}

void ufp_critical_enter(const void *subject)
{
    pthread_mutex_lock(section_of(subject));
}

void ufp_critical_leave(const void *subject)
{
    pthread_mutex_unlock(section_of(subject));
}

int ufp_begin_uncancelled(void)
{
    int state;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    return state;
}

void ufp_end_uncancelled(int state)
{
    (void)pthread_setcancelstate(state, &state);
}

/* Every 64th call sleeps: sched_yield() alone never lets a thread of lower priority run, which may be the one to wait
 * for. */
void ufp_spin_pause(void)
{
    static _Thread_local unsigned calls;
    struct timespec const moment = {.tv_nsec = 50000};

    if (++calls % 64) {
        sched_yield();
        return;
    }
    int const state = ufp_begin_uncancelled();
    nanosleep(&moment, NULL);
    ufp_end_uncancelled(state);
}
