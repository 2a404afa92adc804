/* Every path through a step ends in an intent, and nothing stands after one. Of a worker that returns something, every
 * path ends in `return` or `fail`; what stands behind them is C's business. */
#include "checks.h"
#include "misspelled.h"
#include "walk.h"
#include "words.h"

/* How a path stands after a statement. */
typedef enum path_state {
    PATH_OPEN,  /* it goes on */
    PATH_ENDED, /* it has ended in an intent */
    PATH_JUMPED /* it goes on elsewhere, or was reported: what follows is left alone until a label */
} path_state;

/* A statement that `break` or `continue` may belong to. */
typedef struct enclosing {
    struct enclosing *outer;
    bool is_switch;
    bool left; /* by a break */
    bool continued;
    bool has_default;
} enclosing;

typedef struct path {
    sema *sema;
    const body_site *site;
    bool is_misread; /* a syntax error in the body: where its paths end is not known */
    enclosing *inner;
    scope labels;             /* of ast_statement: the labels that some goto names, then all of them */
    bool jumps_anywhere;      /* there is a computed goto */
    const ast_statement *gap; /* the last statement through which an open path came, if a condition decided it */
    const char *why;          /* what became of it there */
    const ast_statement *end; /* the intent that ended the last path */
} path;

static path_state follow_list(path *p, ast_statement *list, path_state state);

static bool has_result(const ast_worker *worker)
{
    token_range const type = worker->result;
    return !(type.end - type.first == 1 && token_is(type.list, type.first, "void"));
}

/* The path is open here, and why. */
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

/* `1`, `true`, or nothing between two semicolons; parentheses around it do not matter. */
static bool always_true(token_range condition)
{
    while (condition.end - condition.first >= 3 && token_is(condition.list, condition.first, "(") &&
           token_is(condition.list, condition.end - 1, ")")) {
        condition.first++;
        condition.end--;
    }
    return condition.end - condition.first == 1 &&
           (token_is(condition.list, condition.first, "1") || token_is(condition.list, condition.first, "true"));
}

static bool for_ever(token_range head)
{
    uint32_t semicolons[2], count = 0;
    int depth = 0;
    for (uint32_t i = head.first; i < head.end && count < 2; i++) {
        if (token_is(head.list, i, "(") || token_is(head.list, i, "{")) depth++;
        if (token_is(head.list, i, ")") || token_is(head.list, i, "}")) depth--;
        if (depth == 0 && token_is(head.list, i, ";")) semicolons[count++] = i;
    }
    if (count < 2) return false;
    token_range const condition = {head.list, semicolons[0] + 1, semicolons[1]};
    return condition.first == condition.end || always_true(condition);
}

static void note_exit(ast_statement *statement, void *context)
{
    bool *found = context;
    switch ((int)statement->kind) {
    case STATEMENT_NEXT:
    case STATEMENT_STAY:
    case STATEMENT_AWAIT:
    case STATEMENT_DONE:
    case STATEMENT_FAIL:
    case STATEMENT_BECOME:
    case STATEMENT_RETURN:
    case STATEMENT_GOTO: *found = true; break;
    default: break;
    }
}

static path_state follow_loop(path *p, ast_statement *s, path_state state)
{
    enclosing loop = {.outer = p->inner};
    p->inner = &loop;
    path_state const body = follow_list(p, s->body, state);
    p->inner = loop.outer;

    bool const endless = s->kind == STATEMENT_FOR ? for_ever(s->condition) : always_true(s->condition);
    if (state != PATH_OPEN && body != PATH_OPEN && !loop.left) return state;
    if (endless && !loop.left) {
        bool has_exit = false;
        walk_statements(s->body, note_exit, &has_exit);
        if (!has_exit && !is_misread_line(p->sema, s->at)) {
            diag_report *r = diag_at(p->sema->diagnostics, UF0506, s->at, "nothing ever leaves this loop");
            if (p->site->worker)
                diag_help(r, "leave it with `break`, `return` or `fail`: uf_job_cancelled() says when");
            else diag_help(r, "do one turn of it in the step and end that with `stay` or `next`");
        }
        return body == PATH_ENDED ? PATH_ENDED : PATH_JUMPED;
    }
    set_gap(p, s, "the path goes on after this loop");
    if (s->kind != STATEMENT_DO || loop.left || loop.continued) return PATH_OPEN;
    return body;
}

