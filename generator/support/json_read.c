/* SPDX-License-Identifier: MIT */
#include "json_read.h"

#include <stdlib.h>
#include <string.h>

#include "buffer.h"

#define DEEPEST 64u /* arrays and objects inside each other */

typedef struct reader {
    arena *arena;
    const char *at, *end, *begin; /* a NUL is at the end */
    const char *problem;
    unsigned depth;
} reader;

static bool fail(reader *r, const char *what)
{
    if (!r->problem) r->problem = what;
    return false;
}

static void skip_space(reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n", *r->at)) r->at++;
}

static bool take(reader *r, char c)
{
    skip_space(r);
    if (*r->at != c || r->at == r->end) return false;
    r->at++;
    return true;
}

/* -- strings ------------------------------------------------------------------------------------------------------- */

static void put_utf8(buffer *out, uint32_t c)
{
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0}; /* bits of it, by the bytes that follow */
    if (c == 0) c = 0xFFFD;                                     /* texts end with a NUL */
    unsigned const more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    buffer_putc(out, (char)(first[more] | c >> 6 * more));
    for (unsigned left = more; left-- > 0;) buffer_putc(out, (char)(0x80 | (c >> 6 * left & 0x3F)));
}

static bool take_hex(reader *r, uint32_t *number)
{
    char digits[5] = "";
    if (strspn(r->at, "0123456789abcdefABCDEF") < 4) return fail(r, "`\\u` needs four digits");
    memcpy(digits, r->at, 4);
    *number = (uint32_t)strtoul(digits, NULL, 16);
    r->at += 4;
    return true;
}

/* Half of a pair of surrogates becomes U+FFFD. */
static bool take_unicode(reader *r, buffer *out)
{
    uint32_t c, low;
    if (!take_hex(r, &c)) return false;
    if (c >= 0xD800 && c < 0xDC00 && r->at[0] == '\\' && r->at[1] == 'u') {
        r->at += 2;
        if (!take_hex(r, &low)) return false;
        bool const is_pair = low >= 0xDC00 && low < 0xE000;
        put_utf8(out, is_pair ? 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD);
        return true;
    }
    put_utf8(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
    return true;
}

static bool take_escape(reader *r, buffer *out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char const c = *r->at++;
    if (c == 'u') return take_unicode(r, out);
    const char *const letter = c ? strchr(letters, c) : NULL;
    if (!letter) return fail(r, "there is no such escape");
    buffer_putc(out, meant[letter - letters]);
    return true;
}

/* After the quote. */
static const char *take_string(reader *r)
{
    buffer text = {0};
    bool good = true;
    while (good && *r->at != '"') {
        unsigned char const c = (unsigned char)*r->at;
        if (c < 0x20) good = fail(r, r->at == r->end ? "a string has no end" : "a control character in a string");
        else if (c != '\\') buffer_putc(&text, *r->at++);
        else good = (r->at++, take_escape(r, &text));
    }
    if (good) r->at++;
    const char *const copy = good ? arena_copy(r->arena, text.text ? text.text : "", text.length) : NULL;
    buffer_free(&text);
    return copy;
}

/* -- values -------------------------------------------------------------------------------------------------------- */

static bool read_value(reader *r, json_value *value);

static size_t digits_at(const char *at)
{
    return strspn(at, "0123456789");
}

static bool read_number(reader *r, json_value *value)
{
    const char *at = r->at + (*r->at == '-');
    size_t const whole = digits_at(at);
    if (!whole || (whole > 1 && *at == '0')) return fail(r, "a value was expected");
    at += whole;
    if (*at == '.') {
        size_t const digits = digits_at(at + 1);
        if (!digits) return fail(r, "a number needs digits after its point");
        at += 1 + digits;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        if (!digits_at(at)) return fail(r, "a number needs digits in its exponent");
        at += digits_at(at);
    }
    value->kind = JSON_NUMBER;
    value->text = arena_copy(r->arena, r->at, (size_t)(at - r->at));
    r->at = at;
    return true;
}

static bool read_key(reader *r, json_value *member)
{
    if (!take(r, '"')) return fail(r, "the name of a member was expected");
    member->key = take_string(r);
    return member->key && (take(r, ':') || fail(r, "`:` was expected"));
}

/* After the opening bracket. */
static bool read_items(reader *r, json_value *value, json_kind kind, char end)
{
    const json_value **place = &value->first;
    value->kind = kind;
    if (take(r, end)) return true;
    if (++r->depth > DEEPEST) return fail(r, "it is nested too deep");
    do {
        json_value *const item = ARENA_NEW(r->arena, json_value);
        if (kind == JSON_OBJECT && !read_key(r, item)) return false;
        if (!read_value(r, item)) return false;
        *place = item;
        place = &item->next;
    } while (take(r, ','));
    r->depth--;
    return take(r, end) || fail(r, kind == JSON_OBJECT ? "`,` or `}` was expected" : "`,` or `]` was expected");
}

static bool read_word(reader *r, json_value *value, const char *word, json_kind kind)
{
    size_t const length = strlen(word);
    if (strncmp(r->at, word, length) != 0) return false;
    r->at += length;
    value->kind = kind;
    return true;
}

static bool read_value(reader *r, json_value *value)
{
    if (take(r, '{')) return read_items(r, value, JSON_OBJECT, '}');
    if (take(r, '[')) return read_items(r, value, JSON_ARRAY, ']');
    if (!take(r, '"'))
        return read_word(r, value, "null", JSON_NULL) || read_word(r, value, "false", JSON_FALSE) ||
               read_word(r, value, "true", JSON_TRUE) || read_number(r, value);
    value->kind = JSON_STRING;
    value->text = take_string(r);
    return value->text;
}

static uint32_t line_of(const reader *r)
{
    uint32_t line = 1;
    for (const char *at = r->begin; at < r->at && at < r->end; at++) line += *at == '\n';
    return line;
}

const json_value *json_read(arena *a, const char *text, size_t size, json_problem *problem)
{
    reader r = {.arena = a, .begin = text, .at = text, .end = text + size};
    json_value *const value = ARENA_NEW(a, json_value);
    bool good = read_value(&r, value);
    skip_space(&r);
    if (good && r.at != r.end) good = fail(&r, "the end was expected");
    if (good) return value;
    *problem = (json_problem){r.problem, line_of(&r)};
    return NULL;
}

/* -- members ------------------------------------------------------------------------------------------------------- */

const json_value *json_member(const json_value *object, const char *key)
{
    const json_value *member = object && object->kind == JSON_OBJECT ? object->first : NULL;
    while (member && strcmp(member->key, key) != 0) member = member->next;
    return member;
}

const char *json_member_text(const json_value *object, const char *key)
{
    const json_value *const member = json_member(object, key);
    return member && member->kind == JSON_STRING ? member->text : "";
}

uint32_t json_member_number(const json_value *object, const char *key)
{
    const json_value *const member = json_member(object, key);
    bool const is_whole = member && member->kind == JSON_NUMBER && !member->text[digits_at(member->text)];
    unsigned long const number = is_whole ? strtoul(member->text, NULL, 10) : 0;
    return number <= UINT32_MAX ? (uint32_t)number : 0;
}

bool json_member_is_true(const json_value *object, const char *key)
{
    const json_value *const member = json_member(object, key);
    return member && member->kind == JSON_TRUE;
}

const json_value *json_member_items(const json_value *object, const char *key)
{
    const json_value *const member = json_member(object, key);
    return member && member->kind == JSON_ARRAY ? member->first : NULL;
}
