/* SPDX-License-Identifier: MIT */
/* uses.h - the features of core that the flows of a file use. */
#ifndef UFC_USES_H
#define UFC_USES_H

#include <stdint.h>

#include "ir.h"
#include "uflow/priv/features.h"

/* The bits of a set of features. */
enum {
#define FEATURE(name, text) FEATURE_##name,
    UF_FEATURES(FEATURE)
#undef FEATURE
        FEATURES
};

/* What the flows of this file use: bit 1 << FEATURE_name. What only C code uses, such as observers, is not in it. */
uint32_t uses_of(const ir_unit *unit);

#endif
