/* SPDX-License-Identifier: MIT */
/* starts.c - what a body starts and spawns: numbered, and kept together with the end of the body.
 *
 * A body starts a durable flow, or spawns a member of a pool of such flows. The run is accepted at once, but its first
 * turn waits until the body has ended. Then its record is put in one transaction with that of its starter: the record
 * behind the step, or, if the flow parks in it, a record of the numbers alone. So after a crash both are there, or
 * none.
 *
 * The n-th start of one target by one step has the number n. A repeated body begins to count anew: up to the number
 * that is kept, the run was begun before, and nothing happens.
 *
 * The numbers have a record of their own, since that of the flow has its fields as they were at the entry of the step.
 * Its path is that of the flow and `#starts`. */
#include "durable/store.h"

#include "basics/format.h"

/* What is started: a flow, or any member of a pool. */
typedef struct target {
    const void *at;
    uf_starts *own; /* a flow lends it to its starter; NULL: a pool has none */
    bool is_pool;
} target;

static target target_of_pool(const uf_members *pool)
{
    return (target){pool, NULL, true};
}

static target target_of(const uf_flow *flow)
{
    if (UF_USES_POOLS && flow->rare_flags & UFI_MEMBER) return target_of_pool(ufi_member_of(flow)->pool);
    return (target){flow, &ufi_durable(flow)->lent, false};
}

/* -- the numbers of one step --------------------------------------------------------------------------------------- */

static uf_starts *starts_at(const uf_link *link)
{
    return (uf_starts *)((uintptr_t)link - offsetof(uf_starts, link));
}

static uf_link *numbers_of(const uf_flow *starter)
{
    return &ufi_durable(starter)->numbers;
}

static uf_starts *find(const uf_flow *starter, const target *of)
{
    const uf_link *const numbers = numbers_of(starter);

    for (const uf_link *link = numbers->next; link != numbers; link = link->next) {
        if (starts_at(link)->target == of->at) return starts_at(link);
    }
    return NULL;
}

/* A flow lends its own to one starter at a time. Others, and pools, take one of the starter's. */
static uf_starts *unused(const uf_flow *starter, const target *of)
{
    uf_durable *const durable = ufi_durable(starter);

    if (of->own && !of->own->target) return of->own;
    for (unsigned i = 0; i < UF_STARTS; i++) {
        if (!durable->starts[i].target) return &durable->starts[i];
    }
    return NULL;
}

static uf_starts *take(const uf_flow *starter, const target *of)
{
    uf_starts *const found = find(starter, of), *const starts = found ? found : unused(starter, of);

    if (found || !starts) return found;
    *starts = (uf_starts){.target = of->at, .is_pool = of->is_pool};
    ufi_list_insert(numbers_of(starter), &starts->link);
    return starts;
}

static void give_back(uf_starts *starts)
{
    if (!starts->target) return;
    ufi_list_remove(&starts->link);
    starts->target = NULL;
}

/* -- starts by a body ---------------------------------------------------------------------------------------------- */

/* The flow whose body, handler or outcome is running, if what it does is kept. NULL: it is none, or the await of one
 * begins this run, which is owed then. */
static uf_flow *starter_on(const uf_pump *pump, const uf_flow *flow)
{
    if (!ufi_store(pump) || !ufi_on_pump_thread(pump) || !pump->current) return NULL;
    if (UF_USES_RUNS && flow && pump->child_to_start == flow) return NULL;
    uf_flow *const current = pump->current;
    if (!ufi_is_kept(current) || !uf_flow_running(current) || ufi_store(pump)->is_failed) return NULL;
    bool const may_start = ufi_durable(current)->outcome == UF_RUNNING && !ufi_is_over(current);
    return may_start && !ufi_is_suspending(current) ? current : NULL;
}

static uf_flow *starter_of(const uf_flow *flow)
{
    bool const is_kept = flow && flow->pump && ufi_durable(flow)->store;
    return is_kept ? starter_on(flow->pump, flow) : NULL;
}

/* Has a body before this one started it? Then it counts. */
static bool was_started(const uf_flow *starter, const target *of, uint32_t *run)
{
    uf_starts *const starts = find(starter, of);

    if (!starts || starts->made >= starts->kept) return false;
    starts->made++;
    *run = starts->made == starts->kept ? starts->run : 0; /* one before the last is over */
    return true;
}

static bool has_room(const uf_flow *starter, const target *of)
{
    return find(starter, of) || unused(starter, of);
}

