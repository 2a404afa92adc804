/* SPDX-License-Identifier: MIT */
/* test_poll.c - the recipe for poll(2). */
#include "embedding_test.h"

#include "flows_in_poll.h"

CASE(runs_in_poll)
{
    struct pollfd all[2];
    int ends[2], bytes = 0;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "ab", 2), 2);
    begin_embedded();
    while (!all_done() || bytes < 2) {
        all[0] = (struct pollfd){.fd = bytes < 2 ? ends[0] : -1, .events = POLLIN};
        assert_true(poll_with_flows(runtime, all, 1) >= 0);
        char byte;
        if (bytes < 2 && all[0].revents) bytes += (int)read(ends[0], &byte, 1);
    }
    end_embedded();
    close(ends[0]);
    close(ends[1]);
}
