/* SPDX-License-Identifier: MIT */
/* print.c - prints each argument, in ns, as the tools of C write it. */
#include "uflow/priv/duration.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    char text[UF_DURATION_SIZE];

    for (int i = 1; i < argc; i++) puts(uf_duration_text(strtoull(argv[i], NULL, 10), text));
    return 0;
}
