/* SPDX-License-Identifier: MIT */
/* Arrays of jobs against a model: random scripts of submits, awaits, ends, timeouts, clears and signals, for arrays of
 * COUNT elements. The model decides each await from the states of the elements alone. A value that was made is given to
 * the flow once, or dropped once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#include "job_matrix.h"

#include "uflow/pool.h"

enum { SCRIPTS = 20000, ORDERS = 24, RECORDS = 3 };

/* -- random numbers ------------------------------------------------------------------------------------------------ */

static uint64_t seed;

static int below(int limit)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (int)((seed * UINT64_C(0x2545F4914F6CDD1D) >> 33) % (uint64_t)limit);
}

/* -- values -------------------------------------------------------------------------------------------------------- */

enum { SERIALS = 256 };
static int made[SERIALS], dropped[SERIALS], given[SERIALS];

token script_make(int serial)
{
    made[serial]++;
    return (token){serial};
}

void token_drop(token *value);
void token_drop(token *value)
{
    dropped[value->serial]++;
}

/* -- the pool: the test begins and ends jobs ----------------------------------------------------------------------- */

static struct {
    uf_pool pool;
    uf_work works[RECORDS];
    uf_work *free[RECORDS], *queue[RECORDS], *running[RECORDS];
    int free_count, queue_count, running_count;
} hand;

static bool take_out(uf_work **list, int *count, const uf_work *work)
{
    for (int i = 0; i < *count; i++) {
        if (list[i] != work) continue;
        for (--*count; i < *count; i++) list[i] = list[i + 1];
        return true;
    }
    return false;
}

static uf_work *hand_take(uf_pool *pool)
{
    (void)pool;
    return hand.free_count ? hand.free[--hand.free_count] : NULL;
}
static void hand_run(uf_pool *pool, uf_work *work)
{
    (void)pool;
    hand.queue[hand.queue_count++] = work;
}
static bool hand_withdraw(uf_pool *pool, uf_work *work)
{
    (void)pool;
    return take_out(hand.queue, &hand.queue_count, work);
}
static void hand_put(uf_pool *pool, uf_work *work)
{
    (void)pool;
    hand.free[hand.free_count++] = work;
}

static const uf_pool_kind hand_kind = {.take = hand_take, .run = hand_run, .withdraw = hand_withdraw, .put = hand_put};

/* -- the model ----------------------------------------------------------------------------------------------------- */

typedef struct element {
    uf_job_status status;
    bool taken, begun, cleared;
    int serial;
    unsigned end;
    uf_time deadline;
    char reason[48];
} element;

static element model[COUNT];
static unsigned ends;
static int pool_used;      /* records that the model knows to be in use */
static const order *waits; /* the await in which the flow is parked; NULL: none */
static bool other_fired;
static char expected[4096];

static void expect(const char *what, int index, int serial, const char *reason)
{
    size_t const length = strlen(expected);
    snprintf(expected + length, sizeof expected - length, "%s%s %d %d %s", length ? " " : "", what, index, serial,
             reason);
}

static void end_element(element *e, uf_job_status status, const char *reason)
{
    e->status = status;
    e->end = ends++;
    snprintf(e->reason, sizeof e->reason, "%s", reason);
}

static bool has_ended(const element *e)
{
    return e->status > UF_JOB_PENDING;
}

static void decide_one(const char *what, int index)
{
    element *const e = &model[index];
    e->taken = true;
    if (e->status == UF_JOB_DONE) expect(what, index, e->serial, "");
    else expect(what, index, -1, e->reason);
}

/* Does the await end? Then notes what it reports. */
static bool decide_any(void)
{
    int first = -1;
    bool pending = false;
    for (int i = 0; i < COUNT; i++) {
        pending |= model[i].status == UF_JOB_PENDING;
        if (!has_ended(&model[i]) || model[i].taken) continue;
        if (first < 0 || model[i].end < model[first].end) first = i;
    }
    if (first >= 0) decide_one("any", first);
    else if (!pending) expect("any", -1, -1, "not submitted");
    return first >= 0 || !pending;
}

