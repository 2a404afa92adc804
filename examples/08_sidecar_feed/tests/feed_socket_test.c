/* Tests the connection without flows, driven by poll(), against an independent server: feed_socket_test PYTHON
 * price_server.py */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "feed_socket.h"
#include "server_process.h"

static const char *python, *script;

enum { LONG = 20000 }; /* ms: longer than any operation takes */
static const feed_limits patient = {.connect = LONG, .close = LONG, .ping = LONG, .dead = LONG};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static server_process start(const char *mode, const char *count)
{
    return server_start(python, script, mode, count);
}

static feed_socket *open_at(unsigned port, const feed_limits *limits)
{
    char url[64];
    feed_socket *const socket = calloc(1, sizeof *socket);
    snprintf(url, sizeof url, "ws://127.0.0.1:%u/prices?of=today", port);
    if (!feed_socket_open(socket, url, limits, now_ms())) fail_msg("%s", feed_socket_reason(socket));
    return socket;
}

/* One iteration of a loop around it: waits for its events, once, and serves it. Fails the test if it hangs. */
static feed_state turn(feed_socket *socket)
{
    int const wait = feed_socket_wait(socket, now_ms());
    bool const reads = feed_socket_wants_read(socket), writes = feed_socket_wants_write(socket);
    struct pollfd one = {.fd = feed_socket_fd(socket),
                         .events = (short)((reads ? POLLIN : 0) | (writes ? POLLOUT : 0))};
    assert_true(wait >= 0 || reads || writes); /* otherwise no event would ever wake the loop */
    int const ready = poll(&one, 1, wait >= 0 && wait < LONG ? wait : LONG);
    if (ready == 0 && wait < 0) fail_msg("nothing happens");
    return feed_socket_service(socket, now_ms());
}

static void turn_until(feed_socket *socket, feed_state state)
{
    int64_t const limit = now_ms() + 2 * LONG;
    while (socket->state != state) {
        if (socket->state == FEED_DOWN || now_ms() > limit) fail_msg("down: %s", feed_socket_reason(socket));
        (void)turn(socket);
    }
}

static void subscribe(feed_socket *socket)
{
    turn_until(socket, FEED_OPEN);
    assert_true(feed_socket_send(socket, "subscribe ACME"));
}

/* Takes prices until there are `count`, and checks their numbers. */
static void take_in_order(feed_socket *socket, int from, int to)
{
    char message[FEED_MESSAGE_SIZE];
    for (int number = from; number <= to;) {
        while (number <= to && feed_socket_next(socket, message)) {
            int got = -1;
            assert_int_equal(sscanf(message, "price ACME %*f %d", &got), 1);
            assert_int_equal(got, number++);
        }
        if (number <= to) {
            if (socket->state == FEED_DOWN) fail_msg("down at %d: %s", number, feed_socket_reason(socket));
            (void)turn(socket);
        }
    }
}

static void expect_down(feed_socket *socket, const char *reason)
{
    turn_until(socket, FEED_DOWN);
    assert_string_equal(feed_socket_reason(socket), reason);
    assert_int_equal(feed_socket_fd(socket), -1);
    assert_int_equal(feed_socket_wait(socket, now_ms()), -1);
    assert_false(feed_socket_send(socket, "more"));
}

static void close_well(feed_socket *socket)
{
    feed_socket_close(socket, now_ms());
    assert_int_equal(socket->state, FEED_CLOSING);
    assert_false(feed_socket_send(socket, "more"));
    expect_down(socket, "closed");
    assert_true(feed_socket_closed_well(socket));
    free(socket);
}

static void test_1000_messages_come_in_order(void **state)
{
    (void)state;
    server_process server = start("quiet", "1000");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    take_in_order(socket, 1, 1000);
    close_well(socket);
    server_stop(&server);
}

static void test_a_closed_connection_opens_again(void **state)
{
    (void)state;
    server_process server = start("quiet", "10");
    feed_socket *const socket = open_at(server.port, &patient);
    char url[64], message[FEED_MESSAGE_SIZE];
    snprintf(url, sizeof url, "ws://localhost:%u", server.port);
    for (int i = 0; i < 3; i++) {
        subscribe(socket);
        take_in_order(socket, 1, 5); /* the other prices remain */
        assert_true(feed_socket_open(socket, url, &patient, now_ms()));
        assert_string_equal(feed_socket_reason(socket), "");
        assert_false(feed_socket_next(socket, message));
    }
    turn_until(socket, FEED_OPEN);
    close_well(socket);
    server_stop(&server);
}

