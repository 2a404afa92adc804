/* SPDX-License-Identifier: MIT */
/* beside.c - operations whose cost must not depend on unrelated objects. beside.py counts the instructions of
 * measured() with few others and with many. Everything runs on one thread, apart from threads that only wait: the
 * runtimes are in external-loop mode.
 *
 * usage: beside             lists the names of the operations
 *        beside NAME OTHERS runs one, and prints how many times it was done in measured() */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "uflow/counters.h"
#include "uflow/dump.h"
#include "uflow/pool.h"
#include "uflow/simulate.h"

#include "inspecting.h"

#include "beside_kept.h"
#include "beside_scene.h"

/* -- the operations ------------------------------------------------------------------------------------------------ */

static void ring(void)
{
    for (int i = 0; i < TIMES; i++) {
        uf_signal_fire(&active[0].bell);
        rounds(1);
    }
}

static void start_hearing(void)
{
    CHECK(Active_start_Hear(&active[0]) == UF_OK);
    rounds(3);
}

static int signal_beside_timers(int count)
{
    begin(count);
    start_others(Other_start_Time);
    start_hearing();
    measured(ring);
    return TIMES;
}

/* Flows of another pump wait for a signal of this one, which does not fire. */
static void add_guests(int count)
{
    static uf_pump second;
    Other *const guests = memory((size_t)count, sizeof *guests);

    CHECK(uf_pump_init(&second, NULL) == UF_OK);
    for (int i = 0; i < count; i++) {
        CHECK(Other_init(&guests[i], &second, "guest", &place) == UF_OK && Other_start_Bell(&guests[i]) == UF_OK);
    }
    uf_pump_round(&second, 0);
    uf_pump_round(&second, 0);
}

static int signal_beside_guests(int count)
{
    begin(1);
    start_others(Other_start_Bell); /* at home */
    add_guests(count);
    start_hearing();
    measured(ring);
    return TIMES;
}

/* Flows of this pump wait for signals of another one. */
static int signal_of_a_guest(int count)
{
    static uf_pump second;
    Place *const places = memory((size_t)count, sizeof *places);
    Other *const hosts = memory((size_t)count, sizeof *hosts), *const guests = memory((size_t)count, sizeof *guests);

    begin(0);
    CHECK(uf_pump_init(&second, NULL) == UF_OK);
    for (int i = 0; i < count; i++) {
        CHECK(Place_init(&places[i], &second, "place") == UF_OK);
        CHECK(Other_init(&hosts[i], &second, "host", &places[i]) == UF_OK && Other_start_Bell(&hosts[i]) == UF_OK);
    }
    uf_pump_round(&second, 0);
    uf_pump_round(&second, 0);
    for (int i = 0; i < count; i++) {
        CHECK(Other_init(&guests[i], pump, "guest", &places[i]) == UF_OK && Other_start_Bell(&guests[i]) == UF_OK);
    }
    start_hearing();
    measured(ring);
    return TIMES;
}

/* A fire that releases a guest, where many other runtimes have guests. */
static int fire_beside_runtimes(int count)
{
    begin(1);
    start_others(Other_start_Bell);
    for (int i = 0; i < count; i++) {
        uf_runtime *const other = new_runtime();
        Other *const guest = memory(1, sizeof *guest);
        CHECK(Other_init(guest, uf_runtime_pump(other), "guest", &place) == UF_OK);
        CHECK(Other_start_Bell(guest) == UF_OK);
        for (int n = 0; n < 3; n++) CHECK(uf_runtime_poll(other) == UF_OK);
    }
    start_hearing();
    measured(ring);
    return TIMES;
}

static void send(void)
{
    for (int i = 0; i < TIMES; i++) {
        CHECK(Active_mail_send(&active[0], i) == UF_OK);
        rounds(3);
    }
}

static int message_beside_mailboxes(int count)
{
    begin(count);
    start_others(Other_start_Time);
    CHECK(Active_start_Read(&active[0]) == UF_OK);
    rounds(3);
    measured(send);
    return TIMES;
}

