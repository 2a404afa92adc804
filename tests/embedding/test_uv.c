/* SPDX-License-Identifier: MIT */
/* test_uv.c - the adapter for libuv. */
#include <signal.h>
#include <sys/wait.h>

#include "embedding_test.h"

#include "uflow/uv.h"

static int closed;

static void note_closed(uf_uv *adapter)
{
    closed++;
    assert_ptr_equal(adapter->data, &closed);
}

/* Called before the loop waits: later, no event might end the wait. */
static void look(uv_prepare_t *check)
{
    uf_uv *const adapter = check->data;
    if (!all_done()) return;
    uf_uv_detach(adapter, note_closed);
    assert_int_equal(uf_uv_attach(adapter, check->loop, runtime), UV_EBUSY); /* libuv has not called `closed` yet */
    uf_uv_detach(adapter, NULL);                                             /* does nothing */
    uv_close((uv_handle_t *)check, NULL);
}

CASE(runs_in_libuv)
{
    uv_loop_t loop;
    uv_prepare_t check;
    uf_uv adapter;
    closed = 0;
    assert_int_equal(uv_loop_init(&loop), 0);
    begin_embedded();
    assert_int_equal(uf_uv_attach(&adapter, &loop, runtime), 0);
    assert_int_equal(uf_uv_attach(&adapter, &loop, runtime), UV_EBUSY);
    adapter.data = &closed;
    assert_int_equal(uv_prepare_init(&loop, &check), 0);
    check.data = &adapter;
    assert_int_equal(uv_prepare_start(&check, look), 0);
    assert_int_equal(uv_run(&loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(closed, 1);
    end_embedded();
    assert_int_equal(uv_loop_close(&loop), 0);
}

CASE(refuses_a_runtime_with_a_thread)
{
    uv_loop_t loop;
    uf_uv adapter;
    assert_int_equal(uv_loop_init(&loop), 0);
    begin_with(NULL);
    memset(&adapter, 0, sizeof adapter);
    assert_int_equal(uf_uv_attach(&adapter, &loop, runtime), UV_EINVAL);
    uf_uv_detach(&adapter, NULL);
    assert_int_equal(uv_loop_close(&loop), 0);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

static jmp_buf back;

static void leave(void *unused)
{
    (void)unused;
    longjmp(back, 1);
}

static uf_uv aborting;

/* Runs in a process of its own, which aborts. */
static void run_and_leave(uv_loop_t *loop)
{
    (void)uf_post(runtime, leave, NULL);
    (void)setjmp(back);
    (void)uv_run(loop, UV_RUN_DEFAULT);
}

/* The report of libuv for a descriptor that it can watch no longer. */
static void refuse_watch(uv_loop_t *loop)
{
    (void)loop;
    aborting.poll.poll_cb(&aborting.poll, UV_EBADF, 0);
}

static void expect_abort(void (*act)(uv_loop_t *loop), const char *expected)
{
    char text[256] = "";
    int ends[2], status;

    assert_int_equal(pipe(ends), 0);
    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        uv_loop_t loop;
        (void)dup2(ends[1], STDERR_FILENO);
        (void)alarm(20);
        (void)uv_loop_init(&loop);
        begin_with(&(uf_runtime_config){.embedded = true});
        (void)uf_uv_attach(&aborting, &loop, runtime);
        act(&loop);
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_string_equal(text, expected);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

CASE(aborts_after_a_step_was_left)
{
    expect_abort(run_and_leave, "uflow: flow 'none' failed: uv_run() was called in its step, or the step was left by "
                                "an exception or longjmp()\n");
}

CASE(aborts_if_libuv_cannot_watch)
{
    expect_abort(refuse_watch, "uflow: libuv cannot watch the descriptor of a runtime: bad file descriptor. Close only "
                               "descriptors that the program has opened.\n");
}
