/* SPDX-License-Identifier: MIT */
/* format_files.h - `ufc fmt`: lays out files. */
#ifndef UFC_FORMAT_FILES_H
#define UFC_FORMAT_FILES_H

#include "options.h"

/* Formats each input as the options say, and reports errors in it. A file with errors stays as it is. */
exit_status format_files(arena *a, diagnostics *d, const options *o);

#endif