uf_bool uf_durable_is_started(uf_flow *flow, uf_run *run)
{
    uf_flow const *const starter = starter_of(flow);
    uint32_t number;

    if (!starter || flow->rare_flags & UFI_MEMBER) return 0;
    target const of = target_of(flow);
    if (!was_started(starter, &of, &number)) return 0;
    if (run) *run = (uf_run){.flow = flow, .number = number};
    return 1;
}

uf_flow *ufi_starts_by(const uf_flow *flow, bool *is_full)
{
    uf_flow *const starter = starter_of(flow);

    *is_full = false;
    if (!starter) return NULL;
    target const of = target_of(flow);
    *is_full = !has_room(starter, &of);
    return starter;
}

const uf_flow *ufi_starts_let(uf_pump *pump, const uf_flow *flow)
{
    if (!UF_USES_RUNS) return NULL;
    uf_flow const *const before = pump->child_to_start;
    pump->child_to_start = flow;
    return before;
}

uf_status uf_durable_reserve(uf_members *pool, uf_flow **member)
{
    uint32_t run;

    *member = NULL;
    if (!UF_USES_POOLS || !pool || !pool->info || !pool->owner->pump || ufi_member_around(pool->owner))
        return uf_members_reserve(pool, member);
    uf_flow const *const starter = starter_on(pool->owner->pump, NULL);
    target const of = target_of_pool(pool);
    if (starter && was_started(starter, &of, &run)) return UF_OK;
    if (!starter) return uf_members_reserve(pool, member);
    if (!has_room(starter, &of)) return UF_FULL;
    uf_flow const *const before = ufi_starts_let(pool->owner->pump, pool->owner);
    uf_status const status = uf_members_reserve(pool, member);
    (void)ufi_starts_let(pool->owner->pump, before);
    return status;
}

static void leave_starter(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    if (!durable->starter) return;
    ufi_list_remove(&durable->started);
    durable->starter = NULL;
}

static void join_starter(uf_flow *flow, uf_flow *starter)
{
    uf_durable *const durable = ufi_durable(flow);

    durable->starter = starter;
    ufi_list_insert(&ufi_durable(starter)->begun, &durable->started);
}

void ufi_starts_note(uf_flow *flow, uf_flow *starter)
{
    target const of = target_of(flow);
    uf_starts *const starts = starter ? take(starter, &of) : NULL;

    if (!starts) return;
    starts->made++;
    starts->run = ufp_load(&flow->run) + 1; /* it begins next */
    leave_starter(flow);
    join_starter(flow, starter);
}

/* -- records ------------------------------------------------------------------------------------------------------- */

/* The run begins, or has ended before it began. */
static void put_begun(uf_flow *flow)
{
    uf_durable *const durable = ufi_durable(flow);

    leave_starter(flow);
    if (durable->run != flow->run) ufi_owed_begin(flow);
    durable->run = flow->run;
    durable->ordinal = flow->ordinal;
    durable->restored = 0;
    durable->is_first = true;
    if (ufi_store_put(flow, durable->outcome == UF_RUNNING, false)) ufi_store_wait(flow);
    else ufi_wake(flow);
}

static uf_flow *first_begun(const uf_flow *starter)
{
    const uf_link *const begun = &ufi_durable(starter)->begun;

    if (ufi_list_empty(begun)) return NULL;
    return ufi_flow_of_durable((const uf_durable *)((uintptr_t)begun->next - offsetof(uf_durable, started)));
}

void ufi_starts_put(uf_flow *starter)
{
    for (uf_flow *flow; (flow = first_begun(starter)) != NULL;) put_begun(flow);
}

static bool path_behind(const char *own, char path[UF_STORE_PATH_SIZE])
{
    (void)ufi_join(path, UF_STORE_PATH_SIZE, UFI_PARTS(own, UFI_STARTS));
    return ufi_length(own) + sizeof UFI_STARTS <= UF_STORE_PATH_SIZE;
}

static bool path_of(const uf_flow *starter, char path[UF_STORE_PATH_SIZE])
{
    char own[UF_STORE_PATH_SIZE];
    return uf_flow_path(starter, own, sizeof own) < sizeof own && path_behind(own, path);
}

static void put_target(ufi_cbor_out *out, const uf_starts *starts)
{
    char path[UF_STORE_PATH_SIZE], name[UF_STORE_PATH_SIZE];
    const uf_members *const pool = starts->is_pool ? starts->target : NULL;

    (void)uf_flow_path(pool ? pool->owner : starts->target, path, sizeof path);
    (void)ufi_join(name, sizeof name, pool ? UFI_PARTS(path, ".", pool->info->name) : UFI_PARTS(path));
    ufi_cbor_put_name(out, name);
    ufi_cbor_put_array(out, 3);
    ufi_cbor_put_uint(out, starts->made > starts->kept ? starts->made : starts->kept);
    ufi_cbor_put_uint(out, starts->run);
    ufi_cbor_put_bool(out, !pool && starts == &ufi_durable(starts->target)->lent);
}

