/* SPDX-License-Identifier: MIT */
/* members.c - pools of flows.
 *
 * A pool knows which of its members are free, by a stack of the members that were used before, and their number. So a
 * spawn and an end take constant time, and a member that was never used is not touched.
 *
 * A spawn reserves a member, on any thread, stores the arguments in it, and starts it like any other flow. The rest of
 * its life is on the pump's thread. There its init runs, and it is linked, with its sub-flows, behind its owner on the
 * pump's list. When its run has ended, it leaves the list. The links then form a ring of the member and its parts.
 *
 * Other threads may hold handles on past runs of a member, and may fire its signals and send to its mailboxes at any
 * time. So the header, and the parts that type->kept lists, are initialised at the first use. After that they change
 * only as in any other flow. */
#include "basics/format.h"
#include "runs/runs.h"
#include "waits/room.h"

static uf_member *member_at(const uf_members *pool, uint32_t index)
{
    return (uf_member *)((uintptr_t)ufi_member_flow(pool->owner, pool->info, index) + pool->info->type->size);
}

static uf_flow *flow_of(const uf_member *member)
{
    return (uf_flow *)((uintptr_t)member - member->pool->info->type->size);
}

static char *name_of(uf_member *member)
{
    return (char *)(member + 1);
}

const char *uf_element_name(char *buffer, size_t size, const char *name, uint32_t index)
{
    if (!*buffer) ufi_format_args(buffer, size, "%s[%u]", name, (unsigned)index);
    return buffer;
}

/* Call it in the critical section of the pool. */
static uint32_t kept(const uf_members *pool)
{
    return pool->info->pooling->kept ? pool->info->pooling->kept((uf_members *)(uintptr_t)pool) : 0;
}

/* Members that are reserved or run. */
static uint32_t running(const uf_members *pool)
{
    if (!pool->info || !pool->info->pooling->kept) return ufp_load_acquire(&pool->busy);
    ufp_critical_enter(pool);
    uint32_t const of_ends = kept(pool), all = pool->busy; /* in this order */
    ufp_critical_leave(pool);
    return all - of_ends;
}

/* The two checks are called in the critical section of a room, so they enter none. An arm has freed what an earlier run
 * of the owner has left; while it is set, only the pump's thread changes the number of ends. */
static uf_status check_vacant(const uf_room *room, uint32_t *free)
{
    uf_members const *const pool = (const uf_members *)((uintptr_t)room - offsetof(uf_members, vacant));

    uint32_t const most = ufp_load_seq_cst(&pool->most), busy = ufp_load_seq_cst(&pool->busy);
    *free = busy < most ? most - busy : 0;
    return ufi_is_stopping(pool->owner->pump) ? UF_STOPPING : UF_OK;
}

static uf_status check_empty(const uf_room *room, uint32_t *free)
{
    uf_members const *const pool = (const uf_members *)((uintptr_t)room - offsetof(uf_members, empty));

    uint32_t const of_ends = pool->info->pooling->kept ? ufp_load_seq_cst(&ufi_ends_of(pool)->count) : 0;
    *free = ufp_load_seq_cst(&pool->busy) == of_ends;
    return UF_OK;
}

uf_status uf_members_init(uf_members *pool, uf_flow *owner, const uf_members_info *info)
{
    if (!ufi_fits(info->type)) return UF_ABI_MISMATCH;
    ufp_critical_enter(owner->pump); /* the owner is on its list already */
    *pool = (uf_members){.info = info,
                         .owner = owner,
                         .most = info->count,
                         .vacant = {.check = check_vacant},
                         .empty = {.check = check_empty}};
    ufp_critical_leave(owner->pump);
    ufp_note_shared(&pool->used, offsetof(uf_members, cancel) - offsetof(uf_members, used));
    ufp_note_shared(&pool->vacant.queued, sizeof pool->vacant.queued);
    ufp_note_shared(&pool->empty.queued, sizeof pool->empty.queued);
    if (info->pooling->kept) ufp_note_shared(&ufi_ends_of(pool)->count, sizeof ufi_ends_of(pool)->count);
    return UF_OK;
}

/* -- reserving ----------------------------------------------------------------------------------------------------- */

