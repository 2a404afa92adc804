/* posix_cancel.h - no thread is cancelled within a function of the port. */
#ifndef UFLOW_POSIX_CANCEL_H
#define UFLOW_POSIX_CANCEL_H

#include <pthread.h>

/* Between these two calls, the thread is not cancelled. A thread that was cancelled within a function of the port would
 * leave locks behind, or a runtime that is never woken again. So a function that contains a cancellation point uses
 * them. Returns: what ufp_end_uncancelled() needs. */
static inline int ufp_begin_uncancelled(void)
{
    int state;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    return state;
}
static inline void ufp_end_uncancelled(int state)
{
    (void)pthread_setcancelstate(state, &state);
}

#endif
