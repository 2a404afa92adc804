/* SPDX-License-Identifier: MIT */
/* tftp_epoll.c - the TFTP client and server of examples/14_tftp, written by hand: one thread and an epoll loop. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tftp_command.h"
#include "tftp_socket.h"

enum { EVENTS = 64, TRANSFERS = 256, TRIES = 5, WAIT_MS = 250, WAIT_MAX_MS = 4000, PARTIAL_MAX = TFTP_NAME_MAX + 8 };

typedef struct transfer {
    int socket, file;
    struct sockaddr_in peer;
    bool is_server, is_sender, is_final; /* is_final: the last block was sent */
    enum { REQUESTED, RUNNING, DALLYING } state;
    uint16_t block; /* sent and not acknowledged, or received last */
    size_t block_size;
    int64_t offset, deadline;
    int first_wait, wait, tries; /* milliseconds; retransmissions of the last packet */
    tftp_options asked;
    size_t out_length;
    uint8_t out[TFTP_PACKET_MAX]; /* the last packet, for retransmission */
    char name[TFTP_NAME_MAX], partial[PARTIAL_MAX];
} transfer;

static struct {
    int epoll, listener, signals, directory;
    int64_t now;
    int active, failed;
    bool is_stopping;
    transfer *all[TRANSFERS];
} g;

static int64_t milliseconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* -- transfers ----------------------------------------------------------------------------------------------------- */

static void close_file(transfer *t)
{
    if (t->file >= 0) (void)close(t->file);
    t->file = -1;
}

/* A received file that is still open is incomplete. */
static void end_transfer(transfer *t, const char *problem)
{
    if (problem != NULL) {
        fprintf(stderr, "%s: %s\n", t->name, problem);
        g.failed++;
    }
    if (!t->is_sender && t->file >= 0) (void)unlinkat(g.directory, t->partial, 0);
    close_file(t);
    tftp_close(t->socket);
    for (int i = 0; i < TRANSFERS; i++) {
        if (g.all[i] == t) g.all[i] = NULL;
    }
    g.active--;
    free(t);
}

static void refuse(transfer *t, enum tftp_error code, const char *message)
{
    tftp_send_error(t->socket, code, message, &t->peer);
    end_transfer(t, message);
}

/* Sends `out`, and again until there is an answer. */
static void send_new(transfer *t, size_t length)
{
    t->out_length = length;
    t->tries = 0;
    t->wait = t->first_wait;
    t->deadline = g.now + t->wait;
    tftp_send(t->socket, t->out, length, &t->peer);
}

static void send_block(transfer *t)
{
    ssize_t const n = pread(t->file, t->out + TFTP_HEAD, t->block_size, t->offset);

    if (n < 0) {
        refuse(t, TFTP_UNDEFINED, strerror(errno));
        return;
    }
    t->offset += n;
    t->is_final = (size_t)n < t->block_size;
    send_new(t, tftp_encode_data(t->out, ++t->block, (size_t)n));
}

static void expire(transfer *t)
{
    if (t->state == DALLYING) {
        end_transfer(t, NULL);
    } else if (++t->tries == TRIES) {
        end_transfer(t, "no answer");
    } else {
        t->wait = t->wait < WAIT_MAX_MS / 2 ? t->wait * 2 : WAIT_MAX_MS;
        t->deadline = g.now + t->wait;
        tftp_send(t->socket, t->out, t->out_length, &t->peer);
    }
}

/* A duplicate is ignored, or each packet would be sent twice from then on (the Sorcerer's Apprentice). */
static void take_ack(transfer *t, uint16_t block)
{
    if (!t->is_sender || block != t->block) return;
    if (t->is_final) end_transfer(t, NULL);
    else send_block(t);
}

static void take_data(transfer *t, const tftp_packet *packet)
{
    if (t->is_sender || packet->length > t->block_size) {
        refuse(t, TFTP_ILLEGAL, "illegal packet");
        return;
    }
    if (packet->number == t->block)
        tftp_send(t->socket, t->out, t->out_length, &t->peer); /* a duplicate: ACK was lost */
    if (packet->number != (uint16_t)(t->block + 1) || t->state == DALLYING) return;
    if (pwrite(t->file, packet->data, packet->length, t->offset) != (ssize_t)packet->length) {
        refuse(t, TFTP_FULL, "cannot write");
        return;
    }
    bool const is_last = packet->length < t->block_size;
    if (is_last && renameat(g.directory, t->partial, g.directory, t->name) != 0) {
        refuse(t, TFTP_UNDEFINED, strerror(errno));
        return;
    }
    t->offset += (int64_t)packet->length;
    t->block++;
    send_new(t, tftp_encode_ack(t->out, t->block));
    if (is_last) { /* stays, to acknowledge the last block again if this ACK is lost */
        close_file(t);
        t->state = DALLYING;
        t->deadline = g.now + 4 * t->first_wait;
    }
}

