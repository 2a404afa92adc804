/* SPDX-License-Identifier: MIT */
/* values.c - fields, parameters and results of durable flows, written and read by name. */
#include "durable/keep.h"

#include "basics/format.h"

/* -- writing ------------------------------------------------------------------------------------------------------- */

static int64_t load_int(const void *from, size_t size)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;

    switch (size) {
    case sizeof one: memcpy(&one, from, sizeof one); return one;
    case sizeof two: memcpy(&two, from, sizeof two); return two;
    case sizeof four: memcpy(&four, from, sizeof four); return four;
    default: memcpy(&eight, from, sizeof eight); return eight;
    }
}

/* The same bits, whatever the sign of the type is. */
static void store_int(void *to, size_t size, uint64_t value)
{
    uint8_t const one = (uint8_t)value;
    uint16_t const two = (uint16_t)value;
    uint32_t const four = (uint32_t)value;

    switch (size) {
    case sizeof one: (void)memcpy(to, &one, sizeof one); break;
    case sizeof two: (void)memcpy(to, &two, sizeof two); break;
    case sizeof four: (void)memcpy(to, &four, sizeof four); break;
    default: (void)memcpy(to, &value, sizeof value); break;
    }
}

static uint64_t mask_of(size_t size)
{
    return size >= sizeof(uint64_t) ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
}

/* `char` may have a sign or not; one byte has no other meaning. */
static bool fits(const uf_kept_row *row, const ufi_cbor_item *item)
{
    bool const is_negative = item->kind == UFI_CBOR_NEGATIVE;
    uint64_t const most =
        row->kind == UF_KEPT_UINT || row->kind == UF_KEPT_CHAR ? mask_of(row->size) : mask_of(row->size) >> 1;

    if (row->kind == UF_KEPT_UINT && is_negative) return false;
    return (item->kind == UFI_CBOR_UINT || is_negative) &&
           item->number <= (is_negative ? mask_of(row->size) >> 1 : most);
}

static void write_value(ufi_cbor_out *out, const uf_kept_row *row, const uint8_t *from)
{
    size_t length = 0;
#if !defined(UF_NO_FLOAT)
    float small;
    double real;
#endif

    switch ((uf_kept_kind)row->kind) {
    case UF_KEPT_BOOL: ufi_cbor_put_bool(out, *from != 0); break;
    case UF_KEPT_CHAR:
    case UF_KEPT_INT: ufi_cbor_put_int(out, load_int(from, row->size)); break;
    case UF_KEPT_UINT: ufi_cbor_put_uint(out, (uint64_t)load_int(from, row->size) & mask_of(row->size)); break;
#if !defined(UF_NO_FLOAT)
    case UF_KEPT_FLOAT:
        (void)memcpy(&small, from, sizeof small);
        ufi_cbor_put_float(out, small);
        break;
    case UF_KEPT_DOUBLE:
        (void)memcpy(&real, from, sizeof real);
        ufi_cbor_put_double(out, real);
        break;
#else
    case UF_KEPT_FLOAT:
    case UF_KEPT_DOUBLE:
#endif
    case UF_KEPT_NOTHING: break;
    case UF_KEPT_TEXT:
        while (length < UF_TEXT_SIZE && from[length]) length++;
        ufi_cbor_put_text(out, (const char *)from, length);
        break;
    case UF_KEPT_PLAIN: ufi_values_write(out, row->plain->rows, row->plain->count, from); break;
    }
}

/* An array of characters is one string, without the zeros at its end. */
static void write_row(ufi_cbor_out *out, const uf_kept_row *row, const uint8_t *base)
{
    const uint8_t *const from = base + row->offset;
    size_t length = row->count;

    ufi_cbor_put_name(out, row->name);
    if (row->kind == UF_KEPT_CHAR && row->is_array) {
        while (length > 0 && !from[length - 1]) length--;
        ufi_cbor_put_bytes(out, from, length);
        return;
    }
    if (row->is_array) ufi_cbor_put_array(out, row->count);
    for (size_t i = 0; i < row->count; i++) write_value(out, row, from + i * row->size);
}

void ufi_values_write(ufi_cbor_out *out, const uf_kept_row *rows, unsigned count, const uint8_t *base)
{
    ufi_cbor_put_map(out, count);
    for (unsigned i = 0; i < count; i++) write_row(out, &rows[i], base);
}

/* The rows of one task or step. */
void ufi_values_write_of(ufi_cbor_out *out, const uf_kept_row *rows, unsigned count, unsigned place,
                         const uint8_t *base)
{
    unsigned here = 0;

    for (unsigned i = 0; i < count; i++) here += rows[i].place == place;
    ufi_cbor_put_map(out, here);
    for (unsigned i = 0; i < count; i++) {
        if (rows[i].place == place) write_row(out, &rows[i], base);
    }
}

/* -- reading values: `to` is NULL in the first pass, which only checks --------------------------------------------- */

#if !defined(UF_NO_FLOAT)
static bool read_real(const uf_kept_row *row, const ufi_cbor_item *item, uint8_t *to)
{
    uint32_t const half = (uint32_t)item->number;

    if (item->kind != (row->kind == UF_KEPT_FLOAT ? UFI_CBOR_FLOAT : UFI_CBOR_DOUBLE)) return false;
    if (to && row->kind == UF_KEPT_FLOAT) (void)memcpy(to, &half, sizeof half);
    else if (to) (void)memcpy(to, &item->number, sizeof item->number);
    return true;
}
#endif

bool ufi_values_is_text(const ufi_cbor_item *item)
{
    return item->kind == UFI_CBOR_BYTES || item->kind == UFI_CBOR_TEXT;
}

