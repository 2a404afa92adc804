/* uv.h - an embedded runtime in a libuv loop: link uflow_uv.
 *
 *   uf_runtime_config config = {.embedded = true};
 *   uf_runtime_new(&runtime, &config);
 *   uf_uv_attach(&adapter, loop, runtime);
 *   uv_run(loop, UV_RUN_DEFAULT);                                    drives the flows; ends after uf_uv_detach()
 */
#ifndef UFLOW_UV_H
#define UFLOW_UV_H

#include <uv.h>

#include "uflow/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Yours, until `closed` was called; its members are the adapter's. */
typedef struct uf_uv {
    uv_poll_t poll;
    uv_timer_t timer;
    uv_prepare_t prepare;
    uf_runtime *runtime;
    void (*closed)(struct uf_uv *adapter);
    int open;   /* handles */
    void *data; /* yours */
} uf_uv;

/* On the loop's thread, as all of this. The loop stays alive until it is detached. 0, or an error of libuv's, after which
 * nothing is left; UV_EINVAL if the runtime is not embedded, or for a NULL. */
int uf_uv_attach(uf_uv *adapter, uv_loop_t *loop, uf_runtime *runtime);

/* The loop lets go of the runtime, which may be freed at once. `closed` (or NULL) is called when the adapter's storage
 * may be used for something else. */
void uf_uv_detach(uf_uv *adapter, void (*closed)(uf_uv *adapter));

#ifdef __cplusplus
}
#endif
#endif
