/* SPDX-License-Identifier: MIT */
/* main_loop.c - runs flows of loop.uflow, and ends in several ways.
 *
 *   cov_loop THREADS RUNS HOW...     as many pumps, each in a thread of its own, with as many runs of 10 rounds
 *
 * HOW: write      calls uf_coverage_write(), and prints whether it did
 *      chdir      changes to the root directory
 *      fork       a child runs one flow more, and ends
 *      _exit      ends here, without the functions of exit() */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uflow/coverage.h"
#include "uflow/uflow.h"

#include "loop.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

enum { THREADS = 16, ROUNDS = 10 };

static long runs;

static void *run_flows(void *unused)
{
    uf_pump pump;
    Loop loop;

    CHECK(uf_pump_init(&pump, NULL) == UF_OK && Loop_init(&loop, &pump, "loop", ROUNDS) == UF_OK);
    for (long i = 0; i < runs; i++) {
        CHECK(Loop_start_Run(&loop, i % 2 == 1) == UF_OK);
        CHECK(uf_simulate_until_idle(&pump, UF_FOREVER) == UF_OK);
    }
    CHECK(Loop_destroy(&loop) == UF_OK && uf_pump_destroy(&pump) == UF_OK);
    return unused;
}

static void end_in(const char *how)
{
    if (strcmp(how, "write") == 0) puts(uf_coverage_write() ? "written" : "not written");
    if (strcmp(how, "chdir") == 0) CHECK(chdir("/") == 0);
    if (strcmp(how, "_exit") == 0) _exit(0);
    if (strcmp(how, "fork") != 0) return;
    pid_t const child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        runs = 1;
        run_flows(NULL);
        exit(0);
    }
    CHECK(waitpid(child, NULL, 0) == child);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int const count = argc > 1 ? atoi(argv[1]) : 1;

    CHECK(count > 0 && count <= THREADS);
    runs = argc > 2 ? atol(argv[2]) : 1;
    for (int i = 0; i < count; i++) CHECK(pthread_create(&threads[i], NULL, run_flows, NULL) == 0);
    for (int i = 0; i < count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (int i = 3; i < argc; i++) end_in(argv[i]);
    return 0;
}
