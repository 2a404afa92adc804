/* SPDX-License-Identifier: MIT */
/* unit.h - common includes of the unit tests of the runner, in the order that cmocka needs. */
#ifndef UNIT_H
#define UNIT_H

#include "../../cases.h"

#include "explore.h"

#endif
