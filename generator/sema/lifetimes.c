/* What stands after `->` and `else`, and an `until` condition, is evaluated when the body has been left: its locals are
 * not there, nor its macros, while `result` and `reason` are only there where a run has brought them. */
#include <ctype.h>
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

/* A local that is in scope; a later one of the same name hides it until its block ends. */
typedef struct local {
    struct local *outer;  /* the one that was declared before, of any name */
    struct local *hidden; /* of the same name */
    ast_ident name;
    bool is_macro;
    const ast_statement *reported; /* once an await is enough */
} local;

typedef struct lifetimes {
    sema *sema;
    const body_site *site;
    scope names; /* of local */
    local *last;
    /* Of the text that is being looked at: */
    const ast_statement *wait;
    const ast_event *event; /* that the outcome follows; NULL: none */
    bool has_result, has_reason;
    const char *place;
} lifetimes;

/* The next word of a directive's line, from *at on; empty: there is none. */
static span next_word(span line, uint32_t *at)
{
    const char *text = line.in->text;
    while (*at < line.end && !isalnum((unsigned char)text[*at]) && text[*at] != '_') (*at)++;
    span word = {line.in, *at, *at};
    while (word.end < line.end && (isalnum((unsigned char)text[word.end]) || text[word.end] == '_')) word.end++;
    *at = word.end;
    return word;
}

static bool is_word(span word, const char *text)
{
    return word.end - word.begin == strlen(text) &&
           memcmp(word.in->text + word.begin, text, word.end - word.begin) == 0;
}

static void report_local(lifetimes *l, local *found, span at)
{
    if (found->reported == l->wait) return;
    found->reported = l->wait;
    const char *name = found->name.name;
    if (found->is_macro) {
        diag_report *r = diag_at(l->sema->diagnostics, UF0601, at, "macro `%s` of the body is not defined in this %s",
                                 name, l->place);
        diag_note(r, found->name.at,
                  "it is defined in the body; conditions and outcomes are functions that stand above it");
        diag_help(r, "define it in a `source` block");
        return;
    }
    diag_report *r = diag_at(l->sema->diagnostics, UF0601, at, "local `%s` does not live across the wait", name);
    diag_note(r, found->name.at, "`%s` is declared in the body, which has ended when this %s is evaluated", name,
              l->place);
    diag_help(r, "keep it in the task's state: a field of task %s, used as `self->%s`", l->site->task->name.name, name);
}

static void check_text(token_range text, void *context)
{
    lifetimes *l = context;
    for (uint32_t i = text.first; next_name(text, &i);) {
        size_t length;
        const char *word = token_text(text.list, i - 1, &length);
        span const at = token_span(text.list, i - 1);
        bool const is_result = token_is(text.list, i - 1, "result"), is_reason = token_is(text.list, i - 1, "reason");
        if ((is_result && l->has_result) || (is_reason && l->has_reason)) continue;
        local *found = scope_find_text(&l->names, word, length);
        if (found) {
            report_local(l, found, at);
        } else if (is_result) {
            diag_report *r = diag_at(l->sema->diagnostics, UF0602, at, "there is no `result` in this %s", l->place);
            const ast_job *job = l->event && l->event->kind == EVENT_JOB ? l->event->job : NULL;
            const ast_mailbox *mailbox = l->event && l->event->kind == EVENT_MAILBOX ? l->event->mailbox : NULL;
            if (job) diag_help(r, "what the worker has returned is `self->%s.value`", job->name.name);
            else if (mailbox)
                diag_help(r, "the step that follows takes what has come: `%s_%s_receive(flow, &value)`",
                          l->site->flow->name.name, mailbox->item->name.name);
            else diag_help(r, "it stands for the result of a single `run` of a task that has one, after its `->`");
        } else if (is_reason) {
            diag_report *r = diag_at(l->sema->diagnostics, UF0603, at, "there is no `reason` in this %s", l->place);
            diag_help(r, "it says why a run or a job has failed, after its `else`");
        }
    }
}

static void check_outcome(lifetimes *l, const ast_outcome *outcome, bool has_result, bool has_reason)
{
    l->has_result = has_result;
    l->has_reason = has_reason;
    l->place = "outcome";
    outcome_texts(outcome, check_text, l);
}

static void check_condition(ast_event *event, ast_arm *arm, void *context)
{
    (void)arm;
    lifetimes *l = context;
    if (event->kind != EVENT_UNTIL) return;
    l->has_result = l->has_reason = false;
    l->place = "condition";
    check_text(event->condition, l);
}

