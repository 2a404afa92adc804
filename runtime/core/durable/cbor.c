/* SPDX-License-Identifier: MIT */
/* cbor.c - see cbor.h. */
#include "durable/cbor.h"

#include "basics/format.h"

/* The major types of CBOR. */
enum { MAJOR_UINT, MAJOR_NEGATIVE, MAJOR_BYTES, MAJOR_TEXT, MAJOR_ARRAY, MAJOR_MAP, MAJOR_TAG, MAJOR_SIMPLE };

/* The first byte of a simple value or a float. */
enum { SIMPLE_FALSE = 0xf4, SIMPLE_TRUE = 0xf5, SIMPLE_FLOAT = 0xfa, SIMPLE_DOUBLE = 0xfb };

/* In a first byte: the number itself, up to here; then the number of bytes that follow, as a power of two. */
#define DIRECT_LIMIT 24u

/* Is it UTF-8, as a text of CBOR has to be? Without the halves of UTF-16, and each character as short as it can be. */
static bool is_utf8(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        unsigned const first = *at++;
        if (first < 0x80) continue;
        unsigned const more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        uint32_t value = first & 0x3fu >> more;
        if (first < 0xc0 || first >= 0xf8 || (size_t)(end - at) < more) return false;
        for (unsigned i = 0; i < more; i++, at++) {
            if ((*at & 0xc0u) != 0x80) return false;
            value = value << 6 | (*at & 0x3fu);
        }
        if (value < least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return false;
    }
    return true;
}

/* -- writing ------------------------------------------------------------------------------------------------------- */

static void put_byte(ufi_cbor_out *out, unsigned byte)
{
    if (out->bytes && out->length < out->size) out->bytes[out->length] = (uint8_t)byte;
    out->length++;
}

static void put_number(ufi_cbor_out *out, uint64_t value, unsigned bytes)
{
    while (bytes-- > 0) put_byte(out, (unsigned)(value >> 8 * bytes) & 0xffu);
}

static void put_head(ufi_cbor_out *out, unsigned major, uint64_t value)
{
    unsigned const log = value <= UINT8_MAX ? 0 : value <= UINT16_MAX ? 1 : value <= UINT32_MAX ? 2 : 3;

    if (value < DIRECT_LIMIT) {
        put_byte(out, major << 5 | (unsigned)value);
        return;
    }
    put_byte(out, major << 5 | (DIRECT_LIMIT + log));
    put_number(out, value, 1u << log);
}

static void put_string(ufi_cbor_out *out, unsigned major, const void *bytes, size_t length)
{
    put_head(out, major, length);
    size_t const room = out->bytes && out->length < out->size ? out->size - out->length : 0;
    if (room) (void)memcpy(out->bytes + out->length, bytes, length < room ? length : room);
    out->length += length;
}

void ufi_cbor_put_uint(ufi_cbor_out *out, uint64_t value)
{
    put_head(out, MAJOR_UINT, value);
}

void ufi_cbor_put_int(ufi_cbor_out *out, int64_t value)
{
    if (value >= 0) put_head(out, MAJOR_UINT, (uint64_t)value);
    else put_head(out, MAJOR_NEGATIVE, ~(uint64_t)value);
}

void ufi_cbor_put_bool(ufi_cbor_out *out, bool value)
{
    put_byte(out, value ? SIMPLE_TRUE : SIMPLE_FALSE);
}

void ufi_cbor_put_bytes(ufi_cbor_out *out, const void *bytes, size_t length)
{
    put_string(out, MAJOR_BYTES, bytes, length);
}

void ufi_cbor_put_text(ufi_cbor_out *out, const char *text, size_t length)
{
    const uint8_t *const at = (const uint8_t *)text;
    put_string(out, is_utf8(at, at + length) ? MAJOR_TEXT : MAJOR_BYTES, text, length);
}

void ufi_cbor_put_key(ufi_cbor_out *out, const char *key, size_t length)
{
    put_string(out, MAJOR_TEXT, key, length);
}

void ufi_cbor_put_name(ufi_cbor_out *out, const char *name)
{
    put_string(out, MAJOR_TEXT, name, ufi_length(name));
}

void ufi_cbor_put_array(ufi_cbor_out *out, size_t count)
{
    put_head(out, MAJOR_ARRAY, count);
}

void ufi_cbor_put_map(ufi_cbor_out *out, size_t count)
{
    put_head(out, MAJOR_MAP, count);
}

#if !defined(UF_NO_FLOAT)
/* The one NaN that is written: what tells others apart has no meaning that all machines share. */
#define ONE_NAN   UINT32_C(0x7fc00000)
#define ONE_NAN64 UINT64_C(0x7ff8000000000000)

void ufi_cbor_put_float(ufi_cbor_out *out, float value)
{
    uint32_t bits;

    (void)memcpy(&bits, &value, sizeof bits);
    put_byte(out, SIMPLE_FLOAT);
    put_number(out, value != value ? ONE_NAN : bits, sizeof bits);
}

