/* posix.c - the platform where there is a C library and an operating system: what core needs. */
#include "port.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    fprintf(stderr, "uflow: flow '%s' failed: %s\n", flow, reason);
    abort();
}

void *ufp_self(void)
{
    static _Thread_local char self;
    return &self;
}

static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;

void ufp_enter(void)
{
    pthread_mutex_lock(&section);
}

void ufp_leave(void)
{
    pthread_mutex_unlock(&section);
}

void ufp_relax(void)
{
    sched_yield();
}
