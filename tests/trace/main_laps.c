/* SPDX-License-Identifier: MIT */
/* main_laps.c - writes traces of one program in virtual time, by recorders with rings of many sizes.
 *
 *   laps SEED DIRECTORY
 *
 * At some moments N it writes, of each recorder R, N.R.trace and N.R.img; N.R.stream, to which it writes only now and
 * then, so that it has gaps; N.all, whose recorder never laps; and N.truth: path, step and its time of each flow that
 * runs, as uf_flow_view tells. The recorders with the highest numbers are added late. */
#include "uflow/recorder_file.h"
#include "uflow/uflow.h"

#include "laps.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

enum { RECORDERS = 9, LATE = 2, MOMENTS = 5, OBJECTS = 64, STEPS = 15 };

/* Bytes that the ring has more than its fewest cells. */
static size_t const more[RECORDERS] = {0, 16, 48, 300, 1600, 5000, 40000, 0, 3000};

static uf_pump pump;
static Group group;
static uf_recorder all, recorders[RECORDERS];
static uf_recorder_cursor cursors[RECORDERS];
static unsigned char memories[RECORDERS][100000], memory_of_all[64 << 20];
static size_t sizes[RECORDERS];
static unsigned chance;
static char const *directory;

static unsigned any(unsigned limit)
{
    chance = chance * 1103515245u + 12345u;
    return (chance >> 16) % limit;
}

static void attach(int which)
{
    size_t size = 0;
    while (uf_recorder_init(&recorders[which], &pump, memories[which], size, OBJECTS) != UF_OK) size += 16;
    sizes[which] = size + more[which];
    CHECK(uf_recorder_attach(&recorders[which], &pump, memories[which], sizes[which], OBJECTS) == UF_OK);
}

static FILE *open_file(int moment, const char *name, const char *mode)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%d.%s", directory, moment, name);
    FILE *const file = fopen(path, mode);
    CHECK(file);
    return file;
}

static void save(const uf_recorder *recorder, int moment, const char *name)
{
    uf_recorder_cursor cursor = {.lost = 0};
    FILE *const out = open_file(moment, name, "wb");
    CHECK(uf_recorder_write(recorder, &cursor, out) && fclose(out) == 0);
}

static void save_truth(int moment)
{
    FILE *const out = open_file(moment, "truth", "w");
    char path[100];

    for (const uf_flow *flow = NULL; (flow = uf_pump_next_flow(&pump, flow)) != NULL;) {
        uf_flow_view view;
        uf_flow_view_of(flow, &view);
        (void)uf_flow_path(flow, path, sizeof path);
        if (view.running) fprintf(out, "%s %s %lld\n", path, view.step, (long long)(uf_pump_now(&pump) - view.elapsed));
    }
    CHECK(fclose(out) == 0);
}

static void save_all(int moment, FILE *const *streams, int count)
{
    char name[100];

    save(&all, moment, "all");
    save_truth(moment);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%d.trace", i);
        save(&recorders[i], moment, name);
        snprintf(name, sizeof name, "%d.img", i);
        FILE *const image = open_file(moment, name, "wb");
        CHECK(fwrite(memories[i], 1, sizes[i], image) == sizes[i] && fclose(image) == 0);
        CHECK(uf_recorder_write(&recorders[i], &cursors[i], streams[i]));
    }
}

int main(int argc, char **argv)
{
    static uf_seeded_pool pool;
    static uf_work works[64];
    FILE *streams[RECORDERS];
    int count = RECORDERS - LATE;

    CHECK(argc == 3);
    chance = (unsigned)atoi(argv[1]);
    directory = argv[2];
    CHECK(uf_pool_seeded(&pool, works, 64, chance, UF_MS(3)) == UF_OK);
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool}) == UF_OK);
    CHECK(uf_recorder_attach(&all, &pump, memory_of_all, sizeof memory_of_all, 100) == UF_OK);
    for (int i = 0; i < count; i++) attach(i);
    for (int i = 0; i < RECORDERS; i++) {
        char name[100];
        snprintf(name, sizeof name, "%d.stream", i);
        streams[i] = open_file(0, name, "wb");
    }
    CHECK(Group_init(&group, &pump, "group") == UF_OK && Group_start_Lead(&group) == UF_OK);
    for (int i = 0; i < 12; i++) group.runners[i].random += chance;
    for (int moment = 0; moment < MOMENTS; moment++) {
        for (int step = 0; step < STEPS; step++) {
            uf_time const times[] = {UF_US(1), UF_MS(1), UF_MS(50), UF_S(1), UF_S(6)};
            (void)uf_simulate_until(&pump, uf_pump_now(&pump) + times[any(5)] * (1 + (int)any(9)));
            if (any(30) == 0) uf_checkpoint_resume(&gate);
            for (int i = 0; i < 12; i++) {
                if (any(4) == 0 && !uf_flow_running(&group.runners[i].uf))
                    CHECK(Runner_start_Run(&group.runners[i]) == UF_OK);
            }
            for (int i = 0; i < count; i++) {
                if (any(10) == 0) CHECK(uf_recorder_write(&recorders[i], &cursors[i], streams[i]));
            }
        }
        if (moment == MOMENTS / 2) {
            while (count < RECORDERS) attach(count++);
        }
        (void)uf_pump_round(&pump, uf_pump_now(&pump)); /* what was started last begins */
        save_all(moment, streams, count);
    }
    CHECK(!all.header->full);
    for (int i = 0; i < RECORDERS; i++) CHECK(fclose(streams[i]) == 0);
    return 0;
}
