/* SPDX-License-Identifier: MIT */
#include "misspelled.h"

#include <string.h>

#include "times.h"
#include "walk.h"
#include "words.h"

/* The intent that a word is similar to. Words in capitals are macros. */
static const char *near_intent(sema *s, const token_list *list, uint32_t index)
{
    size_t length;
    const char *text = token_text(list, index, &length);
    if (token_in_capitals(list, index) || length > 12) return NULL;
    if (kind_is(token_kind_of(text, length), IS_INTENT)) return NULL; /* spelled correctly: another error */
    const char *intents[WORDS_LIMIT];
    size_t const count = token_spellings(IS_INTENT, intents);
    return diag_nearest(arena_copy(s->arena, text, length), intents, count);
}

static const ast_job *job_named(const body_site *site, const token_list *list, uint32_t name)
{
    const ast_job *job = site->task->jobs;
    while (job && !token_is(list, name, job->name.name)) job = job->next;
    return job;
}

static bool is_target(sema *s, const body_site *site, const char *intent, const token_list *list, uint32_t index)
{
    const flow_names *names = site->flow ? scope_find(&s->flows, site->flow->name.name) : NULL;
    const char *const text = token_intern(s->arena, list, index);
    if (!names) return false;
    if (strcmp(intent, "submit") == 0) return job_named(site, list, index) != NULL;
    if (strcmp(intent, "stay") == 0) return token_is_one_of(list, index, "every timeout");
    if (strcmp(intent, "next") == 0) return scope_find(&names->steps, text) != NULL;
    return strcmp(intent, "become") == 0 && scope_find(&names->tasks, text) != NULL;
}

/* Begins the arm of an await: `until (…)`, `(n) ms ->`, `go -> Step`. After a name in C, none of these is an
 * operand. */
static bool is_arm(token_range text, uint32_t at)
{
    if (at + 1 < text.end && token_has(text.list, at, IS_EVENT)) return true;
    uint32_t const word = token_is(text.list, at, "(") ? closing_bracket(text, at) + 1 : at;
    return range_has(text, word, IS_WORD) && range_is(text, word + 1, "->");
}

/* `estop -> Shut`, with a signal or similar name and a step. In C, such a name is not a pointer. */
static bool has_arrow_of_arm(sema *s, const body_site *site, token_range text)
{
    const flow_names *const names = scope_find(&s->flows, site->flow->name.name);
    if (!names || !token_is(text.list, text.first + 1, "->") || !token_is_word(text.list, text.first)) return false;
    const char *const word = token_intern(s->arena, text.list, text.first);
    const shared *const known = scope_find(&names->shared, word);
    if (!known && !scope_find(&s->points, word)) return false;
    return is_target(s, site, "next", text.list, text.first + 2);
}

/* `Shut;`, with a step of the task. In C, a name alone has no effect, unless it is a macro. */
static bool report_bare_step(sema *s, const body_site *site, token_range text)
{
    if (text.end - text.first != 1 || token_in_capitals(text.list, text.first)) return false;
    const ast_step *step = site->task->steps;
    while (step && !token_is(text.list, text.first, step->name.name)) step = step->next;
    if (!step) return false;
    const char *const word = token_intern(s->arena, text.list, text.first);
    diag_report *r = report_at(s, UF0507, token_span(text.list, text.first), "`%s` is a step", word);
    diag_help(r, "write `next %s`", word);
    return true;
}

/* Is the right side no member of the left one? */
static bool is_outcome(sema *s, const body_site *site, token_range text)
{
    uint32_t const second = text.first + 1;
    if (is_target(s, site, "next", text.list, text.first)) return true;
    bool const has_word = token_is_one_of(text.list, text.first, "done fail become");
    return has_word && (second == text.end || token_is_word(text.list, second) || token_is_string(text.list, second) ||
                        token_is_number(text.list, second));
}

/* Does a duration end before the token: `5s`, `(n) ms`? In C, a cast can precede a name. */
static bool follows_duration(token_range text, uint32_t at)
{
    uint32_t const first = token_is(text.list, text.first, "timeout") ? text.first + 1 : text.first;
    if (at < first + 3) return at == first + 1 && token_is_number(text.list, first);
    if (!token_is(text.list, first, "(") || !token_is(text.list, at - 2, ")")) return false;
    if (text.list->items[first + 1].flags & TOKEN_WORDS_OF_C) return false;
    size_t length;
    const char *const unit = token_text(text.list, at - 1, &length);
    return time_of_unit(unit, length) > 0;
}

