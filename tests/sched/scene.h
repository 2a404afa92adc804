/* SPDX-License-Identifier: MIT */
/* scene.h - the parts of every scenario: a runtime, three flows, threads. */
#ifndef SCENE_H
#define SCENE_H

#include <string.h>

#include "host.h"
#include "scenarios.h"
#include "scheduler.h"
#include "worker.h"

/* The spin of threads, so that scenarios do not consist of it. */
#define SHORT_SPIN 1

extern uf_runtime *runtime;
extern Worker workers[3];

/* The runtime and its flows. At the end both are destroyed and the threads have ended. */
void begin(void);
void begin_with(const uf_runtime_config *config);
void end(void);

void spawn(void (*run)(void *argument), void *argument);
void join(void);

/* Waits until this many threads are inside a waiting call. */
void wait_until_watched(uint32_t count);

/* For spawn(): starts worker 0 twice, and counts the accepted starts. */
extern int accepted;
void start_some(void *argument);

/* For spawn(): posts three times; the posted function, on the runtime's thread. */
extern int posted;
void count_post(void *argument);
void post_some(void *argument);

#endif
