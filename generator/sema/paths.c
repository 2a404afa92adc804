/* SPDX-License-Identifier: MIT */
/* Every path through a step ends in an intent, and nothing follows the intent. In a worker with a result, every path
 * ends in `return` or `fail`; the C compiler checks the text after them.
 *
 * The check follows the statements once, in source order. It takes every path that some compilation could take:
 * conditions may be true or false, branches of `#if` may be present or absent, and any label may be a jump target. So a
 * statement that this check does not reach is unreachable for the C compiler as well, with any macros. */
#include <string.h>

#include "checks.h"
#include "misspelled.h"
#include "scan.h"
#include "walk.h"
#include "words.h"

/* The state of a path after a statement. */
typedef enum path_state {
    PATH_OPEN,  /* the path continues */
    PATH_ENDED, /* the path has ended in an intent */
    PATH_JUMPED /* it continues elsewhere, or a fault was reported: ignore all up to a label */
} path_state;

/* A statement that a nested `break`, `continue` or `case` may belong to. */
typedef struct enclosing {
    struct enclosing *outer;
    ast_statement_kind kind; /* a loop, STATEMENT_SWITCH, or STATEMENT_MACRO_BLOCK, which may be either */
    bool entered;            /* a path reaches its head */
    bool left;               /* a `break` leaves it */
    bool continued;
    bool has_default; /* in every compilation */
} enclosing;

typedef struct path {
    sema *sema;
    const body_site *site;
    enclosing *inner;
    scope labels;              /* of ast_statement: labels of the body */
    const ast_statement *gap;  /* the last condition that an open path passed */
    const char *why;           /* how the path passed it */
    const ast_statement *end;  /* the intent that ended the last path */
    const ast_statement *jump; /* the last `goto` to a label of the body */
} path;

static path_state follow_list(path *p, ast_statement *list, path_state state);

static bool is_open(path_state state)
{
    return state == PATH_OPEN;
}

/* Notes that the path is open after `s`, and why. */
static void set_gap(path *p, const ast_statement *s, const char *why)
{
    p->gap = s;
    p->why = why;
}

static path_state join(path_state a, path_state b)
{
    if (a == PATH_OPEN || b == PATH_OPEN) return PATH_OPEN;
    return a == PATH_JUMPED || b == PATH_JUMPED ? PATH_JUMPED : PATH_ENDED;
}

/* Sets of kinds, for has_statement(): what leaves a loop, and what a path may jump to. */
enum {
    EXITS = 1u << STATEMENT_OUTCOME | 1u << STATEMENT_STAY | 1u << STATEMENT_AWAIT | 1u << STATEMENT_RETURN |
            1u << STATEMENT_GOTO,
    ENTRIES = 1u << STATEMENT_LABEL | 1u << STATEMENT_CASE
};

/* Handles an open path at a `break` or `continue`. The block of a macro may be the body of a loop or of an `if`. */
static void leave(path *p, bool is_continue)
{
    for (enclosing *e = p->inner; e; e = e->outer) {
        if (is_continue && e->kind == STATEMENT_SWITCH) continue;
        if (is_continue) e->continued = true;
        else e->left = true;
        if (e->kind != STATEMENT_MACRO_BLOCK) return;
    }
}

/* Handles `break` and `continue` in a statement expression or in an argument of a macro. */
static void find_leaves(token_range text, void *context)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        if (token_is(text.list, i, "break")) leave(context, false);
        else if (token_is(text.list, i, "continue")) leave(context, true);
    }
}

static path_state follow_inside(path *p, enclosing *within, ast_statement *body, path_state state)
{
    within->outer = p->inner;
    p->inner = within;
    path_state const end = follow_list(p, body, state);
    p->inner = within->outer;
    return end;
}

static void report_never_left(path *p, const ast_statement *s)
{
    diag_report *r = report_at(p->sema, UF0506, s->at, "nothing ever leaves this loop");
    if (p->site->worker) diag_help(r, "leave it with `break`, `return` or `fail`: uf_job_cancelled() says when");
    else diag_help(r, "do one turn of it in the step and end that with `stay` or `next`");
}

