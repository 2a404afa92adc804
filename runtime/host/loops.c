/* SPDX-License-Identifier: MIT */
/* loops.c - which runtimes an external loop on this thread drives. A thread that would block asks this.
 *
 * All runtimes in external-loop mode are on one list, in the critical section of `ufh_links`. Each thread has a list of
 * its own ones, which only it reads and writes, so that it need not enter the section. `losses` counts how often a
 * thread has lost a runtime to another thread, which polls or frees it. The thread's list is valid while that number is
 * unchanged since the list was made. Otherwise the thread makes the list again without reading the old one: the other
 * thread cannot change it, because the first one may have ended. */
#include "host.h"

static uf_runtime *loops; /* all, linked by next_loop */
static uint32_t losses;   /* atomic; changes in the critical section */

static bool is_valid(void *const *slots)
{
    return slots[UFP_SLOT_HOST] && (uint32_t)(uintptr_t)slots[UFP_SLOT_LOOPS_AS_OF] == ufp_load_seq_cst(&losses);
}

/* In the critical section. */
static void find_own(void **slots)
{
    uf_runtime *first = NULL;

    for (uf_runtime *runtime = loops; runtime; runtime = runtime->next_loop) {
        if (ufp_load_pointer_seq_cst(&runtime->loop_thread) != ufp_thread_self()) continue;
        ufp_store_pointer(&runtime->next_own, first);
        first = runtime;
    }
    slots[UFP_SLOT_LOOPS] = first;
    slots[UFP_SLOT_HOST] = first ? (void *)(uintptr_t)first->pump.host : NULL;
    slots[UFP_SLOT_LOOPS_AS_OF] = (void *)(uintptr_t)ufp_load_seq_cst(&losses);
}

/* The first runtime whose external loop is on this thread. A thread that never had one does not look. */
static uf_runtime *first_own(void)
{
    void **const slots = ufp_thread_slot();

    if (!slots[UFP_SLOT_HOST]) return NULL;
    if (!is_valid(slots)) {
        ufp_critical_enter(&ufh_links);
        find_own(slots);
        ufp_critical_leave(&ufh_links);
    }
    return slots[UFP_SLOT_LOOPS];
}

void ufh_add_loop(uf_runtime *runtime)
{
    ufp_critical_enter(&ufh_links);
    runtime->next_loop = loops;
    loops = runtime;
    find_own(ufp_thread_slot());
    ufp_critical_leave(&ufh_links);
}

/* A thread without a list makes one even for its own runtime: a thread with the same identity may have left a list. */
void ufh_claim_loop(uf_runtime *runtime)
{
    void **const slots = ufp_thread_slot();
    void *const self = ufp_thread_self();

    if (ufp_load_pointer_seq_cst(&runtime->loop_thread) == self && slots[UFP_SLOT_HOST]) return;
    ufp_critical_enter(&ufh_links);
    if (ufp_load_pointer_seq_cst(&runtime->loop_thread) != self) {
        ufp_store_pointer_seq_cst(&runtime->loop_thread, self);
        ufp_add_fetch_seq_cst(&losses, 1);
    }
    find_own(slots);
    ufp_critical_leave(&ufh_links);
}

void ufh_remove_loop(uf_runtime *runtime)
{
    ufp_critical_enter(&ufh_links);
    uf_runtime **place = &loops;
    while (*place != runtime) place = &(*place)->next_loop;
    *place = runtime->next_loop;
    if (ufp_load_pointer_seq_cst(&runtime->loop_thread) == ufp_thread_self()) find_own(ufp_thread_slot());
    else ufp_add_fetch_seq_cst(&losses, 1);
    ufp_critical_leave(&ufh_links);
}

bool ufh_thread_drives_runtime(void)
{
    return ufp_thread_slot()[UFP_SLOT_ROUND] || first_own();
}

static bool process_fired_of(uf_runtime *driver)
{
    bool any = false;

    for (uf_runtime *of = driver; of; of = ufh_next_driven(driver, of))
        any |= of->pump.signals && of->pump.signals->process_fired_early(&of->pump);
    return any;
}

/* In a round, the driver stays the same. */
bool ufh_process_own_fired(void)
{
    bool any = false;

    for (uf_pump *pump = ufp_thread_slot()[UFP_SLOT_ROUND]; pump; pump = ufh_runtime_of(pump)->outer_round) {
        any = process_fired_of(ufp_load_pointer_seq_cst(&ufh_runtime_of(pump)->driver)) || any;
    }
    /* A loop that another thread begins to poll meanwhile is on the list of that thread. */
    for (uf_runtime *loop = first_own(), *next; loop && is_valid(ufp_thread_slot()); loop = next) {
        next = ufp_load_pointer(&loop->next_own);
        any = process_fired_of(loop) || any;
    }
    return any;
}
