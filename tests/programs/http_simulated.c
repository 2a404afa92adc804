/* SPDX-License-Identifier: MIT */
/* http_simulated.c - the flows of examples/12_http_server in virtual time, with clients that a seed decides.
 *
 * usage: http_simulated FIRST COUNT
 *
 * The linker replaces the calls for sockets (--wrap) by the functions below, which know the sockets of this test and
 * pass on all others. In each seed, clients connect, send requests in pieces, read or stall, half-close, reset.
 * accept() fails now and then, and the server is stopped at some moment. Afterwards no socket is open, no member runs,
 * and a client that kept to the protocol has whole responses, of the right bytes. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uflow/uflow.h>
#include <unistd.h>

#include "server.h"

enum { LISTENER = 100000, FIRST = 100001, CLIENTS = 48, SMALL = 1000, LARGE = 300000, ACTIONS = 600 };

static const char *const requests[] = {
    "GET /small HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /large HTTP/1.1\r\nHost: x\r\n\r\n",
    "HEAD /large HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /absent HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
};
enum { REQUESTS = sizeof requests / sizeof requests[0], CLOSING = REQUESTS - 1, PER_CLIENT = 6 };

typedef struct client {
    bool is_polite; /* reads at once, never resets, sends without pauses, and ends with `Connection: close` */
    bool is_prompt; /* has also sent everything at once */
    bool is_waiting, is_open, is_half_closed, is_reset, is_answered; /* is_answered: was closed before the stop */
    int wanted[PER_CLIENT], count;                                   /* indexes of requests */
    char text[PER_CLIENT * 80];
    size_t length, sent, received; /* of the text */
    size_t room;                   /* bytes that the socket takes from the server */
    char *got;
    size_t got_length;
} client;

static uint64_t seed;
static client clients[CLIENTS];
static int made, waiting; /* of the clients; of these, not yet accepted */
static bool is_listening;
static char large[LARGE];
static uf_pump pump;
static uf_time now;

static void fail_test(const char *what)
{
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, what);
    abort();
}

static void check(bool is_right, const char *what)
{
    if (!is_right) fail_test(what);
}

static uint32_t below(uint32_t most)
{
    static uint64_t state, of;

    if (of != seed) state = of = seed;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % most;
}

/* -- sockets ------------------------------------------------------------------------------------------------------- */

int __real_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
int __real_setsockopt(int fd, int level, int name, const void *value, socklen_t length);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t length);
ssize_t __real_recv(int fd, void *to, size_t size, int flags);
ssize_t __wrap_recv(int fd, void *to, size_t size, int flags);
ssize_t __real_send(int fd, const void *from, size_t size, int flags);
ssize_t __wrap_send(int fd, const void *from, size_t size, int flags);
ssize_t __wrap_sendfile64(int fd, int file, off_t *offset, size_t size);
ssize_t __wrap_sendfile(int fd, int file, off_t *offset, size_t size);
int __real_shutdown(int fd, int how);
int __wrap_shutdown(int fd, int how);
int __real_close(int fd);
int __wrap_close(int fd);

static client *client_of(int fd)
{
    check(fd < FIRST + made, "a socket that was never made");
    client *const c = &clients[fd - FIRST];
    check(c->is_open, "a socket that is closed");
    return c;
}

static ssize_t refuse(int error)
{
    errno = error;
    return -1;
}

int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    static const int errors[] = {EMFILE, ENFILE, ECONNABORTED, EINTR};

    if (fd != LISTENER) return __real_accept4(fd, address, length, flags);
    check(is_listening, "accept() after the end");
    if (below(16) == 0) return (int)refuse(errors[below(4)]);
    for (int i = 0; i < made; i++) {
        if (!clients[i].is_waiting) continue;
        clients[i].is_waiting = false;
        clients[i].is_open = true;
        waiting--;
        return FIRST + i;
    }
    return (int)refuse(EAGAIN);
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    return fd >= LISTENER ? 0 : __real_setsockopt(fd, level, name, value, length);
}

static bool is_readable(const client *c)
{
    return c->is_reset || c->received < c->sent || (c->is_half_closed && c->sent == c->length);
}

ssize_t __wrap_recv(int fd, void *to, size_t size, int flags)
{
    if (fd < LISTENER) return __real_recv(fd, to, size, flags);
    client *const c = client_of(fd);
    if (c->is_reset) return refuse(ECONNRESET);
    if (!is_readable(c)) return refuse(EAGAIN);
    size_t const there = c->sent - c->received, n = there < size ? there : size;
    memcpy(to, c->text + c->received, n);
    c->received += n;
    return (ssize_t)n;
}

