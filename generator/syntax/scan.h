/* scan.h - from bytes to tokens: the scanner (grammar/uflow_scan.re) and what drives it over a file. */
#ifndef UFC_SCAN_H
#define UFC_SCAN_H

#include "arena.h"
#include "diag.h"
#include "token.h"

typedef struct scanner {
    const unsigned char *text, *cursor, *limit; /* *limit == 0 */
    const unsigned char *open_comment;          /* where a comment began that does not end; or NULL */
    bool line_start;                            /* no token on this line yet */
} scanner;

/* The next token; false at the end of the text, and of what a comment without an end leaves of it. */
bool scan_next(scanner *s, token *out);

/* Goes on to the #elif, #else or #endif (or, `to_endif`, only the latter) that ends the branch in which the scanner
 * stands. */
void scan_skipped(scanner *s, bool to_endif);

/* All tokens of a file. Branches that the preprocessor skips for certain (`#if 0`) leave none. A `header` or `source`
 * block is its word and one token T_BLOCK_TEXT. */
typedef struct scanned {
    token_list tokens;
    bool truncated; /* something that was reported takes the rest of the file with it */
} scanned;
scanned scan_file(arena *a, diagnostics *d, const source *in);

#endif