static void take_options(transfer *t, const tftp_options *granted)
{
    if (!tftp_accepts(&t->asked, granted)) {
        refuse(t, TFTP_REFUSED_OPTION, "options that were not asked for");
        return;
    }
    if (granted->block_size > 0) t->block_size = (size_t)granted->block_size;
    if (t->is_sender) send_block(t);
    else send_new(t, tftp_encode_ack(t->out, 0));
}

/* A client's first answer comes from the port that the server has chosen for the transfer. */
static bool is_peer(transfer *t, const struct sockaddr_in *from)
{
    if (from->sin_addr.s_addr != t->peer.sin_addr.s_addr) return false;
    if (t->state == REQUESTED) t->peer.sin_port = from->sin_port;
    return from->sin_port == t->peer.sin_port;
}

static void receive(transfer *t)
{
    uint8_t bytes[TFTP_RECEIVE_MAX];
    struct sockaddr_in from;
    tftp_packet packet;
    int const n = tftp_receive(t->socket, bytes, &from);

    if (n < 0 || !tftp_decode(&packet, bytes, (size_t)n)) return;
    if (!is_peer(t, &from)) {
        if (packet.opcode != TFTP_ERROR) tftp_send_error(t->socket, TFTP_UNKNOWN_TID, "unknown transfer ID", &from);
        return;
    }
    bool const is_first = t->state == REQUESTED;
    if (is_first) t->state = RUNNING;
    switch (packet.opcode) {
    case TFTP_DATA: take_data(t, &packet); break;
    case TFTP_ACK: take_ack(t, packet.number); break;
    case TFTP_OACK:
        if (is_first) take_options(t, &packet.options);
        else if (!t->is_server && !t->is_sender && t->block == 0) tftp_send(t->socket, t->out, t->out_length, &t->peer);
        break;
    case TFTP_ERROR: end_transfer(t, packet.text); break;
    case TFTP_READ:
    case TFTP_WRITE: refuse(t, TFTP_ILLEGAL, "illegal packet"); break;
    }
}

/* -- beginnings ---------------------------------------------------------------------------------------------------- */

