/* SPDX-License-Identifier: MIT */
/* posix_host.c - the POSIX port of port_host.h. */
#if defined(__linux__)
#undef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_setname_np */
#endif
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/syscall.h>
#endif

/* On 32-bit machines the system call depends on the width of time_t. Valgrind assumes that a futex call reads the
 * word, which may be freed by then. A musl without headers of the kernel lacks the constants. All these use the C
 * library's conditions. */
#if defined(__linux__) && UINTPTR_MAX > UINT32_MAX && !defined(UFP_ANNOTATED) && defined(__has_include)
#if __has_include(<linux/futex.h>)
#define HAS_FUTEX
#include <linux/futex.h>
#endif
#endif

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(ufp_mutex), "enough storage for a mutex");
_Static_assert(sizeof(pthread_cond_t) <= sizeof(ufp_condition), "enough storage for a condition");
_Static_assert(sizeof(pthread_t) <= sizeof(ufp_thread), "enough storage for a thread");

#if defined(UFP_ANNOTATED)
#include "annotate.h"
#else
#define ufp_note_waiting(waiting) ((void)(waiting))
#endif

static pthread_mutex_t *mutex_of(ufp_mutex *mutex)
{
    return (pthread_mutex_t *)(void *)mutex;
}

int ufp_mutex_init(ufp_mutex *mutex)
{
    ufp_note_shared(mutex, sizeof *mutex); /* an unlock may still be returning when another thread destroys the mutex */
    return ufp_fault() ? EAGAIN : pthread_mutex_init(mutex_of(mutex), NULL);
}

void ufp_mutex_destroy(ufp_mutex *mutex)
{
    pthread_mutex_destroy(mutex_of(mutex));
}

void ufp_mutex_lock(ufp_mutex *mutex)
{
    pthread_mutex_lock(mutex_of(mutex));
}

void ufp_mutex_unlock(ufp_mutex *mutex)
{
    pthread_mutex_unlock(mutex_of(mutex));
}

/* Saturates where time_t has 32 bits, 68 years after the clock's origin. */
static struct timespec timespec_of(int64_t time)
{
    int64_t const seconds = time / 1000000000;
    if (sizeof(time_t) < sizeof seconds && seconds > INT32_MAX) return (struct timespec){.tv_sec = INT32_MAX};
    return (struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)(time % 1000000000)};
}

/* -- conditions -------------------------------------------------------------------------------------------------- */

#if defined(HAS_FUTEX)

/* A condition is a futex word that counts the signals; the mutex protects it. Unlike a condition of the C library, it
 * can be woken after the unlock, when its storage may be gone. The kernel uses the address only as a key. A waiter that
 * is woken before the unlock blocks on the mutex, which costs two more context switches on one CPU. */
static uint32_t *futex_of(ufp_condition *condition)
{
    return (uint32_t *)(void *)condition;
}

int ufp_condition_init(ufp_condition *condition)
{
    if (ufp_fault()) return EAGAIN;
    *futex_of(condition) = 0;
    return 0;
}

void ufp_condition_destroy(ufp_condition *condition)
{
    (void)condition;
}

/* Sleeps while the word is `seen`, until a wake-up or the deadline on the monotonic clock. */
static bool futex_wait(uint32_t *word, uint32_t seen, int64_t deadline)
{
    struct timespec const until = timespec_of(deadline > 0 ? deadline : 0);
    long const woken = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, seen,
                               deadline == INT64_MAX ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
    return woken == 0 || errno != ETIMEDOUT;
}

static bool condition_wait_until(ufp_condition *condition, ufp_mutex *mutex, int64_t deadline)
{
    uint32_t *const word = futex_of(condition);
    uint32_t const seen = *word;

    ufp_mutex_unlock(mutex);
    bool const in_time = futex_wait(word, seen, deadline);
    ufp_mutex_lock(mutex);
    return in_time;
}

