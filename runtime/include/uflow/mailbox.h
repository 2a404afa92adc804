/* mailbox.h - a bounded queue of values into a flow, from any thread.
 *
 * `mailbox int orders[16];` in flow Line gives Line_orders_send(), for any thread, on bare metal for interrupts, and
 * Line_orders_receive(), for steps of the pump that Line is on; these are what they are made of. What one sender sends is
 * received in its order. Nothing is overwritten, and nothing waits: a full mailbox says so. Mail that is unread when a
 * runtime has stopped is still there when it is started again, and is not in the report of the stop: see
 * uf_mailbox_count(). */
#ifndef UFLOW_MAILBOX_H
#define UFLOW_MAILBOX_H

#include "uflow/base.h"
#include "uflow/flow.h"
#include "uflow/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The members are the runtime's. */
typedef struct uf_mailbox {
    uf_signal filled; /* fires when something has come */
    const char *name;
    uf_flow *owner;
    unsigned char *items;
    uint32_t *turns; /* for each cell whose turn it is: twice the lap, for a sender; and one more, for the receiver */
    uint32_t capacity;
    uint32_t item_size;
    uint32_t limit; /* positions are counted up to here, a multiple of the capacity, and from 0 again */
    uint32_t head;  /* the position that the next sender takes */
    uint32_t tail;  /* the position that is received next */
} uf_mailbox;

/* `items` has room for `capacity` values of `item_size` bytes, `turns` for as many words; capacity 1 to 2^30, with any
 * other nothing is done. `name` may be NULL. */
void uf_mailbox_init(uf_mailbox *mailbox, uf_flow *owner, const char *name, void *items, uint32_t *turns,
                     uint32_t capacity, uint32_t item_size);

/* The tasks of flows that wait for it fail with "closed"; see uf_signal_destroy(). */
void uf_mailbox_destroy(uf_mailbox *mailbox);

/* Copies a value in. UF_FULL; UF_STOPPING: the owner's pump takes nothing new; UF_CLOSED: it was destroyed with its flow,
 * which waits for those who are sending; the memory has to be there still. Any thread; on bare metal also from an interrupt. */
uf_status uf_mailbox_send(uf_mailbox *mailbox, const void *item);

/* Copies the oldest value out; false: there is none. On the owner's pump. */
bool uf_mailbox_receive(uf_mailbox *mailbox, void *item);

/* How many are in it, those included that are being sent at this moment. Any thread. */
uint32_t uf_mailbox_count(const uf_mailbox *mailbox);

#ifdef __cplusplus
}
#endif
#endif
