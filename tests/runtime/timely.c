/* SPDX-License-Identifier: MIT */
/* timely.c - waits against real time. No wait ends before its duration has passed, even if its first round was delayed.
 * A wait that is due ends in the next round. Lower bounds are exact; upper bounds are generous. */
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "../cases.h"

#include "uflow/runtime.h"

#include "timely.h"
#include "timely_hooks.h"

#define SLOW_MS      60
#define FAR_TOO_LATE UF_S(30)

int64_t timely_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool timely_spin(int ms)
{
    int64_t const end = timely_now() + ms * INT64_C(1000000);
    while (timely_now() < end) continue;
    return true;
}

bool timely_stamp(int64_t *stamp)
{
    *stamp = timely_now();
    return true;
}

int timely_labour(int ms)
{
    struct timespec const t = {.tv_nsec = 1000000};
    for (int i = 0; i < ms && !uf_job_cancelled(); i++) nanosleep(&t, NULL);
    return 0;
}

/* -- drivers and delays -------------------------------------------------------------------------------------------- */

typedef enum drive { OWN_THREAD, TIMED_BODIES, LINKED, DRIVER_OF_ANOTHER, EMBEDDED, FAST_CLOCK, DRIVES } drive;
typedef enum cause { ITSELF, ANOTHER_FLOW, POST, POST_THAT_STARTS, CAUSES } cause;

static const struct {
    const char *name;
    uf_status (*start)(Waiter *flow, int slow);
} waits[] = {
    {"await", Waiter_start_Await},
    {"timeout", Waiter_start_Timeout},
    {"on timeout", Waiter_start_OnTimeout},
    {"descriptor", Waiter_start_Descriptor},
    {"run", Waiter_start_Run},
    {"held", Waiter_start_Held},
    {"stay timeout", Waiter_start_StayTimeout},
    {"stay timeout, next", Waiter_start_StayTimeoutNext},
    {"stay timeout, woken", Waiter_start_StayTimeoutWoken},
    {"elapsed", Waiter_start_Elapsed},
    {"elapsed, until", Waiter_start_ElapsedUntil},
    {"stopwatch", Waiter_start_Stopwatch},
    {"stay every", Waiter_start_StayEvery},
    {"job", Waiter_start_Job},
};
#define WAITS (sizeof waits / sizeof *waits)
#define JOB   (WAITS - 1)

static Waiter waiters[WAITS];
static Slow slow;
static cause held_up_by;

/* All begin in one round. */
static void start_all(void *nothing)
{
    (void)nothing;
    if (held_up_by == POST_THAT_STARTS) timely_spin(SLOW_MS);
    if (held_up_by == ANOTHER_FLOW) (void)Slow_start_Once(&slow, SLOW_MS);
    for (size_t i = 0; i < WAITS; i++) (void)waits[i].start(&waiters[i], held_up_by == ITSELF ? SLOW_MS / 3 : 0);
}

static void spin(void *nothing)
{
    (void)nothing;
    timely_spin(SLOW_MS);
}

static void wait_for(uf_runtime *runtime, drive how)
{
    if (how != EMBEDDED) {
        assert_int_equal(uf_runtime_wait(runtime, FAR_TOO_LATE), UF_OK);
        return;
    }
    bool running = true;
    for (int64_t const end = timely_now() + FAR_TOO_LATE; running && timely_now() < end;) {
        struct pollfd fd = {.fd = uf_runtime_fd(runtime), .events = POLLIN};
        (void)poll(&fd, 1, uf_runtime_poll_timeout(runtime));
        assert_int_equal(uf_runtime_poll(runtime), UF_OK);
        running = false;
        for (size_t i = 0; i < WAITS; i++) running |= uf_flow_running(&waiters[i].uf);
    }
    assert_false(running);
}

static void note_nothing(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context, (void)flow, (void)change;
}

