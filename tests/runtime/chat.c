/* SPDX-License-Identifier: MIT */
/* chat.c - a chat server with a thousand clients, in virtual time. Nothing is allocated, so memory is bounded: unread
 * text of a client is in its mailbox, or the client is put out. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "uflow/simulate.h"
#include "uflow/stop.h"

#include "chat.h"

static Chat chat;
static int waiting, accepted, refused, closed;
static int lines_of[CLIENTS], last_of[CLIENTS]; /* of the client in this place */
static int deaf[CLIENTS];                       /* it takes no data */
static char why_of[CLIENTS][40];                /* why the last one left */

bool chat_is_knocked(void)
{
    return waiting > 0;
}

int chat_accept(void)
{
    return waiting > 0 ? (waiting--, accepted++) : -1;
}

void chat_refuse(int fd)
{
    (void)fd;
    refused++;
}

bool chat_write(int index, const line *one)
{
    if (deaf[index]) return false;
    if (lines_of[index]++ > 0) assert_int_equal(one->number, last_of[index] + 1);
    last_of[index] = one->number;
    return true;
}

void chat_close(int index, int fd)
{
    (void)fd;
    closed++;
    lines_of[index] = last_of[index] = 0;
}

void chat_left(int index, const char *why)
{
    (void)snprintf(why_of[index], sizeof why_of[index], "%s", why);
}

static void come(int count)
{
    waiting += count;
    uf_signal_fire(&chat.knocked);
    for (int i = 0; i < count + 3; i++) uf_pump_round(&pump, pump.clock.real);
}

static int said;

static void say(void)
{
    line one = {.number = ++said, .text = "hello"};
    assert_int_equal(Chat_said_send(&chat, one), UF_OK);
    rounds(6);
}

static int open_chat(void **state)
{
    if (begin(state) != 0) return 1;
    waiting = accepted = refused = closed = said = 0;
    memset(lines_of, 0, sizeof lines_of);
    memset(deaf, 0, sizeof deaf);
    memset(why_of, 0, sizeof why_of);
    assert_int_equal(Chat_init(&chat, &pump, "chat"), UF_OK);
    assert_int_equal(Chat_start_Run(&chat), UF_OK);
    come(CLIENTS);
    assert_int_equal(Chat_clients_busy(&chat), CLIENTS);
    return 0;
}

#define CHAT_TEST(name) CASE_WITH(name, open_chat, NULL)

CHAT_TEST(each_line_goes_to_all)
{
    for (int i = 0; i < 50; i++) say();
    for (int i = 0; i < CLIENTS; i++) assert_int_equal(lines_of[i], 50);
}

CHAT_TEST(who_does_not_read_is_put_out_and_holds_up_nobody)
{
    say();
    deaf[17] = 1;
    for (int i = 0; i < QUEUE + 1; i++) say(); /* one is being written */
    assert_int_equal(Chat_clients_busy(&chat), CLIENTS);
    say();
    assert_int_equal(Chat_clients_busy(&chat), CLIENTS - 1);
    assert_string_equal(why_of[17], "cancelled");
    for (int i = 0; i < CLIENTS; i++) assert_int_equal(lines_of[i], i == 17 ? 0 : said);
    deaf[17] = 0;
    come(1); /* takes the place, and hears only what is said from now on */
    say();
    assert_int_equal(lines_of[17], 1);
    assert_int_equal(last_of[17], said);
}

CHAT_TEST(who_reads_again_in_time_misses_nothing)
{
    deaf[3] = 1;
    for (int i = 0; i < QUEUE; i++) say();
    deaf[3] = 0;
    uf_signal_fire(&Chat_clients_at(&chat, 3)->drained);
    rounds(3 * QUEUE);
    assert_int_equal(lines_of[3], QUEUE);
    say();
    assert_int_equal(lines_of[3], QUEUE + 1);
}

CHAT_TEST(a_silent_client_is_put_out_after_a_time)
{
    deaf[5] = 1;
    say();
    assert_int_equal(uf_simulate_until(&pump, UF_S(31)), UF_OK);
    assert_string_equal(why_of[5], "does not read");
    assert_int_equal(Chat_clients_busy(&chat), CLIENTS - 1);
}

CHAT_TEST(a_full_house_lets_the_next_one_in_when_somebody_leaves)
{
    come(1);
    assert_int_equal(refused, 1);
    waiting = 1;
    uf_flow_cancel(&Chat_clients_at(&chat, 400)->uf);
    rounds(6);
    assert_int_equal(accepted, CLIENTS + 2);
    assert_int_equal(Chat_clients_busy(&chat), CLIENTS);
    come(1);
    assert_int_equal(refused, 2);
    say(); /* while the server waits for a place */
    for (int i = 0; i < CLIENTS; i++) assert_int_equal(lines_of[i], 1);
}

CHAT_TEST(a_cancel_loses_no_connection)
{
    for (int delay = 0; delay < 6; delay++) { /* in turns after the one that accepts */
        if (delay) assert_int_equal(Chat_start_Run(&chat), UF_OK);
        waiting = 1;
        uf_signal_fire(&chat.knocked);
        rounds(delay);
        assert_int_equal(uf_flow_cancel(&chat.uf), UF_OK);
        rounds(6);
        assert_int_equal(refused, accepted - CLIENTS);
    }
    assert_int_not_equal(accepted, CLIENTS);
}

CHAT_TEST(a_stop_lets_all_leave)
{
    uf_stop_report report;
    deaf[9] = 1;
    say();
    assert_int_equal(uf_simulate_stop(&pump, UF_S(10), &report), UF_OK);
    assert_int_equal(closed, CLIENTS);
    assert_int_equal(report.cancelled, 0);
    assert_int_equal(report.ended, CLIENTS + 1);
    assert_int_equal(Chat_destroy(&chat), UF_OK);
}
