#define _DEFAULT_SOURCE /* getentropy() */
#include "feed_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wslay/wslay.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* SO_NOSIGPIPE has the same effect there */
#endif

enum { LENGTH_SIZE = 2, READ_AT_ONCE = 4096, READ_A_SERVICE = 8 * READ_AT_ONCE, RESPONSE_SIZE = 4096 };

static const char closed_well[] = "closed";

static const feed_limits default_limits = {.connect = 5000, .close = 1000, .ping = 5000, .dead = 10000};

/* -- closing ------------------------------------------------------------------------------------------------------- */

/* Keeps the first reason: later ones are mostly its consequences. */
__attribute__((format(printf, 2, 3))) static void note_reason(feed_socket *socket, const char *format, ...)
{
    if (socket->reason[0] != '\0') return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(socket->reason, sizeof socket->reason, format, arguments);
    va_end(arguments);
    for (char *at = socket->reason; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?'; /* may contain text of the peer: removes control
                                                                 * characters */
    }
}

static void go_down(feed_socket *socket)
{
    if (socket->state == FEED_DOWN) return;
    if (socket->frames != NULL) wslay_event_context_free(socket->frames);
    if (socket->fd >= 0) close(socket->fd);
    socket->frames = NULL;
    socket->fd = -1;
    if (socket->state == FEED_CONNECTING) socket->head = socket->tail = 0; /* text of the handshake, no messages */
    socket->state = FEED_DOWN;
}

static void fail_with_errno(feed_socket *socket, const char *what)
{
    note_reason(socket, "%s: %s", what, strerror(errno));
    go_down(socket);
}

void feed_socket_drop(feed_socket *socket, const char *reason)
{
    if (socket->state == FEED_DOWN) return;
    note_reason(socket, "%s", reason);
    go_down(socket);
}

const char *feed_socket_reason(const feed_socket *socket)
{
    return socket->reason;
}

/* -- the inbox ----------------------------------------------------------------------------------------------------- */

/* There is room for one more read: the rest of a message that has begun, and a read full of whole ones. */
static bool has_room(const feed_socket *socket)
{
    size_t const used = socket->tail - socket->head;
    return sizeof socket->inbox - used >= LENGTH_SIZE + FEED_MESSAGE_SIZE + READ_AT_ONCE;
}

static void keep_message(feed_socket *socket, const uint8_t *text, size_t length)
{
    if (socket->tail + LENGTH_SIZE + length > sizeof socket->inbox) {
        memmove(socket->inbox, socket->inbox + socket->head, socket->tail - socket->head);
        socket->tail -= socket->head;
        socket->head = 0;
    }
    uint16_t const stored = (uint16_t)length;
    memcpy(socket->inbox + socket->tail, &stored, LENGTH_SIZE);
    if (length > 0) memcpy(socket->inbox + socket->tail + LENGTH_SIZE, text, length);
    socket->tail += LENGTH_SIZE + length;
}

bool feed_socket_next(feed_socket *socket, char message[FEED_MESSAGE_SIZE])
{
    uint16_t length;
    if (socket->state == FEED_CONNECTING || socket->head == socket->tail) return false;
    memcpy(&length, socket->inbox + socket->head, LENGTH_SIZE);
    memcpy(message, socket->inbox + socket->head + LENGTH_SIZE, length);
    message[length] = '\0';
    socket->head += LENGTH_SIZE + (size_t)length;
    if (socket->head == socket->tail) socket->head = socket->tail = 0;
    return true;
}

/* -- callbacks of wslay -------------------------------------------------------------------------------------------- */

