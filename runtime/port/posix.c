/* posix.c - the platform where there is a C library and an operating system. */
#include "port.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    fprintf(stderr, "uflow: flow '%s' failed: %s\n", flow, reason);
    abort();
}
