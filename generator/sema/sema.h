/* sema.h - what ufc proves or refuses about a file that was parsed. */
#ifndef UFC_SEMA_H
#define UFC_SEMA_H

#include "arena.h"
#include "ast.h"
#include "diag.h"

typedef struct sema_options {
    const char *const *blocking; /* names of further functions that block */
    size_t blocking_count;
} sema_options;

/* Checks `main` and completes its members marked "sema:". Its imports are loaded; of them only the declarations are
 * looked at, since each is checked when it is compiled itself. Where the parser has reported errors, what may only
 * follow from them is not reported. If no error was reported afterwards, the file can be lowered. */
void sema_check(arena *a, diagnostics *d, ast_file *main, const sema_options *options);

#endif
