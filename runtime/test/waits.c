/* SPDX-License-Identifier: MIT */
/* waits.c - what the flows of a test wait for, as text. */
#include "run.h"

#include "uflow/dump.h"

#include <stdio.h>
#include <string.h>

/* A line of the dump with the names of reports: a flow without `test.`, and the test's own without its task. */
static const char *renamed(char *line)
{
    static const char own[] = "test  Test.", inside[] = "test.";

    char *const other = strstr(line, " test.");
    if (other) memmove(other + 1, other + sizeof inside, strlen(other + sizeof inside) + 1);
    if (strncmp(line, own, sizeof own - 1) == 0)
        memmove(line + 6, line + sizeof own - 1, strlen(line + sizeof own - 1) + 1);
    return strncmp(line, inside, sizeof inside - 1) == 0 ? line + sizeof inside - 1 : line;
}

/* Reads the dump of the pump. */
void uft_note_waits(uft_slot *slot, uf_pump *pump)
{
    FILE *const file = tmpfile();
    char line[TEST_LINE_SIZE];
    size_t used = 0;

    if (!file) return;
    (void)uf_pump_dump(pump, file);
    rewind(file);
    while (fgets(line, sizeof line, file) && used + strlen(line) < sizeof slot->waits) {
        if (line[0] != ' ' && strstr(line, "  idle, ")) continue;
        used += (size_t)snprintf(slot->waits + used, sizeof slot->waits - used, "%s", renamed(line));
    }
    (void)fclose(file);
}
