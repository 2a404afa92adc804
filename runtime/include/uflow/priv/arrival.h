/* SPDX-License-Identifier: MIT */
/* arrival.h - what an arm `arrived` waits for: for dumps and the flight recorder. Not for programs. */
#ifndef UFLOW_PRIV_ARRIVAL_H
#define UFLOW_PRIV_ARRIVAL_H

#include "uflow/generated/awaits.h"

#include <stddef.h>

static inline const uf_checkpoint *ufi_arrived_at(const uf_arm *arm)
{
    const void *const arrived = arm->on.signal;
    const void *const checkpoint = UF_AS(const char *, arrived) - offsetof(uf_checkpoint, arrived);
    return UF_AS(const uf_checkpoint *, checkpoint);
}

/* The flow that declares the checkpoint, the only one that can stop there; NULL: none does. Its end waits until the
 * arms have left the checkpoint. */
static inline const uf_flow *ufi_flow_around(const uf_checkpoint *checkpoint)
{
    size_t const offset = checkpoint->flow_offset * sizeof(void *);
    const void *const at = checkpoint;
    const void *const flow = UF_AS(const char *, at) - offset;
    return offset ? UF_AS(const uf_flow *, flow) : NULL;
}

#endif
