/* SPDX-License-Identifier: MIT */
#include "hooks.h"

const hook_info hook_infos[] = {
#define HOOK(kind, word, form) [HOOK_##kind] = {word, #kind, HOOK_IS_##form},
#include "hooks.def"
};
