/* Flows, signals and checkpoints are handed over by their address: `&flow->axis` is what a run wants, and not `flow->axis`.
 * C would complain of the function that ufc makes, which nobody has written. */
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

/* What an expression of the form `flow->a.b` or `&flow->a.b` names: one of the three. */
typedef struct place {
    bool has_address;
    const ast_subflow *subflow;
    const ast_member *point; /* a signal or checkpoint */
    const ast_declarator *field;
} place;

typedef struct pointers {
    sema *sema;
    const ast_flow *flow;
} pointers;

static const ast_declarator *find_field(const ast_declaration *list, const token_list *tokens, uint32_t name)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (d->name.name && token_is(tokens, name, d->name.name)) return d;
        }
    }
    return NULL;
}

static bool is_point(const ast_member *m)
{
    return m->kind == MEMBER_SIGNAL || m->kind == MEMBER_CHECKPOINT;
}

static bool find_member(const ast_flow *flow, const token_list *list, uint32_t name, place *found)
{
    found->field = find_field(flow->params, list, name);
    for (const ast_member *m = flow->members; m && !found->field; m = m->next) {
        if (m->kind == MEMBER_SUBFLOW && token_is(list, name, m->subflow->name.name)) found->subflow = m->subflow;
        if (is_point(m) && token_is(list, name, m->point->name.name)) found->point = m;
        if (m->kind == MEMBER_FIELD) found->field = find_field(m->field, list, name);
        if (found->subflow || found->point) return true;
    }
    return found->field != NULL;
}

static bool find_place(const pointers *p, token_range text, place *found)
{
    const token_list *const list = text.list;
    uint32_t at = text.first;
    bool const has_address = at < text.end && token_is(list, at, "&");
    if (has_address) at++;
    if (text.end - at < 3 || !token_is(list, at, "flow") || !token_is(list, at + 1, "->")) return false;
    at += 2;
    *found = (place){.has_address = has_address};
    for (const ast_flow *in = p->flow; in && find_member(in, list, at, found); at += 2) {
        if (at + 1 == text.end) return true;
        if (!found->subflow || text.end - at < 3 || !token_is(list, at + 1, ".")) return false;
        in = found->subflow->flow;
        *found = (place){.has_address = has_address};
    }
    return false;
}

static const char *spelled(const pointers *p, token_range text)
{
    span const at = range_span(text);
    return arena_copy(p->sema->arena, at.in->text + at.begin, at.end - at.begin);
}

static void report_itself(const pointers *p, token_range text, const char *word, const char *what)
{
    const char *const name = spelled(p, text);
    diag_report *r = diag_at(p->sema->diagnostics, UF0417, range_span(text),
                             "%s takes a pointer, and `%s` is the %s itself", word, name, what);
    diag_help(r, "write `&%s`", name);
}

/* `B *b`: the flow's type, one `*` and the name. */
static bool is_pointer_to_flow(const sema *s, const ast_declarator *d)
{
    size_t length;
    if (d->specifiers.end - d->specifiers.first != 1 || d->declarator.end - d->declarator.first != 2) return false;
    const char *const type = token_text(d->specifiers.list, d->specifiers.first, &length);
    return token_is(d->declarator.list, d->declarator.first, "*") && scope_find_text(&s->flows, type, length) != NULL;
}

/* The flow that a `run` or an `idle` is given. */
static void check_flow(const pointers *p, const ast_event *event)
{
    const char *const word = event->kind == EVENT_RUN ? "`run`" : "`idle`";
    place found;
    if (!find_place(p, event->target, &found)) return;
    if (found.field) {
        if (!found.has_address || !is_pointer_to_flow(p->sema, found.field)) return;
        const char *const pointer = spelled(p, event->target) + 1;
        diag_report *r =
            diag_at(p->sema->diagnostics, UF0417, range_span(event->target), "`%s` is a pointer already", pointer);
        diag_note(r, found.field->name.at, "it is declared here");
        diag_help(r, "write `%s`", pointer);
        return;
    }
    const ast_subflow *const subflow = found.subflow;
    if (!subflow) return;
    if (!found.has_address) {
        report_itself(p, event->target, word, "flow");
    } else if (event->kind == EVENT_RUN && event->run_flow && subflow->flow && subflow->type.name != event->flow.name) {
        diag_report *r =
            diag_at(p->sema->diagnostics, UF0417, range_span(event->target), "`%s` is a flow %s, and not a %s",
                    spelled(p, event->target) + 1, subflow->type.name, event->flow.name);
        diag_note(r, subflow->name.at, "it is declared here");
        diag_help(r, "name a flow of that type, or a task of its own: `run %s.…`", subflow->type.name);
    }
}

static void check_point(const pointers *p, const ast_event *event, ast_member_kind wanted)
{
    place found;
    if (!find_place(p, event->target, &found) || found.has_address || !found.point || found.point->kind != wanted)
        return;
    if (wanted == MEMBER_SIGNAL) report_itself(p, event->target, "`fired`", "signal");
    else report_itself(p, event->target, "`arrived`", "checkpoint");
}

/* No parameter is a flow. */
static void check_args(const pointers *p, const ast_args *args)
{
    for (uint32_t i = 0; i < args->count; i++) {
        place found;
        if (!find_place(p, args->items[i], &found) || found.has_address || !found.subflow) continue;
        report_itself(p, args->items[i], "a parameter", "flow");
    }
}

static void visit_event(ast_event *event, ast_arm *arm, void *context)
{
    (void)arm;
    switch (event->kind) {
    case EVENT_RUN:
        check_flow(context, event);
        check_args(context, &event->args);
        break;
    case EVENT_IDLE: check_flow(context, event); break;
    case EVENT_FIRED: check_point(context, event, MEMBER_SIGNAL); break;
    case EVENT_ARRIVED: check_point(context, event, MEMBER_CHECKPOINT); break;
    case EVENT_UNTIL:
    case EVENT_TIMEOUT:
    case EVENT_ALL:
    case EVENT_NAME:
    case EVENT_SIGNAL:
    case EVENT_CHECKPOINT:
    case EVENT_JOB:
    case EVENT_MAILBOX:
    case EVENT_READABLE:
    case EVENT_WRITABLE:
    case EVENT_STOPPING: break;
    }
}

static void visit_statement(ast_statement *statement, void *context)
{
    walk_events(statement, visit_event, context);
    if (statement->kind == STATEMENT_SUBMIT) check_args(context, &statement->operands->args);
}

static void visit_outcome(const outcome_site *site, void *context)
{
    if (site->outcome->kind != OUTCOME_FAIL) check_args(context, &site->outcome->args);
}

static void check_body(sema *s, const body_site *site)
{
    pointers p = {s, site->flow};
    walk_statements(site->body->first, visit_statement, &p);
    walk_outcomes(site->body->first, visit_outcome, &p);
}

static void check_preempt(sema *s, ast_flow *flow, ast_task *task, ast_preempt *preempt)
{
    (void)task;
    pointers const p = {s, flow};
    if (preempt->outcome->kind != OUTCOME_FAIL) check_args(&p, &preempt->outcome->args);
}

void check_pointers(sema *s, ast_flow *flow)
{
    pointers const p = {s, flow};
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind == MEMBER_SUBFLOW) check_args(&p, &m->subflow->args);
    }
    for_each_body(s, flow, check_body);
    for_each_preempt(s, flow, check_preempt);
}
