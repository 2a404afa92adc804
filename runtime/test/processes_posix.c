/* SPDX-License-Identifier: MIT */
/* processes_posix.c - processes of tests on POSIX systems: all that the runner asks of the system. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sigaction(), MAP_ANONYMOUS and prctl() */
#include "processes.h"

#include "crash.h"
#include "orphans.h"

#include "uflow/coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

static volatile sig_atomic_t interrupted_by;
static unsigned living;             /* processes of tests */
static int wake_pipe[2] = {-1, -1}; /* a byte for each signal that this process receives */

bool uft_has_processes(void)
{
    return true;
}

void *uft_share(size_t size)
{
    void *const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

uf_time uft_real_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return UF_S(now.tv_sec) + now.tv_nsec;
}

long uft_process_id(void)
{
    return getpid();
}

bool uft_replace_file(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool uft_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

/* -- the runner's process ------------------------------------------------------------------------------------------ */

static void note_signal(int number)
{
    int const error = errno;
    if (number != SIGCHLD) interrupted_by = number;
    ssize_t const written = write(wake_pipe[1], "", 1); /* a full pipe wakes, too */
    (void)written;
    errno = error;
}

static bool set_flags(int fd)
{
    int const flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
#define INTERRUPTS (sizeof interrupts / sizeof interrupts[0])

bool uft_processes_begin(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};

    if (pipe(wake_pipe) != 0) return false;
    if (!set_flags(wake_pipe[0]) || !set_flags(wake_pipe[1])) return false;
    if (sigaction(SIGCHLD, &action, NULL) != 0) return false;
    for (size_t i = 0; i < INTERRUPTS; i++) {
        struct sigaction before;
        if (sigaction(interrupts[i], NULL, &before) != 0) return false;
        if (before.sa_handler == SIG_IGN) continue; /* nohup */
        if (sigaction(interrupts[i], &action, NULL) != 0) return false;
    }
    uft_adopt_orphans();
    return true;
}

_Noreturn void uft_end_interrupted(void)
{
    int const number = interrupted_by;
    (void)fflush(NULL);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    _exit(128 + number);
}

/* -- the process of a test ----------------------------------------------------------------------------------------- */

static void set_defaults(void)
{
    (void)signal(SIGCHLD, SIG_DFL);
    for (size_t i = 0; i < INTERRUPTS; i++) (void)signal(interrupts[i], SIG_DFL);
    (void)close(wake_pipe[0]);
    (void)close(wake_pipe[1]);
}

/* The process must not outlive the runner, write a core file, or read what a person types. */
static void isolate(long runner, int output)
{
    struct rlimit const no_core = {0, 0};
    (void)setpgid(0, 0);
#if defined(__linux__)
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != runner) _exit(1);
    (void)setrlimit(RLIMIT_CORE, &no_core);
    int const nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(1);
    if (nothing > STDERR_FILENO) (void)close(nothing);
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) _exit(1);
    if (output > STDERR_FILENO) (void)close(output);
}

static _Noreturn void be_process(uft_slot *slot, void (*body)(uft_slot *slot, const void *context), const void *context,
                                 int output, long runner)
{
    static char lines[BUFSIZ];

    set_defaults();
    isolate(runner, output);
    /* What is written before a crash is shown. glibc switches to lines only with a new buffer. */
    (void)setvbuf(stdout, lines, _IOLBF, sizeof lines);
    uft_watch_for_crashes(slot);
    body(slot, context);
    (void)fflush(NULL);
    if (!uft_is_own_process()) _exit(0); /* a fork of the test */
    slot->finished = true;
    if (!slot->failed) exit(0); /* coverage is written now */
    (void)uf_coverage_write();
    _exit(0); /* LeakSanitizer would report what a failed test has left behind */
}

void uft_process_mute(void)
{
    int const nowhere = open("/dev/null", O_WRONLY);

    (void)fflush(stdout);
    if (nowhere < 0) return;
    (void)dup2(nowhere, STDOUT_FILENO);
    if (nowhere > STDERR_FILENO) (void)close(nowhere);
}

static void refuse(uft_process *process)
{
    process->number = errno;
    process->end = TEST_NO_PROCESS;
}

void uft_process_start(uft_process *process, void (*body)(uft_slot *slot, const void *context), const void *context)
{
    int ends[2];
    long const runner = getpid();

    process->end = TEST_RUNS;
    process->output.size = process->output.ends = 0;
    process->progress = 0;
    memset(process->slot, 0, sizeof *process->slot);
    (void)fflush(NULL); /* else the process would write it, too */
    if (pipe(ends) != 0) {
        refuse(process);
        return;
    }
    pid_t const id = fork();
    if (id == 0) {
        (void)close(ends[0]);
        be_process(process->slot, body, context, ends[1], runner);
    }
    if (id < 0) refuse(process);
    else (void)setpgid(id, id); /* whoever comes first */
    (void)close(ends[1]);
    if (id < 0 || !set_flags(ends[0])) {
        (void)close(ends[0]);
        if (id < 0) return;
        ends[0] = -1;
    }
    living++;
    process->id = id;
    process->pipe = ends[0];
    process->progress_at = uft_real_now();
}

/* Ends this process as the fork has ended. */
static _Noreturn void end_alike(int status)
{
    if (WIFSIGNALED(status)) {
        (void)signal(WTERMSIG(status), SIG_DFL);
        (void)raise(WTERMSIG(status));
    }
    _exit(WEXITSTATUS(status));
}

