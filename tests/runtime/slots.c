/* SPDX-License-Identifier: MIT */
/* A store in two slots: a power cut at each byte of each write, damage, and memory that is too small. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slots.h"
#include "uflow/slots.h"

/* -- a board with memory that takes rewriting ---------------------------------------------------------------------- */

enum { SIZE = 2048, IMAGE = 1024, PORTIONS = 4 };

typedef struct board {
    uint8_t memory[SIZE];
    uint32_t written, most; /* bytes; the power is cut at `most` */
    bool is_off, fails_to_read;
} board;

static board the;
static uint8_t image[IMAGE];

static bool read_memory(void *context, uint32_t offset, void *bytes, uint32_t size)
{
    const board *const b = context;
    assert_true(size > 0 && offset + size <= SIZE);
    memcpy(bytes, b->memory + offset, size);
    return !b->fails_to_read;
}

static bool write_memory(void *context, uint32_t offset, const void *bytes, uint32_t size)
{
    board *const b = context;
    assert_true(size > 0 && offset + size <= SIZE);
    for (uint32_t i = 0; i < size; i++) {
        b->is_off |= b->written == b->most;
        if (b->is_off) return false;
        b->memory[offset + i] = ((const uint8_t *)bytes)[i];
        b->written++;
    }
    return true;
}

