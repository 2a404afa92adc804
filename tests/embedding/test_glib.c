/* SPDX-License-Identifier: MIT */
/* test_glib.c - the recipe for GLib. */
#include "embedding_test.h"

#include "flows_in_glib.h"

CASE(runs_in_glib)
{
    begin_embedded();
    GSource *const source = flows_in_glib_add(runtime);
    while (!all_done()) g_main_context_iteration(NULL, TRUE);
    flows_in_glib_remove(source);
    end_embedded();
    g_main_context_iteration(NULL, FALSE); /* the loop continues without the runtime */
}
