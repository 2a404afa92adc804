/* SPDX-License-Identifier: MIT */
/* pools.c - pools of durable flows: after a restart the members that ran are there again, at their places and with the
 * numbers of their runs. A place has no flow while it is free: its record only says how many runs it has had.
 *
 * Before the records are checked, all places up to the last one that has a record are reserved. Those whose members ran
 * are initialised, and the others are freed again. */
#include "durable/store.h"

#include "basics/format.h"

static bool is_kept_pool(const uf_members_info *info)
{
    return info->type->preempting == &uf_durable_preempting;
}

static uf_members *pool_at(const uf_flow *owner, unsigned which)
{
    return (uf_members *)((uintptr_t)owner + owner->type->pools[which].offset);
}

bool ufi_pools_keep(const uf_flow *member)
{
    return !ufi_member_around(ufi_member_of(member)->pool->owner);
}

/* -- the place of a path ------------------------------------------------------------------------------------------- */

/* "hall.batches[3]": what is before the brackets, and the number. Returns: false if it does not end so. */
static bool parse(const char *path, size_t *length, uint32_t *index)
{
    size_t at = ufi_length(path), digits = 0;
    uint32_t unit = 1;

    *index = 0;
    if (at == 0 || path[--at] != ']') return false;
    for (; at > 0 && path[at - 1] >= '0' && path[at - 1] <= '9' && digits < 9; digits++, unit *= 10)
        *index += unit * (uint32_t)(path[--at] - '0');
    *length = at - 1;
    return digits > 0 && at > 1 && path[at - 1] == '[';
}

static bool is_there(const uf_flow *owner, const uf_members_info *info, const char *path, size_t length)
{
    char own[UF_STORE_PATH_SIZE], name[UF_STORE_PATH_SIZE];

    (void)uf_flow_path(owner, own, sizeof own);
    (void)ufi_join(name, sizeof name, UFI_PARTS(own, ".", info->name));
    size_t i = 0;
    while (i < length && name[i] == path[i]) i++;
    return i == length && !name[i];
}

static uf_members *pool_of(const uf_flow *owner, const char *path, size_t length)
{
    for (unsigned i = 0; i < owner->type->pool_count; i++) {
        const uf_members_info *const info = &owner->type->pools[i];
        if (is_kept_pool(info) && is_there(owner, info, path, length)) return pool_at(owner, i);
    }
    return NULL;
}

static uf_members *pool_on(const uf_store *store, const char *path, size_t length)
{
    uf_members *pool = NULL;

    for (uf_flow *flow = NULL; !pool && (flow = uf_pump_next_flow(store->pump, flow)) != NULL;) {
        if (ufi_pool_count(flow) && !ufi_member_around(flow)) pool = pool_of(flow, path, length);
    }
    return pool;
}

uf_members *ufi_pools_named(const uf_store *store, const char *path)
{
    return UF_USES_POOLS ? pool_on(store, path, ufi_length(path)) : NULL;
}

/* Rows of one pool often follow each other. */
bool ufi_pools_find(const uf_store *store, const char *path, ufi_pool_place *place)
{
    size_t length;

    if (!UF_USES_POOLS || !parse(path, &length, &place->index)) return false;
    uf_members *pool = place->pool ? pool_of(place->pool->owner, path, length) : NULL;
    if (!pool) pool = pool_on(store, path, length);
    if (pool) place->pool = pool;
    return pool && place->index < pool->info->count;
}

/* -- places that are reserved -------------------------------------------------------------------------------------- */

/* By this restore: other threads may try to spawn meanwhile. */
static bool is_reserved(const uf_flow *flow)
{
    return ufi_claimed_only(ufp_load(&flow->state)) &&
           ufp_load_pointer(&ufi_member_of(flow)->spawner) == ufp_thread_self();
}

static void free_place(uf_flow *flow)
{
    uf_member *const member = ufi_member_of(flow);

    ufp_store_pointer(&member->spawner, NULL);
    ufp_store_release(&flow->state, UF_STATE_IDLE);
    ufi_member_free(member->pool, member);
}

static void take_back(uf_flow *flow)
{
    ufi_index_remove(flow);
    ufi_member_end_run(flow);
    free_place(flow);
}

void ufi_pools_prepare(uf_store *store, ufi_pool_place *place, const char *path, const void *bytes, size_t size)
{
    ufi_kept kept;
    uf_flow *reserved;

    if (!UF_USES_POOLS || ufi_index_find(store, path) || !ufi_pools_find(store, path, place)) return;
    if (!ufi_keep_read_head(&kept, bytes, size)) return; /* the check will say so */
    uf_members *const pool = place->pool;
    uf_flow *const flow = ufi_member_flow(pool->owner, pool->info, place->index);
    while (pool->used <= place->index || !is_reserved(flow)) {
        if (uf_members_reserve(pool, &reserved) != UF_OK) return;
    }
    ufp_store(&flow->run, (uint32_t)kept.run);
    if (!kept.runs && !kept.untaken) return;
    (void)ufi_take_reserved(flow);
    if (pool->info->pooling->begin(flow)) return;
    ufi_member_end_run(flow);
    if (!kept.runs) free_place(flow);
}

/* Calls it for each member that was ever used, the last one first, so that the first place is taken first. */
static void for_each_member(uf_store *store, void (*call)(uf_flow *member))
{
    for (uf_flow *flow = NULL; (flow = uf_pump_next_flow(store->pump, flow)) != NULL;) {
        for (unsigned i = 0; i < ufi_pool_count(flow); i++) {
            const uf_members_info *const info = &flow->type->pools[i];
            if (!is_kept_pool(info) || ufi_member_around(flow)) continue;
            for (uint32_t k = pool_at(flow, i)->used; k-- > 0;) call(ufi_member_flow(flow, info, k));
        }
    }
}

static void free_if_reserved(uf_flow *member)
{
    if (is_reserved(member)) free_place(member);
}

static void take_back_if_new(uf_flow *member)
{
    if (is_reserved(member)) free_place(member);
    else if (ufi_member_of(member)->is_attached) take_back(member);
}

void ufi_pools_free(uf_store *store, bool all)
{
    if (UF_USES_POOLS) for_each_member(store, all ? take_back_if_new : free_if_reserved);
}

void ufi_pools_restore_ends(uf_store *store)
{
    if (UF_USES_POOLS) for_each_member(store, ufi_ends_restore);
}

bool ufi_pools_refuse(uf_flow *member)
{
    uf_pump *const pump = member->pump;
    uf_store const *const store = ufi_store(pump);
    bool const here = ufi_on_pump_thread(pump);

    if (!UF_USES_POOLS || !store || ufp_load(&store->is_open)) return false;
    free_place(member);
    if (!here) ufi_request_end(pump);
    return true;
}