static path_state follow_loop(path *p, ast_statement *s, path_state state)
{
    enclosing loop = {.kind = s->kind};
    /* A path that jumps into the loop can reach its head. */
    if (!is_open(state) && !has_statement(s->body, ENTRIES)) return follow_inside(p, &loop, s->body, state);

    path_state const body = follow_inside(p, &loop, s->body, PATH_OPEN);
    p->inner = &loop;
    find_leaves(s->condition, p); /* compilers disagree on the loop that a `break` in a condition leaves */
    p->inner = loop.outer;
    bool const endless = is_endless(s);
    bool const is_tested = s->kind != STATEMENT_DO || is_open(body) || loop.continued;
    if (loop.left || (!endless && is_tested)) {
        set_gap(p, s, "the path goes on after this loop");
        return PATH_OPEN;
    }
    if (endless && !has_statement(s->body, EXITS)) report_never_left(p, s);
    return body == PATH_ENDED ? PATH_ENDED : PATH_JUMPED;
}

static const char no_case[] = "the path goes on if no case matches: there is no `default`";

static path_state follow_switch(path *p, ast_statement *s, path_state state)
{
    enclosing choice = {.kind = STATEMENT_SWITCH, .entered = is_open(state)};
    path_state const body = follow_inside(p, &choice, s->body, PATH_JUMPED);
    if (choice.entered && !choice.has_default) set_gap(p, s, no_case);
    else if (choice.left) set_gap(p, s, "the path goes on after a `break` of this switch");
    else return is_open(body) || choice.entered ? body : state;
    return PATH_OPEN;
}

/* Returns the switch that a `default` here certainly belongs to; NULL if unsure. */
static enclosing *innermost_switch(const path *p)
{
    enclosing *e = p->inner;
    while (e && e->kind != STATEMENT_SWITCH && e->kind != STATEMENT_MACRO_BLOCK) e = e->outer;
    return e && e->kind == STATEMENT_SWITCH ? e : NULL;
}

static path_state follow_case(path *p, const ast_statement *s, path_state state)
{
    enclosing *const choice = innermost_switch(p);
    if (choice && range_empty(s->condition)) choice->has_default = true;
    for (const enclosing *e = p->inner; e; e = e->outer) {
        if (e->entered) return PATH_OPEN;
        if (e->kind == STATEMENT_SWITCH) break;
    }
    return state;
}

/* A macro may run its block never, once or many times: it may expand to a loop, an `if` or a `switch`. */
static path_state follow_macro_block(path *p, ast_statement *s, path_state state)
{
    if (p->site->step && report_misspelled(p->sema, p->site, s)) return PATH_JUMPED;
    enclosing block = {.kind = STATEMENT_MACRO_BLOCK, .entered = is_open(state)};
    bool const is_entered = block.entered || has_statement(s->body, ENTRIES);
    path_state const body = follow_inside(p, &block, s->body, is_entered ? PATH_OPEN : state);
    if (!is_entered) return state;
    if (block.entered || is_open(body) || block.left || block.continued) {
        set_gap(p, s, "the path goes on after this block, which a macro may run any number of times or never");
        return PATH_OPEN;
    }
    return state;
}

/* Follows an `if` with all its `else if`. Its gap comes from the last open branch. */
static path_state follow_if(path *p, ast_statement *s, path_state state)
{
    path_state body = follow_list(p, s->body, state), all = body;
    const ast_statement *gap = p->gap;
    const char *why = p->why;
    while (ast_else_if(s)) {
        s = s->otherwise;
        body = follow_list(p, s->body, state);
        all = join(all, body);
        if (!is_open(body)) continue;
        gap = p->gap;
        why = p->why;
    }
    if (!s->otherwise) {
        if (is_open(state) && !is_open(body)) set_gap(p, s, "the path goes on if this condition is false");
        return join(all, state);
    }
    path_state const otherwise = follow_list(p, s->otherwise, state);
    if (!is_open(otherwise) && is_open(all)) set_gap(p, gap, why);
    return join(all, otherwise);
}

