/* SPDX-License-Identifier: MIT */
/* intents.h - the kinds of outcomes and their properties: the rows of intents.def. */
#ifndef UFC_INTENTS_H
#define UFC_INTENTS_H

#include <stdbool.h>

typedef enum outcome_kind {
#define OUTCOME(kind, word, name, operand, function) OUTCOME_##kind,
#include "intents.def"
    OUTCOME_KINDS
} outcome_kind;

typedef enum outcome_operand {
    TAKES_NOTHING,
    TAKES_STEP, /* with arguments */
    TAKES_TASK, /* with arguments */
    TAKES_RESULT,
    TAKES_FORMAT /* with arguments */
} outcome_operand;

typedef struct outcome_info { /* see intents.def */
    const char *word, *name, *function, *edge;
    outcome_operand operand;
} outcome_info;

extern const outcome_info outcome_infos[]; /* by outcome_kind */

static inline bool outcome_takes(outcome_kind kind, outcome_operand operand)
{
    return outcome_infos[kind].operand == operand;
}

/* `on fail { … }`, `on cancel { … }`: the help for a word that names how a run ends; NULL for other words. */
const char *outcome_help(const char *word);

/* Does the outcome end the run? */
static inline bool outcome_ends(outcome_kind kind)
{
    return !outcome_takes(kind, TAKES_STEP) && !outcome_takes(kind, TAKES_TASK);
}

#endif
