/* SPDX-License-Identifier: MIT */
/* output_names.h - the names of the output files. */
#ifndef UFC_OUTPUT_NAMES_H
#define UFC_OUTPUT_NAMES_H

#include "options.h"

/* Completes `paths`, `header_name`, `depfile` and `depend_targets`. `emit` has a bit for each requested emit_kind, or
 * none.
 *
 *   ufc dir/a.uflow               a.c and a.h in the current directory, as a C compiler does with objects
 *   ufc a.uflow -o out/b.c        out/b.c and out/b.h
 *   ufc a.uflow -o -              the C file to standard output, no header
 *   ufc --emit=dot a.uflow        the diagram to standard output
 *   ufc --emit=c,dot a.uflow      a.c and a.dot
 *
 * Returns: false if the options contradict each other, which is reported. */
bool output_names(arena *a, options *o, unsigned emit);

#endif
