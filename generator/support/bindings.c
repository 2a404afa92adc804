/* SPDX-License-Identifier: MIT */
#include "bindings.h"

const char *const binding_names[] = {
#define BINDING(kind, name, code, help) [BINDING_##kind] = name,
#include "bindings.def"
};
