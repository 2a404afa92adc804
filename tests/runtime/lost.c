/* SPDX-License-Identifier: MIT */
/* lost.c - the program closes one of the descriptors of a runtime, each of them in a process of its own. Or the system
 * allows it no descriptors for a while, so that poll() is refused. The runtime goes on, or the process aborts with a
 * text. It neither hangs nor is busy. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/inspect.h"

#include "interrupted.h"

enum { MOST = 64, BROKEN = 1, DEAF, BUSY, NO_MORE, HANG_S = 20, NONE = -1 };

enum mode { WITH_THREAD, IN_LOOP, KEEPS_WATCHES, INSPECTED, MODES };

static int64_t cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

static void check(bool is_well, int code)
{
    if (!is_well) _exit(code);
}

static void nothing(void *unused)
{
    (void)unused;
}

/* Lets the runtime work until nothing is left to do. */
static void settle(uf_runtime *runtime, enum mode mode)
{
    for (int i = 0; i < 3; i++) {
        if (mode == IN_LOOP) check(uf_runtime_poll(runtime) == UF_OK, BROKEN);
        else check(uf_post_wait(runtime, nothing, NULL) == UF_OK, BROKEN);
    }
    sleep_ms(20);
}

static void wait_for_end(uf_runtime *runtime, Reader *reader, enum mode mode)
{
    for (int i = 0; mode == IN_LOOP && uf_flow_running(&reader->uf) && i < 1000; i++) {
        check(uf_runtime_poll(runtime) == UF_OK, BROKEN);
        sleep_ms(5);
    }
    if (mode == IN_LOOP) check(!uf_flow_running(&reader->uf), DEAF);
    else check(uf_flow_wait(&reader->uf, UF_S(10), NULL) == UF_OK, DEAF);
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) != -1;
}

static void limit_descriptors(rlim_t most)
{
    struct rlimit limit;
    check(getrlimit(RLIMIT_NOFILE, &limit) == 0, BROKEN);
    limit.rlim_cur = most;
    check(setrlimit(RLIMIT_NOFILE, &limit) == 0, BROKEN);
}

/* Wakes the thread that serves viewers. */
static void view(int viewer, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    check(connect(viewer, (const struct sockaddr *)(const void *)&address, sizeof address) == 0, BROKEN);
}

/* Runs in a process of its own: closes the descriptor number `which` of those that the runtime has opened. NONE: the
 * system allows no descriptors meanwhile. */
static void lose(enum mode mode, int which)
{
    uf_runtime_config const config = {.embedded = mode == IN_LOOP, .keep_watches = mode == KEEPS_WATCHES, .spin = -1};
    uf_runtime *runtime;
    uf_inspect *inspect = NULL;
    Reader reader;
    bool const refuses = which == NONE;
    bool before[MOST];
    char path[64];
    int ends[2], fd = 0, viewer = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)alarm(HANG_S);
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, BROKEN);
    for (int i = 0; i < MOST; i++) before[i] = is_open(i);
    check(uf_runtime_new(&runtime, &config) == UF_OK, BROKEN);
    check(Reader_init(&reader, uf_runtime_pump(runtime), "reader") == UF_OK, BROKEN);
    check(Reader_start_Read(&reader, ends[0], 100000) == UF_OK, BROKEN);
    snprintf(path, sizeof path, "lost.%ld.sock", (long)getpid());
    if (mode == INSPECTED) check(uf_inspect_listen(&inspect, runtime, path, NULL) == UF_OK, BROKEN);
    settle(runtime, mode);
    while (!refuses && fd < MOST && (before[fd] || !is_open(fd) || which-- > 0)) fd++;
    if (fd == MOST) _exit(NO_MORE);
    if (refuses) limit_descriptors(0);
    else (void)close(fd);
    if (refuses && mode == INSPECTED) view(viewer, path);
    if (mode == INSPECTED) (void)unlink(path);
    settle(runtime, mode);
    int64_t const began = cpu_ms();
    sleep_ms(300);
    check(cpu_ms() - began < 150, BUSY);
    if (refuses) limit_descriptors(MOST);
    check(send(ends[1], "x", 1, 0) == 1, BROKEN);
    wait_for_end(runtime, &reader, mode);
    if (inspect) (void)uf_inspect_close(inspect);
    _exit(uf_runtime_free(runtime) == UF_OK ? 0 : BROKEN);
}

/* Returns: false if the runtime has fewer descriptors. */
static bool loses(enum mode mode, int which)
{
    char text[512] = "";
    int output[2], status;

    assert_int_equal(pipe(output), 0);
    pid_t const child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(output[1], STDERR_FILENO);
        lose(mode, which);
    }
    close(output[1]);
    (void)!read(output[0], text, sizeof text - 1);
    close(output[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MORE) return false;
    bool const is_loud = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(text, "uflow: a descriptor");
    if (!is_loud && status != 0) fail_msg("mode %d, descriptor %d: status %x, %s", (int)mode, which, status, text);
    return true;
}

CASE(no_descriptor_is_lost_silently)
{
    for (int mode = WITH_THREAD; mode < MODES; mode++) {
        int count = 0;
        while (loses((enum mode)mode, count)) count++;
        assert_true(count > 0);
    }
}

CASE(no_refused_wait_is_busy)
{
    for (int mode = WITH_THREAD; mode < MODES; mode++) assert_true(loses((enum mode)mode, NONE));
}
