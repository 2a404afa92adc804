/* SPDX-License-Identifier: MIT */
/* self_test.c - tests of the scheduler: small programs, each with one bug, and their correct versions. */
#include <stdio.h>
#include <string.h>

#include "scheduler.h"

static ufp_mutex lock;
static ufp_condition ready;
static uint32_t count, flag, asleep;
static void *memory;

static void begin(void)
{
    count = flag = asleep = 0;
    ufp_mutex_init(&lock);
    ufp_condition_init(&ready);
}

static void in_two_threads(void (*run)(void *argument), void (*other)(void *argument))
{
    ufp_thread first, second;
    begin();
    ufp_thread_start(&first, (ufp_thread_options){0}, run, NULL);
    ufp_thread_start(&second, (ufp_thread_options){0}, other, NULL);
    ufp_thread_join(&first);
    ufp_thread_join(&second);
}

static void count_badly(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) ufp_store(&count, ufp_load(&count) + 1);
}

static void count_well(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) ufp_add_fetch_seq_cst(&count, 1);
}

static void lost_update(void)
{
    in_two_threads(count_badly, count_badly);
    MUST(count == 6);
}

static void no_lost_update(void)
{
    in_two_threads(count_well, count_well);
    MUST(count == 6);
}

static void wait_badly(void *argument) /* reads outside of the lock */
{
    (void)argument;
    if (ufp_load(&flag)) return;
    ufp_mutex_lock(&lock);
    (void)ufp_condition_wait(&ready, &lock, INT64_MAX);
    ufp_mutex_unlock(&lock);
}

static void wait_well(void *argument)
{
    (void)argument;
    ufp_mutex_lock(&lock);
    while (!ufp_load(&flag)) (void)ufp_condition_wait(&ready, &lock, INT64_MAX);
    ufp_mutex_unlock(&lock);
}

static void set(void *argument)
{
    (void)argument;
    ufp_mutex_lock(&lock);
    ufp_store(&flag, 1);
    ufp_condition_signal(&ready);
    ufp_mutex_unlock(&lock);
}

static void lost_wakeup(void)
{
    in_two_threads(wait_badly, set);
}

static void no_lost_wakeup(void)
{
    in_two_threads(wait_well, set);
}

static void spin(void *argument)
{
    (void)argument;
    while (!ufp_load(&flag)) ufp_spin_pause();
}

static void livelock(void)
{
    in_two_threads(spin, spin);
}

static void no_livelock(void)
{
    in_two_threads(spin, set);
}

/* A sanitizer would report it first. */
__attribute__((no_sanitize_address)) static void use_late(void *argument)
{
    (void)argument;
    ufp_load(&count);
    *(char *)memory = 1;
}

static void release(void *argument)
{
    (void)argument;
    ufp_load(&count);
    ufp_free(memory);
}

static void used_after_free(void)
{
    memory = ufp_allocate(8);
    in_two_threads(use_late, release);
}

static void leak(void)
{
    memory = ufp_allocate(8);
}

static void sleep_till(void *argument)
{
    (void)argument;
    ufp_mutex_lock(&lock);
    while (ufp_condition_wait(&ready, &lock, INT64_C(3000000000))) {}
    ufp_mutex_unlock(&lock);
    MUST(ufp_monotonic_now() >= INT64_C(3000000000));
}

static void time_passes(void)
{
    in_two_threads(sleep_till, count_well);
}

static const struct {
    const char *name;
    void (*body)(void);
    bool wrong;
} toys[] = {
    {"lost update", lost_update, true},
    {"no lost update", no_lost_update, false},
    {"lost wake-up", lost_wakeup, true},
    {"no lost wake-up", no_lost_wakeup, false},
    {"livelock", livelock, true},
    {"no livelock", no_livelock, false},
    {"used after free", used_after_free, true},
    {"leak", leak, true},
    {"time passes", time_passes, false},
};

int main(void)
{
    int bad = 0;

    for (size_t t = 0; t < sizeof toys / sizeof *toys; t++) {
        uint32_t found = 0, tried = toys[t].wrong ? 400 : 2000;
        char what[200] = "";
        for (uint32_t i = 0; i < tried && !found; i++) {
            schedule const plan = {.seed = i, .strategy = i % 5 == 0 ? 0 : i % 5 + 1, .length = 30};
            schedule_result const first = schedule_run(&plan, toys[t].body);
            uint64_t const hash = first.hash;
            bool const failed = first.failure != NULL;
            if (failed) snprintf(what, sizeof what, "%s", first.failure);
            schedule_result const again = schedule_run(&plan, toys[t].body);
            if (hash != again.hash || failed != (again.failure != NULL)) {
                printf("%s: seed %u does not replay\n", toys[t].name, i);
                bad++;
            }
            if (failed) found = i + 1;
        }
        bool const right = (found > 0) == toys[t].wrong;
        printf("%-16s %s, %u schedules%s%s\n", toys[t].name, right ? "ok" : "WRONG", found ? found : tried,
               found ? ": " : "", what);
        bad += !right;
    }
    return bad != 0;
}
