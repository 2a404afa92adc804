/* SPDX-License-Identifier: MIT */
/* jobs.h - the pool of a test. A job runs at its submit, on the thread of the test, and ends with the next round; in a
 * schedule it may fail or be rejected without having run, or end later. */
#ifndef UFLOW_TEST_JOBS_H
#define UFLOW_TEST_JOBS_H

#include "disturb.h"

/* Begins a run. `before_round` becomes the pump's hook as soon as there are jobs, and calls uft_jobs_round().
 * Returns: the pool, which is static. */
uf_pool *uft_jobs_begin(const uf_test *test, void (*before_round)(void *context));

/* Before a round: ends the jobs that are due. */
void uft_jobs_round(uf_pump *pump);

/* After a round, when its deadlines are known: finds out when its jobs end. */
void uft_jobs_place(uft_disturber *disturber);

/* The job whose end this message is; NULL: it is another message. */
const uf_work *uft_job_of(const uf_message *message);

/* Frees all records. No pump uses the pool. */
void uft_jobs_free(void);

#endif
