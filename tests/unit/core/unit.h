/* SPDX-License-Identifier: MIT */
/* unit.h - common includes of the unit tests of core, in the order that cmocka needs. */
#ifndef UNIT_H
#define UNIT_H

#include "../../cases.h"

#include "basics/clocks.h"
#include "basics/format.h"
#include "basics/wheel.h"

/* xorshift64*: the same numbers on every machine, from a seed that is not 0. */
static inline uint64_t unit_random(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * UINT64_C(2685821657736338717);
}

#endif
