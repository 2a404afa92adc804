/* SPDX-License-Identifier: MIT */
/* Members, parameters, signals and workers that the file never mentions. A mention of a member is any occurrence of
 * its name: `flow->x`, a macro, C in a source block. So fields with equal names share their mentions. */
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

typedef struct unused {
    sema *sema;
    scope mentioned; /* the names */
    scope params;    /* of ast_declarator: of the step or worker whose text is searched */
} unused;

static void mention(unused *u, const char *word, size_t length)
{
    scope_add_text(u->sema->arena, &u->mentioned, word, length, (void *)word);
}

static bool is_mentioned(const unused *u, const char *name)
{
    return scope_find(&u->mentioned, name) != NULL;
}

static void mention_text(token_range text, void *context)
{
    unused *const u = context;
    for (uint32_t i = text.first; i < text.end; i++) {
        if (!token_is_word(text.list, i)) continue;
        size_t length;
        const char *word = token_text(text.list, i, &length);
        bool const is_member = i > 0 && token_has(text.list, i - 1, IS_ACCESS);
        /* A submission is no use of a job. */
        if (i > 0 && token_is(text.list, i - 1, "submit")) continue;
        ast_declarator *const param = is_member ? NULL : scope_find_text(&u->params, word, length);
        if (param) param->used = true; /* a parameter hides the member */
        else mention(u, word, length);
    }
}

static void mention_initializers(unused *u, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) mention_text(d->initializer, u);
    }
}

static void mention_block(unused *u, const ast_text_block *block)
{
    for (span rest = block->inside, word; next_word(&rest, &word);)
        mention(u, word.in->text + word.begin, word.end - word.begin);
}

static void mention_body(unused *u, const ast_body *body, ast_declaration *params)
{
    for (; params; params = params->next) {
        for (ast_declarator *d = params->first; d; d = d->next) scope_add(u->sema->arena, &u->params, d->name.name, d);
    }
    mention_text(body->text, u);
    u->params = (scope){0};
}

static void visit_body(const body_site *site, void *context)
{
    mention_body(context, site->body, site->step ? site->step->params : NULL);
}

static void visit_preempt(ast_preempt *preempt, void *context)
{
    if (preempt->kind == PREEMPT_SIGNAL) mention(context, preempt->signal.name, strlen(preempt->signal.name));
    preempt_texts(preempt, mention_text, context);
    outcome_texts(preempt->outcome, mention_text, context);
}

static void mention_flow(unused *u, ast_flow *flow)
{
    for (const ast_member *member = flow->members; member; member = member->next) {
        const ast_args *const args = member->subflow ? &member->subflow->args : NULL;
        mention_initializers(u, member->field);
        for (uint32_t i = 0; args && i < args->count; i++) mention_text(args->items[i], u);
    }
    for (const ast_hook *hook = flow->test ? flow->test->hooks : NULL; hook; hook = hook->next) {
        if (!hook->duration.literal) mention_text(hook->duration.text, u);
    }
    for (const ast_task *task = flow->tasks; task; task = task->next) mention_initializers(u, task->fields);
    walk_preempts(flow, visit_preempt, u);
    walk_bodies(flow, visit_body, u);
}

static void report(unused *u, diag_code code, const ast_ident *name, const char *what)
{
    diag_report *r = report_at(u->sema, code, name->at, "%s `%s` is never used", what, name->name);
    diag_help(r, "take it out");
}

static void report_members(unused *u, const ast_declaration *list, diag_code code, const char *what)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (d->name.name && !is_mentioned(u, d->name.name)) report(u, code, &d->name, what);
        }
    }
}

/* Those of a step or a worker. */
static void report_params(unused *u, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (!d->used) report(u, UF0806, &d->name, "parameter");
        }
    }
}

static void report_signal(unused *u, const ast_point *signal)
{
    const char *name = signal->name.name;
    if (signal->used || is_mentioned(u, name)) return;
    diag_report *r = report_at(u->sema, UF0808, signal->name.at, "nothing waits for signal `%s`", name);
    diag_help(r, "wait for it, `await %s -> Step`, let it pre-empt, `on %s -> …`, or take it out", name, name);
}

