/* server_socket.h - the command line of the server, and its listening socket. */
#ifndef SERVER_SOCKET_H
#define SERVER_SOCKET_H

#include <stdbool.h>

typedef struct server_options {
    const char *root; /* the directory that is served */
    int port;         /* 0: any free one */
    int threads;      /* each with a listening socket of its own */
    int connections;  /* at most so many at once, per thread: as given, or fewer if there are few descriptors */
    int idle_ms;      /* a connection without progress is closed after this time */
    int linger_ms;    /* after the last response, at most so long until the client closes */
    int stop_ms;      /* after SIGTERM, at most so long until downloads have ended */
} server_options;

/* Returns: false after it has printed what is wrong. */
bool server_options_of(server_options *options, int argc, char **argv);

/* Listens on the port of 127.0.0.1. The first call chooses the port if it is 0, and prints a line that names it. With
 * several threads, each calls this, and the kernel spreads the connections. Returns: the socket, which does not block;
 * or -1 after it has printed why. */
int server_listen(server_options *options);

/* Returns: the socket of the next connection, which does not block; or -errno. */
int server_accept(int listener);

#endif
