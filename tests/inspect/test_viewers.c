/* SPDX-License-Identifier: MIT */
/* test_viewers.c - the socket under attack: strangers, garbage, viewers that do not read, and very many of them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "line.h"
#include "uflow/inspect.h"
#include "viewer.h"

#define LONG    UF_S(60)
#define VIEWERS 100
#define NOBODY  65534

static uf_runtime *runtime;
static uf_inspect *inspect;
static Line line;

void line_block(void)
{
}

static int setup(void **state)
{
    (void)state;
    assert_int_equal(uf_runtime_new(&runtime, &(uf_runtime_config){.name = "line"}), UF_OK);
    assert_int_equal(uf_inspect_listen(&inspect, runtime, socket_path(), NULL), UF_OK);
    assert_int_equal(Line_init(&line, uf_runtime_pump(runtime), "line"), UF_OK);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(uf_inspect_close(inspect), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    return 0;
}

static void must_answer(void)
{
    json_t *const document = ask_json();
    assert_non_null(document);
    assert_non_null(flow_of(document, "line.x"));
    json_decref(document);
}

/* -- the socket ---------------------------------------------------------------------------------------------------- */

static void has_mode(void **state)
{
    struct stat there;

    (void)state;
    assert_int_equal(lstat(socket_path(), &there), 0);
    assert_true(S_ISSOCK(there.st_mode));
    assert_int_equal(there.st_mode & 0777, 0600);
}

/* Runs as another user. Returns: the exit status of `run`. */
static int as_stranger(int run(void))
{
    int status;
    pid_t const child = fork();

    if (child == 0) _exit(setgid(NOBODY) == 0 && setuid(NOBODY) == 0 ? run() : 99);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int cannot_connect(void)
{
    return connect_to(socket_path()) == -1 && errno == EACCES ? 0 : 1;
}

static int is_not_served(void)
{
    size_t length = 1;
    int const fd = connect_to(socket_path());

    if (fd < 0) return 1;
    send_text(fd, "json\n");
    free(read_all(fd, &length));
    return length == 0 ? 0 : 2;
}

/* Not even if somebody opens the mode of the socket. */
static void refuses_strangers(void **state)
{
    (void)state;
    if (geteuid() != 0) skip();
    assert_int_equal(as_stranger(cannot_connect), 0);
    assert_int_equal(chmod(socket_path(), 0777), 0);
    assert_int_equal(as_stranger(is_not_served), 0);
    must_answer();
}

static uf_status listen_at(const char *path)
{
    uf_inspect *other;
    uf_status const status = uf_inspect_listen(&other, runtime, path, NULL);

    if (status == UF_OK) assert_int_equal(uf_inspect_close(other), UF_OK);
    else assert_null(other);
    return status;
}

static void takes_only_free_paths(void **state)
{
    char path[128], longest[300];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int const fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct stat there;

    (void)state;
    snprintf(path, sizeof path, "%s.other", socket_path());
    assert_int_equal(listen_at(socket_path()), UF_BUSY); /* somebody listens there */
    must_answer();

    FILE *const file = fopen(path, "w");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(listen_at(path), UF_BUSY); /* a file */
    assert_int_equal(lstat(path, &there), 0);
    assert_true(S_ISREG(there.st_mode));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/nowhere", path), 0);
    assert_int_equal(listen_at(path), UF_BUSY); /* a link */
    assert_int_equal(unlink(path), 0);

    strcpy(address.sun_path, path);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
    assert_int_equal(listen_at(path), UF_OK); /* left behind by a process that has ended */
    assert_int_equal(access(path, F_OK), -1);

    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(listen_at(longest), UF_NO_THREAD);
    assert_int_equal(errno, ENAMETOOLONG);
    assert_int_equal(listen_at("/nowhere/socket"), UF_NO_THREAD);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(listen_at(""), UF_NO_THREAD);
}

/* A file that has replaced the socket stays. */
static void leaves_other_sockets(void **state)
{
    (void)state;
    assert_int_equal(unlink(socket_path()), 0);
    FILE *const file = fopen(socket_path(), "w");
    assert_int_equal(fclose(file), 0);
    assert_int_equal(uf_inspect_close(inspect), UF_OK);
    assert_int_equal(access(socket_path(), F_OK), 0);
    assert_int_equal(unlink(socket_path()), 0);
    assert_int_equal(uf_inspect_listen(&inspect, runtime, socket_path(), NULL), UF_OK);
}

/* -- requests ------------------------------------------------------------------------------------------------------ */

static void refuses_garbage(void **state)
{
    static const char *const requests[] = {"\n",       "help\n",   "JSON\n",          "json \n",
                                           "follow\n", "json\r\n", "GET / HTTP/1.0\n"};

    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        char *const answer = ask(requests[i], NULL);
        if (strncmp(answer, "error: ", 7) != 0) fail_msg("%s gives %s", requests[i], answer);
        free(answer);
    }
    must_answer();
}

