/* mqtt_socket.h - the command line of the client, and its connection to the broker. */
#ifndef MQTT_SOCKET_H
#define MQTT_SOCKET_H

#include <stdbool.h>

typedef struct mqtt_options {
    const char *address; /* of the broker, in numbers */
    int port;
    const char *client;
    int keep_alive_s;
    const char *filter; /* to subscribe to, or NULL */
    const char *topic;  /* of the messages from stdin, or NULL */
    int qos;            /* of these messages: 0 or 1 */
} mqtt_options;

/* Returns: false after it has printed what is wrong. */
bool mqtt_options_of(mqtt_options *options, int argc, char **argv);

/* Begins a connection. Returns: a socket that does not block, and is writable when the connection is there or has
 * failed; -1: it failed at once. */
int mqtt_connect(const mqtt_options *options);

/* Whether the connection is there, once the socket is writable. */
bool mqtt_is_connected(int socket);

#endif