static bool decide_all(bool with_other)
{
    bool pending = false, submitted = false;
    for (int i = 0; i < COUNT; i++) {
        element *const e = &model[i];
        pending |= e->status == UF_JOB_PENDING;
        submitted |= e->status != UF_JOB_NONE;
        if (!has_ended(e) || e->taken || e->status == UF_JOB_DONE) continue;
        e->taken = true;
        expect("all", 0, -1, e->reason);
        return true;
    }
    if (!submitted) expect("all", 0, -1, "not submitted");
    if (!submitted) return true;
    if (pending || (with_other && !other_fired)) return false;
    for (int i = 0; i < COUNT; i++) {
        if (model[i].status == UF_JOB_DONE) given[model[i].serial] = 1;
        model[i].taken |= has_ended(&model[i]);
    }
    expect("all", 0, 0, "");
    return true;
}

static bool decide_element(int index)
{
    element *const e = &model[index];
    if (e->status == UF_JOB_PENDING) return false;
    if (e->status == UF_JOB_NONE) expect("element", index, -1, e->cleared ? "cleared" : "not submitted");
    else decide_one("element", index);
    return true;
}

static bool decide(void)
{
    bool decided = false;
    if (waits->what == ANY) decided = decide_any();
    if (waits->what == ALL || waits->what == ALL_WITH_OTHER) decided = decide_all(waits->what == ALL_WITH_OTHER);
    if (waits->what == ELEMENT) decided = decide_element(waits->index);
    if (!decided && waits->what != ALL_WITH_OTHER && other_fired) {
        expect("other", 0, 0, "");
        decided = true;
    }
    return decided;
}

static void model_submit(const order *o)
{
    element *const e = &model[o->index];
    if (e->status == UF_JOB_PENDING && !e->begun) pool_used--;
    *e = (element){.status = UF_JOB_PENDING, .serial = o->serial, .deadline = UF_FOREVER};
    if (pool_used == RECORDS) {
        end_element(e, UF_JOB_REJECTED, "rejected: the pool is full, or has ended");
        return;
    }
    pool_used++;
    if (o->timeout_ms > 0) e->deadline = pump.clock.real + UF_MS(o->timeout_ms);
}

/* -- the script ---------------------------------------------------------------------------------------------------- */

static order script[ORDERS + 1];
static int played, reports; /* orders that the flow has read, awaits that it has left */

static void write_script(void)
{
    int serial = 0;
    for (int i = 0; i < ORDERS; i++) {
        int const what = below(10);
        script[i] = (order){.what = what < 5 ? SUBMIT : what < 7 ? ANY : what == 7 ? ELEMENT : what == 8 ? ALL : READ};
        if (what == 8 && below(2)) script[i].what = ALL_WITH_OTHER;
        script[i].index = below(COUNT);
        script[i].serial = serial++;
        script[i].timeout_ms = below(3) ? 0 : 5;
    }
    script[ORDERS] = (order){.what = END};
}

/* The flow reads its next order, and so does the model. */
const order *script_next(void)
{
    const order *const o = &script[played++];
    if (o->what == SUBMIT) model_submit(o);
    return o;
}

/* The flow has reached the await. */
void script_waits(void)
{
    waits = &script[played - 1];
}

/* The flow has left an await: the model leaves it as well. */
void script_report(const char *what, int index, int serial, const char *reason)
{
    reports++;
    if (waits && decide()) waits = NULL;
    other_fired = false;
    log_note("%s %d %d %s", what, index, serial, reason);
    if (serial >= 0 && strcmp(what, "all") != 0 && strcmp(what, "other") != 0) given[serial] = 1;
}

/* -- the test ------------------------------------------------------------------------------------------------------ */

static Player player;

static int element_of(const uf_work *work)
{
    for (int i = 0; i < COUNT; i++) {
        if (work->job == &player.uf_task.Play.jobs[i].job) return i;
    }
    return -1;
}

static void begin_a_job(void)
{
    if (hand.queue_count == 0) return;
    uf_work *const work = hand.queue[below(hand.queue_count)];
    int const index = element_of(work);
    (void)take_out(hand.queue, &hand.queue_count, work);
    hand.running[hand.running_count++] = work;
    if (index >= 0) model[index].begun = true;
}

/* A job ends: the pump learns of it in the next round. */
static void end_a_job(void)
{
    if (hand.running_count == 0) return;
    uf_work *const work = hand.running[below(hand.running_count)];
    int const index = element_of(work);
    (void)take_out(hand.running, &hand.running_count, work);
    uf_work_run(work);
    uf_work_over(work, 0);
    pool_used--;
    if (index < 0) return;
    element *const e = &model[index];
    char text[32];
    snprintf(text, sizeof text, "f%d", e->serial);
    end_element(e, e->serial % 4 == 3 ? UF_JOB_FAILED : UF_JOB_DONE, e->serial % 4 == 3 ? text : "");
}

