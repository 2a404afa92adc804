/* SPDX-License-Identifier: MIT */
/* posix_epoll.c - the pollers of port_poller.h with epoll, whose cost depends only on the ready descriptors. Define
 * UFP_POLL to use posix_poll.c instead.
 *
 * Each watch uses EPOLLONESHOT, unless the poller keeps watches. So an abandoned watch reports at most once, and no
 * wait spins on it. A kept watch for no event uses EPOLLONESHOT too: the kernel would report a hang-up again and again.
 * The mark numbers the registrations. The kernel forgets a descriptor when it is closed, unless a duplicate keeps it
 * open: the events of that duplicate carry an old mark. */
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
    int watches;       /* the epoll with all watches: the poller's `fd`, or nested in it if that must stay the same */
    bool lacks_pwait2; /* the kernel has refused the call */
    unsigned most_fd;  /* of all descriptors that were watched */
    int count, next;
    unsigned fetches; /* since the last wait */
    struct epoll_event events[EVENTS_PER_WAIT];
} epoll_state;

static int watches_of(const ufp_poller *poller)
{
    return ((const epoll_state *)poller->state)->watches;
}

static void close_epoll(int fd)
{
    int const state = ufp_begin_uncancelled();
    if (fd >= 0) close(fd);
    ufp_end_uncancelled(state);
}

static int add_to_epoll(int epoll, int fd, uint64_t data)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = data};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

/* Makes an epoll that watches one descriptor. */
static int make_epoll(int *made, int fd, uint64_t data)
{
    if (ufp_fault()) return EMFILE;
    int const epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) return errno;
    int const error = add_to_epoll(epoll, fd, data);
    if (error) close_epoll(epoll);
    else *made = epoll;
    return error;
}

int ufp_poller_open(ufp_poller *poller)
{
    int error = ufp_notifier_open(&poller->notifier);
    if (error) return error;

    epoll_state *const state = poller->state = ufp_allocate(sizeof *state);
    poller->fd = -1;
    poller->fd_covers_descriptors = true;
    error = state ? make_epoll(&poller->fd, poller->notifier.fd, NOTIFIER) : ENOMEM;
    if (state) state->watches = poller->fd;
    if (!error && poller->keeps_watches && poller->keeps_fd) error = make_epoll(&poller->fd, state->watches, NESTED);
    if (error) ufp_poller_close(poller);
    return error;
}

void ufp_poller_close(ufp_poller *poller)
{
    epoll_state const *const state = poller->state;

    if (state && state->watches != poller->fd) close_epoll(state->watches);
    close_epoll(poller->fd);
    ufp_notifier_close(&poller->notifier);
    ufp_free(poller->state);
}

int ufp_poller_renew(ufp_poller *poller)
{
    epoll_state *const state = poller->state;
    int const old = state->watches;
    bool const is_nested = old != poller->fd;
    int new = -1;

    int error = make_epoll(&new, poller->notifier.fd, NOTIFIER);
    if (!error && is_nested && (error = add_to_epoll(poller->fd, new, NESTED)) != 0) close_epoll(new);
    if (error) {
        ufp_back_off();
        return error;
    }
    if (is_nested) (void)epoll_ctl(poller->fd, EPOLL_CTL_DEL, old, &(struct epoll_event){0}); /* a child may have it */
    else poller->fd = new;
    state->watches = new;
    state->count = 0;
    close_epoll(old);
    return 0;
}

