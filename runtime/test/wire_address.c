/* SPDX-License-Identifier: MIT */
/* wire_address.c - names of sockets. All addresses of IP belong to the test, and so do all paths. */
#define _GNU_SOURCE
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

enum { FIRST_PORT = 49152 };

bool uft_read_address(uft_address *address, int domain, const struct sockaddr *from, socklen_t length)
{
    socklen_t const least = domain == AF_INET    ? sizeof(struct sockaddr_in)
                            : domain == AF_INET6 ? (socklen_t)offsetof(struct sockaddr_in6, sin6_scope_id)
                                                 : (socklen_t)offsetof(struct sockaddr_un, sun_path);

    memset(address, 0, sizeof *address);
    if (!from || length < least || length > sizeof address->of || from->sa_family != domain) return false;
    memcpy(&address->of, from, length);
    address->length = domain == AF_INET ? sizeof(struct sockaddr_in) : length;
    return true;
}

void uft_write_address(const uft_address *address, struct sockaddr *to, socklen_t *length)
{
    socklen_t const room = to && length ? *length : 0;

    if (room) memcpy(to, &address->of, room < address->length ? room : address->length);
    if (to && length) *length = address->length;
}

static in_port_t port_of(const uft_address *address)
{
    if (address->length == 0) return 0;
    return address->of.any.sa_family == AF_INET    ? address->of.in.sin_port
           : address->of.any.sa_family == AF_INET6 ? address->of.in6.sin6_port
                                                   : 0;
}

static void set_port(uft_address *address, in_port_t port)
{
    if (address->of.any.sa_family == AF_INET) address->of.in.sin_port = port;
    else address->of.in6.sin6_port = port;
}

static bool is_any(const uft_address *address)
{
    if (address->of.any.sa_family == AF_INET) return address->of.in.sin_addr.s_addr == htonl(INADDR_ANY);
    return address->of.any.sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&address->of.in6.sin6_addr);
}

static void set_loopback(uft_address *address)
{
    if (address->of.any.sa_family == AF_INET) address->of.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else address->of.in6.sin6_addr = in6addr_loopback;
}

static bool is_same_host(const uft_address *a, const uft_address *b)
{
    if (a->of.any.sa_family == AF_INET) return a->of.in.sin_addr.s_addr == b->of.in.sin_addr.s_addr;
    return memcmp(&a->of.in6.sin6_addr, &b->of.in6.sin6_addr, sizeof a->of.in6.sin6_addr) == 0;
}

/* Does what is sent to this address reach a socket with that name? */
static bool fits(const uft_address *name, const uft_address *to)
{
    if (name->length == 0 || name->of.any.sa_family != to->of.any.sa_family) return false;
    if (name->of.any.sa_family == AF_UNIX)
        return name->length == to->length && memcmp(&name->of, &to->of, name->length) == 0;
    uft_address meant = *to;
    if (is_any(to)) set_loopback(&meant);
    return port_of(name) == port_of(to) && (is_any(name) || is_same_host(name, &meant));
}

/* -- names --------------------------------------------------------------------------------------------------------- */

static bool is_taken(const uft_socket *by, const uft_address *address)
{
    for (uft_socket const *s = NULL; (s = uft_socket_after(s)) != NULL;) {
        bool const may_share = s->shares_port && by->shares_port;
        bool const is_accepted = s->type == SOCK_STREAM && s->state == SOCKET_CONNECTED;
        if (s == by || s->type != by->type || may_share || is_accepted || s->own.length == 0) continue;
        if (fits(&s->own, address) || (is_any(address) && port_of(&s->own) == port_of(address))) return true;
    }
    return false;
}

/* The first port that no socket of this type has, in one pass: hundreds of sockets are bound in a test. */
static void choose_port(const uft_socket *s, uft_address *address)
{
    uint8_t taken[(UINT16_MAX + 1) / 8] = {0};
    unsigned port = FIRST_PORT;

    for (uft_socket const *it = NULL; (it = uft_socket_after(it)) != NULL;) {
        if (it == s || it->type != s->type || it->domain == AF_UNIX || it->own.length == 0) continue;
        unsigned const own = ntohs(port_of(&it->own));
        taken[own / 8] |= (uint8_t)(1u << own % 8);
    }
    while (port < UINT16_MAX && taken[port / 8] & 1u << port % 8) port++;
    set_port(address, htons((uint16_t)port));
}

int uft_bind(uft_socket *s, const uft_address *address)
{
    uft_address name = *address;

    if (s->own.length) return uft_errno(EINVAL);
    if (s->domain != AF_UNIX && port_of(&name) == 0) choose_port(s, &name);
    if (is_taken(s, &name)) return uft_errno(EADDRINUSE);
    s->own = name;
    return 0;
}

void uft_bind_any(uft_socket *s)
{
    uft_address any = {.length = s->domain == AF_INET ? sizeof any.of.in : sizeof any.of.in6};

    if (s->own.length || s->domain == AF_UNIX) return;
    any.of.any.sa_family = (sa_family_t)s->domain;
    choose_port(s, &any);
    s->own = any;
}

uft_address uft_source(const uft_socket *s, const uft_address *to)
{
    uft_address from = s->own;

    if (from.length == 0 || s->domain == AF_UNIX || !is_any(&from)) return from;
    from = *to;
    if (is_any(&from)) set_loopback(&from);
    set_port(&from, port_of(&s->own));
    return from;
}

/* A socket that is connected gets datagrams of its other side only. */
static bool may_receive(const uft_socket *s, const uft_socket *from, const uft_address *to)
{
    if (s->type == SOCK_STREAM) return s->state == SOCKET_LISTENS;
    if (s->other.length == 0) return true;
    uft_address const source = uft_source(from, to);
    return source.length == s->other.length && fits(&s->other, &source);
}

uft_socket *uft_find_receiver(const uft_socket *from, const uft_address *to)
{
    uft_socket *found = NULL;

    for (uft_socket *s = NULL; (s = uft_socket_after(s)) != NULL;) {
        if (s->type != from->type || !fits(&s->own, to) || !may_receive(s, from, to)) continue;
        if (!found || !is_any(&s->own) || s->other.length) found = s;
    }
    return found;
}
