/* SPDX-License-Identifier: MIT */
/* stops.c - graceful shutdown in virtual time: guarantees S1 to S9 in every situation, exact to the nanosecond. S8 is
 * about processes; stopping.c tests it with threads.
 *
 *   idle     a connection that is served, and waits
 *   busy     also a flow with work in every round, for ever
 *   frozen   the clock is frozen, and the connection needs 100 ms of logical time to close
 *   stuck    the peer does not answer: the connection never closes */
#include "harness.h"

#include <string.h>

#include "uflow/console.h"
#include "uflow/pool.h"
#include "uflow/simulate.h"

#include "stops.h"
#include "stops_hooks.h"

#define GRACE UF_MS(1000)

typedef enum situation { IDLE, BUSY, FROZEN, STUCK, SITUATIONS } situation;

static Link peer, other;
static Spinner spinner;
static Clerk clerk;
static Hook hook;
static uf_seeded_pool pool;
static uf_work works[4];
static uf_stop_report report;
static uint64_t seed = 7;
static void (*in_a_step)(uf_flow *flow);

int stops_work(int ms)
{
    return ms;
}
static unsigned steps_to_stop; /* the number of the spinner's step that begins the stop */
static uf_stop from_a_step;

bool stops_enough(void)
{
    if (steps_to_stop && --steps_to_stop == 0) assert_int_equal(uf_pump_stop(&pump, &from_a_step, 0), UF_OK);
    return false;
}
void stops_in_a_step(uf_flow *flow)
{
    if (in_a_step) in_a_step(flow);
}

static void note_phase(void *context, const uf_stop_report *so_far)
{
    (void)context;
    log_note("[%s %lld]", uf_stop_phase_text(so_far->phase), (long long)(so_far->took / UF_MS(1)));
}

static void scene(situation now)
{
    static uf_observer observer;
    uf_pump_config const config = {.pool = &pool.pool};

    log_clear();
    assert_int_equal(uf_pool_seeded(&pool, works, 4, seed, UF_S(4)), UF_OK);
    assert_int_equal(uf_pump_init(&pump, &config), UF_OK);
    observer = (uf_observer){.stopping = note_phase};
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    assert_int_equal(Link_init(&peer, &pump, "peer", now == STUCK ? -1 : now == FROZEN ? 100 : 0), UF_OK);
    assert_int_equal(Link_init(&other, &pump, "other", 0), UF_OK);
    assert_int_equal(Spinner_init(&spinner, &pump, "spinner"), UF_OK);
    assert_int_equal(Hook_init(&hook, &pump, "hook"), UF_OK);
    assert_int_equal(Link_start_Serve(&peer), UF_OK);
    if (now == BUSY) assert_int_equal(Spinner_start_Spin(&spinner), UF_OK);
    rounds(2);
    if (now == FROZEN) uf_pump_freeze(&pump);
}

static void curtain(void)
{
    assert_int_equal(Link_destroy(&peer), UF_OK);
    assert_int_equal(Link_destroy(&other), UF_OK);
    assert_int_equal(Spinner_destroy(&spinner), UF_OK);
    assert_int_equal(Hook_destroy(&hook), UF_OK);
    if (clerk.uf.pump) assert_int_equal(Clerk_destroy(&clerk), UF_OK);
    assert_int_equal(uf_pump_destroy(&pump), UF_OK);
}

/* The duration of a stop that only this situation delays. */
static uf_time lasts(situation now)
{
    return now == IDLE ? 0 : now == BUSY ? UF_MS(500) : now == FROZEN ? UF_MS(100) : GRACE;
}

static uf_status expected(situation now)
{
    return now == STUCK ? UF_TIMED_OUT : UF_OK;
}

static uf_time real(void)
{
    return pump.clock.real;
}

