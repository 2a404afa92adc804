/* SPDX-License-Identifier: MIT */
/* mutate.h - the parts of uflow-mutate: the mutants of a runner of tests, and its runs. */
#ifndef UFLOW_MUTATE_H
#define UFLOW_MUTATE_H

#include <stdbool.h>
#include <stddef.h>

#include "memory.h"
#include "text.h"

typedef enum mutant_state {
    MUTANT_WAITS,
    MUTANT_RUNS,
    MUTANT_KILLED,
    MUTANT_TIMED_OUT, /* killed by the time limit */
    MUTANT_SURVIVED,
    MUTANT_UNREACHED, /* the tests do not come to its place */
    MUTANT_LEFT_OUT   /* the command did not choose it */
} mutant_state;

typedef struct mutant {
    unsigned number;
    char *place; /* FILE:LINE */
    char *kind;
    char *text;
    mutant_state state;
    char *killer;  /* the test that has failed first; NULL: none is known */
    char *history; /* of the flows, as a number; NULL: not known */
} mutant;

typedef struct mutants {
    mutant *items; /* in the order of their numbers */
    size_t count;
    char *history; /* without a mutant */
} mutants;

/* The line with which a runner tells the history. */
#define MUTATE_HISTORY "# history "

/* The command of the runner, and how it is run. */
typedef struct runner {
    char **words; /* with room for one more, and for NULL */
    size_t count;
    double limit; /* of the time of a run, in seconds */
} runner;

/* -- list.c -------------------------------------------------------------------------------------------------------- */

/* Asks the runner for its mutants. */
void mutate_list(const runner *r, mutants *all);

/* Runs the tests without a mutant, and notes which places they do not reach. Returns: the time in seconds. */
double mutate_first_run(const runner *r, mutants *all);

void mutate_free(mutants *all);

/* -- runs.c -------------------------------------------------------------------------------------------------------- */

/* A process of the runner. */
typedef struct process {
    long id;
    int pipe;        /* from its standard output; -1: it is closed */
    double deadline; /* when it is ended; 0: never */
    unsigned killed; /* signals to end that it got */
    char *line;      /* begun */
    size_t length, room;
} process;

/* Starts the runner with one more argument, and UFLOW_MUTANT=`number` in its environment; NULL: as it is. */
process mutate_start(const runner *r, const char *argument, const char *number, bool is_silent);

/* Reads what the process has written. Each line goes to `take`, without its end. */
void mutate_read(process *p, void (*take)(const char *line, void *context), void *context);

/* Reads all of the output and waits for the end. Returns: the exit status; that of a signal is negative. */
int mutate_wait(process *p, void (*take)(const char *line, void *context), void *context);

/* Runs the tests for each mutant that waits, `jobs` at a time. `notice` is called after each. Returns: false: it was
 * interrupted. */
bool mutate_run(const runner *r, mutants *all, unsigned jobs, void (*notice)(const mutants *all));

/* Ends this program by the signal that has interrupted it. */
_Noreturn void mutate_end_interrupted(void);

double mutate_now(void);

#endif
