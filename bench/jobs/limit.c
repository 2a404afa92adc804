/* W6, the limit: whatever there is goes to the other side in one exchange, and that is woken only if it sleeps. */
#define BENCH_USAGE "[in flight [jobs of all]]"

#include <pthread.h>

#include "bench.h"
#include "futex.h"

typedef struct job {
    struct job *next;
    void (*run)(struct job *job);
    uint64_t left, ran;
} job;

typedef struct side {
    job *given; /* a chain that the other side has put there; this side takes it as a whole */
    uint32_t asleep;
} side;

static side worker, owner;
static uint32_t ended;

static void give(side *to, job *first, job *last)
{
    last->next = __atomic_load_n(&to->given, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&to->given, &last->next, first, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
    if (__atomic_load_n(&to->asleep, __ATOMIC_SEQ_CST) && __atomic_exchange_n(&to->asleep, 0, __ATOMIC_SEQ_CST)) {
        futex_wake(&to->asleep, 1);
    }
}

static job *take(side *own)
{
    for (;;) {
        job *const all = __atomic_exchange_n(&own->given, NULL, __ATOMIC_SEQ_CST);
        if (all || __atomic_load_n(&ended, __ATOMIC_SEQ_CST)) return all;
        __atomic_store_n(&own->asleep, 1, __ATOMIC_SEQ_CST);
        if (!__atomic_load_n(&own->given, __ATOMIC_SEQ_CST) && !__atomic_load_n(&ended, __ATOMIC_SEQ_CST)) {
            futex_wait(&own->asleep, 1);
        }
        __atomic_store_n(&own->asleep, 0, __ATOMIC_SEQ_CST);
    }
}

static void nothing(job *j)
{
    j->ran++;
}

static void *work(void *unused)
{
    (void)unused;
    for (job *first; (first = take(&worker)) != NULL;) {
        job *last = first;
        for (job *j = first; j; j = j->next) {
            j->run(j);
            last = j;
        }
        give(&owner, first, last);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    size_t const count = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_share(argc, argv, 2, 100000, count);
    job *const all = bench_memory(count, sizeof *all);
    pthread_t thread;

    BENCH_CHECK(pthread_create(&thread, NULL, work, NULL) == 0);
    int64_t const began = bench_begin();
    for (size_t i = 0; i < count; i++) {
        all[i] = (job){.next = i + 1 < count ? &all[i + 1] : NULL, .run = nothing, .left = each};
    }
    give(&worker, &all[0], &all[count - 1]);
    for (uint64_t n = 0; n < each * count;) {
        job *again = NULL, **end = &again, *last = NULL;
        for (job *j = take(&owner), *next; j; j = next) {
            next = j->next;
            n++;
            if (--j->left == 0) continue;
            *end = last = j;
            end = &j->next;
        }
        *end = NULL;
        if (last) give(&worker, again, last);
    }
    bench_report(began, bench_end(), each * count);
    __atomic_store_n(&ended, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&worker.asleep, 0, __ATOMIC_SEQ_CST);
    futex_wake(&worker.asleep, 1);
    (void)pthread_join(thread, NULL);
    return 0;
}
