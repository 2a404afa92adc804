/* bare.c - the port for machines without an operating system. */
#include "port.h"

#if !defined(UFP_BARE) && __STDC_HOSTED__
#error                                                                                                                 \
    "port/bare.c is for machines without an operating system: compile it, and core, with -ffreestanding or -DUFP_BARE; \
with one, runtime/port/posix.c is the port"
#endif

/* Replace this one to reset the machine or to stop in a debugger. */
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
    static void *slots[UFP_SLOTS];
    return slots;
}

static uint32_t interrupts; /* the state before the critical section */

/* Store the state only after interrupts are disabled: an interrupt handler may have its own critical section before. */
void ufp_critical_enter(const void *subject)
{
    (void)subject;
    uint32_t const state = ufp_disable_interrupts();
    interrupts = state;
}

void ufp_critical_leave(const void *subject)
{
    (void)subject;
    ufp_restore_interrupts(interrupts);
}
