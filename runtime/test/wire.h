/* SPDX-License-Identifier: MIT */
/* wire.h - the sockets of a test, inside. wire_calls.c has the functions that the linker puts in place of the system's.
 *
 * What is sent lies in the queue of the socket that receives it, with the time at which it arrives. */
#ifndef UFLOW_TEST_WIRE_H
#define UFLOW_TEST_WIRE_H

#include "run.h"

#include "uflow/wire.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

typedef struct uft_address {
    socklen_t length; /* 0: there is none */
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_un un;
    } of;
} uft_address;

typedef enum uft_parcel_kind { PARCEL_BYTES, PARCEL_END, PARCEL_RESET } uft_parcel_kind;

/* Part of a stream, or a datagram. */
typedef struct uft_parcel {
    struct uft_parcel *next;
    uf_time due; /* logical */
    uft_parcel_kind kind;
    size_t length, at; /* at: of a stream, how many bytes were read */
    uft_address from;  /* of a datagram */
    uint8_t bytes[];
} uft_parcel;

typedef enum uft_socket_state { SOCKET_NEW, SOCKET_LISTENS, SOCKET_REFUSED, SOCKET_CONNECTED } uft_socket_state;

typedef struct uft_socket {
    struct uft_socket *next; /* of all */
    unsigned numbers;        /* descriptors */
    int domain, type;
    uft_socket_state state;
    bool blocks, is_steady, trickles, lingers_not, shares_port;
    bool has_ended, is_broken, shuts_read, shuts_write;
    bool is_told;  /* connect() has returned that the connection is there */
    int error;     /* SO_ERROR */
    uf_time since; /* a connection is there, or refused, from then on */
    uft_address own, other;
    struct uft_socket *peer; /* of a stream; NULL: it is closed, or there is none */
    uft_parcel *in;          /* by their time */
    size_t held;             /* bytes of `in` */
    size_t send_size, receive_size;
    struct uft_socket *waiting; /* of a listener: the connections that were not accepted yet */
    struct uft_socket *behind;  /* the next one of these */
} uft_socket;

/* -- wire.c -------------------------------------------------------------------------------------------------------- */

/* The socket of a descriptor; NULL: it is none of the test. */
uft_socket *uft_socket_at(int fd);

/* Joins the network to the test that runs. Returns: false: none runs. */
bool uft_wire_joins(void);

/* A socket without a descriptor. Returns: NULL: no memory. */
uft_socket *uft_socket_new(int domain, int type);

/* Gives it a descriptor, which is one of /dev/null. Returns: it; -1 and errno. */
int uft_socket_number(uft_socket *s, int fd);

/* A descriptor of the system will be closed or replaced: stdin, stdout and stderr are put back when the run ends. */
void uft_keep_standard(int fd);

/* The descriptor is closed. Without its last one, the socket is closed, too. */
void uft_socket_leave(int fd);

/* Closes a socket that has no descriptor. */
void uft_socket_close(uft_socket *s);

/* What is ready: UF_READABLE, UF_WRITABLE. */
int uft_socket_ready(uft_socket *s);

/* Flows that wait for descriptors look again. */
void uft_wire_changed(void);

/* Something happens at this time. */
void uft_wire_expect(uf_time due);

uf_time uft_wire_now(void);

/* Sets errno. Returns: -1. */
int uft_errno(int error);

/* A call would wait. Returns: -1, with EAGAIN. A socket that blocks fails the test. */
int uft_would_wait(const uft_socket *s, const char *call, int flags);

/* Of all sockets, NULL behind the last. */
uft_socket *uft_socket_after(const uft_socket *s);

/* -- wire_queue.c -------------------------------------------------------------------------------------------------- */

/* Puts a parcel of these bytes into the queue. Returns: false: no memory. */
bool uft_push(uft_socket *to, uft_parcel_kind kind, uf_time due, const struct iovec *parts, size_t length,
              const uft_address *from);

