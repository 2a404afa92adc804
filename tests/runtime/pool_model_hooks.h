/* SPDX-License-Identifier: MIT */
/* pool_model_hooks.h - how the flows of pool_model.uflow report to the model. */
#ifndef POOL_MODEL_HOOKS_H
#define POOL_MODEL_HOOKS_H

#include "uflow/generated.h"

enum { PLACES = 5, FAILING = -2, BECOMING = -1, AT_ONCE = 0 }; /* else: milliseconds */

void told_init(int index, int token);
void told_enter(int index, int token);
void told_exit(int index, int token);
void told_end(int index, int token, uf_outcome outcome);
void told_mail(int token, int sent);
void told_spawn(int token, const char *refused);

#endif
