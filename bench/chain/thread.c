/* SPDX-License-Identifier: MIT */
/* W2 with an operating system thread per machine; each passes the turn to the next. */
#define BENCH_USAGE "[threads [transitions of all]]"

#include <pthread.h>
#include <stdbool.h>

#include "bench.h"
#include "futex.h"

typedef struct machine {
    uint32_t turn;
    struct machine *next;
    uint64_t left;
    pthread_t thread;
} machine;

static void *run(void *argument)
{
    machine *const m = argument;
    for (;;) {
        take_over(&m->turn);
        bool const ends = m->left-- == 0;
        hand_over(&m->next->turn);
        if (ends) return NULL;
    }
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 100);
    uint64_t const each = bench_share(argc, argv, 2, 200000, machines);
    machine *const all = bench_memory(machines, sizeof *all);
    pthread_attr_t small;

    BENCH_CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 65536) == 0);
    for (size_t i = 0; i < machines; i++) {
        all[i].left = each;
        all[i].next = &all[(i + 1) % machines];
        BENCH_CHECK(pthread_create(&all[i].thread, &small, run, &all[i]) == 0);
    }
    int64_t const began = bench_begin();
    hand_over(&all[0].turn);
    for (size_t i = 0; i < machines; i++) (void)pthread_join(all[i].thread, NULL);
    bench_report(began, bench_end(), each * machines);
    return 0;
}
