/* SPDX-License-Identifier: MIT */
/* windows_poll.c - the pollers of port_poller.h with select(). Each wait costs as much as there are watched sockets. In
 * external-loop mode the descriptor of the runtime covers only the notifier, so the runtime polls its descriptors at
 * intervals.
 *
 * It does not use WSAPoll(), which before Windows 10 version 2004 reports no failed connect. WSAPoll() also reports a
 * hang-up as soon as the peer has ended its half of the connection, even if only room to write is wanted.
 *
 * The limit of 64 sockets is that of `fd_set`, not of select(), which takes the number from the set. */
#include "windows_port.h"

#include <errno.h>
#include <string.h>

typedef struct socket_watch {
    SOCKET socket;
    uint32_t mark;
    uint8_t want;
    uint8_t ready;
    bool connects; /* not connected when the watch began: a failed connect counts as writable */
    bool closed;
} socket_watch;

typedef struct poll_state {
    socket_watch *watches; /* the first is the notifier's */
    size_t count, capacity, next;
    uint32_t *positions; /* by descriptor: its index in `watches`, or 0 */
    size_t positions_capacity;
} poll_state;

/* As an fd_set, but with any number of sockets. */
typedef struct socket_set {
    u_int count;
    SOCKET sockets[];
} socket_set;

_Static_assert(offsetof(socket_set, sockets) == offsetof(fd_set, fd_array), "a set for select()");

enum { READ, WRITE, FAIL, SETS };

/* -- watches ------------------------------------------------------------------------------------------------------- */

/* One more watch, for this descriptor. */
static int reserve(poll_state *state, int fd)
{
    socket_watch *const watches = ufp_grown(state->watches, &state->capacity, state->count, sizeof *watches);
    if (watches) state->watches = watches;
    uint32_t *const positions = ufp_grown(state->positions, &state->positions_capacity, (size_t)fd, sizeof *positions);
    if (positions) state->positions = positions;
    return watches && positions ? 0 : ENOMEM;
}

int ufp_poller_open(ufp_poller *poller)
{
    int error = ufp_notifier_open(&poller->notifier);
    if (error) return error;

    poll_state *const state = poller->state = ufp_allocate(sizeof *state);
    error = state ? reserve(state, poller->notifier.fd) : ENOMEM;
    if (error) {
        ufp_poller_close(poller);
        return error;
    }
    poller->fd = poller->notifier.fd;
    poller->keeps_watches = false; /* a watch costs no system call */
    state->watches[state->count++] = (socket_watch){.socket = ufp_socket_of(poller->fd), .want = UFP_READABLE};
    return 0;
}

void ufp_poller_close(ufp_poller *poller)
{
    poll_state *const state = poller->state;

    ufp_notifier_close(&poller->notifier);
    if (!state) return;
    ufp_free(state->watches);
    ufp_free(state->positions);
    ufp_free(state);
}

/* Moves the last watch into the gap. */
static void remove_watch(poll_state *state, size_t position)
{
    size_t const last = --state->count;

    state->positions[state->watches[position].socket] = 0;
    if (position == last) return;
    state->watches[position] = state->watches[last];
    state->positions[state->watches[position].socket] = (uint32_t)position;
}

int ufp_poller_watch(ufp_poller *poller, int fd, int want, uint32_t *mark)
{
    poll_state *const state = poller->state;
    SOCKET const socket = ufp_socket_of(fd);
    int const error = reserve(state, fd);
    if (error) return error;

    size_t position = state->positions[fd];
    if (!position) {
        position = state->count++;
        state->positions[fd] = (uint32_t)position;
    }
    if (!*mark) *mark = 1;
    state->watches[position] = (socket_watch){
        .socket = socket,
        .mark = *mark,
        .want = (uint8_t)want,
        .connects = want && !ufp_socket_is_connected(socket),
    };
    return 0;
}

void ufp_poller_forget(ufp_poller *poller, int fd)
{
    poll_state *const state = poller->state;
    if ((size_t)fd < state->positions_capacity && state->positions[fd]) remove_watch(state, state->positions[fd]);
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

/* -- waiting ------------------------------------------------------------------------------------------------------- */

static size_t size_of_set(size_t count)
{
    return offsetof(socket_set, sockets) + count * sizeof(SOCKET);
}

static void add(socket_set *set, SOCKET socket)
{
    set->sockets[set->count++] = socket;
}

/* Appends the watches of a poller to the sets. */
static void add_watches(socket_set *const *sets, const poll_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        const socket_watch *const w = &state->watches[i];
        if (w->want & UFP_READABLE) add(sets[READ], w->socket);
        if (w->want & UFP_WRITABLE) add(sets[WRITE], w->socket);
        if (w->connects) add(sets[FAIL], w->socket);
    }
}

