/* SPDX-License-Identifier: MIT */
/* place.c - an index into an array of signals or checkpoints. */
#include "flows/flows.h"

uint32_t uf_place(uf_flow *flow, const char *name, uint32_t count, int64_t index)
{
    if (index >= 0 && index < (int64_t)count) return (uint32_t)index;
    ufi_flow_fail_place(flow, name, count, index);
    return 0;
}