static void receive(void)
{
    int item;
    for (int i = 0; i < TIMES; i++) {
        CHECK(Place_mail_receive(&place, &item));
        rounds(3);
    }
}

/* Through a full mailbox, beside flows that wait for something else as well. */
static int message_beside_watchers(int count)
{
    static Sender sender;

    begin(count);
    start_others(Other_start_Room);
    CHECK(Sender_init(&sender, pump, "sender", &place) == UF_OK && Sender_start_Send(&sender, 2 * TIMES) == UF_OK);
    rounds(20);
    measured(receive);
    return TIMES;
}

static Store store;
static int receives;

static void drain(void)
{
    int item;
    for (int i = 0; i < receives; i++) CHECK(Store_mail_receive(&store, &item));
    rounds(3);
}

/* All others wait to send one message to a full mailbox, which is drained in one turn; the cost is that of each. */
static int drain_of_senders(int count)
{
    Filler *const fillers = memory((size_t)count, sizeof *fillers);

    begin(0);
    CHECK(Store_init(&store, pump, "store") == UF_OK && Store_start_Hold(&store) == UF_OK);
    while (Store_mail_send(&store, 0) == UF_OK) {}
    for (int i = 0; i < count; i++) {
        CHECK(Filler_init(&fillers[i], pump, "filler", &store) == UF_OK && Filler_start_Fill(&fillers[i]) == UF_OK);
    }
    rounds(3);
    receives = count;
    measured(drain);
    return count;
}

static void detach_all(void)
{
    for (int i = 0; i < TIMES; i++) CHECK(uf_flow_detach(&active[i].uf) == UF_OK);
}

static int destroy_beside_flows(int count)
{
    begin(count);
    start_others(Other_start_Time);
    measured(detach_all);
    return TIMES;
}

static void nothing_posted(void *argument)
{
    (void)argument;
}

static void detach_in_post(void *argument)
{
    (void)argument;
    measured(detach_all);
}

static int destroy_beside_posts(int count)
{
    begin_hosted(0);
    rounds(3);
    CHECK(uf_post(runtime, detach_in_post, NULL) == UF_OK);
    for (int i = 0; i < count; i++) CHECK(uf_post(runtime, nothing_posted, NULL) == UF_OK);
    rounds(8);
    return TIMES;
}

/* Cancels of other flows are under way. */
static void *cancel_others(void *argument)
{
    for (int i = 0; i < other_count; i++) CHECK(uf_flow_cancel(&others[i].uf) == UF_OK);
    return argument;
}

static void run_thread(void *(*run)(void *argument))
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static int destroy_beside_cancels(int count)
{
    begin_hosted(count);
    start_others(Other_start_Time);
    CHECK(uf_post(runtime, detach_in_post, NULL) == UF_OK);
    run_thread(cancel_others);
    rounds(8);
    return TIMES;
}

static Submitter submitters[TIMES];

static void submit_short(void)
{
    for (int i = 0; i < TIMES; i++) CHECK(Submitter_start_Submit(&submitters[i], 1000 + i * 7 % 32) == UF_OK);
    rounds(1);
}

static void time_out(void)
{
    uf_pump_round(pump, UF_S(2));
    uf_pump_round(pump, UF_S(2));
}

static void submit_long(int count)
{
    Submitter *const many = memory((size_t)count, sizeof *many);

    keeping.works = memory((size_t)count + TIMES, sizeof *keeping.works);
    CHECK(uf_pump_init(pump, &(uf_pump_config){.pool = &keeping.pool}) == UF_OK);
    add_flows(0);
    for (int i = 0; i < TIMES; i++) CHECK(Submitter_init(&submitters[i], pump, "submitter") == UF_OK);
    for (int i = 0; i < count; i++) {
        CHECK(Submitter_init(&many[i], pump, "submitter") == UF_OK);
        CHECK(Submitter_start_Submit(&many[i], 1000000 + i) == UF_OK);
    }
    rounds(2);
}

