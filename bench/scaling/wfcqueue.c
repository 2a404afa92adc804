/* SPDX-License-Identifier: MIT */
/* W10 and W11 with the wait-free concurrent queue of liburcu: a put is one exchange, a take needs the queue's lock. A
 * thread that finds its queue empty sleeps at a condition variable. */
#define PEER_KINDS
#define PEER_MORE_KINDS ""

#include <pthread.h>
#include <stdint.h>

#include <urcu/wfcqueue.h>

typedef struct cds_wfcq_node node;

typedef struct fifo {
    struct cds_wfcq_head head;
    struct cds_wfcq_tail tail;
    uint32_t asleep;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
} fifo;

static void fifo_init(fifo *l)
{
    *l = (fifo){.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
    cds_wfcq_init(&l->head, &l->tail);
}

/* Enqueues first and looks for sleepers afterwards. A sleeper counts itself first and looks for nodes afterwards. */
static void fifo_put(fifo *l, node *n)
{
    cds_wfcq_node_init(n);
    cds_wfcq_enqueue(&l->head, &l->tail, n);
    if (!__atomic_load_n(&l->asleep, __ATOMIC_SEQ_CST)) return;
    (void)pthread_mutex_lock(&l->mutex);
    (void)pthread_cond_signal(&l->condition);
    (void)pthread_mutex_unlock(&l->mutex);
}

static node *fifo_try(fifo *l)
{
    return cds_wfcq_empty(&l->head, &l->tail) ? NULL : cds_wfcq_dequeue_blocking(&l->head, &l->tail);
}

static node *fifo_take(fifo *l)
{
    node *n = fifo_try(l);

    if (n) return n;
    (void)pthread_mutex_lock(&l->mutex);
    (void)__atomic_add_fetch(&l->asleep, 1, __ATOMIC_SEQ_CST);
    while ((n = fifo_try(l)) == NULL) (void)pthread_cond_wait(&l->condition, &l->mutex);
    (void)__atomic_sub_fetch(&l->asleep, 1, __ATOMIC_SEQ_CST);
    (void)pthread_mutex_unlock(&l->mutex);
    return n;
}

#include "peer.h"
