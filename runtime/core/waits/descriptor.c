/* SPDX-License-Identifier: MIT */
/* descriptor.c - arms for file descriptors. A host watches the descriptors of its pump. On any other pump the arms wait
 * here, for uf_pump_ready().
 *
 * The waiting arms are in a trie, so that an event finds its arms without searching all others. The bits of the
 * descriptor's hash choose the way from the root, the highest bit first. All arms of one descriptor are on one way. A
 * way has 32 arms at most. An arm's links `next` and `prev` are its children. Below the last bit they form rings, which
 * hold the further arms of one descriptor. */
#include "waits/arms.h"

enum { BITS = 32 };

/* Different descriptors have different hashes, because the factor is odd. */
static uint32_t hash_of(int fd)
{
    return (uint32_t)fd * UINT32_C(2654435769);
}

static uf_arm **child_of(uf_arm *arm, uint32_t bits)
{
    return bits >> (BITS - 1) ? &arm->prev : &arm->next;
}

/* `on_list` of an arm is its level, from 1 on; or IN_RING. The children of LAST_LEVEL are rings. */
enum { LAST_LEVEL = BITS, IN_RING };

static void insert(uf_pump *pump, uf_arm *arm)
{
    uf_arm **place = &pump->descriptor_arms;
    uint32_t bits = hash_of(arm->on.fd);
    uint8_t level = 1;

    for (; *place && level != IN_RING; bits <<= 1, level++) place = child_of(*place, bits);
    arm->next = arm->prev = NULL;
    arm->on_list = level;
    if (level == IN_RING) ufi_ring_append(place, arm);
    else *place = arm;
}

/* Takes an arm without children from below this arm. Returns: NULL: this arm has no children. */
static uf_arm *take_leaf(uf_arm *arm)
{
    uf_arm **place = NULL;

    while (arm->next || arm->prev) {
        bool const is_last = arm->on_list == LAST_LEVEL;
        place = arm->next ? &arm->next : &arm->prev;
        arm = *place;
        if (!is_last) continue;
        ufi_ring_remove(place, arm);
        return arm;
    }
    if (place) *place = NULL;
    return place ? arm : NULL;
}

/* A leaf below the arm takes its place. */
static void remove_arm(uf_pump *pump, uf_arm *arm)
{
    uf_arm **place = &pump->descriptor_arms;
    uint32_t bits = hash_of(arm->on.fd);

    for (uint8_t level = 1; level < arm->on_list; bits <<= 1, level++) place = child_of(*place, bits);
    if (arm->on_list == IN_RING) {
        ufi_ring_remove(place, arm);
    } else {
        uf_arm *const leaf = take_leaf(arm);
        if (leaf) {
            leaf->next = arm->next;
            leaf->prev = arm->prev;
            leaf->on_list = arm->on_list;
        }
        *place = leaf;
    }
    arm->next = arm->prev = NULL;
    arm->on_list = 0;
}

static int event_of(const uf_arm *arm)
{
    return arm->kind == UF_ARM_READABLE ? UF_READABLE : UF_WRITABLE;
}

static void fail(uf_arm *arm, uf_arm_cause cause)
{
    arm->state = UF_ARM_FAILED;
    arm->cause = (uint8_t)cause;
}

/* -- events for which no arm waits --------------------------------------------------------------------------------- */

#define UNCLAIMED_EVENTS UINT32_C(3)

static uint32_t unclaimed_of(int fd, int events)
{
    return (uint32_t)fd << 2 | (uint32_t)events;
}

/* The entry of the descriptor, or the first free one; NULL: none is free. */
static uint32_t *find_unclaimed(uf_pump *pump, int fd)
{
    for (unsigned i = 0; i < UF_UNCLAIMED_DESCRIPTORS; i++) {
        uint32_t *const entry = &pump->unclaimed[i];
        if (!*entry || (*entry ^ unclaimed_of(fd, 0)) <= UNCLAIMED_EVENTS) return entry;
    }
    return NULL;
}

static uf_status remember(uf_pump *pump, int fd, int events)
{
    uint32_t *const entry = find_unclaimed(pump, fd);

    if (!entry) return UF_FULL;
    *entry |= unclaimed_of(fd, events);
    return UF_OK;
}

/* Forgets these events of the descriptor. Returns: the events that were remembered. */
static int claim(uf_pump *pump, int fd, int events)
{
    uint32_t *const entry = find_unclaimed(pump, fd);
    if (!entry || !*entry) return 0;

    uint32_t const claimed = *entry & (uint32_t)events;
    *entry &= ~claimed;
    if (*entry & UNCLAIMED_EVENTS) return (int)claimed;
    uint32_t *last = entry; /* without its events, the entry of descriptor 0 looks like a free one */
    uint32_t const *const end = &pump->unclaimed[UF_UNCLAIMED_DESCRIPTORS];
    while (last + 1 < end && last[1]) last++;
    *entry = *last; /* free entries are at the end */
    *last = 0;
    return (int)claimed;
}

/* -- arms ---------------------------------------------------------------------------------------------------------- */

static void wait_for_event(uf_flow *flow, uf_arm *arm)
{
    uf_pump *const pump = flow->pump;
    int const fd = arm->on.fd, want = event_of(arm);

    if (fd < 0 || fd > UF_DESCRIPTOR_MAX) {
        fail(arm, UF_CAUSE_BAD_DESCRIPTOR);
        return;
    }
    int const ready = ufi_poll_of(pump) ? ufi_poll_of(pump)(pump->config.context, fd, want) : claim(pump, fd, want);
    if (ready & UF_DESCRIPTOR_CLOSED) fail(arm, UF_CAUSE_CLOSED);
    else if (ready & want) arm->state = UF_ARM_READY;
    else insert(pump, arm);
}