/* Each compilation contains at most one branch. The branches provide the `default` of a switch if each one has it,
 * and one of them is always present. */
static path_state follow_directives(path *p, ast_statement *s, path_state state)
{
    enclosing *const choice = innermost_switch(p);
    bool const had_default = choice && choice->has_default;
    bool exhaustive = false, any = false, has_default = true;
    path_state after = PATH_ENDED;
    for (ast_branch *branch = s->branches; branch; branch = branch->next) {
        if (branch->is_else) exhaustive = true;
        if (branch->skipped) continue;
        if (choice) choice->has_default = had_default;
        path_state const one = follow_list(p, branch->body, state);
        if (choice && !choice->has_default) has_default = false;
        after = any ? join(after, one) : one;
        any = true;
    }
    if (choice) choice->has_default = had_default || (any && exhaustive && has_default);
    if (!any) return state;
    if (exhaustive) return after;
    if (is_open(state) && !is_open(after)) {
        set_gap(p, s, "the path goes on if this is compiled out: there is no `#else`");
    }
    return join(after, state);
}

static path_state follow_break(path *p, const ast_statement *s, path_state state)
{
    bool const is_continue = s->kind == STATEMENT_CONTINUE;
    const enclosing *target = p->inner;
    while (target && is_continue && target->kind == STATEMENT_SWITCH) target = target->outer;
    if (is_open(state)) leave(p, is_continue);
    if (target) return PATH_JUMPED;
    diag_report *r =
        report_at(p->sema, UF0504, s->at, "this `%s` would leave the body", is_continue ? "continue" : "break");
    if (p->site->step) diag_help(r, "to run the body again write `stay`; to go on, `next`");
    else if (p->site->worker) diag_help(r, "to leave a worker write `return`");
    else diag_help(r, "a handler runs to its closing brace");
    return PATH_JUMPED;
}

static path_state follow_goto(path *p, const ast_statement *s)
{
    if (!s->operands->name.name) return PATH_JUMPED;
    if (scope_find(&p->labels, s->operands->name.name)) p->jump = s;
    if (p->jump == s) return PATH_JUMPED;
    diag_report *r =
        report_at(p->sema, UF0505, s->operands->name.at, "there is no label `%s` in this body", s->operands->name.name);
    bool const is_step = p->site->step && scope_find(&p->sema->names->steps, s->operands->name.name);
    if (p->site->worker) diag_help(r, "`goto` jumps inside of the worker");
    else diag_help(r, "a step is reached with `next%s%s`", is_step ? " " : "", is_step ? s->operands->name.name : "");
    return PATH_JUMPED;
}

/* Reports a statement that is only allowed in steps. */
static void report_in_worker(path *p, const ast_statement *s, const char *help)
{
    diag_report *r =
        report_at(p->sema, UF0510, s->at, "worker `%s` is no step: it cannot hold this", p->site->worker->name.name);
    diag_help(r, "%s", help);
}

static path_state follow_return(path *p, const ast_statement *s)
{
    const ast_worker *worker = p->site->worker;
    if (!worker) {
        diag_report *r = report_at(p->sema, UF0503, s->at, "`return` in a body");
        if (p->site->step) diag_help(r, "end the path with next, stay, await, done, fail or become");
        else diag_help(r, "a handler runs to its closing brace: put the rest into an `if`, or into a function");
        return PATH_JUMPED;
    }
    bool const returns = worker_returns(worker), has_value = !range_empty(s->text);
    if (returns != has_value) {
        diag_report *r = report_at(
            p->sema, UF0512, s->at,
            returns ? "worker `%s` returns something, but not here" : "worker `%s` returns nothing", worker->name.name);
        diag_note(r, range_span(worker->result), "the type of its result is here");
        diag_help(r, returns ? "write `return value;`, or `fail` if there is none" : "write a bare `return`");
    }
    p->end = s;
    return PATH_ENDED;
}