/* An arm, as in `run Axis.Home(...) -> ...`, `until (...) -> ...`, `(n) ms -> ...`. */
static bool is_whole_arm(sema *s, const body_site *site, token_range text)
{
    if (text.end - text.first < 3) return false;
    bool const is_run = token_is(text.list, text.first, "run") && token_is_word(text.list, text.first + 1) &&
                        token_is(text.list, text.first + 2, ".");
    bool const is_event = token_has(text.list, text.first, IS_EVENT) && token_is(text.list, text.first + 1, "(");
    uint32_t const arrow = find_outside(text, "->");
    bool const has_arrow = arrow > text.first && arrow + 1 < text.end &&
                           ((is_event && token_is(text.list, arrow - 1, ")")) || follows_duration(text, arrow)) &&
                           is_outcome(s, site, (token_range){text.list, arrow + 1, text.end});
    bool const is_named = text.end - text.first == 3 || token_is(text.list, text.first + 3, "(");
    return is_run || has_arrow || (is_named && has_arrow_of_arm(s, site, text));
}

/* An arm outside of an await. */
static bool report_bare_arm(sema *s, const body_site *site, token_range text)
{
    if (!is_whole_arm(s, site, text)) return false;
    diag_report *r = report_at(s, UF0507, token_span(text.list, text.first), "an arm without its `await`");
    const char *const word = token_intern(s->arena, text.list, text.first);
    diag_help(r, "write `await %s ...`", word);
    return true;
}

static bool holds_whole_arm(sema *s, const body_site *site, const ast_statement *block)
{
    for (const ast_statement *one = block->body; one; one = one->next) {
        if (one->kind == STATEMENT_TEXT && is_whole_arm(s, site, one->text)) return true;
    }
    return false;
}

bool report_bare_arms(sema *s, const body_site *site, const ast_statement *block)
{
    if (!site->step || !holds_whole_arm(s, site, block)) return false;
    span const brace = {block->at.in, block->at.begin, block->at.begin + 1};
    diag_report *r = report_at(s, UF0201, brace, "there is no `await` before `{`");
    diag_help(r, "write `await {`");
    return true;
}

/* Does the block of an apparent macro begin with an arm? */
static bool holds_arm(const ast_statement *block)
{
    const ast_statement *const first = block->body ? block->body->body : NULL;
    return first && !range_empty(first->text) && is_arm(first->text, first->text.first);
}

/* Does the statement end its block? A declaration there would be useless. A branch of #if ends no block. */
static bool declares_for_nothing(const body_site *site, const ast_statement *statement)
{
    token_range const body = site->body->text;
    for (uint32_t i = body.first; i < body.end; i++) {
        if (token_is_directive(body.list, i)) return false;
    }
    return !statement->next;
}

bool report_part_of_task(sema *s, const ast_statement *statement)
{
    token_range const text = statement->text;
    if (text.end < text.first + 4) return false;
    uint32_t const second = text.first + 1;
    bool const is_timeout = token_is(text.list, text.first, "on") && token_is(text.list, second, "timeout");
    bool const is_companion = token_is(text.list, text.first, "with") && token_is(text.list, second, "run");
    if (!is_timeout && !is_companion) return false;
    diag_report *r = report_at(s, UF0208, span_join(token_span(text.list, text.first), token_span(text.list, second)),
                               is_timeout ? "a step holds no handler" : "a step holds no companion");
    diag_help(r, is_timeout ? "move it into the task, before its steps; a step waits with `timeout` in its await"
                            : "move it into the task, before its steps; a step runs a task with `await run`");
    return true;
}

/* The operand of an apparent intent: `name` or `name[i]`, perhaps with directives before it. */
typedef struct operand {
    uint32_t name, after;
} operand;

static bool read_operand(token_range text, const char *intent, operand *found)
{
    if (!token_is(text.list, text.first, intent)) return false;
    found->name = behind_directives(text.list, text.first + 1);
    found->after = found->name + 1;
    if (range_is(text, found->after, "[")) found->after = token_after_brackets(text.list, found->after);
    return range_has(text, found->name, IS_WORD);
}

/* `spawn flow->server.connections.Serve(…);` is no C: a type is followed by a name and not by a member. */
static bool report_spawn(sema *s, token_range text)
{
    operand pool;
    if (!read_operand(text, "spawn", &pool)) return false;
    if (!range_is_one_of(text, behind_directives(text.list, pool.after), ". ->")) return false;
    diag_report *const r = report_at(s, UF0380, token_span(text.list, text.first),
                                     "`spawn` names a pool of this flow and a task of its members");
    diag_help(r, "write `spawn pool.Task(…);`; for a pool of another flow, call `Flow_pool_spawn_Task(pointer, …)`");
    return true;
}

