/* SPDX-License-Identifier: MIT */
/* scheduler.c - chooses the thread that runs next; see scheduler.h. Threads are fibers with their own stacks. */
#define _GNU_SOURCE
#include "scheduler.h"

#include "fibers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define BY_CONTEXT 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BY_CONTEXT 1
#endif
#endif
#if !defined(BY_CONTEXT)
#define BY_CONTEXT 0 /* switches by longjmp, without a system call, once a fiber has begun */
#endif

enum { FIBERS = 24, STACK = 128 * 1024, CHANGES = 8, TOO_LONG = 300000 };

struct fiber {
    fiber_state state;
    const void *at;   /* the object that it is blocked on */
    int64_t deadline; /* AT_CONDITION, AT_BELL */
    bool timed_out;
    uint32_t priority;
    void (*run)(void *argument);
    void *argument;
    ucontext_t context;
    jmp_buf jump;
    bool begun;
    bool detached;
    char *stack;
    void *slots[UFP_SLOTS];
    counted counts;
};

static fiber fibers[FIBERS];
static fiber *current;
static uint32_t clock_priority; /* the passing of time has its own thread */
static schedule now_running;
static schedule_result result;
static uint64_t random_state;
static int64_t now;
static uint32_t changes[CHANGES], change_count, lowest;
static ucontext_t outside;
static char failure[512];

/* -- random numbers ------------------------------------------------------------------------------------------------ */

static uint32_t draw(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % limit;
}

uint32_t schedule_draw(uint32_t limit)
{
    return draw(limit);
}

static void seed(uint64_t value)
{
    random_state = (value + 1) * UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < 8; i++) draw(2);
}

/* -- switching ---------------------------------------------------------------------------------------------------- */

static _Noreturn void leave(void)
{
    setcontext(&outside);
    abort();
}

_Noreturn void schedule_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
    result.failure = failure;
    leave();
}

static void begin_fiber(void)
{
    current->run(current->argument);
    current->state = ENDED;
    if (current == &fibers[0]) leave();
    fiber_release(AT_JOIN, current);
    schedule_pause(); /* never returns */
    abort();
}

static void switch_to(fiber *next)
{
    fiber *const before = current;
    if (next == before) return;
    current = next;
#if BY_CONTEXT
    next->begun = true;
    swapcontext(&before->context, &next->context);
#else
    if (_setjmp(before->jump)) return;
    if (next->begun) _longjmp(next->jump, 1);
    next->begun = true;
    setcontext(&next->context);
#endif
}

static fiber *earliest(void)
{
    fiber *first = NULL;
    for (int i = 0; i < FIBERS; i++) {
        fiber *const f = &fibers[i];
        if (f->state != AT_CONDITION && f->state != AT_BELL) continue;
        if (f->deadline != INT64_MAX && (!first || f->deadline < first->deadline)) first = f;
    }
    return first;
}

static void let_time_pass(fiber *sleeper)
{
    if (sleeper->deadline > now) now = sleeper->deadline;
    sleeper->timed_out = true;
    sleeper->state = READY;
    clock_priority = now_running.strategy ? --lowest : 0;
}

static const char *place(const fiber *f)
{
    switch (f->state) {
    case UNUSED: return "unused";
    case READY: return "ready";
    case AT_MUTEX: return "mutex";
    case AT_CONDITION: return "condition";
    case AT_JOIN: return "join";
    case AT_BELL: return "notifier";
    case ENDED: return "ended";
    }
    return "";
}

static _Noreturn void fail_stuck(const char *what)
{
    char text[400];
    size_t length = 0;
    for (int i = 0; i < FIBERS && length < sizeof text - 40; i++) {
        if (fibers[i].state == UNUSED) continue;
        length += (size_t)snprintf(text + length, sizeof text - length, " %d:%s", i, place(&fibers[i]));
    }
    schedule_fail("%s:%s", what, text);
}

/* Strategy 0: any thread that can run. The passing of time has a fraction of a thread's chance. */
static fiber *choose_random(fiber *const *ready, int count, fiber *sleeper)
{
    if (sleeper && (count == 0 || draw(16) == 0)) {
        let_time_pass(sleeper);
        return sleeper;
    }
    return ready[draw((uint32_t)count)];
}

