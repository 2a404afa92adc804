/* SPDX-License-Identifier: MIT */
/* machine.h - the least C that has a state and a dispatch: the baseline of Chain, of the same size. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>

#include "chain.h"

typedef struct machine {
    uint64_t left;
    struct machine *next;
    uint32_t state;
    char rest[sizeof(Chain) - 20]; /* the same size, for the same use of the caches */
} machine;

/* Not inlined, so that the compiler cannot fold the ring into a loop. */
__attribute__((noinline)) static bool turn(machine *m)
{
    switch (m->state) {
    case 0:
        if (m->left-- == 0) return false;
        m->state = 1;
        return true;
    case 1:
        if (m->left-- == 0) return false;
        m->state = 2;
        return true;
    case 2:
        if (m->left-- == 0) return false;
        m->state = 3;
        return true;
    default:
        if (m->left-- == 0) return false;
        m->state = 0;
        return true;
    }
}

#endif