static ssize_t give_bytes(wslay_event_context_ptr frames, uint8_t *bytes, size_t size, int flags, void *user)
{
    feed_socket *const socket = user;
    (void)flags;
    if (socket->budget == 0 || (socket->state == FEED_OPEN && !has_room(socket))) {
        wslay_event_set_error(frames, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    size_t const most = socket->budget < READ_AT_ONCE ? socket->budget : READ_AT_ONCE;
    ssize_t const got = recv(socket->fd, bytes, size < most ? size : most, 0);
    if (got > 0) {
        socket->budget -= (size_t)got;
        socket->heard = socket->now;
        socket->pinged = false;
        return got;
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
        wslay_event_set_error(frames, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    if (got == 0) note_reason(socket, "the peer dropped the connection");
    if (got < 0) note_reason(socket, "the connection broke: %s", strerror(errno));
    wslay_event_set_error(frames, WSLAY_ERR_CALLBACK_FAILURE);
    return -1;
}

static ssize_t take_bytes(wslay_event_context_ptr frames, const uint8_t *bytes, size_t size, int flags, void *user)
{
    feed_socket *const socket = user;
    (void)flags;
    ssize_t const put = send(socket->fd, bytes, size, MSG_NOSIGNAL);
    if (put > 0) return put;
    if (put < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        note_reason(socket, "the connection broke: %s", strerror(errno));
        wslay_event_set_error(frames, WSLAY_ERR_CALLBACK_FAILURE);
    } else {
        wslay_event_set_error(frames, WSLAY_ERR_WOULDBLOCK);
    }
    return -1;
}

static int make_mask(wslay_event_context_ptr frames, uint8_t *mask, size_t size, void *user)
{
    (void)user;
    if (getentropy(mask, size) == 0) return 0;
    wslay_event_set_error(frames, WSLAY_ERR_CALLBACK_FAILURE);
    return -1;
}

static void take_message(wslay_event_context_ptr frames, const struct wslay_event_on_msg_recv_arg *message, void *user)
{
    feed_socket *const socket = user;
    (void)frames;
    if (message->opcode == WSLAY_CONNECTION_CLOSE) {
        if (socket->state != FEED_OPEN) return; /* the answer to our close frame */
        size_t const code_size = 2;
        int const length = message->msg_length > code_size ? (int)(message->msg_length - code_size) : 0;
        const char *const text = length > 0 ? (const char *)message->msg + code_size : "";
        note_reason(socket, "the peer closed: %u%s%.*s", (unsigned)message->status_code, length > 0 ? " " : "", length,
                    text);
    } else if (!wslay_is_ctrl_frame(message->opcode) && socket->state == FEED_OPEN) {
        keep_message(socket, message->msg, message->msg_length);
    }
}

/* -- connecting ---------------------------------------------------------------------------------------------------- */

static bool begin_to_connect(feed_socket *it, const ws_address *address)
{
    struct addrinfo const hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char port[8];
    snprintf(port, sizeof port, "%u", (unsigned)address->port);
    const char *const host = strcmp(address->host, "localhost") == 0 ? "127.0.0.1" : address->host;
    if (getaddrinfo(host, port, &hints, &found) != 0) {
        note_reason(it, "%s is no numeric address: a name would have to be looked up first", address->host);
        return false;
    }
    int const yes = 1;
    bool begun = false;
    it->fd = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (it->fd >= 0 && fcntl(it->fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(it->fd, F_SETFL, O_NONBLOCK) == 0) {
        (void)setsockopt(it->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#ifdef SO_NOSIGPIPE
        (void)setsockopt(it->fd, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
        begun = connect(it->fd, found->ai_addr, found->ai_addrlen) == 0 || errno == EINPROGRESS;
    }
    if (!begun) note_reason(it, "cannot connect: %s", strerror(errno));
    freeaddrinfo(found);
    return begun;
}

bool feed_socket_open(feed_socket *socket, const char *url, const feed_limits *limits, int64_t now)
{
    ws_address address;
    feed_socket_drop(socket, "opened anew");
    *socket = (feed_socket){.state = FEED_CONNECTING, .fd = -1, .limits = default_limits, .heard = now, .now = now};
    if (limits != NULL) {
        if (limits->connect > 0) socket->limits.connect = limits->connect;
        if (limits->close > 0) socket->limits.close = limits->close;
        if (limits->ping > 0) socket->limits.ping = limits->ping;
        if (limits->dead > 0) socket->limits.dead = limits->dead;
    }
    socket->deadline = now + socket->limits.connect;
    bool good = ws_address_read(&address, url, socket->reason, sizeof socket->reason);
    if (good) {
        socket->outgoing = ws_request_write(&address, socket->key, socket->request, sizeof socket->request);
        good = socket->outgoing > 0;
        if (!good) note_reason(socket, "the request does not fit, or there is no randomness");
    }
    good = good && begin_to_connect(socket, &address);
    if (!good) go_down(socket);
    return good;
}

/* Sends as much of the request as possible. Returns: false while some is left, or if the connection ended. */
static bool send_request(feed_socket *socket)
{
    int failure = 0;
    socklen_t size = sizeof failure;
    if (getsockopt(socket->fd, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure != 0) {
        errno = failure;
        fail_with_errno(socket, "cannot connect");
        return false;
    }
    while (socket->sent < socket->outgoing) {
        ssize_t const put =
            send(socket->fd, socket->request + socket->sent, socket->outgoing - socket->sent, MSG_NOSIGNAL);
        if (put < 0) {
            bool const not_yet = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN || errno == EINTR;
            if (!not_yet) fail_with_errno(socket, "cannot connect");
            return false;
        }
        socket->sent += (size_t)put;
    }
    return true;
}

/* Reads the response up to its empty line, and no further: the rest belongs to wslay. */
static bool receive_response(feed_socket *socket)
{
    char *const text = socket->inbox;
    for (;;) {
        ssize_t const seen = recv(socket->fd, text + socket->tail, RESPONSE_SIZE - 1 - socket->tail, MSG_PEEK);
        if (seen < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
        if (seen < 0) {
            fail_with_errno(socket, "no answer");
            return false;
        }
        if (seen == 0) {
            feed_socket_drop(socket, socket->tail == RESPONSE_SIZE - 1 ? "the answer is too long"
                                                                       : "the peer hung up instead of an answer");
            return false;
        }
        text[socket->tail + (size_t)seen] = '\0';
        size_t const length = strlen(text);
        if (length < socket->tail + (size_t)seen || strncmp(text, "HTTP/", length < 5 ? length : 5) != 0) {
            feed_socket_drop(socket, "the peer does not speak HTTP");
            return false;
        }
        char *const end = strstr(text, "\r\n\r\n");
        size_t const wanted = end != NULL ? (size_t)(end + 4 - text) - socket->tail : (size_t)seen;
        ssize_t const got = recv(socket->fd, text + socket->tail, wanted, 0);
        if (got <= 0) return false; /* found by a peek just before */
        socket->tail += (size_t)got;
        text[socket->tail] = '\0';
        if (end != NULL && (size_t)got == wanted) return true;
    }
}

static void begin_frames(feed_socket *socket)
{
    static const struct wslay_event_callbacks callbacks = {.recv_callback = give_bytes,
                                                           .send_callback = take_bytes,
                                                           .genmask_callback = make_mask,
                                                           .on_msg_recv_callback = take_message};
    if (!ws_response_check(socket->inbox, socket->key, socket->reason, sizeof socket->reason)) {
        go_down(socket);
    } else if (wslay_event_context_client_init(&socket->frames, &callbacks, socket) != 0) {
        feed_socket_drop(socket, "out of memory");
    } else {
        wslay_event_config_set_max_recv_msg_length(socket->frames, FEED_MESSAGE_SIZE - 1);
        socket->head = socket->tail = 0;
        socket->heard = socket->now;
        socket->state = FEED_OPEN;
    }
}

/* -- service ------------------------------------------------------------------------------------------------------- */

static void begin_to_close(feed_socket *socket)
{
    socket->state = FEED_CLOSING;
    socket->deadline = socket->now + socket->limits.close;
}

/* Both sides have sent their close frames; now the peer, as the server, closes the connection. */
static void wait_for_the_end(feed_socket *socket)
{
    char rest[READ_AT_ONCE];
    ssize_t const got = recv(socket->fd, rest, sizeof rest, 0);
    if (got > 0) return; /* its earlier messages: reads the rest next time */
    if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) feed_socket_drop(socket, closed_well);
}

static void exchange_frames(feed_socket *socket)
{
    struct wslay_event_context *const frames = socket->frames;
    if (wslay_event_want_read(frames) && wslay_event_recv(frames) != 0) {
        note_reason(socket, "out of memory");
        go_down(socket);
        return;
    }
    bool const refused = !wslay_event_get_read_enabled(frames) && !wslay_event_get_close_received(frames);
    if (socket->state == FEED_OPEN && !wslay_event_get_read_enabled(frames)) begin_to_close(socket);
    if (wslay_event_get_queued_msg_count(frames) > 2 * FEED_OUTBOX_COUNT) {
        feed_socket_drop(socket, "the peer asks, and does not take the answers");
        return;
    }
    if (wslay_event_want_write(frames) && wslay_event_send(frames) != 0) {
        note_reason(socket, "out of memory");
        go_down(socket);
        return;
    }
    bool const sent = wslay_event_get_close_sent(frames);
    if (refused && sent) { /* wslay refused the input, so there is no answer to wait for */
        bool const too_long = wslay_event_get_status_code_sent(frames) == WSLAY_CODE_MESSAGE_TOO_BIG;
        feed_socket_drop(socket, too_long ? "a message was too long" : "the peer broke the protocol");
    } else if (sent && wslay_event_get_close_received(frames)) {
        wait_for_the_end(socket);
    }
}

/* Has the peer been silent for too long? Time in which we do not read does not count. */
static void watch_for_life(feed_socket *socket)
{
    if (!has_room(socket)) socket->heard = socket->now;
    int64_t const silence = socket->now - socket->heard;
    if (silence >= socket->limits.dead) {
        note_reason(socket, "no sign of life from the peer for %d ms", socket->limits.dead);
        go_down(socket);
    } else if (silence >= socket->limits.ping && !socket->pinged) {
        struct wslay_event_msg const ping = {.opcode = WSLAY_PING};
        socket->pinged = true;
        (void)wslay_event_queue_msg(socket->frames, &ping);
        if (wslay_event_send(socket->frames) != 0) go_down(socket);
    }
}

feed_state feed_socket_service(feed_socket *socket, int64_t now)
{
    socket->now = now;
    socket->budget = READ_A_SERVICE;
    if (socket->state == FEED_CONNECTING) {
        if (!socket->asked) socket->asked = send_request(socket);
        if (socket->asked && socket->state == FEED_CONNECTING && receive_response(socket)) begin_frames(socket);
    }
    if (socket->state == FEED_OPEN || socket->state == FEED_CLOSING) exchange_frames(socket);
    if (socket->state == FEED_OPEN) watch_for_life(socket);
    if (socket->state == FEED_CONNECTING && now >= socket->deadline) {
        note_reason(socket, "no answer within %d ms", socket->limits.connect);
        go_down(socket);
    }
    if (socket->state == FEED_CLOSING && now >= socket->deadline) {
        bool const answered = wslay_event_get_close_received(socket->frames);
        note_reason(socket, "%s within %d ms",
                    answered ? "the peer did not hang up" : "the peer did not answer the close", socket->limits.close);
        go_down(socket);
    }
    return socket->state;
}

bool feed_socket_send(feed_socket *socket, const char *message)
{
    struct wslay_event_msg const text = {
        .opcode = WSLAY_TEXT_FRAME, .msg = (const uint8_t *)message, .msg_length = strlen(message)};
    if (socket->state != FEED_OPEN) return false;
    if (wslay_event_get_queued_msg_count(socket->frames) >= FEED_OUTBOX_COUNT) return false;
    return wslay_event_queue_msg(socket->frames, &text) == 0;
}

void feed_socket_close(feed_socket *socket, int64_t now)
{
    if (socket->state == FEED_CONNECTING) feed_socket_drop(socket, "closed while connecting");
    if (socket->state != FEED_OPEN) return;
    socket->now = now;
    begin_to_close(socket);
    if (wslay_event_queue_close(socket->frames, WSLAY_CODE_NORMAL_CLOSURE, NULL, 0) != 0) go_down(socket);
}

bool feed_socket_closed_well(const feed_socket *socket)
{
    return socket->state == FEED_DOWN && strcmp(socket->reason, closed_well) == 0;
}

/* -- events to wait for -------------------------------------------------------------------------------------------- */

int feed_socket_fd(const feed_socket *socket)
{
    return socket->state == FEED_DOWN ? -1 : socket->fd;
}

bool feed_socket_wants_read(const feed_socket *socket)
{
    switch (socket->state) {
    case FEED_DOWN: return false;
    case FEED_CONNECTING: return socket->asked;
    case FEED_OPEN: return has_room(socket);
    case FEED_CLOSING:
        return wslay_event_want_read(socket->frames) ||
               (wslay_event_get_close_sent(socket->frames) && wslay_event_get_close_received(socket->frames));
    }
    return false;
}

bool feed_socket_wants_write(const feed_socket *socket)
{
    switch (socket->state) {
    case FEED_DOWN: return false;
    case FEED_CONNECTING: return !socket->asked;
    case FEED_OPEN:
    case FEED_CLOSING: return wslay_event_want_write(socket->frames);
    }
    return false;
}

int feed_socket_wait(const feed_socket *socket, int64_t now)
{
    int64_t until = socket->deadline;
    if (socket->state == FEED_DOWN) return -1;
    if (socket->state == FEED_OPEN) {
        if (!has_room(socket)) return -1;
        bool const ask_first = !socket->pinged && socket->limits.ping < socket->limits.dead;
        until = socket->heard + (ask_first ? socket->limits.ping : socket->limits.dead);
    }
    return until <= now ? 0 : (int)(until - now);
}