/* The oldest deadline first. */
static void model_timeouts(uf_time now)
{
    for (;;) {
        element *first = NULL;
        for (int i = 0; i < COUNT; i++) {
            element *const e = &model[i];
            bool const due = e->status == UF_JOB_PENDING && e->deadline <= now;
            if (!due) continue;
            if (!first || e->deadline < first->deadline ||
                (e->deadline == first->deadline && e->serial < first->serial))
                first = e;
        }
        if (!first) return;
        if (!first->begun) pool_used--;
        end_element(first, UF_JOB_TIMED_OUT, first->begun ? "timed out" : "timed out in the queue");
    }
}

static void clear_a_job(void)
{
    int const index = below(COUNT);
    uf_job *const job = &player.uf_task.Play.jobs[index].job;
    if (uf_job_clear(&player.uf, job) != UF_OK) return;
    if (model[index].status == UF_JOB_PENDING && !model[index].begun) pool_used--;
    model[index] = (element){.cleared = true};
    assert_int_equal(uf_job_status_of(job), UF_JOB_NONE);
}

static void happen(uf_time *now)
{
    switch (below(9)) {
    case 0:
    case 1:
    case 2: begin_a_job(); break;
    case 3:
    case 4:
    case 5: end_a_job(); break;
    case 6: *now += UF_MS(3); break;
    case 7: clear_a_job(); break;
    default:
        if (waits) other_fired = true;
        if (waits) uf_signal_fire(&player.other);
        break;
    }
}

/* Runs until the flow is parked. Returns false if the model has decided an await that the flow has not left. */
static bool run_rounds(uf_time now)
{
    int idle = 0;
    while (uf_flow_running(&player.uf) && idle < 3) {
        int const before = played + reports;
        uf_pump_round(&pump, now);
        idle = before == played + reports ? idle + 1 : 0;
    }
    return !waits || !decide();
}

static void play(void)
{
    uf_pump_config const config = {.pool = &hand.pool};
    uf_time now = 0;

    log_clear();
    expected[0] = '\0';
    memset(made, 0, sizeof made);
    memset(dropped, 0, sizeof dropped);
    memset(given, 0, sizeof given);
    memset(model, 0, sizeof model);
    memset(&hand, 0, sizeof hand);
    hand.pool.kind = &hand_kind;
    for (int i = 0; i < RECORDS; i++) hand.free[hand.free_count++] = &hand.works[i];
    played = pool_used = 0;
    waits = NULL;
    other_fired = false;
    write_script();
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    assert_int_equal(Player_init(&player, &pump, "player"), UF_OK);
    assert_int_equal(Player_start_Play(&player), UF_OK);
    bool agree = run_rounds(now);
    for (int i = 0; i < 400 && agree && uf_flow_running(&player.uf); i++) {
        for (int k = below(3); k >= 0; k--) happen(&now);
        model_timeouts(now); /* the pump hears of ends first */
        agree = run_rounds(now);
    }
    (void)uf_flow_cancel(&player.uf);
    uf_pump_round(&pump, now);
    while (hand.running_count) end_a_job();
    uf_pump_round(&pump, now);
    assert_false(uf_flow_running(&player.uf));
    assert_int_equal(Player_destroy(&player), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    assert_int_equal(hand.free_count, RECORDS);
}

static int total_made, total_dropped;

static void check_values(void)
{
    for (int i = 0; i < SERIALS; i++) {
        total_made += made[i];
        total_dropped += dropped[i];
        if (made[i] != dropped[i] + given[i])
            fail_msg("value %d: made %d, dropped %d, given %d", i, made[i], dropped[i], given[i]);
    }
}

CASE(scripts_against_the_model)
{
    for (int i = 1; i <= SCRIPTS; i++) {
        seed = (uint64_t)i * UINT64_C(0x9E3779B97F4A7C15);
        play();
        if (strcmp(log_text(), expected) != 0) fail_msg("seed %d:\n%s\nexpected:\n%s", i, log_text(), expected);
        check_values();
    }
    assert_true(total_dropped > SCRIPTS / 10 && total_made > total_dropped + SCRIPTS / 10);
}
