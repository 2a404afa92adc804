/* http_server [--threads N] [--port N] [--connections N] [--idle-ms N] [--linger-ms N] [--stop-ms N] DIRECTORY: serves
 * files. Each thread is a runtime with a listening socket of its own, among which the kernel spreads the connections.
 *
 * SIGTERM or SIGINT stops it when its downloads have ended; a second one ends it at once. To try it:
 *
 *   build/bin/http_server --port 8080 docs &
 *   curl http://127.0.0.1:8080/language.md */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <uflow/runtime.h>
#include <unistd.h>

#include "server.h"

/* A runtime, and all that its flows use: the threads share nothing that changes. */
typedef struct server_thread {
    uf_runtime *runtime;
    pthread_t stopping;
    int listener;
    http_site site;
    const server_options *options;
    Server server; /* zeroed: memory that no connection has used yet costs nothing */
} server_thread;

static uf_signal ends = UF_SIGNAL("ends"); /* by SIGTERM or SIGINT */

static bool catch_ends(uf_runtime *runtime)
{
    return uf_runtime_catch(runtime, SIGTERM, &ends) == UF_OK && uf_runtime_catch(runtime, SIGINT, &ends) == UF_OK;
}

static void uncatch_ends(uf_runtime *runtime)
{
    (void)uf_runtime_uncatch(runtime, SIGTERM);
    (void)uf_runtime_uncatch(runtime, SIGINT);
}

static void end(server_thread *one)
{
    if (one->runtime != NULL) (void)uf_runtime_free(one->runtime);
    if (one->listener >= 0) (void)close(one->listener);
    http_site_close(&one->site);
    free(one);
}

/* Returns: NULL after it has printed why. */
static server_thread *begin(server_options *options, int number)
{
    server_thread *const one = calloc(1, sizeof *one);
    char name[16];

    if (one == NULL || !http_site_open(&one->site, options->root)) {
        perror(options->root);
        free(one);
        return NULL;
    }
    (void)snprintf(name, sizeof name, "http %d", number);
    one->options = options;
    one->listener = -1;
    if (uf_runtime_new(&one->runtime, &(uf_runtime_config){.name = name, .keep_watches = true}) == UF_OK &&
        (number > 0 || catch_ends(one->runtime)) && /* before it says that it listens */
        (one->listener = server_listen(options)) >= 0 &&
        Server_init(&one->server, uf_runtime_pump(one->runtime), "server", one->listener, &one->site, options) == UF_OK)
        return one;
    end(one);
    return NULL;
}

/* Half of the time is for tasks that end by themselves. Drain gives up first, and says what is left. */
static void *stop(void *argument)
{
    server_thread *const one = argument;
    (void)uf_runtime_stop(one->runtime, 2 * UF_MS(one->options->stop_ms) + UF_MS(200), NULL);
    return NULL;
}

/* Stops all at the same time, so that none of them accepts connections while others drain. */
static void stop_all(server_thread **all, int count)
{
    int begun = 1;

    while (begun < count && pthread_create(&all[begun]->stopping, NULL, stop, all[begun]) == 0) begun++;
    (void)stop(all[0]);
    for (int i = 1; i < begun; i++) (void)pthread_join(all[i]->stopping, NULL);
    for (int i = begun; i < count; i++) (void)stop(all[i]);
}

/* Serves until a signal. Returns: the exit status. */
static int serve(server_options *options)
{
    server_thread **const all = calloc((size_t)options->threads, sizeof *all);
    int count = 0;

    while (all != NULL && count < options->threads && (all[count] = begin(options, count)) != NULL) count++;
    bool runs = count == options->threads;
    for (int i = 0; runs && i < count; i++) runs = Server_start_Accept(&all[i]->server) == UF_OK;
    if (runs) (void)uf_signal_wait_since(&ends, 0, UF_FOREVER);
    if (count > 0) uncatch_ends(all[0]->runtime); /* a second signal ends the process */
    if (count > 0) stop_all(all, count);
    for (int i = 0; i < count; i++) end(all[i]);
    free(all);
    return !runs;
}

int main(int argc, char **argv)
{
    server_options options;

    if (!server_options_of(&options, argc, argv)) return 2;
    if (options.connections > CONNECTIONS) options.connections = CONNECTIONS;
    (void)signal(SIGPIPE, SIG_IGN); /* of sendfile() */
    return serve(&options);
}
