/* response.h - arguments that are kept in a file, for command lines that are longer than a system takes. */
#ifndef UFC_RESPONSE_H
#define UFC_RESPONSE_H

#include "arena.h"

/* The arguments with each `@FILE` replaced by those in the file, as gcc does it: words between white space, with quotes
 * of both kinds and backslashes; a file may name others, to a depth. Nothing after `--` is replaced. NULL: a file
 * cannot be read, or a quote in it is not closed, which was reported on standard error. */
char **response_expand(arena *a, int *argc, char **argv);

#endif
