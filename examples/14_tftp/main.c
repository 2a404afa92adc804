/* A TFTP server and client (RFC 1350, 2347, 2348, 2349) on 127.0.0.1.
 *
 * The server has a pool of transfers, and spawns one for each request; the client spawns one for each file. A transfer
 * is the same flow on both sides. SIGINT and SIGTERM stop the program: transfers that run may end within a grace
 * period. `on end` of the flow removes an unfinished file, however the transfer ends. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "tftp.h"
#include "tftp_command.h"

static Server server;
static Client client;
static Interrupt interrupt;

static void report(void *failures, const uf_flow *flow, const uf_failure *failure)
{
    (void)flow;
    fprintf(stderr, "%s\n", failure->reason);
    ++*(int *)failures;
}

static uf_status start_server(uf_pump *pump, uf_run *run, const tftp_command *command)
{
    int const listener = tftp_open(INADDR_LOOPBACK, ntohs(command->server.sin_port));
    uf_status const status = Server_init(&server, pump, "server", command->directory, listener);

    if (listener < 0) perror("server");
    if (listener < 0 || status != UF_OK) return UF_INVALID;
    printf("listening on port %d\n", tftp_port(listener));
    (void)fflush(stdout);
    return Server_start_run_Serve(&server, run);
}

static uf_status start_client(uf_pump *pump, uf_run *run, const tftp_command *command)
{
    uf_status const status = Client_init(&client, pump, "client", command->directory, command->server);

    if (status != UF_OK) return status;
    return Client_start_run_Copy(&client, run, command->opcode, command->block_size, command->names);
}

int main(int argc, char **argv)
{
    tftp_command command;
    uf_runtime *runtime;
    uf_run run;
    uf_call_info end;
    int failures = 0;
    uf_runtime_config const config = {.on_failure = report, .failure_context = &failures};

    if (!tftp_command_of(&command, argc, argv)) return 2;
    if (uf_runtime_new(&runtime, &config) != UF_OK) return 1;
    uf_pump *const pump = uf_runtime_pump(runtime);
    if (Interrupt_init(&interrupt, pump, "interrupt", runtime) != UF_OK) return 1;
    if (Interrupt_start_Watch(&interrupt) != UF_OK) return 1;
    if (uf_runtime_catch(runtime, SIGTERM, &interrupt.came) != UF_OK) return 1;
    if (uf_runtime_catch(runtime, SIGINT, &interrupt.came) != UF_OK) return 1;
    if ((command.is_server ? start_server : start_client)(pump, &run, &command) != UF_OK) return 1;
    (void)uf_run_wait(run, UF_FOREVER, &end);
    (void)uf_runtime_stop(runtime, UF_S(GRACE_S), NULL);
    if (uf_runtime_free(runtime) != UF_OK || end.outcome != UF_DONE) return 1;
    return !command.is_server && failures > 0 ? 1 : 0;
}
