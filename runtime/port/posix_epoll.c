/* posix_epoll.c - the pollers of port_poller.h with epoll, whose cost depends only on the ready descriptors. Define
 * UFP_POLL to use posix_poll.c instead.
 *
 * Each watch uses EPOLLONESHOT, unless the poller keeps watches. So an abandoned watch reports at most once, and no
 * wait spins on it. A kept watch for nothing uses it too: the kernel would report a hang-up again and again. The mark
 * numbers the registrations. The kernel forgets a descriptor when it is closed, unless a duplicate keeps
 * it open: the events of that duplicate carry an old mark. */
#if defined(__linux__)
#undef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll, epoll_pwait2 */
#endif
#include "posix.h"

#if defined(__linux__) && !defined(UFP_POLL)

#include <errno.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS_PER_WAIT = 128 };

/* Event data that is not a watched descriptor. */
#define NOTIFIER UINT64_MAX
#define NESTED   (UINT64_MAX - 1)

/* NULL if the C library is older than the system call. A newer one declares it, too. */
/* NOLINTNEXTLINE(readability-redundant-declaration) */
extern __attribute__((weak)) int epoll_pwait2(int epoll, struct epoll_event *events, int most,
                                              const struct timespec *timeout, const sigset_t *mask);

typedef struct epoll_state {
    bool lacks_pwait2; /* the kernel has refused it */
    int count, next;
    struct epoll_event events[EVENTS_PER_WAIT];
} epoll_state;

int ufp_poller_open(ufp_poller *poller)
{
    struct epoll_event notifier = {.events = EPOLLIN, .data.u64 = NOTIFIER};
    int error = ufp_notifier_open(&poller->notifier);

    if (error) return error;
    poller->fd = -1;
    poller->fd_covers_descriptors = true;
    poller->state = ufp_allocate(sizeof(epoll_state));
    if (!poller->state) error = ENOMEM;
    if (!error && ufp_fault()) error = EMFILE;
    if (!error && (poller->fd = epoll_create1(EPOLL_CLOEXEC)) < 0) error = errno;
    if (!error && epoll_ctl(poller->fd, EPOLL_CTL_ADD, poller->notifier.fd, &notifier) != 0) error = errno;
    if (error) ufp_poller_close(poller);
    return error;
}

void ufp_poller_close(ufp_poller *poller)
{
    if (poller->fd >= 0) close(poller->fd);
    ufp_notifier_close(&poller->notifier);
    ufp_free(poller->state);
}

int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark)
{
    struct epoll_event event = {
        .events = (poller->keeps_watches && want ? 0u : EPOLLONESHOT) | (want & UFP_READABLE ? EPOLLIN : 0u) |
                  (want & UFP_WRITABLE ? EPOLLOUT : 0u),
        .data.u64 = (uint64_t)*mark << 32 | (uint32_t)fd,
    };

    if (*mark && epoll_ctl(poller->fd, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    if (*mark && errno != ENOENT) return errno;
    if (++*mark == 0) *mark = 1;
    event.data.u64 = (uint64_t)*mark << 32 | (uint32_t)fd;
    if (epoll_ctl(poller->fd, EPOLL_CTL_ADD, fd, &event) == 0) return 0;
    if (errno != EEXIST) return errno; /* EEXIST: registered earlier, and the caller has lost that mark */
    return epoll_ctl(poller->fd, EPOLL_CTL_MOD, fd, &event) == 0 ? 0 : errno;
}

void ufp_poller_forget(ufp_poller *poller, int fd)
{
    struct epoll_event none = {.events = 0}; /* unused, but kernels before 2.6.9 reject NULL */
    (void)epoll_ctl(poller->fd, EPOLL_CTL_DEL, fd, &none);
}

bool ufp_poller_nest(ufp_poller *poller, const ufp_poller *other)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = NESTED};
    return epoll_ctl(poller->fd, EPOLL_CTL_ADD, other->fd, &event) == 0;
}

static void fetch_events(ufp_poller *poller, int timeout)
{
    epoll_state *const state = poller->state;
    int const count = epoll_wait(poller->fd, state->events, EVENTS_PER_WAIT, timeout);

    state->count = count > 0 ? count : 0;
    state->next = 0;
}

/* Fits into a 32-bit time_t. */
static struct timespec time_until(int64_t deadline)
{
    int64_t const most = INT64_C(1000000000) * INT32_MAX, until = deadline - ufp_monotonic_now();
    int64_t const left = until > most ? most : until > 0 ? until : 0;
    return (struct timespec){.tv_sec = (time_t)(left / 1000000000), .tv_nsec = (long)(left % 1000000000)};
}

/* Returns: false if there is no such call: the kernel is older than Linux 5.11, or a filter forbids it. */
static bool fetch_events_until(ufp_poller *poller, int64_t deadline)
{
    epoll_state *const state = poller->state;
    struct timespec const timeout = time_until(deadline);

    if (!epoll_pwait2 || state->lacks_pwait2) return false;
    int const count = epoll_pwait2(poller->fd, state->events, EVENTS_PER_WAIT, &timeout, NULL);
    state->lacks_pwait2 = count < 0 && (errno == ENOSYS || errno == EPERM);
    state->count = count > 0 ? count : 0;
    state->next = 0;
    return !state->lacks_pwait2;
}

/* The milliseconds of epoll_wait() are too coarse for timers. */
static void sleep_until_ready(const ufp_poller *poller, int64_t deadline)
{
    struct pollfd one = {.fd = poller->fd, .events = POLLIN};
    struct timespec const timeout = time_until(deadline);

    (void)ppoll(&one, 1, &timeout, NULL);
}

void ufp_poller_wait(ufp_poller *first, int64_t deadline)
{
    if (deadline == 0 || deadline == INT64_MAX) {
        fetch_events(first, deadline == 0 ? 0 : -1);
    } else if (!fetch_events_until(first, deadline)) {
        sleep_until_ready(first, deadline);
        fetch_events(first, 0);
    }
    for (ufp_poller *p = first->next; p; p = p->next) fetch_events(p, 0);
}

bool ufp_poller_take(ufp_poller *poller, ufp_event *event)
{
    epoll_state *const state = poller->state;

    while (state->next < state->count) {
        struct epoll_event const *const e = &state->events[state->next++];
        if (e->data.u64 == NOTIFIER) {
            ufp_notifier_drain(&poller->notifier);
            continue;
        }
        if (e->data.u64 == NESTED) continue;
        *event = (ufp_event){.fd = (int)(uint32_t)e->data.u64, .mark = (uint32_t)(e->data.u64 >> 32)};
        if (e->events & (EPOLLIN | EPOLLERR | EPOLLHUP)) event->ready |= UFP_READABLE;
        if (e->events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) event->ready |= UFP_WRITABLE;
        return true;
    }
    return false;
}

#else
typedef int ufp_not_epoll; /* ISO C forbids an empty file */
#endif
