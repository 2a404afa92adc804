/* SPDX-License-Identifier: MIT */
/* fixture.h - a runtime with a line and a socket, and steps that do not return. */
#ifndef INSPECT_FIXTURE_H
#define INSPECT_FIXTURE_H

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

#include "line.h"
#include "uflow/inspect.h"
#include "uflow/recorder_file.h"

#define LONG UF_S(60)

extern uf_runtime *runtime;
extern uf_inspect *inspect;
extern Line line;
extern uf_recorder recorder;

extern pthread_mutex_t blocker; /* a step or job that calls line_block() returns when this is free */
extern atomic_int blocks;       /* calls of line_block() so far */

/* Functions for cmocka: without a recorder, and with one that the socket shows. */
int setup(void **state);
int setup_recorded(void **state);
int teardown(void **state);
void begin_with(bool embedded, const uf_inspect_config *config);

/* A run that fails. */
void fail_axis(Axis *axis);

double number_of(const json_t *object, const char *key);

/* The waits of a flow as "text, text"; times are left out. */
void waits_of(const json_t *flow, char *text, size_t size);

/* Asks until the flow is in this step and has this wait. It has a step from its start on, and waits only when that has
 * run. */
void await_waits(const char *path, const char *step, const char *expected);

#endif
