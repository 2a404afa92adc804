/* SPDX-License-Identifier: MIT */
/* test_pools.c - pools of flows: threads spawn, send and cancel while members end and begin again. */
#include "host_test.h"

#include <sched.h>

#include "crowd.h"
#ifdef UFP_ANNOTATED /* valgrind's tools do not know atomic accesses */
#include "port_words.h"
#else
#define ufp_note_shared(word, size) ((void)(word), (void)(size))
#endif

enum { THREADS = 4, TOKENS = 20000, MEMBERS = 16 };

static Inn inn;
static unsigned char entered[TOKENS], exited[TOKENS]; /* the pump's thread counts */
static int ends, messages;
static Guest *known[MEMBERS]; /* members that have run; NULL: not yet */

static int accepted[THREADS], refused[THREADS]; /* of each thread */
static int is_over;

void told_enter(Guest *guest, int token)
{
    entered[token]++;
    __atomic_store_n(&known[guest->index], guest, __ATOMIC_RELEASE);
}

void told_exit(int token)
{
    exited[token]++;
}

void told_end(Guest *guest)
{
    (void)guest;
    ends++;
}

void told_mail(int sent)
{
    (void)sent;
    messages++;
}

static void ignore_failure(void *context, const uf_flow *flow, const uf_failure *failure)
{
    (void)context;
    (void)flow;
    (void)failure;
}

static int begin_pools(void **state)
{
    uf_runtime_config const config = {.on_failure = ignore_failure};
    (void)state;
    memset(entered, 0, sizeof entered);
    memset(exited, 0, sizeof exited);
    memset(accepted, 0, sizeof accepted);
    memset(refused, 0, sizeof refused);
    memset(known, 0, sizeof known);
    ufp_note_shared(known, sizeof known);
    ufp_note_shared(&is_over, sizeof is_over);
    ends = messages = 0;
    __atomic_store_n(&is_over, 0, __ATOMIC_SEQ_CST);
    if (uf_runtime_new(&runtime, &config) != UF_OK) return 1;
    return Inn_init(&inn, uf_runtime_pump(runtime), "inn") == UF_OK ? 0 : 1;
}

static int end_pools(void **state)
{
    (void)state;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}

#undef TEST

/* -- threads ------------------------------------------------------------------------------------------------------- */

static int number_of(const void *argument)
{
    return (int)((const int *)argument - accepted);
}

static int token_of(int thread, int count)
{
    return count * THREADS + thread;
}

/* Spawns until its tokens are used, or the pool refuses for another reason than that it is full. */
static void *spawn_all(void *argument)
{
    int const thread = number_of(argument);
    for (int i = 0; i < MANY(1000); i++) {
        uf_status status;
        while ((status = Inn_guests_spawn_Visit(&inn, token_of(thread, i), i % 7)) == UF_FULL) {
            refused[thread]++;
            sched_yield();
        }
        if (status != UF_OK) {
            assert_int_equal(status, UF_STOPPING);
            break;
        }
        accepted[thread]++;
    }
    return NULL;
}

static void *disturb(void *argument)
{
    unsigned at = 0;
    (void)argument;
    while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
        Guest *const guest = __atomic_load_n(&known[at++ % MEMBERS], __ATOMIC_ACQUIRE);
        if (!guest) continue;
        uf_run const run = uf_flow_this_run(&guest->uf);
        uf_signal_fire(&guest->go);
        uf_status const sent = Guest_mail_send(guest, 1);
        if (sent != UF_FULL && sent != UF_CLOSED && sent != UF_STOPPING) assert_int_equal(sent, UF_OK);
        if (at % 5 == 0) (void)uf_run_cancel(run);
        if (at % 97 == 0) (void)Inn_guests_cancel_all(&inn);
        if (at % 13 == 0) assert_int_equal(Inn_guests_limit(&inn, 1 + at % MEMBERS), UF_OK);
        assert_true(Inn_guests_busy(&inn) <= MEMBERS);
        sched_yield();
    }
    return NULL;
}

static void begin_threads(pthread_t *made, int count, void *(*run)(void *))
{
    for (int i = 0; i < count; i++) assert_int_equal(pthread_create(&made[i], NULL, run, &accepted[i]), 0);
}

static void join_threads(const pthread_t *made, int count)
{
    for (int i = 0; i < count; i++) pthread_join(made[i], NULL);
}

/* Each run that was accepted has entered its task once, and has left it once. */
static void check_tokens(void)
{
    int total = 0;
    for (int thread = 0; thread < THREADS; thread++) {
        total += accepted[thread];
        for (int i = 0; i < TOKENS / THREADS; i++) {
            assert_int_equal(entered[token_of(thread, i)], i < accepted[thread]);
            assert_int_equal(exited[token_of(thread, i)], i < accepted[thread]);
        }
    }
    assert_int_equal(ends, total);
}

