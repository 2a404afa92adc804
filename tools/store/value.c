/* SPDX-License-Identifier: MIT */
/* value.c - the items of a record. What was checked by store_record_open() gives valid JSON. */
#include "store.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* Writes an escape: the code of an invisible character, or U+FFFD for a byte that is not UTF-8. Returns: the number of
 * bytes that it stands for. */
static size_t print_escaped(FILE *out, const unsigned char *at)
{
    bool const is_control = at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f;
    bool const rearranges = at[0] == 0xe2 && (at[1] == 0x80 || at[1] == 0x81) && at[2] >= 0x80 && at[2] <= 0xbf;
    unsigned code = at[0] < 0x80 ? at[0] : 0xfffd;

    if (is_control) code = at[1];
    if (rearranges) code = 0x2000u | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    fprintf(out, "\\u%04x", code);
    return rearranges ? 3 : is_control ? 2 : 1;
}

static void print_characters(FILE *out, const char *bytes, size_t length)
{
    char *const text = tool_copy(bytes, length);

    for (size_t i = 0; i < length;) {
        size_t const character = tool_character(text + i);
        if (!character) {
            i += print_escaped(out, (const unsigned char *)text + i);
            continue;
        }
        if (text[i] == '"' || text[i] == '\\') fputc('\\', out);
        fwrite(text + i, 1, character, out);
        i += character;
    }
    free(text);
}

void store_print_string(FILE *out, const char *bytes, size_t length)
{
    fputc('"', out);
    print_characters(out, bytes, length);
    fputc('"', out);
}

void store_print_key(FILE *out, const ufi_cbor_item *key, bool is_json)
{
    if (is_json) store_print_string(out, (const char *)key->at, (size_t)key->number);
    else print_characters(out, (const char *)key->at, (size_t)key->number);
}

/* Arrays of characters are kept as bytes: most are texts nevertheless. The codec knows which. */
static bool is_text(const ufi_cbor_item *item)
{
    uint8_t head = 0;
    ufi_cbor_out out = {&head, sizeof head, 0};

    ufi_cbor_put_text(&out, (const char *)item->at, (size_t)item->number);
    return head >> 5 == 3; /* the major type of texts */
}

static void print_bytes(FILE *out, const ufi_cbor_item *item, bool is_json)
{
    if (item->kind == UFI_CBOR_TEXT || is_text(item)) {
        store_print_string(out, (const char *)item->at, (size_t)item->number);
        return;
    }
    fputs(is_json ? "{\"bytes\": \"" : "bytes ", out);
    for (uint64_t i = 0; i < item->number; i++) fprintf(out, "%02x", item->at[i]);
    if (is_json) fputs("\"}", out);
}

/* JSON has no NaN and no infinity: they are strings. */
static void print_real(FILE *out, const ufi_cbor_item *item, bool is_json)
{
    bool const is_small = item->kind == UFI_CBOR_FLOAT;
    uint32_t const half = (uint32_t)item->number;
    char text[40];
    float small;
    double real;

    memcpy(&small, &half, sizeof small);
    memcpy(&real, &item->number, sizeof real);
    if (is_small) real = (double)small;
    if (!isfinite(real)) {
        char const *const word = isnan(real) ? "NaN" : real < 0 ? "-Infinity" : "Infinity";
        fprintf(out, is_json ? "\"%s\"" : "%s", word);
        return;
    }
    for (int digits = is_small ? 6 : 15; digits <= (is_small ? 9 : 17); digits++) { /* the shortest that is the same */
        snprintf(text, sizeof text, "%.*g", digits, real);
        if (is_small ? strtof(text, NULL) == small : strtod(text, NULL) == real) break;
    }
    fprintf(out, strpbrk(text, ".e") ? "%s" : "%s.0", text);
}

/* -1 - number, which may have 65 bits. */
static void print_negative(FILE *out, uint64_t number)
{
    if (number == UINT64_MAX) fputs("-18446744073709551616", out);
    else fprintf(out, "-%" PRIu64, number + 1);
}

int64_t store_int(const ufi_cbor_item *item)
{
    uint64_t const number = item->number <= INT64_MAX ? item->number : INT64_MAX;
    return item->kind == UFI_CBOR_NEGATIVE ? -1 - (int64_t)number : (int64_t)number;
}

static void print_items(FILE *out, ufi_cbor_in *in, const ufi_cbor_item *head, bool is_json)
{
    bool const is_map = head->kind == UFI_CBOR_MAP;

    fputc(is_map ? '{' : '[', out);
    for (uint64_t i = 0; i < head->number; i++) {
        ufi_cbor_item const key = is_map ? ufi_cbor_take(in) : (ufi_cbor_item){UFI_CBOR_NONE, 0, NULL};
        if (i) fputs(", ", out);
        if (is_map) store_print_key(out, &key, is_json);
        if (is_map) fputs(": ", out);
        store_print_value(out, in, is_json);
    }
    fputc(is_map ? '}' : ']', out);
}

void store_print_value(FILE *out, ufi_cbor_in *in, bool is_json)
{
    ufi_cbor_item const item = ufi_cbor_take(in);

    switch (item.kind) {
    case UFI_CBOR_NONE: break;
    case UFI_CBOR_UINT: fprintf(out, "%" PRIu64, item.number); break;
    case UFI_CBOR_NEGATIVE: print_negative(out, item.number); break;
    case UFI_CBOR_BYTES:
    case UFI_CBOR_TEXT: print_bytes(out, &item, is_json); break;
    case UFI_CBOR_ARRAY:
    case UFI_CBOR_MAP: print_items(out, in, &item, is_json); break;
    case UFI_CBOR_BOOL: fputs(item.number ? "true" : "false", out); break;
    case UFI_CBOR_FLOAT:
    case UFI_CBOR_DOUBLE: print_real(out, &item, is_json); break;
    }
}
