/* SPDX-License-Identifier: MIT */
/* Schedules of a test of the door: the plain one again and again, or all others. */
#define BENCH_USAGE "[runs [plain | explored]]"

#include "processes.h"
#include "session.h"
#include "tested.h"

static uf_pump pump;

static void check(const uft_slot *slot)
{
    if (slot->failed) fprintf(stderr, "%s:%u: %s\n", slot->at.file, (unsigned)slot->at.line, slot->message);
    BENCH_CHECK(!slot->failed);
}

/* As a test that does not explore. */
static void run_plain(const uft_case *of, uft_slot *slot, uint64_t runs)
{
    bool seen[1] = {false};
    uf_time next[1] = {0};
    uft_runs all = {.of = of, .slot = slot, .rounds_at_once = 10000, .seen = seen, .next = next, .pump = &pump};
    uft_watch watch = {.observes = false};

    BENCH_CHECK(of->test->hook_count == 1);
    uft_begin_runs(&all);
    for (uint64_t i = 0; i < runs; i++) uft_run(&all, &watch);
    check(slot);
}

static void run_explored(const uft_case *of, uft_slot *slot, uint64_t runs)
{
    uft_session const session = {.of = of, .rounds_at_once = 10000, .limit = (uint32_t)runs, .pump = &pump};

    uft_session_run(slot, &session);
    check(slot);
    BENCH_CHECK(slot->schedules == runs);
}

int main(int argc, char **argv)
{
    uint64_t const runs = bench_number(argc, argv, 1, 100000);
    int const how = bench_word(argc, argv, 2, (char const *const[]){"plain", "explored", NULL});
    uf_test_file const *const file = uft_next_file(NULL);
    uft_case const of = {&file->tests[how], file, "door_test.uflow"};
    uft_slot *const slot = uft_share(sizeof *slot);

    BENCH_CHECK(slot && runs <= UINT32_MAX);
    int const out = bench_hush();
    int64_t const began = bench_begin();
    if (how) run_explored(&of, slot, runs);
    else run_plain(&of, slot, runs);
    int64_t const ended = bench_end();
    bench_speak(out);
    bench_report(began, ended, runs);
    return 0;
}
