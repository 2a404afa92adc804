/* SPDX-License-Identifier: MIT */
/* soak.h - the objects that the flows of traders.uflow and the threads of test_soak.c share. They choose objects at
 * random, and counts must add up at the end. */
#ifndef SOAK_H
#define SOAK_H

#include <stdbool.h>
#include <stdint.h>

#include "uflow/checkpoint.h"
#include "uflow/mailbox.h"
#include "uflow/signal.h"

#define SOAK_COUNTS(COUNT)                                                                                             \
    COUNT(RELEASED)     /* waiters, as the fires say */                                                                \
    COUNT(HEARD)        /* waits that ended by a fire; it may have come before they were waiters */                    \
    COUNT(UNSUBSCRIBED) /* callbacks that were not called: a fire may have counted them */                             \
    COUNT(SENT)                                                                                                        \
    COUNT(SENT_SUM)                                                                                                    \
    COUNT(RECEIVED)                                                                                                    \
    COUNT(RECEIVED_SUM)                                                                                                \
    COUNT(RESUMED) /* flows, as the resumes say */                                                                     \
    COUNT(PASSED)                                                                                                      \
    COUNT(SUBMITTED)                                                                                                   \
    COUNT(JOBS_RUN)                                                                                                    \
    COUNT(JOBS_DONE)                                                                                                   \
    COUNT(JOBS_LOST) /* rejected, or too late */                                                                       \
    COUNT(POSTED)                                                                                                      \
    COUNT(POSTS_RUN)                                                                                                   \
    COUNT(STARTED)                                                                                                     \
    COUNT(CALLED)                                                                                                      \
    COUNT(SPAWNED)                                                                                                     \
    COUNT(ENTERED)                                                                                                     \
    COUNT(LEFT)                                                                                                        \
    COUNT(ENDED)                                                                                                       \
    COUNT(WRONG)

#define SOAK_ENUM(name) name,
typedef enum soak_count { SOAK_COUNTS(SOAK_ENUM) COUNTS } soak_count;

void soak_add(soak_count what, uint64_t number);
uint32_t soak_draw(uint32_t *chance, uint32_t limit);

/* The threads have ended; flows do not begin another wait. */
bool soak_is_over(void);

/* For flows: each function acts on an object that `chance` chooses. */
void soak_fire(uint32_t *chance);
void soak_act(uint32_t *chance);
uf_signal *soak_bell(uint32_t *chance);
uf_mailbox *soak_mailbox(uint32_t *chance);
uf_status soak_send(uf_mailbox *to, uint32_t *chance);

#endif
