/* SPDX-License-Identifier: MIT */
/* main.c - runs scenarios under many schedules.
 *
 *   scheduled [SCENARIO...] [--schedules N] [--seed FIRST] [--expect-failure]     N of each, over all strategies
 *   scheduled SCENARIO --replay SEED STRATEGY                                     one, twice: prints its hash
 *
 * With --expect-failure the program fails if N schedules of all scenarios together find no failure. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios.h"
#include "scheduler.h"

static const scenario *const tables[] = {start_scenarios,   call_scenarios,       post_scenarios, link_scenarios,
                                         signal_scenarios,  checkpoint_scenarios, job_scenarios,  stop_scenarios,
                                         by_hand_scenarios, counter_scenarios,    mail_scenarios, pool_scenarios,
                                         home_scenarios,    counted_scenarios,    idle_scenarios, inspect_scenarios,
                                         apart_scenarios,   pause_scenarios,      catch_scenarios};

static unsigned long count = 2000;
static uint64_t first_seed = 1;
static bool expect_failure;
static unsigned patience = 60; /* seconds for 64 schedules */
static char const *wanted[32];
static int wanted_count;

/* The scheduler cannot continue after a crash or a loop without a switch point. */
static void give_up(int signal)
{
    static char const text[] = "a schedule hangs between two points, or crashes\n";
    (void)signal;
    ssize_t const written = write(STDOUT_FILENO, text, sizeof text - 1);
    _exit(written > 0 && expect_failure ? 0 : 1);
}

static bool is_wanted(const char *name)
{
    for (int i = 0; i < wanted_count; i++) {
        if (strcmp(wanted[i], name) == 0) return true;
    }
    return wanted_count == 0;
}

/* The expected length of the scenario. It depends only on the program, so that a seed can be replayed. */
static uint32_t length_of(const scenario *s)
{
    schedule const plan = {.seed = 0, .strategy = 0};
    schedule_result const first = schedule_run(&plan, s->body);
    if (first.failure) printf("%s: first schedule: %s\n", s->name, first.failure);
    return first.failure ? 0 : first.points;
}

static schedule schedule_of(const scenario *s, uint64_t seed, unsigned strategy)
{
    (void)s;
    return (schedule){.seed = seed, .strategy = strategy, .length = length_of(s)};
}

static int replay(const scenario *s, uint64_t seed, unsigned strategy)
{
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        schedule const plan = schedule_of(s, seed, strategy);
        schedule_result const result = schedule_run(&plan, s->body);
        hashes[i] = result.hash;
        printf("%s: seed %llu, strategy %u: hash %016llx, %u points, %s\n", s->name, (unsigned long long)seed, strategy,
               (unsigned long long)result.hash, result.points, result.failure ? result.failure : "ok");
    }
    return hashes[0] == hashes[1] ? 0 : 1;
}

static unsigned strategy_of(unsigned long i)
{
    static unsigned const strategies[] = {0, 2, 3, 4, 5};
    return strategies[i % 5];
}

/* Returns: the number of schedules until one failed; 0: none did. */
static unsigned long explore(const scenario *s)
{
    uint32_t const length = length_of(s);
    unsigned long long points = 0;

    if (length == 0) return 1;
    for (unsigned long i = 0; i < count; i++) {
        schedule const plan = {.seed = first_seed + i, .strategy = strategy_of(i), .length = length};
        if (i % 64 == 0) alarm(patience);
        schedule_result const result = schedule_run(&plan, s->body);
        points += result.points;
        if (!result.failure) continue;
        printf("%s: schedule %lu: %s\n    again: %s --replay %llu %u\n", s->name, i + 1, result.failure, s->name,
               (unsigned long long)plan.seed, plan.strategy);
        return i + 1;
    }
    printf("%s: %lu schedules, %llu points\n", s->name, count, points);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t replay_seed = 0;
    int replay_strategy = -1;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--schedules") == 0 && i + 1 < argc) count = strtoul(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) first_seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--expect-failure") == 0) expect_failure = true;
        else if (strcmp(argv[i], "--replay") == 0 && i + 2 < argc) {
            replay_seed = strtoull(argv[++i], NULL, 0);
            replay_strategy = atoi(argv[++i]);
        } else if (wanted_count < 32) {
            wanted[wanted_count++] = argv[i];
        }
    }
    unsigned long ran = 0, failed = 0;
    signal(SIGALRM, give_up);
    if (expect_failure) signal(SIGSEGV, give_up);
    if (expect_failure) patience = 3;
    alarm(patience);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (const scenario *s = tables[t]; s->name; s++) {
            if (!is_wanted(s->name)) continue;
            ran++;
            if (replay_strategy >= 0) return replay(s, replay_seed, (unsigned)replay_strategy);
            failed += explore(s) != 0;
            fflush(stdout);
            if (failed && expect_failure) return 0;
        }
    }
    if (ran) printf("%lu scenarios, %lu schedules, %lu scenarios failed\n", ran, ran * count, failed);
    else printf("there is no such scenario\n");
    return ran && !failed && !expect_failure ? 0 : 1;
}
