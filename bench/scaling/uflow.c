/* SPDX-License-Identifier: MIT */
/* W10, runtimes that share nothing, and W11, runtimes that share one object. The work of each runtime is the same for
 * any number of them, so the time for each event falls as the CPUs allow. `pinned`: they share nothing, and each one
 * and its pool stay on one CPU; with more runtimes than CPUs, several on each. */
#define BENCH_USAGE                                                                                                    \
    "[runtimes, 64 at most [signal | checkpoint | mail | post | job | timer | describe | fail | pipe "                 \
    "[apart | pinned | shared, but for the last four [events of each runtime [threads of the shared pool]]]]]"

#include <sched.h>

#include "bench.h"
#include "client.h"
#include "partner.h"
#include "relay.h"
#include "uflow/pool.h"
#include "uflow/runtime.h"

enum { MAIL = 2, POST = 3, FIRST_ALONE = 5, MOST = 64, IN_FLIGHT = 64 };
enum { APART, PINNED, SHARED };

/* A post that is made again and again. */
typedef struct ball {
    struct side *of, *at;
    uint64_t left;
} ball;

/* On cache lines of its own. */
typedef struct side {
    uf_runtime *runtime;
    Partner one, other;
    uf_signal to_one, to_other;
    Client clients[IN_FLIGHT];
    Relay relays[2];
    ball balls[IN_FLIGHT];
    char apart[128];
} side;

static side *sides;
static size_t count;
static bool shared, pinned;
static uint64_t each;
static uf_pool *pool;
static uint32_t still_posting;
static uf_signal posts_are_over = UF_SIGNAL("posts are over");

static void post_again(void *argument);

/* -- signals ------------------------------------------------------------------------------------------------------- */

static void ready_signals(side *s)
{
    s->one.hears = s->other.rings = shared ? &sides[0].to_one : &s->to_one;
    s->other.hears = s->one.rings = shared ? &sides[0].to_one : &s->to_other;
    if (shared) BENCH_CHECK(Partner_start_Hear(&s->other) == UF_OK);
    else BENCH_CHECK(Partner_start_Answer(&s->other, each / 2) == UF_OK);
}

static void begin_signals(side *s)
{
    if (shared) BENCH_CHECK(Partner_start_Fire(&s->one, each) == UF_OK);
    else BENCH_CHECK(Partner_start_Ring(&s->one, each / 2) == UF_OK);
}

/* -- mailboxes ----------------------------------------------------------------------------------------------------- */

static void ready_mail(side *s)
{
    s->one.other = shared ? &sides[0].other : &s->other;
    if (!shared) BENCH_CHECK(Partner_start_Receive(&s->other, each) == UF_OK);
    else if (s == sides) BENCH_CHECK(Partner_start_Receive(&s->other, each * count) == UF_OK);
}

static void begin_mail(side *s)
{
    BENCH_CHECK(Partner_start_Send(&s->one, each) == UF_OK);
}

/* -- checkpoints --------------------------------------------------------------------------------------------------- */

static void ready_checkpoints(side *s)
{
    s->one.other = shared ? &sides[0].other : &s->other;
    s->one.has_rivals = shared;
    if (!shared || s == sides) BENCH_CHECK(Partner_start_Cross(&s->other) == UF_OK);
}

static void begin_checkpoints(side *s)
{
    BENCH_CHECK(Partner_start_Guard(&s->one, each) == UF_OK);
}

/* -- posts: functions that post themselves again; shared: to the first runtime and back ---------------------------- */

static void post(ball *b, side *to)
{
    b->at = to;
    BENCH_CHECK(uf_post(to->runtime, post_again, b) == UF_OK);
}

static void post_again(void *argument)
{
    ball *const b = argument;

    if (--b->left > 0) post(b, shared && b->at != sides ? sides : b->of);
    else if (__atomic_sub_fetch(&still_posting, 1, __ATOMIC_SEQ_CST) == 0) (void)uf_signal_fire(&posts_are_over);
}

static void ready_posts(side *s)
{
    for (size_t i = 0; i < IN_FLIGHT; i++) s->balls[i] = (ball){.of = s, .left = each / IN_FLIGHT};
    __atomic_add_fetch(&still_posting, IN_FLIGHT, __ATOMIC_SEQ_CST);
}

static void post_all(void *argument)
{
    side *const s = argument;
    for (size_t i = 0; i < IN_FLIGHT; i++) post(&s->balls[i], s);
}

/* In a step: runtimes reuse the memory of a post, and the allocations of main() lie side by side. A CPU also fetches
 * neighbouring lines, even at a distance. With one such post beside the 64, two runtimes made 1.77 times the posts of
 * one, and not 1.99 times. */
static void begin_posts(side *s)
{
    BENCH_CHECK(Partner_start_Call(&s->one, post_all, s) == UF_OK);
}

/* -- timers -------------------------------------------------------------------------------------------------------- */

static void ready_clients(side *s)
{
    for (size_t i = 0; i < IN_FLIGHT; i++) {
        BENCH_CHECK(Client_init(&s->clients[i], uf_runtime_pump(s->runtime), "client") == UF_OK);
    }
}

static void begin_timers(side *s)
{
    for (size_t i = 0; i < IN_FLIGHT; i++) {
        BENCH_CHECK(Client_start_Nap(&s->clients[i], each / IN_FLIGHT) == UF_OK);
    }
}

/* -- texts and pipes ----------------------------------------------------------------------------------------------- */

