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
    ufi_keeping_tell(flow, store->is_failed ? UF_KEEPING_FAILED : UF_KEEPING_KEPT);
}

static void note_kept(uf_durable *durable)
{
    uf_flow *const flow = ufi_flow_of_durable(durable);
    struct ufi_host const *const host = ufi_host(flow->pump);

    durable->kept_run = durable->run;
    if (host && ufp_load(&flow->pump->watched)) host->kept(flow);
}

uf_status ufi_store_begun(uf_run run)
{
    if (!ufi_is_durable(run.flow) || !ufi_durable(run.flow)->store) return UF_OK;
    const uf_durable *const durable = ufi_durable(run.flow);

    if (durable->kept_run == run.number) return UF_OK;
    if (durable->store->is_failed) return UF_STORE;
    return uf_run_outcome(run) == UF_RUNNING ? UF_BUSY : UF_STALE;
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
    if (store && store->kind) fail(store, why ? why : "failed");
}

const char *uf_store_failure(const uf_store *store)
{
    return store && store->is_failed ? store->failure + sizeof "store: " - 1 : "";
}

void ufi_store_look(uf_store *store)
{
    uint64_t count = store->kept;

    if (store->is_failed) return;
    uf_status const status = store->kind->committed(store, &count);
    if (status != UF_OK) fail(store, uf_status_text(status));
    if (store->is_failed) return;
    store->kept = count;
    while (!ufi_list_empty(&store->waiting) && durable_of(store->waiting.next)->put <= count) {
        note_kept(durable_of(store->waiting.next));
        ufi_owed_settle(ufi_flow_of_durable(durable_of(store->waiting.next)));
        wake_first(store);
    }
}

/* A round begins after records were put, or after a commit of another thread has ended. */
static void look(uf_pump *pump, uf_message *message)
{
    uf_store *const store = (uf_store *)((uintptr_t)message - offsetof(uf_store, message));

    (void)pump;
    ufp_store_seq_cst(&store->is_queued, 0);
    ufi_store_look(store);
}

/* Once until it is delivered. */
void uf_store_wake(uf_store *store)
{
    if (!store || !store->pump || !ufp_compare_exchange_seq_cst(&store->is_queued, 0, 1)) return;
    store->message.deliver = look;
    ufi_inbox_send(store->pump, &store->message);
}

/* -- records ------------------------------------------------------------------------------------------------------- */

uf_status ufi_store_put_record(uf_store *store, const char *path, uint32_t *size,
                               void (*write)(ufi_cbor_out *out, const void *of), const void *of)
{
    ufi_cbor_out out = {*size ? store->kind->room(store, *size) : NULL, *size, 0};

    if (!out.bytes) out.size = 0;
    write(&out, of);
    while (out.length > out.size) { /* more than twice if the time of day is known meanwhile, or has more digits */
        out = (ufi_cbor_out){store->kind->room(store, out.length), out.length, 0};
        if (!out.bytes) return UF_NO_MEMORY;
        write(&out, of);
    }
    *size = (uint32_t)out.length;
    return store->kind->put(store, path, out.bytes, out.length);
}

/* -- the time alone ------------------------------------------------------------------------------------------------ */

static bool has_ticks(const uf_store *store)
{
    return store->config.tick > 0 && !store->config.wall;
}

/* While something runs, the time that is kept is never older. */
void ufi_store_begin_tick(uf_store *store)
{
    if (has_ticks(store) && !store->tick.on_list) ufi_store_timer(store->pump, &store->tick, store->config.tick);
}

static void write_time(ufi_cbor_out *out, const void *of)
{
    ufi_keep_write_time(out, *(const uf_time *)of);
}

static void tick(uf_store *store)
{
    uf_time const now = store->pump->clock.logical;

    if (store->is_failed || !store->pump->running) return;
    if (now > store->time) {
        uint32_t size = 0;
        uf_status const status = ufi_store_put_record(store, "", &size, write_time, &now);
        if (status != UF_OK) fail(store, uf_status_text(status));
        else ufi_store_note_put(store);
    }
    ufi_store_begin_tick(store);
}

/* -- the limit ----------------------------------------------------------------------------------------------------- */

/* One timer for all: the flow that has waited for the longest time is the first one. */
static void begin_limit(uf_store *store, uf_time left)
{
    if (!store->limit.on_list && left != UF_FOREVER) ufi_store_timer(store->pump, &store->limit, left);
}

static void check_answer(uf_store *store)
{
    if (ufi_list_empty(&store->waiting)) return;
    uf_time const waited = ufi_real_time(store->pump) - durable_of(store->waiting.next)->since;
    if (waited < store->config.limit) begin_limit(store, store->config.limit - waited);
    else uf_store_fail(store, "no answer");
}

static void remove_timer(uf_store *store, uf_arm *timer)
{
    if (timer->on_list) store->pump->real->remove(store->pump, timer);
}

/* -- releases ------------------------------------------------------------------------------------------------------ */

static void go_on(uf_flow *flow)
{
    ufi_durable(flow)->is_held = false;
    ufi_wake(flow);
}

