/* SPDX-License-Identifier: MIT */
/* scenarios_catches.c - signals of the system that fire signals. Each comes on some thread, between any two points. */
#include "listening.h"

enum { TERM = 15, USR1 = 10 };

static uint32_t came;

static void send_thrice(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++) {
        if (seeded_signal(TERM)) ufp_add_fetch_seq_cst(&came, 1);
        schedule_pause();
    }
}

/* -- one that comes after the fire for the last one fires again ---------------------------------------------------- */

static void catch_each(void)
{
    begin_listening();
    MUST(uf_runtime_catch(runtime, TERM, notifier) == UF_OK);
    for (int i = 0; i < 3; i++) {
        uint32_t const since = uf_signal_epoch(notifier);
        MUST(seeded_signal(TERM));
        MUST(uf_signal_wait_since(notifier, since, UF_FOREVER) == UF_OK);
    }
    MUST(uf_runtime_uncatch(runtime, TERM) == UF_OK && !seeded_signal(TERM));
    end_listening();
}

/* Several that come at once fire at least once, and a flow hears of it. */
static void catch_some(void)
{
    begin_listening();
    MUST(uf_runtime_catch(runtime, TERM, notifier) == UF_OK);
    MUST(Listener_start_Listen(&here[0], 1, UF_FOREVER) == UF_OK);
    wait_until_waiting(1);
    for (int i = 0; i < 2; i++) spawn(send_thrice, NULL);
    MUST(uf_flow_wait(&here[0].uf, UF_FOREVER, NULL) == UF_OK && here[0].heard == 1);
    join();
    end_listening();
}

/* -- against the end of the catch, and of the runtime -------------------------------------------------------------- */

static void catch_uncatch(void)
{
    begin_listening();
    came = 0;
    for (int i = 0; i < 2; i++) spawn(send_thrice, NULL);
    for (int i = 0; i < 3; i++) {
        MUST(uf_runtime_catch(runtime, TERM, notifier) == UF_OK);
        schedule_pause();
        MUST(uf_runtime_uncatch(runtime, TERM) == UF_OK);
    }
    join();
    MUST(uf_signal_epoch(notifier) <= came);
    MUST(uf_runtime_catch(runtime, TERM, notifier) == UF_OK);
    uint32_t const since = uf_signal_epoch(notifier);
    MUST(seeded_signal(TERM) && uf_signal_wait_since(notifier, since, UF_FOREVER) == UF_OK);
    end_listening();
}

static void catch_free(void)
{
    begin_listening();
    MUST(uf_runtime_catch(runtime, TERM, notifier) == UF_OK);
    spawn(send_thrice, NULL);
    schedule_pause();
    MUST(uf_runtime_free(runtime) == UF_OK);
    join();
    MUST(!seeded_signal(TERM));
    MUST(uf_runtime_catch(second, TERM, notifier) == UF_OK);
    uint32_t const since = uf_signal_epoch(notifier);
    MUST(seeded_signal(TERM) && uf_signal_wait_since(notifier, since, UF_FOREVER) == UF_OK);
    MUST(uf_runtime_free(second) == UF_OK);
    uf_signal_destroy(notifier);
    ufp_free(notifier);
    ufp_free(point);
}

/* -- two runtimes: the first catch starts the thread that tells them ----------------------------------------------- */

static void catch_on_second(void *argument)
{
    (void)argument;
    uf_status const status = uf_runtime_catch(second, TERM, notifier);
    MUST(status == UF_OK || status == UF_BUSY);
    released += status == UF_OK;
    MUST(uf_runtime_catch(second, USR1, notifier) == UF_OK);
}

static void catch_two(void)
{
    begin_listening();
    spawn(catch_on_second, NULL);
    uf_status const status = uf_runtime_catch(runtime, TERM, notifier);
    join();
    MUST((status == UF_OK) + released == 1);
    for (int i = 0; i < 2; i++) {
        uint32_t const since = uf_signal_epoch(notifier);
        MUST(seeded_signal(i ? TERM : USR1) && uf_signal_wait_since(notifier, since, UF_FOREVER) == UF_OK);
    }
    end_listening();
}

const scenario catch_scenarios[] = {
    {"catch_each", catch_each}, {"catch_some", catch_some}, {"catch_uncatch", catch_uncatch},
    {"catch_free", catch_free}, {"catch_two", catch_two},   {0},
};
