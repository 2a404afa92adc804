/* SPDX-License-Identifier: MIT */
/* processes.h - a test in a process of its own: its output is kept, and its crash ends that process alone. */
#ifndef UFLOW_TEST_PROCESSES_H
#define UFLOW_TEST_PROCESSES_H

#include "slot.h"

/* What a process wrote to stdout and stderr: the beginning and the end, if it was much. */
#define TEST_OUTPUT_HALF (16 * 1024)
typedef struct uft_output {
    char head[TEST_OUTPUT_HALF], tail[TEST_OUTPUT_HALF]; /* the tail is a ring */
    size_t size, ends;                                   /* bytes and ends of lines, of everything */
} uft_output;

/* How a process ended. */
typedef enum uft_process_end {
    TEST_RUNS,
    TEST_EXITED,    /* `number` is the exit status */
    TEST_KILLED,    /* `number` is the signal */
    TEST_HUNG,      /* a round has taken longer than the limit, and the process was killed */
    TEST_NO_PROCESS /* there was none; `number` is errno */
} uft_process_end;

/* The most processes at a time. */
#define TEST_MOST_JOBS 64

typedef struct uft_process {
    uft_slot *slot; /* shared with the process */
    uft_process_end end;
    int number;
    uft_output output;
    /* Private. */
    long id;
    int pipe;
    uint32_t progress;
    uf_time progress_at; /* real time at which `progress` was seen first */
} uft_process;

/* Can this platform make processes? */
bool uft_has_processes(void);

/* Allocates memory that processes share with this one; NULL: there is none. It is zeroed, and never freed. */
void *uft_share(size_t size);

/* Prepares this process to wait for others. Returns: false: the system refused. */
bool uft_processes_begin(void);

/* In the process of a test: what it writes to stdout from now on is lost. A pipe to the runner, which keeps it, would
 * cost more than a schedule. */
void uft_process_mute(void);

/* Calls `body(slot, context)` in a new process, with no input, and its output kept. */
void uft_process_start(uft_process *process, void (*body)(uft_slot *slot, const void *context), const void *context);

/* In the process of a test: calls `body(context)` in a fork of it, and waits. What the fork writes to memory that
 * processes share remains. If the fork crashes or exits, this process ends in the same way.
 * Returns: false: there is no process; see errno. */
bool uft_process_apart(uft_slot *slot, void (*body)(void *context), void *context);

/* Waits until a process of these has ended, and kills one whose round takes longer than `limit` of real time.
 * Returns: its index; -1: this process was interrupted, and all are killed. */
int uft_processes_wait(uft_process *processes, unsigned count, uf_time limit);

/* After a time in which nobody has waited for them: their rounds get all of the limit again. */
void uft_processes_watch(uft_process *processes, unsigned count);

/* Ends this process as the signal that has interrupted it does. */
_Noreturn void uft_end_interrupted(void);

/* Kills all. */
void uft_processes_kill(uft_process *processes, unsigned count);

/* The name of a signal, such as "SIGSEGV". */
const char *uft_signal_name(int number);

/* Real time, to measure with. */
uf_time uft_real_now(void);

/* The number of this process. */
long uft_process_id(void);

/* Renames a file, and replaces the one of that name. Returns: false: see errno. */
bool uft_replace_file(const char *from, const char *to);

/* Is a person watching stderr? */
bool uft_is_terminal(void);

#endif
