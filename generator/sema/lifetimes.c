/* What stands after `->` and `else`, and an `until` condition, is evaluated when the body has been left: its locals are
 * not there, while `result` and `reason` are only there where a run has brought them. */
#include "checks.h"
#include "walk.h"
#include "words.h"

/* A local that is in scope; a later one of the same name hides it until its block ends. */
typedef struct local {
    struct local *outer;  /* the one that was declared before, of any name */
    struct local *hidden; /* of the same name */
    ast_ident name;
    declared_kind kind;            /* tags have names of their own */
    const char *if_type;           /* it is one if this names a type; NULL: for certain */
    const ast_statement *reported; /* once an await is enough */
} local;

typedef struct lifetimes {
    sema *sema;
    const body_site *site;
    scope names, tags; /* of local */
    local *last;
    /* Of the text that is being looked at: */
    const ast_statement *wait;
    const ast_event *event; /* that the outcome follows; NULL: none */
    bool has_result, has_reason;
    const char *place;
} lifetimes;

/* What the name stands for; NULL: no local. */
static local *find_local(lifetimes *l, const char *name, size_t length)
{
    local *found = scope_find_text(&l->names, name, length);
    while (found && found->if_type && !is_type_name(l->sema, found->if_type)) found = found->hidden;
    return found;
}

static void report_local(lifetimes *l, local *found, span at)
{
    static const char *const words[] = {
        [DECLARED_TYPE] = "type", [DECLARED_ENUMERATOR] = "constant", [DECLARED_TAG] = "tag"};
    if (found->reported == l->wait) return;
    found->reported = l->wait;
    const char *name = found->name.name;
    if (found->kind != DECLARED_VARIABLE) {
        diag_report *r = diag_at(l->sema->diagnostics, UF0601, at, "%s `%s` of the body is not declared in this %s",
                                 words[found->kind], name, l->place);
        diag_note(r, found->name.at,
                  "it is declared in the body; conditions and outcomes are functions that stand above it");
        diag_help(r, "declare it in a `source` block");
        return;
    }
    diag_report *r = diag_at(l->sema->diagnostics, UF0601, at, "local `%s` does not live across the wait", name);
    diag_note(r, found->name.at, "`%s` is declared in the body, which has ended when this %s is evaluated", name,
              l->place);
    diag_help(r, "keep it in the task's state: a field of task %s, used as `self->%s`", l->site->task->name.name, name);
}

/* `struct s` in the outcome would be another one than the body's. */
static void check_tags(lifetimes *l, token_range text)
{
    if (l->tags.count == 0) return;
    for (uint32_t i = text.first; i + 1 < text.end; i++) {
        if (!token_is_tag(text.list, i)) continue;
        size_t length;
        const char *const word = token_text(text.list, i + 1, &length);
        local *const found = scope_find_text(&l->tags, word, length);
        if (found) report_local(l, found, token_span(text.list, i + 1));
    }
}

static void check_text(token_range text, void *context)
{
    lifetimes *l = context;
    check_tags(l, text);
    for (uint32_t i = text.first; next_name(text, &i);) {
        size_t length;
        const char *word = token_text(text.list, i - 1, &length);
        span const at = token_span(text.list, i - 1);
        bool const is_result = token_is(text.list, i - 1, "result"), is_reason = token_is(text.list, i - 1, "reason");
        if ((is_result && l->has_result) || (is_reason && l->has_reason)) continue;
        local *found = find_local(l, word, length);
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

static void check_wait(lifetimes *l, ast_statement *s)
{
    l->wait = s;
    if (s->kind == STATEMENT_STAY && s->outcome) check_outcome(l, s->outcome, false, false);
    walk_events(s, check_condition, l);
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) {
        l->event = arm->event;
        if (arm->outcome) check_outcome(l, arm->outcome, brings_result(l->sema, arm->event), false);
        if (arm->otherwise) check_outcome(l, arm->otherwise, false, true);
    }
    l->event = NULL;
}

static void declare(lifetimes *l, ast_ident name, declared_kind kind, const char *if_type)
{
    local *one = ARENA_NEW(l->sema->arena, local);
    one->outer = l->last;
    one->name = name;
    one->kind = kind;
    one->if_type = if_type;
    one->hidden = scope_set(l->sema->arena, kind == DECLARED_TAG ? &l->tags : &l->names, name.name, one);
    l->last = one;
}

static void declare_local(const declared *one, void *context)
{
    declare(context, one->name, one->kind, one->if_type);
}

static void leave_block(lifetimes *l, local *outer)
{
    for (; l->last != outer; l->last = l->last->outer) {
        scope *const names = l->last->kind == DECLARED_TAG ? &l->tags : &l->names;
        scope_set(l->sema->arena, names, l->last->name.name, l->last->hidden);
    }
}

static void look_through(lifetimes *l, ast_statement *list);

static void look_into(lifetimes *l, ast_statement *s)
{
    local *const outer = l->last;
    /* Branches of #if are in the block that they stand in; all other bodies are blocks of their own. */
    bool const keeps = s->kind == STATEMENT_DECLARATION || s->kind == STATEMENT_TEXT ||
                       s->kind == STATEMENT_DIRECTIVES || s->kind == STATEMENT_DIRECTIVE;
    each_local(l->sema, s, declare_local, l);
    if (s->kind == STATEMENT_STAY || s->kind == STATEMENT_AWAIT) check_wait(l, s);
    look_through(l, s->body);
    if (s->otherwise && !ast_else_if(s)) {
        leave_block(l, outer);
        look_through(l, s->otherwise);
    }
    for (ast_branch *branch = s->branches; branch; branch = branch->next) {
        if (!branch->skipped) look_through(l, branch->body);
    }
    if (!keeps) leave_block(l, outer);
}

static void look_through(lifetimes *l, ast_statement *list)
{
    for (; list; list = list->next) {
        for (ast_statement *s = list; s; s = ast_else_if(s)) look_into(l, s);
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
