/* SPDX-License-Identifier: MIT */
/* wire_choose.c - what the schedule makes of the network. Each kind is a site of the test that explores. */
#define _GNU_SOURCE
#include "wire.h"

#include "texts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* The bit of a row is its place. */
static const struct {
    const char *site;
    uint32_t most; /* in a schedule */
    bool is_of_calls;
} kinds[WIRE_KINDS] = {
    [WIRE_CUT] = {"wire.cut", 3, true},      [WIRE_SHORT] = {"wire.short", 3, true},
    [WIRE_AGAIN] = {"wire.again", 3, true},  [WIRE_DESCRIPTORS] = {"wire.descriptors", 1, true},
    [WIRE_LATE] = {"wire.late", 3, false},   [WIRE_LOST] = {"wire.lost", 3, false},
    [WIRE_TWICE] = {"wire.twice", 3, false}, [WIRE_ORDER] = {"wire.order", 3, false},
    [WIRE_RESET] = {"wire.reset", 1, false}, [WIRE_HALF] = {"wire.half", 1, false},
};

_Static_assert(UF_WIRE_CUT == 1 << WIRE_CUT && UF_WIRE_HALF == 1 << WIRE_HALF && UF_WIRE_ORDER == 1 << WIRE_ORDER &&
                   UF_WIRE_ALL == (1 << WIRE_KINDS) - 1,
               "the bits are those of the rows");

static const uf_time delays[] = {UF_MS(1), UF_MS(20), UF_MS(300), UF_S(3), UF_S(30)};
enum { DELAYS = sizeof delays / sizeof delays[0] };

static struct {
    unsigned disturbed;
    uf_time latency;
} choice;

void uft_wire_choose_anew(void)
{
    choice.disturbed = UF_WIRE_ALL;
    choice.latency = 0;
}

void uf_wire_disturb(unsigned disturbed)
{
    if (uft_wire_joins()) choice.disturbed = disturbed;
}

void uf_wire_latency(uf_time latency)
{
    if (uft_wire_joins()) choice.latency = latency > 0 ? latency : 0;
}

uint32_t uft_wire_ask(uft_wire_kind kind, const uft_socket *s, uint32_t options)
{
    uft_disturber *const disturber = uft_disturber_now();
    bool const is_steady = kinds[kind].is_of_calls && (uft_is_of_test() || (s && s->is_steady));

    if (!disturber || options < 2 || is_steady || !(choice.disturbed >> kind & 1)) return 0;
    uint32_t const site = uft_find_site(disturber->sites, kinds[kind].site);
    if (site == TEST_SITES) {
        disturber->choices.is_full = true;
        return 0;
    }
    disturber->sites->list[site].most = kinds[kind].most;
    bool const is_quiet = uft_wire_now() > disturber->loud_until;
    return uft_ask(&disturber->choices, site, is_quiet ? 1 : options, true);
}

void uft_wire_tell(const char *format, ...)
{
    uft_disturber const *const disturber = uft_disturber_now();
    char text[TEST_LINE_SIZE / 2];
    va_list arguments;

    if (!disturber) return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    uft_tell(disturber, "%s", text);
}

bool uft_is_put_off(const uft_socket *s, int fd, const char *call, int flags)
{
    bool const waits = s->blocks && !(flags & MSG_DONTWAIT);

    if (waits || !uft_wire_ask(WIRE_AGAIN, s, 2)) return false;
    uft_wire_tell("%s() of descriptor %d fails with EAGAIN", call, fd);
    errno = EAGAIN;
    return true;
}

/* One byte, half of them, or all but one. */
static size_t part_of(size_t length, uint32_t number)
{
    return number == 2 ? (length + 1) / 2 : number == 3 ? length - 1 : 1;
}

size_t uft_read_size(uft_socket *s, int fd, size_t length)
{
    if (s->trickles) return 1;
    uint32_t const number = length < 2 ? 0 : uft_wire_ask(WIRE_CUT, s, 5);
    if (number == 0) return length;
    s->trickles = number == 4;
    size_t const part = part_of(length, number);
    uft_wire_tell("descriptor %d reads %zu of %zu bytes%s", fd, part, length, s->trickles ? ", and so on" : "");
    return part;
}

size_t uft_write_size(uft_socket *s, int fd, size_t length)
{
    uint32_t const number = length < 2 ? 0 : uft_wire_ask(WIRE_SHORT, s, 4);

    if (number == 0) return length;
    size_t const part = part_of(length, number);
    uft_wire_tell("descriptor %d writes %zu of %zu bytes", fd, part, length);
    return part;
}

uf_time uft_wire_due(const uft_socket *s, const char *what)
{
    uf_time const now = uft_wire_now();
    char text[TEST_TIME_SIZE];

    if (s->domain == AF_UNIX) return now;
    uint32_t const number = uft_wire_ask(WIRE_LATE, NULL, DELAYS + 1);
    if (number) uft_wire_tell("%s is %s late", what, uft_duration_text(delays[number - 1], text));
    return uf_time_add(now, uf_time_add(choice.latency, number ? delays[number - 1] : 0));
}