static path_state follow_switch(path *p, ast_statement *s, path_state state)
{
    enclosing choice = {.outer = p->inner, .is_switch = true};
    p->inner = &choice;
    path_state const body = follow_list(p, s->body, PATH_JUMPED);
    p->inner = choice.outer;
    if (state != PATH_OPEN) return state;
    if (!choice.has_default) set_gap(p, s, "the path goes on if no case matches: there is no `default`");
    else if (choice.left) set_gap(p, s, "the path goes on after a `break` of this switch");
    return choice.left || !choice.has_default ? PATH_OPEN : body;
}

/* With all its `else if`: the gap is that of the last one of its branches that is open. */
static path_state follow_if(path *p, ast_statement *s, path_state state)
{
    path_state body = follow_list(p, s->body, state), all = body;
    const ast_statement *gap = p->gap;
    const char *why = p->why;
    while (ast_else_if(s)) {
        s = s->otherwise;
        body = follow_list(p, s->body, state);
        all = join(all, body);
        if (body != PATH_OPEN) continue;
        gap = p->gap;
        why = p->why;
    }
    path_state const otherwise = s->otherwise ? follow_list(p, s->otherwise, state) : state;
    if (otherwise != PATH_OPEN && all == PATH_OPEN) set_gap(p, gap, why);
    if (!s->otherwise && otherwise == PATH_OPEN && body != PATH_OPEN)
        set_gap(p, s, "the path goes on if this condition is false");
    return join(all, otherwise);
}

static path_state follow_directives(path *p, ast_statement *s, path_state state)
{
    bool exhaustive = false, any = false;
    path_state after = PATH_ENDED;
    for (ast_branch *branch = s->branches; branch; branch = branch->next) {
        if (branch->is_else) exhaustive = true;
        if (branch->skipped) continue;
        path_state const one = follow_list(p, branch->body, state);
        after = any ? join(after, one) : one;
        any = true;
    }
    if (!any) return state;
    if (exhaustive) return after;
    if (state == PATH_OPEN && after != PATH_OPEN) {
        set_gap(p, s, "the path goes on if this is compiled out: there is no `#else`");
    }
    return join(after, state);
}

static path_state follow_break(path *p, const ast_statement *s)
{
    bool const is_continue = s->kind == STATEMENT_CONTINUE;
    enclosing *target = p->inner;
    while (target && is_continue && target->is_switch) target = target->outer;
    if (target) {
        if (is_continue) target->continued = true;
        else target->left = true;
        return PATH_JUMPED;
    }
    if (p->is_misread) return PATH_JUMPED; /* the loop that it belongs to may be lost */
    diag_report *r = diag_at(p->sema->diagnostics, UF0504, s->at, "this `%s` would leave the body",
                             is_continue ? "continue" : "break");
    if (p->site->step) diag_help(r, "to run the body again write `stay`; to go on, `next`");
    else if (p->site->worker) diag_help(r, "to leave a worker write `return`");
    else diag_help(r, "a handler runs to its closing brace");
    return PATH_JUMPED;
}

static path_state follow_goto(path *p, const ast_statement *s)
{
    if (!s->operands->name.name) return PATH_JUMPED;
    const ast_statement *target = scope_find(&p->labels, s->operands->name.name);
    if ((target && target->kind == STATEMENT_LABEL) || p->is_misread) return PATH_JUMPED;
    diag_report *r = diag_at(p->sema->diagnostics, UF0505, s->operands->name.at, "there is no label `%s` in this body",
                             s->operands->name.name);
    const flow_names *names = p->site->flow ? scope_find(&p->sema->flows, p->site->flow->name.name) : NULL;
    bool const is_step = p->site->step && names && scope_find(&names->steps, s->operands->name.name);
    if (p->site->worker) diag_help(r, "`goto` jumps inside of the worker");
    else diag_help(r, "a step is reached with `next%s%s`", is_step ? " " : "", is_step ? s->operands->name.name : "");
    return PATH_JUMPED;
}

/* What says something about steps, in a worker. */
static void report_in_worker(path *p, const ast_statement *s, const char *help)
{
    diag_report *r = diag_at(p->sema->diagnostics, UF0510, s->at, "worker `%s` is no step: it cannot hold this",
                             p->site->worker->name.name);
    diag_help(r, "%s", help);
}

