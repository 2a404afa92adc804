/* SPDX-License-Identifier: MIT */
/* wire_queue.c - what is on its way to a socket, or has arrived. */
#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t uft_parts_length(const struct iovec *parts, size_t count)
{
    size_t length = 0;

    for (size_t i = 0; i < count; i++) length += parts[i].iov_len;
    return length;
}

/* Copies between the parts and one piece of memory. */
static void gather(uint8_t *to, const struct iovec *parts, size_t length)
{
    for (size_t at = 0; at < length; parts++) {
        size_t const n = parts->iov_len < length - at ? parts->iov_len : length - at;
        if (n) memcpy(to + at, parts->iov_base, n);
        at += n;
    }
}

static void scatter(const struct iovec *parts, size_t at, const uint8_t *from, size_t length)
{
    for (size_t done = 0; done < length; parts++) {
        if (at >= parts->iov_len) {
            at -= parts->iov_len;
            continue;
        }
        size_t const room = parts->iov_len - at, left = length - done, n = room < left ? room : left;
        memcpy((uint8_t *)parts->iov_base + at, from + done, n);
        done += n;
        at = 0;
    }
}

/* A stream keeps its order: nothing arrives before what was sent earlier. */
static uf_time in_order(const uft_socket *to, uf_time due)
{
    uft_parcel const *last = to->in;

    if (to->type != SOCK_STREAM || !last) return due;
    while (last->next) last = last->next;
    return last->due > due ? last->due : due;
}

bool uft_push(uft_socket *to, uft_parcel_kind kind, uf_time due, const struct iovec *parts, size_t length,
              const uft_address *from)
{
    uft_parcel *const parcel = malloc(sizeof *parcel + length);
    uft_parcel **place = &to->in;

    if (!parcel) return false;
    *parcel = (uft_parcel){.kind = kind, .due = in_order(to, due), .length = length};
    if (from) parcel->from = *from;
    gather(parcel->bytes, parts, length);
    while (*place && (*place)->due <= parcel->due) place = &(*place)->next;
    parcel->next = *place;
    *place = parcel;
    to->held += length;
    uft_wire_expect(parcel->due);
    return true;
}

void uft_drop_parcel(uft_socket *s, uft_parcel **place)
{
    uft_parcel *const parcel = *place;

    *place = parcel->next;
    s->held -= parcel->length - parcel->at;
    free(parcel);
}

void uft_notice_reset(uft_socket *s)
{
    bool has_end = s->has_ended;

    for (uft_parcel **place = &s->in; *place && (*place)->due <= uft_wire_now(); place = &(*place)->next) {
        has_end |= (*place)->kind == PARCEL_END;
        if ((*place)->kind != PARCEL_RESET) continue;
        uft_drop_parcel(s, place);
        s->is_broken = true;
        s->peer = NULL;
        s->error = has_end ? EPIPE : ECONNRESET;
        return;
    }
}

size_t uft_arrived(const uft_socket *s, bool *is_end)
{
    size_t arrived = 0;

    *is_end = s->has_ended;
    for (uft_parcel const *one = s->in; one && one->due <= uft_wire_now(); one = one->next) {
        if (one->kind == PARCEL_BYTES) arrived += one->length - one->at;
        else *is_end = true;
    }
    return arrived;
}

size_t uft_take_bytes(uft_socket *s, const struct iovec *parts, size_t length, bool peeks)
{
    uft_parcel **place = &s->in;
    size_t done = 0;

    while (done < length) {
        uft_parcel *const one = *place;
        size_t const there = one->length - one->at, n = there < length - done ? there : length - done;
        scatter(parts, done, one->bytes + one->at, n);
        done += n;
        if (peeks) {
            place = &one->next;
            continue;
        }
        one->at += n;
        s->held -= n;
        if (one->at == one->length) uft_drop_parcel(s, place);
    }
    if (!peeks) uft_wire_changed(); /* there is room */
    return done;
}
