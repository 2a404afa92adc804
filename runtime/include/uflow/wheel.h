/* wheel.h - storage of the pump's timers: a hierarchical timing wheel.
 *
 * G. Varghese, A. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 7, with one bitmap a level so
 * that virtual time can jump. A timer stands on the level of the highest digit in which its deadline differs from
 * the wheel's time; that digit is its slot. Setting and cancelling are O(1), a timer moves down at most once a
 * level, and timers of one deadline fire in the order in which they were set. */
#ifndef UFLOW_WHEEL_H
#define UFLOW_WHEEL_H

#include "uflow/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef UF_WHEEL_BITS
#if UINTPTR_MAX > UINT32_MAX
#define UF_WHEEL_BITS 6 /* 11 levels of 64 slots: 5.6 KiB */
#else
#define UF_WHEEL_BITS 4 /* 16 levels of 16 slots: 1.2 KiB */
#endif
#endif
#define UF_WHEEL_SLOTS  (1 << UF_WHEEL_BITS)
#define UF_WHEEL_LEVELS ((64 + UF_WHEEL_BITS - 1) / UF_WHEEL_BITS)

#if UF_WHEEL_BITS < 2 || UF_WHEEL_BITS > 6
#error "UF_WHEEL_BITS is 2 to 6: a level's bitmap is one 64-bit word, that of the levels one of 32 bits"
#endif

#if UF_WHEEL_BITS > 5
typedef uint64_t uf_wheel_slots; /* a bit for each slot of a level */
#else
typedef uint32_t uf_wheel_slots;
#endif

typedef struct uf_wheel {
    uf_time now; /* what the places of all timers are counted from; no timer is due before, and it may be long ago */
    uf_time soonest;        /* the earliest deadline; UF_FOREVER: none; UFI_WHEEL_UNKNOWN: it has to be looked for */
    uint32_t levels_in_use; /* bit l: some slot of level l is occupied */
    uf_wheel_slots slots_in_use[UF_WHEEL_LEVELS];
    struct uf_arm *slot[UF_WHEEL_LEVELS * UF_WHEEL_SLOTS]; /* level by level: the last of a circular list */
} uf_wheel;

#ifdef __cplusplus
}
#endif
#endif
