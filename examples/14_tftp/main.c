/* A TFTP server and client (RFC 1350, 2347, 2348, 2349) on 127.0.0.1.
 *
 * A server has a pool of transfers, and spawns one for each request; a client spawns one for each file. The flow of a
 * transfer is the same on both sides. SIGINT and SIGTERM stop the program: transfers that run may end within a grace
 * period. An unfinished file is removed in every case, because `on end` of its transfer does it. */
#define _GNU_SOURCE /* O_DIRECTORY */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tftp.h"

static Server server;
static Client client;
static Interrupt interrupt;

static void report(void *failures, const uf_flow *flow, const uf_failure *failure)
{
    (void)flow;
    fprintf(stderr, "%s\n", failure->reason);
    ++*(int *)failures;
}

/* Returns: a descriptor that is readable when the program should stop. */
static int watch_signals(void)
{
    sigset_t ends;

    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    return sigprocmask(SIG_BLOCK, &ends, NULL) == 0 ? signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC) : -1;
}

static uf_status serve(uf_pump *pump, uf_run *run, int directory, int listener)
{
    uf_status const status = Server_init(&server, pump, "server", directory, listener);

    if (status != UF_OK) return status;
    printf("listening on port %d\n", tftp_port(listener));
    (void)fflush(stdout);
    return Server_start_run_Serve(&server, run);
}

static int usage(const char *program)
{
    fprintf(stderr,
            "usage: %s serve DIRECTORY PORT\n"
            "       %s get|put DIRECTORY PORT BLOCK_SIZE FILE...\n"
            "Serves or copies files of a directory, on 127.0.0.1. Port 0: any. Block size 0: no options.\n",
            program, program);
    return 2;
}

int main(int argc, char **argv)
{
    uf_runtime *runtime;
    uf_run run;
    uf_call_info end = {0};
    int failures = 0, listener = -1;

    bool const is_server = argc == 4 && strcmp(argv[1], "serve") == 0;
    bool const is_put = argc > 5 && strcmp(argv[1], "put") == 0;
    int const block_size = argc > 5 ? (int)strtol(argv[4], NULL, 10) : 0;
    if (!is_server && !is_put && (argc <= 5 || strcmp(argv[1], "get") != 0)) return usage(argv[0]);
    if (block_size != 0 && (block_size < TFTP_BLOCK_MIN || block_size > TFTP_BLOCK_MAX)) return usage(argv[0]);
    int const port = (int)strtol(argv[3], NULL, 10), signals = watch_signals();
    int const directory = open(argv[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (is_server) listener = tftp_open(INADDR_LOOPBACK, (uint16_t)port);
    if (signals < 0 || directory < 0 || (is_server && listener < 0)) {
        perror(argv[2]);
        return 1;
    }

    uf_status status =
        uf_runtime_new(&runtime, &(uf_runtime_config){.on_failure = report, .failure_context = &failures});
    if (status != UF_OK) {
        fprintf(stderr, "%s\n", uf_status_text(status));
        return 1;
    }
    uf_pump *const pump = uf_runtime_pump(runtime);
    status = Interrupt_init(&interrupt, pump, "interrupt", signals, runtime);
    if (status == UF_OK) status = Interrupt_start_Watch(&interrupt);
    if (status == UF_OK && is_server) {
        status = serve(pump, &run, directory, listener);
    } else if (status == UF_OK) {
        struct sockaddr_in const address = {
            .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        status = Client_init(&client, pump, "client", directory, address);
        if (status == UF_OK)
            status = Client_start_run_Copy(&client, &run, is_put ? TFTP_WRITE : TFTP_READ, block_size, argv + 5);
    }
    if (status == UF_OK) status = uf_run_wait(run, UF_FOREVER, &end);
    (void)uf_runtime_stop(runtime, UF_S(GRACE_S), NULL);
    if (uf_runtime_free(runtime) != UF_OK || status != UF_OK || end.outcome != UF_DONE) return 1;
    tftp_close(listener);
    (void)close(signals);
    (void)close(directory);
    return !is_server && failures > 0 ? 1 : 0;
}
