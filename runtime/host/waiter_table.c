/* waiter_table.c - which threads wait for what in a runtime, so that no operation searches those of other flows.
 *
 * Threads that wait for a flow are in a hash table by flow, apart for runs and for turns. All others are few, and on a
 * list. All lists are in FIFO order. The table grows with the number of waiters. If there is no memory for that, its
 * lists become longer. */
#include "host.h"

#define WAITERS_PER_LIST 2u

static ufh_waiter *waiter_at(uf_link *link)
{
    return (ufh_waiter *)(void *)link;
}

void ufh_waiters_init(ufh_waiters *all)
{
    ufi_list_init(&all->others);
    ufi_list_init(&all->fresh);
    for (uint32_t i = 0; i < UFH_LEAST_LISTS; i++) ufi_list_init(&all->least[i]);
    all->lists = all->least;
    all->list_count = UFH_LEAST_LISTS;
}

void ufh_waiters_free(ufh_waiters *all)
{
    if (all->lists != all->least) ufp_free(all->lists);
}

/* Multiplicative hashing: the upper bits are well distributed. */
static uf_link *list_of(const ufh_waiters *all, const uf_flow *flow, ufh_wait kind)
{
    uint32_t const key = (uint32_t)((uintptr_t)flow / _Alignof(uf_flow)) * 2 + (kind == WAIT_FOR_TURN);
    return &all->lists[(key * UINT32_C(2654435769)) >> 16 & (all->list_count - 1)];
}

static void append(ufh_waiters *all, ufh_waiter *waiter)
{
    ufi_list_insert(waiter->flow ? list_of(all, waiter->flow, waiter->kind) : &all->others, &waiter->place);
}

static void grow(ufh_waiters *all)
{
    uf_link *const before = all->lists;
    uint32_t const count = all->list_count;
    uf_link *const lists = count < UFH_MOST_LISTS ? ufp_allocate(2 * count * sizeof *lists) : NULL;

    if (!lists) return;
    for (uint32_t i = 0; i < 2 * count; i++) ufi_list_init(&lists[i]);
    all->lists = lists;
    all->list_count = 2 * count;
    for (uint32_t i = 0; i < count; i++) {
        for (uf_link *link = before[i].next, *next; link != &before[i]; link = next) {
            next = link->next;
            append(all, waiter_at(link));
        }
    }
    if (before != all->least) ufp_free(before);
}

void ufh_waiters_add(ufh_waiters *all, ufh_waiter *waiter)
{
    if (++all->count > WAITERS_PER_LIST * all->list_count) grow(all);
    append(all, waiter);
    ufi_list_insert(&all->fresh, &waiter->unchecked);
}

static void leave(uf_link *link)
{
    ufi_list_remove(link);
    ufi_list_init(link);
}

void ufh_waiters_take(ufh_waiters *all, ufh_waiter *waiter)
{
    if (ufi_list_empty(&waiter->place)) return;
    all->count--;
    leave(&waiter->place);
    leave(&waiter->unchecked);
}

ufh_waiter *ufh_waiters_fresh(ufh_waiters *all)
{
    uf_link *const first = all->fresh.next;

    if (first == &all->fresh) return NULL;
    leave(first);
    return (ufh_waiter *)((uintptr_t)first - offsetof(ufh_waiter, unchecked));
}

ufh_waiter *ufh_waiters_next(const ufh_waiters *all, const uf_flow *flow, ufh_wait kind, const ufh_waiter *after)
{
    uf_link *const list = list_of(all, flow, kind);

    for (uf_link *link = after ? after->place.next : list->next; link != list; link = link->next) {
        ufh_waiter *const waiter = waiter_at(link);
        if (waiter->flow == flow && waiter->kind == kind) return waiter;
    }
    return NULL;
}
