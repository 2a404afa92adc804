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

#endif
