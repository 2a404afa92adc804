/* SPDX-License-Identifier: MIT */
/* W4 on uflow. Two runtimes, each with a thread of its own. */
#define BENCH_USAGE "[round trips [signal | mail | post]]"

#include "pingpong.h"
#include "pingpong_flows.h"
#include "uflow/runtime.h"

static uf_runtime *left_runtime, *right_runtime;
static uf_signal over = UF_SIGNAL("over");

void game_begins(void)
{
    pingpong_began = bench_begin();
}
void ball_sent(void)
{
    pingpong_sent();
}
void ball_received(void)
{
    pingpong_received();
}
void game_ends(void)
{
    pingpong_ended = bench_end();
    (void)uf_signal_fire(&over);
}

static void by_signals(uint64_t trips)
{
    static Left left;
    static Right right;

    BENCH_CHECK(Left_init(&left, uf_runtime_pump(left_runtime), "left") == UF_OK);
    BENCH_CHECK(Right_init(&right, uf_runtime_pump(right_runtime), "right") == UF_OK);
    BENCH_CHECK(Right_start_Play(&right, trips) == UF_OK && Left_start_Play(&left, trips) == UF_OK);
    BENCH_CHECK(uf_flow_wait(&left.uf, UF_FOREVER, NULL) == UF_OK);
    BENCH_CHECK(uf_flow_wait(&right.uf, UF_FOREVER, NULL) == UF_OK);
}

static void by_mail(uint64_t trips)
{
    static Player left, right;
    uint32_t const since = uf_signal_epoch(&over);

    BENCH_CHECK(Player_init(&left, uf_runtime_pump(left_runtime), "left") == UF_OK);
    BENCH_CHECK(Player_init(&right, uf_runtime_pump(right_runtime), "right") == UF_OK);
    left.serves = true;
    left.left = right.left = trips;
    left.other = &right;
    right.other = &left;
    game_begins();
    BENCH_CHECK(Player_start_Play(&left) == UF_OK && Player_start_Play(&right) == UF_OK);
    BENCH_CHECK(uf_signal_wait_since(&over, since, UF_FOREVER) == UF_OK);
}

static uint64_t posts_left;

static void at_right(void *argument);

static void at_left(void *argument)
{
    if (posts_left-- == 0) {
        game_ends();
        return;
    }
    pingpong_sent();
    (void)uf_post(right_runtime, at_right, argument);
}

static void at_right(void *argument)
{
    pingpong_received();
    (void)uf_post(left_runtime, at_left, argument);
}

static void by_posts(uint64_t trips)
{
    uint32_t const since = uf_signal_epoch(&over);

    posts_left = trips;
    game_begins();
    BENCH_CHECK(uf_post(left_runtime, at_left, NULL) == UF_OK);
    BENCH_CHECK(uf_signal_wait_since(&over, since, UF_FOREVER) == UF_OK);
}

int main(int argc, char **argv)
{
    uint64_t const trips = bench_number(argc, argv, 1, 50000);
    static void (*const games[])(uint64_t trips) = {by_signals, by_mail, by_posts};
    int const how = bench_word(argc, argv, 2, (char const *const[]){"signal", "mail", "post", NULL});

    BENCH_CHECK(uf_runtime_new(&left_runtime, NULL) == UF_OK && uf_runtime_new(&right_runtime, NULL) == UF_OK);
    games[how](trips);
    (void)uf_runtime_free(left_runtime);
    (void)uf_runtime_free(right_runtime);
    pingpong_report(trips);
    return 0;
}