/* What only steps hold: why a worker cannot hold it, and what is wrong with it in a handler; NULL: nothing. */
static const struct {
    const char *in_worker, *in_handler;
} actions[] = {
    [STATEMENT_SUBMIT] = {"jobs are submitted by steps; call the function that it would run",
                          "a handler cannot submit a job"},
    [STATEMENT_SPAWN] = {"flows are started by steps", "a handler cannot hold a `spawn`"},
    [STATEMENT_DESCRIBE] = {"say in the step that submits it what is going on", NULL},
};

static path_state follow_action(path *p, const ast_statement *s, path_state state)
{
    const char *const in_handler = actions[s->kind].in_handler;
    p->gap = NULL;
    if (p->site->worker) report_in_worker(p, s, actions[s->kind].in_worker);
    if (p->site->worker || p->site->step || !in_handler) return state;
    diag_report *r = report_at(p->sema, UF0508, s->at, "%s", in_handler);
    if (s->kind == STATEMENT_SUBMIT) diag_help(r, "submit it in a step");
    else
        diag_help(r, "call the function: `%s_%s_spawn_%s(flow, …)`", p->site->flow->name.name, s->operands->name.name,
                  s->operands->task_name.name);
    return state;
}

static bool is_failure(const ast_statement *s)
{
    return s->kind == STATEMENT_OUTCOME && s->outcome->kind == OUTCOME_FAIL;
}

static path_state follow_intent(path *p, const ast_statement *s)
{
    if (p->site->step || (p->site->worker && is_failure(s))) {
        p->end = s;
        return PATH_ENDED;
    }
    if (p->site->worker) {
        report_in_worker(p, s, "a worker ends with `return` or with `fail`");
        return PATH_JUMPED;
    }
    bool const is_of_pause = p->site->on == ON_PAUSE || p->site->on == ON_RESUME;
    bool const is_inside = p->site->task || p->site->group, is_end = is_at_end(p->site);
    diag_report *r = report_at(p->sema, UF0508, s->at, "`%s` cannot hold an intent", words_of_handler(p->site));
    if (is_inside && !is_end && !is_of_pause)
        diag_help(r, "to fail the task call uf_flow_fail(&flow->uf, …); only a step says what comes next");
    else if (is_end && !is_inside) diag_help(r, "the run is over; what it decides by belongs into its steps");
    else
        diag_help(r, "%sonly a step says what comes next",
                  p->site->hook ? "to fail the test write `expect(C);`; " : "");
    return PATH_OPEN;
}

/* A body with `#error` does not compile. */
static path_state follow_directive(path *p, const ast_statement *s, path_state state)
{
    if (!scan_directive_is(s->at, "error")) return state;
    p->end = s;
    return PATH_JUMPED;
}

static path_state follow(path *p, ast_statement *s, path_state state)
{
    if (!p->site->step) statement_texts(s, report_inner_intent, p->sema);
    else if (report_intent_as_value(p->sema, p->site, s)) return PATH_JUMPED;
    switch (s->kind) {
    case STATEMENT_TEXT:
    case STATEMENT_DECLARATION:
        if (report_part_of_task(p->sema, s)) return state;
        if ((p->site->step || p->site->worker) && report_misspelled(p->sema, p->site, s)) return PATH_JUMPED;
        p->gap = NULL;
        return state;
    case STATEMENT_DIRECTIVE: return follow_directive(p, s, state);
    case STATEMENT_DESCRIBE:
    case STATEMENT_SUBMIT:
    case STATEMENT_SPAWN: return follow_action(p, s, state);
    case STATEMENT_EXPECT:
    case STATEMENT_EXPECT_TEXT: p->gap = NULL; return state;
    case STATEMENT_BLOCK:
        if (report_bare_arms(p->sema, p->site, s)) return PATH_JUMPED;
        return follow_list(p, s->body, state);
    case STATEMENT_IF: return follow_if(p, s, state);
    case STATEMENT_WHILE:
    case STATEMENT_DO:
    case STATEMENT_FOR: return follow_loop(p, s, state);
    case STATEMENT_SWITCH: return follow_switch(p, s, state);
    case STATEMENT_CASE: return follow_case(p, s, state);
    case STATEMENT_LABEL: return PATH_OPEN;
    case STATEMENT_GOTO: return follow_goto(p, s);
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE: return follow_break(p, s, state);
    case STATEMENT_RETURN: return follow_return(p, s);
    case STATEMENT_MACRO_BLOCK: return follow_macro_block(p, s, state);
    case STATEMENT_DIRECTIVES: return follow_directives(p, s, state);
    case STATEMENT_OUTCOME:
    case STATEMENT_STAY:
    case STATEMENT_AWAIT: return follow_intent(p, s);
    }
    return state;
}

