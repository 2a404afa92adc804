/* SPDX-License-Identifier: MIT */
/* Finds missing brackets at words that begin parts of a file, flow or task. */
#include "bracket_state.h"
#include "uflow_parse.h"

#define HEAD_LIMIT 200u /* the length limit of a head, in tokens */

uint32_t head_behind_tag(const token_list *list, uint32_t at)
{
    bool const is_body = token_kind(list, at) == T_LBRACE && ((at > 0 && token_kind(list, at - 1) == T_TAG) ||
                                                              (at > 1 && token_kind(list, at - 2) == T_TAG));
    unsigned depth = 0;
    for (uint32_t i = at; is_body && i < list->count; i++) {
        uint16_t const kind = token_kind(list, i);
        if (kind == T_LBRACE) depth++;
        if (kind == T_RBRACE && --depth == 0) return i + 1;
        if (kind == T_ARROW || (depth == 1 && kind == T_RPAREN)) break;
    }
    return at;
}

static uint32_t behind_params(const token_list *list, uint32_t at)
{
    if (token_kind(list, at) != T_LPAREN) return at;
    unsigned depth = 0;
    for (uint32_t i = at; i < list->count; i++) {
        uint16_t const kind = token_kind(list, i);
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && --depth == 0) return i + 1;
        uint32_t const behind = head_behind_tag(list, i);
        if (behind > i) i = behind - 1;
        else if (kind == T_LBRACE || kind == T_RBRACE || kind == T_SEMICOLON) break;
    }
    return at;
}

bool head_is_definition(const token_list *list, uint32_t word, bool with_result)
{
    if (!kind_is(token_kind(list, word + 1), IS_NAME)) return false;
    uint16_t const after = token_kind(list, behind_params(list, word + 2));
    return after == T_LBRACE || (with_result && after == T_ARROW);
}

uint32_t head_params_of_worker(const token_list *list, uint32_t word)
{
    uint32_t at = word + 1;
    for (; at < word + 32; at++) {
        uint16_t const kind = token_kind(list, at);
        if (!kind_is(kind, IS_NAME) && kind != T_TAG && kind != T_OPERATOR) break;
    }
    return at > word + 2 && token_kind(list, at) == T_LPAREN ? at : 0;
}

/* The token after the parameters of a worker, and after its `drop NAME` and `limit N`. */
uint32_t head_behind_signature(const token_list *list, uint32_t params)
{
    uint32_t at = behind_params(list, params);
    if (token_kind(list, at) == T_DROP && kind_is(token_kind(list, at + 1), IS_NAME)) at += 2;
    if (token_kind(list, at) == T_LIMIT && token_kind(list, at + 1) != T_LBRACE) at += 2;
    return at;
}

/* Reports the `}` that has ended a part too early, and continues the part. */
static void reopen_at(balance *b, level which, uint32_t by, const char *part, const char *follower, const char *help)
{
    if (!b->forgive) {
        diag_report *r =
            report_at(b, UF0106, token_span(&b->out, by), "this `}` ends the %s, but a %s follows", part, follower);
        diag_help(r, "%s", help);
    }
    b->open[b->depth++] = b->closed[which];
    b->out.items[by].kind = T_SEMICOLON; /* an empty member */
    b->out.items[by].flags |= TOKEN_SYNTHETIC;
    b->closed_by[which] = 0;
}

/* An extra `}` has closed a flow or task, since more of its contents follow. If other text is between the ends of
 * the step and of the task, the extra bracket is the step's, and the task's own one ends the step. */
static void reopen(balance *b, level which, const char *follower)
{
    uint32_t const by = b->closed_by[which], body = b->closed_by[LEVEL_INSIDE];
    if (!by) return;
    bool const is_of_step = which == LEVEL_TASK && body > b->closed[LEVEL_TASK].at && body + 1 < by;
    const char *const part = is_of_step ? "step" : which == LEVEL_FLOW ? "flow" : "task";
    reopen_at(b, which, is_of_step ? body : by, part, is_of_step ? "statement" : follower, "is it one too many?");
}