static bool watch(int fd, void *what)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

    return fd >= 0 && epoll_ctl(g.epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Returns: NULL if there is no place or no memory. */
static transfer *new_transfer(const char *name, const struct sockaddr_in *peer, bool is_server, bool is_sender)
{
    static unsigned count;
    transfer *const t = calloc(1, sizeof *t);
    int at = 0;

    while (at < TRANSFERS && g.all[at] != NULL) at++;
    if (t == NULL || at == TRANSFERS) {
        free(t);
        return NULL;
    }
    g.all[at] = t;
    g.active++;
    t->peer = *peer;
    t->is_server = is_server;
    t->is_sender = is_sender;
    t->state = is_server ? RUNNING : REQUESTED;
    t->block_size = TFTP_BLOCK_DEFAULT;
    t->first_wait = WAIT_MS;
    t->socket = tftp_open(INADDR_ANY, 0);
    (void)snprintf(t->name, sizeof t->name, "%s", name);
    (void)snprintf(t->partial, sizeof t->partial, ".%ld.%u.part", (long)getpid(), ++count);
    t->file = openat(g.directory, is_sender ? t->name : t->partial,
                     (is_sender ? O_RDONLY | O_NONBLOCK : O_WRONLY | O_CREAT | O_TRUNC) | O_NOFOLLOW | O_CLOEXEC, 0666);
    return t;
}

static void serve_request(const tftp_packet *packet, const struct sockaddr_in *from)
{
    struct stat about = {0};
    transfer *const t = new_transfer(packet->text, from, true, packet->opcode == TFTP_READ);

    if (t == NULL) {
        tftp_send_error(g.listener, TFTP_UNDEFINED, "busy", from);
        return;
    }
    if (t->file < 0 || fstat(t->file, &about) != 0) {
        refuse(t, tftp_code_of(errno), strerror(errno));
    } else if (!S_ISREG(about.st_mode)) {
        refuse(t, TFTP_ACCESS, "not a file");
    } else if (!watch(t->socket, t)) {
        tftp_send_error(g.listener, TFTP_UNDEFINED, "busy", from);
        end_transfer(t, "no socket");
    } else {
        tftp_options const granted = tftp_grant(&packet->options, packet->opcode, about.st_size);
        if (granted.block_size > 0) t->block_size = (size_t)granted.block_size;
        if (granted.timeout_s > 0) t->first_wait = granted.timeout_s * 1000;
        if (tftp_has_options(&granted)) send_new(t, tftp_encode_oack(t->out, &granted));
        else if (t->is_sender) send_block(t);
        else send_new(t, tftp_encode_ack(t->out, 0));
    }
}

static void receive_request(void)
{
    uint8_t bytes[TFTP_RECEIVE_MAX];
    struct sockaddr_in from;
    tftp_packet packet;
    int const n = tftp_receive(g.listener, bytes, &from);

    if (n < 0) return;
    bool const is_good = tftp_decode(&packet, bytes, (size_t)n);
    if (is_good && packet.opcode == TFTP_ERROR) return; /* never answered */
    if (!is_good || (packet.opcode != TFTP_READ && packet.opcode != TFTP_WRITE) || !packet.is_octet) {
        tftp_send_error(g.listener, TFTP_ILLEGAL, "expected a request in mode octet", &from);
    } else if (!tftp_is_plain_name(packet.text)) {
        tftp_send_error(g.listener, TFTP_ACCESS, "not a plain name", &from);
    } else {
        serve_request(&packet, &from);
    }
}

static void request(const char *name, const tftp_command *command)
{
    struct stat about = {0};
    transfer *const t =
        tftp_is_plain_name(name) ? new_transfer(name, &command->server, false, command->opcode == TFTP_WRITE) : NULL;

    if (t == NULL) {
        fprintf(stderr, "%s: not a plain name, or too many transfers\n", name);
        g.failed++;
    } else if (t->file < 0 || fstat(t->file, &about) != 0) {
        end_transfer(t, strerror(errno));
    } else if (!watch(t->socket, t)) {
        end_transfer(t, "no socket");
    } else {
        t->asked =
            (tftp_options){.block_size = command->block_size, .size = command->block_size > 0 ? about.st_size : -1};
        send_new(t, tftp_encode_request(t->out, command->opcode, name, &t->asked));
    }
}

/* -- the loop ------------------------------------------------------------------------------------------------------ */

/* Handles what is due. Returns: milliseconds until the next deadline; -1: there is none. */
static int expire_all(void)
{
    int64_t next = INT64_MAX;

    for (int i = 0; i < TRANSFERS; i++) {
        if (g.all[i] == NULL) continue;
        bool const is_ending = g.is_stopping && g.all[i]->state == DALLYING;
        if (is_ending || g.all[i]->deadline <= g.now) expire(g.all[i]);
        if (g.all[i] != NULL && g.all[i]->deadline < next) next = g.all[i]->deadline;
    }
    return next == INT64_MAX ? -1 : (int)(next - g.now);
}

/* A server stops when a signal has come and its transfers have ended; a client, when its transfers have. */
static void run(void)
{
    struct epoll_event events[EVENTS];

    while (g.active > 0 || (g.listener >= 0 && !g.is_stopping)) {
        g.now = milliseconds();
        int const timeout = expire_all();
        if (timeout < 0 && (g.listener < 0 || g.is_stopping)) break;
        int const count = epoll_wait(g.epoll, events, EVENTS, timeout);
        g.now = milliseconds();
        for (int i = 0; i < count; i++) { /* a transfer has one event, and nothing else ends it */
            void *const what = events[i].data.ptr;
            if (what == &g.listener) {
                if (!g.is_stopping) receive_request();
            } else if (what == &g.signals) {
                if (g.is_stopping) return;
                g.is_stopping = true;
                (void)epoll_ctl(g.epoll, EPOLL_CTL_DEL, g.listener, NULL);
                struct signalfd_siginfo unused;
                (void)!read(g.signals, &unused, sizeof unused);
            } else {
                receive(what);
            }
        }
    }
}

static int begin_server(uint16_t port)
{
    g.listener = tftp_open(INADDR_LOOPBACK, port);
    if (!watch(g.listener, &g.listener)) {
        perror("server");
        return 1;
    }
    printf("listening on port %d\n", tftp_port(g.listener));
    return fflush(stdout);
}

static int watch_signals(void)
{
    sigset_t ends;

    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    return sigprocmask(SIG_BLOCK, &ends, NULL) == 0 ? signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC) : -1;
}

int main(int argc, char **argv)
{
    tftp_command command;

    if (!tftp_command_of(&command, argc, argv)) return 2;
    g.directory = command.directory;
    g.now = milliseconds();
    g.listener = -1;
    g.epoll = epoll_create1(EPOLL_CLOEXEC);
    g.signals = watch_signals();
    if (!watch(g.signals, &g.signals)) {
        perror("cannot begin");
        return 1;
    }
    if (command.is_server && begin_server(ntohs(command.server.sin_port)) != 0) return 1;
    for (char **name = command.names; name != NULL && *name != NULL; name++) request(*name, &command);
    run();
    for (int i = 0; i < TRANSFERS; i++) {
        if (g.all[i] == NULL) continue;
        if (g.all[i]->state == DALLYING) end_transfer(g.all[i], NULL);
        else refuse(g.all[i], TFTP_UNDEFINED, "stopped");
    }
    tftp_close(g.listener);
    (void)close(g.signals);
    (void)close(g.epoll);
    (void)close(g.directory);
    return !command.is_server && g.failed > 0 ? 1 : 0;
}
