/* SPDX-License-Identifier: MIT */
/* orphans_posix.c - finds orphans among the children of this process. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): prctl() and kill() */
#include "orphans.h"

#if defined(__linux__)
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_TEXT 4096

static char before[MOST_TEXT]; /* "": the system does not tell who the children are */

/* Reads the numbers of the children, with a space around each. Returns: false: they are not known. */
static bool read_children(char text[MOST_TEXT])
{
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    int const file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t const size = file < 0 ? -1 : read(file, text + 1, MOST_TEXT - 2);
    if (file >= 0) (void)close(file);
    text[0] = ' ';
    text[size < 0 ? 1 : size + 1] = '\0';
    return size >= 0 && size < MOST_TEXT - 2;
}

void uft_adopt_orphans(void)
{
    bool const is_known = read_children(before) && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
    if (!is_known) before[0] = '\0';
}

static bool was_before(long id)
{
    char text[32];

    (void)snprintf(text, sizeof text, " %ld ", id);
    return strstr(before, text) != NULL;
}

/* What an orphan leaves behind becomes a child, too. */
void uft_end_orphans(void)
{
    static char text[MOST_TEXT];
    bool any = before[0] != '\0';

    while (any && read_children(text)) {
        any = false;
        for (char *at = text, *end; *at; at = end) {
            long const id = strtol(at, &end, 10);
            if (end == at) break;
            if (!was_before(id)) any |= kill((pid_t)id, SIGKILL) == 0 && waitpid((pid_t)id, NULL, 0) == (pid_t)id;
        }
    }
}
#else
void uft_adopt_orphans(void)
{
}

void uft_end_orphans(void)
{
}
#endif
