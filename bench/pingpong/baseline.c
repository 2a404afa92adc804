/* SPDX-License-Identifier: MIT */
/* W4, the baseline: two threads, with a word and a futex each. */
#define BENCH_USAGE "[round trips]"

#include <pthread.h>

#include "futex.h"
#include "pingpong.h"

static uint32_t to_left, to_right;
static uint64_t trips;

static void *right(void *unused)
{
    (void)unused;
    for (uint64_t i = 0; i < trips; i++) {
        take_over(&to_right);
        pingpong_received();
        hand_over(&to_left);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    trips = bench_number(argc, argv, 1, 50000);
    BENCH_CHECK(pthread_create(&thread, NULL, right, NULL) == 0);
    pingpong_began = bench_begin();
    for (uint64_t i = 0; i < trips; i++) {
        pingpong_sent();
        hand_over(&to_right);
        take_over(&to_left);
    }
    pingpong_ended = bench_end();
    (void)pthread_join(thread, NULL);
    pingpong_report(trips);
    return 0;
}
