/* SPDX-License-Identifier: MIT */
/* mqtt_poll.c - the MQTT client of examples/13_mqtt, written by hand: one thread and a loop around poll(), which also
 * takes a stdin that is a file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "mqtt_packet.h"
#include "mqtt_socket.h"

enum {
    WINDOW = 64, /* messages that are not acknowledged */
    IN_SIZE = 1 << 16,
    OUT_SIZE = 1 << 14,
    CONNECT_MS = 5000, /* for each of: connect, CONNACK, SUBACK */
    BACK_OFF_MS = 100,
    BACK_OFF_MAX_MS = 5000,
    STOP_MS = 3000,
    SUBSCRIPTION = UINT16_MAX /* its packet identifier; messages with QoS 1 have 1 to WINDOW */
};

enum state { WAITING, CONNECTING, GREETING, SUBSCRIBING, ONLINE };

typedef struct message {
    bool is_acknowledged;
    size_t length;
    uint8_t bytes[MQTT_PACKET_MAX];
} message;

static struct {
    mqtt_options options;
    enum state state;
    int socket, signals;
    int64_t now, deadline, stop_at; /* deadline of the state; when ONLINE, of the next ping */
    int back_off;
    bool awaits_pong, is_input_closed, is_stopping;
    bool is_blocked; /* received packets wait for room in the output buffer */

    message window[WINDOW];         /* a ring: identifiers are positions in it, plus 1 */
    unsigned first, next_sent, end; /* first: the oldest that is not acknowledged; they are never reduced */

    size_t line_length, in_length, out_length;
    char line[MQTT_PAYLOAD_MAX + 1];
    uint8_t in[IN_SIZE], out[OUT_SIZE];
} g;

static int64_t milliseconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* -- the connection ------------------------------------------------------------------------------------------------ */

static void enter(enum state state, int64_t duration)
{
    g.state = state;
    g.deadline = g.now + duration;
}

static void disconnect(const char *why)
{
    if (g.state != WAITING && why != NULL) fprintf(stderr, "%s; next attempt in %d ms\n", why, g.back_off);
    if (g.socket >= 0) (void)close(g.socket);
    g.socket = -1;
    enter(WAITING, g.back_off);
    g.back_off = g.back_off < BACK_OFF_MAX_MS / 2 ? g.back_off * 2 : BACK_OFF_MAX_MS;
}

static void begin_connect(void)
{
    g.in_length = g.out_length = 0;
    g.is_blocked = false;
    g.socket = mqtt_connect(&g.options);
    enter(CONNECTING, CONNECT_MS);
    if (g.socket < 0) disconnect("cannot connect");
}

static void greet(void)
{
    if (!mqtt_is_connected(g.socket)) {
        disconnect("cannot connect");
        return;
    }
    g.out_length = mqtt_encode_connect(g.out, g.options.client, (uint16_t)g.options.keep_alive_s);
    enter(GREETING, CONNECT_MS);
}

static bool has_room(size_t length)
{
    return sizeof g.out - g.out_length >= length;
}

/* All messages that are not acknowledged are sent again, in their order. */
static void go_online(void)
{
    for (unsigned i = g.first; i != g.next_sent; i++) mqtt_set_duplicate(g.window[i % WINDOW].bytes);
    g.next_sent = g.first;
    g.awaits_pong = false;
    g.back_off = BACK_OFF_MS;
    enter(ONLINE, g.options.keep_alive_s * 1000);
}

static void take_connack(int code)
{
    if (code != 0) {
        disconnect("the broker refused the connection");
    } else if (g.options.filter != NULL) {
        g.out_length += mqtt_encode_subscribe(g.out + g.out_length, g.options.filter, SUBSCRIPTION);
        enter(SUBSCRIBING, CONNECT_MS);
    } else {
        go_online();
    }
}

static void acknowledge(unsigned place)
{
    /* Messages from `next_sent` on were not sent on this connection. */
    if (place >= WINDOW || (place - g.first) % WINDOW >= g.next_sent - g.first) return;
    g.window[place].is_acknowledged = true;
    while (g.first != g.next_sent && g.window[g.first % WINDOW].is_acknowledged) g.first++;
}

