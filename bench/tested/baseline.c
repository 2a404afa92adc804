/* SPDX-License-Identifier: MIT */
/* The plain schedule of the door's test, written by hand. */
#define BENCH_USAGE "[runs]"

#include "door.h"
#include "tested.h"

static bool obstacle;
static uf_pump pump;
static Door door;

static void run(void)
{
    uf_time now = 0, wait = 0;

    obstacle = false;
    memset(&door, 0, sizeof door);
    BENCH_CHECK(uf_pump_init(&pump, NULL) == UF_OK);
    BENCH_CHECK(Door_init(&door, &pump, "door", &obstacle) == UF_OK && Door_start_Close(&door) == UF_OK);
    for (; uf_flow_running(&door.uf); now += wait) {
        wait = uf_pump_round(&pump, now);
        BENCH_CHECK(door.motor.position >= 0 && door.motor.position <= 10);
        BENCH_CHECK(now < UF_S(30) && (wait != UF_FOREVER || !uf_flow_running(&door.uf)));
    }
    BENCH_CHECK(!uf_flow_running(&door.motor.uf));
    BENCH_CHECK(Door_destroy(&door) == UF_OK && uf_pump_destroy(&pump) == UF_OK);
}

int main(int argc, char **argv)
{
    uint64_t const runs = bench_number(argc, argv, 1, 100000);

    int const out = bench_hush();
    int64_t const began = bench_begin();
    for (uint64_t i = 0; i < runs; i++) run();
    int64_t const ended = bench_end();
    bench_speak(out);
    bench_report(began, ended, runs);
    return 0;
}