/* A line that is too long is refused like any other, and its connection ends without a reset. */
static void refuses_long_lines(void **state)
{
    static const size_t lengths[] = {254, 255, 256, 300, 5000};
    char request[5002], answer[256];

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        int const fd = connect_to(socket_path());
        size_t received = 0;
        ssize_t count;
        memset(request, 'x', lengths[i]);
        strcpy(request + lengths[i], "\n");
        send_text(fd, request);
        while ((count = recv(fd, answer + received, sizeof answer - received, 0)) > 0) received += (size_t)count;
        assert_int_equal(count, 0);
        assert_true(received > 7);
        assert_memory_equal(answer, "error: ", 7);
        close(fd);
    }
}

/* The end of what a viewer sends ends its line, too. */
static void takes_requests_without_a_newline(void **state)
{
    static const char *const requests[] = {"json", "prometheus", "trace", "nothing", "", NULL};
    static const char *const answers[] = {"{\"uflow\":", "# HELP", "UFLOWTRC", "error: the requests are", "", NULL};

    (void)state;
    must_answer();
    for (size_t i = 0; requests[i]; i++) {
        int const fd = connect_to(socket_path());
        send_text(fd, requests[i]);
        assert_int_equal(shutdown(fd, SHUT_WR), 0);
        char *const answer = read_all(fd, NULL);
        if (strncmp(answer, answers[i], strlen(answers[i])) != 0) fail_msg("%s gives %s", requests[i], answer);
        free(answer);
    }
}

static void survives_random_bytes(void **state)
{
    static unsigned char bytes[4096];
    uint32_t random = 1;

    (void)state;
    for (int i = 0; i < 300; i++) {
        int const fd = connect_to(socket_path());
        size_t length = (random >> 16) % sizeof bytes;
        for (size_t at = 0; at < sizeof bytes; at++) {
            random = random * 1103515245 + 12345;
            bytes[at] = (unsigned char)(random >> 16);
        }
        (void)!send(fd, bytes, length, MSG_NOSIGNAL);
        if (i % 2) close(fd);
        else if (shutdown(fd, SHUT_WR) == 0 || errno == ENOTCONN) free(read_all(fd, NULL));
    }
    must_answer();
}

/* A request may come byte by byte, and the viewer may end its own side. */
static void takes_requests_in_pieces(void **state)
{
    size_t length;
    int const fd = connect_to(socket_path());

    (void)state;
    for (const char *at = "json\n"; *at; at++) {
        (void)!send(fd, at, 1, MSG_NOSIGNAL);
        usleep(1000);
    }
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    free(read_all(fd, &length));
    assert_true(length > 100);
}

