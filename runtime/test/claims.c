/* SPDX-License-Identifier: MIT */
/* claims.c - what generated tests call: claims that do not hold, and `in`. */
#include "run.h"
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- values -------------------------------------------------------------------------------------------------------- */

#define VALUE_SIZE 64

_Static_assert(VALUE_SIZE >= TEST_TIME_SIZE, "a value may be a time");

static bool read_bytes(void *to, size_t size, const volatile void *from, size_t from_size)
{
    if (size != from_size) return false;
    for (size_t i = 0; i < size; i++) ((char *)to)[i] = ((const volatile char *)from)[i];
    return true;
}

static void put_real(double value, bool is_float, char text[VALUE_SIZE])
{
    (void)snprintf(text, VALUE_SIZE, "%.*g", is_float ? 6 : 15, value);
    double const again = strtod(text, NULL);
    bool const is_same = is_float ? (float)again == (float)value : again == value;
    if (!is_same) (void)snprintf(text, VALUE_SIZE, "%.*g", is_float ? 9 : 17, value);
}

static bool put_integer(const volatile void *at, size_t size, bool is_signed, char text[VALUE_SIZE])
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t value;

    if (read_bytes(&i8, sizeof i8, at, size)) value = is_signed ? i8 : (uint8_t)i8;
    else if (read_bytes(&i16, sizeof i16, at, size)) value = is_signed ? i16 : (uint16_t)i16;
    else if (read_bytes(&i32, sizeof i32, at, size)) value = is_signed ? i32 : (int64_t)(uint32_t)i32;
    else if (!read_bytes(&value, sizeof value, at, size)) return false;
    if (is_signed) (void)snprintf(text, VALUE_SIZE, "%lld", (long long)value);
    else (void)snprintf(text, VALUE_SIZE, "%llu", (unsigned long long)value);
    return true;
}

static const char *value_text(const volatile void *at, size_t size, int kind, char text[VALUE_SIZE])
{
    const void *pointer;
    float real;
    double large;
    long double largest;

    (void)snprintf(text, VALUE_SIZE, "?");
    uf_time time;

    if (kind == UF_SIDE_TIME && read_bytes(&time, sizeof time, at, size) && time >= 0) {
        (void)uft_time_text(time, text);
    } else if (kind == UF_SIDE_SIGNED || kind == UF_SIDE_UNSIGNED || kind == UF_SIDE_TIME) {
        (void)put_integer(at, size, kind != UF_SIDE_UNSIGNED, text);
    } else if (kind == UF_SIDE_POINTER && read_bytes(&pointer, sizeof pointer, at, size)) {
        if (pointer) (void)snprintf(text, VALUE_SIZE, "%p", pointer);
        else (void)snprintf(text, VALUE_SIZE, "NULL");
    } else if (kind == UF_SIDE_REAL) {
        if (read_bytes(&real, sizeof real, at, size)) put_real((double)real, true, text);
        else if (read_bytes(&large, sizeof large, at, size)) put_real(large, false, text);
        else if (read_bytes(&largest, sizeof largest, at, size)) (void)snprintf(text, VALUE_SIZE, "%.18Lg", largest);
    }
    return text;
}

/* -- claims -------------------------------------------------------------------------------------------------------- */

/* After a stop, what the test expects does not count. */
static bool counts(uf_test_claim claim)
{
    return claim == UF_TEST_ALWAYS || !uft_is_stopping();
}

static const char *word(uf_test_claim claim)
{
    return claim == UF_TEST_ALWAYS ? "always:" : "expected";
}

void uf_test_failed(uf_test_claim claim, const char *file, uint32_t line, const char *text)
{
    uft_place at = uft_line(line);

    if (file) at.file = uft_shown(file);
    if (counts(claim)) uft_fail(at, "%s %s", word(claim), text);
}

void uf_test_failed_side(uf_test_claim claim, uint32_t line, const char *text, const char *left,
                         const volatile void *left_at, size_t left_size, int left_kind)
{
    char value[VALUE_SIZE];

    if (!counts(claim)) return;
    uft_fail(uft_line(line), "%s %s: %s is %s", word(claim), text, claim == UF_TEST_ALWAYS ? "it" : left,
             value_text(left_at, left_size, left_kind, value));
}

void uf_test_failed_sides(uf_test_claim claim, uint32_t line, const char *text, const char *left,
                          const volatile void *left_at, size_t left_size, int left_kind, const char *right,
                          const volatile void *right_at, size_t right_size, int right_kind)
{
    char values[2][VALUE_SIZE];

    if (!counts(claim)) return;
    uft_fail(uft_line(line), "%s %s: %s is %s, %s is %s", word(claim), text, left,
             value_text(left_at, left_size, left_kind, values[0]), right,
             value_text(right_at, right_size, right_kind, values[1]));
}

/* -- texts --------------------------------------------------------------------------------------------------------- */

#define PART_SIZE 120

/* Writes a text in quotes; of a long one, the part around the byte `at`. */
static void quote(const char *text, size_t at, char part[PART_SIZE])
{
    size_t const most = PART_SIZE - 16, before = most / 2;

    if (!text) {
        (void)snprintf(part, PART_SIZE, "NULL");
        return;
    }
    size_t const size = strlen(text);
    size_t const from = size > most && at > before ? at - before : 0;
    bool const is_cut = size - from > most;
    (void)snprintf(part, PART_SIZE, "%s\"%.*s\"%s", from ? "..." : "", (int)most, text + from, is_cut ? "..." : "");
}

bool uf_test_texts(uint32_t line, const char *a, const char *b)
{
    char parts[2][PART_SIZE];
    size_t at = 0;

    if (a == b || (a && b && strcmp(a, b) == 0)) return true;
    while (a && b && a[at] == b[at]) at++;
    quote(a, at, parts[0]);
    quote(b, at, parts[1]);
    if (counts(UF_TEST_EXPECT))
        uft_fail(uft_line(line), "expect_text: %s and %s differ at byte %lu", parts[0], parts[1], (unsigned long)at);
    return false;
}

/* -- in ------------------------------------------------------------------------------------------------------------ */

bool uf_test_in(const uf_flow *flow, uint32_t place, uint32_t step)
{
    if (!flow || !uf_flow_running(flow)) return false;
    uint32_t const present = UF_LOAD_STATE(flow) & UF_STATE_STEP;
    uf_flow_type const *const type = flow->type;
    if (step != UF_NO_STEP) return present == step;
    uint32_t task = type->steps[present].task;
    while (task != place && type->tasks[task].group) task = type->tasks[task].group - 1u;
    return task == place;
}
