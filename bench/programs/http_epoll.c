/* SPDX-License-Identifier: MIT */
/* http_epoll.c - the file server of examples/12_http_server, written by hand: one thread and an epoll loop. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "http_message.h"
#include "server_socket.h"

enum {
    EVENTS = 256,
    CHUNK = 1 << 20,     /* bytes of a file that are sent before other connections have their turn */
    ACCEPT_AGAIN_MS = 50 /* after accept() found no descriptor */
};

typedef struct connection {
    struct connection *before, *after; /* in the list of its deadline, or `after` in the free list */
    int64_t deadline;
    int fd;
    enum { RECEIVING, SENDING, LINGERING } state;
    uint32_t interest; /* the events that epoll reports */
    http_connection http;
} connection;

/* Connections whose deadlines are all equally long: the first one is the next. */
typedef struct deadlines {
    connection *first, *last;
    int64_t length;
} deadlines;

typedef struct server {
    int epoll, listener, signals;
    bool is_listening, is_stopping;
    int64_t now, accept_at, stop_at; /* accept_at: when to try accept() again, or 0 */
    int open;
    server_options options;
    connection *all, *vacant;
    deadlines idle, linger;
    http_site site;
} server;

static int64_t milliseconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* -- deadlines ----------------------------------------------------------------------------------------------------- */

static deadlines *deadlines_of(server *s, const connection *c)
{
    return c->state == LINGERING ? &s->linger : &s->idle;
}

static void disarm(server *s, connection *c)
{
    deadlines *const list = deadlines_of(s, c);

    if (c->before != NULL) c->before->after = c->after;
    else list->first = c->after;
    if (c->after != NULL) c->after->before = c->before;
    else list->last = c->before;
}

static void arm(server *s, connection *c)
{
    deadlines *const list = deadlines_of(s, c);

    c->deadline = s->now + list->length;
    c->before = list->last;
    c->after = NULL;
    if (list->last != NULL) list->last->after = c;
    else list->first = c;
    list->last = c;
}

static void rearm(server *s, connection *c)
{
    disarm(s, c);
    arm(s, c);
}

/* -- connections --------------------------------------------------------------------------------------------------- */

static void set_listening(server *s, bool is_listening)
{
    struct epoll_event event = {.events = is_listening ? EPOLLIN : 0, .data.ptr = &s->listener};

    if (s->listener < 0 || s->is_listening == is_listening) return;
    s->is_listening = epoll_ctl(s->epoll, EPOLL_CTL_MOD, s->listener, &event) == 0 && is_listening;
}

static void end_connection(server *s, connection *c)
{
    disarm(s, c);
    http_end(&c->http);
    (void)close(c->fd);
    c->fd = -1;
    c->after = s->vacant;
    s->vacant = c;
    s->open--;
    set_listening(s, true);
}

/* Returns: false if the connection was ended. */
static bool set_interest(server *s, connection *c, uint32_t interest)
{
    struct epoll_event event = {.events = interest, .data.ptr = c};

    if (c->interest == interest) return true;
    c->interest = interest;
    if (epoll_ctl(s->epoll, EPOLL_CTL_MOD, c->fd, &event) == 0) return true;
    end_connection(s, c);
    return false;
}

/* Waits until the client closes, so that it gets the response although not all that it sent was read. */
static void begin_linger(server *s, connection *c)
{
    http_end(&c->http);
    disarm(s, c);
    c->state = LINGERING;
    arm(s, c);
    (void)shutdown(c->fd, SHUT_WR);
    (void)set_interest(s, c, EPOLLIN);
}

static void linger(server *s, connection *c)
{
    ssize_t const n = recv(c->fd, c->http.in, sizeof c->http.in, 0);

    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) end_connection(s, c);
}

/* Returns: 1: the response was sent; 0: not all of it; -1: the connection failed. */
static int send_response(connection *c)
{
    http_connection *const h = &c->http;

    while (h->out_at < h->out_end) {
        int const flags = MSG_NOSIGNAL | (h->left > 0 ? MSG_MORE : 0);
        ssize_t const n = send(c->fd, h->out + h->out_at, h->out_end - h->out_at, flags);
        if (n < 0) return errno == EAGAIN ? 0 : -1;
        h->out_at += (size_t)n;
    }
    for (off_t room = CHUNK; h->left > 0 && room > 0;) {
        ssize_t const n = sendfile(c->fd, h->file->fd, &h->offset, (size_t)(h->left < room ? h->left : room));
        if (n <= 0) return n < 0 && errno == EAGAIN ? 0 : -1; /* 0: the file became shorter */
        h->left -= n;
        room -= n;
    }
    return h->left == 0;
}

/* Sends, and parses and answers what was received already. */
static void answer(server *s, connection *c)
{
    while (c->state == SENDING || http_parse(&c->http)) {
        int const sent = send_response(c);
        if (sent < 0) {
            end_connection(s, c);
            return;
        }
        if (sent == 0) {
            c->state = SENDING;
            rearm(s, c);
            (void)set_interest(s, c, EPOLLOUT);
            return;
        }
        c->state = RECEIVING;
        rearm(s, c);
        if (!c->http.keep) {
            begin_linger(s, c);
            return;
        }
        http_answered(&c->http);
    }
    if (s->is_stopping && http_is_idle(&c->http)) begin_linger(s, c);
    else (void)set_interest(s, c, EPOLLIN);
}