static void try(drive how, cause why)
{
    uf_observer observer = {.step_changed = note_nothing};
    uf_runtime *runtime, *other = NULL;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    uf_runtime_config config = {
        .embedded = how == EMBEDDED, .time_bodies = how == TIMED_BODIES, .stay_interval = UF_MS(1)};
    if (how == TIMED_BODIES) config.observers = &observer;
    assert_int_equal(uf_runtime_new(&runtime, &config), UF_OK);
    if (how == LINKED || how == DRIVER_OF_ANOTHER) {
        assert_int_equal(uf_runtime_new(&other, NULL), UF_OK);
        if (how == LINKED) assert_int_equal(uf_runtime_link(other, runtime), UF_OK);
        else assert_int_equal(uf_runtime_link(runtime, other), UF_OK);
    }
    if (how == FAST_CLOCK) assert_int_equal(uf_pump_set_scale(uf_runtime_pump(runtime), 2), UF_OK);
    for (size_t i = 0; i < WAITS; i++) {
        assert_int_equal(Waiter_init(&waiters[i], uf_runtime_pump(runtime), waits[i].name, ends[0]), UF_OK);
    }
    assert_int_equal(Slow_init(&slow, other ? uf_runtime_pump(other) : uf_runtime_pump(runtime), "slow"), UF_OK);

    held_up_by = why;
    if (why == POST) assert_int_equal(uf_post(runtime, spin, NULL), UF_OK); /* and the starts arrive with it */
    assert_int_equal(uf_post(runtime, start_all, NULL), UF_OK);
    wait_for(runtime, how);

    for (size_t i = 0; i < WAITS; i++) {
        int64_t const due = i == JOB ? UF_MS(80) : how == FAST_CLOCK ? UF_MS(20) : UF_MS(40);
        int64_t const took = waiters[i].over - waiters[i].set;
        if (took < due || took > FAR_TOO_LATE)
            print_error("%s, driven %d, held up by %d: %lld us instead of %lld\n", waits[i].name, (int)how, (int)why,
                        (long long)(took / 1000), (long long)(due / 1000));
        assert_true(took >= due && took <= FAR_TOO_LATE);
    }
    if (how != EMBEDDED) assert_int_equal(uf_runtime_wait(other ? other : runtime, FAR_TOO_LATE), UF_OK);
    for (size_t i = 0; i < WAITS; i++) assert_int_equal(Waiter_destroy(&waiters[i]), UF_OK);
    assert_int_equal(Slow_destroy(&slow), UF_OK);
    if (other) assert_int_equal(uf_runtime_unlink(how == LINKED ? runtime : other), UF_OK);
    if (other) assert_int_equal(uf_runtime_free(other), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
    close(ends[0]);
    close(ends[1]);
}

CASE(test_no_wait_ends_early)
{
    for (int how = 0; how < DRIVES; how++) {
        for (int why = 0; why < CAUSES; why++) try((drive)how, (cause)why);
    }
}

/* Another flow makes slow rounds continuously. */
CASE(test_a_deadline_fires_in_the_first_round_after_it)
{
    uf_runtime *runtime;
    unsigned rounds = 0;

    assert_int_equal(uf_runtime_new(&runtime, NULL), UF_OK);
    assert_int_equal(Waiter_init(&waiters[0], uf_runtime_pump(runtime), "waiter", -1), UF_OK);
    assert_int_equal(Slow_init(&slow, uf_runtime_pump(runtime), "slow"), UF_OK);
    assert_int_equal(Slow_start_Often(&slow, 2), UF_OK);
    assert_int_equal(Waiter_start_Await(&waiters[0], 0), UF_OK);
    assert_int_equal(uf_runtime_wait(runtime, FAR_TOO_LATE), UF_OK);
    for (unsigned i = 0; i < slow.steps; i++) {
        rounds += slow.began[i] >= waiters[0].set + UF_MS(40) && slow.began[i] <= waiters[0].over;
    }
    assert_true(waiters[0].over - waiters[0].set >= UF_MS(40));
    assert_in_range(rounds, 0, 8); /* one or two, unless this thread was suspended between noting and reading the
                                    * time */
    assert_int_equal(Waiter_destroy(&waiters[0]), UF_OK);
    assert_int_equal(Slow_destroy(&slow), UF_OK);
    assert_int_equal(uf_runtime_free(runtime), UF_OK);
}
