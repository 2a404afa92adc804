/* SPDX-License-Identifier: MIT */
/* pool_model.c - random operations on a pool, compared with a model.
 *
 * The model is a stack of free places, and for each place the token of its guest and the time at which the guest leaves
 * by itself. Each token that was accepted must enter once and exit once (twice if its task became another one), at the
 * place that the model says.
 *
 * usage: test_runtime_pool_model CASES [FIRST_SEED] */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uflow/simulate.h"
#include "uflow/stop.h"

#include "pool_model.h"

enum { OPERATIONS = 200, NOBODY = -1 };

typedef struct place {
    int token;     /* NOBODY: free */
    int how;       /* of the guest */
    uf_time until; /* it leaves by itself */
    bool leaves;   /* before the pump is quiet again */
    bool may_leave;
    bool entered;
    int mail, read;
} place;

static place places[PLACES];
static int free_places[PLACES], free_count, used;
static int tokens, ended;
static uint64_t seed, state;
static uf_pump pump;
static Inn inn;
static int expected_index; /* of the guest that begins next */

static void failed(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    printf("seed %llu: ", (unsigned long long)seed);
    vprintf(format, list);
    printf("\n");
    va_end(list);
    exit(1);
}

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) failed("" __VA_ARGS__);                                                                      \
    } while (0)

static int draw(int below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (unsigned)below);
}

static int busy(void)
{
    int count = 0;
    for (int i = 0; i < PLACES; i++) count += places[i].token != NOBODY;
    return count;
}

/* -- the reports of the flows -------------------------------------------------------------------------------------- */

void told_init(int index, int token)
{
    CHECK(token == 0, "place %d was not cleared: %d", index, token);
    CHECK(index == expected_index, "place %d begins instead of %d", index, expected_index);
}

void told_enter(int index, int token)
{
    CHECK(places[index].token == token && !places[index].entered, "token %d enters place %d", token, index);
    places[index].entered = true;
    places[index].until = uf_time_add(uf_pump_now(&pump), UF_MS(places[index].how == BECOMING ? 3 : places[index].how));
}

void told_exit(int index, int token)
{
    CHECK(places[index].token == token && places[index].entered, "token %d leaves place %d", token, index);
}

void told_end(int index, int token, uf_outcome outcome)
{
    place *const at = &places[index];
    CHECK(at->token == token && at->entered, "the run of token %d ends in place %d", token, index);
    CHECK(at->leaves || at->may_leave || uf_pump_now(&pump) >= at->until, "token %d ends too early: %s", token,
          uf_outcome_text(outcome));
    CHECK(Inn_guests_busy(&inn) == (uint32_t)busy(), "the pool hears before `on end`");
    *at = (place){.token = NOBODY};
    free_places[free_count++] = index;
    ended++;
}

void told_mail(int token, int sent)
{
    int const index = sent / 100000;
    CHECK(places[index].token == token, "mail of place %d is read by token %d", index, token);
    CHECK(sent % 100000 == token, "mail for token %d is read by token %d", sent % 100000, token);
    places[index].read++;
    places[index].until = uf_time_add(uf_pump_now(&pump), UF_MS(places[index].how)); /* the next await begins */
}

/* -- checks -------------------------------------------------------------------------------------------------------- */

static void be_quiet(void)
{
    for (int i = 0; i < 12; i++) uf_pump_round(&pump, uf_pump_now(&pump));
    for (int i = 0; i < PLACES; i++) {
        place const *const at = &places[i];
        bool const due = at->token != NOBODY && (at->leaves || !at->entered || uf_pump_now(&pump) >= at->until);
        CHECK(!due, "token %d is still in place %d", at->token, i);
        CHECK(at->token == NOBODY || at->read == at->mail || at->how <= 0, "token %d has unread mail", at->token);
    }
    CHECK(Inn_guests_busy(&inn) == (uint32_t)busy(), "%u are busy instead of %d", Inn_guests_busy(&inn), busy());
    uint32_t const task = uf_flow_running(&inn.uf) ? 1 : 0;
    const char *const name = task ? uf_flow_task(&inn.uf) : "";
    CHECK(strcmp(name, "Vacant") != 0 || busy() == PLACES, "nobody woke who waits for a free place");
    CHECK(strcmp(name, "Idle") != 0 || busy() > 0, "nobody woke who waits for all");
    CHECK(uf_pump_running(&pump) == (size_t)busy() + task, "%zu runs", uf_pump_running(&pump));
}

/* -- operations ---------------------------------------------------------------------------------------------------- */

static const char *refusal(void)
{
    return uf_pump_stopping(&pump) ? "stopping" : busy() == PLACES ? "full" : "";
}

/* The model's view of the spawn that follows. */
static void expect(int how)
{
    if (*refusal()) return;
    expected_index = free_count ? free_places[--free_count] : used++;
    places[expected_index] = (place){.token = tokens, .how = how, .leaves = how == AT_ONCE || how == FAILING};
    places[expected_index].until = UF_FOREVER; /* it counts from the first turn */
}

static int draw_how(void)
{
    return draw(13) - 2;
}

static void spawn_from_outside(void)
{
    int const how = draw_how();
    const char *const why = refusal();
    tokens++;
    expect(how);
    uf_status const status = Inn_guests_spawn_Visit(&inn, tokens, how);
    CHECK(strcmp(status == UF_OK ? "" : uf_status_text(status), why) == 0, "spawn: %s instead of `%s`",
          uf_status_text(status), why);
}

static int spawned_in_step, step_how;

void told_spawn(int token, const char *refused)
{
    spawned_in_step = token;
    CHECK((*refused != 0) == (places[expected_index].token != token), "token %d: `%s`", token, refused);
}

