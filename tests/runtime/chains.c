/* SPDX-License-Identifier: MIT */
/* chains.c - chains of runs deeper than the stack: cancelling the first run ends all, from the last one up. */
#include "harness.h"

#include <stdlib.h>

#include "uflow/runtime.h"
#include "uflow/simulate.h"

#include "chains.h"

#define LENGTH 100000
#define LONG   1000000 /* seconds */

static Link *links;
static int exits;

static void make_chain(uf_pump *its)
{
    exits = 0;
    links = calloc(LENGTH, sizeof *links);
    assert_non_null(links);
    for (int i = 0; i < LENGTH; i++) {
        Link *const below = i + 1 < LENGTH ? &links[i + 1] : NULL;
        assert_int_equal(Link_init(&links[i], its, "", below, NULL, &exits), UF_OK);
    }
}

static void hang(int seconds)
{
    make_chain(&pump);
    assert_int_equal(Link_start_Hold(&links[0], seconds), UF_OK);
    rounds(LENGTH);
    assert_int_equal(uf_pump_running(&pump), LENGTH);
}

static void all_ended(uf_outcome first)
{
    assert_int_equal(exits, LENGTH);
    assert_int_equal(uf_flow_outcome(&links[0].uf), first);
    for (int i = 1; i < LENGTH; i++) assert_int_equal(uf_flow_outcome(&links[i].uf), UF_CANCELLED);
}

static void destroy_chain(void)
{
    for (int i = 0; i < LENGTH; i++) assert_int_equal(Link_destroy(&links[i]), UF_OK);
    free(links);
}

TEST(test_a_long_chain_is_cancelled)
{
    hang(LONG);
    assert_int_equal(uf_flow_cancel(&links[0].uf), UF_OK);
    rounds(1);
    all_ended(UF_CANCELLED);
    destroy_chain();
}

TEST(test_a_long_chain_whose_first_one_fails)
{
    hang(1);
    run_until_idle();
    all_ended(UF_FAILED);
    destroy_chain();
}

TEST(test_a_long_chain_is_stopped)
{
    uf_stop_report report;
    hang(LONG);
    assert_int_equal(uf_simulate_stop(&pump, UF_S(1), &report), UF_OK);
    all_ended(UF_CANCELLED);
    assert_int_equal(report.cancelled, LENGTH);
    destroy_chain();
}

TEST(test_a_long_chain_is_freed_with_its_runtime)
{
    uf_runtime *runtime;
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.embedded = true}), UF_OK);
    make_chain(uf_runtime_pump(runtime));
    assert_int_equal(Link_start_Hold(&links[0], LONG), UF_OK);
    do assert_int_equal(uf_runtime_poll(runtime), UF_OK);
    while (uf_runtime_poll_timeout(runtime) == 0); /* a poll may end between the start of a flow and its first step */
    assert_int_equal(uf_pump_running(uf_runtime_pump(runtime)), LENGTH);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    all_ended(UF_CANCELLED);
    free(links);
}

/* The children of the first arm and their children come before those of the second arm. */
TEST(test_a_tree_of_runs_ends_from_its_leaves_up)
{
    Link root, left, right, leaf[3];
    exits = 0;
    for (int i = 0; i < 3; i++) {
        static char const *const names[] = {"1", "2", "3"};
        assert_int_equal(Link_init(&leaf[i], &pump, names[i], NULL, NULL, &exits), UF_OK);
    }
    assert_int_equal(Link_init(&left, &pump, "left", &leaf[0], &leaf[1], &exits), UF_OK);
    assert_int_equal(Link_init(&right, &pump, "right", &leaf[2], NULL, &exits), UF_OK);
    assert_int_equal(Link_init(&root, &pump, "root", &left, &right, &exits), UF_OK);
    assert_int_equal(Link_start_Hold(&root, LONG), UF_OK);
    rounds(3);
    assert_int_equal(uf_pump_running(&pump), 6);
    note_events();
    assert_int_equal(uf_flow_cancel(&root.uf), UF_OK);
    rounds(1);
    assert_log("1 1:Begin> ended:1(cancelled)cancelled 2 2:Begin> ended:2(cancelled)cancelled "
               "left left:Begin> ended:left(cancelled)cancelled 3 3:Begin> ended:3(cancelled)cancelled "
               "right right:Begin> ended:right(cancelled)cancelled root root:Begin> ended:root(cancelled)cancelled");
    assert_int_equal(uf_pump_running(&pump), 0);
}

/* -- companions of groups ------------------------------------------------------------------------------------------ */

static Ward *make_wards(int count)
{
    Ward *const wards = calloc((size_t)count, sizeof *wards);

    assert_non_null(wards);
    exits = 0;
    for (int i = 0; i < count; i++) {
        static char const *const names[] = {"a", "b", "c"};
        Ward *const below = i + 1 < count ? &wards[i + 1] : NULL;
        assert_int_equal(Ward_init(&wards[i], &pump, names[i % 3], below, &exits), UF_OK);
    }
    assert_int_equal(Ward_start_Hold(&wards[0]), UF_OK);
    rounds(count + 1);
    assert_int_equal(uf_pump_running(&pump), count);
    return wards;
}

TEST(test_companions_of_groups_end_between_two_on_exits)
{
    Ward *const wards = make_wards(3);
    log_clear();
    assert_int_equal(uf_flow_cancel(&wards[0].uf), UF_OK);
    rounds(1);
    assert_log("(a (b c b a");
    assert_int_equal(exits, 3);
    free(wards);
}

TEST(test_a_long_chain_of_companions_of_groups_is_cancelled)
{
    Ward *const wards = make_wards(LENGTH);
    assert_int_equal(uf_flow_cancel(&wards[0].uf), UF_OK);
    rounds(1);
    assert_int_equal(exits, LENGTH);
    assert_int_equal(uf_pump_running(&pump), 0);
    free(wards);
}
