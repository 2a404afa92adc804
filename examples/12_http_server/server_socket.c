/* server_socket.c - the command line of the server, and its listening socket. */
#define _GNU_SOURCE /* accept4 */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server_socket.h"

static bool number_of(const char *text, int most, int *value)
{
    char *end;

    errno = 0;
    long const number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < 0 || number > most) return false;
    *value = (int)number;
    return true;
}

/* A quarter of the descriptors is left for files. */
static void limit_connections(server_options *options)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    rlim_t const share = limit.rlim_cur / (rlim_t)options->threads;
    rlim_t const most = share > 16 ? share / 4 * 3 - 8 : 1;
    if ((rlim_t)options->connections > most) options->connections = (int)most;
}

bool server_options_of(server_options *options, int argc, char **argv)
{
    struct {
        const char *name;
        int *value;
        int most;
    } const rows[] = {
        {"--port", &options->port, UINT16_MAX},    {"--connections", &options->connections, 1 << 20},
        {"--idle-ms", &options->idle_ms, INT_MAX}, {"--linger-ms", &options->linger_ms, INT_MAX},
        {"--stop-ms", &options->stop_ms, INT_MAX}, {"--threads", &options->threads, 1024},
    };
    *options = (server_options){
        .port = 8080, .threads = 1, .connections = 1024, .idle_ms = 60000, .linger_ms = 2000, .stop_ms = 10000};
    for (int i = 1; i < argc; i++) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof rows / sizeof rows[0] && i + 1 < argc; k++) {
            if (strcmp(argv[i], rows[k].name) != 0) continue;
            is_known = number_of(argv[++i], rows[k].most, rows[k].value);
            break;
        }
        if (!is_known && options->root == NULL && argv[i][0] != '-') {
            options->root = argv[i];
            is_known = true;
        }
        if (!is_known) options->root = NULL;
        if (!is_known) break;
    }
    if (options->root != NULL && options->connections > 0 && options->threads > 0) {
        limit_connections(options);
        return true;
    }
    fprintf(stderr,
            "usage: %s [--threads N] [--port N] [--connections N] [--idle-ms N] [--linger-ms N] [--stop-ms N] "
            "DIRECTORY\n"
            "Serves the files below the directory on 127.0.0.1. SIGTERM ends it when its downloads have ended.\n",
            argv[0]);
    return false;
}

int server_listen(server_options *options)
{
    static bool has_printed;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options->port)};
    socklen_t length = sizeof address;
    int const on = 1;
    int const listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        (options->threads > 1 && setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0) ||
        bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, SOMAXCONN) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        fprintf(stderr, "port %d: %s\n", options->port, strerror(errno));
        if (listener >= 0) (void)close(listener);
        return -1;
    }
    options->port = ntohs(address.sin_port);
    if (!has_printed) printf("listening on port %d\n", options->port);
    has_printed = true;
    (void)fflush(stdout);
    return listener;
}

int server_accept(int listener)
{
    int const on = 1;
    int const client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (client < 0) return -errno;
    (void)setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return client;
}
