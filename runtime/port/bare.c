/* bare.c - the platform where there is nothing: whoever has a reset button or a debugger links a port of his own. */
#include "port.h"

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    (void)flow;
    (void)reason;
    __builtin_trap();
}

void *ufp_self(void)
{
    return NULL;
}

/* One thread, and no interrupt that starts flows. */
void ufp_enter(void)
{
}

void ufp_leave(void)
{
}
