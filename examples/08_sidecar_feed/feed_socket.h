/* feed_socket.h - a WebSocket connection that somebody else drives: it says which descriptor to wait for, and why, and
 * never blocks, never starts a thread, never reads a clock.
 *
 * Frames are those of wslay, which leaves the waiting to its caller, as aria2 does with it. Debian's libwebsockets is
 * built without its external poll, its libcurl without ws, and libsoup wants a GMainContext (and threads) of its own.
 *
 * One thread at a time. `now` is monotonic milliseconds of the caller's choice, the same clock in every call. */
#ifndef FEED_SOCKET_H
#define FEED_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ws_handshake.h"

enum {
    FEED_MESSAGE_SIZE = 1024, /* the longest message that is taken, with its 0 */
    FEED_REASON_SIZE = 96,
    FEED_INBOX_SIZE = 16 * 1024, /* when it is full, no more is read, and TCP holds the peer back */
    FEED_OUTBOX_COUNT = 64
};

typedef enum feed_state {
    FEED_DOWN, /* no connection: feed_socket_reason() has why, unless there never was one */
    FEED_CONNECTING,
    FEED_OPEN,
    FEED_CLOSING /* one side has said that it closes: there will be no more messages */
} feed_state;

/* Milliseconds; 0: the default. */
typedef struct feed_limits {
    int connect; /* from open to FEED_OPEN: 5000 */
    int close;   /* from the first close frame to the end: 1000 */
    int ping;    /* silence after which the peer is asked whether it lives: 5000 */
    int dead;    /* silence after which it does not: 10000 */
} feed_limits;

/* All zero: down. The caller's storage, not to be moved while it is not down. */
typedef struct feed_socket {
    feed_state state;
    int fd; /* only while it is not down */
    struct wslay_event_context *frames;
    feed_limits limits;
    int64_t deadline; /* of connecting and of closing */
    int64_t heard;    /* when the peer has last sent anything */
    int64_t now;
    bool pinged, asked;    /* a ping, the request: is out */
    size_t budget;         /* bytes that this service may still read, so that it ends while the peer floods */
    size_t head, tail;     /* of what is in `inbox`: messages, or text of the handshake */
    size_t outgoing, sent; /* of `request` */
    char key[WS_KEY_SIZE];
    char request[512];
    char inbox[FEED_INBOX_SIZE]; /* for each message its length in two bytes, then the text */
    char reason[FEED_REASON_SIZE];
} feed_socket;

/* Begins to connect to "ws://host[:port][/path]", the host numeric or localhost. `limits` may be NULL. False: it is
 * down already, with the reason; also what feed_socket_service() says later. What has not been read of an earlier
 * connection is gone. One that is not down is dropped. */
bool feed_socket_open(feed_socket *socket, const char *url, const feed_limits *limits, int64_t now);

/* What to wait for before the next service: the descriptor, and which of the two; milliseconds at most, -1: no limit.
 * They are others after each service, send or close. When it is down there is nothing to wait for. */
int feed_socket_fd(const feed_socket *socket);
bool feed_socket_wants_read(const feed_socket *socket);
bool feed_socket_wants_write(const feed_socket *socket);
int feed_socket_wait(const feed_socket *socket, int64_t now);

/* Does what can be done without waiting: sends, receives, looks at the time. Harmless when there is nothing. */
feed_state feed_socket_service(feed_socket *socket, int64_t now);

/* The next message in order, as text with a 0 at its end (a 0 within ends it early). False: there is none. What was
 * received before the connection went down can still be taken. */
bool feed_socket_next(feed_socket *socket, char message[FEED_MESSAGE_SIZE]);

/* Queues a text; the next service sends it. False: it is not open, or the peer has left FEED_OUTBOX_COUNT unread. */
bool feed_socket_send(feed_socket *socket, const char *message);

/* Begins the close handshake; it is down when the peer has answered, or has not in time. What is connecting is
 * dropped. */
void feed_socket_close(feed_socket *socket, int64_t now);

/* Has the last connection ended by feed_socket_close(), with the peer's answer? */
bool feed_socket_closed_well(const feed_socket *socket);

/* Cuts the connection off. The reason is `reason` unless there is one already. */
void feed_socket_drop(feed_socket *socket, const char *reason);

/* Why the connection failed, closes or went down; "" while there is nothing to tell. */
const char *feed_socket_reason(const feed_socket *socket);

#endif
