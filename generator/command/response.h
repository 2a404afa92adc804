/* SPDX-License-Identifier: MIT */
/* response.h - arguments from a file, for command lines beyond the system's limit. */
#ifndef UFC_RESPONSE_H
#define UFC_RESPONSE_H

#include "arena.h"

/* Returns the arguments with each `@FILE` replaced by the arguments in the file, as in gcc. The file has words between
 * white space, with both kinds of quotes and backslashes. Files may name others, to a limited depth. After `--`,
 * nothing is replaced. NULL: a file cannot be read or has an open quote, which is reported on standard error. */
char **response_expand(arena *a, int *argc, char **argv);

#endif