static void take_publish(const mqtt_packet *p)
{
    printf("%.*s %.*s\n", (int)p->topic_length, p->topic, (int)p->payload_length, (const char *)p->payload);
    if (p->qos == 1) g.out_length += mqtt_encode_puback(g.out + g.out_length, p->id);
}

static void take_packet(const mqtt_packet *p)
{
    if (p->type == MQTT_CONNACK && g.state == GREETING) take_connack(p->code);
    else if (g.state == GREETING || p->type == MQTT_CONNACK || p->qos > 1) disconnect("protocol error");
    else if (p->type == MQTT_SUBACK && g.state == SUBSCRIBING && p->code < 0x80) go_online();
    else if (p->type == MQTT_SUBACK) disconnect("the broker refused the subscription");
    else if (p->type == MQTT_PUBACK && g.state == ONLINE) acknowledge(p->id - 1u);
    else if (p->type == MQTT_PUBLISH) take_publish(p);
    else if (p->type == MQTT_PINGRESP) g.awaits_pong = false;
}

/* Handles received packets while the output buffer has room for the answers. */
static void take_packets(void)
{
    size_t at = 0;

    while (g.socket >= 0 && has_room(MQTT_PACKET_MAX)) {
        mqtt_packet packet;
        ptrdiff_t const length = mqtt_decode(&packet, g.in + at, g.in_length - at);
        if (length < 0 || (length == 0 && at == 0 && g.in_length == sizeof g.in)) {
            disconnect(length < 0 ? "protocol error" : "a message is too long");
            return;
        }
        if (length == 0) break;
        at += (size_t)length;
        take_packet(&packet);
    }
    if (g.socket < 0) return;
    g.is_blocked = !has_room(MQTT_PACKET_MAX);
    g.in_length -= at;
    memmove(g.in, g.in + at, g.in_length);
}

static void receive(void)
{
    ssize_t const n = recv(g.socket, g.in + g.in_length, sizeof g.in - g.in_length, 0);

    if (n > 0) g.in_length += (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR)) disconnect("the connection was lost");
}

/* Puts messages into the output buffer while there is room, and sends what the socket takes. */
static void transmit(void)
{
    while (g.state == ONLINE && g.next_sent != g.end && has_room(MQTT_PACKET_MAX)) {
        unsigned const place = g.next_sent++ % WINDOW;
        const message *const m = &g.window[place];
        if (m->is_acknowledged) continue; /* before the connection was lost */
        memcpy(g.out + g.out_length, m->bytes, m->length);
        g.out_length += m->length;
        if (g.options.qos == 0) acknowledge(place);
    }
    if (g.out_length == 0) return;
    ssize_t const n = send(g.socket, g.out, g.out_length, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) disconnect("the connection was lost");
    if (n <= 0) return;
    g.out_length -= (size_t)n;
    memmove(g.out, g.out + n, g.out_length);
}

static void expire(void)
{
    if (g.now < g.deadline) return;
    if (g.state == WAITING) {
        begin_connect();
    } else if (g.state != ONLINE || g.awaits_pong) {
        disconnect("the broker does not answer");
    } else if (has_room(MQTT_PACKET_MAX)) {
        g.out_length += mqtt_encode_empty(g.out + g.out_length, MQTT_PINGREQ);
        g.awaits_pong = true;
        g.deadline = g.now + g.options.keep_alive_s * 1000;
    } else {
        disconnect("the broker does not read");
    }
}

/* -- messages ------------------------------------------------------------------------------------------------------ */

static bool is_window_full(void)
{
    return g.end - g.first == WINDOW;
}

static void publish(size_t length)
{
    message *const m = &g.window[g.end % WINDOW];

    m->is_acknowledged = false;
    m->length = mqtt_encode_publish(m->bytes, g.options.topic, g.line, length,
                                    g.options.qos > 0 ? (uint16_t)(g.end % WINDOW + 1) : 0);
    g.end++;
}

