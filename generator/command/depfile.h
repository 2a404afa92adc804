/* depfile.h - the dependencies of an output, in the form that make and Ninja read. */
#ifndef UFC_DEPFILE_H
#define UFC_DEPFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "buffer.h"

/* Writes `targets: inputs`, with special characters in names escaped. With `phony`, each input but the first is also a
 * target without a rule, so that make does not stop when one has been deleted. */
void depfile_render(const char *const *targets, size_t target_count, const char *const *inputs, size_t input_count,
                    bool phony, buffer *out);

#endif
