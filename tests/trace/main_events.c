/* SPDX-License-Identifier: MIT */
/* main_events.c - writes traces in virtual time.
 *
 *   events STREAM [IMAGE]        what the flows of events.uflow do, and the recorder's memory
 *   events --long COUNT STREAM   about COUNT events, through a ring that is much smaller
 */
#include "uflow/recorder_file.h"
#include "uflow/uflow.h"

#include "events.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

bool events_open;

static uf_pump pump;
static uf_recorder recorder;
static unsigned char memory[200000];

static void start_pump(void)
{
    static uf_seeded_pool pool;
    static uf_work works[8];

    CHECK(uf_pool_seeded(&pool, works, 8, 7, UF_MS(3)) == UF_OK);
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool, .slow_job = UF_MS(1)}) == UF_OK);
    CHECK(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 64) == UF_OK);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *const out = fopen(path, "wb");
    CHECK(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
}

/* Drives the cell through all its steps. */
static void write_events(const char *stream, const char *image)
{
    static Cell cell, other;
    static Warden warden;
    static Drum drum;
    uf_pause hold = {0};
    int item = 3;
    uf_stop stop;

    start_pump();
    CHECK(Cell_init(&cell, &pump, "cell", 100) == UF_OK && Cell_init(&other, &pump, "other", 101) == UF_OK);
    CHECK(Cell_start_Serve(&cell) == UF_OK && Cell_start_Stop(&other) == UF_OK);
    CHECK(Warden_init(&warden, &pump, "warden") == UF_OK && Warden_start_Watch(&warden) == UF_OK);
    CHECK(Drum_init(&drum, &pump, "drum") == UF_OK && Drum_start_Turn(&drum) == UF_OK);
    for (int ms = 0; ms < 1000 && uf_flow_running(&cell.uf); ms++) {
        char const *const step = uf_flow_step(&cell.uf);
        if (strcmp(step, "Signal") == 0 || strcmp(step, "Both") == 0) uf_signal_fire(&go);
        if (strcmp(step, "Mail") == 0) (void)uf_mailbox_send(&cell.box, &item);
        if (strcmp(step, "Gate") == 0) uf_checkpoint_resume(&gate);
        if (strcmp(step, "Room") == 0) (void)uf_checkpoint_try_arm(&gate);
        if (strcmp(step, "Hold") == 0) events_open = false;
        if (ms == 50) uf_recorder_note(&recorder, "a note that takes several cells");
        if (ms == 60) uf_signal_fire(&warden.halt);
        if (ms == 70) CHECK(Warden_start_Watch(&warden) == UF_OK);
        if (ms == 70) uf_signal_fire(&warden.halt); /* before its first turn */
        if (ms == 5 || ms == 105) CHECK(uf_flow_pause(&drum.uf, &hold) == UF_OK);
        if (ms == 100 || ms == 130) CHECK(uf_flow_resume(&hold) == UF_OK);
        (void)uf_simulate_until(&pump, UF_MS(ms + 1));
    }
    CHECK(!uf_flow_running(&cell.uf));
    CHECK(uf_pump_stop(&pump, &stop, UF_S(1)) == UF_OK);
    for (int ms = 1000; ms < 1100; ms++) (void)uf_pump_round(&pump, UF_MS(ms));
    CHECK(uf_recorder_save(&recorder, stream));
    if (image) write_file(image, memory, sizeof memory);
}

/* A ring that is written to a file before it is full has all events. */
static void write_long(long count, const char *stream)
{
    static Cell cell;
    uf_recorder_cursor cursor = {.lost = 0};
    FILE *const out = fopen(stream, "wb");
    long written = 0;

    start_pump();
    CHECK(out && Cell_init(&cell, &pump, "cell", 100) == UF_OK);
    while (written < count) {
        if (!uf_flow_running(&cell.left.uf)) CHECK(Part_start_Work(&cell.left, 0) == UF_OK);
        (void)uf_simulate_until(&pump, uf_pump_now(&pump) + UF_S(3));
        if (recorder.header->head % 4096 > 4000) CHECK(uf_recorder_write(&recorder, &cursor, out));
        written = (long)recorder.header->head;
    }
    CHECK(uf_recorder_write(&recorder, &cursor, out) && fclose(out) == 0 && cursor.lost == 0);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--long") == 0) write_long(atol(argv[2]), argv[3]);
    else write_events(argv[1], argc > 2 ? argv[2] : NULL);
    return 0;
}
