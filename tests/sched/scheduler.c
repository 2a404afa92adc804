/* scheduler.c - see scheduler.h. Threads are fibers on stacks of their own. */
#define _GNU_SOURCE
#include "scheduler.h"

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
#define BY_CONTEXT 0 /* jumps, which need no system call, once a fiber has begun */
#endif

enum { FIBERS = 24, CLOCK = FIBERS, STACK = 128 * 1024, CHANGES = 8, BELLS = 4, TOO_LONG = 300000 };

typedef enum fiber_state { UNUSED, READY, AT_MUTEX, AT_CONDITION, AT_JOIN, AT_BELL, ENDED } fiber_state;

typedef struct fiber {
    fiber_state state;
    const void *at;   /* what it is blocked at */
    int64_t deadline; /* AT_CONDITION, AT_BELL */
    bool timed_out;
    uint32_t priority;
    void (*run)(void *argument);
    void *argument;
    ucontext_t context;
    jmp_buf jump;
    bool begun;
    char *stack;
} fiber;

/* What lies in the room of a mutex and a condition. */
typedef struct mutex {
    uint32_t magic;
    int owner; /* a fiber, or -1 */
} mutex;
typedef struct condition {
    uint32_t magic;
} condition;
enum { MUTEX = 0x6d757478, CONDITION = 0x636f6e64 };

typedef struct block {
    struct block *next;
    size_t size;
    bool freed;
    unsigned char *bytes;
} block;

static fiber fibers[FIBERS];
static fiber *current;
static uint32_t clock_priority; /* of the passing of time, which runs like a thread */
static schedule now_running;
static schedule_result result;
static uint64_t random_state;
static int64_t now;
static uint32_t changes[CHANGES], change_count, lowest;
static ufp_mutex section; /* of ufp_enter() */
static block *blocks;
static bool rung[BELLS];
static int bells;
static ucontext_t outside;
static char failure[512];

/* -- chance ---------------------------------------------------------------------------------------------------------- */

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

/* -- switching ------------------------------------------------------------------------------------------------------- */

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
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == AT_JOIN && fibers[i].at == current) fibers[i].state = READY;
    }
    schedule_pause(); /* never to come back */
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
    case AT_BELL: return "bell";
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

/* At random: any that can run; the passing of time has the chance of a fraction of a thread. */
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

/* Who goes on now? */
static void point(void)
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

static void block_at(fiber_state state, const void *at)
{
    current->state = state;
    current->at = at;
    point();
}

void schedule_pause(void)
{
    if (now_running.strategy && current->state == READY) current->priority = --lowest;
    point();
}

