/* SPDX-License-Identifier: MIT */
/* Durable flows, in virtual time: a process crashes at each commit, and the next one goes on. */
#include "durable_process.h"

/* -- tests --------------------------------------------------------------------------------------------------------- */

TEST(without_a_store_nothing_is_kept)
{
    bodies = 0;
    is_logged = true;
    process *const p = open_process(NULL);
    assert_int_equal(uf_flow_keep(&p->batch.uf), UF_OK);
    start(p);
    run_to(p, UF_S(60));
    assert_log("init:0 enter:0 Open Fill Fill Fill Close Close Close exit:2 end:2");
    int total;
    assert_true(Batch_result_Dose(&p->batch, &total));
    assert_int_equal(total, 100);
    is_logged = false;
    close_process(p);
}

TEST(goes_on_at_each_commit)
{
    uint64_t commits;

    process *p = first_process(NULL);
    start(p);
    run_to(p, UF_S(60));
    commits = uf_store_memory_commits(p->store);
    assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_DONE);
    assert_int_equal(commits, 6); /* the start; three transitions; Close; the end */
    close_process(p);

    for (uint64_t at = 0; at <= commits; at++) {
        for (int twice = 0; twice < 2; twice++) {
            int total = 0;
            p = first_process(NULL);
            assert_int_equal(uf_store_memory_stop(p->store, at, NULL), UF_OK);
            start(p);
            run_to(p, UF_S(9)); /* before the limit of the store */
            bool const was_done = uf_flow_outcome(&p->batch.uf) == UF_DONE;
            assert_int_equal(was_done, at == commits);
            p = restart(p, NULL);
            if (at == 0) start(p); /* it was never kept that it had begun */
            if (twice) p = restart(p, NULL);
            if (at == 0 && twice) start(p);
            if (was_done) assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_DONE);
            run_to(p, p->pump.clock.real + UF_S(60));
            assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_DONE);
            assert_true(Batch_result_Dose(&p->batch, &total));
            assert_int_equal(total, 100);
            assert_int_equal(p->batch.rounds[1][1], 3);
            assert_string_equal(p->batch.mark, "abc");
            assert_int_equal(uf_flow_this_run(&p->batch.uf).number, 1);
            assert_true(restores <= 2);
            close_process(p);
        }
    }
}

/* What comes at each commit, in the first process or in the second one, before the release or after it. */
typedef enum disturbance {
    CANCEL_BEFORE,
    CANCEL_HELD,
    CANCEL_AFTER,
    HURRY_BEFORE,
    HURRY_HELD,
    HURRY_AFTER
} disturbance;

static void disturb(process *p, disturbance now, disturbance cancel, disturbance hurry)
{
    if (now == cancel) assert_int_equal(uf_flow_cancel(&p->batch.uf), UF_OK);
    if (now == hurry) uf_signal_fire(&p->batch.hurry);
}

static void at_each_commit_with(disturbance what)
{
    for (uint64_t at = 1; at <= 6; at++) {
        for (int early = 0; early < 2; early++) { /* before the commit that hangs is asked for, and after it */
            uf_restore_report report;
            process *p = first_process(NULL);
            assert_int_equal(uf_store_memory_stop(p->store, at, NULL), UF_OK);
            start(p);
            while (uf_store_memory_commits(p->store) < at) run_to(p, p->pump.clock.real + UF_MS(50));
            if (!early) run_to(p, p->pump.clock.real + UF_S(4));
            unsigned const before = exits;
            disturb(p, what, CANCEL_BEFORE, HURRY_BEFORE);
            bool const was_idle = !uf_flow_running(&p->batch.uf);
            bool const was_entered = p->batch.uf.flags & 0x80; /* UFI_ENTERED */
            run_to(p, p->pump.clock.real + UF_MS(10));
            if (what == CANCEL_BEFORE && was_entered) assert_int_equal(exits, before + 1); /* it waits for no commit */
            uf_outcome const published = uf_flow_outcome(&p->batch.uf);
            assert_true(was_idle || published == UF_RUNNING || published == UF_DONE);

            process *const next = open_process(crash(p, NULL));
            assert_int_equal(uf_store_restore(next->store, &report), UF_OK);
            assert_int_equal(report.restored + report.idle, 1);
            run_to(next, UF_S(5)); /* held: nothing happens */
            disturb(next, what, CANCEL_HELD, HURRY_HELD);
            run_to(next, UF_S(6));
            uf_status const released = uf_store_release(next->store, "batch-7");
            assert_int_equal(released, report.restored && what != CANCEL_HELD ? UF_OK : UF_STALE);
            run_to(next, UF_S(6) + UF_MS(20));
            disturb(next, what, CANCEL_AFTER, HURRY_AFTER);
            run_to(next, UF_S(120));
            uf_outcome const outcome = uf_flow_outcome(&next->batch.uf);
            if (published == UF_DONE) assert_int_equal(outcome, UF_DONE);
            bool const is_cancel = what == CANCEL_HELD || what == CANCEL_AFTER;
            if (is_cancel && report.restored) assert_int_equal(outcome, UF_CANCELLED);
            else assert_int_equal(outcome, UF_DONE);
            int total = 0;
            bool const has_result = Batch_result_Dose(&next->batch, &total);
            bool const is_hurry = what == HURRY_HELD || what == HURRY_AFTER;
            if (has_result) assert_int_equal(total, is_hurry && report.restored ? -1 : 100);
            close_process(next);
        }
    }
}

