/* SPDX-License-Identifier: MIT */
/* http_counted.c - the server of examples/12_http_server, which fails if its end leaves a descriptor open. */
int server_main(int argc, char **argv);
#define main server_main
#include "../../examples/12_http_server/main.c"
#undef main

#include <dirent.h>

/* The memory of a connection besides its parser and its buffers. */
_Static_assert(sizeof(Connection) - sizeof(http_connection) <= 400, "a connection that waits takes too much memory");

static int open_descriptors(void)
{
    DIR *const directory = opendir("/proc/self/fd");
    int count = 0;

    if (directory == NULL) return -1;
    while (readdir(directory) != NULL) count++;
    (void)closedir(directory);
    return count;
}

int main(int argc, char **argv)
{
    int const before = open_descriptors(), status = server_main(argc, argv), after = open_descriptors();

    /* Two belong to the thread that hands on signals of the system: it lives as long as the process. */
    if (before < 0 || (before <= after && after <= before + 2)) return status;
    fprintf(stderr, "%d descriptors at the start, %d at the end\n", before, after);
    return 3;
}