static fiber *start_fiber(void (*run)(void *argument), void *argument)
{
    for (int i = 0; i < FIBERS; i++) {
        fiber *const f = &fibers[i];
        if (f->state != UNUSED) continue;
        if (!f->stack) f->stack = malloc(STACK);
        f->state = READY;
        f->run = run;
        f->argument = argument;
        f->begun = false;
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

/* -- a run ----------------------------------------------------------------------------------------------------------- */

static void (*first_body)(void);

static void run_first(void *argument)
{
    (void)argument;
    first_body();
}

static void check_memory(void)
{
    while (blocks) {
        block *const b = blocks;
        blocks = b->next;
        if (!b->freed && !result.failure) result.failure = "memory is left";
        for (size_t i = 0; b->freed && i < b->size && !result.failure; i++) {
            if (b->bytes[i] != 0xdd) result.failure = "memory was written after it was freed";
        }
        free(b->bytes);
        free(b);
    }
}

schedule_result schedule_run(const schedule *given, void (*body)(void))
{
    now_running = *given;
    result = (schedule_result){.hash = UINT64_C(0xcbf29ce484222325)};
    for (int i = 0; i < FIBERS; i++) fibers[i].state = UNUSED;
    now = INT64_C(1000000000);
    bells = 0;
    memset(&section, 0, sizeof section);
    lowest = 1000000;
    seed(given->seed);
    change_count = given->strategy ? given->strategy - 1 : 0;
    for (uint32_t i = 0; i < change_count; i++) changes[i] = 1 + draw(given->length ? given->length : 1000);
    clock_priority = 1000000 + draw(1000000);
    first_body = body;
    current = start_fiber(run_first, NULL);
    volatile bool began = false;
    getcontext(&outside);
    if (!began) {
        began = true;
        current->begun = true;
        setcontext(&current->context);
    }
    for (int i = 1; i < FIBERS && !result.failure; i++) {
        if (fibers[i].state != UNUSED && fibers[i].state != ENDED) result.failure = "a thread is left";
    }
    check_memory();
    return result;
}

/* -- the port: words --------------------------------------------------------------------------------------------------- */

/* Reading a word is as wrong as writing it, once its storage was freed. */
static void point_at(const void *word)
{
    point();
    for (const block *b = blocks; b; b = b->next) {
        uintptr_t const offset = (uintptr_t)word - (uintptr_t)b->bytes;
        if (b->freed && offset < b->size) schedule_fail("memory is used after it was freed");
    }
}

#define WORD(type, name)                                                                                               \
    type name(const type *word)                                                                                        \
    {                                                                                                                  \
        point_at(word);                                                                                                \
        return *(const volatile type *)word;                                                                           \
    }
WORD(uint32_t, ufp_load)
WORD(uint32_t, ufp_load_acquire)
WORD(uint32_t, ufp_load_total)
WORD(uint8_t, ufp_load_byte)
WORD(int64_t, ufp_load_time)

#define STORE(type, name)                                                                                              \
    void name(type *word, type value)                                                                                  \
    {                                                                                                                  \
        point_at(word);                                                                                                \
        *(volatile type *)word = value;                                                                                \
    }
STORE(uint32_t, ufp_store)
STORE(uint32_t, ufp_store_release)
STORE(uint32_t, ufp_store_total)
STORE(uint8_t, ufp_store_byte)
STORE(int64_t, ufp_store_time)

bool ufp_swap(uint32_t *word, uint32_t expected, uint32_t desired)
{
    point_at(word);
    if (*word != expected) return false;
    *word = desired;
    return true;
}

uint32_t ufp_exchange(uint32_t *word, uint32_t value)
{
    point_at(word);
    uint32_t const was = *word;
    *word = value;
    return was;
}

uint32_t ufp_add(uint32_t *word, uint32_t value)
{
    point_at(word);
    return *word += value;
}

void *ufp_load_pointer(void *const *word)
{
    point_at(word);
    return *(void *const volatile *)word;
}

void *ufp_load_pointer_total(void *const *word)
{
    return ufp_load_pointer(word);
}

void ufp_store_pointer(void **word, void *value)
{
    point_at(word);
    *(void *volatile *)word = value;
}

bool ufp_swap_pointer(void **word, void *expected, void *desired)
{
    point_at(word);
    if (*word != expected) return false;
    *word = desired;
    return true;
}

void *ufp_exchange_pointer(void **word, void *value)
{
    point_at(word);
    void *const was = *word;
    *word = value;
    return was;
}

void ufp_relax(void)
{
    schedule_pause();
}

/* -- the port: core's part --------------------------------------------------------------------------------------------- */

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    schedule_fail("aborted: %s: %s", flow, reason);
}

void *ufp_self(void)
{
    return current;
}

void ufp_enter(void)
{
    mutex *const m = (mutex *)(void *)&section;
    if (m->magic != MUTEX) ufp_mutex_init(&section);
    if (m->owner == (int)(current - fibers)) schedule_fail("ufp_enter() in itself");
    ufp_lock(&section);
}

void ufp_leave(void)
{
    ufp_unlock(&section);
}

/* -- the port: locks and threads ----------------------------------------------------------------------------------------- */

static mutex *mutex_of(ufp_mutex *given)
{
    mutex *const m = (mutex *)(void *)given;
    if (m->magic != MUTEX) schedule_fail("no mutex");
    return m;
}

int ufp_mutex_init(ufp_mutex *given)
{
    *(mutex *)(void *)given = (mutex){.magic = MUTEX, .owner = -1};
    return 0;
}

void ufp_mutex_destroy(ufp_mutex *given)
{
    if (mutex_of(given)->owner >= 0) schedule_fail("a locked mutex is destroyed");
    mutex_of(given)->magic = 0;
}

void ufp_lock(ufp_mutex *given)
{
    point();
    mutex *const m = mutex_of(given);
    if (m->owner == (int)(current - fibers)) schedule_fail("a mutex is locked twice");
    while (m->owner >= 0) block_at(AT_MUTEX, m);
    m->owner = (int)(current - fibers);
}

void ufp_unlock(ufp_mutex *given)
{
    mutex *const m = mutex_of(given);
    if (m->owner != (int)(current - fibers)) schedule_fail("somebody else's mutex is unlocked");
    m->owner = -1;
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == AT_MUTEX && fibers[i].at == m) fibers[i].state = READY;
    }
    point();
}