static path_state follow_return(path *p, const ast_statement *s)
{
    const ast_worker *worker = p->site->worker;
    if (!worker) {
        diag_report *r = diag_at(p->sema->diagnostics, UF0503, s->at, "`return` in a body");
        if (p->site->step) diag_help(r, "end the path with next, stay, await, done, fail or become");
        else diag_help(r, "a handler runs to its closing brace: put the rest into an `if`, or into a function");
        return PATH_JUMPED;
    }
    bool const returns = has_result(worker), has_value = !range_empty(s->text);
    if (returns != has_value) {
        diag_report *r = diag_at(
            p->sema->diagnostics, UF0512, s->at,
            returns ? "worker `%s` returns something, but not here" : "worker `%s` returns nothing", worker->name.name);
        diag_note(r, range_span(worker->result), "the type of its result is here");
        diag_help(r, returns ? "write `return value;`, or `fail` if there is none" : "write a bare `return`");
    }
    p->end = s;
    return PATH_ENDED;
}

static path_state follow_submit(path *p, const ast_statement *s, path_state state)
{
    p->gap = NULL;
    if (p->site->worker) {
        report_in_worker(p, s, "jobs are submitted by steps; call the function that it would run");
    } else if (!p->site->step) {
        diag_report *r = diag_at(p->sema->diagnostics, UF0508, s->at, "a handler cannot submit a job");
        diag_help(r, "submit it in a step");
    }
    return state;
}

static path_state follow_intent(path *p, const ast_statement *s)
{
    if (p->site->step || (p->site->worker && s->kind == STATEMENT_FAIL)) {
        p->end = s;
        return PATH_ENDED;
    }
    if (p->site->worker) {
        report_in_worker(p, s, "a worker ends with `return` or with `fail`");
        return PATH_JUMPED;
    }
    bool const is_enter = p->site->task && p->site->body == p->site->task->on_enter;
    const char *handler = !p->site->task ? "on init" : is_enter ? "on enter" : "on exit";
    diag_report *r = diag_at(p->sema->diagnostics, UF0508, s->at, "`%s` cannot hold an intent", handler);
    if (is_enter) diag_help(r, "to fail the task call uf_flow_fail(&flow->uf, …); what comes next is said by steps");
    else diag_help(r, "what comes next is said by steps");
    return PATH_OPEN;
}

static path_state follow(path *p, ast_statement *s, path_state state)
{
    switch (s->kind) {
    case STATEMENT_TEXT:
    case STATEMENT_DECLARATION:
        if ((p->site->step || p->site->worker) && report_misspelled(p->sema, p->site, s)) return PATH_JUMPED;
        p->gap = NULL;
        return state;
    case STATEMENT_DIRECTIVE: return state;
    case STATEMENT_DESCRIBE:
        p->gap = NULL;
        if (p->site->worker) report_in_worker(p, s, "say in the step that submits it what is going on");
        return state;
    case STATEMENT_SUBMIT: return follow_submit(p, s, state);
    case STATEMENT_BLOCK: return follow_list(p, s->body, state);
    case STATEMENT_IF: return follow_if(p, s, state);
    case STATEMENT_WHILE:
    case STATEMENT_DO:
    case STATEMENT_FOR: return follow_loop(p, s, state);
    case STATEMENT_SWITCH: return follow_switch(p, s, state);
    case STATEMENT_CASE: {
        enclosing *choice = p->inner;
        while (choice && !choice->is_switch) choice = choice->outer;
        if (!choice) return state;
        if (range_empty(s->condition)) choice->has_default = true;
        return PATH_OPEN;
    }
    case STATEMENT_LABEL:
        return state == PATH_OPEN || p->jumps_anywhere || scope_find(&p->labels, s->operands->name.name) == s
                   ? PATH_OPEN
                   : state;
    case STATEMENT_GOTO: return follow_goto(p, s);
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE: return follow_break(p, s);
    case STATEMENT_RETURN: return follow_return(p, s);
    case STATEMENT_MACRO_BLOCK: {
        if (p->site->step && report_misspelled(p->sema, p->site, s)) return PATH_JUMPED;
        enclosing loop = {.outer = p->inner};
        p->inner = &loop;
        follow_list(p, s->body, state);
        p->inner = loop.outer;
        set_gap(p, s, "the path goes on after this block, which a macro may run any number of times or never");
        return state;
    }
    case STATEMENT_DIRECTIVES: return follow_directives(p, s, state);
    case STATEMENT_NEXT:
    case STATEMENT_STAY:
    case STATEMENT_AWAIT:
    case STATEMENT_DONE:
    case STATEMENT_FAIL:
    case STATEMENT_BECOME: return follow_intent(p, s);
    }
    return state;
}