static void stop_takes(situation now, uf_time time)
{
    uf_time const began = real();
    assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), expected(now));
    assert_true(real() - began == time);
    assert_true(report.took == time);
    assert_int_equal(report.phase, UF_STOP_OVER);
    assert_int_equal(uf_pump_running(&pump), 0);
    assert_int_equal(report.shut_down, now == STUCK ? 1 : 2); /* of other; also of peer */
    assert_int_equal(report.cut_off, now == STUCK);
    if (now == STUCK) assert_string_equal(report.names[report.named - 1], "peer: Close: cut off");
}

/* Drives the pump as a program does. A round takes a while if there is a busy flow. */
static void pass(situation now, uf_time wait)
{
    if (uf_pump_stopped(&pump)) return;
    uf_clock_advance(&pump.clock, pump.clock.real + (wait ? wait : now == BUSY ? UF_US(100) : 0));
}

/* -- the cases ----------------------------------------------------------------------------------------------------- */

/* A test in each situation. */
#define IN(row, now, name)                                                                                             \
    CASE(row##_##name)                                                                                                 \
    {                                                                                                                  \
        row(now);                                                                                                      \
    }
#define IN_EACH_SITUATION(row)                                                                                         \
    static void row(situation now);                                                                                    \
    IN(row, IDLE, idle)                                                                                                \
    IN(row, BUSY, busy)                                                                                                \
    IN(row, FROZEN, frozen)                                                                                            \
    IN(row, STUCK, stuck)                                                                                              \
    static void row(situation now)

IN_EACH_SITUATION(S1_each_phase_in_its_time)
{
    static const char *const logs[] = {
        [IDLE] =
            "[ending 0] [shutting down 0] peer.exit other.close other.closed peer.close peer.closed [jobs 0] [over 0]",
        [BUSY] = "[ending 0] [shutting down 500] peer.exit other.close other.closed peer.close peer.closed [jobs 500] "
                 "[over 500]",
        [FROZEN] = "[ending 0] [shutting down 0] peer.exit other.close other.closed peer.close peer.closed [jobs 100] "
                   "[over 100]",
        [STUCK] = "[ending 0] [shutting down 0] peer.exit other.close other.closed peer.close [shutting down 1000] "
                  "peer.closed [jobs 1000] [over 1000]",
    };
    for (int again = 0; again < 3; again++) { /* the same each time */
        scene(now);
        stop_takes(now, lasts(now));
        assert_log(logs[now]);
        assert_int_equal(report.cancelled, now == BUSY ? 2 : 1);
        assert_int_equal(report.ended, 0);
        curtain();
    }
}

IN_EACH_SITUATION(S2_a_stuck_worker_is_left_and_named)
{
    uint32_t left = 0, dropped = 0;
    for (seed = 1; seed <= 50; seed++) { /* shows which flows have begun */
        scene(now);
        assert_int_equal(Clerk_init(&clerk, &pump, "clerk"), UF_OK);
        assert_int_equal(Clerk_start_Ask(&clerk, 5), UF_OK);
        rounds(2);
        uf_time const began = real();
        uf_status const status = uf_simulate_stop(&pump, GRACE, &report);
        assert_int_equal(report.failed, 1);
        assert_string_equal(report.names[0], "clerk: Last: locked");
        assert_true(report.jobs_dropped + report.jobs_ended + report.jobs_left <= 1);
        if (report.jobs_left) {
            assert_true(real() - began == GRACE);
            assert_int_equal(status, UF_TIMED_OUT);
            assert_string_equal(report.names[report.named - 1], "clerk: sleep_long: its worker has not returned");
        }
        left += report.jobs_left;
        dropped += report.jobs_dropped;
        curtain();
    }
    seed = 7;
    assert_true(left > 0 && dropped > 0);
}

IN_EACH_SITUATION(S3_a_flow_that_never_ends_is_cancelled)
{
    static const int64_t ms[] = {[IDLE] = 500, [BUSY] = 500, [FROZEN] = 600, [STUCK] = 1000};
    scene(now);
    assert_int_equal(Link_start_Never(&other), UF_OK);
    rounds(1);
    stop_takes(now, UF_MS(ms[now]));
    assert_int_equal(uf_flow_outcome(&other.uf), UF_DONE); /* of Close */
    assert_int_equal(report.cancelled, now == BUSY ? 3 : 2);
    curtain();
}

IN_EACH_SITUATION(S4_twice_and_again)
{
    uf_stop stop, second;
    scene(now);
    for (int again = 0; again < 3; again++) {
        uf_time const began = real();
        assert_int_equal(uf_pump_stop(&pump, &stop, GRACE), UF_OK);
        assert_int_equal(uf_pump_stop(&pump, &second, GRACE), UF_BUSY);
        assert_int_equal(uf_simulate_stop(&pump, 0, NULL), UF_BUSY);
        assert_int_equal(uf_pump_restart(&pump), UF_BUSY);
        int64_t rounds_made = 0;
        while (!uf_pump_stopped(&pump)) { /* caller-driven */
            uf_time const wait = uf_pump_round(&pump, pump.clock.real);
            pass(now, wait);
            assert_true(wait != UF_FOREVER); /* this loop must not sleep for ever when the stop is over */
            assert_true(rounds_made++ < 100000);
        }
        assert_int_equal(uf_pump_timeout(&pump), 0);
        uf_clock_advance(&pump.clock, real() + 1);
        assert_int_equal(uf_pump_timeout(&pump), UF_FOREVER);
        assert_true(real() - began >= lasts(now) && real() - began <= lasts(now) + UF_MS(1));
        assert_int_equal(uf_pump_stop(&pump, &second, GRACE), UF_BUSY);
        assert_int_equal(Link_start_Serve(&peer), UF_STOPPING);
        assert_int_equal(uf_pump_restart(&pump), UF_OK);
        assert_int_equal(uf_pump_restart(&pump), UF_INVALID);
        assert_int_equal(Link_start_Serve(&peer), UF_OK);
        if (now == BUSY) assert_int_equal(Spinner_start_Spin(&spinner), UF_OK);
        rounds(2);
        if (now == FROZEN) uf_pump_freeze(&pump);
    }
    stop_takes(now, lasts(now));
    curtain();
}

static uf_stop begun;
static uf_status inside[3];

static void stop_in_a_step(uf_flow *flow)
{
    inside[0] = uf_simulate_stop(flow->pump, GRACE, NULL);
    inside[1] = uf_pump_stop(flow->pump, &begun, GRACE);
    inside[2] = uf_pump_stop(flow->pump, &begun, GRACE);
}

IN_EACH_SITUATION(S5_begun_in_a_step)
{
    scene(now);
    in_a_step = stop_in_a_step;
    assert_int_equal(Hook_start_Call(&hook), UF_OK);
    uf_time const start = real();
    for (int i = 0; i < 30000 && !uf_pump_stopped(&pump); i++) {
        uf_time const wait = uf_pump_round(&pump, pump.clock.real);
        pass(now, wait);
    }
    in_a_step = NULL;
    assert_int_equal(inside[0], UF_INVALID);
    assert_int_equal(inside[1], UF_OK);
    assert_int_equal(inside[2], UF_BUSY);
    assert_true(uf_pump_stopped(&pump));
    assert_true(real() - start >= lasts(now) && real() - start <= lasts(now) + UF_MS(1));
    assert_int_equal(begun.report.ended, 1); /* the step that began it */
    assert_int_equal(uf_pump_restart(&pump), UF_OK);
    curtain();
}

/* Each second, but without an observer no round is added for it. */
CASE(S1_a_phase_that_lasts_is_told_again)
{
    uint64_t counts[2];
    for (int observed = 1; observed >= 0; observed--) {
        scene(IDLE);
        if (!observed) assert_int_equal(uf_pump_remove_observer(&pump, pump.observers), UF_OK);
        assert_int_equal(Link_start_Finish(&other, 3500), UF_OK);
        rounds(1);
        log_clear();
        uint64_t const before = uf_pump_rounds(&pump);
        assert_int_equal(uf_simulate_stop(&pump, UF_S(10), &report), UF_OK);
        counts[observed] = uf_pump_rounds(&pump) - before;
        if (observed) assert_non_null(strstr(log_text(), "[ending 0] [ending 1000] [ending 2000] [ending 3000] "));
        else assert_null(strstr(log_text(), "[ending"));
        assert_true(report.took == UF_MS(3500));
        curtain();
    }
    assert_true(counts[1] <= counts[0] + 3);
}

static void try_everything(void *context, const uf_stop_report *so_far)
{
    (void)context;
    (void)so_far;
    assert_true(uf_pump_stopping(&pump));
    assert_int_equal(Link_start_Finish(&other, 1), UF_STOPPING);
    assert_int_equal(Link_orders_send(&peer, 5), UF_STOPPING);
}

IN_EACH_SITUATION(S6_nothing_new_is_accepted)
{
    uf_observer observer = {.stopping = try_everything};
    scene(now);
    assert_int_equal(Link_orders_send(&peer, 4), UF_OK);
    assert_int_equal(uf_pump_add_observer(&pump, &observer), UF_OK);
    stop_takes(now, lasts(now));
    assert_int_equal(report.refused, now == STUCK ? 8 : 6); /* until the last phase began; later ones are too late */
    assert_int_equal(peer.number, 4);                       /* accepted messages were received */
    curtain();
}

IN_EACH_SITUATION(S7_a_start_that_failed_is_unwound)
{
    scene(now);
    assert_int_equal(Link_start_Break(&other), UF_OK);
    rounds(2);
    assert_string_equal(uf_flow_reason(&other.uf), "no route");
    stop_takes(now, lasts(now));
    assert_int_equal(uf_flow_outcome(&other.uf), UF_DONE);
    curtain();
}

IN_EACH_SITUATION(S9_the_grace_is_real_time)
{
    static const uint64_t scales[] = {0, UINT64_C(1) << 31, UINT64_C(1000) << 32};
    for (int i = 0; i < 3; i++) {
        scene(now);
        assert_int_equal(Link_start_Never(&other), UF_OK);
        rounds(1);
        assert_int_equal(uf_pump_set_scale_fixed(&pump, scales[i]), UF_OK);
        uf_time const logical = uf_pump_now(&pump), began = real();
        assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), expected(now));
        static const int64_t ms[] = {[IDLE] = 500, [BUSY] = 500, [FROZEN] = 600, [STUCK] = 1000};
        assert_true(real() - began == UF_MS(ms[now]));
        assert_false(uf_pump_frozen(&pump));
        if (now == STUCK && i == 0)
            assert_true(uf_pump_now(&pump) - logical == UF_MS(500)); /* at scale 1 from phase 3 on */
        curtain();
    }
}

