/* SPDX-License-Identifier: MIT */
/* test_suspended.c - suspends the whole process repeatedly, for longer than a stop may take. Only time passes
 * meanwhile, so no step is stuck, and every runtime can be freed. */
#include "host_test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#define LASTS       UF_S(2)
#define SUSPENDS_MS 60

/* How often a free was refused. */
static int stop_and_free(void)
{
    int refused = 0;

    for (int64_t const end = real_now() + LASTS; real_now() < end;) {
        begin_with(NULL);
        if (Worker_start_Rest(&workers[0], UF_S(3600)) != UF_OK || Worker_start_Poll(&workers[1]) != UF_OK) abort();
        (void)uf_runtime_stop(runtime, UF_MS(1), NULL);
        for (uf_status status; (status = uf_runtime_free(runtime)) != UF_OK;) {
            if (status != UF_TIMED_OUT) abort();
            refused++;
        }
    }
    return refused;
}

CASE(test_a_suspended_process_has_no_stuck_step)
{
    int status, suspended = 0;

    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(stop_and_free() > 0);
    while (waitpid(child, &status, WNOHANG) == 0) {
        assert_int_equal(kill(child, SIGSTOP), 0);
        sleep_ms(SUSPENDS_MS);
        assert_int_equal(kill(child, SIGCONT), 0);
        sleep_ms(suspended++ % 5);
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
