/* SPDX-License-Identifier: MIT */
/* runs.c - runs of the tests, several at a time, each with a mutant. A run ends with its first failure.
 *
 * Each of them is a group of processes: the command may be a script that starts the runner. */
#include "mutate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long a runner may take to end the processes of its tests. */
#define GRACE 1.0

static volatile sig_atomic_t interrupted_by;
static int wake_pipe[2] = {-1, -1}; /* a byte for each signal: one that comes just before a wait ends that, too */

double mutate_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* -- one process --------------------------------------------------------------------------------------------------- */

static void set_pipe(int ends[2])
{
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0)
        tool_die("a pipe: %s", strerror(errno));
}

static _Noreturn void become_runner(const runner *r, const char *argument, const char *number, bool is_silent, int out)
{
    char **const words = tool_resize(NULL, r->count + 2, sizeof *words);
    int const nothing = open("/dev/null", O_RDWR);

    memcpy(words, r->words, r->count * sizeof *words);
    words[r->count] = (char *)(uintptr_t)argument;
    words[r->count + (argument ? 1 : 0)] = NULL;
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0) _exit(127);
    if (is_silent && dup2(nothing, STDERR_FILENO) < 0) _exit(127);
    if (is_silent) (void)setpgid(0, 0);
    if ((number ? setenv("UFLOW_MUTANT", number, 1) : unsetenv("UFLOW_MUTANT")) != 0) _exit(127);
    (void)execvp(words[0], words);
    if (!is_silent) fprintf(stderr, "%s: %s: %s\n", tool_name, words[0], strerror(errno));
    _exit(127);
}

process mutate_start(const runner *r, const char *argument, const char *number, bool is_silent)
{
    int ends[2];
    process p = {.pipe = -1};

    (void)fflush(NULL);
    set_pipe(ends);
    pid_t const id = fork();
    if (id < 0) tool_die("a process: %s", strerror(errno));
    if (id == 0) become_runner(r, argument, number, is_silent, ends[1]);
    (void)close(ends[1]);
    if (is_silent) (void)setpgid(id, id); /* here and in the child: a kill may come before the child has run */
    p.id = id;
    p.pipe = ends[0];
    return p;
}

static void take_byte(process *p, char byte, void (*take)(const char *line, void *context), void *context)
{
    if (p->length + 1 >= p->room) {
        p->room = p->room ? 2 * p->room : 256;
        p->line = tool_resize(p->line, p->room, 1);
    }
    p->line[p->length++] = byte;
    if (byte != '\n') return;
    p->line[p->length - 1] = '\0';
    p->length = 0;
    take(p->line, context);
}

void mutate_read(process *p, void (*take)(const char *line, void *context), void *context)
{
    char bytes[4096];
    ssize_t const size = read(p->pipe, bytes, sizeof bytes);

    if (size < 0 && errno == EINTR) return;
    for (ssize_t i = 0; i < size; i++) take_byte(p, bytes[i], take, context);
    if (size > 0) return;
    (void)close(p->pipe);
    p->pipe = -1;
}

