/* SPDX-License-Identifier: MIT */
/* test_libev.c - the recipe for libev. */
#include "embedding_test.h"

#include "flows_in_ev.h"

static void look(struct ev_loop *loop, ev_check *check, int events)
{
    (void)check;
    (void)events;
    if (all_done()) ev_break(loop, EVBREAK_ALL);
}

CASE(runs_in_libev)
{
    struct ev_loop *const loop = ev_loop_new(EVFLAG_AUTO);
    ev_check check;
    begin_embedded();
    flows_in_ev flows = {.runtime = runtime};
    flows_in_ev_start(loop, &flows);
    ev_check_init(&check, look);
    ev_set_priority(&check, EV_MINPRI);
    ev_check_start(loop, &check);
    ev_run(loop, 0);
    flows_in_ev_stop(loop, &flows);
    ev_check_stop(loop, &check);
    end_embedded();
    assert_false(ev_run(loop, 0)); /* the loop continues without the runtime: no watcher is active */
    ev_loop_destroy(loop);
}
