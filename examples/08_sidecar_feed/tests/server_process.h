/* server_process.h - starts a server for a test, in its own process, on a free port. */
#ifndef SERVER_PROCESS_H
#define SERVER_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

typedef struct server_process {
    pid_t pid;
    int input;  /* its standard input: the server ends when this is closed, even if the test crashes */
    FILE *says; /* its standard output */
    unsigned port;
} server_process;

/* Runs `python script mode count`, and waits until it has printed its port. Fails the test otherwise. */
server_process server_start(const char *python, const char *script, const char *mode, const char *count);

/* Waits for the next line of its output, without the line end; valid until the next call; "" if it has ended. */
const char *server_line(server_process *server);

void server_stop(server_process *server);

#endif
