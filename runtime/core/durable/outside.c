/* SPDX-License-Identifier: MIT */
/* outside.c - what C code asks of a durable flow at any moment: to keep its fields, and the token of its step. */
#include "durable/store.h"

#include "basics/format.h"

/* Does a record of the flow come anyway: with that of another flow, or before the body of its next step? One that came
 * before it would say that the step has begun, without what belongs to that. */
static bool is_due(const uf_flow *flow, bool runs)
{
    const uf_durable *const durable = ufi_durable(flow);
    return durable->starter || durable->is_deferred || (runs && !ufi_entry_is_put(flow));
}

/* Does another thread start it, or is this the init of a member that was just spawned? */
static bool is_claimed(uint32_t state)
{
    return (state & UF_STATE_CLAIMED) != 0;
}

uf_status uf_flow_keep(uf_flow *flow)
{
    if (!flow || !flow->pump || !ufi_is_durable(flow) || !ufi_on_pump_thread(flow->pump)) return UF_INVALID;
    uf_durable *const durable = ufi_durable(flow);
    uint32_t const state = ufp_load(&flow->state); /* another thread may claim it at any time */

    if (!durable->store) return UF_OK;
    if (!durable->is_open) return UF_BUSY;
    if (is_claimed(state)) return UF_OK; /* with the run that begins next */
    if (durable->since < 0 && !ufi_index_has_path(flow)) return UF_BUSY;
    bool const runs = !(state & UF_STATE_IDLE) && ufi_is_kept(flow) && durable->outcome == UF_RUNNING;
    if (runs && ufi_is_over(flow)) return UF_BUSY;
    if (is_due(flow, runs)) return UF_OK;
    uint64_t const before = durable->put;
    if (!ufi_store_put_at(flow, state, runs, !(flow->flags & UFI_ENTERING))) return UF_STORE;
    if (durable->is_waiting) ufi_store_wait(flow); /* behind those whose puts have smaller numbers */
    else durable->put = before;                    /* nobody waits for it */
    return UF_OK;
}

uf_status uf_flow_token(const uf_flow *flow, char token[UF_TOKEN_SIZE])
{
    char path[UF_STORE_PATH_SIZE];
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    if (!flow || !token || !flow->pump || !ufi_is_durable(flow)) return UF_INVALID;
    if (!uf_flow_running(flow) || is_claimed(ufp_load(&flow->state))) return UF_INVALID;
    const uf_durable *const durable = ufi_durable(flow);
    uint32_t const within = ufi_keep_within(flow);
    (void)uf_flow_path(flow, path, sizeof path);
    for (const char *at = path; *at; at++) hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001B3); /* FNV-1a */
    if (within) hash = (hash ^ within) * UINT64_C(0x100000001B3); /* its runs may be counted anew in each of these */
    (void)ufi_format_args(token, UF_TOKEN_SIZE, "%s/%u-%u/%u/%u", durable->store ? durable->store->identity : "",
                          (unsigned)(hash >> 32), (unsigned)hash, (unsigned)flow->run, (unsigned)flow->ordinal);
    return UF_OK;
}
