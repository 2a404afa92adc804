/* SPDX-License-Identifier: MIT */
/* mailbox.h - a bounded queue of values into a flow, from any thread.
 *
 *   mailbox int orders[16];                   in `flow Line` of a .uflow file
 *   (void)Line_orders_send(&line, 7);         any thread: UF_OK, UF_FULL, ...
 *   Line_orders_receive(&line, &order);       in a step: false if the mailbox is empty
 *
 * The generated functions call the ones below. */
#ifndef UFLOW_MAILBOX_H
#define UFLOW_MAILBOX_H

#include "uflow/priv/room.h"
#include "uflow/signal.h"

UF_C_BEGIN

/* A mailbox. Items of one sender arrive in the order in which it sent them. Nothing is overwritten. Items that are
 * unread when a pump has stopped are still there after a restart, unless the mailbox has a function for `drop`. The
 * members are private.
 * Lifetime: part of its flow; Flow_destroy() ends it. */
typedef struct uf_mailbox {
    uf_signal filled; /* fires for each item sent */
    const char *name;
    uf_flow *owner;
    unsigned char *items;
    uint8_t *turns; /* per cell: twice the lap while a sender may fill it, and one more once it is filled */
    uint32_t capacity;
    uint32_t item_size;
    uint32_t limit; /* positions wrap here, at a multiple of the capacity */
    uint32_t head;  /* the position that the next sender takes */
    uint32_t tail;  /* the position that is received next */
    uf_room room;
    uf_pump *pump;            /* the pump that knows the mailbox; NULL: none */
    uf_link in_pump;          /* on its list of mailboxes; `next` is NULL: on none */
    void (*drop)(void *item); /* NULL: items own nothing */
} uf_mailbox;

/* Initialises a mailbox. `items` has room for `capacity` values of `item_size` bytes, and `turns` has
 * `capacity` bytes. Nothing happens if `capacity` is not in 1 to 2^30. `name` may be NULL.
 * Thread: one at a time, before any other use.
 * Lifetime: `items`, `turns`, `name` and `owner` must live until uf_mailbox_destroy() has returned. */
void uf_mailbox_init(uf_mailbox *mailbox, uf_flow *owner, const char *name, void *items, uint8_t *turns,
                     uint32_t capacity, uint32_t item_size);

/* Sets the function that releases an item that nobody receives. It is called once for each item that is unread when the
 * mailbox is destroyed or cleared, or when a graceful shutdown of its pump is over. An item belongs to the mailbox from
 * a send that returns UF_OK to its receive.
 * Thread: one at a time, after uf_mailbox_init() and before any other use. `drop` is called on the thread that destroys
 * or clears the mailbox or ends the shutdown, and must not use the mailbox. */
void uf_mailbox_set_drop(uf_mailbox *mailbox, void (*drop)(void *item));

/* Removes all unread items, and passes each to the function of `drop`. If the owner has just reached an await that
 * receives an item in its next turn, the newest item stays. It also stays in the `on exit` of a subtask that such an
 * await cancels before it receives.
 * Thread: the pump's. */
void uf_mailbox_clear(uf_mailbox *mailbox);

/* Ends a mailbox: the tasks of flows that wait for it fail with "closed", and threads that are sending are waited
 * for. Drops the unread items.
 * Thread: any; not in an interrupt handler. */
void uf_mailbox_destroy(uf_mailbox *mailbox);

/* Copies a value into the mailbox.
 * Thread: any, with every pump; on bare metal also an interrupt handler.
 * Returns: UF_OK; UF_FULL: it has no free cell; UF_STOPPING: the owner's pump is being stopped; UF_CLOSED: it was
 * destroyed with its flow; UF_INVALID: an argument is NULL, or the mailbox was never initialised. */
uf_status uf_mailbox_send(uf_mailbox *mailbox, const void *item);

/* Copies a value into the mailbox, and waits for room if there is none, for `timeout` of real time at most. Threads
 * and flows that wait for room are woken in FIFO order. A value that is not sent still belongs to the caller.
 * Thread: any but one that drives a runtime; the mailbox belongs to a runtime.
 * Returns: UF_OK; UF_TIMED_OUT: there was no room in time; UF_STOPPING: the owner's pump is being stopped; UF_CLOSED:
 * the mailbox was destroyed; UF_DEADLOCK: this thread drives a runtime; UF_UNSUPPORTED: the mailbox's pump is
 * caller-driven; UF_NO_THREAD: no mutex or condition variable; UF_INVALID: an argument is NULL, or the mailbox was
 * never initialised. */
uf_status uf_mailbox_send_wait(uf_mailbox *mailbox, const void *item, uf_time timeout);

/* Copies the oldest value out and removes it.
 * Thread: the pump's.
 * Returns: true; false if the mailbox is empty; false outside the steps of its owner, if the owner has just reached an
 * await that receives an item in its next turn; also in the `on exit` of a subtask that such an await cancels before it
 * receives. */
bool uf_mailbox_receive(uf_mailbox *mailbox, void *item);

/* Counts the items, including those that are being sent at this moment.
 * Thread: any, with every pump.
 * Returns: a number up to the capacity. */
uint32_t uf_mailbox_count(const uf_mailbox *mailbox);

UF_GUARDED(MAILBOXES, uf_mailbox_init)
UF_GUARDED(MAILBOXES, uf_mailbox_send)
UF_GUARDED(MAILBOXES, uf_mailbox_receive)

UF_C_END
#endif
