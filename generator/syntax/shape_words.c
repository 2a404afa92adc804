/* Which words are words of structure, and what must have been forgotten before them. */
#include "shape_state.h"
#include "uflow_parse.h"

/* -- looking ahead ----------------------------------------------------------------------------------------------- */

uint32_t shape_behind_tag(const shape *s, uint32_t at)
{
    bool const is_body = shape_kind(s, at) == T_LBRACE &&
                         ((at > 0 && shape_kind(s, at - 1) == T_TAG) || (at > 1 && shape_kind(s, at - 2) == T_TAG));
    unsigned depth = 0;
    for (uint32_t i = at; is_body && i < s->in.count; i++) {
        uint16_t const kind = shape_kind(s, i);
        if (kind == T_LBRACE) depth++;
        if (kind == T_RBRACE && --depth == 0) return i + 1;
        if (kind == T_ARROW || (depth == 1 && kind == T_RPAREN)) break;
    }
    return at;
}

uint32_t shape_behind_params(const shape *s, uint32_t at)
{
    if (shape_kind(s, at) != T_LPAREN) return at;
    unsigned depth = 0;
    for (uint32_t i = at; i < s->in.count; i++) {
        uint16_t const kind = shape_kind(s, i);
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && --depth == 0) return i + 1;
        uint32_t const behind = shape_behind_tag(s, i);
        if (behind > i) i = behind - 1;
        else if (kind == T_LBRACE || kind == T_RBRACE || kind == T_SEMICOLON) break;
    }
    return at;
}

bool shape_is_definition(const shape *s, uint32_t word, bool with_result)
{
    if (!kind_is(shape_kind(s, word + 1), IS_NAME)) return false;
    uint16_t const after = shape_kind(s, shape_behind_params(s, word + 2));
    return after == T_LBRACE || (with_result && after == T_ARROW);
}

uint32_t shape_params_of_worker(const shape *s, uint32_t word)
{
    uint32_t at = word + 1;
    for (; at < word + 32; at++) {
        uint16_t const kind = shape_kind(s, at);
        if (!kind_is(kind, IS_NAME) && kind != T_TAG && kind != T_OPERATOR) break;
    }
    return at > word + 2 && shape_kind(s, at) == T_LPAREN ? at : 0;
}

/* -- words of structure ------------------------------------------------------------------------------------------- */

/* A flow or task was closed by a `}` too many: what belongs into it follows. If something else stands between the end
 * of a step and that of the task, the one too many is the step's, and the task's ends the step. */
static void reopen(shape *s, role which, const char *follower)
{
    uint32_t by = s->closed_by[which];
    if (by == NOWHERE) return;
    uint32_t const body = s->closed_by[ROLE_BRACKET];
    const char *what = which == ROLE_FLOW ? "flow" : "task";
    if (which == ROLE_TASK && body != NOWHERE && body > s->closed[ROLE_TASK].at && body + 1 < by) {
        by = body;
        what = "step";
    }
    if (!s->forgive) {
        diag_report *r = diag_at(s->diagnostics, UF0106, shape_place_of(s, by),
                                 "this `}` ends the %s, but a %s follows", what, by == body ? "statement" : follower);
        diag_help(r, "is it one too many?");
    }
    s->open[s->depth++] = s->closed[which];
    s->out.items[by].kind = T_SEMICOLON; /* an empty member */
    s->out.items[by].flags |= TOKEN_SYNTHETIC;
    s->closed_by[which] = NOWHERE;
}

/* Can what has come only be of a statement? */
static bool is_of_statement(const shape *s, const token *t)
{
    uint16_t const after = shape_kind(s, s->next + 1);
    switch (t->kind) {
    case T_IF:
    case T_ELSE:
    case T_WHILE:
    case T_DO:
    case T_FOR:
    case T_SWITCH:
    case T_CASE:
    case T_DEFAULT:
    case T_BREAK:
    case T_CONTINUE:
    case T_RETURN:
    case T_GOTO: return true;
    case T_DONE:
    case T_STAY: return after == T_SEMICOLON;
    case T_FAIL:
    case T_DESCRIBE: return after == T_STRING;
    case T_AWAIT: return after == T_LBRACE;
    case T_FLOW: return after == T_ARROW;
    case T_IDENT: return after == T_ARROW && token_is(&s->in, s->next, "self");
    default: return false;
    }
}