int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark)
{
    struct epoll_event event = {
        .events = (poller->keeps_watches && want ? 0u : EPOLLONESHOT) | (want & UFP_READABLE ? EPOLLIN : 0u) |
                  (want & UFP_WRITABLE ? EPOLLOUT : 0u),
        .data.u64 = (uint64_t)*mark << 32 | (uint32_t)fd,
    };
    int const watches = watches_of(poller);
    epoll_state *const state = poller->state;

    if ((unsigned)fd > state->most_fd) state->most_fd = (unsigned)fd;
    if (*mark && epoll_ctl(watches, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    if (*mark && errno != ENOENT) return errno;
    if (++*mark == 0) *mark = 1;
    event.data.u64 = (uint64_t)*mark << 32 | (uint32_t)fd;
    if (epoll_ctl(watches, EPOLL_CTL_ADD, fd, &event) == 0) return 0;
    if (errno != EEXIST) return errno; /* EEXIST: registered earlier, and the caller has lost that mark */
    return epoll_ctl(watches, EPOLL_CTL_MOD, fd, &event) == 0 ? 0 : errno;
}

void ufp_poller_forget(ufp_poller *poller, int fd)
{
    struct epoll_event none = {.events = 0}; /* unused, but kernels before 2.6.9 reject NULL */
    (void)epoll_ctl(watches_of(poller), EPOLL_CTL_DEL, fd, &none);
}

bool ufp_poller_nest(ufp_poller *poller, const ufp_poller *other)
{
    return add_to_epoll(watches_of(poller), other->fd, NESTED) == 0;
}

/* Stores the result of a wait. If a signal has interrupted it, descriptors may be ready all the same, so this asks for
 * them. Otherwise, later events would decide an await whose first arm is ready. */
static void store_count(ufp_poller *poller, int count)
{
    epoll_state *const state = poller->state;

    if (count < 0 && errno == EINTR) count = epoll_wait(state->watches, state->events, EVENTS_PER_WAIT, 0);
    if (count < 0 && (errno == EBADF || errno == EINVAL)) ufp_descriptor_lost();
    if (count < 0) ufp_back_off();
    state->count = count > 0 ? count : 0;
    state->next = 0;
    state->fetches = 1;
}

static void fetch_events(ufp_poller *poller, int timeout)
{
    epoll_state *const state = poller->state;
    store_count(poller, epoll_wait(state->watches, state->events, EVENTS_PER_WAIT, timeout));
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
    int const count = epoll_pwait2(state->watches, state->events, EVENTS_PER_WAIT, &timeout, NULL);
    state->lacks_pwait2 = count < 0 && (errno == ENOSYS || errno == EPERM);
    if (!state->lacks_pwait2) store_count(poller, count);
    return !state->lacks_pwait2;
}

/* The milliseconds of epoll_wait() are too coarse for timers. */
static void sleep_until_ready(const ufp_poller *poller, int64_t deadline)
{
    struct pollfd one = {.fd = watches_of(poller), .events = POLLIN};
    struct timespec const timeout = time_until(deadline);

    if (ppoll(&one, 1, &timeout, NULL) < 0 && errno != EINTR) ufp_back_off();
}

void ufp_poller_wait(ufp_poller *first, int64_t deadline)
{
    int const state = ufp_begin_uncancelled();
    if (deadline == 0 || deadline == INT64_MAX) {
        fetch_events(first, deadline == 0 ? 0 : -1);
    } else if (!fetch_events_until(first, deadline)) {
        sleep_until_ready(first, deadline);
        fetch_events(first, 0);
    }
    for (ufp_poller *p = first->next; p; p = p->next) fetch_events(p, 0);
    ufp_end_uncancelled(state);
}

/* The caller takes all ready descriptors. Otherwise an arm behind another one could decide. An epoll returns the ready
 * descriptors in turn, and kept watches are ready again and again. Returns: false if there is nothing left to take. */
static bool has_event(ufp_poller *poller)
{
    epoll_state *const state = poller->state;
    unsigned const fetches = state->fetches + 1;

    if (state->next == EVENTS_PER_WAIT && fetches <= state->most_fd / EVENTS_PER_WAIT + 2) {
        int const cancel = ufp_begin_uncancelled();
        fetch_events(poller, 0);
        ufp_end_uncancelled(cancel);
        state->fetches = fetches;
    }
    return state->next < state->count;
}

bool ufp_poller_take(ufp_poller *poller, ufp_event *event)
{
    epoll_state *const state = poller->state;

    while (has_event(poller)) {
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
