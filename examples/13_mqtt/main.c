/* mqtt: publishes the lines of stdin, and prints the messages that it receives; without arguments it prints its usage.
 * It connects again until the broker has acknowledged everything. To try it, with a mosquitto on this machine:
 *
 *            build/bin/mqtt --subscribe chat --publish chat */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <uflow/runtime.h>

#include "mqtt.h"

int main(int argc, char **argv)
{
    static Client client;
    mqtt_options options;
    uf_runtime *runtime;
    sigset_t ends;
    int number;

    if (!mqtt_options_of(&options, argc, argv)) return 2;
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* a message is printed before it is acknowledged */
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    if (pthread_sigmask(SIG_BLOCK, &ends, NULL) != 0 || uf_runtime_new(&runtime, NULL) != UF_OK ||
        Client_init(&client, uf_runtime_pump(runtime), "client", &options) != UF_OK ||
        Client_start_Run(&client) != UF_OK) {
        fprintf(stderr, "cannot begin\n");
        return 1;
    }
    (void)sigwait(&ends, &number);
    (void)uf_runtime_stop(runtime, UF_S(6), NULL); /* half of it for the messages that are not acknowledged */
    (void)uf_runtime_free(runtime);
    if (uf_flow_outcome(&client.uf) == UF_DONE) return 0;
    fprintf(stderr, "%u messages were not acknowledged\n", client.session.end - client.session.first);
    return 1;
}
