/* SPDX-License-Identifier: MIT */
/* posix_signals.c - the signals of POSIX. Programs that catch none do not link this file. */
#if defined(__linux__)
#undef _GNU_SOURCE
#define _GNU_SOURCE /* SA_RESTART, SA_ONSTACK */
#endif
#include "posix.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static struct sigaction before[UFP_SIGNALS];
static uint32_t
    catcher; /* atomic: the process, but not the child of a fork(), in which no thread hears of the signal */

bool ufp_handler_enter(int number, int *kept)
{
    *kept = errno;
    if ((uint32_t)getpid() == ufp_load(&catcher)) return true;
    (void)sigaction(number, &before[number], NULL);
    (void)raise(number); /* takes effect when the handler has returned */
    errno = *kept;
    return false;
}

void ufp_handler_leave(int kept)
{
    errno = kept;
}

/* The step that caused one of these would run again when the handler has returned. */
static bool is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

int ufp_catch(int number, void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};

    sigemptyset(&action.sa_mask);
    ufp_store(&catcher, (uint32_t)getpid());
    if (is_fault(number)) return EINVAL;
    return sigaction(number, NULL, &before[number]) || sigaction(number, &action, NULL) ? errno : 0;
}

void ufp_uncatch(int number)
{
    (void)sigaction(number, &before[number], NULL);
}

bool ufp_is_interrupt(int number)
{
    return number == SIGINT;
}

void ufp_end_by_signal(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
    (void)raise(number); /* takes effect when the handler has returned */
}
