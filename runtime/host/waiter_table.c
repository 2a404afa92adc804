/* SPDX-License-Identifier: MIT */
/* waiter_table.c - which threads wait for what in a runtime, and which cancels are under way. No operation searches the
 * entries of other flows.
 *
 * Threads that wait for a flow, and cancels, are in a hash table by flow and kind. Threads that wait for all flows or
 * for a stop have a list each. All lists are in FIFO order. The table grows with the number of its entries. If there is
 * no memory for that, its lists become longer. */
#include "host.h"

#define ENTRIES_PER_LIST 2u

static ufh_entry *entry_at(uf_link *link)
{
    return (ufh_entry *)(void *)link;
}

void ufh_waiters_init(ufh_waiters *all)
{
    ufi_list_init(&all->idle);
    ufi_list_init(&all->stop);
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
    uint32_t const key = (uint32_t)((uintptr_t)flow / _Alignof(uf_flow)) * 5 + (uint32_t)kind;
    return &all->lists[(key * UINT32_C(2654435769)) >> 16 & (all->list_count - 1)];
}

static void append(ufh_waiters *all, ufh_entry *entry)
{
    uf_link *const list = entry->flow                   ? list_of(all, entry->flow, entry->kind)
                          : entry->kind == WAIT_FOR_ALL ? &all->idle
                                                        : &all->stop;
    ufi_list_insert(list, &entry->place);
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
            append(all, entry_at(link));
        }
    }
    if (before != all->least) ufp_free(before);
}

void ufh_entries_add(ufh_waiters *all, ufh_entry *entry)
{
    if (++all->count > ENTRIES_PER_LIST * all->list_count) grow(all);
    append(all, entry);
}

void ufh_waiters_add(ufh_waiters *all, ufh_waiter *waiter)
{
    ufh_entries_add(all, &waiter->entry);
    ufi_list_insert(&all->fresh, &waiter->unchecked);
}

static void leave(uf_link *link)
{
    ufi_list_remove(link);
    ufi_list_init(link);
}

bool ufh_entries_take(ufh_waiters *all, ufh_entry *entry)
{
    if (ufi_list_empty(&entry->place)) return false;
    all->count--;
    leave(&entry->place);
    return true;
}

void ufh_waiters_take(ufh_waiters *all, ufh_waiter *waiter)
{
    if (!ufh_entries_take(all, &waiter->entry)) return;
    leave(&waiter->unchecked);
}

ufh_waiter *ufh_waiters_fresh(ufh_waiters *all)
{
    uf_link *const first = all->fresh.next;

    if (first == &all->fresh) return NULL;
    leave(first);
    return (ufh_waiter *)((uintptr_t)first - offsetof(ufh_waiter, unchecked));
}

ufh_entry *ufh_entries_next(const ufh_waiters *all, const uf_flow *flow, ufh_wait kind, const ufh_entry *after)
{
    uf_link *const list = list_of(all, flow, kind);

    for (uf_link *link = after ? after->place.next : list->next; link != list; link = link->next) {
        ufh_entry *const entry = entry_at(link);
        if (entry->flow == flow && entry->kind == kind) return entry;
    }
    return NULL;
}
