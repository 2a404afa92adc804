/* SPDX-License-Identifier: MIT */
/* hooks.h - the parts of a test that its runner calls or reads: the rows of hooks.def. */
#ifndef UFC_HOOKS_H
#define UFC_HOOKS_H

typedef enum hook_kind {
#define HOOK(kind, word, form) HOOK_##kind,
#include "hooks.def"
} hook_kind;

typedef enum hook_form { HOOK_IS_CLAIM, HOOK_IS_BLOCK, HOOK_IS_NOTHING } hook_form;

typedef struct hook_info { /* see hooks.def */
    const char *word, *name;
    hook_form form;
} hook_info;

extern const hook_info hook_infos[]; /* by hook_kind */

#endif
