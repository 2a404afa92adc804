/* SPDX-License-Identifier: MIT */
/* driver.h - runs the stages of ufc in order. */
#ifndef UFC_DRIVER_H
#define UFC_DRIVER_H

#include "options.h"

/* Compiles the input as the options say, and prints the diagnostics on standard error. */
exit_status driver_run(arena *a, diagnostics *d, const options *o);

/* Prints the diagnostics on standard error. */
void driver_report(const diagnostics *d, const options *o);

#endif
