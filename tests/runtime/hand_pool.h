/* SPDX-License-Identifier: MIT */
/* hand_pool.h - a pool whose jobs the test runs one by one. */
#ifndef HAND_POOL_H
#define HAND_POOL_H

#include "harness.h"

#include "uflow/pool.h"

typedef struct hand_pool {
    uf_pool pool;
    uf_work works[8];
    int used, queued, taken, given_back, opened;
    uf_work *queue[8];
} hand_pool;

static hand_pool hand;

static inline uf_work *hand_take(uf_pool *pool)
{
    hand_pool *const h = (hand_pool *)pool;
    h->taken++;
    return h->used < 8 ? &h->works[h->used++] : NULL;
}

static inline void hand_run(uf_pool *pool, uf_work *work)
{
    hand_pool *const h = (hand_pool *)pool;
    h->queue[h->queued++] = work;
}

static inline bool hand_withdraw(uf_pool *pool, uf_work *work)
{
    hand_pool *const h = (hand_pool *)pool;
    for (int i = 0; i < h->queued; i++) {
        if (h->queue[i] != work) continue;
        for (h->queued--; i < h->queued; i++) h->queue[i] = h->queue[i + 1];
        return true;
    }
    return false;
}

static inline void hand_put(uf_pool *pool, uf_work *work)
{
    (void)work;
    ((hand_pool *)pool)->given_back++;
}

static inline void hand_open(uf_pool *pool, uf_pump *of)
{
    (void)of;
    ((hand_pool *)pool)->opened++;
}

static inline void hand_close(uf_pool *pool, uf_pump *of)
{
    (void)of;
    ((hand_pool *)pool)->opened--;
}

static const uf_pool_kind hand_kind = {
    .open = hand_open,
    .close = hand_close,
    .take = hand_take,
    .run = hand_run,
    .withdraw = hand_withdraw,
    .put = hand_put,
};

/* The first job of the queue has begun, so it cannot be withdrawn. */
static inline uf_work *hand_begin(void)
{
    uf_work *const work = hand.queue[0];
    assert_true(hand.queued > 0);
    assert_true(hand_withdraw(&hand.pool, work));
    return work;
}

static inline void hand_finish(uf_time took)
{
    uf_work *const work = hand_begin();
    uf_work_run(work);
    uf_work_over(work, took);
}

#endif
