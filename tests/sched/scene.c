/* SPDX-License-Identifier: MIT */
/* scene.c - see scene.h. */
#include "scene.h"

uf_runtime *runtime;
Worker workers[3];
int accepted, posted;
static ufp_thread threads[6];
static int thread_count;

void begin_with(const uf_runtime_config *config)
{
    uf_runtime_config given = config ? *config : (uf_runtime_config){0};

    thread_count = accepted = posted = 0;
    seeded_cpus(1 + schedule_draw(2));
    if (!given.spin) given.spin = SHORT_SPIN;
    MUST(uf_runtime_new(&runtime, &given) == UF_OK);
    for (int i = 0; i < 3; i++) MUST(Worker_init(&workers[i], uf_runtime_pump(runtime), "worker") == UF_OK);
}

void begin(void)
{
    begin_with(NULL);
}

void spawn(void (*run)(void *argument), void *argument)
{
    MUST(ufp_thread_start(&threads[thread_count++], (ufp_thread_options){0}, run, argument) == 0);
}

void join(void)
{
    while (thread_count) ufp_thread_join(&threads[--thread_count]);
}

void end(void)
{
    join();
    MUST(uf_runtime_free(runtime) == UF_OK);
    for (int i = 0; i < 3; i++) MUST(workers[i].enters == workers[i].exits && !workers[i].uf.pump);
}

void wait_until_watched(uint32_t count)
{
    while (ufp_load(&runtime->pump.watched) < count) schedule_pause();
}

void start_some(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) {
        uf_status const status = Worker_start_Count(&workers[0], 2);
        MUST(status == UF_OK || status == UF_BUSY);
        accepted += status == UF_OK;
    }
}

void count_post(void *argument)
{
    (void)argument;
    MUST(uf_runtime_is_own_thread(runtime));
    posted++;
}

void post_some(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) {
        MUST(uf_post(runtime, count_post, NULL) == UF_OK);
        schedule_pause();
    }
}