/* Those whose turn it is in this second. */
static void go_on_with_some(uf_store *store)
{
    while (!ufi_list_empty(&store->released) && store->begun < store->config.restore_rate) {
        uf_flow *const flow = ufi_flow_of_durable(durable_of(store->released.next));
        ufi_store_leave(flow);
        go_on(flow);
        store->begun++;
    }
    if (store->begun && !store->rate.on_list) ufi_store_timer(store->pump, &store->rate, UF_S(1));
}

void ufi_store_release(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);
    uf_store *const store = durable->store;

    if (!store->config.restore_rate) {
        go_on(flow);
        return;
    }
    durable->is_released = true;
    ufi_list_insert(&store->released, &durable->waiting);
    go_on_with_some(store);
}

void ufi_store_due(uf_pump *pump, uf_arm *timer)
{
    uf_store *const store = ufi_store(pump);

    if (timer == &store->tick) {
        tick(store);
        return;
    }
    if (timer == &store->limit) {
        check_answer(store);
        return;
    }
    store->begun = 0;
    go_on_with_some(store);
}

/* -- puts ---------------------------------------------------------------------------------------------------------- */

/* The path of the flow, or "" if it is too long for the buffer. */
static bool path_of(const uf_flow *flow, char path[UF_STORE_PATH_SIZE])
{
    return uf_flow_path(flow, path, UF_STORE_PATH_SIZE) < UF_STORE_PATH_SIZE;
}

typedef struct moment {
    const uf_flow *flow;
    uint32_t state;
    bool runs, entered;
} moment;

static void write_flow(ufi_cbor_out *out, const void *of)
{
    const moment *const at = of;
    ufi_keep_write(out, at->flow, at->state, at->runs, at->entered);
}

static uf_status put(uf_store *store, const uf_flow *flow, uint32_t state, bool runs, bool entered)
{
    char path[UF_STORE_PATH_SIZE];
    moment const at = {flow, state, runs, entered};

    if (path_of(flow, path)) return ufi_store_put_record(store, path, &ufi_durable(flow)->size, write_flow, &at);
    fail(store, "a path is too long");
    return UF_STORE;
}

void ufi_store_note_put(uf_store *store)
{
    store->puts++;
    store->time = store->pump->clock.logical;
    uf_store_wake(store);
}

bool ufi_store_put_at(uf_flow *flow, uint32_t state, bool runs, bool entered)
{
    uf_durable *const durable = ufi_durable(flow);
    uf_store *const store = durable->store;

    if (store->is_failed) return false;
    uf_status const status = put(store, flow, state, runs, entered);
    if (status != UF_OK) fail(store, uf_status_text(status));
    if (store->is_failed) return false;
    ufi_store_note_put(store);
    durable->put = store->puts;
    ufi_store_begin_tick(store);
    ufi_keeping_note(flow);
    return true;
}

void ufi_store_wait(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);
    bool const is_known = durable->is_waiting;

    ufi_store_leave(flow);
    ufi_list_insert(&durable->store->waiting, &durable->waiting);
    durable->is_waiting = true;
    begin_limit(durable->store, durable->store->config.limit);
    if (!is_known) ufi_keeping_tell(flow, UF_KEEPING_WAITS);
}

void ufi_store_leave(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (!durable->is_waiting && !durable->is_released) return;
    ufi_list_remove(&durable->waiting);
    durable->is_waiting = durable->is_released = false;
    if (ufi_list_empty(&durable->store->waiting)) remove_timer(durable->store, &durable->store->limit);
}

uf_keeping ufi_keeping(const uf_flow *flow, uf_time *since)
{
    const uf_durable *durable;

    if (!ufi_is_kept(flow)) return UF_KEEPING_NOTHING;
    durable = ufi_durable(flow);
    *since = durable->since;
    if (durable->is_suspended) return UF_KEEPING_SUSPENDED;
    if (durable->is_held) return UF_KEEPING_HELD;
    if (durable->store->is_failed) return UF_KEEPING_FAILED;
    if (durable->since < 0) return UF_KEEPING_NOTHING;
    return durable->put > durable->store->kept ? UF_KEEPING_WAITS : UF_KEEPING_KEPT;
}

/* -- the life of a store ------------------------------------------------------------------------------------------- */

uf_status uf_store_init(uf_store *store, const uf_store_kind *kind, const uf_store_config *config, const char *identity)
{
    if (!store || !kind || (config && (config->limit < 0 || config->max_downtime < 0 || config->tick < 0)))
        return UF_INVALID;
    *store = (uf_store){.kind = kind, .identity = identity ? identity : ""};
    store->config.tick = UFI_STORE_TICK;
    if (config) store->config = *config;
    if (!store->config.limit) store->config.limit = UFI_STORE_LIMIT;
    if (!store->config.restore_limit) store->config.restore_limit = UFI_RESTORE_LIMIT;
    if (!store->config.max_downtime) store->config.max_downtime = UFI_MAX_DOWNTIME;
    ufi_list_init(&store->waiting);
    ufi_list_init(&store->released);
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
    if (store->pump && ufi_is_pump(store->pump) && ufi_store(store->pump) == store) {
        remove_timer(store, &store->tick);
        remove_timer(store, &store->rate);
        remove_timer(store, &store->limit);
        store->pump->store = NULL;
    }
    store->kind->close(store);
    return UF_OK;
}