static void write_numbers(ufi_cbor_out *out, const void *of)
{
    const uf_flow *const starter = of;
    const uf_link *const numbers = numbers_of(starter);
    uint32_t const within = ufi_keep_within(starter);
    size_t count = 0;

    for (const uf_link *at = numbers->next; at != numbers; at = at->next) count++;
    ufi_cbor_put_map(out, within ? 5 : 4);
    ufi_cbor_put_name(out, "type");
    ufi_cbor_put_name(out, starter->type->name);
    ufi_cbor_put_name(out, "run");
    ufi_cbor_put_uint(out, starter->run);
    ufi_cbor_put_name(out, "ordinal");
    ufi_cbor_put_uint(out, starter->ordinal);
    if (within) ufi_cbor_put_name(out, "within");
    if (within) ufi_cbor_put_uint(out, within);
    ufi_cbor_put_name(out, "starts");
    ufi_cbor_put_map(out, count);
    for (const uf_link *at = numbers->next; at != numbers; at = at->next) put_target(out, starts_at(at));
}

void ufi_starts_park(uf_flow *starter)
{
    uf_durable *const durable = ufi_durable(starter);
    char path[UF_STORE_PATH_SIZE];
    uint32_t size = 0;

    if (!first_begun(starter)) return;
    ufi_starts_put(starter);
    durable->has_numbers = true;
    if (durable->store->is_failed) return;
    if (!path_of(starter, path)) {
        uf_store_fail(durable->store, "a path is too long");
        return;
    }
    uf_status const status = ufi_store_put_record(durable->store, path, &size, write_numbers, starter);
    if (status != UF_OK) uf_store_fail(durable->store, uf_status_text(status));
    else ufi_store_note_put(durable->store);
}

static void give_all_back(const uf_flow *starter)
{
    uf_link *const numbers = numbers_of(starter);
    while (!ufi_list_empty(numbers)) give_back(starts_at(numbers->next));
}

void ufi_starts_forget(uf_store *store, const char *own)
{
    char path[UF_STORE_PATH_SIZE];

    if (store->is_failed || !path_behind(own, path)) return;
    uf_status const status = store->kind->put(store, path, "", 0);
    if (status != UF_OK) uf_store_fail(store, uf_status_text(status));
    else ufi_store_note_put(store);
}

void ufi_starts_over(uf_flow *starter)
{
    uf_durable *const durable = ufi_durable(starter);
    char own[UF_STORE_PATH_SIZE];

    give_all_back(starter);
    if (!durable->has_numbers) return;
    durable->has_numbers = false;
    (void)uf_flow_path(starter, own, sizeof own);
    ufi_starts_forget(durable->store, own);
}

/* -- ends ---------------------------------------------------------------------------------------------------------- */

void ufi_starts_leave(uf_flow *flow)
{
    leave_starter(flow);
}

/* What was begun goes on by itself, or with the next record of another flow. */
void ufi_starts_pass(uf_flow *starter, uf_flow *to)
{
    for (uf_flow *flow; (flow = first_begun(starter)) != NULL;) {
        leave_starter(flow);
        if (to) join_starter(flow, to);
        else ufi_wake(flow);
    }
}

/* Numbers of pools in a flow that is detached. */
static void give_pools_back(const uf_flow *starter, const uf_flow *owner)
{
    const uf_link *const numbers = numbers_of(starter);

    for (const uf_link *at = numbers->next; at != numbers;) {
        uf_starts *const starts = starts_at(at);
        at = at->next;
        if (starts->is_pool && ((const uf_members *)starts->target)->owner == owner) give_back(starts);
    }
}

void ufi_starts_detach(uf_flow *flow)
{
    uf_store const *const store = ufi_store(flow->pump);

    if (ufi_pool_count(flow) && !ufi_member_around(flow)) {
        for (uf_flow *at = NULL; (at = ufi_index_next(store, at)) != NULL;) give_pools_back(at, flow);
    }
    if (!ufi_is_durable(flow) || !ufi_durable(flow)->type) return;
    leave_starter(flow);
    give_back(&ufi_durable(flow)->lent);
    ufi_starts_pass(flow, NULL);
    give_all_back(flow);
}

/* -- after a restart ----------------------------------------------------------------------------------------------- */