static void arm_descriptor(uf_flow *flow, uf_arm *arm, int fd, uf_arm_kind kind)
{
    uf_pump *const pump = flow->pump;

    ufi_set_arm(flow, arm, kind);
    arm->on.fd = fd;
    pump->unwatch = ufi_host(pump) ? ufi_host(pump)->unwatch : remove_arm;
    if (ufi_host(pump)) ufi_host(pump)->watch(pump, arm);
    else wait_for_event(flow, arm);
}

void uf_arm_readable(uf_flow *flow, uf_arm *arm, int fd)
{
    arm_descriptor(flow, arm, fd, UF_ARM_READABLE);
}

void uf_arm_writable(uf_flow *flow, uf_arm *arm, int fd)
{
    arm_descriptor(flow, arm, fd, UF_ARM_WRITABLE);
}

/* Can this arm be ready when its await is reached? True if only its evaluation can answer that. */
static bool may_be_ready(uf_flow *flow, uf_arm *arm)
{
    switch (arm->kind) {
    case UF_ARM_UNUSED:
    case UF_ARM_OPERAND:
    case UF_ARM_READABLE:
    case UF_ARM_WRITABLE: return false;
    case UF_ARM_TIMEOUT:
    case UF_ARM_TIMEOUT_REAL:
    case UF_ARM_DEADLINE: return arm->state != UF_ARM_PENDING;
    case UF_ARM_SIGNAL: return arm->state != UF_ARM_PENDING || !arm->on.signal;
    case UF_ARM_MAILBOX:
    case UF_ARM_STOPPING: return uf_evaluate_arm(flow, arm);
    default: return true;
    }
}

void uf_look(uf_flow *flow, bool always)
{
    uf_pump *const pump = flow->pump;
    uf_arm *const arms = ufi_arms(flow);

    if (!ufi_host(pump)) return;
    for (unsigned i = 0; i < flow->type->arm_count && !always; i++) always = may_be_ready(flow, &arms[i]);
    for (unsigned i = 0; i < flow->type->arm_count && always; i++) {
        bool const is_descriptor = arms[i].kind == UF_ARM_READABLE || arms[i].kind == UF_ARM_WRITABLE;
        if (is_descriptor && arms[i].state == UF_ARM_PENDING) ufi_host(pump)->look(&arms[i]);
    }
}

/* -- the caller's events ------------------------------------------------------------------------------------------- */

/* The next arm on the way of a descriptor. In a ring, the walk begins with the first arm. NULL: it was the last arm. */
static uf_arm *next_on_way(uf_arm *arm, uint32_t *bits, uf_arm **ring)
{
    if (arm->on_list == IN_RING) return arm == *ring ? NULL : arm->next;
    uf_arm *const child = *child_of(arm, *bits);
    *bits <<= 1;
    if (arm->on_list != LAST_LEVEL || !child) return child;
    *ring = child;
    return child->next;
}

/* An arm that is ready also fails if the descriptor is closed. Its flow has not had its turn, and would use another
 * descriptor of that number. */
static void deliver(uf_arm *arm, int events)
{
    if (events & UF_DESCRIPTOR_CLOSED && arm->state != UF_ARM_FAILED) fail(arm, UF_CAUSE_CLOSED);
    else if (events & event_of(arm) && arm->state == UF_ARM_PENDING) arm->state = UF_ARM_READY;
    else return;
    ufi_wake(arm->owner);
}

uf_status uf_pump_ready(uf_pump *pump, int fd, int events)
{
    int unclaimed = events & (UF_READABLE | UF_WRITABLE);
    uint32_t bits = hash_of(fd);
    uf_arm *ring = NULL;

    if (!ufi_is_pump(pump) || fd < 0 || fd > UF_DESCRIPTOR_MAX) return UF_INVALID;
    if (ufi_host(pump)) return UF_UNSUPPORTED;
    for (uf_arm *arm = pump->descriptor_arms; arm; arm = next_on_way(arm, &bits, &ring)) {
        if (arm->on.fd != fd) continue;
        unclaimed &= ~event_of(arm);
        deliver(arm, events);
    }
    if (events & UF_DESCRIPTOR_CLOSED) (void)claim(pump, fd, UF_READABLE | UF_WRITABLE);
    else if (unclaimed && !ufi_poll_of(pump)) return remember(pump, fd, unclaimed);
    return UF_OK;
}

static void visit_arm(const uf_arm *arm, void (*visit)(void *context, int fd, int event), void *context)
{
    if (arm->state == UF_ARM_PENDING) visit(context, arm->on.fd, event_of(arm));
}

static void visit_ring(const uf_arm *last, void (*visit)(void *context, int fd, int event), void *context)
{
    uf_arm const *arm = last;
    if (!last) return;
    do visit_arm(arm = arm->next, visit, context);
    while (arm != last);
}

void uf_pump_descriptors(const uf_pump *pump, void (*visit)(void *context, int fd, int event), void *context)
{
    uf_arm *later[BITS]; /* one for each level */
    unsigned count = 0;

    if (!ufi_is_pump(pump) || !visit) return;
    for (uf_arm *arm = pump->descriptor_arms; arm;) {
        uf_arm *next = arm->next, *other = arm->prev;
        visit_arm(arm, visit, context);
        if (arm->on_list == LAST_LEVEL) {
            visit_ring(next, visit, context);
            visit_ring(other, visit, context);
            next = other = NULL;
        }
        if (next && other) later[count++] = other;
        arm = next ? next : other ? other : count ? later[--count] : NULL;
    }
}
