/* SPDX-License-Identifier: MIT */
/* Members, parameters, signals and workers that the file never mentions. A mention of a member is any occurrence of
 * its name: `flow->x`, a macro, C in a source block. So fields with equal names share their mentions. */
#include <ctype.h>
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

typedef struct unused {
    sema *sema;
    scope members; /* of bool: is it mentioned? */
    scope params;  /* of ast_declarator: of the step or worker whose text is searched */
} unused;

static void expect(unused *u, const char *name)
{
    if (name && !scope_find(&u->members, name))
        scope_add(u->sema->arena, &u->members, name, ARENA_NEW(u->sema->arena, bool));
}

static void expect_all(unused *u, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) expect(u, d->name.name);
    }
}

static void mention(unused *u, const char *word, size_t length)
{
    bool *mentioned = scope_find_text(&u->members, word, length);
    if (mentioned) *mentioned = true;
}

static bool is_mentioned(const unused *u, const char *name)
{
    const bool *mentioned = scope_find(&u->members, name);
    return mentioned && *mentioned;
}

static void mention_text(unused *u, token_range text)
{
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

static void mention_declarators(unused *u, ast_declaration *list)
{
    for (; list; list = list->next) {
        for (ast_declarator *d = list->first; d; d = d->next) mention_text(u, d->initializer);
    }
}

static void mention_block(unused *u, const ast_text_block *block)
{
    const char *text = block->inside.in->text;
    for (uint32_t i = block->inside.begin; i < block->inside.end;) {
        uint32_t const begin = i;
        while (i < block->inside.end &&
               (isalnum((unsigned char)text[i]) || text[i] == '_' || (unsigned char)text[i] >= 0x80))
            i++;
        if (i > begin) mention(u, text + begin, i - begin);
        else i++;
    }
}

static void mention_body(unused *u, const ast_body *body, ast_declaration *params)
{
    for (; params; params = params->next) {
        for (ast_declarator *d = params->first; d; d = d->next) {
            if (d->name.name) scope_add(u->sema->arena, &u->params, d->name.name, d);
        }
    }
    mention_text(u, body->text);
    u->params = (scope){0};
}

static void visit_body(const body_site *site, void *context)
{
    mention_body(context, site->body, site->step ? site->step->params : NULL);
}

static void visit_text(token_range text, void *context)
{
    mention_text(context, text);
}

static void visit_preempt(ast_preempt *preempt, void *context)
{
    if (preempt->kind == PREEMPT_SIGNAL) mention(context, preempt->signal.name, strlen(preempt->signal.name));
    preempt_texts(preempt, visit_text, context);
    outcome_texts(preempt->outcome, visit_text, context);
}

static void mention_flow(unused *u, ast_flow *flow)
{
    for (ast_member *member = flow->members; member; member = member->next) {
        if (member->kind == MEMBER_FIELD) {
            for (ast_declarator *d = member->field->first; d; d = d->next) mention_text(u, d->initializer);
        } else if (member->kind == MEMBER_SUBFLOW) {
            for (uint32_t i = 0; i < member->subflow->args.count; i++) mention_text(u, member->subflow->args.items[i]);
        }
    }
    for (const ast_hook *hook = flow->test ? flow->test->hooks : NULL; hook; hook = hook->next) {
        if (!hook->duration.literal) mention_text(u, hook->duration.text);
    }
    for (ast_task *task = flow->tasks; task; task = task->next) mention_declarators(u, task->fields);
    walk_preempts(flow, visit_preempt, u);
    walk_bodies(flow, visit_body, u);
}

/* A mailbox is used through its name or the names of its functions. */
static const char *function_of(const unused *u, const ast_flow *flow, const ast_mailbox *mailbox, const char *what)
{
    return arena_printf(u->sema->arena, "%s_%s_%s", flow->name.name, mailbox->item->name.name, what);
}

static void expect_member(unused *u, const ast_flow *flow, const ast_member *member)
{
    switch (member->kind) {
    case MEMBER_FIELD:
        for (const ast_declarator *d = member->field->first; d; d = d->next) expect(u, d->name.name);
        break;
    case MEMBER_SUBFLOW: expect(u, member->subflow->name.name); break;
    case MEMBER_SIGNAL:
    case MEMBER_CHECKPOINT: expect(u, member->point->name.name); break;
    case MEMBER_MAILBOX:
        if (!member->mailbox->item->name.name) break;
        expect(u, member->mailbox->item->name.name);
        expect(u, function_of(u, flow, member->mailbox, "send"));
        expect(u, function_of(u, flow, member->mailbox, "send_wait"));
        expect(u, function_of(u, flow, member->mailbox, "receive"));
        break;
    }
}

static void expect_points(unused *u, const ast_point *list)
{
    for (; list; list = list->next) expect(u, list->name.name);
}

static void expect_flow(unused *u, const ast_flow *flow)
{
    expect_all(u, flow->params);
    for (const ast_member *member = flow->members; member; member = member->next) expect_member(u, flow, member);
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        expect_all(u, task->params);
        expect_all(u, task->fields);
        for (const ast_job *job = task->jobs; job; job = job->next) expect(u, job->name.name);
    }
}

