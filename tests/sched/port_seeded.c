/* SPDX-License-Identifier: MIT */
/* port_seeded.c - the port of the tests. Every operation is a point where the scheduler may switch threads, and wrong
 * use fails the run. */
#include "scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "counted.h"

enum { BELLS = 4 };

/* The contents of a mutex or condition. */
typedef struct mutex {
    uint32_t magic;
    const fiber *owner;
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

static struct {
    const void *subject;
    const fiber *owner;
} sections[16]; /* of ufp_critical_enter(): no two subjects share one */
static block *blocks;
static bool rung[BELLS];
static int bells;
static uint32_t cpus;
static void (*handlers[UFP_SIGNALS])(int number);

/* -- counting ------------------------------------------------------------------------------------------------------ */

enum { WATCHED = 4096, THREADS = 6 };
static const fiber *observed[2][THREADS]; /* of each side */
static struct {
    const void *address;
    bool by[2];
} watched[WATCHED]; /* a hash table */

static bool is_observed(int side, const fiber *thread)
{
    for (int i = 0; i < THREADS && observed[side][i]; i++) {
        if (observed[side][i] == thread) return true;
    }
    return false;
}

static void note_write(const void *address)
{
    for (int i = 0; i < 2; i++) {
        if (!is_observed(i, fiber_self())) continue;
        unsigned at = (unsigned)((uintptr_t)address >> 2) % WATCHED, tries = 0;
        while (watched[at].address && watched[at].address != address) {
            at = (at + 1) % WATCHED;
            if (++tries == WATCHED) schedule_fail("too much to remember");
        }
        watched[at].address = address;
        watched[at].by[i] = true;
    }
}

static void note_lock(const void *address)
{
    fiber_counts()->locks++;
    note_write(address);
}

static void note_read_modify_write(const void *address)
{
    fiber_counts()->read_modify_writes++;
    note_write(address);
}

void counted_begin(const fiber *one, const fiber *other)
{
    memset(watched, 0, sizeof watched);
    memset(observed, 0, sizeof observed);
    if (one) counted_watch(0, one);
    if (other) counted_watch(1, other);
}

void counted_watch(int side, const fiber *thread)
{
    int at = 0;

    if (is_observed(side, thread)) return;
    while (observed[side][at]) {
        if (++at == THREADS) schedule_fail("too many threads to watch");
    }
    observed[side][at] = thread;
}

const void *counted_end(void)
{
    memset(observed, 0, sizeof observed);
    for (unsigned i = 0; i < WATCHED; i++) {
        if (watched[i].by[0] && watched[i].by[1]) return watched[i].address;
    }
    return NULL;
}

/* -- a run --------------------------------------------------------------------------------------------------------- */

/* What is marked UFP_OF_PROCESS. Both are NULL in a program without any. */
extern char __start_uf_process[] __attribute__((weak)), __stop_uf_process[] __attribute__((weak));

void seeded_begin(void)
{
    size_t const marked = (size_t)(__stop_uf_process - __start_uf_process);

    if (marked > 0) memset(__start_uf_process, 0, marked);
    memset(handlers, 0, sizeof handlers);
    bells = 0;
    cpus = 1;
    memset(observed, 0, sizeof observed);
    memset(sections, 0, sizeof sections);
    seeded_descriptors_begin();
}

/* Sanitizers watch all storage except these words, for reads too. */
#if defined(__SANITIZE_ADDRESS__)
#define POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED 1
#endif
#endif
#if defined(POISONED)
void __asan_poison_memory_region(void const volatile *memory, size_t size);
void __asan_unpoison_memory_region(void const volatile *memory, size_t size);
#define forbid __asan_poison_memory_region
#define allow  __asan_unpoison_memory_region
#else
static void forbid(const void *memory, size_t size)
{
    (void)memory;
    (void)size;
}
#define allow forbid
#endif

const char *seeded_end(void)
{
    char const *wrong = NULL;
    seeded_pollers_end();
    while (blocks) {
        block *const b = blocks;
        blocks = b->next;
        allow(b->bytes, b->size);
        if (!b->freed && !wrong) wrong = "memory is left";
        for (size_t i = 0; b->freed && i < b->size && !wrong; i++) {
            if (b->bytes[i] != 0xdd) wrong = "memory was written after it was freed";
        }
        free(b->bytes);
        free(b);
    }
    return wrong;
}

/* -- words --------------------------------------------------------------------------------------------------- */

/* Reading a freed word is as wrong as writing it. */
static void point_at(const void *word)
{
    fiber_point();
    for (const block *b = blocks; b; b = b->next) {
        uintptr_t const offset = (uintptr_t)word - (uintptr_t)b->bytes;
        if (b->freed && offset < b->size) schedule_fail("memory is used after it was freed");
    }
}

#define LOAD(name, type, order)                                                                                        \
    type name(const type *word)                                                                                        \
    {                                                                                                                  \
        point_at(word);                                                                                                \
        return *(const volatile type *)word;                                                                           \
    }
#define STORE(name, type, order)                                                                                       \
    void name(type *word, type value)                                                                                  \
    {                                                                                                                  \
        point_at(word);                                                                                                \
        note_write(word);                                                                                              \
        *(volatile type *)word = value;                                                                                \
    }
#define COMPARE_EXCHANGE(name, type)                                                                                   \
    bool name(type *word, type expected, type desired)                                                                 \
    {                                                                                                                  \
        point_at(word);                                                                                                \
        note_read_modify_write(word);                                                                                  \
        if (*word != expected) return false;                                                                           \
        *word = desired;                                                                                               \
        return true;                                                                                                   \
    }
#define EXCHANGE(name, type)                                                                                           \
    type name(type *word, type value)                                                                                  \
    {                                                                                                                  \
        point_at(word);                                                                                                \
        note_read_modify_write(word);                                                                                  \
        type const old = *word;                                                                                        \
        *word = value;                                                                                                 \
        return old;                                                                                                    \
    }
#define ADD_FETCH(name, type)                                                                                          \
    type name(type *word, type value)                                                                                  \
    {                                                                                                                  \
        point_at(word);                                                                                                \
        note_read_modify_write(word);                                                                                  \
        return *word += value;                                                                                         \
    }

UFP_OPERATIONS(LOAD, STORE, COMPARE_EXCHANGE, EXCHANGE, ADD_FETCH)
LOAD(ufp_load_time_acquire, int64_t, ACQUIRE)
STORE(ufp_store_time_release, int64_t, RELEASE)
LOAD(ufp_load_wide_seq_cst, uint64_t, SEQ_CST)
COMPARE_EXCHANGE(ufp_compare_exchange_wide_seq_cst, uint64_t)

void ufp_spin_pause(void)
{
    schedule_pause();
}

void ufp_cpu_pause(void)
{
    schedule_pause();
}

void ufp_yield(void)
{
    schedule_pause();
}

/* -- core's part --------------------------------------------------------------------------------------------- */

int ufp_begin_uncancelled(void)
{
    return 0;
}

void ufp_end_uncancelled(int state)
{
    (void)state;
}

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    schedule_fail("aborted: %s: %s", flow, reason);
}