static int submit_beside_timed_jobs(int count)
{
    submit_long(count);
    measured(submit_short);
    return TIMES;
}

static int timeout_beside_timed_jobs(int count)
{
    submit_long(count);
    submit_short();
    measured(time_out);
    return TIMES;
}

static void start_once(void)
{
    for (int i = 0; i < TIMES; i++) {
        CHECK(Active_start_Once(&active[i]) == UF_OK);
        rounds(2);
    }
}

static void *wait_for_all(void *argument)
{
    CHECK(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    return argument;
}

static void *wait_for_other(void *other)
{
    uf_status const status = uf_flow_wait(&((Other *)other)->uf, UF_FOREVER, NULL);
    CHECK(status == UF_OK || status == UF_STALE);
    return NULL;
}

/* A requested round, in which nothing begins or ends. */
static void request_rounds(void)
{
    for (int i = 0; i < TIMES; i++) {
        uf_runtime_wake(runtime);
        rounds(1);
    }
}

static int beside_threads(int count, void *(*wait)(void *argument), void (*operation)(void))
{
    pthread_t *const threads = memory((size_t)count, sizeof *threads);
    pthread_attr_t small;

    begin_hosted(count);
    start_others(Other_start_Time);
    CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 128 * 1024) == 0);
    for (int i = 0; i < count; i++) CHECK(pthread_create(&threads[i], &small, wait, &others[i]) == 0);
    while (((volatile uf_pump *)pump)->watched < (uint32_t)count) {
        rounds(1);
        usleep(1000);
    }
    rounds(3);
    operation();
    CHECK(uf_runtime_cancel_all(runtime) == UF_OK);
    rounds(4);
    for (int i = 0; i < count; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    return TIMES;
}

static void measure_rounds(void)
{
    measured(request_rounds);
}

static int round_beside_threads(int count)
{
    return beside_threads(count, wait_for_all, measure_rounds);
}

static void measure_starts(void)
{
    measured(start_once);
}

static int start_beside_threads(int count)
{
    return beside_threads(count, wait_for_other, measure_starts);
}

static void call_once(void)
{
    for (int i = 0; i < TIMES; i++) CHECK(Active_call_Once(&active[i], UF_FOREVER, NULL) == UF_OK);
}

static bool has_called;

static void *measure_calls(void *argument)
{
    measured(call_once);
    __atomic_store_n(&has_called, true, __ATOMIC_RELEASE);
    return argument;
}

/* The calling thread is counted, and not the runtime's. */
static void call_by_thread(void)
{
    pthread_t thread;

    CHECK(pthread_create(&thread, NULL, measure_calls, NULL) == 0);
    while (!__atomic_load_n(&has_called, __ATOMIC_ACQUIRE)) rounds(1);
    CHECK(pthread_join(thread, NULL) == 0);
}

static int call_beside_threads(int count)
{
    return beside_threads(count, wait_for_other, call_by_thread);
}

static FILE *nowhere;

static void dump(void)
{
    CHECK(uf_pump_dump(pump, nowhere) == UF_OK);
}

static int measure_dump(int count)
{
    nowhere = fopen("/dev/null", "w");
    CHECK(nowhere);
    measured(dump);
    fclose(nowhere);
    return 1 + count;
}

/* The cost is that of each flow. */
static int dump_of(int count, start *task)
{
    active_count = 0;
    begin(count);
    start_others(task);
    return measure_dump(count);
}

/* Each runs the next one. */
static int dump_of_chain(int count)
{
    active_count = 0;
    begin(count);
    for (int i = 0; i + 1 < count; i++) others[i].next = &others[i + 1];
    CHECK(Other_start_Chain(&others[0]) == UF_OK);
    rounds(2 * count);
    return measure_dump(count);
}

