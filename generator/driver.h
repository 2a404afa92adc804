/* driver.h - the stages of ufc, one after the other. */
#ifndef UFC_DRIVER_H
#define UFC_DRIVER_H

#include "options.h"

/* Compiles what the options say, and prints the diagnostics on standard error. */
exit_status driver_run(arena *a, diagnostics *d, const options *o);

#endif