TEST(disturbed_at_each_commit)
{
    for (disturbance what = CANCEL_BEFORE; what <= HURRY_AFTER; what++) at_each_commit_with(what);
}

TEST(a_store_that_fails_fails_what_waits)
{
    for (uint64_t at = 0; at < 6; at++) {
        process *p = first_process(NULL);
        assert_int_equal(uf_store_memory_stop(p->store, at, "disk full"), UF_OK);
        start(p);
        run_to(p, UF_S(60));
        assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_FAILED);
        assert_string_equal(uf_flow_reason(&p->batch.uf), "store: disk full");
        assert_string_equal(uf_store_failure(p->store), "disk full");
        assert_int_equal(ends, 1);
        if (at > 1) assert_int_equal(exits, 1);
        start(p); /* nothing more is accepted */
        run_to(p, UF_S(70));
        assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_FAILED);
        assert_int_equal(uf_flow_keep(&p->batch.uf), UF_STORE);
        p = restart(p, NULL); /* what it holds stays as it was */
        if (at == 0) start(p);
        run_to(p, UF_S(200));
        assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_DONE);
        close_process(p);
    }
}

TEST(a_store_that_hangs_fails_what_waits)
{
    uf_store_config const config = {.limit = UF_S(3)};
    for (uint64_t at = 0; at < 6; at++) {
        process *p = first_process(&config);
        assert_int_equal(uf_store_memory_stop(p->store, at, NULL), UF_OK);
        start(p);
        run_to(p, UF_S(20));
        assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_FAILED);
        assert_string_equal(uf_flow_reason(&p->batch.uf), "store: no answer");
        close_process(p);
    }
}

static uf_keeping told[16];
static unsigned told_count;

static void note_keeping(void *context, const uf_flow *flow, uf_keeping keeping)
{
    (void)context, (void)flow;
    if (told_count < 16) told[told_count] = keeping;
    told_count++;
}

static void assert_keeping(const process *p, uf_keeping keeping, uf_time lasts)
{
    uf_time since = 7;
    assert_int_equal(uf_flow_keeping(&p->batch.uf, &since), keeping);
    assert_int_equal(since, lasts);
    assert_int_equal(uf_flow_keeping(&p->batch.uf, NULL), keeping);
}

TEST(what_is_kept_can_be_seen)
{
    uf_observer observer = {.keeping_changed = note_keeping};
    process *p = first_process(&(uf_store_config){.limit = UF_S(20)});
    assert_keeping(p, UF_KEEPING_NOTHING, -1); /* nothing has run */
    assert_int_equal(uf_flow_keeping(&p->batch.valve.uf, NULL), UF_KEEPING_NOTHING);
    assert_int_equal(uf_store_memory_stop(p->store, 1, NULL), UF_OK);
    start(p);
    run_to(p, UF_MS(50));
    assert_keeping(p, UF_KEEPING_KEPT, UF_MS(50));
    run_to(p, UF_MS(400)); /* in Fill, from 100 ms on */
    assert_string_equal(uf_flow_step(&p->batch.uf), "Fill");
    assert_keeping(p, UF_KEEPING_WAITS, UF_MS(300));
    uf_store_fail(p->store, "disk full");
    assert_keeping(p, UF_KEEPING_FAILED, UF_MS(300));

    uf_restore_report report;
    p = open_process(crash(p, NULL));
    assert_keeping(p, UF_KEEPING_NOTHING, -1); /* not restored yet */
    assert_int_equal(uf_pump_add_observer(&p->pump, &observer), UF_OK);
    told_count = 0;
    assert_int_equal(uf_store_restore(p->store, &report), UF_OK);
    run_to(p, UF_S(3));
    assert_keeping(p, UF_KEEPING_HELD, UF_S(3));
    assert_int_equal(uf_store_release(p->store, NULL), UF_OK);
    run_to(p, UF_S(3) + UF_MS(20));
    assert_keeping(p, UF_KEEPING_KEPT, UF_MS(20));
    static const uf_keeping heard[] = {UF_KEEPING_HELD, UF_KEEPING_WAITS, UF_KEEPING_KEPT};
    assert_int_equal(told_count, 3);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(told[i], heard[i]);
    assert_int_equal(uf_pump_remove_observer(&p->pump, &observer), UF_OK);
    close_process(p);
}