void *ufp_thread_self(void)
{
    return fiber_self();
}

void **ufp_thread_slot(void)
{
    return fiber_slot();
}

static unsigned section_of(const void *subject)
{
    unsigned i = 0;
    while (i < sizeof sections / sizeof *sections && sections[i].subject != subject) i++;
    return i;
}

void ufp_critical_enter(const void *subject)
{
    fiber_point();
    note_lock(subject);
    for (unsigned i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (sections[i].subject && sections[i].owner == fiber_self()) schedule_fail("a critical section in another");
    }
    while (section_of(subject) < sizeof sections / sizeof *sections) fiber_block(AT_MUTEX, subject, INT64_MAX);
    unsigned const free = section_of(NULL);
    if (free == sizeof sections / sizeof *sections) schedule_fail("too many critical sections");
    sections[free].subject = subject;
    sections[free].owner = fiber_self();
}

void ufp_critical_leave(const void *subject)
{
    unsigned const i = section_of(subject);
    if (i == sizeof sections / sizeof *sections || sections[i].owner != fiber_self()) {
        schedule_fail("the critical section of somebody else is left");
    }
    sections[i].subject = NULL;
    fiber_release(AT_MUTEX, subject);
    fiber_point();
}

/* -- locks and threads ----------------------------------------------------------------------------------------- */

static mutex *mutex_of(ufp_mutex *given)
{
    mutex *const m = (mutex *)(void *)given;
    if (m->magic != MUTEX) schedule_fail("no mutex");
    return m;
}

int ufp_mutex_init(ufp_mutex *given)
{
    *(mutex *)(void *)given = (mutex){.magic = MUTEX, .owner = NULL};
    return 0;
}

void ufp_mutex_destroy(ufp_mutex *given)
{
    if (mutex_of(given)->owner) schedule_fail("a locked mutex is destroyed");
    mutex_of(given)->magic = 0;
}

void ufp_mutex_lock(ufp_mutex *given)
{
    fiber_point();
    note_lock(given);
    mutex *const m = mutex_of(given);
    if (m->owner == fiber_self()) schedule_fail("a mutex is locked twice");
    while (m->owner) fiber_block(AT_MUTEX, m, INT64_MAX);
    m->owner = fiber_self();
}