/* -- single situations --------------------------------------------------------------------------------------------- */

CASE(tasks_end_by_themselves)
{
    scene(IDLE);
    assert_int_equal(Link_start_Finish(&other, 40), UF_OK);
    rounds(1);
    stop_takes(IDLE, UF_MS(40));
    assert_int_equal(report.ended, 1);
    assert_log("[ending 0] other.finished [shutting down 40] peer.exit other.close other.closed peer.close peer.closed "
               "[jobs 40] [over 40]");
    curtain();
}

CASE(a_stop_is_seen_at_once)
{
    scene(IDLE);
    assert_int_equal(Link_start_Polite(&other), UF_OK);
    rounds(1);
    assert_log("");
    stop_takes(IDLE, 0);
    assert_int_equal(report.ended, 1);
    assert_int_equal(uf_pump_restart(&pump), UF_OK);
    assert_int_equal(Link_start_Polite(&other), UF_OK);
    rounds(3);
    assert_true(uf_flow_running(&other.uf)); /* no stop has begun */
    stop_takes(IDLE, 0);
    curtain();
}

CASE(a_task_for_ever_may_become_one_that_ends)
{
    scene(IDLE);
    assert_int_equal(Link_start_Drain(&other), UF_OK);
    rounds(1);
    stop_takes(IDLE, UF_MS(30));
    assert_int_equal(report.ended, 1);
    curtain();
}