static void test_a_peer_that_drops(void **state)
{
    (void)state;
    server_process server = start("drop", "7");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    take_in_order(socket, 1, 7);
    expect_down(socket, "the peer dropped the connection");
    free(socket);
    server_stop(&server);
}

static void test_what_came_before_the_drop_can_be_read(void **state)
{
    (void)state;
    server_process server = start("drop", "50");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    expect_down(socket, "the peer dropped the connection");
    take_in_order(socket, 1, 50);
    free(socket);
    server_stop(&server);
}

static void test_a_peer_that_dies(void **state)
{
    (void)state;
    server_process server = start("feed", "1");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    take_in_order(socket, 1, 1);
    server_stop(&server);
    turn_until(socket, FEED_DOWN);
    assert_true(feed_socket_reason(socket)[0] != '\0');
    free(socket);
}

static void test_a_peer_that_closes(void **state)
{
    (void)state;
    server_process server = start("bye", "3");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    take_in_order(socket, 1, 3);
    expect_down(socket, "the peer closed: 1001 going away");
    free(socket);
    server_stop(&server);
}

static void test_a_quiet_peer_is_alive(void **state)
{
    (void)state;
    feed_limits const nervous = {.connect = LONG, .close = LONG, .ping = 20, .dead = LONG};
    server_process server = start("quiet", "0");
    feed_socket *const socket = open_at(server.port, &nervous);
    subscribe(socket);
    for (int answers = 0; answers < 5;) {
        bool const pinged = socket->pinged;
        assert_int_equal(turn(socket), FEED_OPEN);
        if (pinged && !socket->pinged) answers++;
    }
    close_well(socket);
    server_stop(&server);
}

static void test_a_half_open_connection_is_found(void **state)
{
    (void)state;
    feed_limits const nervous = {.connect = LONG, .close = LONG, .ping = 30, .dead = 120};
    server_process server = start("halfopen", "3");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    take_in_order(socket, 1, 3);
    socket->limits = nervous; /* from here on; before, a slow machine could look like a dead peer */
    int64_t const begin = now_ms();
    expect_down(socket, "no sign of life from the peer for 120 ms");
    assert_true(now_ms() - begin < LONG);
    free(socket);
    server_stop(&server);
}

static void test_a_close_that_nobody_answers(void **state)
{
    (void)state;
    feed_limits const quick = {.connect = LONG, .close = 100, .ping = LONG, .dead = LONG};
    static const char *const modes[] = {"deaf", "halfopen"};
    for (int i = 0; i < 2; i++) {
        server_process server = start(modes[i], "2");
        feed_socket *const socket = open_at(server.port, &quick);
        subscribe(socket);
        take_in_order(socket, 1, 2);
        int64_t const begin = now_ms();
        feed_socket_close(socket, begin);
        expect_down(socket, "the peer did not answer the close within 100 ms");
        assert_true(now_ms() - begin >= 100 && now_ms() - begin < LONG);
        free(socket);
        server_stop(&server);
    }
}