void ufi_cbor_put_double(ufi_cbor_out *out, double value)
{
    uint64_t bits;

    (void)memcpy(&bits, &value, sizeof bits);
    put_byte(out, SIMPLE_DOUBLE);
    put_number(out, value != value ? ONE_NAN64 : bits, sizeof bits);
}
#endif

/* -- reading ------------------------------------------------------------------------------------------------------- */

static size_t left(const ufi_cbor_in *in)
{
    return (size_t)(in->end - in->at);
}

static bool take_number(ufi_cbor_in *in, unsigned bytes, uint64_t *value)
{
    if (left(in) < bytes) return false;
    *value = 0;
    while (bytes-- > 0) *value = *value << 8 | *in->at++;
    return true;
}

/* The number behind a first byte, which is written as short as it can be. */
static bool take_argument(ufi_cbor_in *in, unsigned info, uint64_t *value)
{
    *value = info;
    if (info < DIRECT_LIMIT) return true;
    if (info >= DIRECT_LIMIT + 4) return false; /* reserved, or of a length that is not known */
    unsigned const log = info - DIRECT_LIMIT;
    if (!take_number(in, 1u << log, value)) return false;
    return log ? *value >> (8u << (log - 1)) != 0 : *value >= DIRECT_LIMIT;
}

static ufi_cbor_item take_simple(ufi_cbor_in *in, unsigned first)
{
    ufi_cbor_item item = {UFI_CBOR_NONE, 0, NULL};

    if (first == SIMPLE_FALSE || first == SIMPLE_TRUE)
        return (ufi_cbor_item){UFI_CBOR_BOOL, first == SIMPLE_TRUE, NULL};
    if (first == SIMPLE_FLOAT && take_number(in, 4, &item.number)) item.kind = UFI_CBOR_FLOAT;
    else if (first == SIMPLE_DOUBLE && take_number(in, 8, &item.number)) item.kind = UFI_CBOR_DOUBLE;
    return item;
}

/* Is there room for what a head announces? An item has at least one byte, a pair two. */
static bool is_there(const ufi_cbor_in *in, unsigned major, uint64_t number)
{
    if (major == MAJOR_MAP) return number <= left(in) / 2;
    return major < MAJOR_BYTES || number <= left(in);
}

static ufi_cbor_item take(ufi_cbor_in *in)
{
    static const uint8_t kinds[] = {UFI_CBOR_UINT, UFI_CBOR_NEGATIVE, UFI_CBOR_BYTES,
                                    UFI_CBOR_TEXT, UFI_CBOR_ARRAY,    UFI_CBOR_MAP};
    ufi_cbor_item item = {UFI_CBOR_NONE, 0, NULL};
    unsigned const first = *in->at++, major = first >> 5;

    if (major == MAJOR_SIMPLE) return take_simple(in, first);
    if (major == MAJOR_TAG || !take_argument(in, first & 31u, &item.number)) return item;
    if (!is_there(in, major, item.number)) return item;
    if (major == MAJOR_TEXT && !is_utf8(in->at, in->at + item.number)) return item;
    item.kind = (ufi_cbor_kind)kinds[major];
    item.at = in->at;
    if (major == MAJOR_BYTES || major == MAJOR_TEXT) in->at += item.number;
    return item;
}

ufi_cbor_item ufi_cbor_take(ufi_cbor_in *in)
{
    ufi_cbor_in next = *in;
    ufi_cbor_item const item = left(in) ? take(&next) : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};

    if (item.kind != UFI_CBOR_NONE) *in = next;
    return item;
}

/* Without recursion: the stack of a small target is not for what a file says. */
bool ufi_cbor_skip(ufi_cbor_in *in)
{
    uint64_t open[UFI_CBOR_DEPTH] = {0}; /* items that are still to come, from the outside */
    unsigned depth = 0;

    do {
        ufi_cbor_item const item = ufi_cbor_take(in);
        bool const is_open = item.kind == UFI_CBOR_ARRAY || item.kind == UFI_CBOR_MAP;
        if (item.kind == UFI_CBOR_NONE || (is_open && depth == UFI_CBOR_DEPTH)) return false;
        if (depth) open[depth - 1]--;
        if (is_open) open[depth++] = item.kind == UFI_CBOR_MAP ? 2 * item.number : item.number;
        while (depth && open[depth - 1] == 0) depth--;
    } while (depth);
    return true;
}

bool ufi_cbor_is_name(const ufi_cbor_item *item, const char *name)
{
    uint64_t i = 0;

    if (item->kind != UFI_CBOR_TEXT) return false;
    while (i < item->number && name[i] && item->at[i] == (uint8_t)name[i]) i++;
    return i == item->number && !name[i];
}

bool ufi_cbor_find(const ufi_cbor_in *map, uint64_t pairs, const char *key, ufi_cbor_in *value)
{
    *value = *map;
    for (; pairs > 0; pairs--) {
        ufi_cbor_item const item = ufi_cbor_take(value);
        if (ufi_cbor_is_name(&item, key)) return true;
        if (item.kind == UFI_CBOR_NONE || !ufi_cbor_skip(value)) return false;
    }
    return false;
}
