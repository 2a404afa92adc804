/* SPDX-License-Identifier: MIT */
/* host_test.h - the setup of the host tests: a runtime, some workers, threads. Times are real, so every bound is wide:
 * fast operations are faster by orders of magnitude. To show that something does not happen, a test counts rounds. */
#ifndef HOST_TEST_H
#define HOST_TEST_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/runtime.h"

#include "worker.h"

#define LONG UF_S(60) /* for events that come at once */

/* The number of repetitions. valgrind's tools are a hundred times slower, and find as much in a tenth of them. */
#if defined(UFP_ANNOTATED)
#define MANY(count) ((count) / 10)
#else
#define MANY(count) (count)
#endif

static uf_runtime *runtime;
static Worker workers[4];

static inline int64_t real_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void sleep_ms(int ms)
{
    int64_t const until = real_now() + UF_MS(ms);
    for (int64_t left; (left = until - real_now()) > 0;) {
        struct timespec const wait = {.tv_sec = (time_t)(left / 1000000000), .tv_nsec = (long)(left % 1000000000)};
        nanosleep(&wait, NULL);
    }
}

static inline void begin_with(const uf_runtime_config *config)
{
    assert_int_equal(uf_runtime_new(&runtime, config), UF_OK);
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        assert_int_equal(Worker_init(&workers[i], uf_runtime_pump(runtime), "worker"), UF_OK);
    }
}

static inline int setup(void **state)
{
    (void)state;
    begin_with(NULL);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) assert_int_equal(workers[i].enters, workers[i].exits);
    return 0;
}

#define TEST(name) CASE_WITH(name, setup, teardown)

typedef struct threads {
    pthread_t ids[16];
    int count;
} threads;

static inline void crowd_start(threads *crowd, int count, void *(*run)(void *argument))
{
    crowd->count = count;
    for (intptr_t i = 0; i < count; i++) assert_int_equal(pthread_create(&crowd->ids[i], NULL, run, (void *)i), 0);
}

static inline void crowd_join(threads *crowd)
{
    for (int i = 0; i < crowd->count; i++) pthread_join(crowd->ids[i], NULL);
}

/* Atomic helpers of the tests. */
#define COUNT(word)      __atomic_add_fetch(&(word), 1, __ATOMIC_SEQ_CST)
#define READ(word)       __atomic_load_n(&(word), __ATOMIC_SEQ_CST)
#define SET(word, value) __atomic_store_n(&(word), value, __ATOMIC_SEQ_CST)

/* Waits until a word has a value: at most a minute. */
#define UNTIL(condition)                                                                                               \
    do {                                                                                                               \
        int64_t const until_limit = real_now() + LONG;                                                                 \
        while (!(condition)) {                                                                                         \
            assert_true(real_now() < until_limit);                                                                     \
            sleep_ms(1);                                                                                               \
        }                                                                                                              \
    } while (0)

#endif
