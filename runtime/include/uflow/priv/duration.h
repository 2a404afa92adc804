/* SPDX-License-Identifier: MIT */
/* duration.h - how dumps and tools write durations: in two units, or in one with two decimal places, truncated.
 * `in_words()` of tools/gdb and `duration()` of the page do the same; a test compares the three. */
#ifndef UFLOW_PRIV_DURATION_H
#define UFLOW_PRIV_DURATION_H

#include "uflow/base.h"

#include <stdio.h>

#define UF_DURATION_SIZE 32

/* 999ns, 1.50us, 20.05ms, 3.20s, 4min 16.00s, 7h 59min, 2d 3h. Returns: the text. */
static inline const char *uf_duration_text(uint64_t ns, char text[UF_DURATION_SIZE])
{
    unsigned long const part = UF_AS(unsigned long, ns % 1000000000), hours = UF_AS(unsigned long, ns / 3600000000000);
    unsigned const second = UF_AS(unsigned, ns / 1000000000 % 60), minute = UF_AS(unsigned, ns / 60000000000 % 60);

    if (ns < 1000) snprintf(text, UF_DURATION_SIZE, "%luns", part);
    else if (ns < 1000000) snprintf(text, UF_DURATION_SIZE, "%lu.%02luus", part / 1000, part / 10 % 100);
    else if (ns < 1000000000) snprintf(text, UF_DURATION_SIZE, "%lu.%02lums", part / 1000000, part / 10000 % 100);
    else if (ns < 60000000000) snprintf(text, UF_DURATION_SIZE, "%u.%02lus", second, part / 10000000);
    else if (hours < 1) snprintf(text, UF_DURATION_SIZE, "%umin %u.%02lus", minute, second, part / 10000000);
    else if (hours < 24) snprintf(text, UF_DURATION_SIZE, "%luh %umin", hours, minute);
    else snprintf(text, UF_DURATION_SIZE, "%lud %luh", hours / 24, hours % 24);
    return text;
}

#endif
