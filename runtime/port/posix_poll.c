/* posix_poll.c - waiting for file descriptors with poll(), where there is no epoll: each wait costs as much as is watched. An
 * embedded runtime is told by its notifier alone, and looks at its descriptors from time to time. */
#include "port_poller.h"

#if !defined(__linux__) || defined(UFP_POLL)

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

/* The first is the notifier. Of `places`, indexed by descriptor, each is where it stands among `fds`; 0: nowhere. */
typedef struct room {
    struct pollfd *fds;
    uint32_t *marks;
    nfds_t count, size, next;
    uint32_t *places;
    size_t places_size;
} room;

static int grow(void **memory, size_t *size, size_t need, size_t each)
{
    size_t more = *size ? *size : 16;
    while (more <= need) more *= 2;

    void *const new = ufp_allocate(more * each);
    if (!new) return ENOMEM;
    if (*memory) memcpy(new, *memory, *size * each);
    ufp_free(*memory);
    *memory = new;
    *size = more;
    return 0;
}

static int make_room(room *r)
{
    size_t size = r->size, marks_size = r->size;
    void *fds = r->fds, *marks = r->marks;

    if (r->count < r->size) return 0;
    int error = grow(&fds, &size, r->count, sizeof *r->fds);
    if (error) return error;
    r->fds = fds;
    error = grow(&marks, &marks_size, r->count, sizeof *r->marks);
    if (error) return error; /* `size` is what both have */
    r->marks = marks;
    r->size = (nfds_t)size;
    return 0;
}

int ufp_poller_open(ufp_poller *poller)
{
    int error = ufp_notifier_open(&poller->notifier);
    if (error) return error;

    room *const r = poller->room = ufp_allocate(sizeof *r);
    error = r ? make_room(r) : ENOMEM;
    if (error) {
        ufp_poller_close(poller);
        return error;
    }
    poller->fd = poller->notifier.fd;
    r->fds[r->count++] = (struct pollfd){.fd = poller->notifier.fd, .events = POLLIN};
    return 0;
}

void ufp_poller_close(ufp_poller *poller)
{
    room *const r = poller->room;

    ufp_notifier_close(&poller->notifier);
    if (!r) return;
    ufp_free(r->fds);
    ufp_free(r->marks);
    ufp_free(r->places);
    ufp_free(r);
}

void ufp_poller_ring(ufp_poller *poller)
{
    ufp_notifier_notify(&poller->notifier);
}

static void take_out(room *r, nfds_t place)
{
    nfds_t const last = --r->count;

    r->places[r->fds[place].fd] = 0;
    if (place == last) return;
    r->fds[place] = r->fds[last];
    r->marks[place] = r->marks[last];
    r->places[r->fds[place].fd] = (uint32_t)place;
}

int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark)
{
    room *const r = poller->room;
    size_t const index = (size_t)fd;
    void *places = r->places;

    if (index >= r->places_size) {
        int const error = grow(&places, &r->places_size, index, sizeof *r->places);
        if (error) return error;
        r->places = places;
    }
    nfds_t place = r->places[index];
    if (!place) {
        int const error = make_room(r);
        if (error) return error;
        place = r->count++;
        r->places[index] = (uint32_t)place;
    }
    if (!*mark) *mark = 1;
    r->marks[place] = *mark;
    r->fds[place] = (struct pollfd){
        .fd = fd,
        .events = (short)((want & UFP_READABLE ? POLLIN : 0) | (want & UFP_WRITABLE ? POLLOUT : 0)),
    };
    return 0;
}

void ufp_poller_forget(ufp_poller *poller, int fd)
{
    room *const r = poller->room;
    if ((size_t)fd < r->places_size && r->places[fd]) take_out(r, r->places[fd]);
}

bool ufp_poller_cover(ufp_poller *poller, const ufp_poller *other)
{
    (void)poller;
    (void)other;
    return false;
}

static int milliseconds(int64_t deadline)
{
    if (deadline == INT64_MAX) return -1;
    int64_t const left = deadline == 0 ? 0 : deadline - ufp_monotonic_now();
    int64_t const ms = left > 0 ? (left + 999999) / 1000000 : 0;
    return ms < INT_MAX ? (int)ms : INT_MAX;
}

/* The system has no memory, or the process may not have as many descriptors any more as there are: not at once again. */
static void a_little_later(void)
{
    (void)poll(NULL, 0, 10);
}

/* poll() knows one array: with several pollers, their descriptors are put into one for this wait. */
static void wait_for_one(ufp_poller *first, int64_t deadline)
{
    size_t count = 0;
    for (const ufp_poller *p = first; p; p = p->next) count += ((room *)p->room)->count;

    struct pollfd *const all = ufp_allocate(count * sizeof *all);
    count = 0;
    for (const ufp_poller *p = first; p; p = p->next) {
        room const *const r = p->room;
        if (all) memcpy(all + count, r->fds, r->count * sizeof *all);
        count += r->count;
    }
    if (!all || (poll(all, (nfds_t)count, milliseconds(deadline)) < 0 && errno != EINTR)) a_little_later();
    ufp_free(all);
}

void ufp_poller_wait(ufp_poller *first, int64_t deadline)
{
    bool const alone = !first->next;

    if (!alone && deadline != 0) wait_for_one(first, deadline);
    for (ufp_poller *p = first; p; p = p->next) {
        room *const r = p->room;
        int const count = poll(r->fds, r->count, alone ? milliseconds(deadline) : 0);
        if (count < 0 && alone && deadline != 0 && errno != EINTR) a_little_later();
        for (nfds_t i = 0; count < 0 && i < r->count; i++) r->fds[i].revents = 0;
        r->next = r->count; /* downwards, so that one may be taken out */
    }
}

bool ufp_poller_take(ufp_poller *poller, ufp_event *event)
{
    room *const r = poller->room;

    if (r->next > r->count) r->next = r->count;
    while (r->next > 0) {
        nfds_t const place = --r->next;
        short const is = r->fds[place].revents;
        r->fds[place].revents = 0;
        if (!is) continue;
        if (place == 0) {
            ufp_notifier_drain(&poller->notifier);
            continue;
        }
        *event = (ufp_event){.fd = r->fds[place].fd, .mark = r->marks[place]};
        event->gone = (is & POLLNVAL) != 0;
        if (is & (POLLIN | POLLERR | POLLHUP)) event->is |= UFP_READABLE;
        if (is & (POLLOUT | POLLERR | POLLHUP)) event->is |= UFP_WRITABLE;
        take_out(r, place);
        return true;
    }
    return false;
}

#else
typedef int ufp_not_poll; /* a file of C has to declare something */
#endif
