/* SPDX-License-Identifier: MIT */
/* What the codec writes and reads, compared with libcbor: each accepts and makes the same bytes.
 *
 * test_core_cbor [NUMBER]: that many random texts of each kind */
#define OWN_MAIN
#include "unit.h"

#include "durable/cbor.h"

#include <cbor.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
static unsigned texts = 20000;

static uint64_t draw(void)
{
    return unit_random(&seed);
}

/* Numbers near the borders of the heads' lengths. */
static uint64_t draw_number(void)
{
    unsigned const bits = (unsigned)(draw() % 65);
    uint64_t const border = bits == 64 ? UINT64_MAX : UINT64_C(1) << bits;
    return draw() % 2 ? border - draw() % 3 : draw() >> (draw() % 64);
}

/* -- what is written ----------------------------------------------------------------------------------------------- */

static void put_string(ufi_cbor_out *out)
{
    char text[300];
    size_t const length = draw() % (draw() % 4 ? 30 : sizeof text);
    bool const is_text = draw() % 2;

    for (size_t i = 0; i < length; i++) text[i] = is_text ? (char)('a' + draw() % 26) : (char)draw();
    if (is_text) ufi_cbor_put_text(out, text, length);
    else ufi_cbor_put_bytes(out, text, length);
}

static void put_real(ufi_cbor_out *out)
{
    uint64_t const bits = draw();
    double value;
    float small;

    memcpy(&value, &bits, sizeof value);
    memcpy(&small, &bits, sizeof small);
    if (draw() % 2) ufi_cbor_put_double(out, value);
    else ufi_cbor_put_float(out, small);
}

static void put_item(ufi_cbor_out *out, unsigned depth)
{
    size_t const count = draw() % 5;

    switch (draw() % (depth < UFI_CBOR_DEPTH ? 7 : 5)) {
    case 0: ufi_cbor_put_uint(out, draw_number()); break;
    case 1: ufi_cbor_put_int(out, (int64_t)draw_number()); break;
    case 2: ufi_cbor_put_bool(out, draw() % 2); break;
    case 3: put_string(out); break;
    case 4: put_real(out); break;
    case 5:
        ufi_cbor_put_array(out, count);
        for (size_t i = 0; i < count; i++) put_item(out, depth + 1);
        break;
    default:
        ufi_cbor_put_map(out, count);
        for (size_t i = 0; i < count; i++) {
            ufi_cbor_put_name(out, "key");
            put_item(out, depth + 1);
        }
        break;
    }
}

/* libcbor reads all of it, and writes it in the same way. */
static void agrees(const uint8_t *bytes, size_t length)
{
    struct cbor_load_result result;
    cbor_item_t *item = cbor_load(bytes, length, &result);
    static unsigned char again[1 << 20];

    assert_non_null(item);
    assert_int_equal(result.error.code, CBOR_ERR_NONE);
    assert_int_equal(result.read, length);
    assert_int_equal(cbor_serialize(item, again, sizeof again), length);
    assert_memory_equal(again, bytes, length);
    cbor_decref(&item);
}

CASE(writes_what_libcbor_reads)
{
    static uint8_t bytes[1 << 20];

    for (unsigned i = 0; i < texts; i++) {
        uint64_t const before = seed;
        ufi_cbor_out measured = {0}, out = {.bytes = bytes, .size = sizeof bytes};
        put_item(&measured, 0);
        seed = before;
        put_item(&out, 0);
        assert_int_equal(measured.length, out.length);
        assert_true(out.length <= sizeof bytes);
        ufi_cbor_in in = {bytes, bytes + out.length};
        assert_true(ufi_cbor_skip(&in));
        assert_ptr_equal(in.at, in.end);
        agrees(bytes, out.length);
        for (size_t cut = 0; cut < out.length && cut < 200; cut++) { /* a part of it is nothing */
            ufi_cbor_in part = {bytes, bytes + cut};
            assert_false(ufi_cbor_skip(&part));
        }
    }
}

/* -- what is read -------------------------------------------------------------------------------------------------- */

/* Writes each item that was read, again. */
static void copy(ufi_cbor_in *in, ufi_cbor_out *out)
{
    ufi_cbor_item const item = ufi_cbor_take(in);
    uint64_t const parts = item.kind == UFI_CBOR_MAP ? 2 * item.number : item.kind == UFI_CBOR_ARRAY ? item.number : 0;
    uint32_t const half = (uint32_t)item.number;
    float small;
    double value;

    switch (item.kind) {
    case UFI_CBOR_NONE: fail(); break;
    case UFI_CBOR_UINT: ufi_cbor_put_uint(out, item.number); break;
    case UFI_CBOR_NEGATIVE:
        if (item.number <= INT64_MAX) ufi_cbor_put_int(out, -1 - (int64_t)item.number);
        else out->length += 9; /* no integer of C; it is not compared */
        break;
    case UFI_CBOR_BYTES: ufi_cbor_put_bytes(out, item.at, item.number); break;
    case UFI_CBOR_TEXT: ufi_cbor_put_text(out, (const char *)item.at, item.number); break;
    case UFI_CBOR_ARRAY: ufi_cbor_put_array(out, item.number); break;
    case UFI_CBOR_MAP: ufi_cbor_put_map(out, item.number); break;
    case UFI_CBOR_BOOL: ufi_cbor_put_bool(out, item.number); break;
    case UFI_CBOR_FLOAT:
        memcpy(&small, &half, sizeof small);
        ufi_cbor_put_float(out, small);
        break;
    case UFI_CBOR_DOUBLE:
        memcpy(&value, &item.number, sizeof value);
        ufi_cbor_put_double(out, value);
        break;
    }
    for (uint64_t i = 0; i < parts; i++) copy(in, out);
}

