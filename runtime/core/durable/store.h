/* SPDX-License-Identifier: MIT */
/* store.h - what durable.c, store.c and restore.c share. */
#ifndef UFLOW_DURABLE_STORE_H
#define UFLOW_DURABLE_STORE_H

#include "durable/keep.h"
#include "runs/runs.h"

#define UFI_STORE_LIMIT   UF_S(10)
#define UFI_RESTORE_LIMIT 5u
#define UFI_MAX_DOWNTIME  (UF_S(86400) * 30)
#define UFI_STORE_TICK    UF_S(60)

/* Is what the flow does kept? Not its `shutdown` task. */
bool ufi_is_kept(const uf_flow *flow);

/* -- index.c: the durable flows of a store by their paths ---------------------------------------------------------- */

/* In the init of a flow. Returns: false if another one will have the same path. */
bool ufi_index_add(uf_flow *flow);
void ufi_index_remove(uf_flow *flow);

/* After the init of a member: the flows inside it, whose paths are known then. */
void ufi_index_add_parts(uf_flow *member);

/* Is the path known? Not while the init of a flow around it is running. */
bool ufi_index_has_path(const uf_flow *flow);

/* The flow of that path; NULL: none. On the pump's thread. */
uf_flow *ufi_index_find(uf_store *store, const char *path);

/* The flow after this one, in no certain order; NULL: the first one, or no more. */
uf_flow *ufi_index_next(const uf_store *store, uf_flow *flow);

/* -- owed.c: runs that steps of durable flows have begun ----------------------------------------------------------- */

/* The first step of a run is put: is it begun by a step that is kept? */
void ufi_owed_begin(uf_flow *child);

/* The run ends: if that is owed, the child stays busy. */
void ufi_owed_end(uf_flow *child);

/* The run of a flow has ended, and what it owed is over: with it, or with the step of its own owner. */
void ufi_owed_leave(uf_flow *flow);

/* The owner puts a record behind a step: with it, the ends that were deferred. That record is committed: children of
 * which no arm waits are free. The flow is detached. */
void ufi_owed_put(uf_flow *owner);
void ufi_owed_settle(uf_flow *owner);
void ufi_owed_forget(uf_flow *flow);

/* After a restart: the debt of a child. */
void ufi_owed_link(uf_flow *child, uf_flow *owner);

/* The owner leaves its first step, or has parked there: cancels what it has not taken. */
void ufi_owed_drop(uf_flow *owner, bool companions);

/* The run of a child is cancelled: its owner does not go on, or does not take it. Was it? Any thread. */
void ufi_owed_lose(uf_flow *child);
bool ufi_owed_is_lost(const uf_flow *flow);

/* Has the run ended, but not for its owner? Any thread. */
bool ufi_owed_is(const uf_flow *flow);

/* -- starts.c: what bodies start and spawn ------------------------------------------------------------------------ */

/* The flow whose body starts this one, or this member; NULL: its record is put by itself. `is_full`: its step has
 * started too many other ones. */
uf_flow *ufi_starts_by(const uf_flow *flow, bool *is_full);

/* A stop does not refuse the next start of that flow, or spawn in it: it goes on after a restart, as its starter does.
 * Returns: what to set afterwards. */
const uf_flow *ufi_starts_let(uf_pump *pump, const uf_flow *flow);

/* That has started it: it counts, and the record of the run is put with the starter's next one. */
void ufi_starts_note(uf_flow *flow, uf_flow *starter);

/* The starter puts a record behind the step: before it, what it has started; before that, the numbers are over. */
void ufi_starts_put(uf_flow *starter);
void ufi_starts_over(uf_flow *starter);

/* Its body has ended, and the flow parks in the step. */
void ufi_starts_park(uf_flow *starter);

/* The run of the flow ends by itself. Those that it has begun are put by themselves, or with the next record of `to`.
 * The flow is detached. Its path is forgotten. */
void ufi_starts_leave(uf_flow *flow);
void ufi_starts_pass(uf_flow *starter, uf_flow *to);
void ufi_starts_detach(uf_flow *flow);
void ufi_starts_forget(uf_store *store, const char *path);

/* The record of the numbers has the path of the flow, and this behind it. */
#define UFI_STARTS "#starts"

/* Does a record of numbers have this path? Is it whole? It gives the flow what was kept. */
bool ufi_starts_are(const char *path);
bool ufi_starts_check(const void *bytes, size_t size);
void ufi_starts_read(uf_store *store, const char *path, const void *bytes, size_t size);

/* -- kept_ends.c: ends of members that a durable flow takes ------------------------------------------------------- */

/* Of a member that ends: the run of the owner that is to take that; 0: none is. */
uint32_t ufi_ends_taker(const uf_flow *flow);

/* The end is taken. Returns: true: the place is not free yet. */
bool ufi_ends_hold(uf_flow *flow);

/* The owner puts a record behind the step in which it has taken ends. The body of the next one begins, or the run has
 * ended: the places are free. */
