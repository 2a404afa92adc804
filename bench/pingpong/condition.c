/* SPDX-License-Identifier: MIT */
/* W4 with a mutex and a condition variable on each side. */
#define BENCH_USAGE "[round trips]"

#include <pthread.h>
#include <stdbool.h>

#include "pingpong.h"

typedef struct side {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    bool given;
} side;

static side left = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
static side right = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
static uint64_t trips;

static void give(side *to)
{
    (void)pthread_mutex_lock(&to->mutex);
    to->given = true;
    (void)pthread_mutex_unlock(&to->mutex);
    (void)pthread_cond_signal(&to->condition); /* after the unlock, so that the woken thread finds the mutex free */
}

static void take(side *own)
{
    (void)pthread_mutex_lock(&own->mutex);
    while (!own->given) (void)pthread_cond_wait(&own->condition, &own->mutex);
    own->given = false;
    (void)pthread_mutex_unlock(&own->mutex);
}

static void *play(void *unused)
{
    (void)unused;
    for (uint64_t i = 0; i < trips; i++) {
        take(&right);
        pingpong_received();
        give(&left);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    trips = bench_number(argc, argv, 1, 50000);
    BENCH_CHECK(pthread_create(&thread, NULL, play, NULL) == 0);
    pingpong_began = bench_begin();
    for (uint64_t i = 0; i < trips; i++) {
        pingpong_sent();
        give(&right);
        take(&left);
    }
    pingpong_ended = bench_end();
    (void)pthread_join(thread, NULL);
    pingpong_report(trips);
    return 0;
}