/* No other act happens in the round of that step. */
static void spawn_in_a_step(void)
{
    if (uf_flow_running(&inn.uf) || uf_pump_stopping(&pump)) return;
    be_quiet();
    if (uf_flow_running(&inn.uf)) return;
    step_how = draw_how();
    tokens++;
    bool const refused = *refusal() != 0;
    expect(step_how);
    if (refused) expected_index = 0;
    (void)Inn_start_Spawn(&inn, tokens, step_how);
    uf_pump_round(&pump, uf_pump_now(&pump));
    if (uf_flow_running(&inn.uf)) uf_pump_round(&pump, uf_pump_now(&pump));
    CHECK(spawned_in_step == tokens, "token %d was neither accepted nor refused", tokens);
}

static Guest *any(int *index)
{
    *index = draw(PLACES);
    Guest *const guest = Inn_guests_at(&inn, (uint32_t)*index);
    CHECK((guest != NULL) == (places[*index].token != NOBODY), "place %d: %s", *index, guest ? "a guest" : "nobody");
    return guest;
}

static uf_run old_runs[8];

static void disturb(void)
{
    int index;
    Guest *const guest = any(&index);
    place *const at = &places[index];
    if (!guest) return;
    uf_run const run = Inn_guests_run(&inn, (uint32_t)index);
    old_runs[draw(8)] = run;
    switch (draw(6)) {
    case 0: uf_flow_cancel(&guest->uf); break;
    case 1: CHECK(uf_run_cancel(run) == UF_OK, "cancel of a run"); break;
    case 2:
        uf_signal_fire(&guest->hurry);
        if (at->how != BECOMING) break;
        at->may_leave = true; /* the other task has no handler */
        return;
    case 3:
        if (uf_pump_stopping(&pump)) return;
        be_quiet(); /* a fire before the await is not heard */
        if (at->token == NOBODY) return;
        uf_signal_fire(&guest->go);
        break;
    default:
        if (at->how > 0 && Guest_mail_send(guest, index * 100000 + at->token) == UF_OK) at->mail++;
        return;
    }
    at->leaves = true;
}

static void cancel_all(void)
{
    CHECK(Inn_guests_cancel_all(&inn) == UF_OK, "cancel_all");
    for (int i = 0; i < PLACES; i++) places[i].leaves = true;
}

static void use_old_handle(void)
{
    uf_run const run = old_runs[draw(8)];
    if (!run.flow) return;
    for (int i = 0; i < PLACES; i++) {
        uf_run const now = Inn_guests_run(&inn, (uint32_t)i);
        if (now.flow == run.flow && now.number == run.number) return;
    }
    CHECK(uf_run_cancel(run) == UF_STALE, "an old handle works");
    for (int i = 0; i < PLACES; i++) {
        if (Inn_guests_run(&inn, (uint32_t)i).flow == run.flow) return;
    }
    CHECK(Guest_mail_send((Guest *)run.flow, 0) == UF_CLOSED, "a late message was accepted");
}

/* -- a case -------------------------------------------------------------------------------------------------------- */

static void stop(void)
{
    static uf_stop stopping;
    if (uf_pump_stopping(&pump)) {
        if (!uf_pump_stopped(&pump)) return;
        CHECK(uf_pump_restart(&pump) == UF_OK, "restart");
        return;
    }
    CHECK(uf_pump_stop(&pump, &stopping, UF_MS(2 + draw(20))) == UF_OK, "stop");
}

static void step(void)
{
    switch (draw(12)) {
    case 0:
    case 1:
    case 2: spawn_from_outside(); break;
    case 3:
    case 4: spawn_in_a_step(); break;
    case 5:
    case 6: disturb(); break;
    case 7: use_old_handle(); break;
    case 8:
        if (draw(2)) (void)Inn_start_Vacant(&inn);
        else (void)Inn_start_Idle(&inn);
        break;
    case 9:
        if (draw(4) == 0) cancel_all();
        else if (draw(12) == 0) stop();
        break;
    default:
        if (uf_pump_stopping(&pump)) /* which may cancel them, too */
            for (int i = 0; i < PLACES; i++) places[i].leaves = places[i].token != NOBODY;
        uf_pump_round(&pump, uf_pump_now(&pump) + UF_MS(draw(3)));
        if (!uf_pump_stopping(&pump)) be_quiet();
    }
}

static void run_case(void)
{
    state = seed * 2 + 1;
    free_count = used = tokens = ended = 0;
    memset(old_runs, 0, sizeof old_runs);
    for (int i = 0; i < PLACES; i++) places[i] = (place){.token = NOBODY};
    memset(&inn, 0xa5, sizeof inn);
    CHECK(uf_pump_init(&pump, NULL) == UF_OK && Inn_init(&inn, &pump, "inn") == UF_OK, "init");
    for (int i = 0; i < OPERATIONS; i++) step();
    uf_stop_report report;
    for (int i = 0; i < PLACES; i++) places[i].leaves = true;
    if (!uf_pump_stopping(&pump)) CHECK(uf_simulate_stop(&pump, UF_MS(5), &report) != UF_INVALID, "the last stop");
    else
        while (!uf_pump_stopped(&pump)) uf_pump_round(&pump, uf_pump_now(&pump) + UF_MS(1));
    CHECK(busy() == 0 && Inn_guests_busy(&inn) == 0, "%d guests are left", busy());
    CHECK(Inn_destroy(&inn) == UF_OK, "destroy");
    CHECK(!uf_pump_next_flow(&pump, NULL), "a flow is left");
}

int main(int argc, char **argv)
{
    long const cases = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    uint64_t const first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (seed = first; seed < first + (uint64_t)cases; seed++) run_case();
    printf("%ld cases\n", cases);
    return 0;
}
