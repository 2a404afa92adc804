/* SPDX-License-Identifier: MIT */
/* test_post.c - posts, the hook, wake-ups. */
#include "host_test.h"

#include "uflow/console.h"
#include "uflow/counters.h"

#include <stdlib.h>

static int order[5], count, wrong, answer;
static pthread_t pump_thread;

static void note_order(void *argument)
{
    order[count++] = (int)(intptr_t)argument;
}

TEST(F4_in_order)
{
    count = 0;
    for (intptr_t i = 0; i < 5; i++) assert_int_equal(uf_post(runtime, note_order, (void *)i), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(count, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(order[i], i);
}

static int released;

static void post_oneself(void *argument)
{
    (void)argument;
    count++;
    if (!READ(released)) assert_int_equal(uf_post(runtime, post_oneself, NULL), UF_OK);
}

TEST(F4_a_post_of_oneself_starves_nobody)
{
    count = released = 0;
    assert_int_equal(uf_post(runtime, post_oneself, NULL), UF_OK);
    assert_int_equal(Worker_start_Count(&workers[0], 1000), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK);
    SET(released, 1);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_true(count >= 1000); /* one per round, like the steps */
}

static void set_answer(void *argument)
{
    *(int *)argument = 42;
    pump_thread = pthread_self();
    answer = uf_runtime_is_own_thread(runtime) ? 1 : 0;
}

static uf_status in_a_post;

static void post_wait_in_a_post(void *argument)
{
    (void)argument;
    in_a_post = uf_post_wait(runtime, set_answer, &answer);
}

TEST(F5_waits_for_the_answer)
{
    int value = 0;
    assert_int_equal(uf_post_wait(runtime, set_answer, &value), UF_OK);
    assert_int_equal(value, 42);
    assert_int_equal(answer, 1);
    assert_false(pthread_equal(pump_thread, pthread_self()));
    assert_false(uf_runtime_is_own_thread(runtime));
    assert_int_equal(uf_post_wait(runtime, post_wait_in_a_post, NULL), UF_OK);
    assert_int_equal(in_a_post, UF_DEADLOCK);
    assert_int_equal(uf_post(runtime, NULL, NULL), UF_INVALID);
}

CASE(F5_closed_once_it_ends)
{
    begin_with(NULL);
    count = 0;
    for (intptr_t i = 0; i < 5; i++) assert_int_equal(uf_post(runtime, note_order, (void *)i), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    assert_int_equal(count, 5); /* accepted posts were run */
}

static int ending, gate;

static void end_slowly(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    (void)flow;
    (void)end;
    SET(ending, 1);
    while (READ(gate) == 0) sleep_ms(1);
}

static void *free_it(void *argument)
{
    (void)argument;
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    return NULL;
}

/* While the runtime is being freed, posts are refused at once. */
CASE(F5_closed_while_it_ends)
{
    uf_observer observer = {.flow_ended = end_slowly};
    uf_runtime_config const config = {.observers = &observer};
    threads crowd;
    begin_with(&config);
    ending = gate = 0;
    assert_int_equal(Worker_start_Rest(&workers[0], UF_FOREVER), UF_OK);
    crowd_start(&crowd, 1, free_it);
    UNTIL(READ(ending) == 1);
    assert_int_equal(uf_post_wait(runtime, set_answer, &answer), UF_CLOSED);
    assert_int_equal(uf_post(runtime, set_answer, &answer), UF_CLOSED);
    assert_int_equal(Worker_start_Count(&workers[1], 1), UF_STOPPING);
    assert_int_equal(uf_runtime_cancel_all(runtime), UF_CLOSED);
    assert_int_equal(uf_runtime_free(runtime), UF_BUSY);
    SET(gate, 1);
    crowd_join(&crowd);
}

static uf_post_event seen;
static int events;

static void note_posted(void *context, const uf_post_event *post)
{
    (void)context;
    seen = *post;
    events++;
}

static void note_began(void *context, const uf_post_event *post)
{
    assert_int_equal(post->took, 0);
    note_posted(context, post);
}

static void look_at_its_beginning(void *argument)
{
    *(int *)argument = events; /* the post is known while it runs */
}

TEST(G13_a_post_is_told_of_before_it_runs)
{
    uf_observer observer = {.post_began = note_began};
    int known = 0;
    events = 0;
    assert_int_equal(uf_post_wait(runtime, look_at_its_beginning, &known), UF_OK);
    assert_int_equal(known, 0); /* made before the observer came */
    assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(uf_post_wait(runtime, look_at_its_beginning, &known), UF_OK);
        assert_int_equal(known, i);
        assert_true(seen.blocking && seen.waited >= 0);
        assert_string_equal(seen.caller, "G13_a_post_is_told_of_before_it_runs");
    }
    assert_int_equal(uf_runtime_remove_observer(runtime, &observer), UF_OK);
}

TEST(F6_the_place_of_the_call)
{
    uf_observer observer = {.posted = note_posted};
    events = 0;
    assert_int_equal(uf_runtime_add_observer(runtime, &observer), UF_OK);
    int const line = __LINE__ + 1;
    assert_int_equal(uf_post_wait(runtime, set_answer, &answer), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(events, 1);
    assert_non_null(strstr(seen.file, "test_post.c"));
    assert_int_equal(seen.line, line);
    assert_string_equal(seen.caller, "F6_the_place_of_the_call");
    assert_true(seen.blocking && seen.waited >= 0);
    assert_int_equal(uf_post_at(runtime, set_answer, &answer, "elsewhere.c", 7, NULL), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(events, 2);
    assert_string_equal(seen.file, "elsewhere.c");
    assert_string_equal(seen.caller, "");
    assert_false(seen.blocking);
    assert_int_equal(uf_runtime_remove_observer(runtime, &observer), UF_OK);
}

TEST(G13_the_console_shows_posts_and_links)
{
    static uf_console console;
    char text[1024];
    uf_runtime *driver;
    FILE *const out = tmpfile();
    assert_non_null(out);
    assert_int_equal(uf_console_init(&console, out), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &console.observer), UF_OK);
    assert_int_equal(uf_post_at(runtime, set_answer, &answer, "here.c", 7, "one"), UF_OK);
    assert_int_equal(uf_post_wait_at(runtime, set_answer, &answer, "there.c", 8, "other"), UF_OK);
    assert_int_equal(uf_runtime_new(&driver, &(uf_runtime_config){.name = "driver"}), UF_OK);
    assert_int_equal(uf_runtime_link(driver, runtime), UF_OK);
    assert_int_equal(uf_runtime_unlink(runtime), UF_OK);
    assert_int_equal(uf_runtime_remove_observer(runtime, &console.observer), UF_OK);
    assert_int_equal(uf_runtime_free(driver), UF_OK);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    const char *const lines[] = {
        "POST RUN      here.c:7 one()  waited=",    "POST END      here.c:7 one()  took=",
        "POSTWAIT RUN  there.c:8 other()  waited=", "POSTWAIT END  there.c:8 other()  took=",
        "LINK          driven by driver\n",         "UNLINK        driven by its own thread\n"};
    const char *at = text;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        at = strstr(at, lines[i]);
        assert_non_null(at);
    }
}

static uint64_t hook_round, post_round, step_round;
static int hooks, sequence, hook_at, post_at;

static void hook(void *context)
{
    COUNT(*(int *)context);
    hook_round = uf_pump_rounds(uf_runtime_pump(runtime)) + 1; /* the number of the round is incremented after it */
    hook_at = ++sequence;
}

static void note_post(void *argument)
{
    (void)argument;
    post_round = uf_pump_rounds(uf_runtime_pump(runtime)) + 1;
    post_at = ++sequence;
    assert_int_equal(Worker_start_Count(&workers[0], 1), UF_OK);
}

static void note_step(Worker *flow)
{
    step_round = uf_pump_rounds(flow->uf.pump);
    wrong += !(hook_at < post_at && hook_round == post_round && step_round == hook_round);
}

static void rest_once_set(void *argument)
{
    while (!READ(*(int *)argument)) sleep_ms(1);
    sleep_ms(20);
}

TEST(G13_posts_are_counted_and_timed)
{
    static uf_counters counters;
    uf_post_counts posts;
    int sent = 0;
    assert_int_equal(uf_counters_init(&counters, NULL, 0), UF_OK);
    assert_int_equal(uf_runtime_add_observer(runtime, &counters.observer), UF_OK);
    for (int i = 0; i < 3; i++) assert_int_equal(uf_post(runtime, rest_once_set, &sent), UF_OK);
    SET(sent, 1); /* from here on they take 20 ms each, and two wait for at least one of them */
    assert_int_equal(uf_post_wait(runtime, set_answer, &answer), UF_OK);
    assert_int_equal(uf_post_wait(runtime, set_answer, &answer), UF_OK);
    assert_int_equal(uf_runtime_remove_observer(runtime, &counters.observer), UF_OK);
    uf_counters_posts(&counters, &posts);
    assert_int_equal(posts.count, 5);
    assert_int_equal(posts.blocking, 2);
    assert_true(posts.longest >= UF_MS(20) && posts.took >= UF_MS(60) && posts.took >= posts.longest);
    assert_true(posts.longest_wait >= UF_MS(40) && posts.waited >= UF_MS(60) && posts.waited >= posts.longest_wait);
}

TEST(F9_the_hook_comes_before_the_posts_and_the_steps)
{
    hooks = wrong = 0;
    workers[0].body = note_step;
    uf_runtime_set_pre_round(runtime, hook, &hooks);
    assert_int_equal(uf_post_wait(runtime, set_answer, &answer), UF_OK); /* in a round that may have begun before */
    assert_int_equal(uf_post_wait(runtime, note_post, NULL), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_true(READ(hooks) >= 1);
    assert_int_equal(wrong, 0);
    uf_runtime_set_pre_round(runtime, NULL, NULL);
    assert_int_equal(uf_post_wait(runtime, set_answer, &answer), UF_OK);
    int const before = READ(hooks);
    for (int i = 0; i < 10; i++) assert_int_equal(uf_post_wait(runtime, set_answer, &answer), UF_OK);
    assert_int_equal(READ(hooks), before);
}

static int compare(const void *a, const void *b)
{
    int64_t const left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* A start does not wait for the end of a sleep: half of the runs begin at once, though the sleep takes five seconds. */
CASE(F3_a_start_ends_the_nap)
{
    uf_runtime_config const slow = {.stay_interval = UF_S(5)};
    int64_t took[51];
    begin_with(&slow);
    assert_int_equal(Worker_start_Poll(&workers[1]), UF_OK);
    for (size_t i = 0; i < sizeof took / sizeof *took; i++) {
        int64_t const began = real_now();
        assert_int_equal(Worker_call_Count(&workers[0], 1, LONG, NULL, NULL), UF_OK);
        took[i] = real_now() - began;
    }
    qsort(took, sizeof took / sizeof *took, sizeof *took, compare);
    assert_true(took[25] < UF_MS(100)); /* 0.03 ms on an idle machine */
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

static void wake_oneself(Worker *flow)
{
    if (flow->bodies == 1) uf_runtime_wake(runtime);
    else flow->release = true;
}

CASE(F3_a_wake_during_a_round_is_not_lost)
{
    uf_runtime_config const slow = {.stay_interval = UF_S(1000)};
    begin_with(&slow);
    workers[0].body = wake_oneself;
    assert_int_equal(Worker_start_Poll(&workers[0]), UF_OK);
    assert_int_equal(uf_flow_wait(&workers[0].uf, LONG, NULL), UF_OK); /* the sleep takes a thousand seconds */
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}

static void count_one(void *argument)
{
    (void)argument;
    count++;
}

static void *post_counts(void *argument)
{
    (void)argument;
    for (int i = 0; i < MANY(2000); i++) {
        if ((i % 50 == 0 ? uf_post_wait(runtime, count_one, NULL) : uf_post(runtime, count_one, NULL)) != UF_OK)
            COUNT(wrong);
    }
    return NULL;
}

TEST(F4_from_eight_threads)
{
    threads crowd;
    count = wrong = 0;
    crowd_start(&crowd, 8, post_counts);
    crowd_join(&crowd);
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(count, 8 * MANY(2000));
    assert_int_equal(wrong, 0);
}
