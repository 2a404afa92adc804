/* SPDX-License-Identifier: MIT */
/* output.h - the end of an output, of which no byte may be lost silently. */
#ifndef UFLOW_TOOL_OUTPUT_H
#define UFLOW_TOOL_OUTPUT_H

#include <stdio.h>

/* Flushes the standard output, or closes a file. If bytes were not written: prints why, and exits with the status
 * `tool_trouble`. */
void tool_finish(FILE *out, const char *path);

/* Prints the last text of the standard output, and exits with status 0, or as above. */
_Noreturn void tool_answer(const char *text);

#endif
