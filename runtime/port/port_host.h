/* port_host.h - what the runtime with threads needs of a platform beside port.h: locks, threads, real time, memory, and
 * a file descriptor that can be rung. Functions that can fail return 0 or an errno. */
#ifndef UFLOW_PORT_HOST_H
#define UFLOW_PORT_HOST_H

#include "port.h"

/* Storage for what the platform calls by these names; posix_host.c asserts that it is enough. */
typedef union ufp_mutex {
    void *align;
    unsigned char room[64];
} ufp_mutex;
typedef union ufp_condition {
    void *align;
    unsigned char room[64];
} ufp_condition;
typedef union ufp_thread {
    void *align;
    unsigned char room[16];
} ufp_thread;

int ufp_mutex_init(ufp_mutex *mutex);
void ufp_mutex_destroy(ufp_mutex *mutex);
void ufp_mutex_lock(ufp_mutex *mutex);
void ufp_mutex_unlock(ufp_mutex *mutex);

int ufp_condition_init(ufp_condition *condition);
void ufp_condition_destroy(ufp_condition *condition);
/* Until it is signalled, or for no reason, or until ufp_monotonic_now() is `deadline` (INT64_MAX: never): false then. */
bool ufp_condition_wait(ufp_condition *condition, ufp_mutex *mutex, int64_t deadline);
/* For one waiter, which is all that there is; with the mutex locked. The second one unlocks it, if it can before it wakes: then
 * the one who waits does not find it locked. The condition may be gone as soon as it is unlocked. */
void ufp_condition_signal(ufp_condition *condition);
void ufp_condition_signal_and_unlock(ufp_condition *condition, ufp_mutex *mutex);

/* `stack_size` 0: the system's. */
int ufp_thread_start(ufp_thread *thread, size_t stack_size, void (*run)(void *argument), void *argument);
void ufp_thread_join(ufp_thread *thread);
void ufp_thread_detach(ufp_thread *thread); /* instead of joining it: it ends when it likes */
void ufp_thread_name(const char *name);     /* of the calling thread; may be cut */

int64_t ufp_monotonic_now(void); /* monotonic nanoseconds */

void *ufp_allocate(size_t size); /* zeroed; NULL: there is none */
void ufp_free(void *memory);

void ufp_set_error(int error); /* errno, for those who called the runtime */

/* A descriptor that can be read from the moment that it was rung until it is silenced. */
typedef struct ufp_notifier {
    int fd, write_fd;
} ufp_notifier;

int ufp_notifier_open(ufp_notifier *notifier);
void ufp_notifier_close(ufp_notifier *notifier);
void ufp_notifier_notify(ufp_notifier *notifier);
void ufp_notifier_drain(ufp_notifier *notifier);

#endif
