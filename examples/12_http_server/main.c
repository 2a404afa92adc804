/* http_server [--port N] [--connections N] [--idle-ms N] [--linger-ms N] [--stop-ms N] DIRECTORY: serves files.
 *
 * SIGTERM or SIGINT stops it when its downloads have ended; a second one ends it at once. To try it:
 *
 *   build/bin/http_server --port 8080 docs &
 *   curl http://127.0.0.1:8080/language.md */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <uflow/runtime.h>
#include <unistd.h>

#include "server.h"

static Server server; /* zeroed: memory that no connection has used yet costs nothing */

/* Serves until a signal. Returns: the exit status. */
static int serve(int listener, http_site *site, const server_options *options, const sigset_t *ends)
{
    uf_runtime *runtime;
    int number;

    if (uf_runtime_new(&runtime, &(uf_runtime_config){.keep_watches = true}) != UF_OK) return 1;
    uf_status status = Server_init(&server, uf_runtime_pump(runtime), "server", listener, site, options);
    if (status == UF_OK) status = Server_start_Accept(&server);
    if (status == UF_OK) (void)sigwait(ends, &number);
    (void)pthread_sigmask(SIG_UNBLOCK, ends, NULL);
    /* Half of the time is for tasks that end by themselves. Drain gives up first, and says what is left. */
    (void)uf_runtime_stop(runtime, 2 * UF_MS(options->stop_ms) + UF_MS(200), NULL);
    (void)uf_runtime_free(runtime);
    return status != UF_OK;
}

int main(int argc, char **argv)
{
    server_options options;
    http_site site;
    sigset_t ends;

    if (!server_options_of(&options, argc, argv)) return 2;
    if (options.connections > CONNECTIONS) options.connections = CONNECTIONS;
    if (!http_site_open(&site, options.root)) return perror(options.root), 1;
    (void)signal(SIGPIPE, SIG_IGN); /* of sendfile() */
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &ends, NULL); /* also in the runtime's thread */

    int const listener = server_listen(&options);
    if (listener < 0) return 1;
    int const status = serve(listener, &site, &options, &ends);
    (void)close(listener);
    http_site_close(&site);
    return status;
}