/* The stop waits for the flow, which awaits `stopping`: also in the middle of its work. */
CASE(a_task_for_ever_that_hears_of_it_loses_nothing)
{
    Porter porter;
    for (int already = 0; already < 8; already++) {
        log_clear();
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        assert_int_equal(Porter_init(&porter, &pump, "porter"), UF_OK);
        assert_int_equal(Porter_start_Serve(&porter), UF_OK);
        for (int i = 0; i < 8; i++) assert_int_equal(Porter_letters_send(&porter, i), UF_OK);
        assert_int_equal(uf_simulate_until(&pump, UF_MS(already)), UF_OK);
        assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), UF_OK);
        assert_log("finished after 8");
        assert_int_equal(report.ended, 1);
        assert_int_equal(report.cancelled, 0);
        assert_int_equal(Porter_destroy(&porter), UF_OK);
    }
}

/* For example, the mailbox of an idle flow. */
CASE(unread_mail_is_there_after_a_stop)
{
    Porter porter;
    int letter = 0;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Porter_init(&porter, &pump, "porter"), UF_OK);
    for (int i = 1; i < 3; i++) assert_int_equal(Porter_letters_send(&porter, i), UF_OK);
    assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), UF_OK);
    assert_int_equal(report.named, 0);
    assert_int_equal(uf_pump_restart(&pump), UF_OK);
    assert_int_equal(uf_mailbox_count(&porter.letters), 2);
    for (int i = 1; i < 3; i++) assert_true(Porter_letters_receive(&porter, &letter) && letter == i);
    assert_int_equal(Porter_destroy(&porter), UF_OK);
}

