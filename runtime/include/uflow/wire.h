/* SPDX-License-Identifier: MIT */
/* wire.h - the network of a test: sockets that exist in the test only, in virtual time.
 *
 *   test "echo" {
 *       int fd[2];
 *       flow Echo echo(&flow->fd[1]);
 *       explore { }
 *       on end { (void)close(flow->fd[0]); }
 *       step Begin { (void)socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, flow->fd); ... }
 *   }
 *
 * A program of `add_uflow_tests(... NETWORK)` has it: there the linker replaces socket(), send(), read(), poll() and
 * the other calls of cmake/wire.txt. The other side of a connection uses sockets, too. The functions below set what is
 * chosen, until the end of the run. Linux only. */
#ifndef UFLOW_WIRE_H
#define UFLOW_WIRE_H

#include "uflow/base.h"

UF_C_BEGIN

/* What a test that explores disturbs. The first four are of calls, unless the steps and blocks of the test itself make
 * them. The others are of the way between sockets, and not of AF_UNIX. Each happens three times in a schedule at most,
 * UF_WIRE_DESCRIPTORS, UF_WIRE_RESET and UF_WIRE_HALF once. */
enum {
    UF_WIRE_CUT = 1,         /* a read from a stream gets a part of what is there */
    UF_WIRE_SHORT = 2,       /* a write to a stream takes a part */
    UF_WIRE_AGAIN = 4,       /* a call fails with EAGAIN though it could go on; not of sockets that block */
    UF_WIRE_DESCRIPTORS = 8, /* socket(), socketpair() or accept() fails with EMFILE */
    UF_WIRE_LATE = 16,       /* what is sent arrives 1 ms, 20 ms, 300 ms, 3 s or 30 s later */
    UF_WIRE_LOST = 32,       /* a datagram is lost */
    UF_WIRE_TWICE = 64,      /* a datagram arrives twice */
    UF_WIRE_ORDER = 128,     /* a datagram is overtaken by one that was sent later */
    UF_WIRE_RESET = 256,     /* a connection is refused, or breaks with what is sent */
    UF_WIRE_HALF = 512,      /* one direction of a stream ends behind what is sent */
    UF_WIRE_ALL = 1023
};

/* Sets what is disturbed: any of those bits. Without the call, all of them are, in tests with `explore`.
 * Thread: the pump's. */
void uf_wire_disturb(unsigned kinds);

/* Leaves the calls for this socket undisturbed, and those for the connections that it accepts: a flow that plays the
 * other side need not be written with care. Other descriptors are ignored.
 * Thread: the pump's. */
void uf_wire_steady(int fd);

/* Sets how long everything that is sent is on its way; 0 in each new run. Not of AF_UNIX. A negative time counts as 0.
 * Thread: the pump's. */
void uf_wire_latency(uf_time latency);

/* Counts the sockets that are open, to be compared when all should be closed.
 * Thread: the pump's.
 * Returns: how many; 0 outside of tests. */
unsigned uf_wire_open(void);

UF_C_END
#endif