static void report(unused *u, diag_code code, const ast_ident *name, const char *what)
{
    diag_report *r = report_at(u->sema, code, name->at, "%s `%s` is never used", what, name->name);
    diag_help(r, "take it out");
}

static void report_declaration(unused *u, ast_declaration *declaration, diag_code code, const char *what)
{
    for (ast_declarator *d = declaration->first; d; d = d->next) {
        if (!d->name.name) continue;
        d->used = is_mentioned(u, d->name.name);
        if (!d->used) report(u, code, &d->name, what);
    }
}

static void report_params(unused *u, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (d->name.name && !d->used) report(u, UF0806, &d->name, "parameter");
        }
    }
}

static void report_signal(unused *u, ast_point *signal)
{
    const char *name = signal->name.name;
    signal->used = signal->used || is_mentioned(u, name);
    if (signal->used) return;
    diag_report *r = report_at(u->sema, UF0808, signal->name.at, "nothing waits for signal `%s`", name);
    diag_help(r, "wait for it, `await %s -> Step`, let it pre-empt, `on %s -> …`, or take it out", name, name);
}

static void report_checkpoint(unused *u, ast_point *checkpoint)
{
    checkpoint->used = checkpoint->used || is_mentioned(u, checkpoint->name.name);
    if (!checkpoint->used) report(u, UF0805, &checkpoint->name, "checkpoint");
}

static void report_member(unused *u, const ast_flow *flow, ast_member *member)
{
    switch (member->kind) {
    case MEMBER_FIELD: report_declaration(u, member->field, UF0805, "field"); break;
    case MEMBER_SUBFLOW:
        if (member->subflow->is_pool) break; /* code of other files may spawn */
        member->subflow->used = is_mentioned(u, member->subflow->name.name);
        if (!member->subflow->used) report(u, UF0805, &member->subflow->name, "sub-flow");
        break;
    case MEMBER_SIGNAL: report_signal(u, member->point); break;
    case MEMBER_CHECKPOINT: report_checkpoint(u, member->point); break;
    case MEMBER_MAILBOX: {
        ast_mailbox *const mailbox = member->mailbox;
        if (!mailbox->item->name.name) break;
        mailbox->used = mailbox->used || is_mentioned(u, mailbox->item->name.name) ||
                        is_mentioned(u, function_of(u, flow, mailbox, "send")) ||
                        is_mentioned(u, function_of(u, flow, mailbox, "send_wait")) ||
                        is_mentioned(u, function_of(u, flow, mailbox, "receive"));
        if (!mailbox->used) report(u, UF0805, &mailbox->item->name, "mailbox");
        break;
    }
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

static void report_task(unused *u, ast_task *task)
{
    for (ast_declaration *p = task->params; p; p = p->next) report_declaration(u, p, UF0806, "parameter");
    for (ast_declaration *field = task->fields; field; field = field->next)
        report_declaration(u, field, UF0805, "field");
    for (const ast_job *job = task->jobs; job; job = job->next) report_job(u, job);
    for (const ast_step *step = task->steps; step; step = step->next) report_params(u, step->params);
}

void check_unused(sema *s)
{
    if (has_error_in(s->diagnostics, s->file)) return; /* an error may hide a use */
    unused u = {.sema = s};
    expect_points(&u, s->file->signals);
    expect_points(&u, s->file->checkpoints);
    for (ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) expect_flow(&u, flow);
    for (ast_text_block *block = s->file->blocks; block; block = block->next) mention_block(&u, block);
    for (ast_worker *worker = s->file->workers; worker; worker = worker->next)
        mention_body(&u, &worker->body, worker->params);
    for (ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) mention_flow(&u, flow);
    if (s->file->flows) { /* a file without flows declares them for others */
        for (ast_point *one = s->file->signals; one; one = one->next) report_signal(&u, one);
        for (ast_point *one = s->file->checkpoints; one; one = one->next) report_checkpoint(&u, one);
    }
    report_workers(&u, s->file->workers);
    for (ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) {
        for (ast_declaration *p = flow->params; p; p = p->next) report_declaration(&u, p, UF0806, "parameter");
        for (ast_member *member = flow->members; member; member = member->next) report_member(&u, flow, member);
        for (ast_task *task = flow->tasks; task; task = task->next) report_task(&u, task);
    }
}
