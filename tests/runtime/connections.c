/* SPDX-License-Identifier: MIT */
/* connections.c [COUNT] - COUNT TCP connections at once, served by one pump with one flow each. The default is 10 000,
 * or as many as the process may have. Another process opens the other ends. It repeatedly sends on all of them and
 * waits for the replies. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "connections_hooks.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#define IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define IS_SANITIZED 0
#endif

enum { WANTED = 10000, TIMES = 3, SPARE = 64 };

#define MUST(condition) ((condition) ? (void)0 : give_up(__LINE__, #condition))

static Connection *connections;
static int count, taken, closed; /* `taken` belongs to the runtime's thread */

static _Noreturn void give_up(int line, const char *condition)
{
    fprintf(stderr, "connections.c:%d: %s: %s\n", line, condition, strerror(errno));
    exit(1);
}

/* -- functions of the flows ---------------------------------------------------------------------------------------- */

int echo_read(Connection *flow, char bytes[16])
{
    ssize_t const length = read(flow->fd, bytes, 16);
    if (length > 0) return (int)length;
    return length < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

bool echo_write(Connection *flow, const char bytes[16])
{
    return write(flow->fd, bytes, (size_t)flow->length) == flow->length; /* so few bytes are sent in whole or not at
                                                                          * all */
}

void echo_close(Connection *flow)
{
    (void)uf_fd_close(flow->uf.pump, flow->fd);
    flow->fd = -1;
    __atomic_add_fetch(&closed, 1, __ATOMIC_SEQ_CST);
}

bool listener_take(Listener *flow)
{
    int const fd = accept(flow->fd, NULL, NULL);
    if (fd < 0) return false;
    MUST(taken < count);
    MUST(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
    connections[taken].fd = fd;
    MUST(Connection_start_Echo(&connections[taken++]) == UF_OK);
    return true;
}

/* -- the other process --------------------------------------------------------------------------------------------- */

static void answer_all(int *fds, int round)
{
    for (int i = 0; i < count; i++) {
        int const sent = i * 7 + round;
        MUST(write(fds[i], &sent, sizeof sent) == (ssize_t)sizeof sent);
    }
    for (int i = 0; i < count; i++) {
        int got = 0;
        MUST(recv(fds[i], &got, sizeof got, MSG_WAITALL) == (ssize_t)sizeof got);
        MUST(got == i * 7 + round);
    }
}

static _Noreturn void be_the_clients(in_port_t port, int ready)
{
    struct sockaddr_in const address = {
        .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int *const fds = calloc((size_t)count, sizeof *fds);
    char go;
    MUST(fds);
    for (int i = 0; i < count; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM, 0);
        MUST(fds[i] >= 0 && connect(fds[i], (const struct sockaddr *)&address, sizeof address) == 0);
    }
    for (int round = 0; round < TIMES; round++) answer_all(fds, round);
    MUST(write(ready, "r", 1) == 1); /* all are open and idle */
    MUST(read(ready, &go, 1) == 1);
    exit(0); /* closes them */
}

/* -- this process -------------------------------------------------------------------------------------------------- */

static long resident_bytes(void)
{
    long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static double milliseconds(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void look_at_taken(void *known)
{
    *(int *)known = taken;
}

static void raise_limit(void)
{
    struct rlimit limit;
    MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    if (limit.rlim_cur < (rlim_t)count + SPARE) {
        limit.rlim_cur = limit.rlim_max < (rlim_t)count + SPARE ? limit.rlim_max : (rlim_t)count + SPARE;
        MUST(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    }
    if (limit.rlim_cur < (rlim_t)count + SPARE) {
        printf("SKIPPED: %d of %d connections: this process may have %lu descriptors\n",
               count + SPARE - (int)limit.rlim_cur, count, (unsigned long)limit.rlim_cur);
        count = (int)limit.rlim_cur - SPARE;
    }
}

int main(int argc, char **argv)
{
    count = argc > 1 ? atoi(argv[1]) : WANTED;
    raise_limit();

    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int const listening = socket(AF_INET, SOCK_STREAM, 0);
    int signal[2];
    MUST(listening >= 0 && bind(listening, (struct sockaddr *)&address, length) == 0 && listen(listening, 4096) == 0);
    MUST(getsockname(listening, (struct sockaddr *)&address, &length) == 0);
    MUST(fcntl(listening, F_SETFL, O_NONBLOCK) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, signal) == 0);
    pid_t const child = fork();
    MUST(child >= 0);
    if (child == 0) {
        close(listening);
        be_the_clients(address.sin_port, signal[1]);
    }
    close(signal[1]);

    uf_runtime *runtime;
    Listener listener;
    char byte;
    long const before = resident_bytes();
    double const began = milliseconds(CLOCK_MONOTONIC);
    connections = calloc((size_t)count, sizeof *connections);
    MUST(connections && uf_runtime_new(&runtime, NULL) == UF_OK);
    for (int i = 0; i < count; i++)
        MUST(Connection_init(&connections[i], uf_runtime_pump(runtime), "connection") == UF_OK);
    MUST(Listener_init(&listener, uf_runtime_pump(runtime), "listener", listening) == UF_OK);
    MUST(Listener_start_Accept(&listener) == UF_OK);
    MUST(read(signal[0], &byte, 1) == 1);
    double const answered = milliseconds(CLOCK_MONOTONIC);
    long const after = resident_bytes();

    int known = 0; /* the post comes after the round that answers the last message */
    MUST(uf_post_wait(runtime, look_at_taken, &known) == UF_OK && known == count);
    double const cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    struct timespec const second = {.tv_sec = 1};
    nanosleep(&second, NULL);
    double const idle = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    MUST(uf_pump_running(uf_runtime_pump(runtime)) == (size_t)count + 1);

    double const ending = milliseconds(CLOCK_MONOTONIC);
    MUST(write(signal[0], "g", 1) == 1);
    int status;
    MUST(waitpid(child, &status, 0) == child && status == 0);
    while (__atomic_load_n(&closed, __ATOMIC_SEQ_CST) < count) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    double const ended = milliseconds(CLOCK_MONOTONIC);
    uf_stop_report report;
    MUST(uf_runtime_stop(runtime, UF_S(5), &report) == UF_OK);
    MUST(uf_runtime_free(runtime) == UF_OK);
    close(listening);
    printf("%d connections, each answered %d times in %.0f ms: %zu bytes of flow and %ld bytes of memory each; a "
           "second of "
           "rest took %.2f ms of processor time; all closed in %.0f ms\n",
           count, TIMES, answered - began, sizeof(Connection), (after - before) / count, idle, ended - ending);
#if !IS_SANITIZED
    MUST(idle < 10);
#endif
    free(connections);
    return 0;
}
