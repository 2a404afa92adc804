/* SPDX-License-Identifier: MIT */
/* json_read.h - reads JSON (RFC 8259), such as that of `ufc --emit=json`. So ufc needs no library for it. */
#ifndef UFC_JSON_READ_H
#define UFC_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_value {
    json_kind kind;
    const char *key;                /* of a member of an object; NULL: it is none */
    const char *text;               /* of a string, without escapes; of a number, as written */
    const struct json_value *first; /* of an array or an object */
    const struct json_value *next;  /* after it in its array or object */
} json_value;

typedef struct json_problem {
    const char *what; /* such as "a value was expected" */
    uint32_t line;    /* from 1 */
} json_problem;

/* Reads a text that ends with a NUL, and is one value. It is not changed. Returns: NULL after an error, which is
 * stored. Lifetime: that of the arena. */
const json_value *json_read(arena *a, const char *text, size_t size, json_problem *problem);

/* The first member of that name. NULL: the value is no object, or has none. */
const json_value *json_member(const json_value *object, const char *key);

/* The text of a member that is a string; "": there is none. */
const char *json_member_text(const json_value *object, const char *key);

/* The number of a member, if it is a whole one; 0: it is not. */
uint32_t json_member_number(const json_value *object, const char *key);

bool json_member_is_true(const json_value *object, const char *key);

/* The first item of a member that is an array; NULL: there is none. */
const json_value *json_member_items(const json_value *object, const char *key);

#endif
