// SPDX-License-Identifier: MIT
// W4 as coroutines on two threads, each with an inbox of coroutines that other threads have resumed.
#define BENCH_USAGE "[round trips]"

#include <atomic>
#include <coroutine>
#include <cstdlib>
#include <thread>

#include "futex.h"
#include "pingpong.h"

struct node {
    node *next;
    std::coroutine_handle<> handle;
};

// A stack. Any thread pushes onto it; its owner takes the whole of it.
struct loop {
    std::atomic<node *> inbox{nullptr};
    uint32_t asleep = 0;
    bool ended = false;

    void push(node &n)
    {
        n.next = inbox.load(std::memory_order_relaxed);
        while (!inbox.compare_exchange_weak(n.next, &n)) {}
        if (__atomic_exchange_n(&asleep, 0, __ATOMIC_SEQ_CST)) futex_wake(&asleep, 1);
    }
    void run()
    {
        while (!ended) {
            node *taken = inbox.exchange(nullptr);
            if (!taken) {
                __atomic_store_n(&asleep, 1, __ATOMIC_SEQ_CST);
                while (!inbox.load() && __atomic_load_n(&asleep, __ATOMIC_SEQ_CST)) futex_wait(&asleep, 1);
                __atomic_store_n(&asleep, 0, __ATOMIC_SEQ_CST);
            }
            for (node *next; taken; taken = next) {
                next = taken->next;
                taken->handle.resume();
            }
        }
    }
};

// An event. One coroutine waits for it and another sets it once per wait, in either order.
struct event {
    loop &home;
    node waiter{};
    std::atomic<int> state{0}; // 1: a coroutine waits, 2: set

    void set()
    {
        if (state.exchange(2) == 1) {
            state.store(0);
            home.push(waiter);
        }
    }
    auto operator co_await() noexcept
    {
        struct awaiter {
            event &e;
            bool await_ready() noexcept { return false; }
            bool await_suspend(std::coroutine_handle<> h) noexcept
            {
                int none = 0;
                e.waiter.handle = h;
                if (e.state.compare_exchange_strong(none, 1)) return true;
                e.state.store(0);
                return false;
            }
            void await_resume() noexcept {}
        };
        return awaiter{*this};
    }
};

struct detached {
    struct promise_type {
        detached get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        [[noreturn]] void unhandled_exception() { std::abort(); }
    };
};

static loop left, right;
static event to_left{left}, to_right{right};

static detached serve(uint64_t trips)
{
    pingpong_began = bench_begin();
    for (uint64_t i = 0; i < trips; i++) {
        pingpong_sent();
        to_right.set();
        co_await to_left;
    }
    pingpong_ended = bench_end();
    left.ended = true;
}

static detached answer(uint64_t trips)
{
    for (uint64_t i = 0; i < trips; i++) {
        co_await to_right;
        pingpong_received();
        to_left.set();
    }
    right.ended = true;
}

int main(int argc, char **argv)
{
    uint64_t const trips = bench_number(argc, argv, 1, 50000);
    std::thread other([trips] {
        answer(trips);
        right.run();
    });
    serve(trips);
    left.run();
    other.join();
    pingpong_report(trips);
}