/* A step, worker or `on init` was closed by a `}` too many, or lacks a `{`: its statements go on. */
static void reopen_body(shape *s, const token *t, level where)
{
    uint32_t const by = s->closed_by[ROLE_BRACKET];
    if (by == NOWHERE || where == LEVEL_INSIDE) return;
    if (!shape_at_boundary(s) || !is_of_statement(s, t)) return;
    opener const body = s->closed[ROLE_BRACKET];
    if (where == LEVEL_FILE ? body.at < s->closed[ROLE_FLOW].at : body.at < s->open[s->depth - 1].at) return;
    if (where == LEVEL_FLOW && s->out.items[body.at - 1].kind != T_INIT) return; /* a task's */
    if (!s->forgive) {
        diag_report *r =
            diag_at(s->diagnostics, UF0106, shape_place_of(s, by), "this `}` ends the %s, but a statement follows",
                    where == LEVEL_TASK   ? "step"
                    : where == LEVEL_FLOW ? "`on init`"
                                          : "worker");
        diag_help(r, "is it one too many, or a `{` missing before it?");
    }
    s->open[s->depth++] = body;
    s->out.items[by].kind = T_SEMICOLON;
    s->out.items[by].flags |= TOKEN_SYNTHETIC;
    s->closed_by[ROLE_BRACKET] = NOWHERE;
}

/* A word that can only stand in the body of a flow (1) or task (2), or in a file (0), has come. */
static void expect_depth(shape *s, unsigned depth, const char *what)
{
    shape_close_down_to(s, depth);
    bool const had_task = s->closed_by[ROLE_TASK] != NOWHERE && s->closed_by[ROLE_FLOW] != NOWHERE &&
                          s->closed_by[ROLE_TASK] > s->closed[ROLE_FLOW].at;
    if (s->depth == 0 && depth > 0 && (depth == 1 || had_task)) reopen(s, ROLE_FLOW, what);
    if (s->depth == 1 && depth == 2 && s->open[0].role == ROLE_FLOW && s->closed_by[ROLE_TASK] > s->open[0].at)
        reopen(s, ROLE_TASK, what);
    s->forgive = false;
}

static bool is_member(level where)
{
    return where == LEVEL_FLOW || where == LEVEL_TASK;
}

/* The word of structure that is missing before a head. */
static void add_word(shape *s, level where)
{
    uint16_t const kind = shape_missing_word(s, where);
    if (!kind) return;
    shape_begin_head(s, s->next, kind == T_FLOW ? ROLE_FLOW : kind == T_TASK ? ROLE_TASK : ROLE_BRACKET);
}

/* The last token of the block that begins there. */
static uint32_t end_of_block(const shape *s, uint32_t brace)
{
    unsigned depth = 0;
    uint32_t at = brace;
    for (; at + 1 < s->in.count; at++) {
        if (shape_kind(s, at) == T_LBRACE) depth++;
        if (shape_kind(s, at) == T_RBRACE && --depth == 0) break;
    }
    return at;
}

/* All up to there: an empty statement or member instead. */
static void leave_out(shape *s, token *t, uint32_t last)
{
    s->next = last;
    *t = (token){T_SEMICOLON, TOKEN_SYNTHETIC, t->begin, t->end};
}

/* From a word up to the token before `end`. */
static void report_misplaced(shape *s, uint32_t word, uint32_t end, const char *what, const char *help)
{
    span where = shape_place(s, &s->in.items[word]);
    where.end = s->in.items[end - 1].end;
    diag_report *r = diag_at(s->diagnostics, UF0208, where, "%s", what);
    diag_help(r, "%s", help);
}

/* Is the innermost bracket the `{` of an await? */
static bool is_among_arms(const shape *s)
{
    uint32_t const at = s->depth > 0 ? s->open[s->depth - 1].at : 0;
    return at > 0 && s->out.items[at].kind == T_LBRACE && s->out.items[at - 1].kind == T_AWAIT;
}

