/* mqtt_socket.c - the command line of the client, and its connection to the broker. */
#define _GNU_SOURCE /* SOCK_NONBLOCK */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mqtt_packet.h"
#include "mqtt_socket.h"

static bool take(mqtt_options *options, const char *name, const char *value)
{
    int *number = NULL, least = 1, most = UINT16_MAX;

    if (strlen(value) >= MQTT_TEXT_MAX) return false;
    if (strcmp(name, "--address") == 0) options->address = value;
    else if (strcmp(name, "--client") == 0) options->client = value;
    else if (strcmp(name, "--subscribe") == 0) options->filter = value;
    else if (strcmp(name, "--publish") == 0) options->topic = value;
    else if (strcmp(name, "--port") == 0) number = &options->port;
    else if (strcmp(name, "--keep-alive") == 0) number = &options->keep_alive_s;
    else if (strcmp(name, "--qos") == 0) number = &options->qos, least = 0, most = 1;
    else return false;
    if (number == NULL) return true;
    long const given = strtol(value, NULL, 10);
    if (given < least || given > most) return false;
    *number = (int)given;
    return true;
}

bool mqtt_options_of(mqtt_options *options, int argc, char **argv)
{
    struct in_addr unused;
    bool is_good = argc % 2 == 1;

    *options = (mqtt_options){.address = "127.0.0.1", .port = 1883, .client = "uflow", .keep_alive_s = 30, .qos = 1};
    for (int i = 1; i + 1 < argc && is_good; i += 2) is_good = take(options, argv[i], argv[i + 1]);
    if (is_good && (options->filter || options->topic) && inet_pton(AF_INET, options->address, &unused) == 1)
        return true;
    fprintf(stderr,
            "usage: %s [--address A] [--port N] [--client ID] [--keep-alive SECONDS]\n"
            "       [--subscribe FILTER] [--publish TOPIC [--qos 0|1]]\n"
            "Publishes the lines of stdin, and prints the messages that it receives. It ends when all lines are\n"
            "acknowledged, or sent if they have QoS 0; without --publish, at SIGTERM.\n",
            argv[0]);
    return false;
}

int mqtt_connect(const mqtt_options *options)
{
    struct sockaddr_in broker = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options->port)};
    int const on = 1;
    int const fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0) return -1;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (inet_pton(AF_INET, options->address, &broker.sin_addr) == 1 &&
        (connect(fd, (struct sockaddr *)&broker, sizeof broker) == 0 || errno == EINPROGRESS)) {
        return fd;
    }
    (void)close(fd);
    return -1;
}

bool mqtt_is_connected(int socket)
{
    int error = 0;
    socklen_t size = sizeof error;

    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}
