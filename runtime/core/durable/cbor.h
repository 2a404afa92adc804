/* SPDX-License-Identifier: MIT */
/* cbor.h - a subset of CBOR (RFC 8949), in which kept state is written and read.
 *
 * Written are integers, byte strings, texts, booleans, floats of 32 and 64 bits, and arrays and maps whose lengths are
 * known, each with the shortest head. Read is the same and nothing else, so what was read and is written again has the
 * same bytes. A NaN is the exception: all of them are one. */
#ifndef UFLOW_CBOR_H
#define UFLOW_CBOR_H

#include "basics/core.h"

/* -- writing ------------------------------------------------------------------------------------------------------- */

/* Counts on when the memory is full, so that a caller can measure first. */
typedef struct ufi_cbor_out {
    uint8_t *bytes; /* NULL: only measures */
    size_t size, length;
} ufi_cbor_out;

void ufi_cbor_put_uint(ufi_cbor_out *out, uint64_t value);
void ufi_cbor_put_int(ufi_cbor_out *out, int64_t value);
void ufi_cbor_put_bool(ufi_cbor_out *out, bool value);
void ufi_cbor_put_bytes(ufi_cbor_out *out, const void *bytes, size_t length);
void ufi_cbor_put_text(ufi_cbor_out *out, const char *text, size_t length); /* what is not UTF-8: as bytes */
void ufi_cbor_put_name(ufi_cbor_out *out, const char *name);                /* a text up to its NUL */
void ufi_cbor_put_key(ufi_cbor_out *out, const char *key, size_t length);   /* the same, whose length is known */
void ufi_cbor_put_array(ufi_cbor_out *out, size_t count);                   /* the items follow */
void ufi_cbor_put_map(ufi_cbor_out *out, size_t count);                     /* pairs of key and value follow */
#if !defined(UF_NO_FLOAT)
void ufi_cbor_put_float(ufi_cbor_out *out, float value);
void ufi_cbor_put_double(ufi_cbor_out *out, double value);
#endif

/* -- reading ------------------------------------------------------------------------------------------------------- */

typedef enum ufi_cbor_kind {
    UFI_CBOR_NONE, /* the end, or no item of the subset */
    UFI_CBOR_UINT,
    UFI_CBOR_NEGATIVE, /* -1 - number */
    UFI_CBOR_BYTES,
    UFI_CBOR_TEXT,
    UFI_CBOR_ARRAY,
    UFI_CBOR_MAP,
    UFI_CBOR_BOOL,
    UFI_CBOR_FLOAT, /* of 32 bits: `number` has its bits */
    UFI_CBOR_DOUBLE
} ufi_cbor_kind;

/* The most arrays and maps inside each other. */
#define UFI_CBOR_DEPTH 8u

typedef struct ufi_cbor_in {
    const uint8_t *at, *end;
} ufi_cbor_in;

typedef struct ufi_cbor_item {
    ufi_cbor_kind kind;
    uint64_t number;   /* the value, or its bits; the length of a string; the items of an array, the pairs of a map */
    const uint8_t *at; /* the bytes of a string */
} ufi_cbor_item;

/* Takes an item; of an array or a map, its head alone. Takes nothing if it returns UFI_CBOR_NONE as kind. */
ufi_cbor_item ufi_cbor_take(ufi_cbor_in *in);

/* Passes over an item and all in it. Returns: false if it is none, or lies too deep. */
bool ufi_cbor_skip(ufi_cbor_in *in);

/* Is the item that text? */
bool ufi_cbor_is_name(const ufi_cbor_item *item, const char *name);

/* In a map, whose head was taken: finds the value of a key. Keys are texts, and the map was checked with
 * ufi_cbor_skip(). Returns: false if it has no such key. */
bool ufi_cbor_find(const ufi_cbor_in *map, uint64_t pairs, const char *key, ufi_cbor_in *value);

#endif
