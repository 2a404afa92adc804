/* SPDX-License-Identifier: MIT */
/* lists.h - intrusive circular lists of links and of arms. */
#ifndef UFLOW_LISTS_H
#define UFLOW_LISTS_H

#include "basics/core.h"

/* -- links: the list has a sentinel -------------------------------------------------------------------------------- */

static inline void ufi_list_init(uf_link *list)
{
    list->next = list->prev = list;
}
static inline bool ufi_list_empty(const uf_link *list)
{
    return list->next == list;
}

static inline void ufi_list_remove(uf_link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev; /* NOLINT(clang-analyzer-core.NullDereference): no link of a list is NULL */
}

/* Inserts before another link. Before the sentinel means at the end. */
static inline void ufi_list_insert(uf_link *before, uf_link *link)
{
    link->next = before;
    link->prev = before->prev;
    before->prev->next = link;
    before->prev = link;
}

/* The link is a flow's first member. */
static inline uf_flow *ufi_flow_of(uf_link *link)
{
    return (uf_flow *)(void *)link;
}

static inline uf_flow *ufi_attached_flow(uf_link *link)
{
    return (uf_flow *)((uintptr_t)link - offsetof(uf_flow, attached));
}

/* -- arms: the list has no sentinel; its head points to the last arm, and NULL is an empty list ------------------- */

/* `on_list` belongs to the thread of the arm's flow. Lists that other threads change are rings. */

/* uf_arm.on_list; 0: on no list */
enum {
    UFI_ON_LIST = 1,
    UFI_ON_FOREIGN_LIST, /* of a signal whose home is another pump; or, since a fire, on its own pump's stack */
    UFI_ON_DUE_LIST,     /* on its pump's list `due` */
    UFI_ON_RELEASED_LIST
};

static inline void ufi_ring_append(uf_arm **last, uf_arm *arm)
{
    uf_arm *const before = *last;

    if (before) {
        uf_arm *const first = before->next;
        arm->prev = before;
        arm->next = first;
        first->prev = arm;
        before->next = arm;
    } else {
        arm->next = arm->prev = arm;
    }
    *last = arm;
}

static inline void ufi_arms_append(uf_arm **last, uf_arm *arm)
{
    arm->on_list = UFI_ON_LIST;
    ufi_ring_append(last, arm);
}

static inline void ufi_ring_remove(uf_arm **last, uf_arm *arm)
{
    if (arm->next == arm) {
        *last = NULL;
        return;
    }
    if (*last == arm) *last = arm->prev;
    arm->prev->next = arm->next; /* NOLINT(clang-analyzer-core.NullDereference): no link of a list is NULL */
    arm->next->prev = arm->prev; /* NOLINT(clang-analyzer-core.NullDereference): nor is this one */
}

static inline void ufi_arms_remove(uf_arm **last, uf_arm *arm)
{
    ufi_ring_remove(last, arm);
    arm->on_list = 0;
}

#endif
