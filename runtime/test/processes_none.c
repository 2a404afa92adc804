/* processes_none.c - for systems without processes: all tests run in the runner's own. */
#include "processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

bool test_has_processes(void)
{
    return false;
}

void *test_share(size_t size)
{
    return calloc(1, size);
}

bool test_processes_begin(void)
{
    return false;
}

void test_process_start(test_process *process, void (*body)(test_slot *slot, const void *context), const void *context)
{
    (void)body;
    (void)context;
    process->end = TEST_NO_PROCESS;
}

int test_processes_wait(test_process *processes, unsigned count, uf_time limit)
{
    (void)processes;
    (void)count;
    (void)limit;
    return -1;
}

void test_processes_watch(test_process *processes, unsigned count)
{
    (void)processes;
    (void)count;
}

_Noreturn void test_end_interrupted(void)
{
    abort();
}

void test_processes_kill(test_process *processes, unsigned count)
{
    (void)processes;
    (void)count;
}

const char *test_signal_name(int number)
{
    (void)number;
    return "a signal";
}

uf_time test_real_now(void)
{
    return (uf_time)clock() * (UF_S(1) / CLOCKS_PER_SEC);
}

long test_process_id(void)
{
    return 0;
}

/* Windows does not rename to a name that is taken. */
bool test_replace_file(const char *from, const char *to)
{
    (void)remove(to);
    return rename(from, to) == 0;
}

bool test_is_terminal(void)
{
    return false;
}
