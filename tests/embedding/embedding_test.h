/* SPDX-License-Identifier: MIT */
/* embedding_test.h - the test that every kind of loop runs: timers, steps, and posts from other threads. */
#ifndef EMBEDDING_TEST_H
#define EMBEDDING_TEST_H

#include "host_test.h"

static int posted;

static inline void count_post(void *argument)
{
    (void)argument;
    posted++;
}

static inline void *post_25(void *argument)
{
    (void)argument;
    for (int i = 0; i < 25; i++) (void)uf_post(runtime, count_post, NULL);
    return NULL;
}

static threads posting;
static int64_t began;

static inline void begin_embedded(void)
{
    uf_runtime_config const config = {.embedded = true};
    begin_with(&config);
    posted = 0;
    began = real_now();
    assert_int_equal(Worker_start_Rest(&workers[0], UF_MS(30)), UF_OK);
    assert_int_equal(Worker_start_Count(&workers[1], 1000), UF_OK);
    crowd_start(&posting, 4, post_25);
}

static inline bool all_done(void)
{
    return posted == 100 && !uf_flow_running(&workers[0].uf) && !uf_flow_running(&workers[1].uf);
}

static inline void end_embedded(void)
{
    crowd_join(&posting);
    assert_int_equal(posted, 100);
    assert_int_equal(workers[1].bodies, 1000);
    assert_true(real_now() - began >= UF_MS(30));
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

#endif
