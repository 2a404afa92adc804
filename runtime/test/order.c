/* SPDX-License-Identifier: MIT */
/* order.c - the order of what arrives with a round.
 *
 * An event is a message of the inbox, such as the end of a job; a signal that has fired, also that of a mailbox; or all
 * flows that one descriptor has woken. For each place but the last, a question asks which of the
 * events that are left comes next; 0 is the one that is due. If an answer is not 0, each event becomes a message of its
 * own, and the pump delivers them in that order. */
#include "order.h"

#include "jobs.h"
#include "texts.h"
#include "watch.h"

#include "waits/signals.h"

#include "uflow/pool.h"
#include "uflow/priv/pump.h"

#include <stdio.h>
#include <string.h>

/* A round with more events keeps their order. */
#define MOST_EVENTS 64

typedef struct uft_event {
    uf_message message; /* first: of a signal or descriptor */
    uf_message *own;    /* a message of the inbox; NULL: a signal or descriptor */
    uf_signal *signal;
    int fd; /* -1: one of them */
} uft_event;

static struct {
    uft_event events[MOST_EVENTS];
    uft_event *at[MOST_EVENTS]; /* by place */
    uint32_t count;
    bool is_full;  /* there are more */
    uf_link held;  /* signals that have fired */
    uf_link woken; /* flows that a descriptor has woken */
} order;

static uft_event *add_event(void)
{
    order.is_full |= order.count == MOST_EVENTS;
    if (order.is_full) return NULL;
    uft_event *const event = &order.events[order.count];
    *event = (uft_event){.fd = -1};
    order.at[order.count++] = event;
    return event;
}

/* -- what arrives -------------------------------------------------------------------------------------------------- */

/* The descriptor that has woken a flow; -1: none has. */
static int descriptor_of(const uf_flow *flow)
{
    uf_arm const *const arms = ufi_arms(flow);

    if (!(flow->flags & UF_FLAG_ARMED)) return -1;
    for (unsigned i = 0; i < flow->type->arm_count; i++) {
        bool const is_descriptor = arms[i].kind == UF_ARM_READABLE || arms[i].kind == UF_ARM_WRITABLE;
        if (is_descriptor && arms[i].state != UF_ARM_PENDING) return arms[i].on.fd;
    }
    return -1;
}

static void add_descriptors(const uf_pump *pump)
{
    for (uf_link *link = pump->ready.next; link != &pump->ready; link = link->next) {
        int const fd = descriptor_of(ufi_flow_of(link));
        uint32_t known = 0;
        while (known < order.count && order.events[known].fd != fd) known++;
        uft_event *const event = fd >= 0 && known == order.count ? add_event() : NULL;
        if (event) event->fd = fd;
    }
}

/* The newest signal is on the top of the stack. */
static void add_signals(uf_pump *pump)
{
    uint32_t const first = order.count;

    for (void *node = ufp_load_pointer(&pump->fired_elsewhere); node && node != UFI_EMPTY_STACK;
         node = ufi_below_fired(node)) {
        uf_signal *const signal = ufi_fired_signal(node);
        uft_event *const event = signal ? add_event() : NULL;
        if (event) event->signal = signal;
    }
    for (uint32_t at = first, end = order.count; at + 1 < end; at++, end--) {
        uft_event *const event = order.at[at];
        order.at[at] = order.at[end - 1];
        order.at[end - 1] = event;
    }
}

/* The newest message is the first one of the inbox. Signals have one message for all of them. */
static void add_messages(uf_pump *pump)
{
    uf_message *list[MOST_EVENTS];
    uint32_t count = 0;

    for (uf_message *message = ufp_load_pointer(&pump->inbox); message; message = message->next) {
        if (count < MOST_EVENTS) list[count] = message;
        count++;
    }
    order.is_full |= count > MOST_EVENTS;
    while (count > 0 && !order.is_full) {
        uf_message *const message = list[--count];
        if (message == &pump->check_elsewhere) add_signals(pump);
        else {
            uft_event *const event = add_event();
            if (event) event->own = message;
        }
    }
    if (!UFI_MANY_THREADS) add_signals(pump);
}

/* -- delivering ---------------------------------------------------------------------------------------------------- */

/* A signal is off the list if its last waiter has left it. */
static void release(uf_pump *pump, uf_message *message)
{
    uf_link *const link = &((uft_event *)(void *)message)->signal->fired;

    if (!link->next) return;
    ufi_list_remove(link);
    ufi_list_insert(&pump->fired, link);
    (void)pump->signals->process_fired_early(pump);
}

static void wake(uf_pump *pump, uf_message *message)
{
    int const fd = ((uft_event *)(void *)message)->fd;

    for (uf_link *link = order.woken.next, *next; link != &order.woken; link = next) {
        next = link->next;
        if (descriptor_of(ufi_flow_of(link)) != fd) continue;
        ufi_list_remove(link);
        ufi_list_insert(&pump->ready, link); /* the walk has not begun */
    }
}

/* Takes the signals off the stack, which is empty then, except for arms. */
static void take_signals(uf_pump *pump)
{
    void *node = ufp_load_pointer(&pump->fired_elsewhere);
    void *first = UFI_EMPTY_STACK;
    uf_arm *last = NULL;

    if (!node) return;
    node = ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, UFI_EMPTY_STACK);
    while (node && node != UFI_EMPTY_STACK) {
        void *const next = ufi_below_fired(node);
        uf_signal *const signal = ufi_fired_signal(node);
        if (signal) {
            ufp_store_pointer_seq_cst(&signal->queued, NULL);
            ufi_list_insert(order.held.next, &signal->fired);
        } else {
            if (last) last->next = node;
            else first = node;
            last = node;
        }
        node = next;
    }
    if (last) last->next = UFI_EMPTY_STACK;
    ufp_store_pointer_seq_cst(&pump->fired_elsewhere, first);
}