/* Labels open a path again, directives are nobody's path, an empty statement does no harm. */
static bool may_follow_intent(const ast_statement *s)
{
    return s->kind == STATEMENT_CASE || s->kind == STATEMENT_LABEL || s->kind == STATEMENT_DIRECTIVE ||
           s->kind == STATEMENT_DIRECTIVES || (s->kind == STATEMENT_TEXT && range_empty(s->text));
}

static path_state follow_list(path *p, ast_statement *list, path_state state)
{
    for (ast_statement *s = list; s; s = s->next) {
        if (state == PATH_ENDED && (p->is_misread || p->site->worker)) {
            state = PATH_JUMPED;
        } else if (state == PATH_ENDED && !may_follow_intent(s)) {
            diag_report *r =
                diag_at(p->sema->diagnostics, UF0502, s->at, "this stands after an intent and would never run");
            if (p->end) diag_note(r, p->end->at, "the path ends here");
            diag_help(r, "put it before the intent, or make the intent conditional");
            state = PATH_JUMPED;
        }
        state = follow(p, s, state);
    }
    return state;
}

/* -- labels ------------------------------------------------------------------------------------------------------ */

static void mark_goto(ast_statement *s, void *context)
{
    path *p = context;
    if (s->kind != STATEMENT_GOTO) return;
    if (s->operands->name.name) scope_add(p->sema->arena, &p->labels, s->operands->name.name, s);
    else p->jumps_anywhere = true;
}

static void mark_label(ast_statement *s, void *context)
{
    path *p = context;
    /* A label that no goto names stays out: it opens no path. */
    if (s->kind == STATEMENT_LABEL && s->operands->name.name && scope_find(&p->labels, s->operands->name.name)) {
        scope_set(p->sema->arena, &p->labels, s->operands->name.name, s);
    }
}

/* -- a path that ends without an intent -------------------------------------------------------------------------- */

static void report_open(path *p)
{
    const body_site *site = p->site;
    token_range const text = site->body->text;
    span const end = token_span(text.list, text.end - 1);
    diag_report *r = site->step ? diag_at(p->sema->diagnostics, UF0501, end, "step `%s` can end here without an intent",
                                          site->step->name.name)
                                : diag_at(p->sema->diagnostics, UF0511, end,
                                          "worker `%s` can end here without a result", site->worker->name.name);
    span where;
    const char *word = find_swallowed(site->body, &where);
    if (word) {
        diag_note(r, where, "this `%s` is part of the statement that begins before it", word);
        diag_help(r, "is a `;` missing before `%s`?", word);
        return;
    }
    if (p->gap) diag_note(r, p->gap->at, "%s", p->why);
    if (site->step) diag_help(r, "end the path with next, stay, await, done, fail or become");
    else diag_help(r, "end the path with `return value;` or `fail`");
}

/* Behind the flow stands a `}` that closes nothing: one of the bodies may have ended too early. */
static bool is_off_balance(const sema *s, const ast_flow *flow)
{
    uint32_t at = flow->at.end;
    const char *const text = flow->at.in->text;
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') at++;
    return text[at] == '}' && is_damaged(s, (span){flow->at.in, at, at + 1});
}

static void check_body(sema *s, const body_site *site)
{
    token_range const text = site->body->text;
    path p = {.sema = s, .site = site, .is_misread = range_empty(text) || is_misread(s, range_span(text))};
    if (site->worker && s->syntax_errors) p.is_misread = true; /* it may end where it was not meant to */
    if (site->flow && s->syntax_errors && is_off_balance(s, site->flow)) p.is_misread = true;
    walk_statements(site->body->first, mark_goto, &p);
    if (p.labels.count) walk_statements(site->body->first, mark_label, &p);
    path_state const end = follow_list(&p, site->body->first, PATH_OPEN);
    bool const must_end = site->step || (site->worker && has_result(site->worker));
    if (must_end && end == PATH_OPEN && !p.is_misread) report_open(&p);
}

void check_paths(sema *s, ast_flow *flow)
{
    for_each_body(s, flow, check_body);
}

void check_worker_paths(sema *s)
{
    for_each_worker(s, check_body);
}