/* `submit weigh[0]`, a directive, and `(1);`: for the grammar it is a declaration of C. */
static bool report_cut_submit(sema *s, const body_site *site, token_range text)
{
    operand job;
    if (!read_operand(text, "submit", &job) || !job_named(site, text.list, job.name)) return false;
    uint32_t const cut = job.name > text.first + 1 ? text.first + 1 : job.after;
    if (!kind_is(token_kind(text.list, cut), IS_DIRECTIVE)) return false;
    diag_report *const r = report_at(s, UF0204, token_span(text.list, cut), "a directive inside of a `submit`");
    diag_help(r, "write it before the statement; a branch of #if holds a whole `submit`");
    return true;
}

/* `spawn pool;`, and `submit fetch[1];` of an array: both need parentheses. */
static bool report_without_call(sema *s, const body_site *site, token_range text)
{
    operand of;
    bool const is_spawn = read_operand(text, "spawn", &of);
    if ((!is_spawn && !read_operand(text, "submit", &of)) || of.after != text.end) return false;
    const char *const name = token_intern(s->arena, text.list, of.name);
    bool const is_of_pool = is_spawn && find_pool(site->flow, name);
    bool const is_element = !is_spawn && of.after > of.name + 1 && job_named(site, text.list, of.name);
    if (!is_of_pool && !is_element) return false;
    diag_report *const r = report_at(s, UF0201, token_span(text.list, text.first), "nothing is called here");
    if (is_spawn) diag_help(r, "name a task of the members: `spawn %s.Task(…);`", name);
    else diag_help(r, "write the arguments: `%s(…);`", text_at(s, range_span(text)));
    return true;
}

/* `select go -> Step;`, `select { go -> Step; … }`: no word of C, with arms. */
static bool is_unknown_await(sema *s, const body_site *site, const ast_statement *statement, token_range text)
{
    bool const is_block = statement->kind == STATEMENT_MACRO_BLOCK;
    if (token_in_capitals(text.list, text.first)) return false;
    const token *const first = &text.list->items[text.first];
    bool const is_clause = token_is(text.list, text.first, "every"); /* `every 1s timeout 5s -> Step`, of a `stay` */
    if (is_clause || (first->flags & TOKEN_WORDS_OF_C) || kind_is(first->kind, IS_INTENT)) return false;
    if (is_block) return text.end - text.first == 1 && statement->body && holds_whole_arm(s, site, statement->body);
    return is_whole_arm(s, site, (token_range){text.list, text.first + 1, text.end});
}

bool report_misspelled(sema *s, const body_site *site, const ast_statement *statement)
{
    bool const is_block = statement->kind == STATEMENT_MACRO_BLOCK;
    token_range const text = is_block ? statement->condition : statement->text;
    if (range_empty(text)) return false;
    if (!is_block && site->step &&
        (report_bare_arm(s, site, text) || report_bare_step(s, site, text) || report_spawn(s, text) ||
         report_cut_submit(s, site, text) || report_without_call(s, site, text)))
        return true;
    if (!token_is_word(text.list, text.first)) return false;
    uint32_t const count = text.end - text.first;
    token_range const behind = {text.list, text.first + 1, text.end};
    bool const is_before_arm =
        !is_block && count > 2 && (is_arm(text, behind.first) || (site->step && is_whole_arm(s, site, behind)));

    uint32_t const second = text.first + 1;
    bool const two_words = range_has(text, second, IS_WORD);
    bool const has_operand = count > 1 && (token_is_string(text.list, second) || token_is_number(text.list, second));
    if (count > 1 && !two_words && !has_operand && !is_before_arm && !is_block) return false;

    const char *intent = near_intent(s, text.list, text.first);
    bool const is_arms = site->step && !intent && is_unknown_await(s, site, statement, text);
    if (is_arms) intent = "await";
    if (!intent || (!site->step && strcmp(intent, "fail") != 0)) return false; /* the only intents of a worker */
    bool meant = false;
    if (is_arms) {
        meant = true;
    } else if (is_block) {
        meant = strcmp(intent, "await") == 0 && (count == 1 || holds_arm(statement));
    } else if (count == 1) {
        meant = text_is_one_of(intent, strlen(intent), "done stay fail");
    } else {
        /* Two words can be a declaration, `Next Foo`, unless the second one is a target of that intent. */
        bool const is_declaration = statement->kind != STATEMENT_TEXT && !is_target(s, site, intent, text.list, second);
        meant = has_operand || (is_before_arm && strcmp(intent, "await") == 0) ||
                (two_words && (!is_declaration || (count == 2 && declares_for_nothing(site, statement))));
    }
    if (!meant) return false;
    const char *const word = token_intern(s->arena, text.list, text.first);
    diag_report *r = report_at(s, UF0507, token_span(text.list, text.first), "`%s` is no intent", word);
    diag_help(r, "did you mean `%s`?", intent);
    return true;
}