/* Returns: as mutate_wait(). */
static int reap(process *p)
{
    int status = 0;

    while (waitpid((pid_t)p->id, &status, 0) < 0)
        if (errno != EINTR) tool_die("waiting for a process: %s", strerror(errno));
    free(p->line);
    p->line = NULL;
    p->id = 0;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int mutate_wait(process *p, void (*take)(const char *line, void *context), void *context)
{
    while (p->pipe >= 0) mutate_read(p, take, context);
    return reap(p);
}

/* The first time, the runner ends the processes of its tests too. */
static void end_process(process *p, double now)
{
    (void)kill((pid_t)-p->id, p->killed++ ? SIGKILL : SIGTERM);
    p->deadline = now + GRACE;
}

/* It has closed its output, or nobody reads that any more: up to its deadline, it may end by itself. Returns: as
 * mutate_wait(). */
static int reap_in_time(process *p)
{
    struct timespec const moment = {.tv_nsec = 100000};
    siginfo_t ended = {.si_pid = 0};

    while (waitid(P_PID, (id_t)p->id, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0 &&
           mutate_now() < p->deadline)
        (void)nanosleep(&moment, NULL);
    (void)kill((pid_t)-p->id, SIGKILL);
    return reap(p);
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

typedef struct seat {
    process process;
    mutant *of; /* NULL: it is free */
} seat;

/* A mutant is killed by the first test that fails. */
static void take_result(const char *line, void *context)
{
    seat *const s = context;
    const char *const name = strstr(line, " - "), *const history = line + strlen(MUTATE_HISTORY);

    if (strncmp(line, MUTATE_HISTORY, strlen(MUTATE_HISTORY)) == 0 && !s->of->history)
        s->of->history = tool_copy_printable(history, strlen(history));
    if (s->of->state != MUTANT_RUNS || strncmp(line, "not ok ", 7) != 0) return;
    s->of->state = MUTANT_KILLED;
    if (name) s->of->killer = tool_copy_printable(name + 3, strlen(name + 3));
    end_process(&s->process, mutate_now());
}

static mutant *next_mutant(mutants *all, size_t *next)
{
    while (*next < all->count && all->items[*next].state != MUTANT_WAITS) ++*next;
    return *next < all->count ? &all->items[(*next)++] : NULL;
}

static void start(const runner *r, seat *s, mutant *of)
{
    char number[16];

    (void)snprintf(number, sizeof number, "%u", of->number);
    s->of = of;
    s->process = mutate_start(r, "--no-shrink", number, true);
    s->process.deadline = mutate_now() + r->limit;
    of->state = MUTANT_RUNS;
}

static void finish(seat *s)
{
    int const status = reap_in_time(&s->process);
    mutant *const of = s->of;

    s->of = NULL;
    if (of->state != MUTANT_RUNS) return;
    if (status == 2 || status == 127) tool_die("the runner refuses to run mutant %u", of->number);
    of->state = status == 0 ? MUTANT_SURVIVED : MUTANT_KILLED;
}

static void check_time(seat *s, double now)
{
    if (now < s->process.deadline) return;
    if (s->of->state == MUTANT_RUNS) s->of->state = MUTANT_TIMED_OUT;
    end_process(&s->process, now);
}

/* Waits until a runner has written, or its time is over. */
static void wait_for_events(seat *seats, unsigned jobs, struct pollfd *fds)
{
    double const now = mutate_now();
    double soonest = now + 60;

    for (unsigned i = 0; i < jobs; i++) {
        fds[i] = (struct pollfd){.fd = seats[i].of ? seats[i].process.pipe : -1, .events = POLLIN};
        if (seats[i].of && seats[i].process.deadline < soonest) soonest = seats[i].process.deadline;
    }
    fds[jobs] = (struct pollfd){.fd = wake_pipe[0], .events = POLLIN};
    int const wait = soonest > now ? (int)((soonest - now) * 1000) + 1 : 0;
    if (poll(fds, jobs + 1, wait) < 0 && errno != EINTR) tool_die("waiting: %s", strerror(errno));
}

static void end_all(seat *seats, unsigned jobs)
{
    double const now = mutate_now();

    for (unsigned i = 0; i < jobs; i++) {
        if (!seats[i].of) continue;
        end_process(&seats[i].process, now);
        (void)close(seats[i].process.pipe);
        seats[i].of->state = MUTANT_WAITS;
    }
    for (unsigned i = 0; i < jobs; i++)
        if (seats[i].of) (void)reap_in_time(&seats[i].process);
}

static void note_signal(int number)
{
    int const error = errno;

    interrupted_by = number;
    if (write(wake_pipe[1], "", 1) < 0) errno = error; /* a full pipe wakes, too */
}

static void catch_interrupts(void)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = note_signal}, before;

    set_pipe(wake_pipe);
    (void)fcntl(wake_pipe[1], F_SETFL, O_NONBLOCK);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigaction(numbers[i], NULL, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        (void)sigaction(numbers[i], &action, NULL);
    }
}

_Noreturn void mutate_end_interrupted(void)
{
    int const number = interrupted_by;

    (void)fflush(NULL);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    _exit(128 + number);
}

/* Starts a run in each seat that is free. Returns: how many are not. */
static unsigned fill_seats(const runner *r, mutants *all, seat *seats, unsigned jobs, size_t *next)
{
    unsigned busy = 0;

    for (unsigned i = 0; i < jobs; i++) {
        mutant *const of = seats[i].of ? NULL : next_mutant(all, next);
        if (of) start(r, &seats[i], of);
        busy += seats[i].of != NULL;
    }
    return busy;
}

bool mutate_run(const runner *r, mutants *all, unsigned jobs, void (*notice)(const mutants *all))
{
    seat *const seats = tool_resize(NULL, jobs, sizeof *seats);
    struct pollfd *const fds = tool_resize(NULL, jobs + (size_t)1, sizeof *fds);
    size_t next = 0;

    memset(seats, 0, jobs * sizeof *seats);
    catch_interrupts();
    while (!interrupted_by && fill_seats(r, all, seats, jobs, &next)) {
        wait_for_events(seats, jobs, fds);
        for (unsigned i = 0; i < jobs && !interrupted_by; i++) {
            seat *const s = &seats[i];
            if (!s->of) continue;
            if (fds[i].fd >= 0 && fds[i].revents) mutate_read(&s->process, take_result, s);
            if (s->process.pipe >= 0) {
                check_time(s, mutate_now());
                continue;
            }
            finish(s);
            notice(all);
        }
    }
    if (interrupted_by) end_all(seats, jobs);
    free(seats);
    free(fds);
    return !interrupted_by;
}