bool ufi_values_read_text(const ufi_cbor_item *item, uint8_t *to, size_t size)
{
    if (!ufi_values_is_text(item) || item->number > size) return false;
    if (!to) return true;
    (void)memset(to, 0, size);
    (void)memcpy(to, item->at, (size_t)item->number);
    return true;
}

static bool read_value(ufi_cbor_in *in, const uf_kept_row *row, uint8_t *to, ufi_misfit *misfit)
{
    if (row->kind == UF_KEPT_PLAIN) return ufi_values_read(in, row->plain->rows, row->plain->count, -1, to, misfit);
    ufi_cbor_item const item = ufi_cbor_take(in);
    bool const value = item.number != 0;

    switch ((uf_kept_kind)row->kind) {
    case UF_KEPT_BOOL:
        if (item.kind != UFI_CBOR_BOOL) return false;
        if (to) (void)memcpy(to, &value, sizeof value);
        return true;
    case UF_KEPT_CHAR:
    case UF_KEPT_INT:
    case UF_KEPT_UINT:
        if (!fits(row, &item)) return false;
        if (to) store_int(to, row->size, item.kind == UFI_CBOR_NEGATIVE ? ~item.number : item.number);
        return true;
#if !defined(UF_NO_FLOAT)
    case UF_KEPT_FLOAT:
    case UF_KEPT_DOUBLE: return read_real(row, &item, to);
#else
    case UF_KEPT_FLOAT:
    case UF_KEPT_DOUBLE:
#endif
    case UF_KEPT_NOTHING:
    case UF_KEPT_PLAIN: break;
    case UF_KEPT_TEXT: return item.number < UF_TEXT_SIZE && ufi_values_read_text(&item, to, UF_TEXT_SIZE);
    }
    return false;
}

static bool read_row(ufi_cbor_in *in, const uf_kept_row *row, uint8_t *to, ufi_misfit *misfit)
{
    bool const is_bytes = row->kind == UF_KEPT_CHAR && row->is_array;
    ufi_cbor_item const head = row->is_array ? ufi_cbor_take(in) : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};

    if (is_bytes) return ufi_values_read_text(&head, to, row->count);
    if (row->is_array && (head.kind != UFI_CBOR_ARRAY || head.number != row->count)) return false;
    for (size_t i = 0; i < row->count; i++) {
        if (!read_value(in, row, to ? to + i * row->size : NULL, misfit)) return false;
    }
    return true;
}

/* Keys mostly come in the order of the rows: the search begins at `*next`, and goes round. */
static const uf_kept_row *row_of(const uf_kept_row *rows, unsigned count, int place, const ufi_cbor_item *key,
                                 unsigned *next)
{
    for (unsigned passed = 0, i = *next; passed < count; passed++, i++) {
        if (i >= count) i = 0;
        if ((place >= 0 && rows[i].place != place) || !ufi_cbor_is_name(key, rows[i].name)) continue;
        *next = i + 1;
        return &rows[i];
    }
    return NULL;
}

/* In words, what was kept, and what the program has in its place. */
static ufi_misfit misfit_of(const ufi_cbor_item *key, const ufi_cbor_item *value, const uf_kept_row *row)
{
    static const char *const kept[] = {
        [UFI_CBOR_NONE] = "value",    [UFI_CBOR_UINT] = "whole number", [UFI_CBOR_NEGATIVE] = "whole number",
        [UFI_CBOR_BYTES] = "text",    [UFI_CBOR_TEXT] = "text",         [UFI_CBOR_ARRAY] = "array",
        [UFI_CBOR_MAP] = "struct",    [UFI_CBOR_BOOL] = "bool",         [UFI_CBOR_FLOAT] = "float",
        [UFI_CBOR_DOUBLE] = "double",
    };
    static const char *const declared[] = {
        [UF_KEPT_NOTHING] = "value",         [UF_KEPT_BOOL] = "bool",    [UF_KEPT_INT] = "signed integer",
        [UF_KEPT_UINT] = "unsigned integer", [UF_KEPT_CHAR] = "char",    [UF_KEPT_FLOAT] = "float",
        [UF_KEPT_DOUBLE] = "double",         [UF_KEPT_TEXT] = "uf_text", [UF_KEPT_PLAIN] = "struct",
    };
    bool const is_text = row->kind == UF_KEPT_CHAR && row->is_array;

    return (ufi_misfit){.name = (const char *)key->at,
                        .length = (size_t)key->number,
                        .kept = kept[value->kind],
                        .declared = is_text         ? "char array"
                                    : row->is_array ? "array"
                                                    : declared[row->kind]};
}

/* A field that is new keeps the value that it has, and one that is gone is passed over. */
bool ufi_values_read(ufi_cbor_in *in, const uf_kept_row *rows, unsigned count, int place, uint8_t *to,
                     ufi_misfit *misfit)
{
    ufi_cbor_item const map = ufi_cbor_take(in);
    unsigned next = 0;

    if (map.kind != UFI_CBOR_MAP) return false;
    for (uint64_t i = 0; i < map.number; i++) {
        ufi_cbor_item const key = ufi_cbor_take(in);
        const uf_kept_row *const row = row_of(rows, count, place, &key, &next);
        ufi_cbor_in at = *in;
        bool const is_read = row ? read_row(in, row, to ? to + row->offset : NULL, misfit) : ufi_cbor_skip(in);
        if (is_read) continue;
        ufi_cbor_item const value = ufi_cbor_take(&at);
        if (row && !misfit->kept) *misfit = misfit_of(&key, &value, row);
        return false;
    }
    return true;
}
