/* feed_socket.h - a WebSocket connection that its caller drives. It reports the descriptor and the events to wait for.
 * It never blocks, starts a thread, or reads a clock.
 *
 * wslay encodes the frames and leaves the waiting to its caller. Debian's libwebsockets is built without its external
 * poll, its libcurl without ws, and libsoup needs its own GMainContext and threads.
 *
 * Thread: one at a time. `now` is monotonic time in milliseconds, from the same clock in every call. */
#ifndef FEED_SOCKET_H
#define FEED_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws_handshake.h"

enum {
    FEED_MESSAGE_SIZE = 1024, /* the longest accepted message, with its NUL */
    FEED_REASON_SIZE = 96,
    FEED_INBOX_SIZE = 16 * 1024, /* if full, no more is read, and TCP holds the peer back */
    FEED_OUTBOX_COUNT = 64
};

typedef enum feed_state {
    FEED_DOWN, /* no connection: see feed_socket_reason(), unless there never was one */
    FEED_CONNECTING,
    FEED_OPEN,
    FEED_CLOSING /* one side has sent a close frame: no more messages */
} feed_state;

/* In milliseconds; 0: the default. */
typedef struct feed_limits {
    int connect; /* from open to FEED_OPEN: 5000 */
    int close;   /* from the first close frame to the end: 1000 */
    int ping;    /* silence after which a ping is sent: 5000 */
    int dead;    /* silence after which the connection fails: 10000 */
} feed_limits;

/* All zero: down. The caller owns it, and must not move it unless it is down. */
typedef struct feed_socket {
    feed_state state;
    int fd; /* only while it is not down */
    struct wslay_event_context *frames;
    feed_limits limits;
    int64_t deadline; /* of connecting and of closing */
    int64_t heard;    /* when the peer last sent anything */
    int64_t now;
    bool pinged, asked;    /* the ping or request was sent */
    size_t budget;         /* bytes that this service may still read, so that it ends even if the peer floods */
    size_t head, tail;     /* of the used part of `inbox`: messages, or text of the handshake */
    size_t outgoing, sent; /* of `request` */
    char key[WS_KEY_SIZE];
    char request[512];
    char inbox[FEED_INBOX_SIZE]; /* for each message its length in two bytes, then the text */
    char reason[FEED_REASON_SIZE];
} feed_socket;

/* Begins to connect to "ws://host[:port][/path]"; the host is numeric or localhost. `limits` may be NULL. Drops an open
 * connection, and unread messages of an earlier one. Returns: false if it is already down, with a reason;
 * feed_socket_service() may also report that later. */
bool feed_socket_open(feed_socket *socket, const char *url, const feed_limits *limits, int64_t now);

/* Returns what to wait for before the next service: the descriptor, its events, and a time in milliseconds; -1: no
 * limit. Ask again after each service, send or close. There is nothing to wait for when it is down. */
int feed_socket_fd(const feed_socket *socket);
bool feed_socket_wants_read(const feed_socket *socket);
bool feed_socket_wants_write(const feed_socket *socket);
int feed_socket_wait(const feed_socket *socket, int64_t now);

/* Sends, receives and checks timeouts, without blocking. You may call it at any time. */
feed_state feed_socket_service(feed_socket *socket, int64_t now);

/* Takes the next message in order, as NUL-terminated text (a NUL within ends it early). Messages received before the
 * connection ended can still be taken. Returns: false if there is none. */
bool feed_socket_next(feed_socket *socket, char message[FEED_MESSAGE_SIZE]);

/* Queues a text, which the next service sends. Returns: false if the connection is not open, or if FEED_OUTBOX_COUNT
 * messages are queued. */
bool feed_socket_send(feed_socket *socket, const char *message);

/* Begins the close handshake. The connection is down when the peer has answered, or after the timeout. A connection
 * that is not open yet is dropped. */
void feed_socket_close(feed_socket *socket, int64_t now);

/* Did the last connection end by feed_socket_close(), with the peer's answer? */
bool feed_socket_closed_well(const feed_socket *socket);

/* Drops the connection. Stores `reason` unless there is a reason already. */
void feed_socket_drop(feed_socket *socket, const char *reason);

/* Why the connection failed, closes or ended; "" without a reason. */
const char *feed_socket_reason(const feed_socket *socket);

#endif
