/* SPDX-License-Identifier: MIT */
/* windows_signals.c - Windows has no signals of the system: a program uses SetConsoleCtrlHandler(). */
#include "windows_port.h"

#include <errno.h>

int ufp_catch(int number, void (*handler)(int number))
{
    (void)number;
    (void)handler;
    return ENOSYS;
}

void ufp_uncatch(int number)
{
    (void)number;
}

bool ufp_handler_enter(int number, int *kept)
{
    (void)number;
    (void)kept;
    return false;
}

void ufp_handler_leave(int kept)
{
    (void)kept;
}

bool ufp_is_interrupt(int number)
{
    (void)number;
    return false;
}

void ufp_end_by_signal(int number)
{
    (void)number;
}
