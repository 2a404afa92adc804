/* SPDX-License-Identifier: MIT */
/* alone.c - for a program on POSIX without the host: functions of the host that core names. No pump has a host. */
#include "flows/hooks.h"

const char *ufp_make_pool(uf_pump *pump)
{
    (void)pump;
    return UFI_REJECTED_AS "no pool";
}

uf_status ufp_send_wait(uf_mailbox *mailbox, const void *item, uf_time timeout)
{
    (void)mailbox;
    (void)item;
    (void)timeout;
    return UF_UNSUPPORTED;
}