void ufi_ends_put(const uf_flow *owner);
void ufi_ends_free(const uf_flow *owner, bool all);

/* After a restart, of a member that is initialised and does not run: its end is there again, or the place is free. */
void ufi_ends_restore(uf_flow *flow);

/* -- pools.c ------------------------------------------------------------------------------------------------------- */

/* Is what this member does kept? Not if its pool lies in a member of another one. */
bool ufi_pools_keep(const uf_flow *member);

/* The place of a pool that a path names. `pool` is one that was found before, or NULL. */
typedef struct ufi_pool_place {
    uf_members *pool;
    uint32_t index;
    bool is_inside; /* the path is that of a part of the member */
} ufi_pool_place;
bool ufi_pools_find(const uf_store *store, const char *path, ufi_pool_place *place);

/* The pool of that path; NULL: none. */
uf_members *ufi_pools_named(const uf_store *store, const char *path);

/* Before the records are checked: initialises the member whose record this is, if it is one that ran. Its next run gets
 * a number behind those that the records of its parts name. */
void ufi_pools_prepare(uf_store *store, ufi_pool_place *place, const char *path, const void *bytes, size_t size);

/* Has the run of the member ended in which this part was kept? */
bool ufi_pools_is_past(const uf_flow *part, const ufi_kept *kept);

/* Does the member run in which this path was kept? Then it has no such part. */
bool ufi_pools_is_gone(const ufi_pool_place *place, const ufi_kept *kept);

/* Afterwards: frees the other places, or all. */
void ufi_pools_free(uf_store *store, bool all);

/* At the end of a restore: ends of members are there again. */
void ufi_pools_restore_ends(uf_store *store);

/* A member was reserved. Returns: true, and it is free again, if nothing was restored yet. Any thread. */
bool ufi_pools_refuse(uf_flow *member);

/* -- store.c ------------------------------------------------------------------------------------------------------- */

/* Puts what `write` writes of `of`. `*size` is how long the record was the last time, or 0: mostly, it has that length
 * again, and is written once. */
uf_status ufi_store_put_record(uf_store *store, const char *path, uint32_t *size,
                               void (*write)(ufi_cbor_out *out, const void *of), const void *of);

/* Puts the record of a flow at this moment; see ufi_keep_write(). Returns: false if the store fails. */
bool ufi_store_put_at(uf_flow *flow, uint32_t state, bool runs, bool entered);

/* No other thread can claim the flow now. */
static inline bool ufi_store_put(uf_flow *flow, bool runs, bool entered)
{
    return ufi_store_put_at(flow, ufp_load(&flow->state), runs, entered);
}

/* After a put of other bytes, such as none for a path: calls `committed` in the next round. */
void ufi_store_note_put(uf_store *store);

/* Calls `committed` now, and wakes what waits for it. On the pump's thread. */
void ufi_store_look(uf_store *store);

/* Keeps the time alone from now on, if the store is to do so. */
void ufi_store_begin_tick(uf_store *store);

/* Members of ufi_store_hooks. */
uf_status ufi_store_begun(uf_run run);
void ufi_store_due(uf_pump *pump, uf_arm *timer);

/* A flow that is held goes on, at `restore_rate`. */
void ufi_store_release(uf_flow *flow);

/* What is kept of a flow, and since when: see uf_flow_keeping(). */
uf_keeping ufi_keeping(const uf_flow *flow, uf_time *since);

/* Something is kept of the flow, or is to be, from now on. */
static inline void ufi_keeping_note(uf_flow *flow)
{
    ufi_durable(flow)->since = ufi_real_time(flow->pump);
}

static inline void ufi_keeping_tell(uf_flow *flow, uf_keeping keeping)
{
    if (ufi_is_observed(flow->pump)) flow->pump->notify->keeping_changed(flow, keeping);
}

/* Does a stop suspend the run of the flow, or its children before it? */
bool ufi_is_suspending(const uf_flow *flow);

/* Was it put that the step began in which the run is? */
static inline bool ufi_entry_is_put(const uf_flow *flow)
{
    return ufi_durable(flow)->run == flow->run && ufi_durable(flow)->ordinal == flow->ordinal;
}

/* In place of the ordinal of the entry that was put: the run has ended, and observers hear of that. */
#define UFI_RUN_OVER UINT32_MAX

static inline bool ufi_is_over(const uf_flow *flow)
{
    return ufi_durable(flow)->run == flow->run && ufi_durable(flow)->ordinal == UFI_RUN_OVER;
}

/* The flow is woken when its last put is committed, or the store has failed. */
void ufi_store_wait(uf_flow *flow);
void ufi_store_leave(uf_flow *flow);

/* Does the flow still wait for a commit? */
static inline bool ufi_store_waits(const uf_durable *durable)
{
    return !durable->store->is_failed && durable->put > durable->store->kept;
}

static inline uf_flow *ufi_flow_of_durable(const uf_durable *durable)
{
    return (uf_flow *)((uintptr_t)durable - UF_FLOW_SIZE);
}

#endif
