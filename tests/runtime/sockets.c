/* SPDX-License-Identifier: MIT */
/* sockets.c - waits for sockets on each platform that has them. descriptors.c has what only POSIX can do. */
#define OWN_MAIN
#if defined(_WIN32)
#include <winsock2.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#endif
#include <string.h>

#include "../cases.h"

#include "uflow/runtime.h"

#include "sockets.h"

#define LIMIT UF_S(90)

/* -- sockets of both platforms ------------------------------------------------------------------------------------- */

#if defined(_WIN32)
typedef SOCKET handle;
typedef int length;

static void sleep_5_ms(void)
{
    Sleep(5);
}

static void begin_sockets(void)
{
    WSADATA data;
    assert_int_equal(WSAStartup(MAKEWORD(2, 2), &data), 0);
}

static void close_socket(int fd)
{
    assert_int_equal(closesocket((SOCKET)fd), 0);
}

static void set_nonblocking(int fd)
{
    u_long on = 1;
    assert_int_equal(ioctlsocket((SOCKET)fd, (long)FIONBIO, &on), 0);
}

static bool would_block(void)
{
    return WSAGetLastError() == WSAEWOULDBLOCK;
}
#else
typedef int handle;
typedef socklen_t length;
#define SD_SEND SHUT_WR

static void sleep_5_ms(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static void begin_sockets(void)
{
}

static void close_socket(int fd)
{
    assert_int_equal(close(fd), 0);
}

static void set_nonblocking(int fd)
{
    assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
}

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINPROGRESS;
}
#endif

static int new_socket(void)
{
    handle const fd = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    assert_true((int)fd >= 0);
    return (int)fd;
}

/* Listens at a port of the loopback interface. */
static int new_listener(struct sockaddr_in *address)
{
    int const fd = new_socket();
    length size = sizeof *address;

    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert_int_equal(bind((handle)fd, (struct sockaddr *)(void *)address, sizeof *address), 0);
    assert_int_equal(getsockname((handle)fd, (struct sockaddr *)(void *)address, &size), 0);
    assert_int_equal(listen((handle)fd, 8), 0);
    return fd;
}

static bool connect_socket(int fd, const struct sockaddr_in *address)
{
    return connect((handle)fd, (const struct sockaddr *)(const void *)address, sizeof *address) == 0;
}

static void new_pair(int ends[2])
{
    struct sockaddr_in address;
    int const listener = new_listener(&address);

    ends[0] = new_socket();
    assert_true(connect_socket(ends[0], &address));
    ends[1] = (int)accept((handle)listener, NULL, NULL);
    assert_true(ends[1] >= 0);
    set_nonblocking(ends[0]);
    set_nonblocking(ends[1]);
    close_socket(listener);
}

static void close_pair(const int ends[2])
{
    close_socket(ends[0]);
    close_socket(ends[1]);
}

static bool send_byte(int fd)
{
    return send((handle)fd, "x", 1, 0) == 1;
}

static bool receive_some(int fd)
{
    static char bytes[65536];
    return recv((handle)fd, bytes, sizeof bytes, 0) > 0;
}

/* The system may move sent bytes to the other end a little later, and then takes more. */
static void fill(int fd)
{
    static const char bytes[65536];
    for (int full = 0; full < 20;) {
        if (send((handle)fd, bytes, sizeof bytes, 0) > 0) {
            full = 0;
            continue;
        }
        assert_true(would_block());
        full++;
        sleep_5_ms();
    }
}

/* -- the tests ----------------------------------------------------------------------------------------------------- */

static uf_runtime *runtime;
static Peer peers[100];

static int begin(void **state)
{
    (void)state;
    assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++)
        assert_int_equal(Peer_init(&peers[i], uf_runtime_pump(runtime), "peer"), UF_OK);
    return 0;
}

static int end(void **state)
{
    (void)state;
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    return 0;
}

static void assert_done(uf_run run)
{
    uf_call_info info;
    assert_int_equal(uf_run_wait(run, LIMIT, &info), UF_OK);
    assert_string_equal(info.reason, "");
    assert_int_equal(info.outcome, UF_DONE);
}

static void assert_waits(uf_run run)
{
    assert_int_equal(uf_run_wait(run, UF_MS(100), NULL), UF_TIMED_OUT);
}

#define TEST(name) CASE_WITH(name, begin, end)

TEST(a_connection)
{
    struct sockaddr_in address;
    int const listener = new_listener(&address), client = new_socket();
    uf_run accepts, connects, reads;

    assert_int_equal(Peer_start_run_Read(&peers[0], &accepts, listener), UF_OK);
    assert_waits(accepts);
    set_nonblocking(client);
    assert_true(connect_socket(client, &address) || would_block());
    assert_int_equal(Peer_start_run_Write(&peers[1], &connects, client), UF_OK);
    assert_done(accepts);
    assert_done(connects);

    int const server = (int)accept((handle)listener, NULL, NULL);
    assert_true(server >= 0);
    assert_int_equal(Peer_start_run_Read(&peers[0], &reads, server), UF_OK);
    assert_waits(reads);
    assert_true(send_byte(client));
    assert_done(reads);
    assert_true(receive_some(server));
    close_socket(client);
    assert_int_equal(Peer_start_run_Read(&peers[0], &reads, server), UF_OK); /* the end of the connection */
    assert_done(reads);
    close_socket(server);
    close_socket(listener);
}

