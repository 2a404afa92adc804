#ifndef FLOWS_IN_GLIB_H
#define FLOWS_IN_GLIB_H

#include <glib-unix.h>

#include "uflow/runtime.h"

typedef struct flows_in_glib {
    GSource source;
    uf_runtime *runtime;
} flows_in_glib;

static inline gboolean flows_in_glib_prepare(GSource *source, gint *timeout)
{
    *timeout = uf_runtime_poll_timeout(((flows_in_glib *)source)->runtime);
    return *timeout == 0;
}

static inline gboolean flows_in_glib_dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
    uf_status const status = uf_runtime_poll(((flows_in_glib *)source)->runtime);
    (void)callback, (void)data;
    if (status == UF_OK) return G_SOURCE_CONTINUE;
    g_critical("uf_runtime_poll: %s", uf_status_text(status)); /* polled in a step, or without `embedded` */
    return G_SOURCE_REMOVE;
}

static GSourceFuncs flows_in_glib_functions = {.prepare = flows_in_glib_prepare, .dispatch = flows_in_glib_dispatch};

static inline GSource *flows_in_glib_add(uf_runtime *runtime)
{
    GSource *const source = g_source_new(&flows_in_glib_functions, sizeof(flows_in_glib));
    ((flows_in_glib *)source)->runtime = runtime;
    g_source_add_unix_fd(source, uf_runtime_fd(runtime), G_IO_IN);
    g_source_attach(source, NULL);
    return source;
}

/* Call it before uf_runtime_free(): the source uses the runtime. */
static inline void flows_in_glib_remove(GSource *source)
{
    g_source_destroy(source);
    g_source_unref(source);
}

#endif
