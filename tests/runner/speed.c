/* SPDX-License-Identifier: MIT */
/* speed.c - a run of a test, and the same run written by hand: speed.py counts their instructions.
 *
 *   speed hand|runner COUNT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "uflow/pool.h"

#include "speed.h"

static uf_pump pump;
static Hand hand;

static void check(bool condition, const char *what)
{
    if (condition) return;
    puts(what);
    exit(1);
}

static void run_by_hand(void)
{
    uf_time now = 0, wait = 0;

    memset(&hand, 0, sizeof hand);
    check(uf_pump_init(&pump, &(uf_pump_config){.pool = uf_pool_inline()}) == UF_OK, "the pump");
    check(Hand_init(&hand, &pump, "hand") == UF_OK && Hand_start_Test(&hand) == UF_OK, "the flow");
    for (; uf_flow_running(&hand.uf); now += wait) {
        wait = uf_pump_round(&pump, now);
        check(hand.lift.level >= 0 && hand.lift.level <= 20, "the level");
        check(wait != UF_FOREVER || !uf_flow_running(&hand.uf), "nothing can happen any more");
    }
    check(uf_flow_outcome(&hand.uf) == UF_DONE, "the outcome");
    check(Hand_destroy(&hand) == UF_OK && uf_pump_destroy(&pump) == UF_OK, "the end");
}

static void run_test(void)
{
    static uft_slot slot;
    bool seen[2] = {false};
    uf_time next[2] = {0};
    uf_test_file const *const file = uft_next_file(NULL);
    uft_case const of = {&file->tests[0], file, "speed.uflow"};
    uft_runs runs = {.of = &of, .slot = &slot, .rounds_at_once = 10000, .seen = seen, .next = next, .pump = &pump};
    uft_watch watch = {.observes = false};

    uft_run(&runs, &watch);
    check(!slot.failed, slot.message);
}

int main(int argc, char **argv)
{
    check(argc == 3, "usage: speed hand|runner COUNT");
    for (int i = atoi(argv[2]); i > 0; i--) {
        if (strcmp(argv[1], "hand") == 0) run_by_hand();
        else run_test();
    }
    return 0;
}
