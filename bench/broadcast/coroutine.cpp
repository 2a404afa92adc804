// SPDX-License-Identifier: MIT
// W5 as coroutines: the whole waiting list becomes the ready list.
#define BENCH_USAGE "[coroutines [fires]]"

#include "bench.h"
#include "coroutine.hpp"

static queue waiting;
static uint64_t released;

static task wait_again()
{
    for (uint64_t own = 0;; own++) {
        released++;
        co_await stand_in{waiting};
    }
}

int main(int argc, char **argv)
{
    size_t const count = bench_number(argc, argv, 1, 1000);
    uint64_t const fires = bench_number(argc, argv, 2, 1000);

    for (size_t i = 0; i < count; i++) wait_again();
    run_all();
    int64_t const began = bench_begin();
    for (uint64_t n = 0; n < fires; n++) {
        ready.splice(waiting);
        run_all();
    }
    int64_t const ended = bench_end();
    BENCH_CHECK(released == (fires + 1) * count);
    bench_report(began, ended, fires * count);
}