TEST(a_connect_that_fails)
{
    struct sockaddr_in address;
    int const listener = new_listener(&address), client = new_socket();
    uf_run run;

    close_socket(listener);
    set_nonblocking(client);
    if (!connect_socket(client, &address) && would_block()) {
        assert_int_equal(Peer_start_run_Write(&peers[0], &run, client), UF_OK);
        assert_done(run);
    }
    assert_false(send_byte(client));
    close_socket(client);
}

/* The other end sends no more. That makes no room to write. */
TEST(a_half_closed_connection)
{
    int ends[2];
    uf_run writes, reads;

    new_pair(ends);
    fill(ends[0]);
    assert_int_equal(Peer_start_run_Write(&peers[0], &writes, ends[0]), UF_OK);
    assert_int_equal(shutdown((handle)ends[1], SD_SEND), 0);
    assert_int_equal(Peer_start_run_Read(&peers[1], &reads, ends[0]), UF_OK);
    assert_done(reads);
    assert_waits(writes);
    while (uf_flow_running(&peers[0].uf)) (void)receive_some(ends[1]);
    assert_done(writes);
    close_pair(ends);
}

TEST(two_arms_and_two_flows)
{
    int ends[2], result = 0;
    uf_run run, other;

    new_pair(ends);
    fill(ends[0]);
    assert_int_equal(Peer_start_run_Either(&peers[0], &run, ends[0], ends[0]), UF_OK);
    assert_int_equal(Peer_start_run_Read(&peers[1], &other, ends[0]), UF_OK);
    assert_waits(run);
    assert_true(send_byte(ends[1]));
    assert_done(run);
    assert_done(other);
    assert_true(Peer_result_Either(&peers[0], &result));
    assert_int_equal(result, 1);
    close_pair(ends);
}

TEST(closing_fails_the_wait)
{
    int ends[2];
    uf_call_info info;
    uf_run run;

    new_pair(ends);
    assert_int_equal(Peer_start_run_Read(&peers[0], &run, ends[0]), UF_OK);
    assert_waits(run);
    assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_OK);
    assert_int_equal(uf_run_wait(run, LIMIT, &info), UF_OK);
    assert_int_equal(info.outcome, UF_FAILED);
    assert_non_null(strstr(info.reason, "closed"));
    assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), ends[0]), UF_INVALID);
    close_socket(ends[1]);
}

/* The runtime is not notified. The waits for other sockets go on. */
TEST(a_socket_that_was_closed)
{
    int lost[2], ends[2];
    uf_run run, other;

    new_pair(lost);
    new_pair(ends);
    assert_int_equal(Peer_start_run_Read(&peers[0], &run, lost[0]), UF_OK);
    assert_int_equal(Peer_start_run_Write(&peers[1], &other, ends[0]), UF_OK);
    assert_done(other); /* after it, the wait for lost[0] has begun for this thread too */
    close_socket(lost[0]);
    assert_int_equal(Peer_start_run_Read(&peers[1], &other, ends[0]), UF_OK);
    assert_waits(other);
    assert_true(send_byte(ends[1]));
    assert_done(other);
    assert_int_equal(uf_flow_cancel(&peers[0].uf), UF_OK);
    close_socket(lost[1]);
    close_pair(ends);
}

TEST(what_is_no_socket)
{
    static const int wrong[] = {-1, 1 << 20, INT32_MIN};
    uf_call_info info;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(Peer_call_Read(&peers[0], wrong[i], LIMIT, &info), UF_NOT_DONE);
        assert_memory_equal(info.reason, "bare ", 5);
        assert_int_equal(uf_fd_close(uf_runtime_pump(runtime), wrong[i]), UF_INVALID);
    }
}

/* More than an fd_set of Windows holds, and on two linked runtimes. */
TEST(many_sockets)
{
    enum { COUNT = sizeof peers / sizeof *peers };
    static int ends[COUNT][2];
    uf_run runs[COUNT];
    uf_runtime *second;
    static Peer linked;
    uf_run run;
    int pair[2];

    assert_int_equal(uf_runtime_new(&second, NULL), UF_OK);
    assert_int_equal(uf_runtime_link(runtime, second), UF_OK);
    assert_int_equal(Peer_init(&linked, uf_runtime_pump(second), "linked"), UF_OK);
    new_pair(pair);
    assert_int_equal(Peer_start_run_Read(&linked, &run, pair[0]), UF_OK);
    for (int i = 0; i < COUNT; i++) {
        new_pair(ends[i]);
        assert_int_equal(Peer_start_run_Read(&peers[i], &runs[i], ends[i][0]), UF_OK);
    }
    assert_waits(run);
    for (int i = COUNT - 1; i >= 0; i -= 2) assert_true(send_byte(ends[i][1]));
    for (int i = COUNT - 1; i >= 0; i -= 2) assert_done(runs[i]);
    for (int i = COUNT - 2; i >= 0; i -= 2) assert_true(uf_flow_running(&peers[i].uf));
    assert_true(send_byte(pair[1]));
    assert_done(run);
    for (int i = COUNT - 2; i >= 0; i -= 2) assert_true(send_byte(ends[i][1]));
    for (int i = COUNT - 2; i >= 0; i -= 2) assert_done(runs[i]);
    for (int i = 0; i < COUNT; i++) close_pair(ends[i]);
    close_pair(pair);
    assert_int_equal(uf_runtime_unlink(second), UF_OK);
    assert_int_equal(uf_runtime_free(second), UF_OK);
}

int main(void)
{
    begin_sockets();
    return cases_run();
}
