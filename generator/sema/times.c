/* SPDX-License-Identifier: MIT */
/* Literals of durations in C, such as `40ms`: each fits into a uf_time, and is a decimal number. Durations and
 * deadlines that probably mean another time. */
#include <stdint.h>

#include "checks.h"
#include "known_times.h"
#include "times.h"
#include "uflow_parse.h"
#include "walk.h"
#include "words.h"

/* The C compiler would see an unknown suffix. */
static void check_number(sema *s, const token_list *tokens, uint32_t i)
{
    size_t length;
    const char *const text = token_text(tokens, i, &length);
    const char *const help = time_help(text, length);
    size_t const unit = help ? 0 : time_misspelled(text, length);
    if (unit) {
        diag_report *r =
            report_at(s, UF0205, token_span(tokens, i), "`%.*s` is no unit of time", (int)unit, text + length - unit);
        diag_help(r, "units are ns, us, ms, s, min and h");
    } else if (help) {
        diag_report *r = report_at(s, UF0205, token_span(tokens, i), "`%.*s` is no duration", (int)length, text);
        diag_help(r, "%s", help);
    }
}

void check_times(sema *s)
{
    const token_list *const tokens = &s->file->tokens;
    for (uint32_t i = 0; i < tokens->count; i++) {
        if (token_kind(tokens, i) == T_NUMBER) check_number(s, tokens, i);
        if (!token_is_time(tokens, i)) continue;
        size_t length;
        const char *const text = token_text(tokens, i, &length);
        if (time_fits(text, length)) continue;
        diag_report *r = report_at(s, UF0205, token_span(tokens, i),
                                   "`%.*s` does not fit into a `uf_time`: the most is 2562047h", (int)length, text);
        diag_help(r, "`UF_FOREVER` is a time without limit");
    }
}

/* -- warnings ------------------------------------------------------------------------------------------------------ */

typedef struct timed {
    sema *sema;
    time_place in;
} timed;

/* `(self->limit) ms` of a `uf_time limit` would be a million times as long. */
static void check_unit(const timed *t, const ast_duration *d)
{
    if (!d->unit || strcmp(d->unit, "ns") == 0 || !is_known_time(&t->in, d->text)) return;
    diag_report *r =
        report_at(t->sema, UF0824, d->at, "this is a `uf_time`, a number of nanoseconds, and not of %s", d->unit);
    const char *const text = text_at(t->sema, range_span(d->text));
    if (strlen(text) < 60 && !strchr(text, '\n')) diag_help(r, "write `(%s) ns`", text);
    else diag_help(r, "write `ns` after the parentheses");
}

/* `deadline(5s)`, `deadline(UF_S(5))`: probably meant as `timeout 5s`. */
static void check_deadline(const timed *t, token_range point)
{
    uint32_t const count = point.end - point.first;
    bool const is_literal = count == 1 && token_kind(point.list, point.first) == T_DURATION;
    bool const is_macro = count == 4 && begins_with_time(point) && token_kind(point.list, point.first + 2) == T_NUMBER;
    if (!is_literal && !is_macro) return;
    const char *const text = text_at(t->sema, range_span(point));
    diag_report *r = report_at(t->sema, UF0823, range_span(point),
                               "a deadline is a point in time: this one is %s after the start of the pump", text);
    diag_help(r, "from now on, write `timeout %s%s%s`, or `deadline(uf_flow_now(&flow->uf) + %s)`",
              is_literal ? "" : "(", text, is_literal ? "" : ") ns", text);
}

static void check_event(ast_event *event, void *context)
{
    check_unit(context, &event->duration);
    if (event->kind == ARM_DEADLINE) check_deadline(context, event->target);
}

static void check_statement(ast_statement *statement, void *context)
{
    walk_events(statement, check_event, context);
    if (!statement->operands) return;
    check_unit(context, &statement->operands->every);
    check_unit(context, &statement->operands->timeout);
}

void check_durations(sema *s, const body_site *site)
{
    walk_statements(site->body->first, check_statement, &(timed){s, {site->flow, site->task, site->step}});
}

void check_durations_outside(sema *s, ast_preempt *preempt)
{
    check_unit(&(timed){s, {s->names->flow, preempt->task, NULL}}, &preempt->after);
}
