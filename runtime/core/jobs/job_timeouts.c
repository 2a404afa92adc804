/* SPDX-License-Identifier: MIT */
/* job_timeouts.c - the timeouts of a pump's jobs in flight, as a pairing heap: the earliest deadline is at its root,
 * and equal ones are in the order of their submits. To add one takes constant time, whatever the others are; to remove
 * one takes logarithmic time on average. The records are linked as trees of siblings: a record's `before` is its
 * previous sibling, or its parent if it is the first one; the root's is the root itself. */
#include "jobs/work.h"

static bool is_earlier(const uf_work *one, const uf_work *other)
{
    uf_time const a = ufi_work_deadline(one), b = ufi_work_deadline(other);
    return a < b || (a == b && (int32_t)(one->order - other->order) < 0);
}

/* Makes one tree of two. Either may be NULL. */
static uf_work *merged(uf_work *one, uf_work *other)
{
    if (!one || !other) return one ? one : other;
    uf_work *const root = is_earlier(other, one) ? other : one, *const child = root == one ? other : one;
    child->before = root;
    child->sibling = root->child;
    if (root->child) root->child->before = child;
    root->child = child;
    return root;
}

/* Makes one tree of siblings: merges them in pairs, and then the pairs from the last one to the first one. */
static uf_work *merged_siblings(uf_work *first)
{
    uf_work *pairs = NULL, *root = NULL;

    while (first) {
        uf_work *const other = first->sibling, *const rest = other ? other->sibling : NULL;
        uf_work *const pair = merged(first, other);
        pair->sibling = pairs;
        pairs = pair;
        first = rest;
    }
    while (pairs) {
        uf_work *const rest = pairs->sibling;
        root = merged(root, pairs);
        pairs = rest;
    }
    return root;
}

static void set_root(uf_pump *pump, uf_work *root)
{
    pump->timed = root;
    if (!root) return;
    root->before = root;
    root->sibling = NULL;
}

void ufi_timeout_begin(uf_pump *pump, uf_work *work)
{
    work->order = pump->real_timeouts++;
    work->child = NULL;
    set_root(pump, merged(pump->timed, work));
}

void ufi_timeout_end(uf_pump *pump, uf_work *work)
{
    uf_work *const below = merged_siblings(work->child);

    if (work == pump->timed) {
        set_root(pump, below);
    } else {
        if (work->before->child == work) work->before->child = work->sibling;
        else work->before->sibling = work->sibling;
        if (work->sibling) work->sibling->before = work->before;
        set_root(pump, merged(pump->timed, below));
    }
    work->before = NULL;
}
