/* SPDX-License-Identifier: MIT */
/* test_32_bits.c - cases that only machines with 32-bit words have. Times are read in two halves, and a time_t
 * overflows 68 years after the epoch. Does not use cmocka, which is installed only for this machine. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "port_poller.h"
#include "uflow/runtime.h"
#include "worker.h"

#define EXPECT(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

#define CENTURY           UF_S(INT64_C(100) * 365 * 24 * 3600)

static uf_runtime *runtime;
static Worker workers[2];
static int failures;

static void fail(int line, const char *what)
{
    fprintf(stderr, "test_32_bits.c:%d: %s\n", line, what);
    failures++;
}

static void sleep_ms(int ms)
{
    struct timespec const nap = {.tv_nsec = ms * 1000000L};
    nanosleep(&nap, NULL);
}

static int64_t cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void *call_for_a_century(void *status)
{
    *(uf_status *)status = Worker_call_Rest(&workers[0], UF_FOREVER, CENTURY, NULL);
    return NULL;
}

static void a_timeout_of_a_century(void)
{
    pthread_t thread;
    uf_status status = UF_OK;

    EXPECT(pthread_create(&thread, NULL, call_for_a_century, &status) == 0);
    sleep_ms(100);
    EXPECT(uf_flow_running(&workers[0].uf));
    EXPECT(uf_flow_cancel(&workers[0].uf) == UF_OK);
    pthread_join(thread, NULL);
    EXPECT(status == UF_NOT_DONE); /* cancelled, not timed out */
}

static void a_timer_in_a_century(void)
{
    EXPECT(Worker_start_Rest(&workers[0], CENTURY) == UF_OK);
    sleep_ms(50);
    int64_t const before = cpu();
    sleep_ms(500);
    EXPECT(cpu() - before < UF_MS(100));
    EXPECT(uf_flow_cancel(&workers[0].uf) == UF_OK);
    EXPECT(uf_flow_wait(&workers[0].uf, UF_S(60), NULL) == UF_OK);
}

static void *notify(void *poller)
{
    sleep_ms(100);
    ufp_notifier_notify(&((ufp_poller *)poller)->notifier);
    return NULL;
}

static void a_poll_for_a_century(void)
{
    ufp_poller poller = {.next = NULL};
    pthread_t thread;

    EXPECT(ufp_poller_open(&poller) == 0);
    int64_t const before = ufp_monotonic_now();
    EXPECT(pthread_create(&thread, NULL, notify, &poller) == 0);
    ufp_poller_wait(&poller, uf_time_add(before, CENTURY));
    EXPECT(ufp_monotonic_now() - before >= UF_MS(100));
    pthread_join(thread, NULL);
    ufp_poller_close(&poller);
}

/* A time whose halves come from two moments is wrong by up to four seconds. */
static void a_look_is_not_torn(void)
{
    EXPECT(Worker_start_Count(&workers[1], 2000000) == UF_OK);
    for (int i = 0; i < 300000; i++) {
        uf_flow_view view;
        uf_flow_view_of(&workers[1].uf, &view);
        EXPECT(view.elapsed >= 0 && view.elapsed < UF_S(4));
        if (failures) break;
    }
    EXPECT(uf_flow_cancel(&workers[1].uf) == UF_OK);
}

int main(void)
{
    EXPECT(uf_runtime_new(&runtime, NULL) == UF_OK);
    for (int i = 0; i < 2; i++) EXPECT(Worker_init(&workers[i], uf_runtime_pump(runtime), "worker") == UF_OK);
    a_timeout_of_a_century();
    a_timer_in_a_century();
    a_poll_for_a_century();
    a_look_is_not_torn();
    EXPECT(uf_runtime_free(runtime) == UF_OK);
    return failures != 0;
}
