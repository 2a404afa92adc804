/* SPDX-License-Identifier: MIT */
/* mqtt_simulated.c - examples/13_mqtt in virtual time, with a broker that is slow, silent, talks nonsense, and breaks
 * connections at any byte. A message that the client takes for acknowledged must have reached the broker. One that the
 * broker takes for acknowledged must have been printed. Nothing may be left open.
 *
 * usage: mqtt_simulated SEEDS [FIRST] */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mqtt.h"

enum {
    LINES = 1000,
    UP_SIZE = 1 << 12,
    DOWN_SIZE = 1 << 15,
    ACKS = 4 * WINDOW,
    IN_FLIGHT = 10, /* messages to the client */
    KEEP_ALIVE_S = 2
};

typedef enum fate { GOOD, REFUSED_AT_ONCE, REFUSED, UNREACHABLE, UNWELCOME, SILENT, MAD, CLOSES, RESETS, FATES } fate;

static mqtt_options options = {.client = "c", .filter = "t", .topic = "t", .keep_alive_s = KEEP_ALIVE_S};
static uint64_t seed, state;
static uf_pump pump;
static Client client;

static struct {
    uf_time now, calm_at, interval; /* interval: between two acts of the broker, at most */
    size_t hesitation;              /* of stdin */
    int lines;                      /* of stdin */

    int line; /* stdin: the next line, its bytes that were read, and how many bytes are there */
    size_t in_line, there;

    int fd, connections; /* fd: -1 if the client has none */
    fate fate;
    size_t strikes_at; /* after how many bytes to the client */
    uf_time closed_at, sent_at;
    bool is_greeted, is_subscribed, is_disconnected, is_closed, is_shuffled;
    size_t up_length, down_length, arrived, total; /* down: the first bytes have arrived at the client */
    uint8_t up[UP_SIZE], down[DOWN_SIZE];
    uint16_t acks[ACKS];
    int ack_count;

    int received;    /* lines that the broker has, from the first one on */
    int sent, taken; /* messages to the client: sent on this connection, acknowledged */
    bool is_printed[LINES];
} world;

static void check_at(bool is_good, const char *what, int line)
{
    if (is_good) return;
    (fprintf)(stderr, "seed %llu, %lld ms, connection %d, fate %d: line %d: not %s\n", (unsigned long long)seed,
              (long long)(world.now / UF_MS(1)), world.connections, (int)world.fate, line, what);
    abort();
}
#define CHECK(what) check_at((what), #what, __LINE__)

