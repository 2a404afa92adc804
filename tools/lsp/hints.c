/* SPDX-License-Identifier: MIT */
/* hints.c - what an editor shows between the words: names of arguments, and the value of a duration that is computed;
 * and above each test, what can be done with it. */
#include <string.h>

#include "checks.h"
#include "lsp.h"
#include "memory.h"
#include "times.h"
#include "uflow_parse.h"
#include "walk.h"
#include "words.h"

typedef struct hints {
    const request *r;
    json_t *list;
    uint32_t begin, end; /* of the part that is shown */
} hints;

enum { HINT_OF_TYPE = 1, HINT_OF_PARAMETER = 2 };

static void add(const hints *h, uint32_t at, const char *label, int kind)
{
    const source *const in = h->r->of->file->in;
    if (at < h->begin || at > h->end) return;
    json_array_append_new(h->list,
                          json_pack("{s:o, s:s, s:i, s:b, s:b}", "position", json_position(h->r->server, in, at),
                                    "label", label, "kind", kind, "paddingLeft", kind == HINT_OF_TYPE, "paddingRight",
                                    kind == HINT_OF_PARAMETER));
}

/* -- arguments ----------------------------------------------------------------------------------------------------- */

/* `to`, `self->to` and `&flow->to` say themselves what they are. */
static bool says_itself(token_range text, const char *name)
{
    return token_is(text.list, text.end - 1, name);
}

static void arguments(const hints *h, const ast_args *args, const ast_declaration *params)
{
    for (uint32_t i = 0; i < args->count && params; i++, params = params->next) {
        const char *const name = params->first ? params->first->name.name : NULL;
        if (!name || range_empty(args->items[i]) || says_itself(args->items[i], name)) continue;
        const char *const label = arena_printf(h->r->arena, "%s:", name);
        add(h, range_span(args->items[i]).begin, label, HINT_OF_PARAMETER);
    }
}

static void of_outcome(ast_outcome *o, void *context)
{
    const hints *const h = context;
    if (o->step) arguments(h, &o->args, o->step->params);
    if (o->task) arguments(h, &o->args, o->task->params);
}

/* -- durations ----------------------------------------------------------------------------------------------------- */

/* A product or sum of numbers and brackets, read from the left by precedence; false: there is something else. */
typedef struct sum {
    const token_list *list;
    uint32_t at, end;
    unsigned depth;
} sum;

static bool read_sum(sum *s, double *value);

static bool read_atom(sum *s, double *value)
{
    enum { DEEPEST = 20 };
    if (s->at >= s->end) return false;
    if (token_is(s->list, s->at, "(") && s->depth < DEEPEST) {
        s->at++;
        s->depth++;
        bool const is_good = read_sum(s, value) && s->at < s->end && token_is(s->list, s->at, ")");
        s->at++;
        s->depth--;
        return is_good;
    }
    size_t length;
    const char *const text = token_text(s->list, s->at, &length);
    bool const is_octal = length > 1 && text[0] == '0';
    if (token_kind(s->list, s->at) != T_NUMBER || is_octal || time_number_length(text, length) != length) return false;
    if (memchr(text, '.', length)) return false; /* C may cut it off */
    *value = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\'') *value = *value * 10 + (text[i] - '0');
    s->at++;
    return *value < 1e9;
}

static bool read_product(sum *s, double *value)
{
    if (!read_atom(s, value)) return false;
    while (s->at < s->end && token_is(s->list, s->at, "*")) {
        double factor;
        s->at++;
        if (!read_atom(s, &factor)) return false;
        *value *= factor;
    }
    return true;
}

static bool read_sum(sum *s, double *value)
{
    if (!read_product(s, value)) return false;
    while (s->at < s->end && (token_is(s->list, s->at, "+") || token_is(s->list, s->at, "-"))) {
        bool const is_minus = token_is(s->list, s->at, "-");
        double term;
        s->at++;
        if (!read_product(s, &term)) return false;
        *value += is_minus ? -term : term;
    }
    return true;
}

/* In C, `int` overflows behind this. */
#define NUMBERS_END 2147483648.0

/* The largest unit in which it has few digits. */
static const char *in_units(arena *a, double ns)
{
    for (int i = TIME_UNITS - 1; i > 0; i--) {
        double const value = ns / (double)time_units[i].ns;
        if (value >= 1 && value * 100 == (double)(long)(value * 100))
            return arena_printf(a, "= %.12g %s", value, time_units[i].name);
    }
    return arena_printf(a, "= %.12g ns", ns);
}

