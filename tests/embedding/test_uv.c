/* test_uv.c - the adapter for libuv. */
#include "embedding_test.h"

#include "uflow/uv.h"

static int closed;

static void note_closed(uf_uv *adapter)
{
    closed++;
    assert_ptr_equal(adapter->data, &closed);
}

/* Before the loop waits: later, no event might end the wait. */
static void look(uv_prepare_t *check)
{
    uf_uv *const adapter = check->data;
    if (!all_done()) return;
    uf_uv_detach(adapter, note_closed);
    uf_uv_detach(adapter, NULL); /* does nothing */
    uv_close((uv_handle_t *)check, NULL);
}

static void runs_in_libuv(void **state)
{
    uv_loop_t loop;
    uv_prepare_t check;
    uf_uv adapter;
    (void)state;
    closed = 0;
    assert_int_equal(uv_loop_init(&loop), 0);
    begin_embedded();
    assert_int_equal(uf_uv_attach(&adapter, &loop, runtime), 0);
    adapter.data = &closed;
    assert_int_equal(uv_prepare_init(&loop, &check), 0);
    check.data = &adapter;
    assert_int_equal(uv_prepare_start(&check, look), 0);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(closed, 1);
    end_embedded();
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void refuses_a_runtime_with_a_thread(void **state)
{
    uv_loop_t loop;
    uf_uv adapter;
    (void)state;
    assert_int_equal(uv_loop_init(&loop), 0);
    begin_with(NULL);
    memset(&adapter, 0, sizeof adapter);
    assert_int_equal(uf_uv_attach(&adapter, &loop, runtime), UV_EINVAL);
    uf_uv_detach(&adapter, NULL);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_in_libuv),
                                       cmocka_unit_test(refuses_a_runtime_with_a_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
