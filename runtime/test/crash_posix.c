/* SPDX-License-Identifier: MIT */
/* crash_posix.c - the place of a crash. The functions below run in handlers of signals. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sigaction() and sigaltstack() */
#include "crash.h"

#include "run.h"
#include "sanitizers.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static uft_slot *watched;
static pid_t own;
static volatile sig_atomic_t instead;      /* a fork that is asked in place of this process; 0: none */
static _Alignas(16) char stack[64 * 1024]; /* an overflow of the stack is a crash, too */

void uft_ask_instead(long id)
{
    instead = (sig_atomic_t)id;
}

bool uft_is_own_process(void)
{
    return getpid() == own;
}

static void note(void)
{
    if (uft_is_own_process() && !watched->finished) uft_note_where(watched);
}

static void crashed(int number)
{
    note();
    (void)raise(number); /* delivered when this handler returns, with its default effect */
}

/* The test may send this signal to itself, too: that is a crash. */
static void asked(int number, siginfo_t *from, void *unused)
{
    (void)unused;
    if (instead) {
        (void)kill((pid_t)instead, number);
        (void)waitpid((pid_t)instead, NULL, 0);
    } else {
        note();
    }
    if (from->si_pid == getppid()) _exit(0);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE, SIGALRM, SIGXCPU};

void uft_watch_for_crashes(uft_slot *slot)
{
    stack_t const alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = asked, .sa_flags = SA_ONSTACK | SA_SIGINFO};

    watched = slot;
    own = getpid();
    instead = 0;
    (void)sigaltstack(&alternate, NULL);
    (void)sigaction(TEST_ASK_SIGNAL, &action, NULL);
    action = (struct sigaction){.sa_handler = crashed, .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        struct sigaction before;
        if (sigaction(crashes[i], NULL, &before) != 0 || before.sa_handler != SIG_DFL) continue; /* a sanitizer's */
        (void)sigaction(crashes[i], &action, NULL);
    }
    uft_before_death(note);
    (void)atexit(note);
}