/* Can the tokens so far only belong to a statement? */
static bool is_of_statement(const balance *b, const token *t)
{
    uint16_t const after = balance_kind(b, b->next + 1);
    if (t->kind == T_ELSE || kind_is(t->kind, IS_STATEMENT)) return true;
    switch (t->kind) {
    case T_DONE:
    case T_STAY: return after == T_SEMICOLON;
    case T_FAIL:
    case T_DESCRIBE: return after == T_STRING;
    case T_AWAIT: return after == T_LBRACE;
    case T_FLOW: return after == T_ARROW;
    case T_IDENT: return after == T_ARROW && token_is(&b->in, b->next, "self");
    default: return false;
    }
}

/* Does this word make a handler of a flow? */
bool balance_is_of_flow(uint16_t handler)
{
    return handler == T_INIT || handler == T_END;
}

/* Is it on a line that is indented more than the head of the closed body? And was the body closed on such a line? */
static bool is_indented_as_statement(const balance *b, const token *t)
{
    const token *const head = &b->out.items[b->closed[LEVEL_INSIDE].at];
    const token *const end = &b->out.items[b->closed_by[LEVEL_INSIDE]];
    uint32_t const column = balance_indentation(b, head);
    return (t->flags & TOKEN_FIRST_ON_LINE) && t->kind == T_IDENT && balance_indentation(b, t) > column &&
           balance_indentation(b, end) > column;
}

/* An extra `}` has closed a step, worker or handler of a flow, or its `{` is missing: its statements continue. */
static void reopen_body(balance *b, const token *t, level where)
{
    uint32_t const by = b->closed_by[LEVEL_INSIDE];
    if (!by || where == LEVEL_INSIDE) return;
    if (!balance_at_boundary(b)) return;
    if (!is_of_statement(b, t) && !is_indented_as_statement(b, t)) return;
    uint32_t const body = b->closed[LEVEL_INSIDE].at;
    if (body < (where == LEVEL_FILE ? b->closed[LEVEL_FLOW].at : b->open[b->depth - 1].at)) return;
    if (where == LEVEL_FLOW && !balance_is_of_flow(b->out.items[body - 1].kind)) return; /* of a task */
    const char *const part = where == LEVEL_TASK ? "step" : where == LEVEL_FLOW ? "`on init`" : "worker";
    reopen_at(b, LEVEL_INSIDE, by, part, "statement", "is it one too many, or a `{` missing before it?");
}

/* Handles a word that can only occur in the body of a flow (1) or task (2), or in a file (0). */
static void expect_depth(balance *b, unsigned depth, const char *what)
{
    balance_close_down_to(b, depth);
    bool const had_task = b->closed_by[LEVEL_FLOW] && b->closed_by[LEVEL_TASK] > b->closed[LEVEL_FLOW].at;
    if (b->depth == 0 && depth > 0 && (depth == 1 || had_task)) reopen(b, LEVEL_FLOW, what);
    if (b->depth == 1 && depth == 2 && b->open[0].level == LEVEL_FLOW && b->closed_by[LEVEL_TASK] > b->open[0].at)
        reopen(b, LEVEL_TASK, what);
    b->forgive = false;
}

static bool is_of_type(const balance *b, uint32_t at)
{
    uint16_t const kind = balance_kind(b, at);
    if (kind == T_STEP || kind == T_ON || kind == T_TASK || kind == T_FOREVER || kind == T_SHUTDOWN) return false;
    return kind_is(kind, IS_NAME) || kind == T_TAG || token_is(&b->in, at, "*");
}

/* The token after the type of a task's result, which may continue on further lines if a `{` ends it. */
static uint32_t behind_result(const balance *b, uint32_t at)
{
    if (balance_kind(b, at) != T_ARROW) return at;
    uint32_t const first = at + 1;
    uint32_t line = NOWHERE; /* the first on its own line */
    for (at = first; at < b->in.count; at++) {
        uint16_t const kind = balance_kind(b, at);
        if (kind == T_LBRACE && at > first) return at;
        if (kind == T_LBRACE || kind == T_RBRACE || kind == T_SEMICOLON) break;
        if (line == NOWHERE && begins_line(&b->in, at)) line = at;
        if (line != NOWHERE && !is_of_type(b, at)) break;
    }
    return line == NOWHERE ? at : line;
}

