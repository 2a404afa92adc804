/* SPDX-License-Identifier: MIT */
/* Guesses from its declarations whether a text is a `uf_time`, which is in nanoseconds. */
#include "known_times.h"

#include "times.h"
#include "uflow_parse.h"
#include "words.h"

#define LOCALS_LIMIT  4000u /* tokens of a body that a search for a local reads */
#define MEMBERS_LIMIT 1000u /* declarations that a search reads */

/* What the text so far says. A product of an unknown name and a time is a time. An odd text may be anything, and so may
 * a quotient by a time. */
typedef struct findings {
    bool time, unknown, divided, odd;
} findings;

static void note_time(findings *f)
{
    f->time = true;
    f->odd = f->odd || f->divided;
}

typedef enum known_type { TYPE_UNKNOWN, TYPE_TIME, TYPE_OTHER } known_type;

bool begins_with_time(token_range text)
{
    for (size_t i = 0; i < TIME_UNITS; i++) {
        if (!range_empty(text) && token_is(text.list, text.first, time_units[i].macro)) return true;
    }
    return false;
}

static bool is_accessor(const token_list *list, uint32_t at)
{
    return token_is_one_of(list, at,
                           "UF_NS UF_US UF_MS UF_S uf_flow_now uf_flow_step_elapsed uf_pump_now uf_real_now "
                           "uf_timer_elapsed");
}

/* Is it `uf_time name` or `uf_time name[…]`? */
static known_type type_of(const ast_declarator *d)
{
    if (!token_is(d->declarator.list, d->declarator.first, d->name.name)) return TYPE_OTHER; /* a pointer */
    for (uint32_t i = d->specifiers.first; i < d->specifiers.end; i++) {
        if (token_is(d->specifiers.list, i, "uf_time")) return TYPE_TIME;
    }
    return TYPE_OTHER;
}

static known_type type_in(const ast_declaration *list, const token_list *tokens, uint32_t name)
{
    for (unsigned left = MEMBERS_LIMIT; list && left; list = list->next, left--) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (d->name.name && token_is(tokens, name, d->name.name)) return type_of(d);
        }
    }
    return TYPE_UNKNOWN;
}

static known_type type_in_flow(const ast_flow *flow, const token_list *tokens, uint32_t name)
{
    known_type type = flow ? type_in(flow->params, tokens, name) : TYPE_UNKNOWN;
    unsigned left = MEMBERS_LIMIT;
    for (const ast_member *m = flow ? flow->members : NULL; m && !type && left; m = m->next, left--)
        type = type_in(m->field, tokens, name);
    return type;
}

static known_type type_in_task(const ast_task *task, const token_list *tokens, uint32_t name)
{
    known_type const type = task ? type_in(task->params, tokens, name) : TYPE_UNKNOWN;
    return type || !task ? type : type_in(task->fields, tokens, name);
}

/* A local of the body, declared above as `uf_time name` or `int const name`. */
static known_type type_of_local(const token_list *list, uint32_t name)
{
    size_t length, other;
    const char *const word = token_text(list, name, &length);
    for (uint32_t i = name; i > 1 && name - i < LOCALS_LIMIT && token_kind(list, i) != T_STEP; i--) {
        const char *const text = token_text(list, i - 1, &other);
        if (other != length || memcmp(text, word, length) != 0) continue;
        uint32_t const type = token_is(list, i - 2, "const") && i > 2 ? i - 3 : i - 2;
        if (token_is(list, type, "uf_time")) return TYPE_TIME;
        if (token_kind(list, type) == T_IDENT) return TYPE_OTHER;
    }
    return TYPE_UNKNOWN;
}

/* The name that begins there, with its members. Returns the token after it. */
static uint32_t look_at_name(const time_place *in, token_range text, uint32_t at, bool with_locals, findings *f)
{
    const token_list *const list = text.list;
    bool const of_flow = token_is(list, at, "flow"), of_task = token_is(list, at, "self");
    bool const is_member = (of_flow || of_task) && at + 2 < text.end && token_kind(list, at + 1) == T_ARROW;
    bool const may_be_local = !is_member && with_locals;
    uint32_t const name = is_member ? at + 2 : at;
    known_type type = TYPE_UNKNOWN;
    if (is_member) type = of_flow ? type_in_flow(in->flow, list, name) : type_in_task(in->task, list, name);
    else if (in->step) type = type_in(in->step->params, list, name);
    if (!type && may_be_local) type = type_of_local(list, name);
    if (!type && may_be_local) type = type_in_task(in->task, list, name); /* written without its `self->` */
    if (!type && may_be_local) type = type_in_flow(in->flow, list, name);
    uint32_t after = name + 1;
    if (after < text.end && token_kind(list, after) == T_LBRACKET) after = token_after_brackets(list, after);
    for (; after < text.end && token_has(list, after, IS_ACCESS); after += 2) type = TYPE_UNKNOWN;
    if (type == TYPE_TIME) note_time(f);
    f->unknown = f->unknown || type == TYPE_UNKNOWN;
    return after;
}

/* `limit * 1e-6` is no time. */
static bool is_whole(const token_list *list, uint32_t at)
{
    span const number = token_span(list, at);
    for (uint32_t i = number.begin; i < number.end; i++) {
        if (strchr(".eE", number.in->text[i])) return false;
    }
    return true;
}

/* Sums, differences, products and quotients are looked through, and of calls only those that return a time. */
static findings look_at(const time_place *in, token_range text, bool with_locals)
{
    const token_list *const list = text.list;
    findings f = {0};
    for (uint32_t i = text.first; i < text.end;) {
        uint16_t const kind = token_kind(list, i);
        bool const is_of_c = list->items[i].flags & TOKEN_WORDS_OF_C;
        bool const is_call = i + 1 < text.end && token_kind(list, i + 1) == T_LPAREN;
        if (kind == T_DURATION || token_is_one_of(list, i, "uf_time UF_FOREVER")) {
            note_time(&f);
            i++;
        } else if (kind_is(kind, IS_NAME) && is_call) {
            if (is_accessor(list, i)) note_time(&f);
            else f.odd = true;
            i = token_after_brackets(list, i + 1);
        } else if (kind_is(kind, IS_NAME) && !is_of_c) {
            i = look_at_name(in, text, i, with_locals, &f);
        } else {
            bool const divides = token_is(list, i, "/");
            bool const is_plain = divides || (kind == T_NUMBER && is_whole(list, i)) || kind == T_LPAREN ||
                                  kind == T_RPAREN || token_is_one_of(list, i, "* + -") || is_of_c;
            f.odd = f.odd || !is_plain;
            f.divided = f.divided || divides;
            i++;
        }
    }
    return f;
}

const char *access_of_name(const time_place *in, token_range text)
{
    if (text.end - text.first != 1 || !token_is_name(text.list, text.first)) return "";
    if (in->step && type_in(in->step->params, text.list, text.first)) return "";
    if (type_of_local(text.list, text.first)) return "";
    if (type_in_task(in->task, text.list, text.first)) return "self->";
    return type_in_flow(in->flow, text.list, text.first) ? "flow->" : "";
}

bool is_known_time(const time_place *in, token_range text)
{
    findings const f = look_at(in, text, false);
    return f.time && !f.unknown && !f.divided && !f.odd; /* `limit / 1000000` may be a number of ms */
}

time_guess guess_time(const time_place *in, token_range text)
{
    findings const f = look_at(in, text, true);
    if (f.time && !f.odd) return GUESS_TIME;
    return f.time || f.unknown ? GUESS_UNKNOWN : GUESS_NUMBER;
}