static void duration(const hints *h, const ast_duration *d)
{
    double value;
    sum s = {d->text.list, d->text.first, d->text.end, 0};
    if (d->literal || range_empty(d->text) || s.end - s.at < 2 || !d->unit) return;
    if (!read_sum(&s, &value) || s.at != s.end || value <= 0 || value >= NUMBERS_END) return;
    int64_t const ns = time_of_unit(d->unit, strlen(d->unit));
    if (ns) add(h, d->at.end, in_units(h->r->arena, value * (double)ns), HINT_OF_TYPE);
}

/* -- places -------------------------------------------------------------------------------------------------------- */

static void of_event(ast_event *e, void *context)
{
    if (e->run_task) arguments(context, &e->args, e->run_task->params);
    if (ast_is_there(&e->duration)) duration(context, &e->duration);
}

static void of_statement(ast_statement *s, void *context)
{
    const hints *const h = context;
    const ast_operands *const o = s->operands;
    walk_events(s, of_event, context);
    if (!o) return;
    if (o->task) arguments(h, &o->args, o->task->params);
    if (o->job && o->job->worker) arguments(h, &o->args, o->job->worker->params);
    if (ast_is_there(&o->every)) duration(h, &o->every);
    if (ast_is_there(&o->timeout)) duration(h, &o->timeout);
}

static void body(hints *h, const ast_body *b)
{
    if (!b) return;
    walk_statements(b->first, of_statement, h);
    walk_outcomes(b->first, of_outcome, h);
}

static void preempts(hints *h, const ast_preempt *list)
{
    for (; list; list = list->next) {
        if (list->kind == PREEMPT_TIMEOUT) duration(h, &list->after);
        if (list->run) of_event(list->run, h);
        if (list->outcome) of_outcome(list->outcome, h);
    }
}

static void flow(hints *h, const ast_flow *f)
{
    for (const ast_member *m = f->members; m; m = m->next) {
        const ast_flow *const type = m->subflow ? type_of_subflow(f, m->subflow) : NULL;
        if (type) arguments(h, &m->subflow->args, type->params);
    }
    preempts(h, f->preempts);
    for (const ast_group *g = f->groups; g; g = g->next) preempts(h, g->preempts);
    for (const ast_task *t = f->tasks; t; t = t->next) {
        preempts(h, t->preempts);
        for (const ast_step *step = t->steps; step; step = step->next) body(h, &step->body);
    }
    for (const ast_hook *hook = f->test ? f->test->hooks : NULL; hook; hook = hook->next) duration(h, &hook->duration);
}

json_t *request_hints(request *r)
{
    const json_t *const range = json_object_get(r->params, "range");
    const buffer *const text = &r->document->text;
    hints h = {r, json_array(), 0, 0};
    h.begin = offset_of_position(r->server, text->text, text->length, json_object_get(range, "start"));
    h.end = offset_of_position(r->server, text->text, text->length, json_object_get(range, "end"));
    for (const ast_flow *f = NULL; r->of && (f = ast_next_flow(r->of->file, f)) != NULL;)
        if (f->at.begin <= h.end && f->at.end >= h.begin) flow(&h, f);
    return h.list;
}

/* -- lenses -------------------------------------------------------------------------------------------------------- */

/* The editor runs the command: it knows the program of the tests. */
static void add_lens(const request *r, json_t *list, const ast_flow *test, const char *how)
{
    const source *const in = r->of->file->in;
    json_t *const range = json_range(r->server, in, test->at.begin, test->test->name.at.end);
    json_array_append_new(list, json_pack("{s:o, s:{s:s, s:s, s:[s, i, s, s]}}", "range", range, "command", "title",
                                          how, "command", "uflow.runTest", "arguments", r->document->uri,
                                          (int)source_line(in, test->at.begin), test->test->name.name, how));
}

json_t *request_lenses(request *r)
{
    json_t *const list = json_array();
    for (const ast_flow *test = r->of ? r->of->file->tests : NULL; test; test = test->next) {
        add_lens(r, list, test, "run");
        add_lens(r, list, test, "debug");
        if (!range_empty(test->test->explore)) add_lens(r, list, test, "explore");
    }
    return list;
}