/* The end of the head: its `{`, or the token instead of it; 0: no end. *balanced: its parentheses are. */
static uint16_t end_of_head(const balance *b, uint32_t at, bool *balanced)
{
    int depth = 0;
    *balanced = true;
    for (uint32_t i = at; i < at + HEAD_LIMIT && i < b->in.count; i++) {
        uint16_t const kind = balance_kind(b, i);
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && --depth < 0) *balanced = false;
        if (kind != T_LBRACE && kind != T_RBRACE && kind != T_SEMICOLON) continue;
        if (depth != 0) *balanced = false;
        return kind;
    }
    return 0;
}

static void put_before(balance *b, uint32_t at, uint16_t kind, uint32_t name, const char *help)
{
    uint32_t const offset = b->in.items[at - 1].end;
    const token *t = &b->in.items[name];
    diag_report *r = report_at(b, UF0201, (span){b->in.in, offset, offset}, "there is no `%s` after `%.*s`",
                               kind == T_LBRACE ? "{" : "(", (int)(t->end - t->begin), b->in.in->text + t->begin);
    diag_help(r, "%s", help);
    b->missing_before = at;
    b->missing = kind;
}

static void lacks_brace(balance *b, uint32_t at, uint32_t name)
{
    put_before(b, at, T_LBRACE, name, "write it here; its `}` is below");
}

/* Is it the word after `on`, in the head of a handler with a block? */
static bool is_handler(const balance *b, uint32_t word)
{
    return kind_is(balance_kind(b, word), IS_HANDLER) && balance_kind(b, word - 1) == T_ON;
}

/* Does the body lack its `{`? Then one is inserted. */
static void expect_brace(balance *b, uint32_t at, uint32_t name, bool anything_may_follow)
{
    if (balance_kind(b, at) == T_LBRACE || balance_kind(b, at) == T_SEMICOLON) return;
    if (balance_kind(b, at) == T_LPAREN && !is_handler(b, name)) return;
    bool balanced;
    uint16_t const end = end_of_head(b, at, &balanced);
    uint16_t const kind = balance_kind(b, at);
    bool const is_inner = (b->pending == LEVEL_TASK && (kind == T_STEP || kind == T_ON)) ||
                          (b->pending == LEVEL_FLOW && (kind == T_TASK || kind == T_FOREVER || kind == T_ON));
    bool const is_statement = b->pending == LEVEL_INSIDE && kind_is(kind, IS_INTENT | IS_STATEMENT);
    bool const lacks = is_inner || is_statement || begins_line(&b->in, at) || at >= b->in.count ||
                       (anything_may_follow && balanced && end != T_LBRACE);
    if (!lacks) return;
    lacks_brace(b, at, name);
}

static void begin_head(balance *b, uint32_t name, level body)
{
    uint32_t const behind = is_handler(b, name)    ? name + 1
                            : body == LEVEL_INSIDE ? head_behind_signature(&b->in, name + 1)
                                                   : behind_params(&b->in, name + 1);
    b->pending = body;
    b->in_head = true;
    b->head_depth = b->depth;
    expect_brace(b, body == LEVEL_TASK ? behind_result(b, behind) : behind, name, body == LEVEL_INSIDE);
}

static bool is_broken_head(const balance *b, uint32_t word)
{
    if (!kind_is(balance_kind(b, word + 1), IS_NAME)) return false;
    uint32_t const behind = behind_params(&b->in, word + 2);
    if (balance_kind(b, behind) == T_SEMICOLON) return false;
    if (begins_line(&b->in, behind)) return true;
    bool balanced;
    uint16_t const end = end_of_head(b, behind, &balanced);
    if (end == T_LBRACE) return true;
    return end != 0 && balanced && balance_kind(b, word) == T_STEP;
}

/* After the `;` of an await, does an arm begin, perhaps with a condition? A call through a pointer is no arm after an
 * await that may belong to an `if`. */
