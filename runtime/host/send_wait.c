/* SPDX-License-Identifier: MIT */
/* send_wait.c - threads that wait for room in a mailbox, in one queue with flows. */
#include "host.h"

#include "waits/room.h"

/* Sends if there is room; otherwise waits for its turn. Returns: UF_FULL: try again. */
static uf_status send_or_wait(uf_mailbox *mailbox, const void *item, ufi_room_thread *thread, uf_time deadline)
{
    uint32_t const since = uf_signal_epoch(&thread->wake);

    if (ufi_room_enter(&mailbox->room, thread) != UF_BUSY) return uf_mailbox_send(mailbox, item);
    uf_status const status = ufh_signal_wait_until(&thread->wake, since, deadline);
    return status == UF_OK ? UF_FULL : status;
}

uf_status ufp_send_wait(uf_mailbox *mailbox, const void *item, uf_time timeout)
{
    uf_time const deadline = ufh_deadline(timeout);
    ufi_room_thread thread = {.arm = {.kind = UF_ARM_ROOM}};

    if (ufh_thread_drives_runtime()) return UF_DEADLOCK;
    uf_status status = uf_mailbox_send(mailbox, item);
    if (status != UF_FULL) return status;
    uf_signal_init(&thread.wake, NULL);
    ufp_note_shared(&thread.wake.firing, sizeof thread.wake.firing);
    do status = send_or_wait(mailbox, item, &thread, deadline);
    while (status == UF_FULL);
    ufi_room_leave(&mailbox->room, &thread);
    uf_signal_destroy(&thread.wake); /* a wake-up may be under way */
    return status;
}