/* The header of a member at its first use. In the critical section of the pool: `used` shows the member to the pump. */
static void make_member(uf_members *pool, uf_member *member)
{
    uf_flow *const flow = (uf_flow *)((uintptr_t)member - pool->info->type->size);

    *member = (uf_member){.pool = pool, .index = pool->used};
    (void)memset(flow, 0, UF_FLOW_SIZE);
    flow->state = UF_STATE_IDLE;
    flow->rare_flags = UFI_MEMBER;
    flow->parent_offset = UF_PARENT_IS_POOL;
    flow->type = pool->info->type;
    flow->pump = pool->owner->pump;
    if (UF_USES_NAMES) flow->name = name_of(member);
    ufi_note_shared_flow(flow);
    ufi_list_init(&flow->link);
    ufi_list_init(&flow->attached);
    name_of(member)[0] = '\0';
}

/* Call it in the critical section of the pool. */
static bool has_none(const uf_members *pool)
{
    if (pool->busy < ufp_load(&pool->most)) return false;
    (void)kept(pool); /* frees what an earlier run of the owner has left */
    return pool->busy >= ufp_load(&pool->most);
}

static uf_member *take_free(uf_members *pool, bool *is_first)
{
    uf_member *member = NULL;

    ufp_critical_enter(pool);
    bool const is_full = has_none(pool);
    if (!is_full) member = pool->free;
    *is_first = !is_full && !member;
    if (member) {
        pool->free = member->next;
    } else if (*is_first) {
        member = member_at(pool, pool->used);
        make_member(pool, member);
        ufp_store_release(&pool->used, pool->used + 1);
    }
    if (member) ufp_store(&pool->busy, pool->busy + 1);
    ufp_critical_leave(pool);
    return member;
}

static void clear(uf_flow *flow, size_t from, size_t to)
{
    (void)memset((char *)flow + from, 0, to - from);
}

/* Where the counter of jobs and the texts begin. Both are kept: late jobs and other threads use them. */
static size_t end_of_state(const uf_flow_type *type)
{
    size_t const jobs = UF_USES_JOBS ? type->jobs_offset : 0,
                 description = UF_USES_DESCRIPTIONS ? type->description_offset : 0;
    return jobs ? jobs : type->reason_offset ? type->reason_offset : description ? description : type->size;
}

/* Clears what belongs to the last use. */
static void clear_use(uf_flow *flow)
{
    uf_flow_type const *const type = flow->type;
    size_t from = UF_FLOW_SIZE;

    for (unsigned i = 0; i < type->kept_count; i++) {
        clear(flow, from, type->kept[i].from);
        from = type->kept[i].to;
    }
    clear(flow, from, end_of_state(type));
}

/* The state becomes "claimed" here, as by a start, and the start that follows takes the reservation. */
uf_status uf_members_reserve(uf_members *pool, uf_flow **reserved)
{
    *reserved = NULL;
    if (!pool || !pool->info || !pool->owner->pump) return UF_INVALID;

    uf_pump *const pump = pool->owner->pump;
    bool const here = ufi_on_pump_thread(pump);
    if (here && pool->owner->rare_flags & UFI_ENDING) return UF_BUSY;
    bool const joined = UF_USES_RUNS && here && pump->child_to_start == pool->owner;
    if (here && UF_USES_STOP && ufp_load(&pump->stopping) && !joined) return ufi_refuse(pump);
    if (!here && !UFI_MANY_THREADS) return UF_UNSUPPORTED;
    uf_status const status = here ? UF_OK : ufi_request_begin(pump);
    if (status != UF_OK) return status;

    bool is_first;
    uf_member *const member = take_free(pool, &is_first);
    if (!member) {
        if (!here) ufi_request_end(pump);
        return UF_FULL;
    }
    uf_flow *const flow = flow_of(member);
    if (is_first) clear(flow, UF_FLOW_SIZE, flow->type->size);
    else clear_use(flow);
    if (UF_USES_NAMES)
        (void)uf_element_name(name_of(member), pool->info->stride - flow->type->size - sizeof *member, pool->info->name,
                              member->index);
    ufp_store_pointer(&member->spawner, ufp_thread_self());
    ufp_store_release(&flow->state, UFI_CLAIMED_ONLY);
    *reserved = flow;
    return UF_OK;
}

bool ufi_take_reserved(uf_flow *flow)
{
    uf_member *const member = ufi_member_of(flow);

    if (ufp_load_pointer(&member->spawner) != ufp_thread_self()) return false;
    ufp_store_pointer(&member->spawner, NULL);
    return true;
}

/* -- the run of a member, on the pump's thread --------------------------------------------------------------------- */