static int dump_of_arrived(int count)
{
    return dump_of(count, Other_start_Arrived);
}

static int dump_of_idle(int count)
{
    return dump_of(count, Other_start_Idle);
}

static ufi_part part;

static void take_part(void)
{
    ufi_part_ask(&part, runtime);
    rounds(2);
    CHECK(!ufi_part_is_asked(&part));
}

/* The last part of a snapshot. */
static int snapshot_of(int count, start *task)
{
    begin_hosted(count);
    start_others(task);
    part.most = 32;
    part.seen = memory(part.most, sizeof *part.seen);
    part.waits = memory(UFI_PART_WAITS, sizeof *part.waits);
    for (; part.first + part.most < (uint32_t)(TIMES + count); part.first += part.count) take_part();
    measured(take_part);
    return (int)part.count;
}

static int snapshot_of_arrived(int count)
{
    return snapshot_of(count, Other_start_Arrived);
}

static int snapshot_of_timers(int count)
{
    return snapshot_of(count, Other_start_Time);
}

static void step(void)
{
    CHECK(Active_start_Step(&active[0], TIMES) == UF_OK);
    while (uf_flow_running(&active[0].uf)) rounds(1);
}

/* Other flows have taken all rows. */
static int event_beside_counters(int count)
{
    static uf_counters counters;

    begin(count);
    CHECK(uf_counters_attach(&counters, pump, memory((size_t)count, sizeof(uf_flow_counts)), (size_t)count) == UF_OK);
    start_others(Other_start_Time);
    measured(step);
    return TIMES;
}

static int transition_beside_stopping(int count)
{
    begin(count);
    start_others(Other_start_Stopping);
    measured(step);
    return TIMES;
}

static void tick(void)
{
    for (int i = 0; i < TIMES; i++) uf_pump_round(pump, uf_pump_now(pump) + UF_US(1));
}

static int timer_beside_timers(int count)
{
    begin(count);
    start_others(Other_start_Time);
    CHECK(Active_start_Time(&active[0]) == UF_OK);
    rounds(2);
    measured(tick);
    return TIMES;
}

static int real_timer_beside_real_timers(int count)
{
    begin(count);
    start_others(Other_start_RealTime);
    CHECK(Active_start_RealTime(&active[0]) == UF_OK);
    rounds(2);
    measured(tick);
    return TIMES;
}

static void spawn_all(void)
{
    static House house;
    CHECK(House_init(&house, pump, "house") == UF_OK);
    for (int i = 0; i < TIMES; i++) {
        CHECK(House_rooms_spawn_Once(&house) == UF_OK);
        rounds(3);
    }
}

static int spawn_beside_flows(int count)
{
    begin(count);
    start_others(Other_start_Time);
    measured(spawn_all);
    return TIMES;
}

static void post_and_run(void)
{
    for (int i = 0; i < TIMES; i++) {
        CHECK(uf_post(runtime, nothing_posted, NULL) == UF_OK);
        rounds(1);
    }
}

static int post_beside_flows(int count)
{
    begin_hosted(count);
    start_others(Other_start_Time);
    measured(post_and_run);
    return TIMES;
}

static int start_beside_idle(int count)
{
    begin(count);
    start_others(Other_start_Idle);
    measured(start_once);
    return TIMES;
}

static void arm_and_resume(void)
{
    for (int i = 0; i < TIMES; i++) {
        CHECK(uf_checkpoint_try_arm(&place.stand) == UF_OK);
        CHECK(uf_checkpoint_disarm(&place.stand) == UF_OK);
        rounds(1);
    }
}

static int checkpoint_beside_timers(int count)
{
    begin(count);
    start_others(Other_start_Time);
    measured(arm_and_resume);
    return TIMES;
}