static void futex_wake(uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

void ufp_condition_signal(ufp_condition *condition)
{
    ++*futex_of(condition);
    futex_wake(futex_of(condition));
}

void ufp_condition_signal_and_unlock(ufp_condition *condition, ufp_mutex *mutex)
{
    ++*futex_of(condition);
    ufp_mutex_unlock(mutex);
    futex_wake(futex_of(condition));
}

#else

static pthread_cond_t *condition_of(ufp_condition *condition)
{
    return (pthread_cond_t *)(void *)condition;
}

int ufp_condition_init(ufp_condition *condition)
{
    if (ufp_fault()) return EAGAIN;
#if defined(__APPLE__) /* no conditions on the monotonic clock: condition_wait_until() waits for a duration */
    return pthread_cond_init(condition_of(condition), NULL);
#else
    pthread_condattr_t attributes;
    int error = pthread_condattr_init(&attributes);
    if (error) return error;
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (!error) error = pthread_cond_init(condition_of(condition), &attributes);
    pthread_condattr_destroy(&attributes);
    return error;
#endif
}

void ufp_condition_destroy(ufp_condition *condition)
{
    pthread_cond_destroy(condition_of(condition));
}

static bool condition_wait_until(ufp_condition *condition, ufp_mutex *mutex, int64_t deadline)
{
    if (deadline == INT64_MAX) {
        pthread_cond_wait(condition_of(condition), mutex_of(mutex));
        return true;
    }
#if defined(__APPLE__)
    int64_t const now = ufp_monotonic_now();
    struct timespec const left = timespec_of(deadline > now ? deadline - now : 0);
    int const error = pthread_cond_timedwait_relative_np(condition_of(condition), mutex_of(mutex), &left);
    return error != ETIMEDOUT || ufp_monotonic_now() < deadline; /* another clock has measured the time */
#else
    struct timespec const until = timespec_of(deadline > 0 ? deadline : 0);
    return pthread_cond_timedwait(condition_of(condition), mutex_of(mutex), &until) != ETIMEDOUT;
#endif
}

void ufp_condition_signal(ufp_condition *condition)
{
    pthread_cond_signal(condition_of(condition));
}

void ufp_condition_signal_and_unlock(ufp_condition *condition, ufp_mutex *mutex)
{
    pthread_cond_signal(condition_of(condition));
    ufp_mutex_unlock(mutex);
}

#endif

bool ufp_condition_wait(ufp_condition *condition, ufp_mutex *mutex, int64_t deadline)
{
    int const state = ufp_begin_uncancelled();
    ufp_note_waiting(true);
    bool const in_time = condition_wait_until(condition, mutex, deadline);
    ufp_note_waiting(false);
    ufp_end_uncancelled(state);
    return in_time;
}

/* -- threads ----------------------------------------------------------------------------------------------------- */

typedef struct thread_start {
    void (*run)(void *argument);
    void (*ended_early)(void *argument);
    void *argument;
    bool has_ended;
} thread_start;

static void ignore_end(void *argument)
{
    (void)argument;
}

/* Called by pthread_exit() or pthread_cancel(). The function that it calls may end the thread again. Then glibc without
 * exceptions repeats the outer calls when the inner one has returned; other C libraries and exceptions do not. */
static void end_early(void *argument)
{
    thread_start *const start = argument;

    if (start->has_ended) return;
    pthread_cleanup_push(end_early, start);
    start->ended_early(start->argument);
    pthread_cleanup_pop(0);
    start->has_ended = true;
}

static void *run_thread(void *argument)
{
    thread_start start = *(thread_start *)argument;
    free(argument);
    pthread_cleanup_push(end_early, &start);
    start.run(start.argument);
    pthread_cleanup_pop(0);
    return NULL;
}

static int restrict_to_cpu(pthread_attr_t *attributes, uint32_t cpu)
{
#if defined(__linux__) && defined(__GLIBC__)
    cpu_set_t set;
    if (cpu >= CPU_SETSIZE) return EINVAL;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    return pthread_attr_setaffinity_np(attributes, sizeof set, &set);
#else
    (void)attributes;
    (void)cpu;
    return 0;
#endif
}

int ufp_thread_start(ufp_thread *thread, ufp_thread_options options, void (*run)(void *argument), void *argument)
{
    pthread_attr_t attributes;
    pthread_t id;
    int error = ufp_fault() ? EAGAIN : pthread_attr_init(&attributes);
    if (error) return error;

    thread_start *const start = malloc(sizeof *start);
    if (!start) error = ENOMEM;
    if (!error && options.stack_size) error = pthread_attr_setstacksize(&attributes, options.stack_size);
    if (!error && options.cpu) error = restrict_to_cpu(&attributes, options.cpu - 1);
    if (!error) {
        *start = (thread_start){
            .run = run, .ended_early = options.ended_early ? options.ended_early : ignore_end, .argument = argument};
        error = pthread_create(&id, &attributes, run_thread, start);
    }
    if (error) free(start);
    else memcpy(thread, &id, sizeof id);
    pthread_attr_destroy(&attributes);
    return error;
}

void ufp_thread_join(ufp_thread *thread)
{
    int const state = ufp_begin_uncancelled();
    pthread_t id;
    memcpy(&id, thread, sizeof id);
    pthread_join(id, NULL);
    ufp_end_uncancelled(state);
}

void ufp_thread_detach(ufp_thread *thread)
{
    pthread_t id;
    memcpy(&id, thread, sizeof id);
    pthread_detach(id);
}

void ufp_thread_end_if_cancelled(void)
{
    pthread_testcancel();
}

void ufp_thread_name(const char *name)
{
#if defined(__linux__)
    char truncated[16]; /* the kernel's limit */
    size_t length = 0;
    for (; length + 1 < sizeof truncated && name[length]; length++) truncated[length] = name[length];
    truncated[length] = '\0';
    pthread_setname_np(pthread_self(), truncated);
#elif defined(__APPLE__)
    pthread_setname_np(name);
#else
    (void)name;
#endif
}

uint32_t ufp_cpus(void)
{
#if defined(__linux__) && defined(CPU_COUNT)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (uint32_t)CPU_COUNT(&set);
#endif
    long const online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

void ufp_cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb"); /* `yield` takes no time there */
#endif
}

void ufp_yield(void)
{
    (void)sched_yield();
}

/* -- time and memory --------------------------------------------------------------------------------------------- */

int64_t ufp_monotonic_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t ufp_time_of_day(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return 0;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The calloc() of glibc does not use the thread's cache, which posts and cancels need. A compiler would make one
 * calloc() of malloc() and memset(), or a loop over the bytes, if it knew the function. */
#define CACHED_SIZE 512
typedef void *filling(void *memory, int byte, size_t size);
static filling *const volatile fill = memset;

void *ufp_allocate(size_t size)
{
    if (ufp_fault()) return NULL;
    if (size > CACHED_SIZE) return calloc(1, size);
    void *const memory = malloc(size);
    if (memory) fill(memory, 0, size);
    return memory;
}

void ufp_free(void *memory)
{
    free(memory);
}

void ufp_set_error(int error)
{
    errno = error;
}

void ufp_print_error(const char *text, size_t length)
{
    int const state = ufp_begin_uncancelled();
    ssize_t const written = write(STDERR_FILENO, text, length);
    (void)written; /* there is no place to report an error */
    ufp_end_uncancelled(state);
}

/* -- a file of several processes ----------------------------------------------------------------------------------- */

char *ufp_absolute(const char *path)
{
    char *const directory = path[0] && path[0] != '/' ? getcwd(NULL, 0) : NULL; /* all systems allocate then */
    size_t const room = (directory ? strlen(directory) : 0) + strlen(path) + 2;
    char *const whole = ufp_allocate(room);
    if (whole) snprintf(whole, room, "%s%s%s", directory ? directory : "", directory ? "/" : "", path);
    free(directory);
    return whole;
}

int ufp_append(const char *path, const char *bytes, size_t length)
{
    int const state = ufp_begin_uncancelled();
    int const fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int error = fd < 0 ? errno : 0;
    while (length > 0 && !error) {
        ssize_t const written = write(fd, bytes, length);
        if (written == 0) error = EIO; /* a device that takes nothing */
        if (written < 0 && errno != EINTR) error = errno;
        if (written <= 0) continue;
        bytes += written;
        length -= (size_t)written;
    }
    if (fd >= 0 && close(fd) != 0 && !error) error = errno;
    ufp_end_uncancelled(state);
    return error;
}

void ufp_on_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)pthread_atfork(before, in_parent, in_child); /* without memory, a child counts from here */
}