typedef struct search {
    const char *word;
    span where;
} search;

/* Adjacent operands are not valid C: `1 next`, `f() done`. */
static bool ends_operand(const token_list *list, uint32_t index)
{
    return token_is_one_of(list, index, ") ] ++ --") || token_is_word(list, index) || token_is_string(list, index) ||
           token_is_number(list, index);
}

static bool is_declared(const ast_statement *s, uint32_t index)
{
    for (const ast_declarator *d = s->declaration ? s->declaration->first : NULL; d; d = d->next) {
        if (d->name_token == index) return true;
    }
    return false;
}

static void search_statement(ast_statement *s, void *context)
{
    search *found = context;
    token_range const text = s->text;
    if (found->word || range_empty(text) || (s->kind != STATEMENT_TEXT && s->kind != STATEMENT_DECLARATION)) return;
    for (uint32_t i = text.first + 1; i < text.end; i++) {
        bool const is_last = i + 1 == text.end && s->kind == STATEMENT_TEXT && token_is(text.list, i - 1, ",");
        if (!token_has(text.list, i, ENDS_PATH) || is_declared(s, i)) continue;
        if (!is_last && !ends_operand(text.list, i - 1)) continue;
        found->where = token_span(text.list, i);
        found->word = token_name(text.list->items[i].kind);
        return;
    }
}

const char *find_swallowed(const ast_body *body, span *where)
{
    search found = {0};
    walk_statements(body->first, search_statement, &found);
    *where = found.where;
    return found.word;
}

/* -- intents where C takes a value --------------------------------------------------------------------------------- */

bool report_statement_as_field(sema *s, token_range text, bool is_in_task)
{
    const token_list *const list = text.list;
    bool is_value = false; /* of an initialiser, or the width of a bit-field */

    for (uint32_t i = text.first; i < text.end; i++) {
        if (token_is_one_of(list, i, "= :")) is_value = true;
        if (token_is(list, i, ",")) is_value = false;
        if (token_has(list, i, OPENS_BRACKET)) i = closing_bracket(text, i);
        if (is_value || !range_has(text, i, IS_ACCESS)) continue;
        bool const is_run =
            token_is(list, text.first, "with") || (is_in_task && i > text.first + 1 && token_is(list, i - 2, "run"));
        diag_report *r = report_at(s, UF0201, token_span(list, text.first), "a statement is not expected here");
        diag_help(r, is_run ? "a companion is written `with run Flow.Task(&flow->name) else Step;`"
                            : "statements belong in steps and in handlers such as `on init` and `on exit`");
        return true;
    }
    return false;
}

typedef struct values {
    sema *sema;
    const body_site *site;
    bool is_statement; /* the text begins with one */
    bool found;
} values;

static diag_report *report_as_value(values *v, const token_list *list, uint32_t at)
{
    const char *const word = token_intern(v->sema->arena, list, at);
    v->found = true;
    return report_at(v->sema, UF0515, token_span(list, at), "`%s` is a statement, and has no value", word);
}

/* Tokens that a value can follow. */
static bool precedes_value(const token_list *list, uint32_t index)
{
    size_t length;
    const char *const text = token_text(list, index, &length);
    if (token_is_one_of(list, index, "++ --")) return false; /* they end `flow->n++` */
    return strchr("=(,!?:+-*/%<>&|^", text[0]) || token_is(list, index, "return");
}

/* `spawn pool.Task(` */
static bool begins_spawn(token_range text, uint32_t at)
{
    return at + 4 < text.end && token_is(text.list, at, "spawn") && token_is_name(text.list, at + 1) &&
           token_is(text.list, at + 2, ".") && token_is_name(text.list, at + 3) && token_is(text.list, at + 4, "(");
}

/* `done;`, `next Step`, `fail "…"`, `await {`: C has no such statements, except for a declaration with a typedef. */
static bool is_intent(const token_list *list, uint32_t at)
{
    size_t length;
    const char *const behind = token_text(list, at + 1, &length);
    return token_has(list, at, IS_INTENT) &&
           (strchr(";{\"", *behind) || token_is_number(list, at + 1) || token_is_name(list, at + 1));
}