static void receive(server *s, connection *c)
{
    ssize_t const n = recv(c->fd, c->http.in, sizeof c->http.in, 0);
    bool const was_idle = http_is_idle(&c->http);

    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) end_connection(s, c);
        return;
    }
    c->http.in_at = 0;
    c->http.in_end = (size_t)n;
    if (was_idle) rearm(s, c); /* only here: a request that comes slowly does not extend its time */
    answer(s, c);
}

static void begin_connection(server *s, int fd)
{
    connection *const c = s->vacant;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};

    if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        (void)close(fd);
        return;
    }
    s->vacant = c->after;
    s->open++;
    c->fd = fd;
    c->state = RECEIVING;
    c->interest = EPOLLIN;
    http_begin(&c->http, &s->site);
    arm(s, c);
}

static void accept_connections(server *s)
{
    s->accept_at = 0;
    for (int i = 0; i < EVENTS && s->vacant != NULL; i++) {
        int const fd = server_accept(s->listener);
        if (fd == -EMFILE || fd == -ENFILE || fd == -ENOBUFS || fd == -ENOMEM) {
            s->accept_at = s->now + ACCEPT_AGAIN_MS;
            break;
        }
        if (fd == -EAGAIN) return;
        if (fd >= 0) begin_connection(s, fd);
    }
    if (s->vacant == NULL || s->accept_at > 0) set_listening(s, false);
}

/* -- the loop ------------------------------------------------------------------------------------------------------ */

/* The first signal ends what is idle, a second one everything. */
static void begin_stop(server *s)
{
    struct signalfd_siginfo unused;

    if (read(s->signals, &unused, sizeof unused) < 0) return;
    if (s->is_stopping) s->stop_at = s->now;
    if (s->is_stopping) return;
    s->is_stopping = true;
    s->stop_at = s->now + s->options.stop_ms;
    (void)close(s->listener);
    s->listener = -1;
    for (int i = 0; i < s->options.connections; i++) {
        connection *const c = &s->all[i];
        if (c->fd < 0) continue;
        c->http.last = true;
        if (c->state == RECEIVING && http_is_idle(&c->http)) end_connection(s, c);
    }
}

static void expire(server *s)
{
    while (s->idle.first != NULL && s->idle.first->deadline <= s->now) end_connection(s, s->idle.first);
    while (s->linger.first != NULL && s->linger.first->deadline <= s->now) end_connection(s, s->linger.first);
    if (s->accept_at > 0 && s->accept_at <= s->now) {
        s->accept_at = 0;
        set_listening(s, true);
    }
}

/* Milliseconds until the next deadline; -1: there is none. */
static int wait_time(const server *s)
{
    int64_t next = INT64_MAX;

    if (s->idle.first != NULL) next = s->idle.first->deadline;
    if (s->linger.first != NULL && s->linger.first->deadline < next) next = s->linger.first->deadline;
    if (s->accept_at > 0 && s->accept_at < next) next = s->accept_at;
    if (s->is_stopping && s->stop_at < next) next = s->stop_at;
    if (next == INT64_MAX) return -1;
    return next <= s->now ? 0 : (int)(next - s->now < 60000 ? next - s->now : 60000);
}

static void handle(server *s, const struct epoll_event *event)
{
    connection *const c = event->data.ptr;

    if (event->data.ptr == &s->listener) {
        if (s->listener >= 0) accept_connections(s);
    } else if (event->data.ptr == &s->signals) {
        begin_stop(s);
    } else if (c->fd >= 0) { /* not ended by an earlier event */
        switch (c->state) {
        case RECEIVING: receive(s, c); break;
        case SENDING: answer(s, c); break;
        case LINGERING: linger(s, c); break;
        }
    }
}

static void serve(server *s)
{
    struct epoll_event events[EVENTS];

    while (!s->is_stopping || (s->open > 0 && s->now < s->stop_at)) {
        int const count = epoll_wait(s->epoll, events, EVENTS, wait_time(s));
        s->now = milliseconds();
        for (int i = 0; i < count; i++) handle(s, &events[i]);
        expire(s);
    }
}

static bool watch(int epoll, int fd, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

    return fd >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool begin(server *s)
{
    sigset_t ends;

    (void)signal(SIGPIPE, SIG_IGN); /* of sendfile() */
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    s->all = calloc((size_t)s->options.connections, sizeof *s->all);
    if (s->all == NULL || sigprocmask(SIG_BLOCK, &ends, NULL) != 0) return false;
    for (int i = s->options.connections; i-- > 0;) {
        s->all[i].fd = -1;
        s->all[i].after = s->vacant;
        s->vacant = &s->all[i];
    }
    s->now = milliseconds();
    s->idle.length = s->options.idle_ms;
    s->linger.length = s->options.linger_ms;
    s->is_listening = true;
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    s->signals = signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC);
    return watch(s->epoll, s->signals, &s->signals) && watch(s->epoll, s->listener, &s->listener);
}

int main(int argc, char **argv)
{
    static server s;

    if (!server_options_of(&s.options, argc, argv)) return 2;
    if (s.options.threads > 1) return fprintf(stderr, "%s has one thread\n", argv[0]), 2;
    if (!http_site_open(&s.site, s.options.root)) {
        perror(s.options.root);
        return 1;
    }
    s.listener = server_listen(&s.options);
    if (s.listener < 0) return 1;
    if (!begin(&s)) {
        perror("cannot begin");
        return 1;
    }
    serve(&s);
    for (int i = 0; i < s.options.connections; i++) {
        if (s.all[i].fd >= 0) end_connection(&s, &s.all[i]);
    }
    (void)close(s.signals);
    (void)close(s.epoll);
    http_site_close(&s.site);
    free(s.all);
    return 0;
}
