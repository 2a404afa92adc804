#include <glib-unix.h>

#include "uflow/runtime.h"

typedef struct flow_source {
    GSource source;
    uf_runtime *runtime;
} flow_source;

static gboolean flows_prepare(GSource *source, gint *timeout)
{
    *timeout = uf_runtime_poll_timeout(((flow_source *)source)->runtime);
    return *timeout == 0;
}
static gboolean flows_dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
    (void)callback, (void)data, (void)uf_runtime_poll(((flow_source *)source)->runtime);
    return G_SOURCE_CONTINUE;
}
static GSourceFuncs flow_functions = {.prepare = flows_prepare, .dispatch = flows_dispatch};

static GSource *add_flows(uf_runtime *runtime)
{
    GSource *const source = g_source_new(&flow_functions, sizeof(flow_source));
    ((flow_source *)source)->runtime = runtime;
    g_source_add_unix_fd(source, uf_runtime_fd(runtime), G_IO_IN);
    g_source_attach(source, NULL);
    return source;
}
