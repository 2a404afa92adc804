/* SPDX-License-Identifier: MIT */
/* members.h - pools of flows: `pool Connection connections[1024];` in a flow. */
#ifndef UFLOW_GENERATED_MEMBERS_H
#define UFLOW_GENERATED_MEMBERS_H

#include "uflow/checkpoint.h"
#include "uflow/generated/descriptors.h"
#include "uflow/mailbox.h"

UF_C_BEGIN

/* A pool's place in the struct of its flow, and its members. An element of the array `uf_NAME` holds a flow, then its
 * uf_member, then room for its name. */
typedef struct uf_members_info {
    const char *name;
    const uf_flow_type *type; /* of a member */
    const struct uf_pooling *pooling;
    size_t offset; /* of the uf_members in the owner's struct */
    size_t first;  /* of the array, there */
    size_t stride; /* the size of an element */
    uint32_t count;
    /* Calls the init of a member, with the arguments of the declaration. */
    uf_status (*init)(uf_flow *owner, uf_flow *member, const char *name, uint32_t index);
} uf_members_info;

/* Only flows with pools refer to it, so that other programs do not link it. The second one is for pools whose ends are
 * taken: a uf_ends follows the uf_members there. */
extern const struct uf_pooling uf_pooling, uf_pooling_with_ends;

/* A pool, a member of its flow's struct. Its critical section protects `free`, `used` and `busy`. A member is used,
 * ends and is used again at the same address; `used` counts the members that ever were. The others are not touched. */
typedef struct uf_members {
    const uf_members_info *info; /* NULL: not initialised */
    uf_flow *owner;
    struct uf_member *free; /* members that were used and are free now, the last one first */
    uint32_t used;
    uint32_t busy;          /* reserved or running, or kept for its end */
    uint32_t most;          /* at most this many may be busy at once */
    uint32_t is_cancelling; /* `cancel` is in the pump's inbox */
    uf_message cancel;      /* of uf_members_cancel_all() */
    uf_room vacant, empty;  /* waits for a free member, and for the end of all */
} uf_members;

/* What a pool knows of a member. */
typedef struct uf_member {
    uf_members *pool;
    struct uf_member *next; /* free */
    void *spawner;          /* the thread that has reserved it and starts it next; NULL: none */
    uint32_t index;
    uint32_t is_attached;
} uf_member;

/* The places of members that have ended, the oldest end first, until somebody takes their ends. They count as busy in
 * the pool. In its critical section. */
typedef struct uf_ends {
    struct uf_member *first, *last;
    uint32_t count;
    uint32_t run;       /* of the owner, in which they ended */
    struct uf_arm *arm; /* waits for an end, if it is still set */
} uf_ends;

/* `lights[1048575]` or `connections[4294967295]`. Where nobody reads names, there are none. */
#define UF_ELEMENT_NAME_SIZE(name) (UF_USES_NAMES ? sizeof(name) + sizeof "[4294967295]" : 1)

/* Formats the name of an element, once. Returns: the buffer. */
const char *uf_element_name(char *buffer, size_t size, const char *name, uint32_t index);
#if !UF_USES_NAMES && !defined(UFI_CORE)
#define uf_element_name(buffer, size, name, index) ((const char *)0)
#endif

/* In the init of the owner. */
uf_status uf_members_init(uf_members *pool, uf_flow *owner, const uf_members_info *info);

/* In the release of the owner: releases what the members keep. */
void uf_members_release(uf_members *pool);

/* Reserves a member. The caller then starts a task of it, which cannot fail.
 * Thread: any.
 * Returns: UF_FULL; UF_STOPPING; UF_BUSY: in `on end` of the owner; UF_INVALID: the owner is not attached. */
uf_status uf_members_reserve(uf_members *pool, uf_flow **member);

/* Thread: any. */
uint32_t uf_members_busy(const uf_members *pool);

/* Allows at most this many members at once; the initial limit is all of them. Members that run are not affected.
 * Thread: any.
 * Returns: UF_INVALID. */
uf_status uf_members_limit(uf_members *pool, uint32_t most);

/* Cancels every member that is reserved or running now. On other threads than the pump's: in a later round.
 * Returns: UF_INVALID. */
uf_status uf_members_cancel_all(uf_members *pool);

/* The running member with that index; NULL: none. On the pump's thread. */
uf_flow *uf_members_at(const uf_members *pool, uint32_t index);

/* Takes the oldest end that was not taken; the place is free then. On the pump's thread.
 * Returns: false if there is none. */
bool uf_members_reap(uf_members *pool, uf_member_end *end);

/* The member that was used last at that place, whether it runs or not; NULL: none was. On the pump's thread. */
const uf_flow *uf_members_last(const uf_members *pool, uint32_t index);

/* -- in steps ------------------------------------------------------------------------------------------------------ */

/* A `spawn` without `else` was refused: the task fails with "connections: full". */
uf_intent uf_spawn_failure(uf_flow *flow, const char *pool, uf_status status);

void uf_arm_vacant(uf_flow *flow, struct uf_arm *arm, uf_members *pool);
/* `ended(POOL)`: is there an end? If so, the oldest is taken when the turn may take it. Its `reason` is valid until the
 * next spawn of that place. */
void uf_arm_ended(uf_flow *flow, struct uf_arm *arm, uf_members *pool);
bool uf_has_end(uf_members *pool, struct uf_arm *arm);
typedef struct uf_taken_end {
    const char *reason;
    int index;
    uf_outcome outcome;
} uf_taken_end;
uf_taken_end uf_take_end(uf_members *pool);

void uf_arm_empty(uf_flow *flow, struct uf_arm *arm, uf_members *pool);

/* -- the words of a flow that may be a member: initialised once, then kept ----------------------------------------- */

/* Their storage was zeroed before the first init. */
static inline void uf_signal_ready(uf_signal *signal, const char *name)
{
    if (!signal->name) uf_signal_init(signal, name);
}
void uf_checkpoint_ready(uf_checkpoint *checkpoint, const uf_flow *owner, const char *name);
/* Between uses the mailbox is closed: sends, and waits for room, fail with "closed". The next use drops the unread
 * items. */
void uf_mailbox_close(void *mailbox);
void uf_mailbox_ready(uf_mailbox *mailbox, uf_flow *owner, const char *name, void *items, uint8_t *turns,
                      uint32_t capacity, uint32_t item_size);

UF_C_END
#endif
