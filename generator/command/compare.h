/* SPDX-License-Identifier: MIT */
/* compare.h - `ufc --compare OLD.json NEW.json`: what a program would do with what an older one has kept. */
#ifndef UFC_COMPARE_H
#define UFC_COMPARE_H

#include "options.h"

/* Compares the durable flows in two outputs of `--emit=json`, and reports on standard error what a restore would refuse
 * (errors), drop (warnings, or errors with -Werror) or set anew (notes). */
exit_status compare_files(arena *a, const diagnostics *d, const char *old_path, const char *new_path);

#endif
