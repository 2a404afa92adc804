/* SPDX-License-Identifier: MIT */
/* lossy_link.h - a network in virtual time, in place of tftp_socket.c: a seed decides which packets it loses, repeats
 * and delays. */
#ifndef LOSSY_LINK_H
#define LOSSY_LINK_H

#include <uflow/uflow.h>

#include "tftp_socket.h"

typedef struct link_kind {
    int loss, repeats, late; /* per cent */
    uf_time least, most;     /* the delay of a packet */
    uf_time latest;          /* the most that a late one has in addition */
} link_kind;

typedef struct link_counts {
    int open; /* sockets */
    int data, acks, lost, repeated;
} link_counts;

extern link_counts link_count;

/* Forgets everything. */
void link_reset(uf_pump *pump, const link_kind *kind, uint32_t seed);

uint32_t link_random(uint32_t limit);

/* When the next packet arrives; UF_FOREVER: there is none. */
uf_time link_next(void);

/* Puts the packets that have arrived into the queues of their sockets. */
void link_deliver(uf_time now);

/* The hook `poll` of the pump. */
int link_poll(void *context, int fd, int events);

#endif
