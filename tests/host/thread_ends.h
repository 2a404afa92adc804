/* thread_ends.h - worker functions that end the thread which runs them. */
#ifndef THREAD_ENDS_H
#define THREAD_ENDS_H

#include <pthread.h>

#include "uflow/uflow.h"

static inline int exit_thread(uf_work *work, void *argument)
{
    (void)work;
    pthread_exit(argument);
}

static inline int cancel_thread(uf_work *work, void *argument)
{
    (void)work;
    (void)argument;
    (void)pthread_cancel(pthread_self());
    pthread_testcancel();
    return 0; /* not reached */
}

/* It returns before it reaches a cancellation point. */
static inline int cancel_late(uf_work *work, void *argument)
{
    (void)work;
    (void)pthread_cancel(pthread_self());
    return *(int *)argument;
}

#endif
