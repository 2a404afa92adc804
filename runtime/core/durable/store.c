/* SPDX-License-Identifier: MIT */
/* store.c - the common part of stores: records that are put, and flows that wait for a commit. */
#include "durable/store.h"

#include "basics/format.h"
#include "flows/inbox.h"

static uf_durable *durable_of(const uf_link *link)
{
    return (uf_durable *)((uintptr_t)link - offsetof(uf_durable, waiting));
}

/* -- commits ------------------------------------------------------------------------------------------------------- */

static void wake_first(uf_store *store)
{
    uf_flow *const flow = ufi_flow_of_durable(durable_of(store->waiting.next));
    ufi_store_leave(flow);
    ufi_wake(flow);
}

/* What waits fails in its next turn, and so does what comes later. */
static void fail(uf_store *store, const char *why)
{
    if (!store->is_failed) ufi_join(store->failure, sizeof store->failure, UFI_PARTS("store: ", why));
    store->is_failed = true;
    while (!ufi_list_empty(&store->waiting)) wake_first(store);
}

void uf_store_fail(uf_store *store, const char *why)
{
    if (store && store->pump) fail(store, why ? why : "failed");
}

const char *uf_store_failure(const uf_store *store)
{
    return store && store->is_failed ? store->failure + sizeof "store: " - 1 : "";
}

/* A round begins after records were put, or after a commit of another thread has ended. */
static void look(uf_pump *pump, uf_message *message)
{
    uf_store *const store = (uf_store *)((uintptr_t)message - offsetof(uf_store, message));
    uint64_t count = store->kept;

    (void)pump;
    ufp_store_seq_cst(&store->is_queued, 0);
    if (store->is_failed) return;
    uf_status const status = store->kind->committed(store, &count);
    if (status != UF_OK) fail(store, uf_status_text(status));
    if (store->is_failed) return;
    store->kept = count;
    while (!ufi_list_empty(&store->waiting) && durable_of(store->waiting.next)->put <= count) wake_first(store);
}

/* Once until it is delivered. */
void uf_store_wake(uf_store *store)
{
    if (!store || !store->pump || !ufp_compare_exchange_seq_cst(&store->is_queued, 0, 1)) return;
    store->message.deliver = look;
    ufi_inbox_send(store->pump, &store->message);
}

/* -- puts ---------------------------------------------------------------------------------------------------------- */

/* The path of the flow, or "" if it is too long for the buffer. */
static bool path_of(const uf_flow *flow, char path[UF_STORE_PATH_SIZE])
{
    return uf_flow_path(flow, path, UF_STORE_PATH_SIZE) < UF_STORE_PATH_SIZE;
}

static uf_status put(uf_store *store, const uf_flow *flow, bool runs, bool entered)
{
    char path[UF_STORE_PATH_SIZE];
    ufi_cbor_out measured = {NULL, 0, 0};

    if (!path_of(flow, path)) {
        fail(store, "a path is too long");
        return UF_STORE;
    }
    ufi_keep_write(&measured, flow, runs, entered);
    ufi_cbor_out out = {store->kind->room(store, measured.length), measured.length, 0};
    if (!out.bytes) return UF_NO_MEMORY;
    ufi_keep_write(&out, flow, runs, entered);
    /* The time of day may have more digits now. */
    return out.length > measured.length ? UF_NO_MEMORY : store->kind->put(store, path, out.bytes, out.length);
}

bool ufi_store_put(uf_flow *flow, bool runs, bool entered)
{
    uf_durable *const durable = ufi_durable(flow);
    uf_store *const store = durable->store;

    if (store->is_failed) return false;
    uf_status const status = put(store, flow, runs, entered);
    if (status != UF_OK) fail(store, uf_status_text(status));
    if (store->is_failed) return false;
    durable->put = ++store->puts;
    uf_store_wake(store);
    return true;
}

void ufi_store_wait(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);
    uint16_t const flags = flow->flags;

    ufi_store_leave(flow);
    ufi_list_insert(&durable->store->waiting, &durable->waiting);
    durable->is_waiting = true;
    (void)uf_arm_timeout_real(flow, &durable->limit, durable->store->config.limit);
    flow->flags = flags; /* it is no arm of the flow's await */
}

void ufi_store_leave(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (!durable->is_waiting) return;
    ufi_list_remove(&durable->waiting);
    durable->is_waiting = false;
    if (durable->limit.on_list) flow->pump->real->remove(flow->pump, &durable->limit);
}

/* -- the life of a store ------------------------------------------------------------------------------------------- */

uf_status uf_store_init(uf_store *store, const uf_store_kind *kind, const uf_store_config *config, const char *identity)
{
    if (!store || !kind || (config && (config->limit < 0 || config->max_downtime < 0))) return UF_INVALID;
    *store = (uf_store){.kind = kind, .identity = identity ? identity : ""};
    if (config) store->config = *config;
    if (!store->config.limit) store->config.limit = UFI_STORE_LIMIT;
    if (!store->config.restore_limit) store->config.restore_limit = UFI_RESTORE_LIMIT;
    if (!store->config.max_downtime) store->config.max_downtime = UFI_MAX_DOWNTIME;
    ufi_list_init(&store->waiting);
    return UF_OK;
}

uf_status uf_store_attach(uf_store *store, uf_pump *pump)
{
    if (!store || !store->kind || !ufi_is_pump(pump)) return UF_INVALID;
    if (store->pump || ufi_store(pump) || uf_pump_next_flow(pump, NULL)) return UF_BUSY;
    store->pump = pump;
    if (UF_USES_DURABLE) pump->store = store;
    return UF_OK;
}

uf_status uf_store_close(uf_store *store)
{
    if (!store || !store->kind) return UF_INVALID;
    if (store->pump && ufi_is_pump(store->pump) && uf_pump_next_flow(store->pump, NULL)) return UF_BUSY;
    if (store->pump && ufi_is_pump(store->pump) && ufi_store(store->pump) == store) store->pump->store = NULL;
    store->kind->close(store);
    return UF_OK;
}
