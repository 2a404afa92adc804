/* SPDX-License-Identifier: MIT */
/* arms.h - the kinds of arms and of their operands, with the facts about each: the rows of arms.def. */
#ifndef UFC_ARMS_H
#define UFC_ARMS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum arm_operand {
#define OPERAND(kind, type, noun) OPERAND_##kind,
#include "arms.def"
} arm_operand;

typedef enum arm_kind {
#define ARM(kind, word, form, operand, function, noun, feature, traits) ARM_##kind,
#include "arms.def"
} arm_kind;

typedef enum arm_trait {
    CAN_FAIL = 1,         /* `else` is allowed; without it the task fails */
    IN_ALL = 2,           /* allowed within `all` */
    POLLS = 4,            /* the flow polls instead of being parked */
    HAS_RESULT = 8,       /* binds `result` if the task or worker function has one */
    SINCE_ENTRY = 16,     /* a signal: fires since the entry of the body count */
    AWAITS_STOP = 32,     /* the task learns of a shutdown */
    EVALUATED = 64,       /* uf_evaluate() decides whether it is ready; for other arms, `state` does */
    HAS_ITEM = 128,       /* binds `item`: the message that it receives */
    HAS_INDEX = 256,      /* binds `index`, also in its `else` */
    TWO_SLOTS = 512,      /* its function uses the next arm, too */
    FAILS_IN_STOP = 1024, /* during a shutdown it fails at once */
    CALLED = 2048         /* its word begins an arm only before `(`; elsewhere it is a name, also in arms */
} arm_trait;

typedef struct arm_info { /* see arms.def */
    const char *word, *form, *function, *noun;
    arm_operand operand;
    unsigned traits;
} arm_info;

typedef struct operand_info {
    const char *type, *noun;
} operand_info;

/* May the operand be the name of a checkpoint or mailbox instead of a pointer? */
static inline bool operand_is_nameable(arm_operand operand)
{
    return operand == OPERAND_CHECKPOINT || operand == OPERAND_MAILBOX;
}

extern const arm_info arm_infos[];         /* by arm_kind */
extern const operand_info operand_infos[]; /* by arm_operand */

/* Returns the kind that begins with this word in the source; ARM_NAME: none does. */
arm_kind arm_of_word(const char *text, size_t length);

static inline bool arm_has(arm_kind kind, arm_trait trait)
{
    return (arm_infos[kind].traits & (unsigned)trait) != 0;
}

static inline bool arm_is_timeout(arm_kind kind)
{
    return arm_infos[kind].operand == OPERAND_DURATION;
}

#endif
