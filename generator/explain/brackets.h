/* SPDX-License-Identifier: MIT */
/* brackets.h - makes brackets match, which the grammar relies on. */
#ifndef UFC_BRACKETS_H
#define UFC_BRACKETS_H

#include "arena.h"
#include "diag.h"
#include "scan.h"

/* Returns a list in which every bracket and every #if has its partner in the same branch of #if. If the brackets of the
 * file match, this is its own token list. Otherwise each missing bracket is reported once, at its partner, and added
 * with TOKEN_SYNTHETIC. Each extra one is reported and left out. If brackets are nested too deeply, this is reported,
 * and the list is empty. */
token_list brackets_balance(arena *a, diagnostics *d, scanned from);

/* What the tokens at a place belong to. Each level holds the next one; a branch of #if holds what is around it. */
typedef enum level { LEVEL_FILE, LEVEL_FLOW, LEVEL_TASK, LEVEL_INSIDE, LEVEL_BRANCH } level;

/* Does a part of a file, flow or task end with it, or begin behind it? */
bool ends_part(uint16_t kind);

/* -- heads, of which brackets may be missing -- */

static inline bool begins_line(const token_list *list, uint32_t at)
{
    return at < list->count && (list->items[at].flags & TOKEN_FIRST_ON_LINE);
}

/* Is it a word, a name, perhaps parameters, and a `{`, or with a result a `->`? */
bool head_is_definition(const token_list *list, uint32_t word, bool with_result);

/* The `(` of a worker whose word is there; 0: it is none. And the token after its `)`, or after its `drop NAME`. */
uint32_t head_params_of_worker(const token_list *list, uint32_t word);
uint32_t head_behind_signature(const token_list *list, uint32_t params);

/* The token after the braces of a struct, union or enum that begin there; the same place if there are none. In the
 * parameters of a head these are not a body; sema reports their errors. */
uint32_t head_behind_tag(const token_list *list, uint32_t at);

#endif