static void report_checkpoint(unused *u, const ast_point *checkpoint)
{
    if (!checkpoint->used && !is_mentioned(u, checkpoint->name.name))
        report(u, UF0805, &checkpoint->name, "checkpoint");
}

/* A mailbox is used through its name or the names of its functions. */
static void report_mailbox(unused *u, const ast_flow *flow, const ast_mailbox *mailbox)
{
    static const char *const functions[] = {"send", "send_wait", "receive"};
    const ast_ident *const own = &mailbox->item->name;
    if (mailbox->used || is_mentioned(u, own->name)) return;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (is_mentioned(u, ARENA_JOIN(u->sema->arena, flow->name.name, own->name, functions[i]))) return;
    }
    report(u, UF0805, own, "mailbox");
}

static void report_member(unused *u, const ast_flow *flow, const ast_member *member)
{
    switch (member->kind) {
    case MEMBER_FIELD: report_members(u, member->field, UF0805, "field"); break;
    case MEMBER_SUBFLOW: /* code of other files may spawn members of a pool */
        if (!member->subflow->is_pool && !is_mentioned(u, member->subflow->name.name))
            report(u, UF0805, &member->subflow->name, "sub-flow");
        break;
    case MEMBER_SIGNAL: report_signal(u, member->point); break;
    case MEMBER_CHECKPOINT: report_checkpoint(u, member->point); break;
    case MEMBER_MAILBOX: report_mailbox(u, flow, member->mailbox); break;
    }
}

static void report_job(unused *u, const ast_job *job)
{
    bool const is_used = is_mentioned(u, job->name.name);
    const char *name = job->name.name;
    if (!job->submitted && !is_used) {
        report(u, UF0805, &job->name, "job");
    } else if (!job->submitted) {
        diag_report *r = report_at(u->sema, UF0810, job->name.at, "job `%s` is never submitted", name);
        diag_help(r, "submit it in a step of the task: `submit %s%s(…);`", name, range_empty(job->count) ? "" : "[i]");
    } else if (!job->read && !is_used) {
        diag_report *r =
            report_at(u->sema, UF0807, job->name.at, "job `%s` is submitted, and nobody learns what comes of it", name);
        diag_help(r, "wait for it, `await %s -> Step else Failed`, or look at `self->%s`", name, name);
    }
}

static void report_workers(unused *u, const ast_worker *list)
{
    for (; list; list = list->next) {
        if (list->stub_in) continue;
        report_params(u, list->params);
        if (list->used) continue;
        diag_report *r = report_at(u->sema, UF0809, list->name.at, "no job runs worker `%s`", list->name.name);
        diag_help(r, "declare one in a task, `job name: %s;`, or take the worker out", list->name.name);
    }
}

static void report_flow(unused *u, const ast_flow *flow)
{
    report_members(u, flow->params, UF0806, "parameter");
    for (const ast_member *member = flow->members; member; member = member->next) report_member(u, flow, member);
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        report_members(u, task->params, UF0806, "parameter");
        report_members(u, task->fields, UF0805, "field");
        for (const ast_job *job = task->jobs; job; job = job->next) report_job(u, job);
        for (const ast_step *step = task->steps; step; step = step->next) report_params(u, step->params);
    }
}

void check_unused(sema *s)
{
    if (has_error_in(s->diagnostics, s->file)) return; /* an error may hide a use */
    unused u = {.sema = s};
    for (const ast_text_block *block = s->file->blocks; block; block = block->next) mention_block(&u, block);
    for (const ast_worker *worker = s->file->workers; worker; worker = worker->next)
        mention_body(&u, &worker->body, worker->params);
    for (ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) mention_flow(&u, flow);
    if (s->file->flows) { /* a file without flows declares them for others */
        for (const ast_point *one = s->file->signals; one; one = one->next) report_signal(&u, one);
        for (const ast_point *one = s->file->checkpoints; one; one = one->next) report_checkpoint(&u, one);
    }
    report_workers(&u, s->file->workers);
    for (const ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) report_flow(&u, flow);
}
