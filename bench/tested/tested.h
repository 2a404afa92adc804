/* SPDX-License-Identifier: MIT */
/* tested.h - for programs whose flows print: what they say goes to /dev/null. */
#ifndef BENCH_TESTED_H
#define BENCH_TESTED_H

#include "bench.h"

#include <fcntl.h>
#include <unistd.h>

/* Returns: a copy of stdout, for bench_speak(). */
static inline int bench_hush(void)
{
    int const copy = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);

    BENCH_CHECK(copy >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && close(nowhere) == 0);
    return copy;
}

static inline void bench_speak(int copy)
{
    BENCH_CHECK(fflush(stdout) == 0 && dup2(copy, STDOUT_FILENO) >= 0 && close(copy) == 0);
}

#endif