static ssize_t put(client *c, size_t size)
{
    if (c->is_reset) return refuse(EPIPE);
    if (c->room == 0) return refuse(EAGAIN);
    size_t const n = size < c->room ? size : c->room;
    c->room -= n;
    c->got = realloc(c->got, c->got_length + n);
    check(c->got != NULL, "out of memory");
    c->got_length += n;
    return (ssize_t)n;
}

ssize_t __wrap_send(int fd, const void *from, size_t size, int flags)
{
    if (fd < LISTENER) return __real_send(fd, from, size, flags);
    client *const c = client_of(fd);
    ssize_t const n = put(c, size);
    if (n > 0) memcpy(c->got + c->got_length - n, from, (size_t)n);
    return n;
}

ssize_t __wrap_sendfile64(int fd, int file, off_t *offset, size_t size)
{
    client *const c = client_of(fd);
    ssize_t const n = put(c, size);
    if (n <= 0) return n;
    check(pread(file, c->got + c->got_length - n, (size_t)n, *offset) == n, "the file is too short");
    *offset += n;
    return n;
}

ssize_t __wrap_sendfile(int fd, int file, off_t *offset, size_t size)
{
    return __wrap_sendfile64(fd, file, offset, size);
}

int __wrap_shutdown(int fd, int how)
{
    if (fd < LISTENER) return __real_shutdown(fd, how);
    if (fd == LISTENER) is_listening = false;
    else (void)client_of(fd);
    return 0;
}

int __wrap_close(int fd)
{
    if (fd < LISTENER) return __real_close(fd);
    check(fd != LISTENER, "the listening socket belongs to the caller");
    client *const c = client_of(fd);
    c->is_open = false;
    c->is_answered = !uf_pump_stopping(&pump);
    return 0;
}

/* Reports events by level, like poll(). */
static void report(void *unused, int fd, int event)
{
    (void)unused;
    if (fd == LISTENER) {
        if (waiting > 0) (void)uf_pump_ready(&pump, fd, UF_READABLE);
        return;
    }
    client const *const c = client_of(fd);
    if (event == UF_READABLE ? is_readable(c) : c->is_reset || c->room > 0) (void)uf_pump_ready(&pump, fd, event);
}

static void run_round(void)
{
    (void)uf_pump_round(&pump, now);
    uf_pump_descriptors(&pump, report, NULL);
}

/* -- clients ------------------------------------------------------------------------------------------------------- */

static void connect_client(void)
{
    client *const c = &clients[made];

    *c = (client){.is_polite = below(2) == 0, .is_waiting = true};
    c->room = c->is_polite ? SIZE_MAX : below(20000);
    c->count = (int)(1 + below(PER_CLIENT));
    for (int i = 0; i < c->count; i++) {
        c->wanted[i] = c->is_polite && i == c->count - 1 ? CLOSING : (int)below(CLOSING);
        c->length += (size_t)sprintf(c->text + c->length, "%s", requests[c->wanted[i]]);
    }
    c->is_prompt = c->is_polite && below(2) == 0;
    if (c->is_polite) c->sent = c->is_prompt ? c->length : 1 + below((uint32_t)c->length);
    made++;
    waiting++;
}

static void send_more(client *c)
{
    size_t const left = c->length - c->sent;
    if (left > 0) c->sent += 1 + below((uint32_t)left);
}

static void act(client *c)
{
    if (c->is_polite) {
        c->sent = c->length;
        return;
    }
    switch (below(8)) {
    case 0: c->is_reset = below(3) == 0; break;
    case 1: c->is_half_closed = true; break;
    case 2:
    case 3: c->room += below(60000); break;
    case 4: break;
    default: send_more(c); break;
    }
}

/* In steps that are short beside the idle time, as a flow needs some rounds for a request. */
static void let_pass(int steps)
{
    for (; steps > 0; steps--) {
        now += UF_MS(1 + below(30));
        run_round();
    }
}

static void act_at_random(void)
{
    uint32_t const which = below(10);

    if (which == 0 && made < CLIENTS && is_listening) connect_client();
    else if (which < 7 && made > 0) act(&clients[below((uint32_t)made)]);
    else if (which == 7) let_pass(below(8) == 0 ? 40 : 1);
    run_round();
}

