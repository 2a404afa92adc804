/* SPDX-License-Identifier: MIT */
/* wire.c - the sockets of a test and their descriptors: what is ready, and when. */
#define _GNU_SOURCE /* O_CLOEXEC, F_DUPFD_CLOEXEC */
#include "wire.h"

#include "uflow/priv/pump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 16, STANDARD = 3, KEPT_FROM = 100 };

/* A descriptor: NULL and not `is_past`: it never was one of the test. */
typedef struct number {
    uft_socket *socket;
    bool is_past;
} number;

static struct {
    uft_socket *sockets;
    number *numbers;
    int count;          /* of numbers */
    uf_pump *pump;      /* NULL: no test has a socket */
    uf_time next;       /* something may arrive then */
    bool has_changed;   /* since flows have looked */
    int kept[STANDARD]; /* duplicates of stdin, stdout and stderr, which the test has replaced; 0: it has not */
} wire = {.next = UF_FOREVER};

int uft_errno(int error)
{
    errno = error;
    return -1;
}

uf_time uft_wire_now(void)
{
    return wire.pump ? uf_pump_now(wire.pump) : 0;
}

void uft_wire_changed(void)
{
    wire.has_changed = true;
}

void uft_wire_expect(uf_time due)
{
    wire.has_changed |= due <= uft_wire_now();
    if (due > uft_wire_now() && due < wire.next) wire.next = due;
}

uft_socket *uft_socket_after(const uft_socket *s)
{
    return s ? s->next : wire.sockets;
}

int uft_would_wait(const uft_socket *s, const char *call, int flags)
{
    if (s->blocks && !(flags & MSG_DONTWAIT))
        uft_fail_here("%s() would wait for ever: the socket has no O_NONBLOCK, and time passes between steps only",
                      call);
    return uft_errno(EAGAIN);
}

/* -- descriptors --------------------------------------------------------------------------------------------------- */

uft_socket *uft_socket_at(int fd)
{
    return fd >= 0 && fd < wire.count ? wire.numbers[fd].socket : NULL;
}

static bool reserve(int fd)
{
    if (fd < wire.count) return true;
    int const count = fd + 32;
    number *const more = realloc(wire.numbers, (size_t)count * sizeof *more);
    if (!more) return false;
    for (int i = wire.count; i < count; i++) more[i] = (number){NULL, false};
    wire.numbers = more;
    wire.count = count;
    return true;
}

uft_socket *uft_socket_new(int domain, int type)
{
    uft_socket *const s = calloc(1, sizeof *s);

    if (!s) return NULL;
    s->domain = domain;
    s->type = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    s->blocks = !(type & SOCK_NONBLOCK);
    s->send_size = s->receive_size = BUFFER_SIZE;
    s->next = wire.sockets;
    wire.sockets = s;
    return s;
}

int uft_socket_number(uft_socket *s, int fd)
{
    if (fd < 0) return -1;
    if (!reserve(fd)) {
        (void)close(fd);
        return uft_errno(ENOMEM);
    }
    if (wire.numbers[fd].socket) uft_socket_leave(fd); /* a shared library has closed it */
    wire.numbers[fd] = (number){s, false};
    s->numbers++;
    return fd;
}

void uft_socket_leave(int fd)
{
    uft_socket *const s = wire.numbers[fd].socket;

    wire.numbers[fd] = (number){NULL, true};
    if (--s->numbers == 0) uft_socket_close(s);
    uft_wire_changed();
}

void uft_keep_standard(int fd)
{
    if (fd < 0 || fd >= STANDARD || wire.kept[fd] || uft_socket_at(fd) || !uft_wire_joins()) return;
    int const kept = fcntl(fd, F_DUPFD_CLOEXEC, KEPT_FROM);
    if (kept >= 0) wire.kept[fd] = kept;
}

static void put_back_standard(void)
{
    for (int fd = 0; fd < STANDARD; fd++) {
        if (!wire.kept[fd]) continue;
        (void)dup2(wire.kept[fd], fd);
        (void)close(wire.kept[fd]);
        wire.kept[fd] = 0;
    }
}

static void forget(uft_socket *s)
{
    uft_socket **place = &wire.sockets;

    while (*place != s) place = &(*place)->next;
    *place = s->next;
    while (s->in) uft_drop_parcel(s, &s->in);
    free(s);
}

/* The other side of a stream gets an end; a reset, if not all that it has sent was read. */
static void leave_peer(uft_socket *s)
{
    bool const is_stream = s->type == SOCK_STREAM, is_rude = s->lingers_not || s->held > 0;

    if (!s->peer) return;
    if (is_stream && is_rude) (void)uft_push(s->peer, PARCEL_RESET, uft_wire_due(s, "a reset"), NULL, 0, NULL);
    else if (is_stream && !s->shuts_write)
        (void)uft_push(s->peer, PARCEL_END, uft_wire_due(s, "an end"), NULL, 0, NULL);
    s->peer->peer = NULL;
}

