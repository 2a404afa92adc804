/* SPDX-License-Identifier: MIT */
/* index.c - the durable flows of a store by their paths.
 *
 * A tree without memory of its own: from the root, the bits of a key choose the way, the highest one first. The key is
 * a hash of the path. While a flow is initialised its path is not known: the flow that contains it becomes its parent
 * afterwards. So it has the key of its name at first, and that of its path from the first search on. */
#include "durable/store.h"

#include "basics/format.h"

static uint32_t hash_of(const char *text)
{
    uint32_t hash = UINT32_C(0x811C9DC5); /* FNV-1a */

    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * UINT32_C(0x01000193);
    return hash;
}

/* A path that is too long is found by nobody, and cannot be put. */
static uint32_t key_of(const uf_flow *flow)
{
    char path[UF_STORE_PATH_SIZE];

    (void)uf_flow_path(flow, path, sizeof path);
    return hash_of(path);
}

static bool has_path(const uf_flow *flow, const char *path)
{
    char own[UF_STORE_PATH_SIZE];
    return uf_flow_path(flow, own, sizeof own) < sizeof own && ufi_is_same_text(own, path);
}

/* -- the tree: in the critical section of the pump, since other threads may initialise flows ----------------------- */

static uf_durable **way_to(uf_durable *at, uint32_t key, unsigned level)
{
    return &at->below[level < 32 ? key << level >> 31 : 0]; /* flows of one key lie on one way */
}

static void insert(uf_store *store, uf_durable *durable, uint32_t key)
{
    uf_durable **place = &store->index;

    for (unsigned level = 0; *place; level++) place = way_to(*place, key, level);
    durable->key = key;
    durable->below[0] = durable->below[1] = NULL;
    durable->is_indexed = true;
    *place = durable;
}

/* A leaf below it takes its place. */
static void take_out(uf_store *store, uf_durable *durable)
{
    uf_durable **place = &store->index;

    for (unsigned level = 0; *place != durable; level++) place = way_to(*place, durable->key, level);
    uf_durable **at = place;
    while ((*at)->below[0] || (*at)->below[1]) at = (*at)->below[0] ? &(*at)->below[0] : &(*at)->below[1];
    uf_durable *const leaf = *at;
    *at = NULL;
    durable->is_indexed = false;
    if (leaf == durable) return;
    leaf->below[0] = durable->below[0];
    leaf->below[1] = durable->below[1];
    *place = leaf;
}

static void renew(uf_store *store, uf_durable *durable)
{
    uint32_t const key = key_of(ufi_flow_of_durable(durable));

    if (durable->key == key) return;
    take_out(store, durable);
    insert(store, durable, key);
}

/* -- flows of the same path ---------------------------------------------------------------------------------------- */

/* The flow in whose struct this one lies: its parent, or the innermost one whose init is running. That one is before
 * it on the list of the pump. */
static const uf_flow *around(const uf_flow *flow)
{
    const uf_flow *const parent = ufi_container(flow);

    if (parent) return parent;
    for (uf_link *link = flow->attached.prev; link != &flow->pump->flows; link = link->prev) {
        if (ufi_is_part_of(flow, ufi_attached_flow(link))) return ufi_attached_flow(link);
    }
    return NULL;
}

bool ufi_index_has_path(const uf_flow *flow)
{
    for (const uf_flow *at = flow; at; at = ufi_container(at)) flow = at;
    ufp_critical_enter(flow->pump); /* another thread may detach flows */
    bool const has_path = !around(flow);
    ufp_critical_leave(flow->pump);
    return has_path;
}

/* Of flows with the key of this name: one that has got a parent since gets the key of its path as it is now, so that
 * the next search does not come across it. */
static uf_durable *first_with_parent(const uf_store *store, uint32_t key)
{
    uf_durable *at = store->index;

    for (unsigned level = 0; at; at = *way_to(at, key, level++)) {
        uf_flow const *const flow = ufi_flow_of_durable(at);
        if (at->key == key && ufi_container(flow) && key_of(flow) != key) return at;
    }
    return NULL;
}

static bool has_twin(const uf_store *store, const uf_flow *flow, uint32_t key)
{
    uf_durable *at = store->index;

    for (unsigned level = 0; at; at = *way_to(at, key, level++)) {
        uf_flow const *const other = ufi_flow_of_durable(at);
        if (at->key == key && ufi_is_same_text(other->name, flow->name) && around(other) == around(flow)) return true;
    }
    return false;
}

bool ufi_index_add(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);
    uf_store *const store = durable->store;
    bool const is_member = flow->rare_flags & UFI_MEMBER; /* whose path is known, and whose name no other one has */
    uint32_t const key = is_member ? key_of(flow) : hash_of(flow->name);

    ufp_critical_enter(flow->pump);
    if (is_member) {
        insert(store, durable, key);
        ufp_critical_leave(flow->pump);
        return true;
    }
    for (uf_durable *at; (at = first_with_parent(store, key)) != NULL;) renew(store, at);
    bool const is_new = !has_twin(store, flow, key);
    if (is_new) insert(store, durable, key);
    store->has_new = true;
    ufp_critical_leave(flow->pump);
    return is_new;
}

/* A part that this init did not reach has no store. */
void ufi_index_add_parts(uf_flow *member)
{
    uf_pump *const pump = member->pump;

    if (!ufi_is_durable(member) || !ufi_durable(member)->store) return;
    for (uf_flow *part = member; (part = uf_pump_next_flow(pump, part)) != NULL && ufi_is_part_of(part, member);) {
        if (!ufi_is_durable(part) || !ufi_durable(part)->store) continue;
        ufp_critical_enter(pump);
        insert(ufi_durable(part)->store, ufi_durable(part), key_of(part));
        ufp_critical_leave(pump);
    }
}

void ufi_index_remove(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (!durable->is_indexed) return;
    ufp_critical_enter(flow->pump);
    take_out(durable->store, durable);
    ufp_critical_leave(flow->pump);
}

/* -- searches ------------------------------------------------------------------------------------------------------ */

uf_flow *ufi_index_next(const uf_store *store, uf_flow *flow)
{
    do flow = uf_pump_next_flow(store->pump, flow);
    while (flow && (!ufi_is_durable(flow) || !ufi_durable(flow)->is_indexed));
    return flow;
}

/* All flows get the keys of their paths, after new ones were initialised. */
static void renew_all(uf_store *store)
{
    store->has_new = false;
    for (uf_flow *flow = NULL; (flow = ufi_index_next(store, flow)) != NULL;) {
        ufp_critical_enter(flow->pump);
        renew(store, ufi_durable(flow));
        ufp_critical_leave(flow->pump);
    }
}

uf_flow *ufi_index_find(uf_store *store, const char *path)
{
    uint32_t const key = hash_of(path);
    uf_flow *found = NULL;

    if (store->has_new) renew_all(store);
    ufp_critical_enter(store->pump);
    uf_durable *at = store->index;
    for (unsigned level = 0; at && !found; at = *way_to(at, key, level++)) {
        uf_flow *const flow = ufi_flow_of_durable(at);
        if (at->key == key && has_path(flow, path)) found = flow;
    }
    ufp_critical_leave(store->pump);
    return found;
}
