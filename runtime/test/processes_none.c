/* SPDX-License-Identifier: MIT */
/* processes_none.c - for systems without processes: all tests run in the runner's own. */
#include "processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

bool uft_has_processes(void)
{
    return false;
}

void *uft_share(size_t size)
{
    return calloc(1, size);
}

bool uft_processes_begin(void)
{
    return false;
}

void uft_process_mute(void)
{
}

void uft_process_start(uft_process *process, void (*body)(uft_slot *slot, const void *context), const void *context)
{
    (void)body;
    (void)context;
    process->end = TEST_NO_PROCESS;
}

bool uft_process_apart(uft_slot *slot, void (*body)(void *context), void *context)
{
    (void)slot;
    (void)body;
    (void)context;
    return false;
}

int uft_processes_wait(uft_process *processes, unsigned count, uf_time limit)
{
    (void)processes;
    (void)count;
    (void)limit;
    return -1;
}

void uft_processes_watch(uft_process *processes, unsigned count)
{
    (void)processes;
    (void)count;
}

_Noreturn void uft_end_interrupted(void)
{
    abort();
}

void uft_processes_kill(uft_process *processes, unsigned count)
{
    (void)processes;
    (void)count;
}

const char *uft_signal_name(int number)
{
    (void)number;
    return "a signal";
}

uf_time uft_real_now(void)
{
    return (uf_time)clock() * (UF_S(1) / CLOCKS_PER_SEC);
}

long uft_process_id(void)
{
    return 0;
}

/* Windows does not rename to a name that is taken. */
bool uft_replace_file(const char *from, const char *to)
{
    (void)remove(to);
    return rename(from, to) == 0;
}

bool uft_is_terminal(void)
{
    return false;
}
