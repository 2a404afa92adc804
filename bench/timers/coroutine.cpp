// SPDX-License-Identifier: MIT
// W7 as coroutines in a priority queue.
#define BENCH_USAGE "[timers [rounds]]"

#include <queue>
#include <vector>

#include "bench.h"
#include "coroutine.hpp"

struct entry {
    int64_t deadline;
    handle sleeper;
    bool operator<(const entry &other) const { return deadline > other.deadline; }
};

static std::priority_queue<entry> sleepers;
static int64_t now;
static size_t fired;

struct sleep_for {
    int64_t duration;
    bool await_ready() const noexcept { return false; }
    void await_suspend(handle h) const { sleepers.push({now + duration, h}); }
    void await_resume() const noexcept {}
};

static task sleeper(int64_t duration)
{
    co_await sleep_for{duration};
    fired++;
}

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    uint64_t const rounds = bench_number(argc, argv, 2, 1);
    uint32_t random = 1;
    int64_t spent = 0;

    for (uint64_t n = 0; n < rounds; n++) {
        for (size_t i = 0; i < timers; i++) sleeper((int64_t)(bench_random(&random) % 1000000 + 1) * 1000);
        now = 0;
        int64_t const began = bench_begin();
        run_all();
        while (!sleepers.empty()) {
            entry const first = sleepers.top();
            sleepers.pop();
            now = first.deadline;
            first.sleeper.resume();
        }
        spent += bench_end() - began;
    }
    BENCH_CHECK(fired == timers * rounds);
    bench_report(0, spent, timers * rounds);
}
