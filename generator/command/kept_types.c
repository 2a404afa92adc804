/* SPDX-License-Identifier: MIT */
#include "kept_types.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As the runtime writes them: see uf_kept_kind. */
typedef enum type_class {
    CLASS_OTHER,
    CLASS_BOOL,
    CLASS_CHAR,
    CLASS_INT,
    CLASS_UINT,
    CLASS_FLOAT,
    CLASS_DOUBLE,
    CLASS_TEXT
} type_class;

/* The fewest and the most bits, on the machines that uflow runs on. */
typedef struct known_type {
    const char *name;
    type_class class;
    unsigned fewest, most;
} known_type;

static const known_type known[] = {
    {"bool", CLASS_BOOL, 1, 1},
    {"_Bool", CLASS_BOOL, 1, 1},
    {"char", CLASS_CHAR, 8, 8},
    {"signed char", CLASS_INT, 8, 8},
    {"int8_t", CLASS_INT, 8, 8},
    {"short", CLASS_INT, 16, 16},
    {"int16_t", CLASS_INT, 16, 16},
    {"int", CLASS_INT, 32, 32},
    {"signed", CLASS_INT, 32, 32},
    {"int32_t", CLASS_INT, 32, 32},
    {"long", CLASS_INT, 32, 64},
    {"ptrdiff_t", CLASS_INT, 32, 64},
    {"long long", CLASS_INT, 64, 64},
    {"int64_t", CLASS_INT, 64, 64},
    {"uf_time", CLASS_INT, 64, 64},
    {"unsigned char", CLASS_UINT, 8, 8},
    {"uint8_t", CLASS_UINT, 8, 8},
    {"unsigned short", CLASS_UINT, 16, 16},
    {"uint16_t", CLASS_UINT, 16, 16},
    {"unsigned", CLASS_UINT, 32, 32},
    {"uint32_t", CLASS_UINT, 32, 32},
    {"unsigned long", CLASS_UINT, 32, 64},
    {"size_t", CLASS_UINT, 32, 64},
    {"uint64_t", CLASS_UINT, 64, 64},
    {"unsigned long long", CLASS_UINT, 64, 64},
    {"float", CLASS_FLOAT, 32, 32},
    {"double", CLASS_DOUBLE, 64, 64},
    {"uf_text", CLASS_TEXT, 0, 0},
};

/* A type without its array, and the array. */
typedef struct parts {
    const char *base;
    size_t length;
    const char *array; /* "[4][2]", or "" */
    known_type type;
} parts;

static bool ends_with(const parts *p, const char *word)
{
    size_t const length = strlen(word);
    return p->length >= length && memcmp(p->base + p->length - length, word, length) == 0;
}

/* `long int` is `long`, `struct recipe` is `recipe`. */
static parts take_apart(const char *text)
{
    parts p = {text, strcspn(text, "["), "", {NULL, CLASS_OTHER, 0, 0}};
    p.array = text + p.length;
    while (p.length > 0 && p.base[p.length - 1] == ' ') p.length--;
    if (p.length > 7 && memcmp(p.base, "struct ", 7) == 0) {
        p.base += 7;
        p.length -= 7;
    }
    if (ends_with(&p, "short int") || ends_with(&p, "long int") || ends_with(&p, "signed int")) p.length -= 4;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == p.length && memcmp(known[i].name, p.base, p.length) == 0) p.type = known[i];
    }
    return p;
}

/* The elements of all dimensions. 0: it is no array, or a length is not a number. */
static uint64_t elements_of(const parts *p)
{
    uint64_t count = *p->array != '\0';
    for (const char *at = p->array; *at;) {
        char *end;
        unsigned long const length = *at == '[' ? strtoul(at + 1, &end, 10) : 0;
        if (length == 0 || length > UINT32_MAX || *end != ']') return 0;
        if (__builtin_mul_overflow(count, (uint64_t)length, &count)) return 0;
        at = end + 1;
    }
    return count;
}

static bool class_fits(const known_type *from, const known_type *to)
{
    if (from->class == CLASS_OTHER) return false;
    if (to->class == from->class) return to->fewest >= from->most;
    bool const is_not_negative = from->class == CLASS_UINT || from->class == CLASS_CHAR;
    return is_not_negative && to->class == CLASS_INT && to->fewest > from->most;
}

bool kept_type_fits(const char *old_type, const char *new_type)
{
    parts const from = take_apart(old_type), to = take_apart(new_type);
    bool const is_same_base = from.length == to.length && memcmp(from.base, to.base, from.length) == 0;
    bool const is_same_array = strcmp(from.array, to.array) == 0;
    uint64_t const old_count = elements_of(&from), count = elements_of(&to);
    bool const are_strings = from.type.class == CLASS_CHAR && to.type.class == CLASS_CHAR;

    if (!is_same_base && !class_fits(&from.type, &to.type)) return false;
    if (from.type.class == CLASS_CHAR && *from.array && !are_strings) return false; /* one text, not numbers */
    if (is_same_array) return true;
    if (!old_count || !count) return false;
    return are_strings ? count >= old_count : count == old_count;
}
