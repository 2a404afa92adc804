/* mqtt: publishes the lines of stdin, and prints the messages that it receives; without arguments it prints its usage.
 * It connects again until the broker has acknowledged everything. To try it, with a mosquitto on this machine:
 *
 *            build/bin/mqtt --subscribe chat --publish chat */
#include <signal.h>
#include <stdio.h>
#include <uflow/runtime.h>

#include "mqtt.h"

int main(int argc, char **argv)
{
    static Client client;
    mqtt_options options;
    uf_runtime *runtime;

    if (!mqtt_options_of(&options, argc, argv)) return 2;
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* a message is printed before it is acknowledged */
    if (uf_runtime_new(&runtime, NULL) != UF_OK ||
        Client_init(&client, uf_runtime_pump(runtime), "client", &options) != UF_OK ||
        uf_runtime_catch(runtime, SIGTERM, &client.ends) != UF_OK ||
        uf_runtime_catch(runtime, SIGINT, &client.ends) != UF_OK || Client_start_Run(&client) != UF_OK) {
        fprintf(stderr, "cannot begin\n");
        return 1;
    }
    (void)uf_signal_wait_since(&client.ends, 0, UF_FOREVER);
    (void)uf_runtime_stop(runtime, UF_S(6), NULL); /* half of it for the messages that are not acknowledged */
    (void)uf_runtime_free(runtime);
    if (uf_flow_outcome(&client.uf) == UF_DONE) return 0;
    fprintf(stderr, "%u messages were not acknowledged\n", client.session.end - client.session.first);
    return 1;
}
