/* brackets.h - brackets that match, which the grammar relies on. */
#ifndef UFC_BRACKETS_H
#define UFC_BRACKETS_H

#include "arena.h"
#include "diag.h"
#include "scan.h"

/* A list in which every bracket and every #if has its partner, within a branch of #if as well. If those of a file
 * match, it is the list of its tokens. Otherwise a bracket that is missing is reported, once and where it was opened,
 * and added, with TOKEN_SYNTHETIC; one that is too much is reported and left out. If brackets are nested too deeply
 * that is reported, and the list is empty. */
token_list brackets_balance(arena *a, diagnostics *d, scanned from);

#endif