static void wait_until_idle(void)
{
    assert_int_equal(uf_runtime_wait(runtime, LONG), UF_OK);
    assert_int_equal(Inn_guests_busy(&inn), 0);
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

#define TEST(name) CASE_WITH(name, begin_pools, end_pools)

TEST(threads_spawn_while_members_end)
{
    pthread_t spawners[THREADS];
    begin_threads(spawners, THREADS, spawn_all);
    join_threads(spawners, THREADS);
    wait_until_idle();
    for (int i = 0; i < THREADS; i++) assert_int_equal(accepted[i], MANY(1000));
    check_tokens();
}

TEST(late_senders_and_old_handles_do_no_harm)
{
    pthread_t spawners[THREADS], others[2];
    begin_threads(others, 2, disturb);
    begin_threads(spawners, THREADS, spawn_all);
    join_threads(spawners, THREADS);
    __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
    join_threads(others, 2);
    wait_until_idle();
    check_tokens();
}

/* Flows that are no parts of a member, while the pump's thread makes the parts of members. */
static void *attach_others(void *argument)
{
    static Inn other_inn;
    Guest guest;
    (void)argument;
    while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
        assert_int_equal(Guest_init(&guest, uf_runtime_pump(runtime), "guest", 0), UF_OK);
        assert_int_equal(Inn_init(&other_inn, uf_runtime_pump(runtime), "other"), UF_OK);
        assert_int_equal(Guest_destroy(&guest), UF_OK);
        assert_int_equal(Inn_destroy(&other_inn), UF_OK);
    }
    return NULL;
}

TEST(threads_attach_flows_while_members_begin)
{
    pthread_t other, spawners[THREADS];
    begin_threads(&other, 1, attach_others);
    begin_threads(spawners, THREADS, spawn_all);
    join_threads(spawners, THREADS);
    __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
    join_threads(&other, 1);
    wait_until_idle();
    check_tokens();
}

TEST(a_thread_attaches_flows_while_stops_begin_and_end)
{
    pthread_t other;
    begin_threads(&other, 1, attach_others);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(uf_runtime_stop(runtime, LONG, NULL), UF_OK);
        assert_int_equal(uf_runtime_start(runtime), UF_OK);
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
    join_threads(&other, 1);
}

TEST(a_stop_ends_all)
{
    pthread_t spawners[THREADS], other;
    uf_stop_report report;
    begin_threads(&other, 1, disturb);
    begin_threads(spawners, THREADS, spawn_all);
    sleep_ms(2);
    assert_int_not_equal(uf_runtime_stop(runtime, LONG, &report), UF_INVALID);
    join_threads(spawners, THREADS);
    __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
    join_threads(&other, 1);
    assert_int_equal(Inn_guests_busy(&inn), 0);
    check_tokens();
    assert_int_equal(Inn_guests_spawn_Visit(&inn, 1, 1), UF_STOPPING);
}

TEST(steps_and_threads_share_a_pool)
{
    pthread_t thread;
    assert_int_equal(Inn_start_Spawn(&inn, TOKENS / 2, MANY(1000)), UF_OK);
    begin_threads(&thread, 1, spawn_all);
    join_threads(&thread, 1);
    wait_until_idle();
    assert_int_equal(uf_flow_outcome(&inn.uf), UF_DONE);
    for (int i = 0; i < MANY(1000); i++) {
        assert_int_equal(entered[TOKENS / 2 + i], 1);
        assert_int_equal(exited[TOKENS / 2 + i], 1);
    }
    assert_int_equal(ends, 2 * MANY(1000));
}

TEST(a_thread_joins_all)
{
    for (int i = 0; i < 10; i++) assert_int_equal(Inn_guests_spawn_Visit(&inn, i, 6), UF_OK);
    assert_int_equal(Inn_call_Join(&inn, LONG, NULL), UF_OK);
    assert_int_equal(Inn_guests_busy(&inn), 0);
    assert_int_equal(ends, 10);
}

TEST(destroy_waits_for_nobody)
{
    assert_int_equal(Inn_guests_spawn_Visit(&inn, 1, 60000000), UF_OK);
    assert_int_equal(Inn_destroy(&inn), UF_BUSY);
    assert_int_equal(Inn_guests_cancel_all(&inn), UF_OK);
    wait_until_idle();
    assert_int_equal(Inn_destroy(&inn), UF_OK);
    assert_int_equal(Inn_guests_spawn_Visit(&inn, 1, 1), UF_INVALID);
    assert_int_equal(Inn_init(&inn, uf_runtime_pump(runtime), "inn"), UF_OK);
    assert_int_equal(Inn_guests_spawn_Visit(&inn, 2, 1), UF_OK);
    wait_until_idle();
    assert_int_equal(exited[2], 1);
}

static void *spawn_one(void *argument)
{
    (void)argument;
    assert_int_equal(Inn_guests_spawn_Visit(&inn, 3, 60000000), UF_OK);
    return NULL;
}

static uf_status before, after;

/* Runs on the pump's thread, while the spawn of another thread waits for it. */
static void start_bed(void *argument)
{
    pthread_t thread;
    (void)argument;
    begin_threads(&thread, 1, spawn_one);
    join_threads(&thread, 1);
    before = Bed_start_Sleep(&known[0]->bed);
}

static void start_bed_again(void *argument)
{
    (void)argument;
    after = Bed_start_Sleep(&known[0]->bed);
}

TEST(a_flow_inside_a_member_begins_with_it)
{
    assert_int_equal(Inn_guests_spawn_Visit(&inn, 1, 0), UF_OK);
    wait_until_idle();
    assert_int_equal(uf_post_wait(runtime, start_bed, NULL), UF_OK);
    assert_int_equal(before, UF_BUSY); /* the next init would have overwritten its timers */
    assert_int_equal(uf_post_wait(runtime, start_bed_again, NULL), UF_OK);
    assert_int_equal(after, UF_OK);
    sleep_ms(2);
    assert_int_equal(Inn_guests_cancel_all(&inn), UF_OK);
    wait_until_idle();
    assert_int_equal(exited[3], 1);
}
