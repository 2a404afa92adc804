/* SPDX-License-Identifier: MIT */
/* port_host.h - the platform functions for the runtime with threads, besides port.h: mutexes, conditions, threads,
 * real time, memory, a file of several processes and a notifier.
 *
 * Any thread may call these functions. A function that can fail returns 0 or an errno and then leaves nothing behind.
 * The others must not fail. Mutexes, thread start and thread join order memory as in POSIX. */
#ifndef UFLOW_PORT_HOST_H
#define UFLOW_PORT_HOST_H

#include "port.h"

/* Storage for the platform's own objects. Each port asserts that they fit. */
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

/* A mutex need not be recursive. Its storage may be freed as soon as the last unlock has let another thread in. */
int ufp_mutex_init(ufp_mutex *mutex);
void ufp_mutex_destroy(ufp_mutex *mutex);
void ufp_mutex_lock(ufp_mutex *mutex);
void ufp_mutex_unlock(ufp_mutex *mutex);

/* At most one thread waits at a condition at any time. */
int ufp_condition_init(ufp_condition *condition);
void ufp_condition_destroy(ufp_condition *condition);

/* Unlocks the mutex, waits for a signal, and locks the mutex again. Spurious wake-ups are allowed. The deadline may
 * have passed before the call. If conditions of the platform use another clock, wait for the time that is left.
 * Returns: false when ufp_monotonic_now() has reached `deadline` (INT64_MAX: never), otherwise true. */
bool ufp_condition_wait(ufp_condition *condition, ufp_mutex *mutex, int64_t deadline);

/* Wakes the waiter. The caller holds the mutex. */
void ufp_condition_signal(ufp_condition *condition);

/* Wakes the waiter and unlocks the mutex, which the caller holds. If the platform can, unlock first, so that the
 * waiter does not block on the mutex. The waiter may destroy the condition as soon as the mutex is unlocked. */
void ufp_condition_signal_and_unlock(ufp_condition *condition, ufp_mutex *mutex);

/* How a thread is started. A zeroed member lets the platform choose, and a platform ignores what it cannot set. */
typedef struct ufp_thread_options {
    size_t stack_size;
    uint32_t cpu;                        /* the number of the only CPU that it runs on, plus 1 */
    void (*ended_early)(void *argument); /* called on the thread itself if it ends before `run` returns; NULL: none */
} ufp_thread_options;

/* Starts a thread that calls `run(argument)`. */
int ufp_thread_start(ufp_thread *thread, ufp_thread_options options, void (*run)(void *argument), void *argument);

/* Every thread is either joined or detached, once. */
void ufp_thread_join(ufp_thread *thread);
void ufp_thread_detach(ufp_thread *thread);

/* Ends the calling thread if another thread has requested that meanwhile, for example by pthread_cancel(). */
void ufp_thread_end_if_cancelled(void);

/* Names the calling thread for debuggers. The name may be truncated or ignored. */
void ufp_thread_name(const char *name);

/* Returns: the number of CPUs that the calling thread may run on, at least 1. */
uint32_t ufp_cpus(void);

/* For a loop that waits for a message of another thread: a short pause of the CPU, and a chance for threads that are
 * ready on this CPU. Neither may sleep: the message would be found late. */
void ufp_cpu_pause(void);
void ufp_yield(void);

/* Returns: nanoseconds of a clock that never runs backwards. */
int64_t ufp_monotonic_now(void);

/* Returns: nanoseconds since 1970 by the clock of the day, or 0 if there is none. */
int64_t ufp_time_of_day(void);

/* Returns: zeroed memory, aligned for any type, or NULL if there is none. */
void *ufp_allocate(size_t size);
void ufp_free(void *memory); /* NULL: does nothing */

/* Makes room in an array for an element with the index `last`: doubles its capacity as often as that takes. What is new
 * is zeroed. Returns: the array, which may have moved; NULL: there is no memory, and nothing has changed. */
static inline void *ufp_grown(void *array, size_t *capacity, size_t last, size_t size)
{
    size_t more = *capacity ? *capacity : 16;

    if (last < *capacity) return array;
    if (last >= SIZE_MAX / 4 / size) return NULL;
    while (more <= last) more *= 2;
    void *const larger = ufp_allocate(more * size);
    if (!larger) return NULL;
    if (array) __builtin_memcpy(larger, array, *capacity * size);
    ufp_free(array);
    *capacity = more;
    return larger;
}

/* Sets errno for the caller of a public function that returns UF_NO_THREAD. */
void ufp_set_error(int error);

/* Writes a text to stderr in one piece, if that is possible. */
void ufp_print_error(const char *text, size_t length);

/* Returns: the path from the root, allocated; if that is not known, a copy of `path`; NULL: there is no memory. */
char *ufp_absolute(const char *path);

/* Appends to a file, which is created if it is missing: in one piece among those that other processes append. An error
 * in the middle may leave a part of it. */
int ufp_append(const char *path, const char *bytes, size_t length);

/* A fork() calls these three, if the platform has it. */
void ufp_on_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

/* A file descriptor that another thread makes readable. `fd` is readable from ufp_notifier_notify() until
 * ufp_notifier_drain(). Neither blocks. Any number of notifications before a drain count as one. An exec() closes
 * the descriptors. */
typedef struct ufp_notifier {
    int fd, write_fd; /* may be the same */
} ufp_notifier;

int ufp_notifier_open(ufp_notifier *notifier);
void ufp_notifier_close(ufp_notifier *notifier);
void ufp_notifier_notify(ufp_notifier *notifier);
void ufp_notifier_drain(ufp_notifier *notifier);

/* -- signals of the system: in a file of their own, because few programs catch any --------------------------------- */

#define UFP_SIGNALS 65 /* their numbers are smaller */

/* Lets the system call `handler` for each signal `number` that the process gets, on any thread, between any two
 * instructions. The handler calls ufp_handler_enter() first. It may use port_words.h, ufp_monotonic_now(),
 * ufp_notifier_notify() and ufp_end_by_signal().
 * Returns: 0; EINVAL: nobody can catch it; ENOSYS: the platform has no signals. */
int ufp_catch(int number, void (*handler)(int number));

/* The signal does again what it did before ufp_catch(). */
void ufp_uncatch(int number);

/* Keeps what the interrupted thread must find again. In a child of fork(), the signal does what it did before.
 * Returns: false in such a child: the handler returns at once, without ufp_handler_leave(). */
bool ufp_handler_enter(int number, int *kept);
void ufp_handler_leave(int kept);

/* Is it the one of Ctrl-C? */
bool ufp_is_interrupt(int number);

/* In a handler: when the handler returns, the signal ends the process, as if nobody had caught it. */
void ufp_end_by_signal(int number);

#endif
