/* SPDX-License-Identifier: MIT */
/* inspect.h - lets uflow-top look into a running process, through a local socket. Needs POSIX: on Windows the library
 * does not have these functions, and the linker reports them as missing.
 *
 *   static uf_inspect *inspect;
 *   uf_inspect_listen(&inspect, runtime, "/run/user/1000/cell.sock", NULL);   then: uflow-top /run/user/1000/cell.sock
 *   ...
 *   uf_inspect_close(inspect);                                                before uf_runtime_free()
 *
 * The socket has the mode 0600, and only processes of the same user and of the superuser are served. It is read-only:
 * a viewer can change nothing. A thread of its own answers. For each answer the runtime's thread copies the state of
 * its flows to memory that was allocated before, 64 flows in a round. It allocates nothing and waits for nobody. While
 * there is no viewer, it does nothing for this. docs/uflow-top.md describes the requests of viewers. */
#ifndef UFLOW_INSPECT_H
#define UFLOW_INSPECT_H

#include "uflow/counters.h"
#include "uflow/recorder.h"
#include "uflow/runtime.h"

UF_C_BEGIN

/* A socket for viewers, and the thread that serves it. */
typedef struct uf_inspect uf_inspect;

/* The configuration of uf_inspect_listen(). A zeroed member selects its default. */
typedef struct uf_inspect_config {
    const uf_recorder
        *recorder; /* an observer of the runtime, which stays attached: viewers get its events from the oldest one on.
                    * NULL: one of its own, from the first viewer to 10 s after the last one */
    const uf_counters *counters; /* of the runtime, to be shown too; NULL: none */
    uint32_t flows;              /* the most flows that are shown; 0: 10000 */
} uf_inspect_config;

/* Listens at `path`, and starts the thread that serves viewers. A stale socket of this user is replaced. Of several
 * calls for one path at once, one succeeds. They use a file `path`.uflow-lock for a moment.
 * Thread: any.
 * Returns: UF_OK; UF_BUSY: something is at `path`, such as the socket of another process; UF_NO_MEMORY: an allocation
 * failed; UF_NO_THREAD: the system refused the socket or the thread, or `path` is too long for a socket: errno tells
 * why; UF_INVALID: `inspect`, `runtime` or `path` is NULL. After an error `*inspect` is NULL.
 * Lifetime: end it with uf_inspect_close() before you free the runtime. The objects that `config` points to must stay
 * valid until then. `config` itself is copied, and may be NULL. */
uf_status uf_inspect_listen(uf_inspect **inspect, uf_runtime *runtime, const char *path,
                            const uf_inspect_config *config);

/* Ends the thread and the connections, and removes the socket. It waits for the runtime's thread if that thread is
 * about to answer. So it waits for a step that does not return. On the loop's thread in external-loop mode it drives
 * the flows meanwhile.
 * Thread: any, but not in a step, observer, hook or post of the runtime.
 * Returns: UF_OK; UF_DEADLOCK, and nothing happens: called there; UF_INVALID: `inspect` is NULL. */
uf_status uf_inspect_close(uf_inspect *inspect);

UF_C_END
#endif
