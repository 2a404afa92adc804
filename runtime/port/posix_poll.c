/* SPDX-License-Identifier: MIT */
/* posix_poll.c - the pollers of port_poller.h with poll(), where there is no epoll. Each wait costs as much as there
 * are watched descriptors. In external-loop mode the descriptor of the runtime covers only the notifier, so the
 * runtime polls its descriptors at intervals. */
#include "posix.h"

#if !defined(__linux__) || defined(UFP_POLL)

#include <errno.h>
#include <limits.h>
#include <string.h>

typedef struct poll_state {
    struct pollfd *fds; /* the first is the notifier's */
    size_t count, capacity, next;
    struct watched {
        uint32_t position, mark; /* position: the index in `fds`, or 0 */
    } * watched;                 /* by descriptor */
    size_t watched_capacity;
} poll_state;

static int reserve_watch(poll_state *state)
{
    struct pollfd *const fds = ufp_grown(state->fds, &state->capacity, state->count, sizeof *fds);
    if (fds) state->fds = fds;
    return fds ? 0 : ENOMEM;
}

int ufp_poller_open(ufp_poller *poller)
{
    int error = ufp_notifier_open(&poller->notifier);
    if (error) return error;

    poll_state *const state = poller->state = ufp_allocate(sizeof *state);
    error = state ? reserve_watch(state) : ENOMEM;
    if (error) {
        ufp_poller_close(poller);
        return error;
    }
    poller->fd = poller->notifier.fd;
    poller->keeps_watches = false; /* a watch costs no system call */
    state->fds[state->count++] = (struct pollfd){.fd = poller->notifier.fd, .events = POLLIN};
    return 0;
}

void ufp_poller_close(ufp_poller *poller)
{
    poll_state *const state = poller->state;

    ufp_notifier_close(&poller->notifier);
    if (!state) return;
    ufp_free(state->fds);
    ufp_free(state->watched);
    ufp_free(state);
}

/* Moves the last watch into the gap. */
static void remove_watch(poll_state *state, size_t position)
{
    size_t const last = --state->count;

    state->watched[state->fds[position].fd].position = 0;
    if (position == last) return;
    state->fds[position] = state->fds[last];
    state->watched[state->fds[position].fd].position = (uint32_t)position;
}

int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark)
{
    poll_state *const state = poller->state;
    struct watched *const all = ufp_grown(state->watched, &state->watched_capacity, (size_t)fd, sizeof *all);

    if (!all) return ENOMEM;
    state->watched = all;
    if (!all[fd].position && reserve_watch(state) != 0) return ENOMEM;
    if (!all[fd].position) all[fd].position = (uint32_t)state->count++;
    if (!*mark) *mark = 1;
    all[fd].mark = *mark;
    state->fds[all[fd].position] = (struct pollfd){.fd = fd, .events = ufp_poll_events(want)};
    return 0;
}

void ufp_poller_forget(ufp_poller *poller, int fd)
{
    poll_state *const state = poller->state;
    size_t const position = (size_t)fd < state->watched_capacity ? state->watched[fd].position : 0;
    if (position) remove_watch(state, position);
}

int ufp_poller_renew(ufp_poller *poller)
{
    (void)poller;
    return 0; /* it keeps no watches */
}

bool ufp_poller_nest(ufp_poller *poller, const ufp_poller *other)
{
    (void)poller;
    (void)other;
    return false;
}

static int milliseconds_until(int64_t deadline)
{
    if (deadline == INT64_MAX) return -1;
    int64_t const left = deadline == 0 ? 0 : deadline - ufp_monotonic_now();
    int64_t const ms = left > 0 ? (left + 999999) / 1000000 : 0;
    return ms < INT_MAX ? (int)ms : INT_MAX;
}

/* poll() takes one array, so this copies the watches of all pollers into one. */
static void wait_for_all(ufp_poller *first, int64_t deadline)
{
    size_t count = 0;
    for (const ufp_poller *p = first; p; p = p->next) count += ((poll_state *)p->state)->count;

    struct pollfd *const all = ufp_allocate(count * sizeof *all);
    count = 0;
    for (const ufp_poller *p = first; p; p = p->next) {
        poll_state const *const state = p->state;
        if (all) memcpy(all + count, state->fds, state->count * sizeof *all);
        count += state->count;
    }
    if (!all || (poll(all, (nfds_t)count, milliseconds_until(deadline)) < 0 && errno != EINTR)) ufp_back_off();
    ufp_free(all);
}

void ufp_poller_wait(ufp_poller *first, int64_t deadline)
{
    bool const alone = !first->next;
    int const cancel = ufp_begin_uncancelled();

    if (!alone && deadline != 0) wait_for_all(first, deadline);
    for (ufp_poller *p = first; p; p = p->next) {
        poll_state *const state = p->state;
        int count = poll(state->fds, (nfds_t)state->count, alone ? milliseconds_until(deadline) : 0);
        if (count < 0 && errno == EINTR)
            count = poll(state->fds, (nfds_t)state->count, 0); /* some may be ready all the same */
        if (count < 0 && alone && deadline != 0) ufp_back_off();
        for (size_t i = 0; count < 0 && i < state->count; i++) state->fds[i].revents = 0;
        state->next = state->count; /* ufp_poller_take() goes downwards, because it removes watches */
    }
    ufp_end_uncancelled(cancel);
}

bool ufp_poller_take(ufp_poller *poller, ufp_event *event)
{
    poll_state *const state = poller->state;

    if (state->next > state->count) state->next = state->count;
    while (state->next > 0) {
        size_t const position = --state->next;
        short const events = state->fds[position].revents;
        state->fds[position].revents = 0;
        if (!events) continue;
        if (position == 0) {
            if (events & POLLNVAL) ufp_descriptor_lost();
            ufp_notifier_drain(&poller->notifier);
            continue;
        }
        *event = (ufp_event){
            .fd = state->fds[position].fd,
            .mark = state->watched[state->fds[position].fd].mark,
            .ready = ufp_ready_of(events),
            .closed = (events & POLLNVAL) != 0,
        };
        remove_watch(state, position);
        return true;
    }
    return false;
}

#else
typedef int ufp_not_poll; /* ISO C forbids an empty file */
#endif
