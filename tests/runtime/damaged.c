/* SPDX-License-Identifier: MIT */
/* Records that were damaged at random: nothing of them is believed. A restore refuses them, or flows go on that can be
 * cancelled and destroyed. Sanitizers see the rest. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#include "damaged.h"
#include "uflow/store.h"

enum { ROWS = 32, RECORD = 2048, SEEDS = 4000 };

/* -- a store of rows ----------------------------------------------------------------------------------------------- */

typedef struct row {
    char path[UF_STORE_PATH_SIZE];
    uint8_t bytes[RECORD];
    size_t size;
} row;

typedef struct rows {
    uf_store store; /* first */
    row all[ROWS];
    unsigned count;
    uint8_t room[RECORD];
} rows;

static void *room(uf_store *store, size_t size)
{
    return size <= RECORD ? ((rows *)store)->room : NULL;
}

static row *row_of(rows *of, const char *path)
{
    unsigned i = 0;
    while (i < of->count && strcmp(of->all[i].path, path) != 0) i++;
    return i < of->count ? &of->all[i] : NULL;
}

static uf_status put(uf_store *store, const char *path, const void *bytes, size_t size)
{
    rows *const of = (rows *)store;
    row *to = row_of(of, path);

    if (!to && of->count == ROWS) return UF_NO_MEMORY;
    if (!to) {
        to = &of->all[of->count++];
        strcpy(to->path, path);
    }
    if (size) memcpy(to->bytes, bytes, size);
    to->size = size;
    return UF_OK;
}

static uf_status committed(uf_store *store, uint64_t *count)
{
    *count = store->puts;
    return UF_OK;
}

/* Each record is in memory of its own, which ends with it. */
static uf_status load(uf_store *store, void (*take)(void *context, const char *path, const void *bytes, size_t size),
                      void *context)
{
    rows *const of = (rows *)store;

    for (unsigned i = 0; i < of->count; i++) {
        row const *const one = &of->all[i];
        if (!one->size) continue;
        void *const bytes = malloc(one->size);
        assert_non_null(bytes);
        memcpy(bytes, one->bytes, one->size);
        take(context, one->path, bytes, one->size);
        free(bytes);
    }
    return UF_OK;
}

static void close_rows(uf_store *store)
{
    (void)store;
}

static const uf_store_kind kind = {.room = room, .put = put, .committed = committed, .load = load, .close = close_rows};

/* -- damages ------------------------------------------------------------------------------------------------------- */

static uint64_t drawn;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

/* Writes a number of CBOR in place of the byte there. */
static void put_number_at(row *one, size_t at)
{
    static const struct {
        uint8_t bytes[9], length;
    } numbers[] = {
        {{0}, 1},
        {{1}, 1},
        {{0x1a, 0xff, 0xff, 0xff, 0xff}, 5},
        {{0x1b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 9},
        {{0x3b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 9},
    };
    uint32_t const which = draw(sizeof numbers / sizeof *numbers);
    size_t const length = numbers[which].length;

    if (one->size + length > RECORD) return;
    memmove(one->bytes + at + length, one->bytes + at + 1, one->size - at - 1);
    memcpy(one->bytes + at, numbers[which].bytes, length);
    one->size += length - 1;
}

static void damage_number(row *one)
{
    size_t at = draw((uint32_t)one->size);

    for (size_t i = 0; i < one->size; i++, at = (at + 1) % one->size) {
        if (one->bytes[at] >= 24) continue;
        put_number_at(one, at);
        return;
    }
}

static void rename_row(rows *of, row *one)
{
    static const char *const paths[] = {
        "boss.kid",    "boss.other", "boss.kids[0]",     "boss.kids[00]", "boss.kids[2]",
        "boss#starts", "",           "boss.kids[1].part"};
    const char *const path = paths[draw(sizeof paths / sizeof *paths)];
    if (!row_of(of, path)) strcpy(one->path, path);
}

static void damage(rows *of)
{
    row *const one = &of->all[draw(of->count)];

    if (!one->size) return;
    switch (draw(5)) {
    case 0: one->bytes[draw((uint32_t)one->size)] = (uint8_t)draw(256); break;
    case 1:
    case 2: damage_number(one); break;
    case 3: rename_row(of, one); break;
    default: one->size = draw(4) ? one->size : 0; break;
    }
}

/* -- processes ----------------------------------------------------------------------------------------------------- */

static rows store;
static Boss boss;

static uf_status begin_process(void)
{
    uf_restore_report report;

    memset(&boss, 0, sizeof boss);
    memset(&pump, 0, sizeof pump);
    assert_int_equal(uf_store_init(&store.store, &kind, NULL, "damaged"), UF_OK);
    assert_int_equal(uf_pump_init(&pump, NULL), UF_OK);
    assert_int_equal(uf_store_attach(&store.store, &pump), UF_OK);
    assert_int_equal(Boss_init(&boss, &pump, "boss"), UF_OK);
    return uf_store_restore(&store.store, &report);
}

static void let_pass(uf_time time)
{
    (void)uf_simulate_until(&pump, uf_time_add(uf_pump_now(&pump), time));
}

/* At the end of time, no round follows. */
static void end_process(uint32_t seed)
{
    uf_pump_cancel_all(&pump);
    let_pass(UF_S(100));
    if (uf_pump_now(&pump) > UF_S(1000000000)) return;
    if (pump.running || Boss_destroy(&boss) != UF_OK) fail_msg("seed %u: flows still run", (unsigned)seed);
}

static void run_damaged(uint32_t seed)
{
    static const uint32_t moments[] = {0, 1, 4, 5, 6, 51, 1700, 1801, 1802, 4000, 7000, 7300};

    drawn = seed;
    memset(&store, 0, sizeof store);
    assert_int_equal(begin_process(), UF_OK);
    assert_int_equal(Boss_start_Run(&boss, 5, uf_text_of("label")), UF_OK);
    let_pass(UF_S(moments[draw(sizeof moments / sizeof *moments)]) + 2);
    for (uint32_t count = 1 + draw(4); count > 0 && store.count; count--) damage(&store);
    uf_status const status = begin_process();
    (void)uf_store_release(&store.store, draw(2) ? NULL : "boss");
    let_pass(UF_S(draw(9000)));
    if (status == UF_OK) (void)Boss_start_Run(&boss, 5, uf_text_of("label"));
    let_pass(UF_S(draw(90)));
    end_process(seed);
}

CASE(nothing_of_a_record_is_believed)
{
    for (uint32_t seed = 1; seed <= SEEDS; seed++) run_damaged(seed);
}