static void test_a_flood_waits_for_the_reader(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    server_process server = start("flood", "20000");
    feed_socket *const socket = open_at(server.port, &patient);
    int small = 65536;
    assert_int_equal(setsockopt(feed_socket_fd(socket), SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    subscribe(socket);
    while (feed_socket_wants_read(socket)) (void)turn(socket); /* which the test does not take */
    assert_int_equal(feed_socket_wait(socket, now_ms()), feed_socket_wants_write(socket) ? 0 : -1);
    assert_string_equal(server_line(&server), "blocked");

    assert_int_equal(feed_socket_service(socket, now_ms() + 10 * LONG), FEED_OPEN); /* our side does not read */
    socket->heard = now_ms();
    take_in_order(socket, 1, COUNT);
    assert_string_equal(server_line(&server), "sent 20000");
    close_well(socket);
    server_stop(&server);
}

static void test_a_close_with_a_full_inbox(void **state)
{
    (void)state;
    server_process server = start("flood", "20000");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    while (feed_socket_wants_read(socket)) (void)turn(socket);
    close_well(socket);
    server_stop(&server);
}

static void test_fragments_and_pings(void **state)
{
    (void)state;
    server_process server = start("split", "200");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    take_in_order(socket, 1, 200);
    close_well(socket);
    server_stop(&server);
}

static void test_a_message_that_is_too_long(void **state)
{
    (void)state;
    server_process server = start("long", "2");
    feed_socket *const socket = open_at(server.port, &patient);
    subscribe(socket);
    expect_down(socket, "a message was too long");
    take_in_order(socket, 1, 2);
    free(socket);
    server_stop(&server);
}

static void test_requests_are_queued_up_to_a_limit(void **state)
{
    (void)state;
    server_process server = start("quiet", "1");
    feed_socket *const socket = open_at(server.port, &patient);
    turn_until(socket, FEED_OPEN);
    for (int i = 0; i < FEED_OUTBOX_COUNT; i++) assert_true(feed_socket_send(socket, "subscribe ACME"));
    assert_false(feed_socket_send(socket, "subscribe ACME"));
    assert_true(feed_socket_wants_write(socket));
    take_in_order(socket, 1, 1);
    assert_true(feed_socket_send(socket, "subscribe ACME"));
    close_well(socket);
    server_stop(&server);
}

static void test_no_connection(void **state)
{
    (void)state;
    static const struct {
        const char *mode, *reason;
    } cases[] = {{"forbid", "the peer refused: 403 Forbidden"},
                 {"http", "the peer refused: 200 OK"},
                 {"badkey", "the peer's Sec-WebSocket-Accept is wrong"},
                 {"noise", "the peer does not speak HTTP"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        server_process server = start(cases[i].mode, "0");
        feed_socket *const socket = open_at(server.port, &patient);
        expect_down(socket, cases[i].reason);
        free(socket);
        server_stop(&server);
    }
}

static void test_a_peer_that_never_answers(void **state)
{
    (void)state;
    feed_limits const quick = {.connect = 100};
    server_process server = start("stall", "0");
    feed_socket *const socket = open_at(server.port, &quick);
    expect_down(socket, "no answer within 100 ms");
    assert_true(feed_socket_open(socket, "ws://127.0.0.1:1/", NULL, now_ms()));
    feed_socket_close(socket, now_ms());
    expect_down(socket, "closed while connecting");
    free(socket);
    server_stop(&server);
}

static void test_nobody_listens(void **state)
{
    (void)state;
    server_process server = start("quiet", "0");
    unsigned const port = server.port;
    server_stop(&server);
    feed_socket *const socket = open_at(port, &patient);
    expect_down(socket, "cannot connect: Connection refused");
    free(socket);
}

static void test_bad_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *url, *reason;
    } cases[] = {{"http://127.0.0.1/", "not a ws:// address: http://127.0.0.1/"},
                 {"ws://", "bad address: ws://"},
                 {"ws://127.0.0.1:0/", "bad address: ws://127.0.0.1:0/"},
                 {"ws://127.0.0.1:99999/", "bad address: ws://127.0.0.1:99999/"},
                 {"ws://127.0.0.1:80x/", "bad address: ws://127.0.0.1:80x/"},
                 {"ws://[::1/", "bad address: ws://[::1/"},
                 {"ws://127.0.0.1/a\r\nX: y", "there is a blank in the address"},
                 {"ws://feed.example/", "feed.example is no numeric address: a name would have to be looked up first"}};
    feed_socket *const socket = calloc(1, sizeof *socket);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_false(feed_socket_open(socket, cases[i].url, NULL, now_ms()));
        assert_string_equal(feed_socket_reason(socket), cases[i].reason);
        assert_int_equal(feed_socket_service(socket, now_ms()), FEED_DOWN);
    }
    free(socket);

    ws_address address;
    char reason[FEED_REASON_SIZE];
    assert_true(ws_address_read(&address, "ws://[::1]:8080/a/b?c#d", reason, sizeof reason));
    assert_string_equal(address.host, "::1");
    assert_string_equal(address.path, "/a/b?c");
    assert_int_equal(address.port, 8080);
}

