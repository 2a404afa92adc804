/* SPDX-License-Identifier: MIT */
/* lossy_link.c - a network in virtual time. Ports are few, so that late packets meet the next owner of their port. */
#include "lossy_link.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carrier.h"

enum { SOCKETS = 1024, FIRST_FD = 100000, FIRST_PORT = 1024, PORTS = 2048, QUEUE = 8, PACKETS = 8192 };

typedef struct packet {
    uf_time due;
    uint32_t number; /* packets that are due at the same time stay in order */
    in_port_t from, to;
    int length;
    uint8_t bytes[TFTP_RECEIVE_MAX];
} packet;

link_counts link_count;

static uf_pump *pump;
static link_kind kind;
static uint32_t random_state, number;
static packet *heap[PACKETS]; /* in flight, the next one first */
static int in_flight;
static struct {
    in_port_t port; /* 0: closed */
    int queued;
    packet *queue[QUEUE];
} sockets[SOCKETS];

uint32_t link_random(uint32_t limit)
{
    random_state ^= random_state << 13; /* xorshift32, G. Marsaglia 2003 */
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % limit;
}

void link_reset(uf_pump *on_pump, const link_kind *of_kind, uint32_t seed)
{
    for (int i = 0; i < SOCKETS; i++) {
        while (sockets[i].queued > 0) free(sockets[i].queue[--sockets[i].queued]);
        sockets[i].port = 0;
    }
    while (in_flight > 0) free(heap[--in_flight]);
    pump = on_pump;
    kind = *of_kind;
    random_state = seed * 2654435761u + 1;
    link_count = (link_counts){0};
}

static int slot_of(in_port_t port)
{
    for (int i = 0; i < SOCKETS; i++) {
        if (sockets[i].port == port) return i;
    }
    return -1;
}

/* -- sockets ------------------------------------------------------------------------------------------------------- */

int tftp_open(uint32_t address, uint16_t wanted)
{
    in_port_t port = htons(wanted);
    int const slot = slot_of(0);

    (void)address;
    if (slot < 0) abort();
    while (port == 0 || slot_of(port) >= 0) port = htons((uint16_t)(FIRST_PORT + link_random(PORTS)));
    sockets[slot].port = port;
    link_count.open++;
    return FIRST_FD + slot;
}

void tftp_close(int fd)
{
    if (fd < 0) return;
    int const slot = fd - FIRST_FD;
    while (sockets[slot].queued > 0) free(sockets[slot].queue[--sockets[slot].queued]);
    sockets[slot].port = 0;
    link_count.open--;
}

uint16_t tftp_port(int fd)
{
    return ntohs(sockets[fd - FIRST_FD].port);
}

int tftp_receive(int fd, uint8_t *bytes, struct sockaddr_in *from)
{
    int const slot = fd - FIRST_FD;

    if (sockets[slot].queued == 0) return -1;
    packet *const first = sockets[slot].queue[0];
    int const length = first->length;
    memcpy(bytes, first->bytes, (size_t)length);
    *from = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = first->from};
    from->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    memmove(sockets[slot].queue, sockets[slot].queue + 1, (size_t)--sockets[slot].queued * sizeof first);
    free(first);
    return length;
}

int link_poll(void *context, int fd, int events)
{
    (void)context;
    return events & (UF_WRITABLE | (sockets[fd - FIRST_FD].queued > 0 ? UF_READABLE : 0));
}

/* -- packets in flight --------------------------------------------------------------------------------------------- */

static bool is_before(const packet *a, const packet *b)
{
    return a->due < b->due || (a->due == b->due && a->number < b->number);
}

static void push(packet *added)
{
    int at = in_flight++;

    if (in_flight > PACKETS) abort();
    for (; at > 0 && is_before(added, heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = added;
}

static packet *pop(void)
{
    packet *const first = heap[0], *const last = heap[--in_flight];
    int at = 0;

    for (;;) {
        int child = 2 * at + 1;
        if (child + 1 < in_flight && is_before(heap[child + 1], heap[child])) child++;
        if (child >= in_flight || !is_before(heap[child], last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

static bool happens(int per_cent)
{
    return (int)link_random(100) < per_cent;
}

void tftp_send(int fd, const uint8_t *bytes, size_t length, const struct sockaddr_in *to)
{
    bool const is_lost = happens(kind.loss), is_repeated = happens(kind.repeats);

    link_count.data += bytes[1] == TFTP_DATA;
    link_count.acks += bytes[1] == TFTP_ACK;
    link_count.lost += is_lost;
    link_count.repeated += is_repeated;
    for (int copies = is_lost ? 0 : is_repeated ? 2 : 1; copies > 0; copies--) {
        packet *const added = calloc(1, sizeof *added);
        if (added == NULL) abort();
        added->due = uf_pump_now(pump) + kind.least + link_random((uint32_t)(kind.most - kind.least));
        if (happens(kind.late)) added->due += link_random((uint32_t)(kind.latest / 1000)) * (uf_time)1000;
        added->number = number++;
        added->from = sockets[fd - FIRST_FD].port;
        added->to = to->sin_port;
        added->length = (int)length;
        memcpy(added->bytes, bytes, length);
        push(added);
    }
    uf_signal_fire(&packet_sent);
}

void tftp_send_error(int fd, enum tftp_error code, const char *message, const struct sockaddr_in *to)
{
    uint8_t bytes[TFTP_PACKET_MAX];

    tftp_send(fd, bytes, tftp_encode_error(bytes, code, message), to);
}

uf_time link_next(void)
{
    return in_flight > 0 ? heap[0]->due : UF_FOREVER;
}

void link_deliver(uf_time now)
{
    while (link_next() <= now) {
        packet *const arrived = pop();
        int const slot = slot_of(arrived->to);
        if (slot < 0 || sockets[slot].queued == QUEUE) {
            free(arrived);
            continue;
        }
        sockets[slot].queue[sockets[slot].queued++] = arrived;
        (void)uf_pump_ready(pump, FIRST_FD + slot, UF_READABLE);
    }
}
