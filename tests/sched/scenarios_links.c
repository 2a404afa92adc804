/* SPDX-License-Identifier: MIT */
/* scenarios_links.c - two runtimes on one thread. */
#include "scene.h"

/* -- two runtimes on one thread ----------------------------------------------------------------------------------- */

static uf_runtime *second;
static Worker guest;
static int guests;

static void count_guest(void *argument)
{
    (void)argument;
    guests++;
}

static void post_to_second(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2; i++) MUST(uf_post(second, count_guest, NULL) == UF_OK);
    MUST(Worker_start_Count(&guest, 2) == UF_OK);
}

static void begin_two(void)
{
    begin();
    guests = 0;
    MUST(uf_runtime_new(&second, NULL) == UF_OK);
    MUST(Worker_init(&guest, uf_runtime_pump(second), "guest") == UF_OK);
}

static void is_driven(void *argument)
{
    (void)argument;
    MUST(uf_runtime_is_own_thread(runtime) && uf_runtime_is_own_thread(second));
}

static void link_wake(void)
{
    begin_two();
    spawn(post_to_second, NULL);
    MUST(uf_runtime_link(runtime, second) == UF_OK);
    MUST(uf_post_wait(second, is_driven, NULL) == UF_OK);
    join();
    MUST(uf_runtime_free(runtime) == UF_BUSY);
    MUST(uf_runtime_wait(second, UF_FOREVER) == UF_OK);
    MUST(guests == 2 && guest.exits == 1);
    spawn(post_to_second, NULL);
    MUST(uf_runtime_unlink(second) == UF_OK);
    join();
    MUST(uf_runtime_wait(second, UF_FOREVER) == UF_OK);
    MUST(guests == 4 && guest.exits == 2);
    MUST(uf_runtime_free(second) == UF_OK);
    end();
}

static void link_unwatched(void)
{
    begin_two();
    spawn(post_to_second, NULL);
    MUST(uf_runtime_link(runtime, second) == UF_OK);
    join();
    while (guests < 2 || uf_flow_running(&guest.uf)) schedule_pause();
    MUST(uf_runtime_unlink(second) == UF_OK);
    MUST(uf_runtime_free(second) == UF_OK);
    end();
}

static void link_free(void)
{
    begin_two();
    MUST(Worker_start_Rest(&guest, UF_FOREVER) == UF_OK);
    MUST(uf_runtime_link(runtime, second) == UF_OK);
    spawn(start_some, NULL);
    MUST(uf_runtime_free(second) == UF_OK);
    MUST(guest.exits == guest.enters && !guest.uf.pump);
    end();
}

static void link_link(void *argument)
{
    (void)argument;
    uf_status const status = uf_runtime_link(runtime, second);
    MUST(status == UF_OK || status == UF_BUSY);
    accepted += status == UF_OK;
}

static void link_twice(void)
{
    begin_two();
    spawn(link_link, NULL);
    spawn(link_link, NULL);
    join();
    MUST(accepted == 1);
    MUST(uf_runtime_free(second) == UF_OK);
    end();
}

/* Between two polls of the driver: messages in the runtime that it takes over are processed without a wake-up. */
static void link_embedded(void)
{
    uf_runtime_config const config = {.embedded = true};

    begin_with(&config);
    MUST(uf_runtime_new(&second, NULL) == UF_OK);
    MUST(Worker_init(&guest, uf_runtime_pump(second), "guest") == UF_OK);
    MUST(Worker_start_Rest(&guest, UF_MS(2)) == UF_OK);
    MUST(uf_runtime_poll(runtime) == UF_OK);
    MUST(uf_runtime_link(runtime, second) == UF_OK);
    while (uf_flow_running(&guest.uf)) {
        schedule_wait_bell(uf_runtime_fd(runtime), uf_runtime_next_deadline(runtime));
        MUST(uf_runtime_poll(runtime) == UF_OK);
    }
    MUST(uf_runtime_free(second) == UF_OK);
    end();
}

const scenario link_scenarios[] = {
    {"link_wake", link_wake},   {"link_unwatched", link_unwatched}, {"link_free", link_free},
    {"link_twice", link_twice}, {"link_embedded", link_embedded},   {0},
};