/* May the statement follow an intent? Labels open the path again, also nested ones; directives and empty statements
 * are harmless. */
static bool may_follow_intent(const ast_statement *s)
{
    enum {
        LABELS = 1u << STATEMENT_LABEL,
        HARMLESS = ENTRIES | 1u << STATEMENT_DIRECTIVE | 1u << STATEMENT_DIRECTIVES
    };
    return (HARMLESS & 1u << s->kind) || (s->kind == STATEMENT_TEXT && range_empty(s->text)) ||
           has_statement(s->body, LABELS) || has_statement(s->otherwise, LABELS);
}

static path_state follow_list(path *p, ast_statement *list, path_state state)
{
    for (ast_statement *s = list; s; s = s->next) {
        if (state == PATH_ENDED && p->site->worker) {
            state = PATH_JUMPED;
        } else if (state == PATH_ENDED && !may_follow_intent(s)) {
            diag_report *r = report_at(p->sema, UF0502, s->at, "this comes after an intent and would never run");
            if (p->end) diag_note(r, p->end->at, "the path ends here");
            diag_help(r, "put it before the intent, or make the intent conditional");
            state = PATH_JUMPED;
        }
        if (is_open(state) && p->inner) statement_texts(s, find_leaves, p);
        state = follow(p, s, state);
    }
    return state;
}

/* -- labels ------------------------------------------------------------------------------------------------------ */

static void note_label(ast_statement *s, void *context)
{
    path *p = context;
    if (s->kind == STATEMENT_LABEL) scope_add(p->sema->arena, &p->labels, s->operands->name.name, s);
}

/* -- a path that ends without an intent -------------------------------------------------------------------------- */

static void report_open(path *p)
{
    const body_site *site = p->site;
    token_range const text = site->body->text;
    span const end = token_span(text.list, text.end - 1);
    diag_report *r =
        site->step
            ? report_at(p->sema, UF0501, end, "step `%s` can end here without an intent", site->step->name.name)
            : report_at(p->sema, UF0511, end, "worker `%s` can end here without a result", site->worker->name.name);
    span where;
    const char *word = find_swallowed(site->body, &where);
    if (word) {
        diag_note(r, where, "this `%s` is part of the statement that begins before it", word);
        diag_help(r, "is a `;` missing before `%s`?", word);
        return;
    }
    if (p->gap) diag_note(r, p->gap->at, "%s", p->why);
    if (site->step && p->gap && p->why == no_case)
        diag_help(r, "write an intent after the switch, such as `fail;`: a `default` would stop the C compiler from "
                     "reporting a missing case of an enum");
    else if (site->step) diag_help(r, "end the path with next, stay, await, done, fail or become");
    else diag_help(r, "end the path with `return value;` or `fail`");
}

void check_paths(sema *s, const body_site *site)
{
    token_range const text = site->body->text;
    path p = {.sema = s, .site = site};
    walk_statements(site->body->first, note_label, &p);
    path_state const end = follow_list(&p, site->body->first, PATH_OPEN);
    bool const must_end = site->step || (site->worker && worker_returns(site->worker));
    if (!must_end || range_empty(text)) return;
    if (is_open(end)) report_open(&p);
    else if (!p.end && p.jump && !diag_error_within(s->diagnostics, range_span(text))) report_never_left(&p, p.jump);
}