/* Finds an intent that begins a statement; the end of the text: none. The last statement, `done;`, is a value. */
static uint32_t find_intent(token_range text)
{
    bool begins = true, is_branch = false, in_label = false;
    uint32_t i = text.first;
    for (; i + 1 < text.end && !(begins && is_intent(text.list, i) && (is_branch || i + 2 < text.end)); i++) {
        uint32_t const behind = token_has(text.list, i, IS_CONDITION) ? token_after_brackets(text.list, i + 1) : i + 1;
        in_label = in_label || (begins && (token_is(text.list, i, "case") || token_is(text.list, i + 1, ":")));
        is_branch = behind > i + 1 || token_is_one_of(text.list, i, "else do");
        bool const ends = strchr("{};", text.list->in->text[text.list->items[i].begin]);
        begins = is_branch || ends || (in_label && token_is(text.list, i, ":")) || token_is_directive(text.list, i);
        in_label = in_label && !begins;
        i = behind - 1;
    }
    return i + 1 < text.end ? i : text.end;
}

/* `({ if (flow->n) done; 1; })`, `LOCKED({ next Step; })`: a block in an expression is copied. */
static bool find_inner_intent(sema *s, token_range text)
{
    for (uint32_t i = text.first + 1; i < text.end; i++) {
        if (!token_is(text.list, i, "{") || !token_is_one_of(text.list, i - 1, "( ,")) continue;
        token_range const block = {text.list, i + 1, token_after_brackets(text.list, i) - 1};
        uint32_t const found = find_intent(block);
        i = block.end;
        if (found == block.end) continue;
        const char *const word = token_intern(s->arena, text.list, found);
        diag_report *r =
            report_at(s, UF0515, token_span(text.list, found), "`%s` cannot be inside of an expression", word);
        diag_help(r, "an intent is a statement of a body itself: write the block as one, without the parentheses");
        return true;
    }
    return false;
}

void report_inner_intent(token_range text, void *context)
{
    (void)find_inner_intent(context, text);
}

/* `n++, next Step`, `x = fail "busy"`: outside of brackets, C has no such text. */
static void find_bare_intent(token_range text, values *v)
{
    for (uint32_t i = text.first; !v->found && i + 1 < text.end; i++) {
        if (token_has(text.list, i, OPENS_BRACKET)) i = closing_bracket(text, i);
        if (i == text.first || i + 1 >= text.end || !token_has(text.list, i, IS_INTENT)) continue;
        bool const has_operand = token_is_string(text.list, i + 1) || token_is_name(text.list, i + 1);
        bool const is_apart = precedes_value(text.list, i - 1) || token_is_number(text.list, i - 1) ||
                              token_is_one_of(text.list, i - 1, "++ --");
        if (token_is(text.list, i - 1, "->")) continue; /* an arm */
        if (!has_operand || !is_apart) continue;
        diag_help(report_as_value(v, text.list, i), "write it as a statement of its own, after a `;`");
    }
}

static void find_value(token_range text, void *context)
{
    values *const v = context;
    v->found = v->found || find_inner_intent(v->sema, text);
    for (uint32_t i = text.first; !v->found && next_name(text, &i);) {
        uint32_t const word = i - 1;
        if (i >= text.end || (word == text.first ? v->is_statement : !precedes_value(text.list, word - 1))) continue;
        bool const is_await = token_is(text.list, word, "await") &&
                              (token_is_number(text.list, i) || token_is(text.list, i, "{") || is_arm(text, i));
        bool const is_spawn = begins_spawn(text, word);
        bool const is_submit =
            token_is(text.list, word, "submit") && is_target(v->sema, v->site, "submit", text.list, i);
        if (!is_await && !is_spawn && !is_submit) continue;
        diag_report *r = report_as_value(v, text.list, word);
        const char *const job = token_intern(v->sema->arena, text.list, i);
        if (is_spawn) diag_help(r, "`else` is taken if it fails: `spawn … else Failed(reason);`");
        else if (is_submit)
            diag_help(r, "what the worker returns is in `self->%s.value` later: `await %s -> Step else fail;`", job,
                      job);
        else if (token_is(text.list, i, "run"))
            diag_help(r, "its result arrives at the step that follows: `await run … -> Step(result) else fail;`");
        else diag_help(r, "say which step follows: `await … -> Step;`");
    }
    if (v->is_statement) find_bare_intent(text, v);
}

bool report_intent_as_value(sema *s, const body_site *site, ast_statement *statement)
{
    bool const is_statement = statement->kind == STATEMENT_TEXT || statement->kind == STATEMENT_DECLARATION;
    values v = {.sema = s, .site = site, .is_statement = is_statement};
    for (ast_statement *one = statement; one; one = ast_else_if(one)) statement_texts(one, find_value, &v);
    return v.found;
}
