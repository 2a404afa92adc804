// SPDX-License-Identifier: MIT
// The cost of a waiting coroutine.
#define BENCH_USAGE "[coroutines]"

#include "resident.h"
#include "coroutine.hpp"

static queue parked;

static task wait()
{
    co_await stand_in{parked};
}

int main(int argc, char **argv)
{
    size_t const count = bench_number(argc, argv, 1, 1000000);
    uint64_t const before = resident_bytes();

    for (size_t i = 0; i < count; i++) wait();
    run_all();
    resident_report(before, count);
}