static bool continues_arms(const balance *b, uint32_t at)
{
    if (balance_kind(b, at) == T_IF) at = behind_params(&b->in, at + 1);
    if (syntax_begins_arm(&b->in, at)) return true;
    if (!kind_is(balance_kind(b, at), IS_NAME)) return false;
    bool const is_event = kind_is(balance_kind(b, at), IS_EVENT);
    uint32_t const arrow = is_event ? behind_params(&b->in, at + 1) : at + 1;
    uint16_t const target = balance_kind(b, arrow + 1), after = balance_kind(b, arrow + 2);
    if (balance_kind(b, arrow) != T_ARROW || !kind_is(target, IS_NAME)) return false;
    return after == T_SEMICOLON || after == T_ELSE || kind_is(target, ENDS_PATH) ||
           (after == T_LPAREN && balance_at_boundary(b));
}

static void expect_arms(balance *b)
{
    uint32_t const first = b->next + 1;
    if (balance_kind(b, first) == T_LBRACE) return;
    if (balance_kind(b, first) == T_HASH_IF) {
        lacks_brace(b, first, b->next);
        return;
    }
    uint32_t end = first;
    unsigned depth = 0;
    for (; end < first + HEAD_LIMIT && end < b->in.count; end++) {
        uint16_t const kind = balance_kind(b, end);
        if (kind == T_SEMICOLON || (depth == 0 && (kind == T_LBRACE || kind == T_RBRACE))) break;
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && depth > 0) depth--;
    }
    if (balance_kind(b, end) != T_SEMICOLON || !continues_arms(b, end + 1)) return;
    lacks_brace(b, first, b->next);
}

static void expect_clauses(balance *b)
{
    uint32_t const first = b->next + 1;
    if (balance_kind(b, first) == T_LPAREN) return;
    unsigned semicolons = 0, depth = 0;
    for (uint32_t at = first; at < first + HEAD_LIMIT && at < b->in.count; at++) {
        uint16_t const kind = balance_kind(b, at);
        if (kind == T_LBRACE || kind == T_RBRACE) return;
        if (kind == T_SEMICOLON && ++semicolons > 2) return;
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && depth-- == 0) {
            if (semicolons == 2) put_before(b, first, T_LPAREN, b->next, "write it here; its `)` is there");
            return;
        }
    }
}

/* Is the innermost bracket the `{` of an await? */
static bool is_among_arms(const balance *b)
{
    uint32_t const at = b->depth > 0 ? b->open[b->depth - 1].at : 0;
    return at > 0 && b->out.items[at].kind == T_LBRACE && b->out.items[at - 1].kind == T_AWAIT;
}

/* The open levels around the members of the current task, or of the flow if there is none. */
static unsigned depth_of_members(const balance *b)
{
    return b->depth > 1 && b->open[1].level == LEVEL_TASK ? 2 : 1;
}

/* The `}` of the arms is missing, and a statement of C or an intent follows. A condition may belong to an arm. */
static bool is_behind_arms(const balance *b, const token *t)
{
    if (t->kind == T_AWAIT) return balance_kind(b, b->next + 1) != T_ARROW;
    if (!balance_at_boundary(b) || !(t->flags & TOKEN_FIRST_ON_LINE) || t->kind == T_ELSE) return false;
    uint32_t const after_condition = behind_params(&b->in, b->next + 1);
    if (t->kind != T_IF) return is_of_statement(b, t) || (t->kind == T_NEXT && balance_kind(b, b->next + 1) != T_ARROW);
    uint16_t const then = balance_kind(b, after_condition);
    return kind_is(then, IS_INTENT) && balance_kind(b, after_condition + 1) != T_ARROW;
}

static void synchronise_at_on(balance *b, const token *t, level where, bool begins)
{
    uint32_t const at = b->next;
    uint16_t const after = balance_kind(b, at + 1), then = balance_kind(b, at + 2);
    bool const is_handler = kind_is(after, IS_HANDLER);
    bool const is_member = (where == LEVEL_FLOW || where == LEVEL_TASK) && balance_at_boundary(b);
    bool const is_preempt = kind_is(after, IS_NAME) && then == T_ARROW && !is_handler;
    if (where == LEVEL_INSIDE && begins && is_handler && then == T_LBRACE)
        expect_depth(b, balance_is_of_flow(after) ? 1 : 2, "handler");
    else if (where == LEVEL_INSIDE && begins && is_preempt && !balance_is_indented(b, t))
        expect_depth(b, depth_of_members(b), "handler");
    else if (is_member && is_handler && then != T_LBRACE && then != T_ARROW && then != T_SEMICOLON)
        begin_head(b, at + 1, LEVEL_INSIDE);
}

