/* fuzz_tool.h - common functions of the fuzz targets of the tools: a file with the input, and the end of a tool without
 * the end of the process. The tools are compiled with `exit` as fuzz_exit. */
#ifndef FUZZ_TOOL_H
#define FUZZ_TOOL_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Calls `tool`, up to its return or to the end of the tool. Frees what it has left behind. */
void fuzz_run(void (*tool)(void *context), void *context);

/* Writes a file, which replaces the last one. Returns: its path. */
const char *fuzz_file(const void *head, size_t head_size, const uint8_t *data, size_t size);

/* Ends the process if a line of the text holds what a terminal obeys. Frees the text. */
void fuzz_check(char *text, size_t length);

#endif
