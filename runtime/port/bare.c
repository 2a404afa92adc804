/* bare.c - the platform where there is nothing: whoever has a reset button or a debugger links a port of his own. */
#include "port.h"

#if !defined(UFP_BARE) && __STDC_HOSTED__
#error                                                                                                                 \
    "port/bare.c is for machines without an operating system: compile it, and core, with -ffreestanding or -DUFP_BARE; \
with one, runtime/port/posix.c is the port"
#endif

_Noreturn void ufp_abort(const char *flow, const char *reason)
{
    (void)flow;
    (void)reason;
    __builtin_trap();
}

void *ufp_thread_self(void)
{
    return NULL;
}

void **ufp_thread_slot(void)
{
    static void *slot;
    return &slot;
}

/* One thread, and its interrupts; where they cannot be masked, none that uses the runtime. */
static uint32_t mask;

void ufp_critical_enter(void)
{
    uint32_t const was = ufp_mask_interrupts();
    mask = was; /* nobody else comes here until it is taken off again */
}

void ufp_critical_leave(void)
{
    ufp_unmask_interrupts(mask);
}