static void test_responses(void **state)
{
    (void)state;
    static const struct {
        const char *status, *headers, *reason;
    } cases[] = {
        {"HTTP/1.1 101 Switching Protocols", "Upgrade: websocket\r\nConnection: Upgrade\r\n", ""},
        {"HTTP/1.1 101 ", "upgrade:WebSocket\r\nCONNECTION: keep-alive, upgrade \r\n", ""},
        {"HTTP/1.1 101 ", "Upgrade: websocket\r\nConnection: upgrades\r\n", "the peer did not upgrade to WebSocket"},
        {"HTTP/1.1 101 ", "Upgrade: h2c\r\nConnection: Upgrade\r\n", "the peer did not upgrade to WebSocket"},
        {"HTTP/1.1 101 ", "Connection: Upgrade\r\n", "the peer did not upgrade to WebSocket"},
        {"HTTP/1.1 101 ",
         "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: permessage-deflate\r\n",
         "the peer chose an extension that was not offered"},
        {"HTTP/1.1 503 Full", "", "the peer refused: 503 Full"},
        {"HTTP/1.0 101 ", "", "the peer does not speak HTTP"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char response[512], reason[FEED_REASON_SIZE] = "";
        snprintf(response, sizeof response, "%s\r\n%sSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
                 cases[i].status, cases[i].headers);
        bool const good =
            ws_response_check(response, "dGhlIHNhbXBsZSBub25jZQ==", reason, sizeof reason); /* RFC 6455, 1.3 */
        assert_string_equal(reason, cases[i].reason);
        assert_int_equal(good, reason[0] == '\0');
        assert_false(ws_response_check(response, "another", reason, sizeof reason));
    }
}

static int open_descriptors(void)
{
    int count = 0;
    DIR *const all = opendir("/dev/fd");
    if (all == NULL) return 0;
    while (readdir(all) != NULL) count++;
    closedir(all);
    return count;
}

static void test_nothing_is_left_behind(void **state)
{
    (void)state;
    int const before = open_descriptors();
    server_process server = start("quiet", "3");
    int const with_server = open_descriptors();
    for (int i = 0; i < 200; i++) {
        feed_socket *const socket = open_at(server.port, &patient);
        if (i % 4 == 0) {
            feed_socket_drop(socket, "no more");
            free(socket);
            continue;
        }
        subscribe(socket);
        take_in_order(socket, 1, i % 4);
        if (i % 2 == 0) {
            feed_socket_drop(socket, "no more");
            assert_string_equal(feed_socket_reason(socket), "no more");
            free(socket);
        } else {
            close_well(socket);
        }
        assert_int_equal(open_descriptors(), with_server);
    }
    server_stop(&server);
    assert_int_equal(open_descriptors(), before);
}

/* A quiet second costs almost nothing: no polling. */
static void test_waiting_costs_nothing(void **state)
{
    (void)state;
    feed_limits const nervous = {.connect = LONG, .close = LONG, .ping = 100, .dead = LONG};
    server_process server = start("quiet", "0");
    feed_socket *const socket = open_at(server.port, &nervous);
    subscribe(socket);
    int turns = 0;
    for (int64_t const end = now_ms() + 1000; now_ms() < end; turns++) (void)turn(socket);
    assert_in_range(turns, 1, 50); /* ten pings with their answers, and the wake-ups for them */
    close_well(socket);
    server_stop(&server);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    python = argv[1];
    script = argv[2];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_1000_messages_come_in_order),
        cmocka_unit_test(test_a_closed_connection_opens_again),
        cmocka_unit_test(test_a_peer_that_drops),
        cmocka_unit_test(test_what_came_before_the_drop_can_be_read),
        cmocka_unit_test(test_a_peer_that_dies),
        cmocka_unit_test(test_a_peer_that_closes),
        cmocka_unit_test(test_a_quiet_peer_is_alive),
        cmocka_unit_test(test_a_half_open_connection_is_found),
        cmocka_unit_test(test_a_close_that_nobody_answers),
        cmocka_unit_test(test_a_flood_waits_for_the_reader),
        cmocka_unit_test(test_a_close_with_a_full_inbox),
        cmocka_unit_test(test_fragments_and_pings),
        cmocka_unit_test(test_a_message_that_is_too_long),
        cmocka_unit_test(test_requests_are_queued_up_to_a_limit),
        cmocka_unit_test(test_no_connection),
        cmocka_unit_test(test_a_peer_that_never_answers),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_bad_addresses),
        cmocka_unit_test(test_responses),
        cmocka_unit_test(test_nothing_is_left_behind),
        cmocka_unit_test(test_waiting_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