/* First bytes of the subset are frequent, and small lengths. */
static uint8_t draw_byte(void)
{
    static const uint8_t simple[] = {0xf4, 0xf5, 0xfa, 0xfb};

    switch (draw() % 4) {
    case 0: return (uint8_t)draw();
    case 1: return simple[draw() % sizeof simple];
    default: return (uint8_t)((draw() % 6) << 5 | draw() % (draw() % 3 ? 4 : 29));
    }
}

/* What is accepted, libcbor reads, and it is written again in the same way. */
CASE(reads_what_libcbor_reads)
{
    unsigned accepted = 0;

    for (unsigned i = 0; i < 20 * texts; i++) {
        uint8_t bytes[40], again[64] = {0};
        size_t const length = 1 + draw() % (sizeof bytes - 1);
        for (size_t at = 0; at < length; at++) bytes[at] = draw_byte();
        ufi_cbor_in in = {bytes, bytes + length};
        if (!ufi_cbor_skip(&in)) {
            continue;
        }
        size_t const read = (size_t)(in.at - bytes);
        struct cbor_load_result result;
        cbor_item_t *item = cbor_load(bytes, read, &result);
        assert_non_null(item);
        assert_int_equal(result.read, read);
        cbor_decref(&item);
        ufi_cbor_out out = {.bytes = again, .size = sizeof again};
        ufi_cbor_in from = {bytes, bytes + read};
        copy(&from, &out);
        assert_int_equal(out.length, read);
        accepted++;
    }
    assert_true(accepted > texts);
}

/* Each of these is CBOR, but not of the subset, or no CBOR at all. */
CASE(refuses)
{
    static const struct {
        const char *bytes;
        size_t length;
    } rows[] = {
        {"", 0},
        {"\x18\x17", 2},                                 /* 23 in two bytes */
        {"\x19\x00\xff", 3},                             /* 255 in three */
        {"\x1a\x00\x00\xff\xff", 5},                     /* 65535 in five */
        {"\x1b\x00\x00\x00\x00\xff\xff\xff\xff", 9},     /* 2^32 - 1 in nine */
        {"\x1c", 1},                                     /* reserved */
        {"\x5f\x41\x61\xff", 4},                         /* a string of unknown length */
        {"\x9f\xff", 2},                                 /* an array of unknown length */
        {"\xbf\xff", 2},                                 /* a map */
        {"\xc0\x60", 2},                                 /* a tag */
        {"\xf6", 1},                                     /* null */
        {"\xf9\x00\x00", 3},                             /* a float of 16 bits */
        {"\xfa\x00\x00\x00", 4},                         /* a part of a float */
        {"\x62\x61", 2},                                 /* a part of a text */
        {"\x9b\xff\xff\xff\xff\xff\xff\xff\xff", 9},     /* more than there is */
        {"\xbb\x80\x00\x00\x00\x00\x00\x00\x00", 9},     /* so many pairs that their double is 0 */
        {"\x81\x81\x81\x81\x81\x81\x81\x81\x81\x00", 10} /* too deep */
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t const *const bytes = (const uint8_t *)rows[i].bytes;
        ufi_cbor_in in = {bytes, bytes + rows[i].length};
        assert_false(ufi_cbor_skip(&in));
    }
}

CASE(finds_by_name)
{
    uint8_t bytes[64];
    ufi_cbor_out out = {.bytes = bytes, .size = sizeof bytes};
    ufi_cbor_in value;

    ufi_cbor_put_map(&out, 2);
    ufi_cbor_put_name(&out, "grams");
    ufi_cbor_put_array(&out, 1);
    ufi_cbor_put_name(&out, "name"); /* a value that looks like a key */
    ufi_cbor_put_name(&out, "name");
    ufi_cbor_put_int(&out, -5);
    ufi_cbor_in in = {bytes, bytes + out.length};
    ufi_cbor_item const map = ufi_cbor_take(&in);
    assert_int_equal(map.kind, UFI_CBOR_MAP);
    assert_true(ufi_cbor_find(&in, map.number, "name", &value));
    ufi_cbor_item const item = ufi_cbor_take(&value);
    assert_int_equal(item.kind, UFI_CBOR_NEGATIVE);
    assert_int_equal(item.number, 4);
    assert_false(ufi_cbor_find(&in, map.number, "nam", &value));
    assert_false(ufi_cbor_find(&in, map.number, "names", &value));
}

CASE(writes_one_nan)
{
    uint8_t bytes[14];
    ufi_cbor_out out = {.bytes = bytes, .size = sizeof bytes};

    ufi_cbor_put_float(&out, -NAN);
    ufi_cbor_put_double(&out, -(double)NAN);
    assert_int_equal(out.length, sizeof bytes);
    assert_memory_equal(bytes, "\xfa\x7f\xc0\x00\x00\xfb\x7f\xf8\x00\x00\x00\x00\x00\x00", sizeof bytes);
}

int main(int count, char **arguments)
{
    if (count > 1) texts = (unsigned)strtoul(arguments[1], NULL, 10);
    return cases_run();
}
