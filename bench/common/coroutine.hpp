// SPDX-License-Identifier: MIT
// coroutine.hpp - C++20 coroutines with a minimal scheduler: an intrusive ready queue of their promises.
#ifndef COROUTINE_HPP
#define COROUTINE_HPP

#include <coroutine>
#include <cstdint>
#include <cstdlib>

struct task {
    struct promise_type {
        promise_type *next = nullptr;

        inline task get_return_object();
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        [[noreturn]] void unhandled_exception() { std::abort(); }
    };
};

using promise = task::promise_type;
using handle = std::coroutine_handle<promise>;

// First in, first out.
struct queue {
    promise *first = nullptr, **end = &first;

    bool empty() const { return first == nullptr; }
    void push(promise &p)
    {
        p.next = nullptr;
        *end = &p;
        end = &p.next;
    }
    promise &pop()
    {
        promise &p = *first;
        first = p.next;
        if (!first) end = &first;
        return p;
    }
    void splice(queue &other)
    {
        if (other.empty()) return;
        *end = other.first;
        end = other.end;
        other.first = nullptr;
        other.end = &other.first;
    }
};

inline queue ready;

inline task promise::get_return_object()
{
    ready.push(*this);
    return {};
}

// Suspends until the scheduler takes this object from the head of a queue and resumes it.
struct stand_in {
    queue &line;

    bool await_ready() const noexcept { return false; }
    void await_suspend(handle h) const noexcept { line.push(h.promise()); }
    void await_resume() const noexcept {}
};

inline void run_all()
{
    while (!ready.empty()) handle::from_promise(ready.pop()).resume();
}

#endif
