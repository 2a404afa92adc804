/* SPDX-License-Identifier: MIT */
/* scan.h - from bytes to tokens: the scanner (grammar/uflow_scan.re) and the loop that runs it over a file. */
#ifndef UFC_SCAN_H
#define UFC_SCAN_H

#include "arena.h"
#include "token.h"

struct parser; /* parse_state.h */

#define IDENTIFIER_LIMIT 255u /* bytes of a name or number */

typedef struct scanner {
    const unsigned char *text, *cursor, *limit; /* *limit == 0 */
    const unsigned char *open_comment;          /* the start of an unterminated comment; or NULL */
    bool line_start;                            /* no token on this line yet */
    bool lacks_raw_end;                         /* a raw string has no end */
} scanner;

/* Reads the next token. Returns false at the end of the text or at an unterminated comment. */
bool scan_next(scanner *s, token *out);

/* Skips to the #elif, #else or #endif that ends the current branch; with `to_endif`, only to the #endif. */
void scan_skipped(scanner *s, bool to_endif);

/* Reads what is in a directive, from its `#` to its end. */
scanner scan_inside(span directive);
bool scan_next_inside(scanner *s, span directive, token *out);
/* Is it the name of the directive? */
bool scan_directive_is(span directive, const char *name);
/* Is the text `#if` and that digit, with no more than a comment? */
bool scan_is_if(const source *in, const token *t, char digit);

/* All tokens of a file. Branches that the preprocessor certainly skips (`#if 0`) have none. A `header` or `source`
 * block is its word and one token T_BLOCK_TEXT. */
typedef struct scanned {
    token_list tokens;
    bool truncated; /* what was refused makes the rest of the file unreadable */
} scanned;
scanned scan_file(struct parser *p, const source *in);

/* scan_places.c: makes names of words that stand in another place, and leaves out attributes of statements. */
void scan_find_places(token_list *list);

#endif
