/* SPDX-License-Identifier: MIT */
/* mutants.h - the small changes of `--mutants`. Without the option, nothing here writes text.
 *
 * c_mutants.c lists the changes of a file before the emitters run. An emitter asks for the one at a place of the
 * source, and writes the changed way beside the right one. Flows of tests have none. */
#ifndef UFC_MUTANTS_H
#define UFC_MUTANTS_H

#include "writer.h"

typedef enum mutant_kind {
#define MUTANT(kind, word, change) MUTANT_##kind,
#include "mutants.def"
} mutant_kind;

bool mutates(const writer *w);

/* Lists the changes, and writes their table, before all flows. */
void emit_mutants(writer *w);

/* A condition that is true in the changed program: `uf_is_mutant(&uf_Door_mutants, 12)`. The other one also notes that
 * the program has come to the place. "": there is no such change at this place. */
const char *mutant_is(const writer *w, mutant_kind kind, span at);
const char *mutant_reached(const writer *w, mutant_kind kind, span at);

/* Writes `(void)`, mutant_reached() and a comma, before an expression. */
void put_mutant_mark(writer *w, mutant_kind kind, span at);

/* The outcome that takes the place of this one; NULL: none does. */
const ir_outcome *mutant_target(const writer *w, const ir_outcome *outcome);

/* Writes the duration of a timeout, see put_stored_duration(). The change replaces it:
 * `uf_mutant_time(&uf_Door_mutants, 12, UF_S(2))`. */
void put_timeout(writer *w, const ir_duration *d, const char *parameter, span at);

/* A condition of the user, in parentheses if it may be inverted. `lead` stands before it, see put_before(). */
void put_condition_of(writer *w, span condition);
const char *mutant_condition_lead(const writer *w, const char *lead, span condition);
const char *mutant_condition_end(const writer *w, span condition);

#endif