TEST(a_poison_step_fails)
{
    process *p = first_process(NULL);
    assert_int_equal(Batch_start_Poison(&p->batch), UF_OK);
    for (unsigned i = 1; i < 5; i++) {
        run_to(p, p->pump.clock.real + UF_S(1));
        assert_int_equal(bodies, i);
        p = restart(p, NULL);
    }
    run_to(p, UF_S(1));
    assert_int_equal(bodies, 5);
    p = restart(p, NULL);
    run_to(p, UF_S(1));
    assert_int_equal(bodies, 5);
    assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&p->batch.uf), "restored 5 times in Bad");
    close_process(p);
}

TEST(a_stop_suspends)
{
    uf_stop stop;

    process *p = first_process(NULL);
    start(p);
    run_to(p, UF_MS(1500));
    log_clear();
    is_logged = true;
    assert_int_equal(uf_pump_stop(&p->pump, &stop, UF_S(10)), UF_OK);
    for (int i = 0; i < 10 && !uf_pump_stopped(&p->pump); i++) (void)uf_pump_round(&p->pump, p->pump.clock.real);
    assert_true(uf_pump_stopped(&p->pump));
    assert_log("suspend:0");
    assert_int_equal(stop.report.suspended, 1);
    assert_int_equal(uf_flow_keeping(&p->batch.uf, NULL), UF_KEEPING_SUSPENDED);
    assert_int_equal(stop.report.cancelled + stop.report.ended, 0);
    assert_int_equal(Batch_start_Wait(&p->batch), UF_BUSY);
    is_logged = false;
    p = restart(p, NULL);
    run_to(p, UF_S(60));
    assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_DONE);
    close_process(p);
}

TEST(handlers_keep_their_times)
{
    process *p = first_process(NULL);
    assert_int_equal(Batch_start_Groom(&p->batch), UF_OK);
    run_to(p, UF_S(8));
    assert_string_equal(uf_flow_step(&p->batch.uf), "One");
    p = restart(p, NULL); /* at 0 s of its clock, and 0 s of logical time at the last record */
    run_to(p, UF_S(19));
    assert_string_equal(uf_flow_step(&p->batch.uf), "Two"); /* the await counts anew: 15 s */
    run_to(p, UF_S(21));
    assert_string_equal(uf_flow_task(&p->batch.uf), "Wait"); /* the timeout of the group does not: 20 s */
    close_process(p);
}

static bool the_time(void *context, int64_t *nanoseconds)
{
    *nanoseconds = *(int64_t *)context;
    return *nanoseconds != 0;
}

TEST(downtime_counts_with_a_clock)
{
    int64_t wall = 0;
    uf_store_config const config = {.wall = the_time, .context = &wall, .max_downtime = UF_S(7200)};
    uf_restore_report report;
    uf_store *store;

    last_run = last_ordinal = bodies = 0;
    assert_int_equal(uf_store_memory_open(&store, &config), UF_OK);
    process *p = open_process(store);
    assert_int_equal(uf_store_restore(store, &report), UF_BUSY);
    assert_string_equal(report.text, "the time of day is not known yet: try again later");
    wall = UF_S(1000000);
    assert_int_equal(uf_store_restore(store, &report), UF_OK);
    start(p);
    run_to(p, UF_S(1));
    wall += UF_S(1900); /* more than the 30 min of `on timeout` */
    p = restart(p, &config);
    assert_true(uf_pump_now(&p->pump) >= UF_S(1900));
    run_to(p, UF_S(1));
    assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_FAILED);
    assert_string_equal(uf_flow_reason(&p->batch.uf),
                        "too late after restored"); /* `on restore` comes before the body */
    wall -= UF_S(5000);                             /* a clock that jumps back */
    p = restart(p, &config);
    wall += UF_S(100000);
    process *const next = open_process(crash(p, &config));
    assert_int_equal(uf_store_restore(next->store, &report), UF_STORE);
    assert_string_equal(report.text, "batch-7: it was kept too long ago: look at the clock, or forget this flow");
    close_process(next);
}

TEST(keeps_changes_from_outside)
{
    process *p = first_process(NULL);
    p->batch.dosed_g = 42;
    p->batch.ratio = -0.25f;
    assert_int_equal(uf_flow_keep(&p->batch.uf), UF_OK);
    run_to(p, UF_S(1));
    p->batch.dosed_g = 43;
    p = restart(p, NULL);
    assert_int_equal(p->batch.dosed_g, 42);
    assert_true(p->batch.ratio == -0.25f);
    assert_int_equal(p->batch.handle, 7);
    assert_int_equal(uf_flow_outcome(&p->batch.uf), UF_NEVER_RAN);
    close_process(p);
}

