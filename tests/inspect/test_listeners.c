/* SPDX-License-Identifier: MIT */
/* test_listeners.c - several threads of several processes listen at one path at once: one of them succeeds, and can be
 * reached. Before, there was nothing at the path, a socket at which nobody listens, or one of another program. Beside
 * the path is a locked file of the program, which nobody touches. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/inspect.h"

enum { PROCESSES = 2, THREADS = 2, ALL = PROCESSES * THREADS, ROUNDS = 600 };

/* Shared by the processes. */
static struct shared {
    pthread_barrier_t turn;
    bool over;
    uf_status got[ALL];
} * shared;
static uf_runtime *runtime; /* of this process */
static char path[64];

static void take_turn(void)
{
    (void)pthread_barrier_wait(&shared->turn);
}

/* The parent prepares the path before a turn, and looks at the results after the next one. */
static void *listen_again_and_again(void *number)
{
    uf_status *const got = &shared->got[(intptr_t)number];

    for (take_turn(); !shared->over; take_turn()) {
        uf_inspect *inspect;
        *got = uf_inspect_listen(&inspect, runtime, path, NULL);
        take_turn();
        take_turn();
        if (*got == UF_OK) (void)uf_inspect_close(inspect);
        take_turn();
    }
    return NULL;
}

static void run_child(int process)
{
    pthread_t threads[THREADS];

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody waiting */
    if (uf_runtime_new(&runtime, NULL) != UF_OK) _exit(1);
    for (intptr_t i = 0; i < THREADS; i++) {
        void *const number = (void *)(i + process * THREADS);
        if (pthread_create(&threads[i], NULL, listen_again_and_again, number) != 0) _exit(1);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    _exit(uf_runtime_free(runtime) != UF_OK);
}

static int socket_at_path(int (*use)(int fd, const struct sockaddr *address, socklen_t size))
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int const fd = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    strcpy(address.sun_path, path);
    int const status = use(fd, (const struct sockaddr *)(const void *)&address, sizeof address);
    assert_int_equal(status, 0);
    return fd;
}

static int succeeded(void)
{
    int count = 0;
    for (int i = 0; i < ALL; i++) {
        assert_true(shared->got[i] == UF_OK || shared->got[i] == UF_BUSY);
        count += shared->got[i] == UF_OK;
    }
    return count;
}

typedef enum before { NOTHING, STALE, LIVE, KINDS } before;

static void play(before kind)
{
    char lock[80];
    int const fd = kind == NOTHING ? -1 : socket_at_path(bind);

    if (kind == LIVE) assert_int_equal(listen(fd, 8), 0);
    if (kind == STALE) close(fd);
    take_turn();
    take_turn();
    assert_int_equal(succeeded(), kind == LIVE ? 0 : 1);
    close(socket_at_path(connect));
    snprintf(lock, sizeof lock, "%s.uflow-lock", path);
    assert_int_equal(access(lock, F_OK), -1);
    take_turn();
    take_turn();
    if (kind == LIVE) close(fd);
    if (kind == LIVE) unlink(path);
    assert_int_equal(access(path, F_OK), -1);
}

static int lock_own_file(const char *name)
{
    int const fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    return fd;
}

static void remove_own_file(int fd, const char *name)
{
    struct stat file, there;
    assert_int_equal(fstat(fd, &file), 0);
    assert_int_equal(stat(name, &there), 0);
    assert_int_equal(file.st_ino, there.st_ino);
    close(fd);
    unlink(name);
}

CASE(one_listens)
{
    pthread_barrierattr_t attributes;
    pid_t children[PROCESSES];
    char own[80];
    int status;

    snprintf(path, sizeof path, "listeners.%ld.sock", (long)getpid());
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    assert_int_equal(pthread_barrierattr_init(&attributes), 0);
    assert_int_equal(pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED), 0);
    assert_int_equal(pthread_barrier_init(&shared->turn, &attributes, ALL + 1), 0);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) run_child(i);
    }
    snprintf(own, sizeof own, "%s.lock", path);
    int const fd = lock_own_file(own);
    for (int i = 0; i < ROUNDS; i++) play((before)(i % KINDS));
    remove_own_file(fd, own);
    shared->over = true;
    take_turn();
    for (int i = 0; i < PROCESSES; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
}