bool uft_process_apart(uft_slot *slot, void (*body)(void *context), void *context)
{
    int status = 0;

    slot->is_part_over = false;
    (void)fflush(NULL); /* else the fork would write it, too */
    pid_t const id = fork();
    if (id == 0) {
#if defined(__linux__)
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        uft_watch_for_crashes(slot);
        body(context);
        (void)fflush(NULL);
        slot->is_part_over = true;
        (void)uf_coverage_write();
        _exit(0);
    }
    if (id < 0) return false;
    uft_ask_instead(id);
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {}
    uft_ask_instead(0);
    if (!slot->is_part_over) end_alike(status);
    return true;
}

const char *uft_signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},
                 {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},   {SIGPIPE, "SIGPIPE"},
                 {SIGALRM, "SIGALRM"}, {SIGXCPU, "SIGXCPU"}, {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"},
                 {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"},   {SIGQUIT, "SIGQUIT"}, {SIGXFSZ, "SIGXFSZ"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].number == number) return names[i].name;
    return "a signal";
}

/* -- waiting ------------------------------------------------------------------------------------------------------- */

static void keep(uft_output *output, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++, output->size++) {
        output->ends += bytes[i] == '\n';
        if (output->size < TEST_OUTPUT_HALF) output->head[output->size] = bytes[i];
        else output->tail[output->size % TEST_OUTPUT_HALF] = bytes[i];
    }
}

static void read_output(uft_process *process)
{
    char bytes[4096];
    ssize_t size;

    /* A process that writes without end gets its turn again. */
    for (int i = 0; process->pipe >= 0 && i < 64; i++) {
        do size = read(process->pipe, bytes, sizeof bytes);
        while (size < 0 && errno == EINTR);
        if (size < 0 && errno == EAGAIN) return;
        if (size > 0) {
            keep(&process->output, bytes, (size_t)size);
            continue;
        }
        (void)close(process->pipe);
        process->pipe = -1;
    }
}

static bool lives(const uft_process *process)
{
    return process->id != 0;
}

static void kill_group(const uft_process *process)
{
    (void)kill((pid_t)-process->id, SIGKILL);
}

/* Takes the status of a process that has ended, and ends what it has left behind. Returns: it has ended. */
static bool reap(uft_process *process)
{
    int status;
    pid_t const id = waitpid((pid_t)process->id, &status, WNOHANG);

    if (id == 0 || (id < 0 && errno == EINTR)) return false;
    kill_group(process);
    read_output(process);
    if (process->pipe >= 0) (void)close(process->pipe);
    process->pipe = -1;
    if (process->end == TEST_HUNG) return true;
    bool const was_killed = id > 0 && WIFSIGNALED(status);
    process->end = was_killed ? TEST_KILLED : TEST_EXITED;
    process->number = id < 0 ? 0 : was_killed ? WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}

void uft_processes_kill(uft_process *processes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int status;
        if (!lives(&processes[i])) continue;
        kill_group(&processes[i]);
        while (waitpid((pid_t)processes[i].id, &status, 0) < 0 && errno == EINTR) {}
        processes[i].id = 0;
        living--;
    }
    if (living == 0) uft_end_orphans();
}

/* How long a process is given to say where it is. */
#define GRACE UF_MS(500)

/* Asks a process whose round takes too long where it is, then kills it. Returns: real time until the next look. */
static uf_time check_progress(uft_process *process, uf_time now, uf_time limit)
{
    uint32_t const progress = process->slot->progress;
    if (progress != process->progress) {
        process->progress = progress;
        process->progress_at = now;
    }
    uf_time const left = process->progress_at + limit - now;
    if (left > 0) return left < limit / 4 ? left : limit / 4; /* the progress of which it knows may be an old one */
    if (process->end == TEST_RUNS) {
        process->end = TEST_HUNG;
        (void)kill((pid_t)process->id, TEST_ASK_SIGNAL);
    }
    if (left <= -GRACE) kill_group(process);
    return left <= -GRACE ? GRACE : left + GRACE;
}

/* Sleeps until a process has written or ended, or one of them has run too long. */
static void sleep_for_events(uft_process *processes, unsigned count, uf_time limit)
{
    struct pollfd fds[TEST_MOST_JOBS + 1];
    char bytes[64];
    uf_time wait = UF_S(60);
    uf_time const now = uft_real_now();

    for (unsigned i = 0; i < count; i++) {
        fds[i] = (struct pollfd){.fd = lives(&processes[i]) ? processes[i].pipe : -1, .events = POLLIN};
        uf_time const left = lives(&processes[i]) ? check_progress(&processes[i], now, limit) : wait;
        if (left < wait) wait = left;
    }
    fds[count] = (struct pollfd){.fd = wake_pipe[0], .events = POLLIN};
    if (poll(fds, count + 1, (int)(wait / UF_MS(1)) + 1) <= 0) return;
    while (read(wake_pipe[0], bytes, sizeof bytes) > 0) {}
    for (unsigned i = 0; i < count; i++)
        if (fds[i].fd >= 0 && fds[i].revents) read_output(&processes[i]);
}

void uft_processes_watch(uft_process *processes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) processes[i].progress_at = uft_real_now();
}

int uft_processes_wait(uft_process *processes, unsigned count, uf_time limit)
{
    while (!interrupted_by) {
        for (unsigned i = 0; i < count; i++) {
            if (!lives(&processes[i]) || !reap(&processes[i])) continue;
            processes[i].id = 0;
            if (--living == 0) uft_end_orphans();
            return (int)i;
        }
        sleep_for_events(processes, count, limit);
    }
    uft_processes_kill(processes, count);
    return -1;
}