bool ufi_starts_are(const char *path)
{
    size_t const length = ufi_length(path), end = sizeof UFI_STARTS - 1;
    return length > end && ufi_is_same_text(path + length - end, UFI_STARTS);
}

/* A map that was checked. */
typedef struct numbers {
    ufi_cbor_in targets;
    uint64_t count, run, ordinal, within;
} numbers;

static bool read_uint(ufi_cbor_in *in, uint64_t *value)
{
    ufi_cbor_item const item = ufi_cbor_take(in);
    *value = item.number;
    return item.kind == UFI_CBOR_UINT && item.number <= UINT32_MAX;
}

typedef struct number {
    ufi_cbor_item path; /* of the target */
    uint64_t count, run;
    bool is_lent; /* by the target: another starter of that must leave it */
} number;

static bool read_target(ufi_cbor_in *in, number *one)
{
    one->path = ufi_cbor_take(in);
    ufi_cbor_item const row = ufi_cbor_take(in);
    bool const is_row = one->path.kind == UFI_CBOR_TEXT && row.kind == UFI_CBOR_ARRAY && row.number == 3;
    if (!is_row || !read_uint(in, &one->count) || !read_uint(in, &one->run)) return false;
    ufi_cbor_item const is_lent = ufi_cbor_take(in);
    one->is_lent = is_lent.number != 0;
    return is_lent.kind == UFI_CBOR_BOOL;
}

static bool read_numbers(numbers *of, const void *bytes, size_t size)
{
    ufi_cbor_in in = {bytes, (const uint8_t *)bytes + size}, all = in, at;
    number one;

    if (!ufi_cbor_skip(&all) || all.at != all.end) return false;
    ufi_cbor_item const map = ufi_cbor_take(&in);
    if (map.kind != UFI_CBOR_MAP) return false;
    if (!ufi_cbor_find(&in, map.number, "run", &at) || !read_uint(&at, &of->run)) return false;
    if (!ufi_cbor_find(&in, map.number, "ordinal", &at) || !read_uint(&at, &of->ordinal)) return false;
    if (!ufi_cbor_find(&in, map.number, "within", &at) || !read_uint(&at, &of->within)) of->within = 0;
    if (!ufi_cbor_find(&in, map.number, "starts", &at)) return false;
    ufi_cbor_item const list = ufi_cbor_take(&at);
    of->targets = at;
    of->count = list.number;
    if (list.kind != UFI_CBOR_MAP) return false;
    for (uint64_t i = 0; i < list.number; i++) {
        if (!read_target(&at, &one)) return false;
    }
    return true;
}

bool ufi_starts_check(const void *bytes, size_t size)
{
    numbers of;
    return read_numbers(&of, bytes, size);
}

/* A target that the program no longer has is not started again. */
static void restore_target(uf_store *store, const uf_flow *starter, const char *path, const number *one)
{
    uf_flow *const flow = ufi_index_find(store, path);
    uf_members *const pool = flow ? NULL : ufi_pools_named(store, path);

    if (!flow && !pool) return;
    target of = flow ? target_of(flow) : target_of_pool(pool);
    if (!one->is_lent) of.own = NULL;
    uf_starts *const starts = take(starter, &of);
    if (!starts) return;
    starts->kept = (uint32_t)one->count;
    starts->run = (uint32_t)one->run;
}

static bool copy_path(char path[UF_STORE_PATH_SIZE], const void *text, size_t length)
{
    if (length >= UF_STORE_PATH_SIZE) return false;
    (void)memcpy(path, text, length);
    path[length] = '\0';
    return true;
}

void ufi_starts_read(uf_store *store, const char *path, const void *bytes, size_t size)
{
    char own[UF_STORE_PATH_SIZE], name[UF_STORE_PATH_SIZE];
    numbers of;
    number one;

    if (!copy_path(own, path, ufi_length(path) - (sizeof UFI_STARTS - 1)) || !read_numbers(&of, bytes, size)) return;
    uf_flow *const starter = ufi_index_find(store, own);
    if (!starter || ufi_durable(starter)->is_open) return;
    uf_durable *const durable = ufi_durable(starter);
    durable->has_numbers = true;
    bool const is_step = durable->is_restoring && durable->run == of.run && durable->ordinal == of.ordinal;
    if (!is_step || ufi_keep_within(starter) != of.within) return; /* of a step before */
    for (uint64_t i = 0; i < of.count && read_target(&of.targets, &one); i++) {
        if (copy_path(name, one.path.at, (size_t)one.path.number)) restore_target(store, starter, name, &one);
    }
}