/* `: worker`, or that of an array, `[4]: worker`: a bit-field of a type `job` has a width, and no array has one. */
static bool names_worker(const shape *s, uint32_t at)
{
    if (shape_kind(s, at) == T_COLON) return true;
    if (shape_kind(s, at) != T_LBRACKET) return false;
    while (at < s->in.count && shape_kind(s, at) != T_SEMICOLON && shape_kind(s, at) != T_RBRACKET) at++;
    return shape_kind(s, at) == T_RBRACKET && shape_kind(s, at + 1) == T_COLON;
}

void shape_resolve_word(shape *s, token *t)
{
    reopen_body(s, t, shape_level(s));
    level const where = shape_level(s);
    bool const boundary = shape_at_boundary(s) || (t->flags & TOKEN_FIRST_ON_LINE);
    uint32_t const at = s->next;
    if (t->kind == T_ON && is_member(where) && shape_at_boundary(s)) shape_correct_handler(s);
    uint16_t const after = shape_kind(s, at + 1);
    switch (t->kind) {
    case T_FLOW:
        if ((boundary && shape_is_definition(s, at, false)) ||
            (where == LEVEL_FILE && shape_at_boundary(s) && shape_is_broken_head(s, at))) {
            expect_depth(s, 0, "flow");
            shape_begin_head(s, at + 1, ROLE_FLOW);
        } else if (!boundary || where == LEVEL_INSIDE || (where != LEVEL_FILE && !kind_is(after, IS_NAME))) {
            t->kind = T_IDENT;
        }
        return;
    case T_TASK:
        if ((boundary && shape_is_definition(s, at, true)) ||
            (where == LEVEL_FLOW && shape_at_boundary(s) && shape_is_broken_head(s, at))) {
            expect_depth(s, 1, "task");
            shape_begin_head(s, at + 1, ROLE_TASK);
        } else if (!(shape_at_boundary(s) && where == LEVEL_FLOW)) {
            t->kind = T_IDENT;
        }
        return;
    case T_STEP:
        if ((boundary && shape_is_definition(s, at, false)) ||
            (where == LEVEL_TASK && shape_at_boundary(s) && shape_is_broken_head(s, at))) {
            expect_depth(s, 2, "step");
            shape_begin_head(s, at + 1, ROLE_BRACKET);
        } else if (!(shape_at_boundary(s) && where == LEVEL_TASK)) {
            t->kind = T_IDENT;
        }
        return;
    case T_ON: {
        bool const is_handler = after == T_INIT || after == T_ENTER || after == T_EXIT;
        uint16_t const then = shape_kind(s, at + 2);
        if (boundary && is_handler && then == T_LBRACE) {
            /* Each can be misplaced as well, which is told from the grammar. */
            if (where == LEVEL_INSIDE) expect_depth(s, after == T_INIT ? 1 : 2, "handler");
        } else if (is_member(where) && shape_at_boundary(s) && after == T_LBRACE) {
            diag_report *r =
                diag_at(s->diagnostics, UF0201, shape_place(s, t), "this `on` does not say when its block is run");
            diag_help(r, "%s", where == LEVEL_FLOW ? "write `on init`" : "write `on enter` or `on exit`");
            leave_out(s, t, end_of_block(s, at + 1));
        } else if (is_member(where) && shape_at_boundary(s) && is_handler && then != T_ARROW && then != T_SEMICOLON) {
            shape_begin_head(s, at + 1, ROLE_BRACKET);
        } else if (where == LEVEL_INSIDE && boundary && kind_is(after, IS_NAME) && then == T_ARROW && !is_handler &&
                   shape_is_indented(s, t)) {
            report_misplaced(s, at, at + 2, "a step holds no pre-emption", "move it into the task or the flow");
            t->kind = T_IDENT;
        } else if (where == LEVEL_INSIDE && boundary && kind_is(after, IS_NAME) && then == T_ARROW) {
            expect_depth(s, 2, "handler"); /* `on signal -> ...` behind a step without its end */
        } else if (!(shape_at_boundary(s) && (where == LEVEL_FLOW || where == LEVEL_TASK) && kind_is(after, IS_NAME))) {
            t->kind = T_IDENT;
        }
        return;
    }
    case T_FOREVER:
    case T_SHUTDOWN:
        /* Without its `task`, or with another word in its place: told at the next word. */
        if (where == LEVEL_FLOW && shape_at_boundary(s) && after == T_IDENT &&
            (shape_is_definition(s, at + 1, true) || shape_kind(s, shape_behind_params(s, at + 2)) == T_LBRACE))
            return;
        if (!boundary || after != T_TASK) t->kind = T_IDENT;
        else if (shape_is_definition(s, at + 1, true)) expect_depth(s, 1, "task");
        return;
    case T_INIT:
    case T_ENTER:
    case T_EXIT: {
        bool const is_behind_on = s->out.count > 0 && s->out.items[s->out.count - 1].kind == T_ON;
        if (is_behind_on && after == T_ARROW) t->kind = T_IDENT; /* a signal of that name */
        else if (!is_behind_on && is_member(where) && shape_at_boundary(s) && after == T_LBRACE)
            shape_add_missing(s, T_ON, "on");
        return;
    }
    case T_IMPORT:
        if (!(shape_at_boundary(s) && where == LEVEL_FILE)) t->kind = T_IDENT;
        return;
    case T_SIGNAL:
    case T_CHECKPOINT:
    case T_MAILBOX:
        if (where != LEVEL_INSIDE && shape_follows_comma(s, t) && kind_is(after, IS_NAME)) shape_end_statement(s, t);
        if (!(shape_at_boundary(s) && where != LEVEL_INSIDE && (kind_is(after, IS_NAME) || after == T_TAG)))
            t->kind = T_IDENT;
        return;
    case T_WORKER: {
        uint32_t const params = shape_params_of_worker(s, at);
        bool const has_body = params && shape_kind(s, shape_behind_params(s, params)) == T_LBRACE;
        bool const is_misplaced = boundary && has_body && where > LEVEL_FLOW && shape_is_indented(s, t);
        if (is_misplaced && where == LEVEL_INSIDE) {
            report_misplaced(s, at, params, "a worker stands outside of flows",
                             "move it out of the flow: it sees neither `flow` nor `self`");
            leave_out(s, t, end_of_block(s, shape_behind_params(s, params)));
            return;
        }
        if (boundary && has_body && where > LEVEL_FLOW && !is_misplaced) expect_depth(s, 0, "worker");
        if (boundary && params && where == LEVEL_FILE) {
            shape_begin_head(s, params - 1, ROLE_BRACKET);
        } else if (boundary && has_body) {
            return;
        } else if (!(shape_at_boundary(s) && where <= LEVEL_FLOW && (kind_is(after, IS_NAME) || after == T_TAG))) {
            t->kind = T_IDENT;
        }
        return;
    }
    case T_FOR:
        if (where == LEVEL_INSIDE && shape_at_boundary(s)) shape_expect_clauses(s);
        return;
    case T_AWAIT:
        if (where == LEVEL_INSIDE && shape_swallows_await(s, t)) shape_end_statement(s, t);
        if (where == LEVEL_INSIDE && boundary && is_among_arms(s) && after != T_ARROW)
            shape_close_down_to(s, s->depth - 1);
        if (where == LEVEL_INSIDE && boundary) shape_expect_arms(s);
        return;
    case T_JOB:
        if (!(shape_at_boundary(s) && where != LEVEL_INSIDE && kind_is(after, IS_NAME) && names_worker(s, at + 2)))
            t->kind = T_IDENT;
        return;
    case T_SUBMIT: {
        /* `submit x = 3;` declares; so would `submit x;`, if there were such a type. */
        uint16_t const then = shape_kind(s, at + 2);
        bool const is_statement = then == T_LPAREN || then == T_SEMICOLON || then == T_TIMEOUT || then == T_RBRACE ||
                                  then == T_ARROW || then == T_DOT;
        if (where != LEVEL_INSIDE || !kind_is(after, IS_NAME) || !is_statement) t->kind = T_IDENT;
        return;
    }
    case T_IDENT:
        if (where == LEVEL_INSIDE && shape_at_boundary(s)) shape_correct_await(s, t);
        if (is_member(where) && shape_at_boundary(s)) shape_correct_on(s, t);
        if (t->kind == T_IDENT && where != LEVEL_INSIDE && shape_at_boundary(s)) {
            shape_correct_word(s, t, where);
            if (t->kind == T_HEADER || t->kind == T_SOURCE) leave_out(s, t, end_of_block(s, s->next + 1));
            else if (t->kind != T_IDENT) shape_resolve_word(s, t);
            else add_word(s, where);
        }
        return;
    default: return;
    }
}