static void ready_relays(side *s)
{
    int pipes[2][2];

    for (int i = 0; i < 2; i++) BENCH_CHECK(pipe(pipes[i]) == 0);
    for (int i = 0; i < 2; i++) {
        BENCH_CHECK(Relay_init(&s->relays[i], uf_runtime_pump(s->runtime), "relay", pipes[i][0], pipes[!i][1]) ==
                    UF_OK);
    }
}

static void begin_descriptions(side *s)
{
    BENCH_CHECK(Relay_start_Describe(&s->relays[0], each) == UF_OK);
}

static void begin_failures(side *s)
{
    BENCH_CHECK(Relay_start_Fail(&s->relays[0], each) == UF_OK);
}

static void begin_pipes(side *s)
{
    for (int i = 0; i < 2; i++) BENCH_CHECK(Relay_start_Pass(&s->relays[i], each / 2, i == 0) == UF_OK);
}

/* -- jobs: shared, one pool with as many workers ------------------------------------------------------------------- */

static void start_clients(side *s, uint64_t jobs)
{
    for (size_t i = 0; i < IN_FLIGHT; i++) BENCH_CHECK(Client_start_Work(&s->clients[i], jobs) == UF_OK);
}

/* The first jobs create the pool and its threads. */
static void ready_jobs(side *s)
{
    ready_clients(s);
    start_clients(s, 1);
    BENCH_CHECK(uf_runtime_wait(s->runtime, UF_FOREVER) == UF_OK);
}

static void begin_jobs(side *s)
{
    start_clients(s, each / IN_FLIGHT);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void for_each(void (*act)(side *s))
{
    for (size_t i = 0; i < count; i++) act(&sides[i]);
}

/* The number, plus 1, of one of the CPUs that the program may use. */
static uint32_t cpu_of(const side *s)
{
    cpu_set_t set;

    BENCH_CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    size_t before = (size_t)(s - sides) % (size_t)CPU_COUNT(&set);
    uint32_t cpu = 0;
    while (!CPU_ISSET(cpu, &set) || before-- > 0) cpu++;
    return cpu + 1;
}

static void create(side *s)
{
    uf_runtime_config const config = {.workers = 1, .pool = pool, .cpu = pinned ? cpu_of(s) : 0};

    BENCH_CHECK(uf_runtime_new(&s->runtime, &config) == UF_OK);
    BENCH_CHECK(Partner_init(&s->one, uf_runtime_pump(s->runtime), "one") == UF_OK);
    BENCH_CHECK(Partner_init(&s->other, uf_runtime_pump(s->runtime), "other") == UF_OK);
    uf_signal_init(&s->to_one, "to one");
    uf_signal_init(&s->to_other, "to other");
}

static void await_end(side *s)
{
    BENCH_CHECK(uf_flow_wait(&s->one.uf, UF_FOREVER, NULL) == UF_OK);
    for (size_t i = 0; i < IN_FLIGHT; i++) {
        if (s->clients[i].uf.pump) BENCH_CHECK(uf_flow_wait(&s->clients[i].uf, UF_FOREVER, NULL) == UF_OK);
    }
    for (size_t i = 0; i < 2; i++) {
        if (!s->relays[i].uf.pump || uf_flow_outcome(&s->relays[i].uf) == UF_NEVER_RAN) continue;
        BENCH_CHECK(uf_flow_wait(&s->relays[i].uf, UF_FOREVER, NULL) == UF_OK);
        BENCH_CHECK(uf_flow_outcome(&s->relays[i].uf) == UF_DONE);
    }
}

int main(int argc, char **argv)
{
    static struct {
        void (*ready)(side *s), (*begin)(side *s);
    } const kinds[] = {{ready_signals, begin_signals},     {ready_checkpoints, begin_checkpoints},
                       {ready_mail, begin_mail},           {ready_posts, begin_posts},
                       {ready_jobs, begin_jobs},           {ready_clients, begin_timers},
                       {ready_relays, begin_descriptions}, {ready_relays, begin_failures},
                       {ready_relays, begin_pipes}};
    static char const *const words[] = {"signal", "checkpoint", "mail", "post", "job",
                                        "timer",  "describe",   "fail", "pipe", NULL};
    int const kind = bench_word(argc, argv, 2, words);

    count = bench_number(argc, argv, 1, 1);
    if (count > MOST) bench_refuse(argc, argv, 1);
    int const how = bench_word(argc, argv, 3, (char const *const[]){"apart", "pinned", "shared", NULL});
    pinned = how == PINNED;
    shared = how == SHARED;
    if (shared && kind >= FIRST_ALONE) bench_refuse(argc, argv, 3);
    each = bench_number(argc, argv, 4, 1000000) / IN_FLIGHT * IN_FLIGHT;
    uint32_t const workers = (uint32_t)bench_number(argc, argv, 5, count);
    sides = bench_memory(count, sizeof *sides);
    if (shared) BENCH_CHECK(uf_pool_new(&pool, &(uf_pool_config){.workers = workers}) == UF_OK);
    for_each(create);
    for_each(kinds[kind].ready);
    int64_t const began = bench_begin();
    for_each(kinds[kind].begin);
    if (kind == POST) BENCH_CHECK(uf_signal_wait_since(&posts_are_over, 0, UF_FOREVER) == UF_OK);
    for_each(await_end);
    if (kind == MAIL) BENCH_CHECK(uf_flow_wait(&sides[0].other.uf, UF_FOREVER, NULL) == UF_OK);
    int64_t const ended = bench_end();
    for (size_t i = 0; i < count; i++) BENCH_CHECK(uf_runtime_free(sides[i].runtime) == UF_OK);
    if (pool) BENCH_CHECK(uf_pool_free(pool, UF_S(5)) == UF_OK);
    bench_report(began, ended, each * count);
    return 0;
}
