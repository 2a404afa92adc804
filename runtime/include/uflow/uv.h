/* SPDX-License-Identifier: MIT */
/* uv.h - drives a runtime in a libuv loop. Link the library uflow_uv.
 *
 *   uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = true});
 *   uf_uv_attach(&adapter, loop, runtime);
 *   uv_run(loop, UV_RUN_DEFAULT);                       drives the flows; ends after uf_uv_detach()
 */
#ifndef UFLOW_UV_H
#define UFLOW_UV_H

#include <uv.h>

#include "uflow/runtime.h"

UF_C_BEGIN

/* The adapter. Only `data` is for you; the other members are private.
 * Lifetime: you own it. It must stay valid until `closed` was called. */
typedef struct uf_uv {
    uv_poll_t poll;
    uv_timer_t timer;
    uv_prepare_t prepare;
    uf_runtime *runtime;
    void (*closed)(struct uf_uv *adapter);
    int open;   /* handles */
    void *data; /* yours */
} uf_uv;

/* Attaches a runtime in external-loop mode to a loop. The loop stays alive until the runtime is detached.
 * Thread: the loop's.
 * Returns: 0; an error of libuv, and nothing is attached; UV_EBUSY: the adapter is attached to this loop already, or
 * libuv has not called `closed` yet; UV_EINVAL: the runtime is not in external-loop mode, or an argument is NULL.
 * Lifetime: `adapter`, `loop` and `runtime` must stay valid until uf_uv_detach(). */
int uf_uv_attach(uf_uv *adapter, uv_loop_t *loop, uf_runtime *runtime);

/* Detaches the runtime, which may be freed at once. Does nothing if the adapter is not attached.
 * Thread: the loop's.
 * Lifetime: libuv calls `closed` (or nothing, for NULL) when the adapter's storage may be reused. */
void uf_uv_detach(uf_uv *adapter, void (*closed)(uf_uv *adapter));

UF_C_END
#endif
