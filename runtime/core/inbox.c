/* inbox.c - what other threads send to a pump, and calls.
 *
 * Why nothing is lost: a sender first puts its message into the inbox and then looks whether the pump sleeps; the pump
 * first says that it sleeps and then looks into the inbox. All four are operations of the one total order, so at least
 * one of the two sees what the other did. */
#include "stopping.h"

void ufi_go_inside(uf_pump *pump)
{
    ufp_add_fetch_seq_cst(&pump->inside, 1);
}

void ufi_leave(uf_pump *pump)
{
    if (ufp_add_fetch_seq_cst(&pump->inside, UINT32_MAX) == UFI_BEING_FREED) pump->host->left(pump);
}

void ufi_push(uf_pump *pump, uf_link *message)
{
    do message->next = ufp_load_pointer(&pump->inbox);
    while (!ufp_compare_exchange_pointer_seq_cst(&pump->inbox, message->next, message));
}

void ufi_send(uf_pump *pump, uf_link *message)
{
    struct ufi_host const *const host = pump->host; /* one that is driven by hand may be gone once it has the message */
    bool const here = ufi_here(pump);

    if (!here) ufi_go_inside(pump);
    ufi_push(pump, message);
    if (host) host->wake(pump);
    if (!here) ufi_leave(pump);
}

/* In one exchange. */
uf_link *ufi_take_messages(uf_pump *pump)
{
    uf_link *newest = ufp_exchange_pointer_seq_cst(&pump->inbox, NULL);
    uf_link *const last = newest;
    uf_link *first = NULL;

    while (newest) {
        uf_link *const next = newest->next;
        newest->next = first;
        first = newest;
        newest = next;
    }
    uf_link **end = &pump->messages;
    while (*end) end = &(*end)->next;
    *end = first;
    return last;
}

void ufi_deliver_messages(uf_pump *pump)
{
    uf_link *last = ufi_take_messages(pump);

    if (!last) last = pump->messages;
    while (last && last->next) last = last->next;
    for (uf_link *link = NULL; link != last;) {
        link = pump->messages;
        pump->messages = link->next;
        uf_message *const message = (uf_message *)(void *)link;
        if (!link->prev) ufi_arrive(ufi_flow_of(link));
        else message->deliver(pump, message);
    }
}

uf_status ufi_refuse(uf_pump *pump)
{
    ufp_add_fetch_seq_cst(&pump->refused, 1);
    return UF_STOPPING;
}

/* The count is raised before it is looked whether a stop has begun; a stop says so before it looks at the count. */
uf_status ufi_go_abroad(uf_pump *pump)
{
    ufp_add_fetch_seq_cst(&pump->abroad, 1);
    if (!ufp_load_seq_cst(&pump->stopping)) return UF_OK;
    uf_status const refused = ufi_refuse(pump);
    ufi_come_home(pump); /* and from here on it may be freed */
    return refused;
}

void ufi_come_home(uf_pump *pump)
{
    if (ufi_here(pump)) { /* it looks by itself at the end of the round */
        ufp_add_fetch_seq_cst(&pump->abroad, UINT32_MAX);
        return;
    }
    ufi_go_inside(pump);
    ufp_add_fetch_seq_cst(&pump->abroad, UINT32_MAX);
    if (ufp_load_seq_cst(&pump->watched)) pump->host->review(pump);
    ufi_leave(pump);
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
    uf_status const status = !pump ? UF_INVALID : !pump->host ? UF_UNSUPPORTED : ufi_here(pump) ? UF_DEADLOCK : UF_OK;

    if (status == UF_OK) return pump->host->call(call);
    if (call->info) ufi_format_args(call->info->reason, UF_REASON_SIZE, "%s", uf_status_text(status));
    return status;
}
