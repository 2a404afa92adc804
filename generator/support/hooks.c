/* SPDX-License-Identifier: MIT */
#include "hooks.h"

#define LACKS false
#define HAS   true

const hook_info hook_infos[] = {
#define HOOK(kind, word, form, duration) [HOOK_##kind] = {word, #kind, HOOK_IS_##form, duration},
#include "hooks.def"
};