int ufp_condition_init(ufp_condition *given)
{
    ((condition *)(void *)given)->magic = CONDITION;
    return 0;
}

static condition *condition_of(ufp_condition *given)
{
    condition *const c = (condition *)(void *)given;
    if (c->magic != CONDITION) schedule_fail("no condition");
    return c;
}

void ufp_condition_destroy(ufp_condition *given)
{
    condition_of(given)->magic = 0;
}

bool ufp_wait(ufp_condition *given, ufp_mutex *with, int64_t deadline)
{
    condition *const c = condition_of(given);
    mutex *const m = mutex_of(with);

    point();
    if (draw(64) == 0) { /* for no reason */
        ufp_unlock(with);
        ufp_lock(with);
        return true;
    }
    m->owner = -1;
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == AT_MUTEX && fibers[i].at == m) fibers[i].state = READY;
    }
    current->deadline = deadline;
    current->timed_out = false;
    block_at(AT_CONDITION, c);
    bool const signalled = !current->timed_out;
    while (m->owner >= 0) block_at(AT_MUTEX, m);
    m->owner = (int)(current - fibers);
    return signalled;
}

void ufp_signal(ufp_condition *given)
{
    condition *const c = condition_of(given);
    point();
    int waiters[FIBERS], count = 0;
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == AT_CONDITION && fibers[i].at == c) waiters[count++] = i;
    }
    if (count) fibers[waiters[draw((uint32_t)count)]].state = READY;
}

int ufp_thread_start(ufp_thread *thread, size_t stack_size, void (*run)(void *argument), void *argument)
{
    (void)stack_size;
    fiber *const f = start_fiber(run, argument);
    memcpy(thread, &f, sizeof(fiber *));
    point();
    return 0;
}

void ufp_thread_join(ufp_thread *thread)
{
    fiber *f;
    memcpy(&f, thread, sizeof f);
    point();
    while (f->state != ENDED) block_at(AT_JOIN, f);
}

void ufp_thread_name(const char *name)
{
    (void)name;
}

int64_t ufp_now(void)
{
    point();
    now += draw(3); /* some hundred of these make up no millisecond */
    return now;
}

void ufp_set_error(int error)
{
    (void)error;
}

/* -- the port: memory ------------------------------------------------------------------------------------------------ */

void *ufp_allocate(size_t size)
{
    point();
    block *const b = malloc(sizeof *b);
    *b = (block){.next = blocks, .size = size, .bytes = calloc(1, size)};
    blocks = b;
    return b->bytes;
}

void ufp_free(void *memory)
{
    if (!memory) return;
    for (block *b = blocks; b; b = b->next) {
        if (b->bytes != memory) continue;
        if (b->freed) schedule_fail("memory is freed twice");
        b->freed = true; /* and kept, so that it is noticed if it is used */
        memset(b->bytes, 0xdd, b->size);
        return;
    }
    schedule_fail("memory of somebody else is freed");
}

/* -- the port: bells --------------------------------------------------------------------------------------------------- */

int ufp_bell_open(ufp_bell *bell)
{
    if (bells == BELLS) schedule_fail("too many bells");
    rung[bells] = false;
    bell->fd = bell->ringer = bells++;
    return 0;
}

void ufp_bell_close(ufp_bell *bell)
{
    bell->fd = -1;
}

void ufp_bell_ring(ufp_bell *bell)
{
    point();
    rung[bell->fd] = true;
    for (int i = 0; i < FIBERS; i++) {
        if (fibers[i].state == AT_BELL && fibers[i].at == &rung[bell->fd]) fibers[i].state = READY;
    }
}

void ufp_bell_silence(ufp_bell *bell)
{
    point();
    rung[bell->fd] = false;
}

void schedule_wait_bell(int fd, int64_t deadline)
{
    point();
    if (rung[fd] || deadline <= now) return;
    current->deadline = deadline;
    current->timed_out = false;
    block_at(AT_BELL, &rung[fd]);
}