/* Asks while the process has no descriptor left. Returns: the CPU time of 400 ms. */
static double ask_without_descriptors(void)
{
    struct rlimit before, none;
    size_t length;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int const fd = connect_to_later(), highest = dup(fd);
    assert_int_equal(close(highest), 0);
    none = (struct rlimit){.rlim_cur = (rlim_t)highest, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_true(connect_now(fd, socket_path()));
    send_text(fd, "json\n");
    clock_t const began = clock();
    usleep(400000);
    double const busy = (double)(clock() - began) / CLOCKS_PER_SEC;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    free(read_all(fd, &length));
    assert_true(length > 100);
    return busy;
}

/* The server neither gives up nor spins. Something else may need CPU time once. */
static void waits_for_descriptors(void **state)
{
    double least = 1;

    (void)state;
    must_answer();
    for (int i = 0; i < 3 && least > 0.2; i++) {
        double const busy = ask_without_descriptors();
        if (busy < least) least = busy;
    }
    if (!IS_SANITIZED && least > 0.2) fail_msg("%g s of CPU time", least);
}

/* -- many viewers, and slow ones ----------------------------------------------------------------------------------- */

static void serves_many(void **state)
{
    int fds[VIEWERS];
    char *first = NULL;

    (void)state;
    for (int i = 0; i < VIEWERS; i++) fds[i] = connect_to(socket_path());
    for (int i = 0; i < VIEWERS; i++) send_text(fds[i], "json\n");
    for (int i = 0; i < VIEWERS; i++) {
        size_t length;
        char *const answer = read_all(fds[i], &length);
        json_t *const document = json_loadb(answer, length, 0, NULL);
        assert_non_null(document);
        json_decref(document);
        if (first) free(answer);
        else first = answer;
    }
    free(first);
}

/* There are more viewers than places: the others wait for a place. */
static void serves_more_than_it_has_room_for(void **state)
{
    int fds[2 * VIEWERS];

    (void)state;
    for (int i = 0; i < 2 * VIEWERS; i++) {
        fds[i] = connect_to(socket_path());
        assert_true(fds[i] >= 0);
        send_text(fds[i], "json\n");
    }
    for (int i = 0; i < 2 * VIEWERS; i++) {
        size_t length;
        free(read_all(fds[i], &length));
        assert_true(length > 100);
    }
}

/* As many viewers as possible stay. Further ones are refused, whatever they ask. */
static void refuses_more_that_stay(void **state)
{
    static const char *const requests[] = {"json\n", "prometheus\n", "trace\n", "follow *\n"};
    enum { MOST = 128 };
    int fds[MOST];

    (void)state;
    for (int i = 0; i < MOST; i++) {
        fds[i] = connect_to(socket_path());
        assert_true(fds[i] >= 0);
        send_text(fds[i], "follow *\n");
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        char *const answer = ask(requests[i], NULL);
        assert_string_equal(answer, "error: too many viewers are connected: try again when one has ended\n");
        free(answer);
    }
    for (int i = 0; i < MOST; i++) close(fds[i]);
    must_answer();
}

static long memory_of_process(void)
{
    long pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Followers that do not read: others are served, the memory is bounded, and they learn what they have lost. */
static void bounds_slow_viewers(void **state)
{
    enum { FOLLOWERS = 20 };
    int fds[FOLLOWERS];
    char lines[1 << 16];
    bool lost = false;

    (void)state;
    must_answer();
    for (int i = 0; i < FOLLOWERS; i++) {
        fds[i] = connect_to(socket_path());
        send_text(fds[i], "follow *\n");
    }
    usleep(100000);
    long const before = memory_of_process();
    for (int i = 0; i < 50; i++) {
        assert_int_equal(Axis_start_Move(&line.x, 300), UF_OK);
        assert_int_equal(uf_flow_wait(&line.x.uf, LONG, NULL), UF_OK);
        usleep(20000);
    }
    must_answer();
    if (!IS_SANITIZED) assert_true(memory_of_process() - before < (long)FOLLOWERS * (1 << 20));
    for (int i = 0; i < 400 && !lost; i++) {
        ssize_t const count = recv(fds[0], lines, sizeof lines - 1, MSG_DONTWAIT);
        if (count <= 0) {
            if (uf_flow_running(&line.x.uf) || Axis_start_Move(&line.x, 3) == UF_OK) usleep(20000);
            continue;
        }
        lines[count] = '\0';
        lost = strstr(lines, "{\"lost\":") != NULL;
    }
    assert_true(lost);
    for (int i = 0; i < FOLLOWERS; i++) close(fds[i]);
    must_answer();
    assert_int_equal(uf_flow_wait(&line.x.uf, LONG, NULL), UF_OK);
}

/* Viewers that ask for the trace, and do not read it, do not keep others from it for ever. */
static void ends_silent_viewers(void **state)
{
    int fds[8];
    size_t length;

    (void)state;
    must_answer();
    assert_int_equal(Axis_start_Move(&line.x, 60000), UF_OK); /* more than a socket's buffer */
    assert_int_equal(uf_flow_wait(&line.x.uf, LONG, NULL), UF_OK);
    for (int i = 0; i < 8; i++) {
        fds[i] = connect_to(socket_path());
        send_text(fds[i], "trace\n");
    }
    char *const trace = ask("trace\n", &length);
    assert_true(length > 1 << 19);
    free(trace);
    for (int i = 0; i < 8; i++) close(fds[i]);
}

static void look_for_observers(void *there_are)
{
    *(bool *)there_are = uf_runtime_pump(runtime)->observers != NULL;
}

static bool is_observed(void)
{
    bool there_are;
    assert_int_equal(uf_post_wait(runtime, look_for_observers, &there_are), UF_OK);
    return there_are;
}

/* The recorder of its own is there from the first viewer to some time after the last one. */
static void records_while_there_are_viewers(void **state)
{
    (void)state;
    assert_false(is_observed());
    for (int i = 0; i < 2; i++) {
        must_answer();
        assert_true(is_observed());
        for (int waited = 0; waited < 600 && is_observed(); waited++) usleep(100000);
        assert_false(is_observed());
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(has_mode, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_strangers, setup, teardown),
        cmocka_unit_test_setup_teardown(takes_only_free_paths, setup, teardown),
        cmocka_unit_test_setup_teardown(leaves_other_sockets, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_garbage, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_long_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(takes_requests_without_a_newline, setup, teardown),
        cmocka_unit_test_setup_teardown(survives_random_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(takes_requests_in_pieces, setup, teardown),
        cmocka_unit_test_setup_teardown(waits_for_descriptors, setup, teardown),
        cmocka_unit_test_setup_teardown(serves_many, setup, teardown),
        cmocka_unit_test_setup_teardown(serves_more_than_it_has_room_for, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_more_that_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(bounds_slow_viewers, setup, teardown),
    };
    const struct CMUnitTest slow[] = {
        cmocka_unit_test_setup_teardown(ends_silent_viewers, setup, teardown),
        cmocka_unit_test_setup_teardown(records_while_there_are_viewers, setup, teardown),
    };

    if (argc > 1 && strcmp(argv[1], "slow") == 0) return cmocka_run_group_tests(slow, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
