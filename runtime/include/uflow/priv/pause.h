/* SPDX-License-Identifier: MIT */
/* priv/pause.h - the struct behind uf_pause, so that you can allocate one. Its members are private. */
#ifndef UFLOW_PRIV_PAUSE_H
#define UFLOW_PRIV_PAUSE_H

#include "uflow/priv/flow.h"

UF_C_BEGIN

/* `pump` is atomic. The other members belong to the critical section of the pump. The record is on the pump's list, and
 * in use, while one of the three flags is set. */
typedef struct uf_pause {
    uf_message message;
    void *pump;            /* the uf_pump of the last pause; NULL: none yet */
    uf_flow *flow;         /* NULL: it was detached */
    struct uf_pause *next; /* on the pump's list */
    uf_time since;         /* logical time at which it began */
    uint32_t run;          /* the number of the paused run */
    bool is_wanted;        /* paused, and not resumed */
    bool is_in_effect;     /* the flow stands. Only the pump's thread changes it */
    bool is_sent;          /* `message` is in the pump's inbox */
} uf_pause;

UF_C_END
#endif
