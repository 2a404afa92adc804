/* SPDX-License-Identifier: MIT */
/* `&flow->NAME[*]`: every element of an array of sub-flows, in `all(run …)`, `first(run …)`, `with run` and `idle`. */
#include "checks.h"
#include "walk.h"
#include "words.h"

/* The token before that one, without directives; the first one of the text if there is none. */
static uint32_t token_before(token_range text, uint32_t at)
{
    while (at > text.first && token_is_directive(text.list, --at)) continue;
    return at;
}

static bool has_star(token_range text)
{
    uint32_t const last = token_before(text, text.end), star = token_before(text, last);
    uint32_t const open = token_before(text, star);
    return open > text.first && token_is(text.list, last, "]") && token_is(text.list, star, "*") &&
           token_is(text.list, open, "[");
}

/* The sub-flow in `&flow->NAME[*]` or `flow->NAME[*]`; NULL: it is another text. */
static ast_subflow *find_array(sema *s, token_range text, bool has_address)
{
    const token_list *const list = text.list;
    uint32_t const at = text.first + has_address;
    bool const is_one = text.end - at == 6 && token_is(list, at, "flow") && token_is(list, at + 1, "->");
    return is_one ? find_subflow(s->names->flow, token_intern(s->arena, list, at + 2)) : NULL;
}

static void report_no_array(sema *s, const ast_event *event, const ast_subflow *found)
{
    if (found && found->is_pool) return; /* pointers.c reports it */
    diag_report *r = report_at(s, UF0376, range_span(event->target),
                               "`[*]` stands for the elements of an array of sub-flows of this flow");
    if (found) diag_note(r, found->name.at, "`%s` is one flow", found->name.name);
    if (found) diag_help(r, "write `&flow->%s`", found->name.name);
    else diag_help(r, "write `&flow->NAME[*]`, with an array that this flow declares: `flow Type NAME[8];`");
}

static void report_alone(sema *s, const ast_event *event)
{
    const char *const text = text_at(s, event->at);
    diag_report *r = report_at(s, UF0376, event->at, "a run of several flows says which of them it waits for");
    diag_help(r, "write `all(%s)` for all, or `first(%s)` for the first that is done", text, text);
}

static void check_star(sema *s, ast_event *event, bool may_stand)
{
    bool const has_address = token_is(event->target.list, event->target.first, "&");
    ast_subflow *const found = find_array(s, event->target, has_address);
    if (found && !has_address) return; /* pointers.c reports it */
    if (!found || !found->is_array) {
        report_no_array(s, event, found);
        return;
    }
    event->each = found;
    if (!known_constant(s, s->file, found->count, &found->size)) found->size = 0;
    if (event->kind == ARM_RUN && !may_stand) report_alone(s, event);
}

static void check_event(sema *s, ast_event *event, bool may_stand)
{
    if (event->kind != ARM_RUN && event->kind != ARM_IDLE) return;
    if (has_star(event->target)) {
        check_star(s, event, may_stand || event->is_first);
    } else if (event->is_first && !range_empty(event->target)) {
        diag_report *r = report_at(s, UF0376, event->at, "`first` waits for the elements of an array");
        diag_help(r, "write `first(run %s.%s(&flow->NAME[*]))`; one run is an arm without `first`", event->flow.name,
                  event->task.name);
    }
}

static void visit_event(ast_event *event, void *context)
{
    sema *const s = context;
    check_event(s, event, event->in_all);
    if (!event->is_first || !event->in_all) return;
    diag_report *r = report_at(s, UF0605, event->at, "`all` cannot hold a `first`");
    diag_help(r, "make it an arm of its own, beside the `all`");
}

static void visit_statement(ast_statement *statement, void *context)
{
    walk_events(statement, visit_event, context);
}

void check_elements(sema *s, const body_site *site)
{
    if (site->step) walk_statements(site->body->first, visit_statement, s);
}

void check_elements_outside(sema *s, ast_preempt *preempt)
{
    if (preempt->run) check_event(s, preempt->run, true);
}
