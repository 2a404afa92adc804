#define _POSIX_C_SOURCE 200809L
#include "server_process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

server_process server_start(const char *python, const char *script, const char *mode, const char *count)
{
    int input[2], output[2];
    server_process server;
    if (pipe(input) != 0 || pipe(output) != 0) give_up("pipe");
    (void)fcntl(input[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(output[0], F_SETFD, FD_CLOEXEC);

    server.pid = fork();
    if (server.pid < 0) give_up("fork");
    if (server.pid == 0) {
        (void)dup2(input[0], STDIN_FILENO);
        (void)dup2(output[1], STDOUT_FILENO);
        (void)close(input[0]);
        (void)close(output[1]);
        (void)execl(python, python, script, mode, count, (char *)NULL);
        _exit(127);
    }
    (void)close(input[0]);
    (void)close(output[1]);
    server.input = input[1];
    server.says = fdopen(output[0], "r");
    if (server.says == NULL) give_up("fdopen");
    server.port = (unsigned)strtoul(server_line(&server), NULL, 10);
    if (server.port == 0) {
        fprintf(stderr, "%s %s does not start\n", script, mode);
        exit(1);
    }
    return server;
}

const char *server_line(server_process *server)
{
    static char line[256];
    if (fgets(line, sizeof line, server->says) == NULL) return "";
    line[strcspn(line, "\n")] = '\0';
    return line;
}

void server_stop(server_process *server)
{
    (void)close(server->input);
    (void)waitpid(server->pid, NULL, 0);
    (void)fclose(server->says);
}
