/* bare.c - the platform where there is nothing: whoever has a reset button or a debugger links a port of his own. */
#include "port.h"

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    (void)flow;
    (void)reason;
    __builtin_trap();
}