static uf_store_slots_config config_of(board *b)
{
    return (uf_store_slots_config){.read = read_memory,
                                   .write = write_memory,
                                   .context = b,
                                   .size = SIZE,
                                   .image = image,
                                   .image_size = IMAGE,
                                   .identity = "board"};
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

typedef struct process {
    uf_pump pump;
    uf_store_slots slots;
    Station station, other;
} process;

static int last_dosed;

/* No body runs with less than what an earlier body had been kept with. */
void slots_body(const char *name, int dosed)
{
    assert_string_equal(name, "station");
    assert_true(dosed == last_dosed || dosed == last_dosed + 10);
    last_dosed = dosed;
}

static void open_process(process *p, board *b)
{
    uf_restore_report report;
    uf_store_slots_config const config = config_of(b);

    memset(p, 0, sizeof *p);
    if (uf_store_slots_open(&p->slots, &config) != UF_OK) fail_msg("%s", uf_store_failure(&p->slots.store));
    assert_int_equal(uf_pump_init(&p->pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(&p->slots.store, &p->pump), UF_OK);
    assert_int_equal(Station_init(&p->station, &p->pump, "station"), UF_OK);
    assert_int_equal(Station_init(&p->other, &p->pump, "another station"), UF_OK);
    if (uf_store_restore(&p->slots.store, &report) != UF_OK) fail_msg("%s", report.text);
    assert_int_equal(uf_store_release(&p->slots.store, NULL), UF_OK);
}

static void close_process(process *p)
{
    uf_pump_cancel_all(&p->pump);
    (void)uf_simulate_until_idle(&p->pump, UF_S(60));
    assert_int_equal(Station_destroy(&p->station), UF_OK);
    assert_int_equal(Station_destroy(&p->other), UF_OK);
    assert_int_equal(uf_pump_destroy(&p->pump), UF_OK);
    assert_int_equal(uf_store_close(&p->slots.store), UF_OK);
    assert_int_equal(uf_store_close(&p->slots.store), UF_INVALID);
}

/* Starts it unless it runs, and runs it as long as the power lasts. */
static void work(process *p)
{
    if (!uf_flow_running(&p->station.uf)) assert_int_equal(Station_start_Dose(&p->station, PORTIONS), UF_OK);
    while (!the.is_off && uf_flow_running(&p->station.uf))
        (void)uf_simulate_until(&p->pump, uf_pump_now(&p->pump) + UF_MS(100));
}

static void power_cut_at(uint32_t byte)
{
    static process p;

    the = (board){.most = byte};
    last_dosed = 0;
    open_process(&p, &the);
    work(&p);
    if (the.is_off) {
        assert_string_equal(uf_store_failure(&p.slots.store), "a write failed");
        assert_int_equal(uf_flow_outcome(&p.station.uf), UF_FAILED);
    }
    the.is_off = false; /* the power is back; the memory of the process is gone */
    the.most = UINT32_MAX;
    open_process(&p, &the);
    bool const is_over = uf_flow_outcome(&p.station.uf) == UF_DONE;
    if (!is_over) work(&p);
    assert_int_equal(uf_flow_outcome(&p.station.uf), UF_DONE);
    assert_int_equal(p.station.dosed, 10 * PORTIONS);
    assert_string_equal(p.station.name, "station");
    close_process(&p);
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

CASE(goes_on_after_a_power_cut_at_each_byte)
{
    power_cut_at(UINT32_MAX - 1);
    uint32_t const bytes = the.written;
    assert_true(bytes > 1000);
    for (uint32_t byte = 0; byte <= bytes; byte++) power_cut_at(byte);
}

/* What is kept, as records without flows. */
static void put(uf_store_slots *slots, const char *path, const char *text)
{
    void *const room = slots->store.kind->room(&slots->store, strlen(text));
    assert_non_null(room);
    memcpy(room, text, strlen(text));
    assert_int_equal(slots->store.kind->put(&slots->store, path, room, strlen(text)), UF_OK);
}

static void commit(uf_store_slots *slots)
{
    uint64_t count;
    slots->store.puts++;
    assert_int_equal(slots->store.kind->committed(&slots->store, &count), UF_OK);
    assert_int_equal(count, slots->store.puts);
}

static char listed[256];
static uf_store_slots *changing;

static void list(void *context, const char *path, const void *bytes, size_t size)
{
    (void)context;
    (void)snprintf(listed + strlen(listed), sizeof listed - strlen(listed), "%s=%.*s ", path, (int)size,
                   (const char *)bytes);
    char copy[16]; /* a put moves the records */
    (void)snprintf(copy, sizeof copy, "%s", path);
    if (changing) put(changing, copy, "changed");
}

static const char *load(uf_store_slots *slots)
{
    listed[0] = '\0';
    assert_int_equal(slots->store.kind->load(&slots->store, list, NULL), UF_OK);
    return listed;
}

static uf_status reopen(uf_store_slots *slots)
{
    uf_store_slots_config const config = config_of(&the);
    memset(image, 0xA5, sizeof image);
    return uf_store_slots_open(slots, &config);
}

static void open_empty(uf_store_slots *slots)
{
    the = (board){.most = UINT32_MAX};
    assert_int_equal(reopen(slots), UF_OK);
}

CASE(keeps_records_by_path)
{
    uf_store_slots slots;
    open_empty(&slots);
    assert_string_equal(load(&slots), "");
    put(&slots, "a", "1");
    put(&slots, "b.c", "22");
    put(&slots, "", "time");
    commit(&slots);
    put(&slots, "a", "333");
    assert_int_equal(slots.store.kind->put(&slots.store, "nowhere", "", 0), UF_OK);
    commit(&slots);
    uint32_t const written = the.written;
    commit(&slots); /* nothing has changed */
    assert_int_equal(the.written, written);
    assert_int_equal(reopen(&slots), UF_OK);
    assert_string_equal(load(&slots), "b.c=22 =time a=333 ");
    assert_int_equal(slots.store.kind->put(&slots.store, "b.c", "", 0), UF_OK);
    put(&slots, "d", "4"); /* is not committed */
    assert_string_equal(load(&slots), "=time a=333 d=4 ");
    changing = &slots;
    assert_string_equal(load(&slots), "=time a=333 d=4 ");
    changing = NULL;
    assert_string_equal(load(&slots), "=changed a=changed d=changed ");
    assert_int_equal(reopen(&slots), UF_OK);
    assert_string_equal(load(&slots), "b.c=22 =time a=333 ");
}

/* A changed byte of the newer slot is damage, or the older slot counts, as after a cut. One of the older slot changes
 * nothing. */
CASE(damage_is_seen)
{
    uf_store_slots slots;
    unsigned refused = 0, older = 0;
    open_empty(&slots);
    put(&slots, "a", "old");
    commit(&slots);
    put(&slots, "a", "newer");
    commit(&slots);
    for (uint32_t byte = 0; byte < SIZE; byte++) {
        the.memory[byte] ^= 0x10;
        uf_status const status = reopen(&slots);
        if (status == UF_OK) {
            assert_true(byte >= SIZE / 2 || byte < 24 || strcmp(load(&slots), "a=newer ") == 0);
            older += strcmp(load(&slots), "a=old ") == 0;
        } else {
            assert_int_equal(status, UF_STORE);
            assert_non_null(strstr(uf_store_failure(&slots.store), "damaged"));
            refused++;
        }
        the.memory[byte] ^= 0x10;
    }
    assert_int_equal(older, 24);                                 /* bytes of the head */
    assert_int_equal(refused, 6 + sizeof "a" + strlen("newer")); /* of its record */
    memset(the.memory, 'x', SIZE);
    assert_int_equal(reopen(&slots), UF_STORE);
    assert_string_equal(uf_store_failure(&slots.store), "both slots are damaged: uf_store_slots_erase() forgets all");
    uf_store_slots_config const config = config_of(&the);
    assert_int_equal(uf_store_slots_erase(&config), UF_OK);
    assert_int_equal(reopen(&slots), UF_OK);
    assert_string_equal(load(&slots), "");
    memset(the.memory, 0xFF, SIZE);
    assert_int_equal(reopen(&slots), UF_OK);
}

CASE(too_small_memory_is_said)
{
    uf_store_slots slots;
    uf_store_slots_config config = config_of(&the);
    open_empty(&slots);
    char long_text[201];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    put(&slots, "a", long_text);
    commit(&slots);
    config.image_size = 100;
    assert_int_equal(uf_store_slots_open(&slots, &config), UF_NO_MEMORY);
    assert_string_equal(uf_store_failure(&slots.store), "the image is too small");
    config.size = 48;
    assert_int_equal(uf_store_slots_open(&slots, &config), UF_NO_MEMORY);
    assert_string_equal(uf_store_failure(&slots.store), "the memory is too small");
    assert_int_equal(uf_store_slots_erase(&config), UF_NO_MEMORY);
    config = config_of(&the);
    config.size = 2 * 200;
    memset(the.memory, 0, SIZE);
    assert_int_equal(uf_store_slots_open(&slots, &config), UF_OK);
    void *const room = slots.store.kind->room(&slots.store, 190);
    assert_non_null(room);
    assert_int_equal(slots.store.kind->put(&slots.store, "a", room, 190), UF_NO_MEMORY);
    assert_string_equal(uf_store_failure(&slots.store), "the slots are too small");
    assert_int_equal(uf_store_slots_open(&slots, &config), UF_OK);
    assert_null(slots.store.kind->room(&slots.store, IMAGE + 1));
}

CASE(what_fails_is_said)
{
    uf_store_slots slots;
    uf_store_slots_config config = config_of(&the);
    uint64_t count = 0;
    open_empty(&slots);
    put(&slots, "a", "1");
    the.most = 0;
    assert_int_equal(slots.store.kind->committed(&slots.store, &count), UF_STORE);
    assert_string_equal(uf_store_failure(&slots.store), "a write failed");
    assert_int_equal(uf_store_slots_erase(&config), UF_STORE);
    the.fails_to_read = true;
    assert_int_equal(reopen(&slots), UF_STORE);
    assert_string_equal(uf_store_failure(&slots.store), "a read failed");
    config.write = NULL;
    assert_int_equal(uf_store_slots_open(&slots, &config), UF_INVALID);
    config = config_of(&the);
    config.store.limit = -1;
    assert_int_equal(uf_store_slots_open(&slots, &config), UF_INVALID);
}