/* The others wait for copies of one end of a pipe. */
static int signal_beside_descriptors(int count)
{
    int ends[2];

    begin_hosted(count);
    CHECK(pipe(ends) == 0);
    for (int i = 0; i < count; i++) CHECK(Other_start_Readable(&others[i], dup(ends[0])) == UF_OK);
    rounds(3);
    start_hearing();
    measured(ring);
    return TIMES;
}

static Other readers[TIMES];
static int shared_fd;

static void await_and_leave(void)
{
    for (int i = 0; i < TIMES; i++) CHECK(Other_start_Readable(&readers[i], shared_fd) == UF_OK);
    rounds(2);
    for (int i = 0; i < TIMES; i++) CHECK(uf_flow_cancel(&readers[i].uf) == UF_OK);
    rounds(2);
}

/* The others wait for the same descriptor. */
static int await_beside_readers(int count)
{
    int ends[2];

    CHECK(pipe(ends) == 0);
    shared_fd = ends[0];
    for (int i = 0; i < TIMES; i++) CHECK(Other_init(&readers[i], pump, "reader", &place) == UF_OK);
    for (int i = 0; i < count; i++) CHECK(Other_start_Readable(&others[i], shared_fd) == UF_OK);
    rounds(3);
    measured(await_and_leave);
    return TIMES;
}

static int await_beside_hosted_readers(int count)
{
    begin_hosted(count);
    return await_beside_readers(count);
}

static int await_beside_scripted_readers(int count)
{
    begin(count);
    return await_beside_readers(count);
}

/* `most`: how many others there are at most, if they are threads, runtimes or descriptors. */
static const struct operation {
    const char *name;
    int (*run)(int count);
    int most;
} operations[] = {
    {"signal_beside_timers", signal_beside_timers, 0},
    {"signal_beside_guests", signal_beside_guests, 0},
    {"signal_of_a_guest", signal_of_a_guest, 0},
    {"signal_beside_descriptors", signal_beside_descriptors, 400},
    {"await_beside_hosted_readers", await_beside_hosted_readers, 0},
    {"await_beside_scripted_readers", await_beside_scripted_readers, 0},
    {"fire_beside_runtimes", fire_beside_runtimes, 100},
    {"message_beside_mailboxes", message_beside_mailboxes, 0},
    {"message_beside_watchers", message_beside_watchers, 0},
    {"drain_of_senders", drain_of_senders, 0},
    {"destroy_beside_flows", destroy_beside_flows, 0},
    {"destroy_beside_posts", destroy_beside_posts, 0},
    {"destroy_beside_cancels", destroy_beside_cancels, 0},
    {"submit_beside_timed_jobs", submit_beside_timed_jobs, 0},
    {"timeout_beside_timed_jobs", timeout_beside_timed_jobs, 0},
    {"round_beside_threads", round_beside_threads, 200},
    {"start_beside_threads", start_beside_threads, 200},
    {"call_beside_threads", call_beside_threads, 200},
    {"start_beside_idle", start_beside_idle, 0},
    {"dump_of_arrived", dump_of_arrived, 0},
    {"dump_of_chain", dump_of_chain, 0},
    {"dump_of_idle", dump_of_idle, 0},
    {"snapshot_of_arrived", snapshot_of_arrived, 0},
    {"snapshot_of_timers", snapshot_of_timers, 0},
    {"event_beside_counters", event_beside_counters, 0},
    {"transition_beside_stopping", transition_beside_stopping, 0},
    {"timer_beside_timers", timer_beside_timers, 0},
    {"real_timer_beside_real_timers", real_timer_beside_real_timers, 0},
    {"spawn_beside_flows", spawn_beside_flows, 0},
    {"post_beside_flows", post_beside_flows, 0},
    {"checkpoint_beside_timers", checkpoint_beside_timers, 0},
    {"restart_of_durable", restart_of_durable, 0},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (argc < 3) printf("%s %d\n", operations[i].name, operations[i].most);
        else if (strcmp(argv[1], operations[i].name) == 0) printf("%d\n", operations[i].run(atoi(argv[2])));
    }
    return 0;
}
