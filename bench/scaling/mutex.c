/* SPDX-License-Identifier: MIT */
/* W10 and W11 with a mutex and a condition variable for each queue or signal. */
#define PEER_KINDS      "signal",
#define PEER_MORE_KINDS " | signal"

#include <pthread.h>

typedef struct node {
    struct node *next;
} node;

typedef struct fifo {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    node *first, **end;
} fifo;

static void fifo_init(fifo *l)
{
    *l = (fifo){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &l->first};
}

static void fifo_put(fifo *l, node *n)
{
    n->next = NULL;
    (void)pthread_mutex_lock(&l->mutex);
    *l->end = n;
    l->end = &n->next;
    (void)pthread_mutex_unlock(&l->mutex);
    (void)pthread_cond_signal(&l->condition); /* after the unlock, so that the woken thread finds the mutex free */
}

/* With the mutex held. */
static node *first_of(fifo *l)
{
    node *const n = l->first;

    if (!n) return NULL;
    l->first = n->next;
    if (!l->first) l->end = &l->first;
    return n;
}

static node *fifo_try(fifo *l)
{
    (void)pthread_mutex_lock(&l->mutex);
    node *const n = first_of(l);
    (void)pthread_mutex_unlock(&l->mutex);
    return n;
}

static node *fifo_take(fifo *l)
{
    (void)pthread_mutex_lock(&l->mutex);
    while (!l->first) (void)pthread_cond_wait(&l->condition, &l->mutex);
    node *const n = first_of(l);
    (void)pthread_mutex_unlock(&l->mutex);
    return n;
}

#include "peer.h"