void ufp_mutex_unlock(ufp_mutex *given)
{
    mutex *const m = mutex_of(given);
    if (m->owner != fiber_self()) schedule_fail("somebody else's mutex is unlocked");
    m->owner = NULL;
    fiber_release(AT_MUTEX, m);
    fiber_point();
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

bool ufp_condition_wait(ufp_condition *given, ufp_mutex *with, int64_t deadline)
{
    condition *const c = condition_of(given);
    mutex *const m = mutex_of(with);

    fiber_point();
    if (schedule_draw(64) == 0) { /* spurious wake-up */
        ufp_mutex_unlock(with);
        ufp_mutex_lock(with);
        return true;
    }
    m->owner = NULL;
    fiber_release(AT_MUTEX, m);
    bool const signalled = fiber_block(AT_CONDITION, c, deadline);
    while (m->owner) fiber_block(AT_MUTEX, m, INT64_MAX);
    m->owner = fiber_self();
    return signalled;
}

void ufp_condition_signal(ufp_condition *given)
{
    condition *const c = condition_of(given);
    fiber_point();
    fiber_release_one(AT_CONDITION, c);
}

void ufp_condition_signal_and_unlock(ufp_condition *given, ufp_mutex *with)
{
    condition *const c = condition_of(given);
    bool const before = schedule_draw(2) == 0;

    fiber_point();
    if (before) fiber_release_one(AT_CONDITION, c);
    ufp_mutex_unlock(with);
    if (!before) fiber_release_one(AT_CONDITION, c); /* only its address is used: it may be freed */
}

int ufp_thread_start(ufp_thread *thread, ufp_thread_options options, void (*run)(void *argument), void *argument)
{
    (void)options;
    fiber *const f = fiber_start(run, argument);
    memcpy(thread, &f, sizeof(fiber *));
    fiber_point();
    return 0;
}

void ufp_thread_join(ufp_thread *thread)
{
    fiber *f;
    memcpy(&f, thread, sizeof f);
    fiber_point();
    while (!fiber_ended(f)) fiber_block(AT_JOIN, f, INT64_MAX);
}

void ufp_thread_detach(ufp_thread *thread)
{
    fiber *f;
    memcpy(&f, thread, sizeof f);
    fiber_detach(f);
    fiber_point();
}

void ufp_thread_end_if_cancelled(void)
{
}

void ufp_thread_name(const char *name)
{
    (void)name;
}

uint32_t ufp_cpus(void)
{
    return cpus;
}

void seeded_cpus(uint32_t count)
{
    cpus = count;
}

int64_t ufp_monotonic_now(void)
{
    fiber_point();
    return fiber_time(2); /* some hundred of these add up to less than a millisecond */
}

void ufp_set_error(int error)
{
    (void)error;
}

void ufp_print_error(const char *text, size_t length)
{
    (void)text;
    (void)length;
}

/* -- memory ------------------------------------------------------------------------------------------------ */

void *ufp_allocate(size_t size)
{
    fiber_point();
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
        b->freed = true; /* kept, so that later use is detected */
        memset(b->bytes, 0xdd, b->size);
        forbid(b->bytes, b->size);
        return;
    }
    schedule_fail("memory of somebody else is freed");
}

/* -- bells --------------------------------------------------------------------------------------------------- */

int ufp_notifier_open(ufp_notifier *notifier)
{
    if (bells == BELLS) schedule_fail("too many bells");
    rung[bells] = false;
    notifier->fd = notifier->write_fd = bells++;
    return 0;
}

void ufp_notifier_close(ufp_notifier *notifier)
{
    notifier->fd = -1;
}

void ufp_notifier_notify(ufp_notifier *notifier)
{
    fiber_point();
    rung[notifier->fd] = true;
    fiber_release(AT_BELL, &rung[notifier->fd]);
}

void ufp_notifier_drain(ufp_notifier *notifier)
{
    fiber_point();
    rung[notifier->fd] = false;
}

void schedule_wait_bell(int fd, int64_t deadline)
{
    fiber_point();
    if (!rung[fd] && deadline > fiber_time(0)) (void)fiber_block(AT_BELL, &rung[fd], deadline);
}

/* -- signals of the system ----------------------------------------------------------------------------------- */

int ufp_catch(int number, void (*handler)(int number))
{
    fiber_point();
    handlers[number] = handler;
    return 0;
}

void ufp_uncatch(int number)
{
    fiber_point();
    handlers[number] = NULL;
}

bool ufp_handler_enter(int number, int *kept)
{
    (void)number;
    *kept = 0;
    return true;
}

void ufp_handler_leave(int kept)
{
    (void)kept;
}

bool ufp_is_interrupt(int number)
{
    (void)number;
    return false;
}

void ufp_end_by_signal(int number)
{
    schedule_fail("signal %d ends the process", number);
}

bool seeded_signal(int number)
{
    fiber_point();
    if (!handlers[number]) return false;
    handlers[number](number);
    return true;
}