static fd_set *select_set(socket_set *set)
{
    return set->count ? (fd_set *)(void *)set : NULL;
}

static int select_until(socket_set *const *sets, int64_t deadline)
{
    uint32_t const us = deadline == 0 || deadline == INT64_MAX ? 0 : ufp_units_until(deadline, 1000);
    struct timeval timeout = {.tv_sec = (long)(us / 1000000), .tv_usec = (long)(us % 1000000)};

    return select(0, select_set(sets[READ]), select_set(sets[WRITE]), select_set(sets[FAIL]),
                  deadline == INT64_MAX ? NULL : &timeout);
}

static void note_ready(const poll_state *state, const socket_set *set, uint8_t ready)
{
    for (u_int i = 0; i < set->count; i++) state->watches[state->positions[set->sockets[i]]].ready |= ready;
}

/* select() has refused all sockets because of one that was closed. Returns: false if none was. */
static bool find_closed(const poll_state *state)
{
    bool found = false;
    for (size_t i = 1; i < state->count; i++) {
        socket_watch *const w = &state->watches[i];
        int type, size = sizeof type;
        bool const is_socket = getsockopt(w->socket, SOL_SOCKET, SO_TYPE, (char *)&type, &size) == 0;
        w->closed = !is_socket && ufp_socket_errno() == EBADF;
        found |= w->closed;
    }
    return found;
}

/* Waits for the pollers from `first` up to `end`. Notes what is ready, if it is one poller.
 * Returns: false if the system refuses to wait. */
static bool wait_for(const ufp_poller *first, const ufp_poller *end, int64_t deadline)
{
    size_t count = 0;
    for (const ufp_poller *p = first; p != end; p = p->next) count += ((poll_state *)p->state)->count;

    size_t const size = (size_of_set(count) + sizeof(SOCKET) - 1) / sizeof(SOCKET) * sizeof(SOCKET);
    char *const room = ufp_allocate(SETS * size);
    if (!room) return false;
    socket_set *const sets[SETS] = {(void *)room, (void *)(room + size), (void *)(room + 2 * size)};
    for (const ufp_poller *p = first; p != end; p = p->next) add_watches(sets, p->state);

    int const status = select_until(sets, deadline), error = status == SOCKET_ERROR ? ufp_socket_errno() : 0;
    bool const is_one = first->next == end;
    if (is_one && status > 0) {
        note_ready(first->state, sets[READ], UFP_READABLE);
        note_ready(first->state, sets[WRITE], UFP_WRITABLE);
        note_ready(first->state, sets[FAIL], UFP_READABLE | UFP_WRITABLE);
    }
    ufp_free(room);
    return !error || (error == EBADF && (!is_one || find_closed(first->state)));
}

void ufp_poller_wait(ufp_poller *first, int64_t deadline)
{
    bool const alone = !first->next;

    if (!alone && deadline != 0 && !wait_for(first, NULL, deadline)) Sleep(10);
    for (ufp_poller *p = first; p; p = p->next) {
        poll_state *const state = p->state;
        if (!wait_for(p, p->next, alone ? deadline : 0) && alone && deadline != 0) Sleep(10);
        state->next = state->count; /* ufp_poller_take() goes downwards, because it removes watches */
    }
}

bool ufp_poller_take(ufp_poller *poller, ufp_event *event)
{
    poll_state *const state = poller->state;

    if (state->next > state->count) state->next = state->count;
    while (state->next > 0) {
        size_t const position = --state->next;
        socket_watch *const w = &state->watches[position];
        if (!w->ready && !w->closed) continue;
        if (position == 0) {
            w->ready = 0;
            ufp_notifier_drain(&poller->notifier);
            continue;
        }
        *event = (ufp_event){.fd = (int)w->socket, .mark = w->mark, .ready = w->ready, .closed = w->closed};
        remove_watch(state, position);
        return true;
    }
    return false;
}