static void synchronise_at_worker(balance *b, const token *t, level where)
{
    uint32_t const params = head_params_of_worker(&b->in, b->next);
    bool const has_body = params && balance_kind(b, head_behind_signature(&b->in, params)) == T_LBRACE;
    bool const is_inside = has_body && where > LEVEL_FLOW;
    if (is_inside && balance_is_indented(b, t)) return; /* it is misplaced, and no bracket is missing */
    if (is_inside) expect_depth(b, 0, "worker");
    if (params && where == LEVEL_FILE) begin_head(b, params - 1, LEVEL_INSIDE);
}

/* `test "NAME"`: a level of its own, which holds steps. An indented one within a flow is misplaced. */
static void synchronise_at_test(balance *b, const token *t, level where)
{
    if (where != LEVEL_FILE && balance_is_indented(b, t)) return;
    expect_depth(b, 0, "test");
    memset(b->closed_by, 0, sizeof b->closed_by);
    b->pending = LEVEL_TASK;
}

void balance_synchronise(balance *b, const token *t)
{
    static const struct {
        uint16_t kind;
        level body;
        const char *name;
    } heads[] = {{T_FLOW, LEVEL_FLOW, "flow"}, {T_TASK, LEVEL_TASK, "task"}, {T_STEP, LEVEL_INSIDE, "step"}};
    reopen_body(b, t, balance_level(b));
    level const where = balance_level(b);
    bool const begins = balance_at_boundary(b) || (t->flags & TOKEN_FIRST_ON_LINE);
    uint32_t const at = b->next;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        level const around = heads[i].body - 1;
        if (t->kind != heads[i].kind) continue;
        bool const is_head = (begins && head_is_definition(&b->in, at, t->kind == T_TASK)) ||
                             (where == around && balance_at_boundary(b) && is_broken_head(b, at));
        if (!is_head) return;
        bool const is_of_test = t->kind == T_STEP && b->depth > 0 && b->open[0].level == LEVEL_TASK;
        expect_depth(b, is_of_test ? 1 : around, heads[i].name);
        begin_head(b, at + 1, heads[i].body);
        return;
    }
    if (t->kind == T_TEST && begins && balance_kind(b, at + 1) == T_STRING) synchronise_at_test(b, t, where);
    if (t->kind == T_ON) synchronise_at_on(b, t, where, begins);
    if (balance_kind(b, at + 1) == T_BLOCK_TEXT) expect_depth(b, 0, "block of C");
    bool const is_companion = t->kind == T_WITH && balance_kind(b, at + 1) == T_RUN;
    if (is_companion && where == LEVEL_INSIDE && begins && !balance_is_indented(b, t))
        expect_depth(b, depth_of_members(b), "companion");
    if (t->kind == T_WORKER && begins) synchronise_at_worker(b, t, where);
    bool const is_before_flow = t->kind == T_DURABLE && balance_kind(b, at + 1) == T_FLOW;
    if (is_before_flow && begins && head_is_definition(&b->in, at + 1, false)) expect_depth(b, 0, "flow");
    bool const is_before_task = t->kind == T_FOREVER || t->kind == T_SHUTDOWN;
    if (is_before_task && begins && balance_kind(b, at + 1) == T_TASK && head_is_definition(&b->in, at + 1, true))
        expect_depth(b, 1, "task");
    if (where != LEVEL_INSIDE || !begins) return;
    if (t->kind == T_FOR && balance_at_boundary(b)) expect_clauses(b);
    if (is_among_arms(b) && is_behind_arms(b, t)) balance_close_down_to(b, b->depth - 1);
    if (t->kind == T_AWAIT) expect_arms(b);
}
