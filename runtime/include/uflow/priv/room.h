/* SPDX-License-Identifier: MIT */
/* priv/room.h - the queue of flows and threads that wait for a place in an object, such as a mailbox. Its members are
 * private. */
#ifndef UFLOW_PRIV_ROOM_H
#define UFLOW_PRIV_ROOM_H

#include "uflow/flow.h"

UF_C_BEGIN

/* `queued` is atomic. `handing_on` belongs to the thread of the pump `hander`. The other members belong to the critical
 * section of the room. */
typedef struct uf_room {
    /* Stores the number of free places. Returns: UF_OK; UF_CLOSED or UF_STOPPING: why waiters fail. */
    uf_status (*check)(const struct uf_room *room, uint32_t *free);
    const struct ufi_room_hooks *hooks; /* NULL before the first waiter, so that other programs do not link them */
    uf_arm *queue;                      /* waiters that found no place, the first to be woken first: last of a ring */
    uf_arm *returned;                   /* in `queue`: the last arm at its front that was woken before; or NULL */
    uf_arm *others;                     /* all other waiters: last of a ring */
    uf_pump *hander;                    /* wakes the next waiters at the end of its round; NULL: no pump does */
    uf_link handing_on;                 /* on that pump's list of this name */
    uint32_t queued;                    /* length of `queue` */
    uint32_t woken;                     /* waiters that were woken and have not handed that on */
    uint32_t served;                    /* those of them that hand it on at the end of this round */
} uf_room;

UF_C_END
#endif