static void take_flows(uf_pump *pump)
{
    for (uf_link *link = pump->ready.next, *next; link != &pump->ready; link = next) {
        next = link->next;
        if (descriptor_of(ufi_flow_of(link)) < 0) continue;
        ufi_list_remove(link);
        ufi_list_insert(&order.woken, link);
    }
}

/* Replaces the messages of the round. That of the signals comes last: the stack stays marked until then. */
static void arrange(uf_pump *pump)
{
    uf_message **end = &pump->messages;
    bool const has_stack = ufp_load_pointer(&pump->fired_elsewhere) != NULL;

    take_signals(pump);
    take_flows(pump);
    (void)ufp_exchange_pointer_seq_cst(&pump->inbox, NULL);
    while (*end) end = &(*end)->next;
    for (uint32_t i = 0; i < order.count; i++, end = &(*end)->next) {
        uft_event *const event = order.at[i];
        event->message.deliver = event->signal ? release : wake;
        *end = event->own ? event->own : &event->message;
    }
    if (UFI_MANY_THREADS && has_stack) {
        *end = &pump->check_elsewhere;
        end = &(*end)->next;
    }
    *end = NULL;
}

/* -- what is chosen ------------------------------------------------------------------------------------------------ */

static const uf_mailbox *mailbox_of(const uf_pump *pump, const uf_signal *signal)
{
    uf_link const *link = pump->mail ? pump->mailboxes.next : &pump->mailboxes;

    for (; link != &pump->mailboxes; link = link->next) {
        uf_mailbox const *const mailbox = (const uf_mailbox *)((uintptr_t)link - offsetof(uf_mailbox, in_pump));
        if (&mailbox->filled == signal) return mailbox;
    }
    return NULL;
}

/* The flow whose struct holds the address: the smallest one. NULL: none does. */
static const uf_flow *flow_around(const uf_pump *pump, const void *place)
{
    uf_flow const *found = NULL;

    for (uf_link *link = pump->flows.next; link != &pump->flows; link = link->next) {
        uf_flow const *const flow = ufi_attached_flow(link);
        bool const is_inside = (uintptr_t)place - (uintptr_t)flow < flow->type->size;
        if (is_inside && (!found || flow->type->size < found->type->size)) found = flow;
    }
    return found;
}

#define EVENT_SIZE 96

/* Writes `WHAT NAME`, with the name of the flow before it: `signal door.stop`. */
static void put_name(const uft_disturber *disturber, const uf_flow *flow, const char *what, const char *name,
                     char text[EVENT_SIZE])
{
    bool const is_inner = flow && flow != disturber->test->flow;
    char path[EVENT_SIZE / 2] = "";

    if (is_inner) (void)uft_flow_name(disturber->test->flow, flow, path, sizeof path);
    (void)snprintf(text, EVENT_SIZE, "%s %s%s%s", what, path, is_inner ? "." : "", name ? name : "without a name");
}

static const char *name_of(const uft_disturber *disturber, const uft_event *event, char text[EVENT_SIZE])
{
    uf_pump const *const pump = disturber->pump;
    uf_signal const *const signal = event->signal;
    uf_work const *const job = event->own ? uft_job_of(event->own) : NULL;
    uf_mailbox const *const mailbox = signal ? mailbox_of(pump, signal) : NULL;

    if (job) put_name(disturber, job->flow, "the end of job", job->worker->name, text);
    else if (mailbox) put_name(disturber, mailbox->owner, "mailbox", mailbox->name, text);
    else if (signal) put_name(disturber, flow_around(pump, signal), "signal", signal->name, text);
    else if (event->own) (void)snprintf(text, EVENT_SIZE, "what another thread has asked for");
    else (void)snprintf(text, EVENT_SIZE, "descriptor %d", event->fd);
    return text;
}

static void tell(const uft_disturber *disturber, const uft_event *first, const uft_event *second)
{
    char names[2][EVENT_SIZE];

    if (!disturber->slot) return;
    uft_tell(disturber, "%s comes before %s", name_of(disturber, first, names[0]),
             name_of(disturber, second, names[1]));
}

/* Returns: the order is not that of the arrival. */
static bool choose(uft_disturber *disturber, uint32_t site)
{
    bool is_other = false;

    for (uint32_t place = 0; place + 1 < order.count; place++) {
        uint32_t const number = uft_ask(&disturber->choices, site, order.count - place, true);
        uft_event *const event = order.at[place + number];
        if (number == 0) continue;
        tell(disturber, event, order.at[place]);
        memmove(&order.at[place + 1], &order.at[place], number * sizeof order.at[0]);
        order.at[place] = event;
        is_other = true;
    }
    return is_other;
}

void uft_order(uft_disturber *disturber, uf_pump *pump)
{
    uft_row const *const row = uft_find_row(disturber, UF_TEST_HOOK_ORDER);
    bool const is_quiet = uf_pump_now(pump) > disturber->loud_until;

    if (!row || is_quiet) return;
    order.count = 0;
    order.is_full = false;
    ufi_list_init(&order.held);
    ufi_list_init(&order.woken);
    add_descriptors(pump);
    add_messages(pump);
    disturber->choices.is_full |= order.is_full;
    if (order.count > 1 && !order.is_full && choose(disturber, row->site)) arrange(pump);
}
