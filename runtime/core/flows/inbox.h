/* SPDX-License-Identifier: MIT */
/* inbox.h - messages of other threads to a pump, and how those threads keep the pump alive.
 *
 * The inbox is an MPSC queue: an intrusive stack that the pump empties with one exchange at the start of a round,
 * and reverses. Other threads touch no list of the pump. They claim flows by compare-and-exchange of the state, and
 * send messages. */
#ifndef UFLOW_INBOX_H
#define UFLOW_INBOX_H

#include "flows/flows.h"

/* A pinned pump is not freed. To unpin is one atomic operation, after which the caller must not touch the pump. Only
 * the last unpin of a pump that is being freed does more: uf_runtime_free() waits for it. */
#define UFI_BEING_FREED UINT32_C(0x80000000)
static inline void ufi_pump_pin(uf_pump *pump)
{
    if (UFI_MANY_THREADS) (void)ufp_add_fetch_seq_cst(&pump->pins, 1);
}
static inline void ufi_pump_unpin(uf_pump *pump)
{
    if (UFI_MANY_THREADS && ufp_add_fetch_seq_cst(&pump->pins, UINT32_MAX) == UFI_BEING_FREED) pump->host->left(pump);
}

/* Sends a message, whose `deliver` is set, and wakes the pump. The message belongs to the pump until it is
 * delivered. Any thread. */
void ufi_inbox_send(uf_pump *pump, uf_message *message);

/* Sends a message without a wake-up: the caller pins the pump and wakes it afterwards. */
void ufi_inbox_push(uf_pump *pump, uf_message *message);

/* Delivers, in order, all messages that were sent before the call. */
void ufi_inbox_deliver(uf_pump *pump);

/* Calls the hook `wake` of the configuration. The caller pins the pump. */
static inline void ufi_wake_driver(uf_pump *pump)
{
    if (!pump->config.wake) return;
    int const state = ufp_begin_uncancelled();
    pump->config.wake(pump->config.context);
    ufp_end_uncancelled(state);
}

/* Counts a request (a start or a post) that the pump has to finish before a stop is complete.
 * Returns: UF_OK; UF_STOPPING if it is refused, and then it was not counted. */
uf_status ufi_request_begin(uf_pump *pump);
void ufi_request_end(uf_pump *pump);

/* The same for a message that is being delivered, on the pump's thread. The requests end together, after the last
 * message: one write to what other threads write, too. */
static inline void ufi_request_done(uf_pump *pump)
{
    pump->requests_done++;
}

/* Counts a refused request. Returns: UF_STOPPING. */
uf_status ufi_refuse(uf_pump *pump);

#endif
