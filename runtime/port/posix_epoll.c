/* posix_epoll.c - waiting for file descriptors with epoll, which costs as much as there is ready. Define UFP_POLL to have
 * posix_poll.c instead.
 *
 * Each is watched with EPOLLONESHOT: what nobody waits for any more tells once more at most, whoever has closed or kept what,
 * so there is nothing that a wait could spin on. The mark is a number of the registration: when a descriptor is closed the
 * kernel forgets it, but not if a duplicate keeps it open; the events of that one then have an old mark. */
#if defined(__linux__)
#undef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll */
#endif
#include "port_poller.h"

#if defined(__linux__) && !defined(UFP_POLL)

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#if defined(UFP_FAULTS)
bool ufp_fault(void);
#define OUT_OF_IT() ufp_fault()
#else
#define OUT_OF_IT() false
#endif

enum { AT_ONCE = 128 };
#define NOTIFIER UINT64_MAX
#define ANOTHER  (UINT64_MAX - 1)

typedef struct room {
    int count, next;
    struct epoll_event events[AT_ONCE];
} room;

int ufp_poller_open(ufp_poller *poller)
{
    struct epoll_event notifier = {.events = EPOLLIN, .data.u64 = NOTIFIER};
    int error = ufp_notifier_open(&poller->notifier);

    if (error) return error;
    poller->fd = -1;
    poller->covers = true;
    poller->room = ufp_allocate(sizeof(room));
    if (!poller->room) error = ENOMEM;
    if (!error && OUT_OF_IT()) error = EMFILE;
    if (!error && (poller->fd = epoll_create1(EPOLL_CLOEXEC)) < 0) error = errno;
    if (!error && epoll_ctl(poller->fd, EPOLL_CTL_ADD, poller->notifier.fd, &notifier) != 0) error = errno;
    if (error) ufp_poller_close(poller);
    return error;
}

void ufp_poller_close(ufp_poller *poller)
{
    if (poller->fd >= 0) close(poller->fd);
    ufp_notifier_close(&poller->notifier);
    ufp_free(poller->room);
}

void ufp_poller_ring(ufp_poller *poller)
{
    ufp_notifier_notify(&poller->notifier);
}

int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark)
{
    struct epoll_event event = {
        .events = EPOLLONESHOT | (want & UFP_READABLE ? EPOLLIN : 0u) | (want & UFP_WRITABLE ? EPOLLOUT : 0u),
        .data.u64 = (uint64_t)*mark << 32 | (uint32_t)fd,
    };

    if (*mark && epoll_ctl(poller->fd, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    if (*mark && errno != ENOENT) return errno;
    if (++*mark == 0) *mark = 1;
    event.data.u64 = (uint64_t)*mark << 32 | (uint32_t)fd;
    if (epoll_ctl(poller->fd, EPOLL_CTL_ADD, fd, &event) == 0) return 0;
    if (errno != EEXIST) return errno; /* watched by an earlier owner of the number, and the mark was lost since */
    return epoll_ctl(poller->fd, EPOLL_CTL_MOD, fd, &event) == 0 ? 0 : errno;
}

void ufp_poller_forget(ufp_poller *poller, int fd)
{
    struct epoll_event none = {.events = 0}; /* not looked at, but for old kernels not NULL either */
    (void)epoll_ctl(poller->fd, EPOLL_CTL_DEL, fd, &none);
}

bool ufp_poller_cover(ufp_poller *poller, const ufp_poller *other)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = ANOTHER};
    return epoll_ctl(poller->fd, EPOLL_CTL_ADD, other->fd, &event) == 0;
}

static void fetch(ufp_poller *poller, int timeout)
{
    room *const r = poller->room;
    int const count = epoll_wait(poller->fd, r->events, AT_ONCE, timeout);

    r->count = count > 0 ? count : 0;
    r->next = 0;
}

/* epoll_wait() counts milliseconds, which is too coarse for a timer. */
static void wait_until(const ufp_poller *poller, int64_t deadline)
{
    struct pollfd look = {.fd = poller->fd, .events = POLLIN};
    int64_t const most = INT64_C(1000000000) * INT32_MAX, until = deadline - ufp_monotonic_now();
    int64_t const left = until < most ? until : most; /* which fits into a time_t of 32 bits */
    struct timespec const wait = {.tv_sec = (time_t)(left / 1000000000), .tv_nsec = (long)(left % 1000000000)};

    if (left > 0) (void)ppoll(&look, 1, &wait, NULL);
}

void ufp_poller_wait(ufp_poller *first, int64_t deadline)
{
    bool const for_ever = deadline == INT64_MAX;

    if (!for_ever && deadline != 0) wait_until(first, deadline);
    fetch(first, for_ever ? -1 : 0);
    for (ufp_poller *p = first->next; p; p = p->next) fetch(p, 0);
}

bool ufp_poller_take(ufp_poller *poller, ufp_event *event)
{
    room *const r = poller->room;

    while (r->next < r->count) {
        struct epoll_event const *const e = &r->events[r->next++];
        if (e->data.u64 == NOTIFIER) {
            ufp_notifier_drain(&poller->notifier);
            continue;
        }
        if (e->data.u64 == ANOTHER) continue;
        *event = (ufp_event){.fd = (int)(uint32_t)e->data.u64, .mark = (uint32_t)(e->data.u64 >> 32)};
        if (e->events & (EPOLLIN | EPOLLERR | EPOLLHUP)) event->is |= UFP_READABLE;
        if (e->events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) event->is |= UFP_WRITABLE;
        return true;
    }
    return false;
}

#else
typedef int ufp_not_epoll; /* a file of C has to declare something */
#endif
