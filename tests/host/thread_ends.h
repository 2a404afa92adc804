/* SPDX-License-Identifier: MIT */
/* thread_ends.h - worker functions that end the thread which runs them. */
#ifndef THREAD_ENDS_H
#define THREAD_ENDS_H

#include "uflow/uflow.h"

#if defined(_WIN32)
__declspec(dllimport) _Noreturn void __stdcall ExitThread(unsigned long code);
#define EXIT_THREAD() ExitThread(0)
#else
#include <pthread.h>
#define EXIT_THREAD() pthread_exit(NULL)
#endif

static inline int exit_thread(uf_work *work, void *argument)
{
    (void)work;
    (void)argument;
    EXIT_THREAD();
}

#if !defined(_WIN32)

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

#endif
