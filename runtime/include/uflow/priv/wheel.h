/* SPDX-License-Identifier: MIT */
/* priv/wheel.h - storage of the pump's timers: a hierarchical timing wheel. Its members are private.
 *
 * G. Varghese, A. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7, with one bitmap per level so
 * that virtual time can jump. A time is a number whose digits have UF_WHEEL_BITS bits. A timer is on the level of the
 * highest digit in which its deadline differs from the wheel's time; that digit is its slot. Setting and cancelling
 * take constant time. A timer moves down at most once per level. Timers of one deadline fire in the order in which
 * they were set. */
#ifndef UFLOW_PRIV_WHEEL_H
#define UFLOW_PRIV_WHEEL_H

#include "uflow/base.h"

UF_C_BEGIN

#if UF_WHEEL_BITS == 0

/* No wheel: see core/basics/wheel_list.c. */
typedef struct uf_wheel {
    struct uf_arm *timers; /* sorted: the last of a circular list */
} uf_wheel;

#else

#define UF_WHEEL_SLOTS  (1 << UF_WHEEL_BITS)
#define UF_WHEEL_LEVELS ((64 + UF_WHEEL_BITS - 1) / UF_WHEEL_BITS)

#if UF_WHEEL_BITS > 5
typedef uint64_t uf_wheel_slots; /* one bit per slot of a level */
#else
typedef uint32_t uf_wheel_slots;
#endif

typedef struct uf_wheel {
    uf_time now;            /* origin of all slots: no timer is due before it, and it may be long past */
    uf_time soonest;        /* lower bound of the earliest deadline; UF_FOREVER: no timers */
    bool exact;             /* `soonest` is the earliest deadline */
    uint32_t levels_in_use; /* bit l: level l is not empty */
    uf_wheel_slots slots_in_use[UF_WHEEL_LEVELS];
    struct uf_arm *slot[UF_WHEEL_LEVELS * UF_WHEEL_SLOTS]; /* level by level: the last of a circular list */
} uf_wheel;

#endif

UF_C_END
#endif
