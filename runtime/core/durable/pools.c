/* SPDX-License-Identifier: MIT */
/* pools.c - pools of durable flows: after a restart the members that ran are there again, at their places and with the
 * numbers of their runs. A place has no flow while it is free: its record only says how many runs it has had.
 *
 * The record of a durable flow inside a member names the run of the member. So it is past when that has ended, and
 * stays until the next run of the member that needs it.
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
static bool parse(const char *path, size_t at, size_t *length, uint32_t *index)
{
    size_t digits = 0;
    uint32_t unit = 1;

    *index = 0;
    if (at == 0 || path[--at] != ']') return false;
    for (; at > 0 && path[at - 1] >= '0' && path[at - 1] <= '9' && digits < 9; digits++, unit *= 10)
        *index += unit * (uint32_t)(path[--at] - '0');
    *length = at - 1;
    bool const is_one_name = digits == 1 || path[at] != '0'; /* or another path would name the same place */
    return digits > 0 && is_one_name && at > 1 && path[at - 1] == '[';
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

/* Is that what the path has before `end`? With a store it looks at all pools. */
static bool is_place(const uf_store *store, const char *path, size_t end, ufi_pool_place *place)
{
    size_t length;

    if (!parse(path, end, &length, &place->index)) return false;
    uf_members *const pool = store         ? pool_on(store, path, length)
                             : place->pool ? pool_of(place->pool->owner, path, length)
                                           : NULL;
    if (pool) place->pool = pool;
    place->is_inside = path[end] != '\0';
    return pool && place->index < pool->info->count;
}

static bool find(const uf_store *store, const char *path, ufi_pool_place *place)
{
    for (size_t end = 1; *path; end++) {
        if ((!path[end] || path[end] == '.') && is_place(store, path, end, place)) return true;
        if (!path[end]) return false;
    }
    return false;
}

/* Rows of one pool often follow each other. */
bool ufi_pools_find(const uf_store *store, const char *path, ufi_pool_place *place)
{
    return UF_USES_POOLS && (find(NULL, path, place) || find(store, path, place));
}

static uf_flow *member_at(const ufi_pool_place *place)
{
    return ufi_member_flow(place->pool->owner, place->pool->info, place->index);
}

static bool has_begun(const ufi_pool_place *place)
{
    return place->index < place->pool->used && ufi_member_of(member_at(place))->is_attached;
}

/* Was it kept in the run that the member goes on with? */
static bool is_of(const uf_flow *member, const ufi_kept *kept)
{
    return ufi_durable(member)->is_restoring && member->run == kept->within;
}

bool ufi_pools_is_past(const uf_flow *part, const ufi_kept *kept)
{
    return !is_of(ufi_member_around(part), kept);
}

bool ufi_pools_is_gone(const ufi_pool_place *place, const ufi_kept *kept)
{
    return has_begun(place) && is_of(member_at(place), kept);
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
    uf_flow *const flow = member_at(place);
    if (has_begun(place)) return; /* the check will say that it has no such part */
    while (pool->used <= place->index || !is_reserved(flow)) {
        if (uf_members_reserve(pool, &reserved) != UF_OK) return;
    }
    uint32_t const run = (uint32_t)(place->is_inside ? kept.within : kept.run);
    bool const begins = !place->is_inside && (kept.runs || kept.untaken);
    if (begins || flow->run < run) ufp_store(&flow->run, run);
    if (!begins) return;
    (void)ufi_take_reserved(flow);
    bool const is_whole = pool->info->pooling->begin(flow);
    ufi_durable(flow)->is_restoring = kept.runs;
    if (is_whole) return;
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