/* Links a flow inside a member, at its first use, behind the flows that precede it there. */
static void make_part(uf_pump *pump, uf_flow *part, const uf_flow_type *type, const char *name)
{
    (void)memset(part, 0, UF_FLOW_SIZE);
    part->state = UF_STATE_IDLE;
    part->rare_flags = UFI_IN_MEMBER;
    part->type = type;
    part->pump = pump;
    if (UF_USES_NAMES) part->name = name;
    ufi_note_shared_flow(part);
    ufi_list_init(&part->link);
    ufi_list_insert(&pump->member_to_init->attached, &part->attached);
}

/* The reservation has cleared the member. A part that was used before has what it kept. An initialiser that precedes it
 * may have started it. */
uf_status ufi_init_part(uf_pump *pump, uf_flow *part, const uf_flow_type *type, const char *name)
{
    if (part == pump->member_to_init) return UF_OK;
    if (!part->type) make_part(pump, part, type, name);
    else if (uf_flow_running(part)) return UF_BUSY;
    else clear_use(part);
    return UF_OK;
}

/* Joins two rings, or divides one in two: the links from `first` to `last`, and the other links. */
static void splice(uf_link *first, uf_link *last, uf_link *place)
{
    uf_link *const next = place->next;
    place->next = first;
    first->prev = place;
    last->next = next;
    next->prev = last;
}

static void attach(uf_flow *flow)
{
    uf_member *const member = ufi_member_of(flow);

    ufp_critical_enter(flow->pump);
    splice(&flow->attached, flow->attached.prev, &member->pool->owner->attached);
    member->is_attached = true;
    ufp_critical_leave(flow->pump);
}

bool ufi_begin_member(uf_flow *flow)
{
    uf_member *const member = ufi_member_of(flow);
    uf_members *const pool = member->pool;
    uf_pump *const pump = flow->pump;
    uf_flow *const outer = pump->member_to_init;

    flow->rare_flags = UFI_MEMBER;
    pump->member_to_init = flow;
    uf_status const status = pool->info->init(pool->owner, flow, ufi_name_of(flow), member->index);
    pump->member_to_init = outer;
    if (ufi_preempt_count(flow)) flow->type->preempting->note_epochs(flow);
    attach(flow);
    if (ufi_store_hooks(pump)) ufi_store_hooks(pump)->member_begun(flow);
    return status == UF_OK && !(ufp_load(&flow->state) & UFI_STATE_CANCEL);
}

void ufi_enter_used(uf_flow *flow)
{
    uint32_t const state = ufi_step_state(ufp_load(&flow->state));
    struct ufi_store_hooks const *const store = ufi_store_hooks(flow->pump);

    uf_enter_task(flow);
    if (store && store->keeps(flow)) store->enter(flow);
    else if (flow->type->tasks[ufi_step_of(flow, state)->task].has_entry)
        (void)flow->type->turn(flow, state | UF_ENTRY);
}

static void close_mailboxes(uf_flow *flow)
{
    for (unsigned i = 0; i < flow->type->kept_count; i++) {
        uf_kept const *const kept = &flow->type->kept[i];
        if (kept->close) kept->close((char *)flow + kept->from);
    }
}

static void end_parts(uf_flow *flow)
{
    for (uf_flow *part = flow; (part = uf_pump_next_flow(flow->pump, part)) != NULL && ufi_is_part_of(part, flow);) {
        if (uf_flow_running(part)) ufi_cancel_now(part);
        close_mailboxes(part);
        if (ufi_store_hooks(flow->pump)) ufi_store_hooks(flow->pump)->detached(part);
    }
}

/* Call it in the critical section of the pump. */
static void take_off(uf_flow *flow)
{
    uf_link *const before = flow->attached.prev;
    uf_link *last = &flow->attached;

    while (last->next != &flow->pump->flows && ufi_is_part_of(ufi_attached_flow(last->next), flow)) last = last->next;
    before->next = last->next;
    last->next->prev = before;
    last->next = &flow->attached;
    flow->attached.prev = last;
}

void ufi_member_end_run(uf_flow *flow)
{
    close_mailboxes(flow);
    end_parts(flow);
    ufp_critical_enter(flow->pump);
    take_off(flow);
    ufi_member_of(flow)->is_attached = false;
    ufp_critical_leave(flow->pump);
}

void ufi_member_free(uf_members *pool, uf_member *member)
{
    ufp_critical_enter(pool);
    member->next = pool->free;
    pool->free = member;
    uint32_t const busy = pool->busy - 1;
    ufp_store_seq_cst(&pool->busy, busy);
    ufp_critical_leave(pool);
    ufi_room_freed(&pool->vacant);
    if (busy == 0) ufi_room_freed(&pool->empty);
}

