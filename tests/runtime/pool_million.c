/* SPDX-License-Identifier: MIT */
/* pool_million.c - a pool of a million members. pool_flat.py counts the instructions of measured() at different numbers
 * of running members.
 *
 * usage: test_runtime_pool_million [RUNNING] */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "uflow/simulate.h"

#include "pool_million.h"

enum { MILLION = 1000000 };

static uf_pump pump;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static void rounds(int count)
{
    while (count-- > 0) uf_pump_round(&pump, 0);
}

/* Zeroed pages that cost nothing before they are used; NULL: there is no such memory. */
static void *reserve(size_t size)
{
    void *const made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

static long peak_kib(void)
{
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return usage.ru_maxrss;
}

/* A thousand times: a spawn, the end of a member, and a wait for a free one. */
UF_NOINLINE void measured(Town *town, uint32_t last);
UF_NOINLINE void measured(Town *town, uint32_t last)
{
    for (int i = 0; i < 1000; i++) {
        CHECK(Town_people_spawn_Wait(town) == UF_OK);
        rounds(1);
        (void)Town_start_Vacant(town);
        rounds(3);
        CHECK(!uf_flow_running(&town->uf));
        uf_signal_fire(&Town_people_at(town, last)->go);
        rounds(2);
        CHECK(Town_people_at(town, last) == NULL);
    }
}

static void fill(Town *town, int count)
{
    while (count-- > 0) CHECK(Town_people_spawn_Wait(town) == UF_OK);
    rounds(1);
}

/* Ends them in an order far from that of the storage. */
static void end_all(Town *town)
{
    for (uint64_t i = 0; i < MILLION; i++) {
        Tiny *const one = Town_people_at(town, (uint32_t)(i * 387119 % MILLION));
        if (one) uf_signal_fire(&one->go);
        if (i % 1000 == 0) rounds(2);
    }
    rounds(2);
    CHECK(Town_people_busy(town) == 0);
}

static void use_all(Town *town)
{
    fill(town, MILLION - (int)Town_people_busy(town));
    CHECK(Town_people_spawn_Wait(town) == UF_FULL);
    (void)Town_start_Vacant(town);
    rounds(3);
    CHECK(uf_flow_running(&town->uf));
    uf_signal_fire(&Town_people_at(town, MILLION - 1)->go);
    rounds(3);
    CHECK(!uf_flow_running(&town->uf));
    (void)Town_start_Idle(town);
    end_all(town);
    rounds(3);
    CHECK(!uf_flow_running(&town->uf));
    CHECK(uf_pump_running(&pump) == 0);
    fill(town, MILLION);
    CHECK(Town_people_cancel_all(town) == UF_OK);
    rounds(2);
    CHECK(Town_people_busy(town) == 0);
}

/* Offsets above 4 GiB. No page of the eight GiB in between is used. */
static void use_far_members(void)
{
    if (sizeof(void *) < 8) return;
    Country *const country = reserve(sizeof(Country));
    if (!country) return;
    CHECK(Country_init(country, &pump, "country") == UF_OK);
    CHECK((uintptr_t)&country->uf_members_of_people - (uintptr_t)country > UINT64_C(8) << 30);
    CHECK(Country_start_Check(country) == UF_OK);
    CHECK(Country_fats_spawn_Wait(country) == UF_OK);
    CHECK(Town_people_spawn_Wait(&country->town) == UF_OK);
    rounds(3);
    CHECK(Country_people_busy(country) == 1 && uf_pump_running(&pump) == 3);
    char path[64];
    uf_flow_path(&Town_people_at(&country->town, 0)->uf, path, sizeof path);
    CHECK(strcmp(path, "country.town.people[0]") == 0);
    CHECK(Country_destroy(country) == UF_BUSY);
    uf_signal_fire(&Town_people_at(&country->town, 0)->go);
    uf_signal_fire(&Country_people_at(country, 0)->go);
    Country_fats_cancel_all(country);
    rounds(3);
    CHECK(Country_destroy(country) == UF_OK);
    munmap(country, sizeof *country);
}

int main(int argc, char **argv)
{
    Town *const town = reserve(sizeof *town);
    CHECK(town && uf_pump_init(&pump, NULL) == UF_OK);
    long const before = peak_kib();
    CHECK(Town_init(town, &pump, "town") == UF_OK);
    CHECK(peak_kib() - before < 1024);
    int const running = argc > 1 ? atoi(argv[1]) : 1000;
    fill(town, running);
    measured(town, (uint32_t)running);
    if (argc > 1) return 0;
    use_all(town);
    CHECK(Town_destroy(town) == UF_OK);
    use_far_members();
    printf("a member takes %zu bytes\n", sizeof town->uf_members_of_people[0]);
    return 0;
}