CASE(a_flow_before_the_flows_in_it)
{
    House house;
    log_clear();
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(House_init(&house, &pump, "house"), UF_OK);
    assert_int_equal(House_start_Live(&house), UF_OK);
    rounds(2);
    assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), UF_OK);
    /* The stop waits for Never. Its end and that of House are cancels. A `run` of the shutdown task is not refused. */
    assert_log("gate.exit house.leave door.finished house.left gate.close gate.closed door.close door.closed");
    assert_int_equal(report.shut_down, 3);
    assert_int_equal(report.ended, 1);
    assert_int_equal(report.cancelled, 2);
    assert_true(report.took == UF_MS(505));
    assert_int_equal(House_destroy(&house), UF_OK);
}

CASE(signals_leave_a_shutdown_task_alone)
{
    Guard guard;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Guard_init(&guard, &pump, "guard"), UF_OK);
    assert_int_equal(Guard_start_Watch(&guard), UF_OK);
    rounds(2);
    assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), UF_OK);
    assert_int_equal(uf_flow_outcome(&guard.uf), UF_DONE);
    assert_true(report.took == UF_MS(20));
    assert_int_equal(Guard_destroy(&guard), UF_OK);
}

CASE(without_a_grace)
{
    scene(BUSY);
    assert_int_equal(uf_simulate_stop(&pump, 0, &report), UF_TIMED_OUT);
    assert_true(report.took == 0);
    assert_int_equal(report.cut_off, 2);
    assert_string_equal(report.names[0], "peer: Close: no time");
    assert_string_equal(report.names[1], "other: Close: no time");
    assert_log("[ending 0] [shutting down 0] peer.exit [jobs 0] [over 0]");
    curtain();
}

/* A flow that never ends is cancelled even with an unlimited grace period. */
CASE(with_a_grace_for_ever)
{
    for (int busy = 0; busy < 2; busy++) {
        Mute mute;
        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        assert_int_equal(Mute_init(&mute, &pump, "mute", busy), UF_OK);
        assert_int_equal(uf_simulate_stop(&pump, UF_FOREVER, &report), UF_TIMED_OUT);
        assert_int_equal(report.phase, UF_STOP_OVER);
        assert_string_equal(report.names[0], "mute: Close: cut off");
        assert_int_equal(Mute_destroy(&mute), UF_OK);
    }
}

