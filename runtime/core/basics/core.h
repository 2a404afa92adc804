/* SPDX-License-Identifier: MIT */
/* core.h - the public headers as core sees them: with the members that this core lacks, so that the code that no
 * program of its config calls compiles; see priv/pump.h. */
#ifndef UFLOW_CORE_H
#define UFLOW_CORE_H

#undef UFI_CORE
#define UFI_CORE

#include "uflow/generated.h"

#endif
