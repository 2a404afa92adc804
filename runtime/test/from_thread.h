/* SPDX-License-Identifier: MIT */
/* from_thread.h - `from_thread { C }`: C code that reaches the pump of the test as code of another thread does. */
#ifndef UFLOW_TEST_FROM_THREAD_H
#define UFLOW_TEST_FROM_THREAD_H

#include "uflow/pump.h"

/* Begins a run. */
void uft_threads_begin(void);

/* Calls `call(argument)` so that its starts, cancels, sends and fires go through the inbox of the pump. */
void uft_from_thread(uf_pump *pump, bool (*call)(uint32_t argument), uint32_t argument);

/* Has the pump still to deliver a start? */
bool uft_has_request(const uf_pump *pump);

#endif