/* -- the notifier ------------------------------------------------------------------------------------------------ */

int ufp_notifier_open(ufp_notifier *notifier)
{
    if (ufp_fault()) return EMFILE;
#if defined(__linux__)
    notifier->fd = notifier->write_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return notifier->fd < 0 ? errno : 0;
#else
    int ends[2];
    if (pipe(ends) != 0) return errno;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    notifier->fd = ends[0];
    notifier->write_fd = ends[1];
    return 0;
#endif
}

void ufp_notifier_close(ufp_notifier *notifier)
{
    int const state = ufp_begin_uncancelled();
    close(notifier->fd);
    if (notifier->write_fd != notifier->fd) close(notifier->write_fd);
    ufp_end_uncancelled(state);
}

/* A write to a full pipe or counter fails, which is fine: the notifier is readable already. */
void ufp_notifier_notify(ufp_notifier *notifier)
{
    uint64_t const one = 1;
    int const state = ufp_begin_uncancelled();
    while (write(notifier->write_fd, &one, sizeof one) < 0 && errno != EAGAIN) {
        if (errno != EINTR) ufp_descriptor_lost();
    }
    ufp_end_uncancelled(state);
}

void ufp_notifier_drain(ufp_notifier *notifier)
{
    uint64_t notifications;
    ssize_t length;
    int const state = ufp_begin_uncancelled();
    do length = read(notifier->fd, &notifications, sizeof notifications);
    while (length < 0 ? errno == EINTR : notifier->write_fd != notifier->fd && length == (ssize_t)sizeof notifications);
    if (length == 0) ufp_descriptor_lost(); /* of a pipe whose other end the program has closed */
    if (length < 0 && errno != EAGAIN) ufp_descriptor_lost();
    ufp_end_uncancelled(state);
}

/* -- when a wait is refused ---------------------------------------------------------------------------------------- */

void ufp_back_off(void)
{
    (void)poll(NULL, 0, 10);
}

_Noreturn void ufp_descriptor_lost(void)
{
    static char const text[] = "uflow: a descriptor of a runtime is not its own any more: the program has closed it. "
                               "Close only descriptors that the program has opened.\n";
    ufp_print_error(text, sizeof text - 1);
    abort();
}