static fiber *choose_first(fiber *const *ready, int count, fiber *sleeper)
{
    fiber *first = NULL;
    for (int i = 0; i < count; i++) {
        if (!first || ready[i]->priority > first->priority) first = ready[i];
    }
    if (sleeper && (!first || clock_priority > first->priority)) {
        let_time_pass(sleeper);
        first = sleeper;
    }
    return first;
}

/* Chooses the next thread. */
void fiber_point(void)
{
    fiber *ready[FIBERS];
    int count = 0;

    if (++result.points > TOO_LONG) fail_stuck("livelock");
    for (uint32_t i = 0; i < change_count; i++) {
        if (changes[i] == result.points) current->priority = --lowest;
    }
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == READY) ready[count++] = &fibers[i];
    }
    fiber *const sleeper = earliest();
    if (count == 0 && !sleeper) fail_stuck("deadlock");
    fiber *const next =
        now_running.strategy ? choose_first(ready, count, sleeper) : choose_random(ready, count, sleeper);
    result.hash = (result.hash ^ (uint64_t)(next - fibers)) * UINT64_C(0x100000001b3);
    switch_to(next);
}

bool fiber_block(fiber_state state, const void *at, int64_t deadline)
{
    current->state = state;
    current->at = at;
    current->deadline = deadline;
    current->timed_out = false;
    fiber_point();
    return !current->timed_out;
}

void fiber_release(fiber_state state, const void *at)
{
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == state && fibers[i].at == at) fibers[i].state = READY;
    }
}

void fiber_release_one(fiber_state state, const void *at)
{
    int waiters[FIBERS], count = 0;
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == state && fibers[i].at == at) waiters[count++] = i;
    }
    if (count) fibers[waiters[draw((uint32_t)count)]].state = READY;
}

void schedule_pause(void)
{
    if (now_running.strategy && current->state == READY) current->priority = --lowest;
    fiber_point();
}

fiber *fiber_start(void (*run)(void *argument), void *argument)
{
    for (int i = 0; i < FIBERS; i++) {
        fiber *const f = &fibers[i];
        if (f->state != UNUSED) continue;
        if (!f->stack) f->stack = malloc(STACK);
        f->state = READY;
        f->run = run;
        f->argument = argument;
        f->begun = false;
        f->detached = false;
        memset(f->slots, 0, sizeof f->slots);
        f->counts = (counted){0};
        f->priority = 1000000 + draw(1000000);
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = f->stack;
        f->context.uc_stack.ss_size = STACK;
        f->context.uc_link = NULL;
        makecontext(&f->context, begin_fiber, 0);
        return f;
    }
    schedule_fail("too many threads");
}

fiber *fiber_self(void)
{
    return current;
}

void fiber_detach(fiber *which)
{
    which->detached = true;
}

bool fiber_is_detached(const fiber *which)
{
    return which->detached;
}

void **fiber_slot(void)
{
    return current->slots;
}

counted *fiber_counts(void)
{
    return &current->counts;
}

bool fiber_ended(const fiber *which)
{
    return which->state == ENDED;
}

int64_t fiber_time(uint32_t at_most)
{
    now += draw(at_most + 1);
    return now;
}

/* -- a run -------------------------------------------------------------------------------------------------------- */

static void (*first_body)(void);

static void run_first(void *argument)
{
    (void)argument;
    first_body();
}

schedule_result schedule_run(const schedule *given, void (*body)(void))
{
    now_running = *given;
    result = (schedule_result){.hash = UINT64_C(0xcbf29ce484222325)};
    for (int i = 0; i < FIBERS; i++) fibers[i].state = UNUSED;
    now = INT64_C(1000000000);
    lowest = 1000000;
    seed(given->seed);
    change_count = given->strategy ? given->strategy - 1 : 0;
    for (uint32_t i = 0; i < change_count; i++) changes[i] = 1 + draw(given->length ? given->length : 1000);
    clock_priority = 1000000 + draw(1000000);
    seeded_begin();
    first_body = body;
    current = fiber_start(run_first, NULL);
    volatile bool began = false;
    getcontext(&outside);
    if (!began) {
        began = true;
        current->begun = true;
        setcontext(&current->context);
    }
    for (int i = 1; i < FIBERS && !result.failure; i++) {
        bool const is_over = fibers[i].state == UNUSED || fibers[i].state == ENDED || fibers[i].detached;
        if (!is_over) result.failure = "a thread is left";
    }
    char const *const left = seeded_end();
    if (left && !result.failure) result.failure = left;
    return result;
}