/* As on a thread that is still between the two halves of an init. */
CASE(a_flow_whose_init_has_not_ended_is_named)
{
    Mute mute;
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(Mute_init(&mute, &pump, "mute", false), UF_OK);
    uf_flow_type const *const type = mute.uf.type;
    assert_int_equal(Mute_destroy(&mute), UF_OK);
    assert_int_equal(uf_flow_init_begin(&mute.uf, type, &pump, "mute"), UF_OK);
    assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), UF_OK);
    assert_int_equal(report.shut_down, 0);
    assert_int_equal(report.cut_off, 0);
    assert_int_equal(report.named, 1);
    assert_string_equal(report.names[0], "mute: Close: its init had not ended");
    uf_flow_init_end(&mute.uf);
    assert_int_equal(Mute_destroy(&mute), UF_OK);
}

CASE(names_are_bounded)
{
    enum { MANY = 50 };
    static Link links[MANY];
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    for (int i = 0; i < MANY; i++) assert_int_equal(Link_init(&links[i], &pump, "link", -1), UF_OK);
    assert_int_equal(uf_simulate_stop(&pump, GRACE, &report), UF_TIMED_OUT);
    assert_int_equal(report.cut_off, MANY);
    assert_int_equal(report.named, UF_STOP_NAMES);
    for (int i = 0; i < MANY; i++) assert_int_equal(Link_destroy(&links[i]), UF_OK);
}

CASE(the_console_shows_the_phases)
{
    static uf_console console;
    char line[256];
    int lines = 0;
    FILE *const out = tmpfile();
    assert_non_null(out);
    scene(IDLE);
    assert_int_equal(uf_console_attach(&console, &pump, out), UF_OK);
    stop_takes(IDLE, 0);
    rewind(out);
    while (fgets(line, sizeof line, out)) {
        if (!strstr(line, "STOP ")) continue;
        if (lines++ == 3)
            assert_string_equal(
                line + 17, "STOP          over  after=0.00ms refused=0 ended=0 cancelled=1 shut_down=2 cut_off=0\n");
    }
    assert_int_equal(lines, 4);
    fclose(out);
    curtain();
}

CASE(pollers_are_cancelled_in_time)
{
    scene(IDLE);
    assert_int_equal(Spinner_start_Poll(&spinner), UF_OK);
    rounds(1);
    stop_takes(IDLE, UF_MS(500));
    curtain();
}

/* Virtual time runs many rounds in one call, and a lone flow has a loop of its own. Both must check for a stop. */
CASE(a_stop_ends_those_who_make_virtual_time_stand)
{
    for (int spinners = 1; spinners <= 2; spinners++) {
        static Spinner second;

        assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
        assert_int_equal(Spinner_init(&spinner, &pump, "spinner"), UF_OK);
        assert_int_equal(Spinner_init(&second, &pump, "second"), UF_OK);
        assert_int_equal(Spinner_start_Spin(&spinner), UF_OK);
        if (spinners == 2) assert_int_equal(Spinner_start_Spin(&second), UF_OK);
        steps_to_stop = 10;
        assert_int_equal(uf_simulate_until_idle(&pump, UF_S(1)), UF_OK);
        assert_int_equal(uf_flow_outcome(&spinner.uf), UF_CANCELLED);
        assert_int_equal(from_a_step.report.cancelled, spinners);
        rounds(3);
        assert_int_equal(uf_pump_restart(&pump), UF_OK);
        assert_int_equal(Spinner_destroy(&spinner), UF_OK);
        assert_int_equal(Spinner_destroy(&second), UF_OK);
        assert_int_equal(uf_pump_destroy(&pump), UF_OK);
    }
}