static void ended(uf_flow *flow)
{
    uf_member *const member = ufi_member_of(flow);

    ufi_member_end_run(flow);
    ufi_member_free(member->pool, member);
}

/* -- all members --------------------------------------------------------------------------------------------------- */

bool ufi_is_pool_busy(const uf_flow *owner)
{
    for (unsigned i = 0; i < owner->type->pool_count; i++) {
        uf_members const *const pool = (const uf_members *)((uintptr_t)owner + owner->type->pools[i].offset);
        if (running(pool) || ufp_load_acquire(&pool->is_cancelling)) return true;
    }
    return false;
}

void ufi_stop_pools(uf_flow *owner)
{
    for (unsigned i = 0; i < owner->type->pool_count; i++) {
        uf_members *const pool = (uf_members *)((uintptr_t)owner + owner->type->pools[i].offset);
        if (ufi_is_pool_there(pool, owner->pump)) ufi_room_wake_all(owner->pump, &pool->vacant);
    }
}

const struct uf_pooling uf_pooling = {
    .init_part = ufi_init_part,
    .take_reserved = ufi_take_reserved,
    .begin = ufi_begin_member,
    .enter = ufi_enter_used,
    .ended = ended,
    .is_busy = ufi_is_pool_busy,
    .stop_begins = ufi_stop_pools,
};

void uf_members_release(uf_members *pool)
{
    for (uint32_t i = 0; i < pool->used; i++) {
        uf_flow *const flow = flow_of(member_at(pool, i));
        while (!ufi_list_empty(&flow->attached)) ufi_detach(ufi_attached_flow(flow->attached.next));
        ufi_detach(flow);
    }
    pool->info = NULL;
}

uint32_t uf_members_busy(const uf_members *pool)
{
    return pool ? running(pool) : 0;
}

uf_status uf_members_limit(uf_members *pool, uint32_t most)
{
    if (!pool || !pool->info) return UF_INVALID;
    ufp_store_seq_cst(&pool->most, most < pool->info->count ? most : pool->info->count);
    ufi_room_freed(&pool->vacant);
    return UF_OK;
}

static bool is_here(const uf_members *pool)
{
    return pool && pool->info && pool->owner->pump && ufi_on_pump_thread(pool->owner->pump);
}

uf_flow *uf_members_at(const uf_members *pool, uint32_t index)
{
    if (!is_here(pool) || index >= ufp_load_acquire(&pool->used)) return NULL;
    uf_flow *const flow = flow_of(member_at(pool, index));
    return ufp_load_acquire(&flow->state) & (UF_STATE_IDLE | UF_STATE_CLAIMED) ? NULL : flow;
}

static void cancel_all(const uf_members *pool)
{
    uint32_t const used = ufp_load_acquire(&pool->used);

    for (uint32_t i = 0; i < used; i++) ufi_cancel_run(uf_flow_this_run(flow_of(member_at(pool, i))));
}

static void deliver_cancel(uf_pump *pump, uf_message *message)
{
    uf_members *const pool = (uf_members *)((uintptr_t)message - offsetof(uf_members, cancel));

    (void)pump;
    ufp_store_release(&pool->is_cancelling, 0);
    cancel_all(pool);
}

uf_status uf_members_cancel_all(uf_members *pool)
{
    if (!pool || !pool->info || !pool->owner->pump) return UF_INVALID;
    if (is_here(pool)) {
        cancel_all(pool);
    } else if (ufp_compare_exchange_seq_cst(&pool->is_cancelling, 0, 1)) {
        pool->cancel.deliver = deliver_cancel;
        ufi_inbox_send(pool->owner->pump, &pool->cancel);
    }
    return UF_OK;
}

/* -- arms ---------------------------------------------------------------------------------------------------------- */

void uf_arm_vacant(uf_flow *flow, uf_arm *arm, uf_members *pool)
{
    (void)running(pool); /* frees what an earlier run of the owner has left */
    ufi_room_set_arm(flow, arm, UF_ARM_VACANT, &pool->vacant, pool->info->name);
}

void uf_arm_empty(uf_flow *flow, uf_arm *arm, uf_members *pool)
{
    (void)running(pool);
    ufi_room_set_arm(flow, arm, UF_ARM_EMPTY, &pool->empty, pool->info->name);
}

uf_intent uf_spawn_failure(uf_flow *flow, const char *pool, uf_status status)
{
    return ufi_fail_joined(flow, UFI_PARTS(pool, ": ", uf_status_text(status)));
}