/* -- what the clients got ------------------------------------------------------------------------------------------ */

static size_t body_of(int wanted)
{
    return wanted == 1 ? LARGE : wanted == 2 ? 0 : wanted == 3 ? strlen("Not Found\n") : SMALL;
}

/* Returns: how many whole responses there are; checks their bytes. */
static int responses_of(const client *c)
{
    size_t at = 0;

    for (int i = 0; i < c->count; i++) {
        if (at == c->got_length) return i;
        const char *const head = c->got + at, *const end = memmem(head, c->got_length - at, "\r\n\r\n", 4);
        size_t const body = body_of(c->wanted[i]);
        check(end != NULL, "part of a head");
        check(memcmp(head, c->wanted[i] == 3 ? "HTTP/1.1 404" : "HTTP/1.1 200", 12) == 0, "another status");
        at = (size_t)(end + 4 - c->got);
        check(c->got_length - at >= body, "part of a body");
        if (c->wanted[i] != 3) check(body == 0 || memcmp(c->got + at, large, body) == 0, "other bytes");
        at += body;
    }
    check(at == c->got_length, "too many bytes");
    return c->count;
}

static void check_clients(bool has_time)
{
    for (int i = 0; i < made; i++) {
        client *const c = &clients[i];
        check(!c->is_open, "a connection was left open");
        if (c->is_polite && has_time) {
            int const got = responses_of(c);
            if (c->is_prompt && c->is_answered) check(got == c->count, "a response is missing");
        }
        free(c->got);
    }
}

/* -- one seed ------------------------------------------------------------------------------------------------------ */

static void run_seed(http_site *site)
{
    server_options const options = {
        .connections = (int)(1 + below(CLIENTS)), .idle_ms = 700, .linger_ms = 200, .stop_ms = (int)(below(3) * 400)};
    uf_stop stop;
    bool const is_cancelled = below(8) == 0;
    uint32_t const actions = below(ACTIONS);
    Server *const server = calloc(1, sizeof *server); /* untouched members cost nothing */

    check(server != NULL, "out of memory");
    made = waiting = 0;
    is_listening = true;
    now = 0;
    check(uf_pump_init(&pump, NULL) == UF_OK, "uf_pump_init()");
    check(Server_init(server, &pump, "server", LISTENER, site, &options) == UF_OK, "Server_init()");
    check(Server_start_Accept(server) == UF_OK, "start");
    for (uint32_t i = 0; i < actions; i++) act_at_random();
    if (is_cancelled) {
        (void)Server_connections_cancel_all(server);
        (void)uf_flow_cancel(&server->uf);
        for (int i = 0; i < 3; i++) run_round();
    }
    check(uf_pump_stop(&pump, &stop, 2 * UF_MS(options.stop_ms)) == UF_OK, "uf_pump_stop()");
    while (!uf_pump_stopped(&pump)) act_at_random();
    check(Server_connections_busy(server) == 0, "a member still runs");
    check(Server_destroy(server) == UF_OK, "Server_destroy()");
    free(server);
    check(uf_pump_destroy(&pump) == UF_OK, "uf_pump_destroy()");
    check_clients(!is_cancelled && stop.report.cancelled == 0);
}

static void make_files(char *folder)
{
    char path[200];

    for (size_t i = 0; i < LARGE; i++) large[i] = (char)(i * 2654435761u >> 13);
    check(mkdtemp(folder) != NULL, "mkdtemp()");
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, i == 0 ? "small" : "large");
        FILE *const file = fopen(path, "wb");
        size_t const size = i == 0 ? SMALL : LARGE;
        check(file != NULL && fwrite(large, 1, size, file) == size && fclose(file) == 0, "a file");
    }
}

int main(int argc, char **argv)
{
    static http_site site;
    char folder[] = "/tmp/http_simulated_XXXXXX", path[200];

    if (argc != 3) return fprintf(stderr, "usage: http_simulated FIRST COUNT\n"), 2;
    make_files(folder);
    check(http_site_open(&site, folder), "http_site_open()");
    uint64_t const first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (seed = first; seed < first + count; seed++) run_seed(&site);
    http_site_close(&site);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, i == 0 ? "small" : "large");
        (void)unlink(path);
    }
    (void)rmdir(folder);
    printf("%llu seeds\n", (unsigned long long)count);
    return 0;
}
