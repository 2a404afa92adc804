// SPDX-License-Identifier: MIT
// W6 as coroutines that wait for a plain pool of one thread.
#define BENCH_USAGE "[in flight [jobs of all]]"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "bench.h"
#include "coroutine.hpp"

struct line {
    std::mutex mutex;
    std::condition_variable condition;
    queue waiting;
    bool ended = false;

    void put(promise &p)
    {
        {
            std::lock_guard lock(mutex);
            waiting.push(p);
        }
        condition.notify_one();
    }
    // nullptr: the pool has ended.
    promise *take()
    {
        std::unique_lock lock(mutex);
        condition.wait(lock, [this] { return ended || !waiting.empty(); });
        return waiting.empty() ? nullptr : &waiting.pop();
    }
};

static line to_do, over;

struct nothing_elsewhere {
    bool await_ready() const noexcept { return false; }
    void await_suspend(handle h) const noexcept { to_do.put(h.promise()); }
    void await_resume() const noexcept {}
};

static size_t running;

static task client(uint64_t jobs)
{
    while (jobs-- > 0) co_await nothing_elsewhere{};
    running--;
}

int main(int argc, char **argv)
{
    size_t const count = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 100000, count);

    std::thread worker([] {
        while (promise *p = to_do.take()) over.put(*p);
    });
    running = count;
    for (size_t i = 0; i < count; i++) client(each);
    int64_t const began = bench_begin();
    run_all();
    while (running > 0) handle::from_promise(*over.take()).resume();
    bench_report(began, bench_end(), each * count);
    {
        std::lock_guard lock(to_do.mutex);
        to_do.ended = true;
    }
    to_do.condition.notify_one();
    worker.join();
}