/* Takes the reset that has arrived, if there is one. */
void uft_notice_reset(uft_socket *s);

/* Counts the bytes of a stream that have arrived. Has its end arrived behind them? */
size_t uft_arrived(const uft_socket *s, bool *is_end);

/* Copies from a stream. */
size_t uft_take_bytes(uft_socket *s, const struct iovec *parts, size_t length, bool peeks);

/* Frees the parcel, which is the one at this place. */
void uft_drop_parcel(uft_socket *s, uft_parcel **place);

size_t uft_parts_length(const struct iovec *parts, size_t count);

/* -- wire_address.c ------------------------------------------------------------------------------------------------ */

bool uft_read_address(uft_address *address, int domain, const struct sockaddr *from, socklen_t length);
void uft_write_address(const uft_address *address, struct sockaddr *to, socklen_t *length);

/* Returns: 0; -1 and errno. */
int uft_bind(uft_socket *s, const uft_address *address);

/* Binds a socket that is not bound to a port of its own. */
void uft_bind_any(uft_socket *s);

/* The address under which a socket reaches another one. */
uft_address uft_source(const uft_socket *s, const uft_address *to);

/* The socket that listens there, or gets datagrams for this address from that one; NULL: there is none. */
uft_socket *uft_find_receiver(const uft_socket *from, const uft_address *to);

/* -- wire_stream.c, wire_datagram.c -------------------------------------------------------------------------------- */

int uft_connect(uft_socket *s, const uft_address *to);
int uft_accept(uft_socket *s, int flags, uft_address *from);
int uft_shutdown(uft_socket *s, int how);
ssize_t uft_stream_send(int fd, const struct iovec *parts, size_t length, int flags);
ssize_t uft_stream_receive(int fd, const struct iovec *parts, size_t length, int flags);
ssize_t uft_datagram_send(int fd, const struct iovec *parts, size_t length, int flags, const uft_address *to);
ssize_t uft_datagram_receive(int fd, const struct iovec *parts, size_t size, int flags, uft_address *from,
                             bool *is_cut);

/* Would a datagram have to wait for room? Never one of another host, which is lost. */
bool uft_is_full_for(const uft_socket *from, const uft_socket *to);

/* -- wire_options.c ------------------------------------------------------------------------------------------------ */

int uft_get_option(uft_socket *s, int level, int name, void *value, socklen_t *length);
int uft_set_option(uft_socket *s, int level, int name, const void *value, socklen_t length);
int uft_control(uft_socket *s, unsigned long request, void *argument);

/* The revents of poll(). */
short uft_poll_events(uft_socket *s, short events);

/* -- wire_choose.c ------------------------------------------------------------------------------------------------- */

/* Rows of a table. */
typedef enum uft_wire_kind {
    WIRE_CUT,
    WIRE_SHORT,
    WIRE_AGAIN,
    WIRE_DESCRIPTORS,
    WIRE_LATE,
    WIRE_LOST,
    WIRE_TWICE,
    WIRE_ORDER,
    WIRE_RESET,
    WIRE_HALF,
    WIRE_KINDS
} uft_wire_kind;

/* Begins a run: all kinds are disturbed. */
void uft_wire_choose_anew(void);

/* Asks for a number below `options`; 0: undisturbed. Of a call for this socket, which may be NULL; or of the way. */
uint32_t uft_wire_ask(uft_wire_kind kind, const uft_socket *s, uint32_t options);

/* Does this call fail with EAGAIN? */
bool uft_is_put_off(const uft_socket *s, int fd, const char *call, int flags);

/* How many of these bytes a call gets. */
size_t uft_read_size(uft_socket *s, int fd, size_t length);
size_t uft_write_size(uft_socket *s, int fd, size_t length);

/* When something arrives that is sent now. */
uf_time uft_wire_due(const uft_socket *s, const char *what);

/* Adds a line to the disturbances of the run. */
void uft_wire_tell(const char *format, ...) UF_FORMAT(1, 2);

#endif
