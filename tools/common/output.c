/* SPDX-License-Identifier: MIT */
/* output.c - see output.h. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

void tool_finish(FILE *out, const char *path)
{
    int const earlier = ferror(out) ? errno : 0, now = (out == stdout ? fflush(out) : fclose(out)) ? errno : 0;
    if (earlier || now) tool_die("%s: %s", out == stdout ? "standard output" : path, strerror(now ? now : earlier));
}

void tool_answer(const char *text)
{
    fputs(text, stdout);
    tool_finish(stdout, NULL);
    exit(0);
}