/* Of a run that is not known, anything may be expected. */
static bool brings_result(const sema *s, const ast_event *event)
{
    if (event->kind != EVENT_RUN) return false;
    const ast_task *task = event->run_task;
    return !task || !range_empty(task->result) || is_misread_line(s, task->name.at);
}

/* The directives around an arm or an await see no macro of the body either: it would be left out in silence. */
static void check_line(lifetimes *l, const ast_statement *wait, span line)
{
    l->wait = wait;
    l->place = "condition";
    for (uint32_t at = line.begin; at < line.end;) {
        span const word = next_word(line, &at);
        local *found = scope_find_text(&l->names, word.in->text + word.begin, word.end - word.begin);
        if (found && found->is_macro) report_local(l, found, word);
    }
}

static void check_guard(lifetimes *l, const ast_statement *wait, const ast_guard *guard)
{
    for (; guard; guard = guard->outer) {
        for (uint32_t i = 0; i < guard->count; i++) check_line(l, wait, token_span(guard->list, guard->directives[i]));
    }
}

static void note_wait(ast_statement *statement, void *context)
{
    bool *const waits = context;
    if (statement->kind == STATEMENT_AWAIT || statement->kind == STATEMENT_STAY) *waits = true;
}

static void check_wait(lifetimes *l, ast_statement *s)
{
    l->wait = s;
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) check_guard(l, s, arm->guard);
    if (s->kind == STATEMENT_STAY && s->outcome) check_outcome(l, s->outcome, false, false);
    walk_events(s, check_condition, l);
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) {
        l->event = arm->event;
        if (arm->outcome) check_outcome(l, arm->outcome, brings_result(l->sema, arm->event), false);
        if (arm->otherwise) check_outcome(l, arm->otherwise, false, true);
    }
    l->event = NULL;
}

static void declare(lifetimes *l, ast_ident name, bool is_macro)
{
    local *one = ARENA_NEW(l->sema->arena, local);
    one->outer = l->last;
    one->name = name;
    one->is_macro = is_macro;
    one->hidden = scope_set(l->sema->arena, &l->names, name.name, one);
    l->last = one;
}

static void follow_directive(lifetimes *l, span line)
{
    uint32_t at = line.begin;
    span const command = next_word(line, &at), name = next_word(line, &at);
    bool const defines = is_word(command, "define");
    if (name.begin == name.end || (!defines && !is_word(command, "undef"))) return;
    ast_ident const macro = {arena_intern(l->sema->arena, name.in->text + name.begin, name.end - name.begin), name};
    if (defines) declare(l, macro, true);
    else scope_set(l->sema->arena, &l->names, macro.name, NULL);
}

static void leave_block(lifetimes *l, local *outer)
{
    for (; l->last != outer; l->last = l->last->outer) {
        scope_set(l->sema->arena, &l->names, l->last->name.name, l->last->hidden);
    }
}

static void look_through(lifetimes *l, ast_statement *list)
{
    for (ast_statement *s = list; s; s = s->next) {
        local *const outer = l->last;
        /* Branches of #if are in the block that they stand in; all other bodies are blocks of their own. */
        bool const keeps =
            s->kind == STATEMENT_DECLARATION || s->kind == STATEMENT_DIRECTIVES || s->kind == STATEMENT_DIRECTIVE;
        for (const ast_declarator *d = s->declaration ? s->declaration->first : NULL; d; d = d->next) {
            if (d->name.name) declare(l, d->name, false);
        }
        if (s->kind == STATEMENT_DIRECTIVE) follow_directive(l, s->at);
        if (s->kind == STATEMENT_STAY || s->kind == STATEMENT_AWAIT) check_wait(l, s);
        look_through(l, s->body);
        if (s->otherwise) {
            leave_block(l, outer);
            look_through(l, s->otherwise);
        }
        for (ast_branch *branch = s->branches; branch; branch = branch->next) {
            bool waits = false;
            walk_statements(branch->body, note_wait, &waits);
            if (waits && !branch->is_else) check_line(l, s, branch->at);
            if (!branch->skipped) look_through(l, branch->body);
        }
        if (!keeps) leave_block(l, outer);
    }
}

static void check_body(sema *s, const body_site *site)
{
    if (!site->step) return;
    lifetimes l = {.sema = s, .site = site};
    look_through(&l, site->body->first);
}

/* No body has begun where a signal pre-empts, so none of its locals could be meant. */
static void check_preempt(sema *s, ast_flow *flow, ast_task *task, ast_preempt *preempt)
{
    (void)flow;
    (void)task;
    lifetimes l = {.sema = s};
    check_outcome(&l, preempt->outcome, false, false);
}

void check_lifetimes(sema *s, ast_flow *flow)
{
    for_each_body(s, flow, check_body);
    for_each_preempt(s, flow, check_preempt);
}
