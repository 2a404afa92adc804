/* SPDX-License-Identifier: MIT */
/* A pool of flows: threads spawn, cancel, send to old members and stop, while members end and are used again. */
#include "scene.h"

#include "crowd.h"
#include "keeper.h"

static Inn inn;
static Guest *known; /* a member that has run */
static int spawned, refused, entered, exited, ends;

void told_enter(Guest *guest, int token)
{
    (void)token;
    entered++;
    __atomic_store_n(&known, guest, __ATOMIC_SEQ_CST);
}

void told_exit(int token)
{
    (void)token;
    exited++;
}

void told_end(Guest *guest)
{
    (void)guest;
    ends++;
}

void told_mail(int sent)
{
    (void)sent;
}

/* Two spawns compete for one member, so each use follows another one. */
static void begin_pool(void)
{
    begin();
    known = NULL;
    spawned = refused = entered = exited = ends = 0;
    MUST(Inn_init(&inn, uf_runtime_pump(runtime), "inn") == UF_OK);
    MUST(Inn_guests_limit(&inn, 1) == UF_OK);
}

/* The task of each accepted spawn was entered and left once. */
static void end_pool(void)
{
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(Inn_guests_busy(&inn) == 0 && inn.guests.used <= 1);
    MUST(entered == spawned && exited == spawned && ends == spawned);
    MUST(Inn_destroy(&inn) == UF_OK);
    end();
}

static void spawn_two(void *argument)
{
    int const how = (int)(intptr_t)argument;
    for (int left = 2; left > 0;) {
        uf_status const status = Inn_guests_spawn_Visit(&inn, left, how);
        MUST(status == UF_OK || status == UF_FULL || status == UF_STOPPING);
        __atomic_add_fetch(status == UF_OK ? &spawned : &refused, 1, __ATOMIC_SEQ_CST);
        if (status == UF_FULL) schedule_pause();
        else left--;
    }
}

static void pool_used_again(void)
{
    begin_pool();
    spawn(spawn_two, NULL);
    spawn(spawn_two, NULL);
    join();
    MUST(spawned == 4);
    end_pool();
}

/* They wait for ever, unless they are cancelled. */
static void pool_cancelled(void)
{
    begin_pool();
    spawn(spawn_two, (void *)(intptr_t)60000000);
    spawn(spawn_two, (void *)(intptr_t)60000000);
    while (__atomic_load_n(&spawned, __ATOMIC_SEQ_CST) < 4 || Inn_guests_busy(&inn)) {
        MUST(Inn_guests_cancel_all(&inn) == UF_OK);
        schedule_pause();
    }
    end_pool();
}

/* A handle and a sender of the first use meet the next one. */
static void pool_with_late_senders(void)
{
    Guest *guest;

    begin_pool();
    MUST(Inn_guests_spawn_Visit(&inn, 0, 0) == UF_OK);
    spawned = 1;
    while ((guest = __atomic_load_n(&known, __ATOMIC_SEQ_CST)) == NULL) schedule_pause();
    uf_run const first = {.flow = &guest->uf, .number = 1};
    spawn(spawn_two, NULL);
    for (int i = 0; i < 3; i++) {
        uf_status const sent = Guest_mail_send(guest, i);
        MUST(sent == UF_OK || sent == UF_CLOSED || sent == UF_FULL);
        uf_status const cancelled = uf_run_cancel(first);
        MUST(cancelled == UF_OK || cancelled == UF_STALE);
        uf_signal_fire(&guest->go);
    }
    join();
    MUST(spawned == 3);
    end_pool();
}

static void pool_stopped(void)
{
    begin_pool();
    spawn(spawn_two, NULL);
    spawn(spawn_two, NULL);
    MUST(uf_runtime_stop(runtime, UF_FOREVER, NULL) == UF_OK);
    end_pool();
}

static Keeper keeper;

static void spawn_kids(void *unused)
{
    (void)unused;
    for (uint32_t most = 1; most <= 2; most++) {
        uf_status const status = Keeper_kids_spawn_Work(&keeper, 1);
        MUST(status == UF_OK || status == UF_FULL);
        MUST(Keeper_kids_limit(&keeper, most) == UF_OK);
    }
}

/* The second run finds the ends that the first one has left. */
static void pool_with_kept_ends(void)
{
    begin();
    MUST(Keeper_init(&keeper, uf_runtime_pump(runtime), "keeper") == UF_OK);
    spawn(spawn_kids, NULL);
    for (int run = 0; run < 2; run++) {
        MUST(Keeper_start_Mind(&keeper, 3) == UF_OK);
        MUST(uf_flow_wait(&keeper.uf, UF_FOREVER, NULL) == UF_OK);
        MUST(uf_flow_outcome(&keeper.uf) == UF_DONE);
    }
    join();
    MUST(uf_runtime_wait(runtime, UF_FOREVER) == UF_OK);
    MUST(Keeper_kids_busy(&keeper) == 0);
    MUST(Keeper_destroy(&keeper) == UF_OK);
    end();
}

const scenario pool_scenarios[] = {
    {"pool_used_again", pool_used_again},
    {"pool_cancelled", pool_cancelled},
    {"pool_with_late_senders", pool_with_late_senders},
    {"pool_stopped", pool_stopped},
    {"pool_with_kept_ends", pool_with_kept_ends},
    {0},
};
