/* SPDX-License-Identifier: MIT */
/* protothread.h - a function that resumes where it left, by a switch over line numbers. Its locals do not survive. */
#ifndef PROTOTHREAD_H
#define PROTOTHREAD_H

#include <stdbool.h>

typedef struct protothread {
    unsigned at;
} protothread;

#define PT_BEGIN(pt)                                                                                                   \
    switch ((pt)->at) {                                                                                                \
    case 0:
#define PT_YIELD(pt)                                                                                                   \
    do {                                                                                                               \
        (pt)->at = __LINE__;                                                                                           \
        return true;                                                                                                   \
    case __LINE__:;                                                                                                    \
    } while (0)
#define PT_WAIT_UNTIL(pt, condition)                                                                                   \
    do {                                                                                                               \
        (pt)->at = __LINE__;                                                                                           \
        __attribute__((fallthrough));                                                                                  \
    case __LINE__:                                                                                                     \
        if (!(condition)) return true;                                                                                 \
    } while (0)
/* Returns false when it has ended. */
#define PT_END(pt)                                                                                                     \
    }                                                                                                                  \
    return false

#endif
