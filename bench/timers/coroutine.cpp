// W7 as coroutines that stand in a priority queue: timers_coroutine [timers].
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
    uint32_t random = 1;

    for (size_t i = 0; i < timers; i++) sleeper((int64_t)(bench_random(&random) % 1000000 + 1) * 1000);
    int64_t const began = bench_begin();
    run_all();
    while (!sleepers.empty()) {
        entry const first = sleepers.top();
        sleepers.pop();
        now = first.deadline;
        first.sleeper.resume();
    }
    bench_report(began, bench_end(), timers);
    return fired == timers ? 0 : 1;
}
