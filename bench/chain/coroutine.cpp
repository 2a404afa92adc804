// SPDX-License-Identifier: MIT
// W1 to W3 as coroutines.
#define BENCH_USAGE "[coroutines [transitions of all [parked ones]]]"

#include "bench.h"
#include "coroutine.hpp"

static task ring(uint64_t left)
{
    for (;;) {
        if (left-- == 0) co_return;
        co_await stand_in{ready};
        if (left-- == 0) co_return;
        co_await stand_in{ready};
        if (left-- == 0) co_return;
        co_await stand_in{ready};
        if (left-- == 0) co_return;
        co_await stand_in{ready};
    }
}

static queue parked;

static task park()
{
    co_await stand_in{parked};
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 20000000, machines);
    size_t const idle = bench_number(argc, argv, 3, 0);

    for (size_t i = 0; i < idle; i++) park();
    run_all();
    for (size_t i = 0; i < machines; i++) ring(each);
    int64_t const began = bench_begin();
    run_all();
    bench_report(began, bench_end(), each * machines);
}