static uint64_t next_random(void)
{
    state ^= state << 13; /* xorshift64, G. Marsaglia 2003 */
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static size_t below(size_t bound)
{
    return (size_t)(next_random() % bound);
}

static bool once_in(size_t bound)
{
    return below(bound) == 0;
}

static ssize_t failure(int error)
{
    errno = error;
    return -1;
}

/* -- what the client calls ----------------------------------------------------------------------------------------- */

int mqtt_connect(const mqtt_options *of)
{
    CHECK(of == &options && world.fd < 0);
    CHECK(world.connections == 0 || world.now - world.closed_at >= UF_MS(100));
    world.fate = world.now > world.calm_at || once_in(10) ? GOOD : (fate)below(FATES);
    world.strikes_at = below(once_in(2) ? 40 : 2000);
    world.fd = 100 + world.connections++;
    world.sent_at = world.now;
    world.is_greeted = world.is_subscribed = world.is_disconnected = world.is_closed = false;
    world.up_length = world.down_length = world.arrived = world.total = 0;
    world.ack_count = 0;
    world.sent = world.taken;
    if (world.fate != REFUSED_AT_ONCE) return world.fd;
    world.closed_at = world.now;
    return world.fd = -1;
}

bool mqtt_is_connected(int socket)
{
    CHECK(socket == world.fd && world.fate != UNREACHABLE);
    return world.fate != REFUSED;
}

int world_close(int fd)
{
    CHECK(fd == world.fd && fd >= 0);
    world.fd = -1;
    world.closed_at = world.now;
    return 0;
}

ssize_t world_recv(int fd, void *bytes, size_t size, int flags)
{
    CHECK(fd == world.fd && size > 0 && flags == 0);
    if (once_in(16)) return failure(once_in(2) ? EINTR : EAGAIN);
    if (world.arrived == 0 && !world.is_closed) return failure(EAGAIN);
    if (world.arrived == 0) return world.fate == RESETS ? failure(ECONNRESET) : 0;
    size_t const most = size < world.arrived ? size : world.arrived, n = once_in(2) ? most : 1 + below(most);
    memcpy(bytes, world.down, n);
    world.arrived -= n;
    world.down_length -= n;
    memmove(world.down, world.down + n, world.down_length);
    return (ssize_t)n;
}

ssize_t world_send(int fd, const void *bytes, size_t length, int flags)
{
    CHECK(fd == world.fd && length > 0 && flags == MSG_NOSIGNAL);
    if (once_in(16)) return failure(once_in(2) ? EINTR : EAGAIN);
    if (world.is_closed) return once_in(2) ? failure(EPIPE) : (ssize_t)length;
    size_t const room = UP_SIZE - world.up_length, most = length < room ? length : room;
    if (room == 0) return failure(EAGAIN);
    size_t const n = once_in(2) ? most : 1 + below(most);
    memcpy(world.up + world.up_length, bytes, n);
    world.up_length += n;
    world.sent_at = world.now;
    return (ssize_t)n;
}

/* A line is its number, and up to 600 bytes. */
static size_t line_of(int number, char *text)
{
    size_t const padding = (size_t)number * 7919 % 13 == 0 ? (size_t)number * 104729 % 600 : (size_t)number % 5;
    size_t const length = (size_t)sprintf(text, "%d ", number);
    memset(text + length, 'x', padding);
    text[length + padding] = '\n';
    return length + padding + 1;
}

ssize_t world_read(int fd, void *bytes, size_t size)
{
    char text[640];
    CHECK(fd == STDIN_FILENO && size > 0);
    if (once_in(16)) return failure(once_in(2) ? EINTR : EAGAIN);
    if (world.line == world.lines) return 0;
    if (world.there == 0) return failure(EAGAIN);
    size_t const left = line_of(world.line, text) - world.in_line, most = size < left ? size : left;
    size_t const n = most < world.there ? most : world.there;
    memcpy(bytes, text + world.in_line, n);
    world.there -= n;
    world.in_line = n == left ? 0 : world.in_line + n;
    if (n == left) world.line++;
    return (ssize_t)n;
}

int world_print(const char *format, int topic_length, const char *of, int length, const char *payload)
{
    int number;
    CHECK(strcmp(format, "%.*s %.*s\n") == 0 && (topic_length == 0 || of != NULL));
    if (world.fate == MAD || length != sizeof number) return 0;
    memcpy(&number, payload, sizeof number);
    CHECK(number >= 0 && number < LINES);
    world.is_printed[number] = true;
    return 0;
}

int world_report(FILE *stream, const char *format, const char *why, int pause)
{
    CHECK(stream == stderr && strlen(format) > 0 && strlen(why) > 0 && pause >= BACK_OFF_MS &&
          pause <= BACK_OFF_MAX_MS);
    return 0;
}

static int poll_world(void *context, int fd, int events)
{
    bool const is_there = world.fate != UNREACHABLE;
    (void)context;
    if (fd == STDIN_FILENO) return world.there > 0 || world.line == world.lines ? UF_READABLE : 0;
    if (fd != world.fd) return UF_DESCRIPTOR_CLOSED;
    return events & ((is_there && (world.up_length < UP_SIZE || world.is_closed) ? UF_WRITABLE : 0) |
                     (world.arrived > 0 || world.is_closed ? UF_READABLE : 0));
}

/* -- the broker ---------------------------------------------------------------------------------------------------- */

static void answer(const void *bytes, size_t length)
{
    CHECK(world.down_length + length <= DOWN_SIZE);
    memcpy(world.down + world.down_length, bytes, length);
    world.down_length += length;
}

static void answer_short(int type, int first, int second, int third, size_t left)
{
    uint8_t const bytes[] = {(uint8_t)(type << 4), (uint8_t)left, (uint8_t)first, (uint8_t)second, (uint8_t)third};
    answer(bytes, left + 2);
}

/* Returns: its number; -1: it is no line. The last one before a stop may be incomplete. */
static int number_of(const char *text, size_t length)
{
    char expected[640];
    int const number = atoi(text);

    if (length == world.in_line && line_of(world.line, expected) > length && memcmp(text, expected, length) == 0)
        return world.line;
    if (number < 0 || number >= world.line) return -1;
    return line_of(number, expected) == length + 1 && memcmp(text, expected, length) == 0 ? number : -1;
}

/* Lines are received for the first time in their order. With QoS 1, they are marked when they may have been received
 * before; with QoS 0, some are lost. */
static void take_line(int flags, const uint8_t *body, size_t length)
{
    size_t const head = options.qos == 1 ? 5 : 3;
    char text[640];
    CHECK(length > head && length < sizeof text && memcmp(body, "\0\1t", 3) == 0);
    memcpy(text, body + head, length - head);
    text[length - head] = '\0';
    int const number = number_of(text, length - head);
    if (options.qos == 0) {
        CHECK(flags == 0 && number >= world.received);
        world.received = number + 1;
        return;
    }
    CHECK((flags & ~8) == 2 && number >= 0 && number <= world.received);
    CHECK(number == world.received || (flags & 8) != 0);
    if (number == world.received) world.received++;
    CHECK(world.ack_count < ACKS);
    world.acks[world.ack_count++] = (uint16_t)(body[3] << 8 | body[4]);
}

static void take_ack(const uint8_t *body)
{
    int const number = (body[0] << 8 | body[1]) - 1;
    if (world.fate == MAD) return;
    CHECK(number >= 0 && number < world.sent && world.is_printed[number]);
    if (number == world.taken) world.taken++;
}

static void take_packet(int first, const uint8_t *body, size_t length)
{
    CHECK(world.is_greeted == (first >> 4 != MQTT_CONNECT) && !world.is_disconnected);
    switch ((enum mqtt_type)(first >> 4)) {
    case MQTT_CONNECT:
        world.is_greeted = true;
        answer_short(MQTT_CONNACK, 0, world.fate == UNWELCOME ? 3 : 0, 0, 2);
        break;
    case MQTT_PUBLISH:
        CHECK(world.is_subscribed);
        take_line(first & 15, body, length);
        break;
    case MQTT_PUBACK: take_ack(body); break;
    case MQTT_SUBSCRIBE:
        CHECK(first == (MQTT_SUBSCRIBE << 4 | 2) && !world.is_subscribed);
        world.is_subscribed = true;
        answer_short(MQTT_SUBACK, body[0], body[1], 1, 3);
        break;
    case MQTT_PINGREQ: answer_short(MQTT_PINGRESP, 0, 0, 0, 0); break;
    case MQTT_DISCONNECT: world.is_disconnected = true; break;
    case MQTT_CONNACK:
    case MQTT_SUBACK:
    case MQTT_PINGRESP:
    default: CHECK(false); /* only brokers send these */
    }
}

/* Returns: false if the next packet is not complete. */
static bool take_next_packet(void)
{
    size_t left = 0, head = 1;

    do {
        if (head >= world.up_length || head > 4) return false;
        left |= (size_t)(world.up[head] & 0x7f) << (7 * (head - 1));
    } while (world.up[head++] & 0x80);
    if (world.up_length - head < left) return false;
    take_packet(world.up[0], world.up + head, left);
    world.up_length -= head + left;
    memmove(world.up, world.up + head + left, world.up_length);
    return true;
}

static void acknowledge_some(void)
{
    if (once_in(8)) answer_short(MQTT_PUBACK, 1, (int)below(256), 0, 2); /* there is no such message */
    if (once_in(8)) answer_short(MQTT_PUBACK, 0, 0, 0, 2);
    for (size_t n = below(8); n > 0 && world.ack_count > 0; n--) {
        size_t const i = world.is_shuffled ? below((size_t)world.ack_count) : 0;
        answer_short(MQTT_PUBACK, world.acks[i] >> 8, world.acks[i] & 255, 0, 2);
        memmove(world.acks + i, world.acks + i + 1,
                (size_t)(--world.ack_count) * sizeof *world.acks - i * sizeof *world.acks);
    }
}

static void send_some(void)
{
    while (world.sent - world.taken < IN_FLIGHT && world.sent < world.lines && once_in(3)) {
        int const number = world.sent++, id = number + 1;
        uint8_t bytes[] = {
            MQTT_PUBLISH << 4 | 2, 2 + 1 + 2 + sizeof number, 0, 1, 't', (uint8_t)(id >> 8), (uint8_t)id, 0, 0, 0, 0};
        memcpy(bytes + 7, &number, sizeof number);
        answer(bytes, sizeof bytes);
    }
}

/* Ends good conduct. Nonsense begins between two packets and has no PUBACK, which would be a lie about a message. */
static void strike(void)
{
    if (world.fate == CLOSES || world.fate == RESETS) {
        world.is_closed = true;
        return;
    }
    if (world.fate != MAD) return;
    for (size_t n = below(300); n > 0 && world.down_length < DOWN_SIZE; n--) {
        uint8_t const byte = (uint8_t)below(256);
        world.down[world.down_length++] = byte >> 4 == MQTT_PUBACK ? 0xff : byte;
    }
    world.arrived = world.down_length;
}

static void act_on_connection(void)
{
    bool const may_strike = world.fate >= SILENT, has_struck = may_strike && world.total >= world.strikes_at;

    if (world.is_closed || world.fate == UNREACHABLE) return;
    if (!has_struck) {
        for (size_t n = below(10); n > 0 && take_next_packet();) n--;
        if (world.is_subscribed) {
            acknowledge_some();
            send_some();
        }
        size_t n = once_in(4) ? 0 : below(world.down_length - world.arrived + 1);
        if (may_strike && world.fate != MAD && n > world.strikes_at - world.total) n = world.strikes_at - world.total;
        world.arrived += n;
        world.total += n;
        CHECK(world.now - world.sent_at <= UF_S(KEEP_ALIVE_S) * 3 / 2 || world.up_length > 0);
    } else {
        strike();
    }
    (void)uf_pump_ready(&pump, world.fd, poll_world(NULL, world.fd, UF_READABLE | UF_WRITABLE));
}

/* Every message that the client takes for acknowledged was received. Its messages are the lines. */
static void check_acknowledged(void)
{
    const Session *const s = &client.session;
    CHECK(s->end - s->first <= WINDOW && (int)s->end <= world.line + (world.in_line > 0));
    if (options.qos == 0) return;
    CHECK((int)s->first <= world.received);
    for (unsigned i = s->first; i != s->end; i++) CHECK(s->window[i % WINDOW].length > 0 || (int)i < world.received);
}

static void act(void)
{
    if (world.line < world.lines && once_in(world.hesitation)) world.there += below(400);
    (void)uf_pump_ready(&pump, STDIN_FILENO, poll_world(NULL, STDIN_FILENO, UF_READABLE));
    if (world.fd >= 0) act_on_connection();
    check_acknowledged();
}

/* -- runs ---------------------------------------------------------------------------------------------------------- */

static void run_until(bool (*is_over)(void))
{
    uf_time next = world.now;

    while (!is_over()) {
        uf_time const sleep = uf_pump_round(&pump, world.now);
        check_acknowledged();
        if (sleep == 0) continue;
        if (sleep < next - world.now) {
            world.now += sleep;
            continue;
        }
        world.now = next;
        next += 1 + (uf_time)below((size_t)world.interval);
        act();
        CHECK(world.now < UF_S(1200));
    }
}

static bool has_ended(void)
{
    return !uf_flow_running(&client.uf);
}

static bool is_stopped(void)
{
    return uf_pump_stopped(&pump);
}

static uf_time stop_at;
static uint64_t farewells; /* runs whose last packet was DISCONNECT */

static bool is_time_to_stop(void)
{
    return has_ended() || world.now >= stop_at;
}

static void run(void)
{
    static uf_stop stop;

    memset(&world, 0, sizeof world);
    memset(&client, 0, sizeof client);
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    world.fd = -1;
    options.qos = !once_in(8);
    world.hesitation = once_in(8) ? 100 : 1;
    world.lines = 1 + (int)below(world.hesitation > 1 ? 20 : 400);
    world.is_shuffled = once_in(2);
    world.interval = once_in(4) ? UF_MS(200) : UF_MS(10);
    world.calm_at = once_in(8) ? 0 : UF_S(30);
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.poll = poll_world}) == UF_OK);
    CHECK(Client_init(&client, &pump, "client", &options) == UF_OK && Client_start_Run(&client) == UF_OK);
    stop_at = once_in(3) ? (uf_time)below(UF_S(20)) : UF_FOREVER;
    run_until(is_time_to_stop);
    if (has_ended() && options.qos == 1) CHECK(world.received == world.lines);
    CHECK(uf_pump_stop(&pump, &stop, UF_S(6)) == UF_OK);
    run_until(is_stopped);
    CHECK(has_ended() && stop.report.took <= UF_S(6) && stop.report.cut_off == 0 && stop.report.stuck == 0);
    bool const is_done = client.session.first == client.session.end && client.length == 0;
    CHECK(is_done || uf_flow_outcome(&client.uf) == UF_CANCELLED);
    CHECK(!is_done || uf_flow_outcome(&client.uf) == UF_DONE || world.fate != GOOD);
    CHECK(world.fd == -1 && uf_signal_epoch(&client.ends) > 0);
    farewells += world.up_length >= 2 && memcmp(world.up + world.up_length - 2, "\xe0", 2) == 0;
    CHECK(Client_destroy(&client) == UF_OK && uf_pump_destroy(&pump) == UF_OK);
}

int main(int argc, char **argv)
{
    uint64_t const count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    uint64_t const first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    long connections = 0, lines = 0;

    for (seed = first; seed < first + count; seed++) {
        run();
        connections += world.connections;
        lines += world.received;
    }
    (fprintf)(stdout, "%llu seeds: %ld messages on %ld connections\n", (unsigned long long)count, lines, connections);
    return farewells >= count / 2 ? 0 : 1;
}
