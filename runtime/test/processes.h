/* processes.h - a test in a process of its own: its output is kept, and its crash ends that process alone. */
#ifndef UFLOW_TEST_PROCESSES_H
#define UFLOW_TEST_PROCESSES_H

#include "slot.h"

/* What a process wrote to stdout and stderr: the beginning and the end, if it was much. */
#define TEST_OUTPUT_HALF (16 * 1024)
typedef struct test_output {
    char head[TEST_OUTPUT_HALF], tail[TEST_OUTPUT_HALF]; /* the tail is a ring */
    size_t size;                                         /* of everything */
} test_output;

/* How a process ended. */
typedef enum test_process_end {
    TEST_RUNS,
    TEST_EXITED,    /* `number` is the exit status */
    TEST_KILLED,    /* `number` is the signal */
    TEST_HUNG,      /* a round has taken longer than the limit, and the process was killed */
    TEST_NO_PROCESS /* there was none; `number` is errno */
} test_process_end;

/* The most processes at a time. */
#define TEST_MOST_JOBS 64

typedef struct test_process {
    test_slot *slot; /* shared with the process */
    test_process_end end;
    int number;
    test_output output;
    /* Private. */
    long id;
    int pipe;
    uint32_t progress;
    uf_time progress_at; /* real time at which `progress` was seen first */
} test_process;

/* Can this platform make processes? */
bool test_has_processes(void);

/* Allocates memory that processes share with this one; NULL: there is none. It is zeroed, and never freed. */
void *test_share(size_t size);

/* Prepares this process to wait for others. Returns: false: the system refused. */
bool test_processes_begin(void);

/* Calls `body(slot, context)` in a new process, with no input, and its output kept. */
void test_process_start(test_process *process, void (*body)(test_slot *slot, const void *context), const void *context);

/* Waits until a process of these has ended, and kills one whose round takes longer than `limit` of real time.
 * Returns: its index; -1: this process was interrupted, and all are killed. */
int test_processes_wait(test_process *processes, unsigned count, uf_time limit);

/* After a time in which nobody has waited for them: their rounds get all of the limit again. */
void test_processes_watch(test_process *processes, unsigned count);

/* Ends this process as the signal that has interrupted it does. */
_Noreturn void test_end_interrupted(void);

/* Kills all. */
void test_processes_kill(test_process *processes, unsigned count);

/* The name of a signal, such as "SIGSEGV". */
const char *test_signal_name(int number);

/* Real time, to measure with. */
uf_time test_real_now(void);

/* The number of this process. */
long test_process_id(void);

/* Renames a file, and replaces the one of that name. Returns: false: see errno. */
bool test_replace_file(const char *from, const char *to);

/* Is a person watching stderr? */
bool test_is_terminal(void);

#endif