TEST(a_body_that_stays_begins_once)
{
    process *p = first_process(NULL);
    assert_int_equal(Batch_start_Repeat(&p->batch), UF_OK);
    run_to(p, UF_MS(1500));
    assert_int_equal(bodies, 2);
    assert_int_equal(uf_store_memory_commits(p->store), 1);
    p = restart(p, NULL);
    run_to(p, UF_S(10));
    assert_int_equal(bodies, 5); /* n is as at the entry of the step */
    close_process(p);
}

TEST(says_what_has_changed)
{
    uf_restore_report report;
    uf_store *store;

    process *p = first_process(NULL);
    start(p);
    run_to(p, UF_MS(1500));
    store = crash(p, NULL);
    p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->store = store;
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(store, &p->pump), UF_OK);
    assert_int_equal(Batch_init(&p->batch, &p->pump, "batch-8", 8), UF_OK);
    assert_int_equal(Batch_init(&p->other, &p->pump, "batch-8", 8), UF_BUSY); /* the path is the key */
    assert_int_equal(uf_store_restore(store, &report), UF_CHANGED);
    assert_string_equal(report.path, "batch-7");
    assert_string_equal(report.text, "batch-7: no durable flow has this path: initialise it, or forget it with "
                                     "uf_store_forget()");
    assert_int_equal(uf_store_release(store, NULL), UF_BUSY);
    assert_int_equal(uf_store_forget(store, "batch-7"), UF_OK);
    run_to(p, UF_S(1));
    assert_int_equal(uf_store_restore(store, &report), UF_OK);
    assert_string_equal(report.text, "0 restored, 0 idle, 0 lost their owners");
    assert_int_equal(uf_store_restore(store, &report), UF_BUSY);
    assert_int_equal(uf_store_release(store, "batch-7"), UF_STALE);
    close_process(p);
}

typedef struct record {
    uint8_t bytes[2000];
    size_t size;
} record;

static void take_record(void *context, const char *path, const void *bytes, size_t size)
{
    record *const r = context;

    assert_string_equal(path, "batch-7");
    assert_true(size <= sizeof r->bytes);
    memcpy(r->bytes, bytes, size);
    r->size = size;
}

/* The first place that has these bytes gets others, as another program may have kept them. */
static void change_record(uf_store *store, const char *from, const char *to)
{
    size_t const length = strlen(from);
    record r = {.size = 0};
    size_t at = 0;
    uint64_t count;

    assert_int_equal(strlen(to), length);
    assert_int_equal(store->kind->load(store, take_record, &r), UF_OK);
    while (at + length < r.size && memcmp(r.bytes + at, from, length) != 0) at++;
    assert_true(at + length < r.size);
    memcpy(r.bytes + at, to, length);
    void *const room = store->kind->room(store, r.size);
    assert_non_null(room);
    memcpy(room, r.bytes, r.size);
    assert_int_equal(store->kind->put(store, "batch-7", room, r.size), UF_OK);
    store->puts++;
    assert_int_equal(store->kind->committed(store, &count), UF_OK);
}

#define DOES_NOT_FIT(was, field, is)                                                                                   \
    "batch-7: the " was " of `" field "` does not fit into the " is                                                    \
    " that it is now: let the old program finish, or forget this flow"
#define IS_GONE(what) "batch-7: the " what " is gone: let the old program finish, or forget this flow"

TEST(says_what_does_not_fit)
{
    static const struct {
        const char *from, *to, *says;
    } all[] = {
        {"Batch", "Botch", IS_GONE("flow `Botch`")},
        {"Dose", "Dote", IS_GONE("task `Dote`")},
        {"Fill", "Full", IS_GONE("step `Full`")},
        {"ratio", "label", DOES_NOT_FIT("float", "label", "uf_text")},
        {"label", "ratio", DOES_NOT_FIT("text", "ratio", "float")},
        {"has_begun\xf5", "has_begun\x07", DOES_NOT_FIT("whole number", "has_begun", "bool")},
        {"dosed_g\x0a", "dosed_g\xf5", DOES_NOT_FIT("bool", "dosed_g", "signed integer")},
        {"grams", "names", NULL}, /* a member that is gone is dropped */
        {"ordinal", "orderly", "batch-7: the record is damaged: forget this flow"},
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        uf_restore_report report;
        process *p = first_process(NULL);
        start(p);
        run_to(p, UF_MS(1500));
        p = open_process(crash(p, NULL));
        change_record(p->store, all[i].from, all[i].to);
        uf_status const status = uf_store_restore(p->store, &report);
        if (all[i].says) assert_string_equal(report.text, all[i].says);
        else assert_int_equal(status, UF_OK);
        close_process(p);
    }
}
