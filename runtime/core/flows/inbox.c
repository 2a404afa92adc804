/* SPDX-License-Identifier: MIT */
/* inbox.c - messages of other threads to a pump, and calls.
 *
 * No wake-up is lost. A sender that finds the inbox empty pushes its message and then tests whether the pump sleeps.
 * The pump publishes that it is about to sleep and then tests the inbox. All four operations are sequentially
 * consistent, so at least one side sees the other's write. A sender that finds messages leaves the wake-up to the
 * sender of the first message, and does not touch the pump again. */
#include "flows/inbox.h"

#include "basics/format.h"

void ufi_inbox_push(uf_pump *pump, uf_message *message)
{
    do message->next = ufp_load_pointer(&pump->inbox);
    while (!ufp_compare_exchange_pointer_seq_cst(&pump->inbox, message->next, message));
}

static bool push_behind_others(uf_pump *pump, uf_message *message)
{
    while ((message->next = ufp_load_pointer(&pump->inbox))) {
        if (ufp_compare_exchange_pointer_seq_cst(&pump->inbox, message->next, message)) return true;
    }
    return false;
}

/* A caller-driven pump may be gone once it has the message, so its host is read before. */
void ufi_inbox_send(uf_pump *pump, uf_message *message)
{
    if (UFI_MANY_THREADS && push_behind_others(pump, message)) return;

    struct ufi_host const *const host = ufi_host(pump);
    bool const here = !UFI_MANY_THREADS || ufi_on_pump_thread(pump);

    if (!here) ufi_pump_pin(pump);
    ufi_inbox_push(pump, message);
    if (host) host->wake(pump);
    if (!here) ufi_pump_unpin(pump);
}

/* Appends the content of the inbox to pump->messages, oldest first. Returns: the last of the appended messages, or
 * NULL. */
static uf_message *take_inbox(uf_pump *pump)
{
    uf_message *newest = ufp_exchange_pointer_seq_cst(&pump->inbox, NULL);
    uf_message *const last = newest;
    uf_message *first = NULL;

    while (newest) {
        uf_message *const next = newest->next;
        newest->next = first;
        first = newest;
        newest = next;
    }
    uf_message **end = &pump->messages;
    while (*end) end = &(*end)->next;
    *end = first;
    return last;
}

void ufi_inbox_deliver(uf_pump *pump)
{
    uf_message *last = take_inbox(pump);

    if (!last) last = pump->messages;
    while (last && last->next) last = last->next;
    for (uf_message *message = NULL; message != last;) {
        message = pump->messages;
        pump->messages = message->next;
        message->deliver(pump, message);
        if (UFI_MANY_THREADS) pump->delivered++;
    }
    if (UFI_MANY_THREADS && pump->requests_done) (void)ufp_add_fetch_seq_cst(&pump->requests, 0 - pump->requests_done);
    if (UFI_MANY_THREADS) pump->requests_done = 0;
}

/* -- requests ------------------------------------------------------------------------------------------------------ */

uf_status ufi_refuse(uf_pump *pump)
{
    (void)ufp_add_fetch_seq_cst(&pump->refused, 1);
    return UF_STOPPING;
}

/* The count is raised before `stopping` is read. A stop sets `stopping` before it reads the count. So the stop waits
 * for the request, or the request is refused. */
uf_status ufi_request_begin(uf_pump *pump)
{
    (void)ufp_add_fetch_seq_cst(&pump->requests, 1);
    if (!ufi_is_stopping(pump)) return UF_OK;
    uf_status const refused = ufi_refuse(pump);
    ufi_request_end(pump); /* afterwards the pump may be freed */
    return refused;
}

void ufi_request_end(uf_pump *pump)
{
    if (!UFI_MANY_THREADS || ufi_on_pump_thread(pump)) { /* which tests the count at the end of the round */
        (void)ufp_add_fetch_seq_cst(&pump->requests, UINT32_MAX);
        return;
    }
    ufi_pump_pin(pump);
    (void)ufp_add_fetch_seq_cst(&pump->requests, UINT32_MAX);
    if (ufp_load_seq_cst(&pump->watched)) pump->host->review(pump);
    ufi_pump_unpin(pump);
}

/* -- calls --------------------------------------------------------------------------------------------------------- */

void uf_call_init(uf_call *call, uf_flow *flow, uint32_t entry, uint16_t result_class, uf_time timeout,
                  uf_call_info *info)
{
    *call = (uf_call){.flow = flow, .entry = entry, .result_class = result_class, .timeout = timeout, .info = info};
    if (info) *info = (uf_call_info){.outcome = UF_NEVER_RAN};
}

void uf_call_arguments(uf_call *call, void *to, const void *from, size_t size)
{
    call->arguments_to = to;
    call->arguments = from;
    call->arguments_size = size;
}

void uf_call_result(uf_call *call, void *to, const void *from, size_t size)
{
    call->result = to;
    call->result_from = from;
    call->result_size = size;
}

uf_status uf_call_make(const uf_call *call)
{
    uf_pump *const pump = uf_flow_pump(call->flow);
    bool const is_pooled = pump && ufi_member_around(call->flow);
    uf_status const status = !pump                          ? UF_INVALID
                             : !ufi_host(pump) || is_pooled ? UF_UNSUPPORTED
                             : ufi_on_pump_thread(pump)     ? UF_DEADLOCK
                                                            : UF_OK;

    if (status == UF_OK && UFI_MANY_THREADS) return pump->host->call(call);
    if (call->info) ufi_join(call->info->reason, UF_REASON_SIZE, UFI_PARTS(uf_status_text(status)));
    return status;
}
