/* server_process.h - a server of a test's own, in a process of its own, on a free port. */
#ifndef SERVER_PROCESS_H
#define SERVER_PROCESS_H

#include <stdio.h>
#include <sys/types.h>

typedef struct server_process {
    pid_t pid;
    int input;  /* its standard input: it ends when this is closed, whatever becomes of us */
    FILE *says; /* its standard output */
    unsigned port;
} server_process;

/* Runs `python script mode count`, and waits until it has said its port. Exits the test if it does not. */
server_process server_start(const char *python, const char *script, const char *mode, const char *count);

/* Waits for the next line that it says, without its end, good until the next call; "" if it has ended. */
const char *server_line(server_process *server);

void server_stop(server_process *server);

#endif
