/* SPDX-License-Identifier: MIT */
/* store.h - the parts of uflow-store: what is in the file of a store, and the outputs that are made of it. */
#ifndef UFLOW_STORE_TOOL_H
#define UFLOW_STORE_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "durable/cbor.h"

#define STORE_IN_USE 3 /* the exit status if a program has the file */

/* -- file.c: the file ---------------------------------------------------------------------------------------------- */

/* A text of the file: any bytes, and a NUL behind them. */
typedef struct store_text {
    char *at; /* NULL: it is missing */
    size_t length;
} store_text;

/* A row of the table. The path of the row that has the time alone is "". */
typedef struct store_row {
    store_text path, type, task, step, outcome, reason, time, record;
    int64_t run;
} store_row;

typedef struct store_data {
    const char *name; /* of the file, as it was given; printable */
    char identity[17];
    store_row *rows; /* in the order of their paths */
    size_t count;
} store_data;

/* Reads the file, beside the program that has it. If it cannot be read, the tool ends, as it does below. */
void store_read(store_data *data, const char *path);
void store_free(store_data *data);

/* Removes the rows of a path; gives the file another identity, in `data`. For a file that no program has. */
void store_forget(const char *path, const store_text *row);
void store_renew(store_data *data, const char *path);

/* The row of what the body in which a flow is parked has begun. NULL: none. */
const store_row *store_starts_of(const store_data *data, const store_row *row);
bool store_is_starts(const store_row *row);

/* Real time since the row was written, in ns; -1: not known, or in the future. */
int64_t store_age(const store_row *row);

/* -- record.c: what the runtime has written into a row ------------------------------------------------------------- */

typedef struct store_record {
    ufi_cbor_in map; /* behind its head */
    uint64_t pairs;
} store_record;

/* A key that the runtime writes: what its value is, and how people read it. */
typedef enum store_look { LOOK_PLAIN, LOOK_OUTCOME, LOOK_LOGICAL, LOOK_DATE, LOOK_TIMEOUTS } store_look;

/* Checks a record. Afterwards all its items are whole, and the keys of all its maps are texts.
 * Returns: false: it is damaged. */
bool store_record_open(store_record *record, const store_row *row);

/* The value of a key; its kind is UFI_CBOR_NONE if there is none. */
ufi_cbor_item store_record_find(const store_record *record, const char *key);
store_look store_record_look(const ufi_cbor_item *key);
bool store_record_is_text(const ufi_cbor_item *item, const char *text, size_t length);

/* The value of a key, if it is a number from 0 on, or a bool; else 0. */
uint64_t store_record_uint(const store_record *record, const char *key);

/* -- value.c: items, as JSON or as text for people ----------------------------------------------------------------- */

/* Any bytes, as a string of JSON. What is no UTF-8 becomes U+FFFD. All that comes out is printable. */
void store_print_string(FILE *out, const char *bytes, size_t length);
void store_print_key(FILE *out, const ufi_cbor_item *key, bool is_json);

/* Takes an item with all in it. In a text, names have no quotes. */
void store_print_value(FILE *out, ufi_cbor_in *in, bool is_json);

/* The number of an item that is a whole one. */
int64_t store_int(const ufi_cbor_item *item);

/* -- outputs ------------------------------------------------------------------------------------------------------- */

/* Each returns false if a record is damaged, which it has told. */
bool store_list(const store_data *data, FILE *out);
bool store_show(const store_data *data, const store_row *row, FILE *out);
bool store_export(const store_data *data, FILE *out);

/* Tells on stderr that the record is damaged. Returns: false. */
bool store_is_damaged(const store_data *data, const store_row *row);

#endif