void uft_socket_close(uft_socket *s)
{
    while (s->waiting) {
        uft_socket *const first = s->waiting;
        s->waiting = first->behind;
        first->lingers_not = true;
        uft_socket_close(first);
    }
    leave_peer(s);
    forget(s);
}

unsigned uf_wire_open(void)
{
    unsigned open = 0;

    for (uft_socket const *s = wire.sockets; s; s = s->next) open += s->numbers > 0;
    return open;
}

void uf_wire_steady(int fd)
{
    uft_socket *const s = uft_socket_at(fd);
    if (s) s->is_steady = true;
}

/* -- events -------------------------------------------------------------------------------------------------------- */

static bool has_waiting(const uft_socket *s)
{
    for (uft_socket const *one = s->waiting; one; one = one->behind)
        if (one->since <= uft_wire_now()) return true;
    return false;
}

static int stream_ready(uft_socket *s)
{
    bool is_end;

    if (s->state == SOCKET_LISTENS) return has_waiting(s) ? UF_READABLE : 0;
    if (s->state == SOCKET_NEW) return UF_READABLE | UF_WRITABLE; /* a hang-up */
    if (s->since > uft_wire_now()) return 0;
    uft_notice_reset(s);
    if (s->state == SOCKET_REFUSED || s->is_broken) return UF_READABLE | UF_WRITABLE;
    size_t const arrived = uft_arrived(s, &is_end);
    bool const is_full = s->peer && s->peer->held >= s->send_size + s->peer->receive_size;
    return (arrived > 0 || is_end || s->shuts_read ? UF_READABLE : 0) | (!is_full || s->shuts_write ? UF_WRITABLE : 0);
}

int uft_socket_ready(uft_socket *s)
{
    bool const is_there = s->in && s->in->due <= uft_wire_now();

    if (s->type == SOCK_STREAM) return stream_ready(s);
    const uft_socket *const to = s->peer || !s->other.length ? s->peer : uft_find_receiver(s, &s->other);
    return (uft_is_full_for(s, to) ? 0 : UF_WRITABLE) | (is_there || s->error || s->shuts_read ? UF_READABLE : 0);
}

/* The hook `poll` of the pump. */
static int poll_socket(void *context, int fd, int events)
{
    uft_socket *const s = uft_socket_at(fd);

    (void)context;
    if (s) return uft_socket_ready(s) & events;
    return fd < wire.count && wire.numbers[fd].is_past && fcntl(fd, F_GETFD) < 0 ? UF_DESCRIPTOR_CLOSED : 0;
}

typedef struct visit_state {
    uf_pump *pump;
    bool has_woken;
} visit_state;

static void visit(void *context, int fd, int event)
{
    visit_state *const state = context;
    uft_socket *const s = uft_socket_at(fd);

    if (!s || !(uft_socket_ready(s) & event)) return;
    (void)uf_pump_ready(state->pump, fd, event);
    state->has_woken = true;
}

static void find_next(uf_time now)
{
    wire.next = UF_FOREVER;
    for (uft_socket const *s = wire.sockets; s; s = s->next) {
        if (s->since > now && s->since < wire.next) wire.next = s->since;
        for (uft_parcel const *one = s->in; one; one = one->next)
            if (one->due > now && one->due < wire.next) wire.next = one->due;
    }
}

static bool wake_flows(uf_pump *pump)
{
    visit_state state = {pump, false};
    uf_time const now = uf_pump_now(pump);

    if (wire.next > now && !wire.has_changed) return false;
    if (wire.next <= now) find_next(now);
    wire.has_changed = false;
    uf_pump_descriptors(pump, visit, &state);
    return state.has_woken;
}

static uf_time next_time(void)
{
    return wire.next;
}

static void end(void)
{
    for (int fd = 0; fd < wire.count; fd++) {
        if (!wire.numbers[fd].socket) continue;
        wire.numbers[fd].socket = NULL;
        (void)close(fd);
    }
    while (wire.sockets) forget(wire.sockets);
    put_back_standard();
    free(wire.numbers);
    wire.numbers = NULL;
    wire.count = 0;
    wire.pump = NULL;
    wire.next = UF_FOREVER;
    wire.has_changed = false;
}

bool uft_wire_joins(void)
{
    static const uft_network network = {poll_socket, wake_flows, next_time, end};

    if (wire.pump) return true;
    wire.pump = uft_join(&network);
    if (wire.pump) uft_wire_choose_anew();
    return wire.pump != NULL;
}
