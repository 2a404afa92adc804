/* test_glib.c - the recipe for GLib. */
#include "embedding_test.h"

#include "flows_in_glib.h"

static void runs_in_glib(void **state)
{
    (void)state;
    begin_embedded();
    GSource *const source = add_flows(runtime);
    while (!all_done()) g_main_context_iteration(NULL, TRUE);
    g_source_destroy(source);
    g_source_unref(source);
    end_embedded();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_in_glib)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
