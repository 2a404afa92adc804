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
    static _Thread_local void *slot;
    return &slot;
}

static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;

void ufp_critical_enter(void)
{
    pthread_mutex_lock(&section);
}

void ufp_critical_leave(void)
{
    pthread_mutex_unlock(&section);
}

/* Every 64th call sleeps: sched_yield() alone never lets a thread of lower priority run, which may be the one to wait
 * for. */
void ufp_spin_pause(void)
{
    static _Thread_local unsigned calls;
    struct timespec const moment = {.tv_nsec = 50000};

    if (++calls % 64) sched_yield();
    else nanosleep(&moment, NULL);
}