/* Publishes the complete lines; a long one is cut into messages. */
static void publish_lines(void)
{
    while (!is_window_full() && g.line_length > 0) {
        const char *const newline = memchr(g.line, '\n', g.line_length);
        bool const is_cut = newline == NULL && (g.line_length >= MQTT_PAYLOAD_MAX || g.is_input_closed);
        if (newline == NULL && !is_cut) return;
        size_t const length = newline != NULL ? (size_t)(newline - g.line) : g.line_length;
        size_t const taken = length + (newline != NULL ? 1 : 0);
        publish(length);
        g.line_length -= taken;
        memmove(g.line, g.line + taken, g.line_length);
    }
}

static void read_input(void)
{
    ssize_t const n = read(STDIN_FILENO, g.line + g.line_length, MQTT_PAYLOAD_MAX - g.line_length);

    if (n > 0) g.line_length += (size_t)n;
    else if (n == 0 || (errno != EAGAIN && errno != EINTR)) g.is_input_closed = true;
}

/* -- the loop ------------------------------------------------------------------------------------------------------ */

static bool is_done(void)
{
    return (g.options.topic != NULL || g.is_stopping) && g.is_input_closed && g.line_length == 0 && g.first == g.end &&
           g.out_length == 0;
}

static void begin_stop(void)
{
    struct signalfd_siginfo unused;

    (void)!read(g.signals, &unused, sizeof unused);
    g.stop_at = g.is_stopping ? g.now : g.now + STOP_MS;
    g.is_stopping = g.is_input_closed = true;
}

static int wait_time(void)
{
    int64_t const next = g.is_stopping && g.stop_at < g.deadline ? g.stop_at : g.deadline;
    bool const has_unsent = g.state == ONLINE && g.next_sent != g.end;
    bool const has_lines = g.is_input_closed && g.line_length > 0 && !is_window_full();

    /* transmit() has made room */
    if (has_lines || ((g.is_blocked || has_unsent) && has_room(MQTT_PACKET_MAX))) return 0;
    return next <= g.now ? 0 : (int)(next - g.now);
}

static void run(void)
{
    while (!is_done() && !(g.is_stopping && g.now >= g.stop_at)) {
        bool const may_read = !g.is_input_closed && g.line_length < MQTT_PAYLOAD_MAX && !is_window_full();
        bool const may_receive = g.state > CONNECTING && g.in_length < sizeof g.in && has_room(MQTT_PACKET_MAX);
        bool const may_send = g.state == CONNECTING || g.out_length > 0;
        struct pollfd fds[] = {
            {.fd = g.signals, .events = POLLIN},
            {.fd = may_read ? STDIN_FILENO : -1, .events = POLLIN},
            {.fd = g.socket, .events = (short)((may_receive ? POLLIN : 0) | (may_send ? POLLOUT : 0))},
        };
        int const count = poll(fds, sizeof fds / sizeof fds[0], wait_time());
        g.now = milliseconds();
        if (count > 0 && fds[0].revents != 0) begin_stop();
        if (count > 0 && fds[1].revents != 0) read_input();
        if (count > 0 && fds[2].revents != 0) {
            if (g.state == CONNECTING) greet();
            else if ((fds[2].revents & ~POLLOUT) != 0) receive();
        }
        if (g.state > CONNECTING) take_packets();
        publish_lines(); /* after take_packets(), which makes room in the window */
        expire();
        if (g.state > CONNECTING) transmit();
        (void)fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    sigset_t ends;

    if (!mqtt_options_of(&g.options, argc, argv)) return 2;
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    g.signals = signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC);
    if (g.signals < 0 || sigprocmask(SIG_BLOCK, &ends, NULL) != 0) {
        perror("cannot begin");
        return 1;
    }
    if (g.options.topic == NULL) g.is_input_closed = true;
    g.now = milliseconds();
    g.back_off = BACK_OFF_MS;
    begin_connect();
    run();
    if (g.state == ONLINE && has_room(MQTT_PACKET_MAX)) {
        g.out_length += mqtt_encode_empty(g.out + g.out_length, MQTT_DISCONNECT);
        transmit();
    }
    if (g.socket >= 0) (void)close(g.socket);
    (void)close(g.signals);
    if (is_done()) return 0;
    fprintf(stderr, "%u messages were not acknowledged\n", g.end - g.first);
    return 1;
}
