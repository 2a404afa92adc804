/* SPDX-License-Identifier: MIT */
#include "ast_dump.h"

#include <inttypes.h>

typedef struct dumper {
    buffer *out;
    int indent;
} dumper;

static unsigned line_of(span at)
{
    return at.in ? (unsigned)source_line(at.in, at.begin) : 0;
}

/* Puts text on one line: white space and unprintable characters become blanks. */
static void put_text(buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) buffer_putc(out, (unsigned char)text[i] < 0x20 ? ' ' : text[i]);
}

static void put_span(dumper *d, span at)
{
    buffer_puts(d->out, " `");
    if (at.in) put_text(d->out, at.in->text + at.begin, at.end - at.begin);
    buffer_putc(d->out, '`');
}

static void put_range(dumper *d, const char *label, token_range r)
{
    if (range_empty(r)) return;
    buffer_printf(d->out, " %s", label);
    put_span(d, range_span(r));
}

static void begin_line(dumper *d, const char *what)
{
    buffer_printf(d->out, "%*s%s", d->indent * 2, "", what);
}

static void begin_named(dumper *d, const char *what, const char *name)
{
    begin_line(d, what);
    buffer_puts(d->out, name);
}

static void end_line(dumper *d, span at)
{
    buffer_printf(d->out, " @%u\n", line_of(at));
}

void token_dump(const token_list *tokens, buffer *out)
{
    for (uint32_t i = 0; i < tokens->count; i++) {
        const token *t = &tokens->items[i];
        position const at = source_position(tokens->in, t->begin);
        buffer_printf(out, "%u:%u\t%s\t", (unsigned)at.line, (unsigned)at.column, token_name(t->kind));
        put_text(out, tokens->in->text + t->begin, t->end - t->begin);
        buffer_putc(out, '\n');
    }
}

/* -- declarations ------------------------------------------------------------------------------------------------ */

static void dump_declaration(dumper *d, const char *what, const ast_declaration *declaration)
{
    begin_named(d, declaration->is_transient ? "transient " : "", what);
    put_span(d, range_span(declaration->text));
    end_line(d, range_span(declaration->text));
    d->indent++;
    for (const ast_declarator *one = declaration->first; one; one = one->next) {
        begin_named(d, "declares ", one->name.name ? one->name.name : "nothing");
        put_range(d, "specifiers", one->specifiers);
        put_range(d, "declarator", one->declarator);
        put_range(d, "bits", one->bits);
        put_range(d, one->braced ? "braced" : "initializer", one->initializer);
        buffer_puts(d->out, one->is_array ? " array\n" : "\n");
    }
    d->indent--;
}

static void dump_declarations(dumper *d, const char *what, const ast_declaration *list)
{
    for (; list; list = list->next) dump_declaration(d, what, list);
}

static void put_args(dumper *d, const ast_args *args)
{
    for (uint32_t i = 0; i < args->count; i++) put_range(d, "argument", args->items[i]);
}

static void put_duration(dumper *d, const char *label, const ast_duration *duration)
{
    if (duration->literal) buffer_printf(d->out, " %s %" PRId64 "ns", label, duration->ns);
    else if (duration->unit) {
        put_range(d, label, duration->text);
        buffer_printf(d->out, " %s", duration->unit);
    }
}

/* -- outcomes and arms -------------------------------------------------------------------------------------------- */

static void put_outcome(dumper *d, const ast_outcome *o)
{
    buffer_printf(d->out, " %s", outcome_infos[o->kind].name);
    if (o->target.name) buffer_printf(d->out, " %s", o->target.name);
    put_range(d, "value", o->value);
    put_args(d, &o->args);
}

static void dump_event(dumper *d, const ast_event *e)
{
    begin_line(d, e->is_first ? "first run" : arm_infos[e->kind].word);
    if (e->name.name) buffer_printf(d->out, " %s", e->name.name);
    if (e->flow.name) buffer_printf(d->out, " %s.%s", e->flow.name, e->task.name ? e->task.name : "?");
    put_range(d, "condition", e->condition);
    put_range(d, "of", e->target);
    put_args(d, &e->args);
    put_duration(d, "for", &e->duration);
    end_line(d, e->at);
    d->indent++;
    for (const ast_event *one = e->all; one; one = one->next) dump_event(d, one);
    d->indent--;
}

static void put_guard(dumper *d, const ast_guard *guard)
{
    if (!guard) return;
    put_guard(d, guard->outer);
    for (const ast_guard *one = guard->first; one; one = one->next) {
        put_range(d, one == guard->first ? "guarded by" : "then", one->directive);
        if (one == guard) break;
    }
}

static void dump_arm(dumper *d, const ast_arm *arm)
{
    begin_line(d, "arm");
    put_guard(d, arm->guard);
    put_range(d, "if", arm->condition);
    end_line(d, arm->at);
    d->indent++;
    dump_event(d, arm->event);
    begin_line(d, "then");
    put_outcome(d, arm->outcome);
    end_line(d, arm->outcome->at);
    if (arm->otherwise) {
        begin_line(d, "else");
        put_outcome(d, arm->otherwise);
        end_line(d, arm->otherwise->at);
    }
    d->indent--;
}

/* -- statements -------------------------------------------------------------------------------------------------- */

static void dump_statements(dumper *d, const ast_statement *list);

static void dump_inner(dumper *d, const ast_statement *s)
{
    d->indent++;
    if (s->declaration) dump_declaration(d, "locals", s->declaration);
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) dump_arm(d, arm);
    dump_statements(d, s->body);
    for (const ast_branch *branch = s->branches; branch; branch = branch->next) {
        begin_line(d, branch->skipped ? "skipped branch" : branch->is_else ? "last branch" : "branch");
        put_span(d, branch->at);
        end_line(d, branch->at);
        d->indent++;
        dump_statements(d, branch->body);
        d->indent--;
    }
    d->indent--;
    if (!s->otherwise) return;
    begin_line(d, "else\n");
    if (ast_else_if(s)) return; /* another one follows on the same level */
    d->indent++;
    dump_statements(d, s->otherwise);
    d->indent--;
}

static void dump_operands(dumper *d, const ast_operands *operands)
{
    put_range(d, "format", operands->format);
    put_args(d, &operands->args);
    put_duration(d, "every", &operands->every);
    put_duration(d, "timeout", &operands->timeout);
}

static void dump_statement(dumper *d, const ast_statement *s)
{
    static const char *const kinds[] = {[STATEMENT_TEXT] = "text",
                                        [STATEMENT_DECLARATION] = "declaration",
                                        [STATEMENT_BLOCK] = "block",
                                        [STATEMENT_IF] = "if",
                                        [STATEMENT_WHILE] = "while",
                                        [STATEMENT_DO] = "do",
                                        [STATEMENT_FOR] = "for",
                                        [STATEMENT_SWITCH] = "switch",
                                        [STATEMENT_CASE] = "case",
                                        [STATEMENT_LABEL] = "label",
                                        [STATEMENT_GOTO] = "goto",
                                        [STATEMENT_BREAK] = "break",
                                        [STATEMENT_CONTINUE] = "continue",
                                        [STATEMENT_RETURN] = "return",
                                        [STATEMENT_MACRO_BLOCK] = "macro",
                                        [STATEMENT_DIRECTIVES] = "directives",
                                        [STATEMENT_DIRECTIVE] = "directive",
                                        [STATEMENT_STAY] = "stay",
                                        [STATEMENT_AWAIT] = "await",
                                        [STATEMENT_DESCRIBE] = "describe",
                                        [STATEMENT_SUBMIT] = "submit",
                                        [STATEMENT_SPAWN] = "spawn",
                                        [STATEMENT_EXPECT] = "expect",
                                        [STATEMENT_EXPECT_TEXT] = "expect_text"};
    begin_line(d, s->kind == STATEMENT_OUTCOME ? outcome_infos[s->outcome->kind].word : kinds[s->kind]);
    const ast_operands *const operands = s->operands;
    if (operands && operands->name.name) buffer_printf(d->out, " %s", operands->name.name);
    if (operands && operands->task_name.name) buffer_printf(d->out, ".%s", operands->task_name.name);
    if (operands) put_range(d, "index", operands->index);
    if (s->kind != STATEMENT_BLOCK && !s->declaration) put_range(d, "", s->text);
    put_range(d, "condition", s->condition);
    if (operands) dump_operands(d, operands);
    if (s->outcome) put_outcome(d, s->outcome);
    end_line(d, s->at);
    dump_inner(d, s);
}

static void dump_statements(dumper *d, const ast_statement *list)
{
    for (; list; list = list->next) {
        for (const ast_statement *s = list; s; s = ast_else_if(s)) dump_statement(d, s);
    }
}

static void dump_handlers(dumper *d, ast_body *const *handlers)
{
    for (size_t on = 0; on < HANDLER_KINDS; on++) {
        const ast_body *const body = handlers[on];
        if (!body) continue;
        begin_line(d, handler_words[on]);
        end_line(d, range_span(body->text));
        d->indent++;
        dump_statements(d, body->first);
        d->indent--;
    }
}

/* -- structure --------------------------------------------------------------------------------------------------- */

static void dump_point(dumper *d, const char *what, const ast_point *point)
{
    begin_line(d, what);
    buffer_printf(d->out, " %s", point->name.name);
    put_range(d, "count", point->count);
    end_line(d, point->name.at);
}

static void dump_points(dumper *d, const char *what, const ast_point *list)
{
    for (; list; list = list->next) dump_point(d, what, list);
}

static void dump_preempts(dumper *d, const ast_preempt *list)
{
    for (; list; list = list->next) {
        begin_line(d, list->kind == PREEMPT_COMPANION ? "with" : "on ");
        if (list->signal.name) buffer_puts(d->out, list->signal.name);
        put_range(d, "element", list->element);
        if (list->kind == PREEMPT_TIMEOUT) put_duration(d, "after", &list->after);
        if (!list->is_handed_on) put_outcome(d, list->outcome);
        end_line(d, list->at);
        if (!list->run) continue;
        d->indent++;
        dump_event(d, list->run);
        d->indent--;
    }
}

static void dump_worker(dumper *d, const ast_worker *worker)
{
    begin_named(d, worker->stub_in ? "stub " : "worker ", worker->name.name);
    put_range(d, "result", worker->result);
    if (worker->drop.name) buffer_printf(d->out, " drop %s", worker->drop.name);
    put_range(d, "limit", worker->limit);
    end_line(d, worker->at);
    d->indent++;
    dump_declarations(d, "parameter", worker->params);
    dump_statements(d, worker->body.first);
    d->indent--;
}

/* Tasks name their group. */
static void dump_group(dumper *d, const ast_group *group)
{
    begin_named(d, "group ", group->name.name);
    if (group->outer) buffer_printf(d->out, " in %s", group->outer->name.name);
    end_line(d, group->at);
    d->indent++;
    dump_handlers(d, group->handlers);
    dump_preempts(d, group->preempts);
    d->indent--;
}

static void dump_task(dumper *d, const ast_task *task)
{
    begin_named(d, task->forever ? "forever task " : task->shutdown ? "shutdown task " : "task ", task->name.name);
    if (task->group) buffer_printf(d->out, " in %s", task->group->name.name);
    put_range(d, "result", task->result);
    end_line(d, task->at);
    d->indent++;
    dump_declarations(d, "parameter", task->params);
    dump_declarations(d, "field", task->fields);
    for (const ast_job *job = task->jobs; job; job = job->next) {
        begin_line(d, "job ");
        buffer_printf(d->out, "%s of %s", job->name.name, job->worker_name.name);
        put_range(d, "count", job->count);
        end_line(d, job->name.at);
    }
    dump_handlers(d, task->handlers);
    dump_preempts(d, task->preempts);
    for (const ast_step *step = task->steps; step; step = step->next) {
        begin_named(d, "step ", step->name.name);
        end_line(d, step->at);
        d->indent++;
        dump_declarations(d, "parameter", step->params);
        dump_statements(d, step->body.first);
        d->indent--;
    }
    d->indent--;
}

static void dump_member(dumper *d, const ast_member *member)
{
    switch (member->kind) {
    case MEMBER_FIELD: dump_declaration(d, "field", member->field); break;
    case MEMBER_SUBFLOW: {
        const ast_subflow *sub = member->subflow;
        begin_line(d, sub->is_pool ? "pool " : "subflow ");
        buffer_printf(d->out, "%s %s", sub->type.name ? sub->type.name : "?", sub->name.name);
        put_range(d, "count", sub->count);
        put_args(d, &sub->args);
        end_line(d, sub->name.at);
        break;
    }
    case MEMBER_SIGNAL: dump_point(d, "signal", member->point); break;
    case MEMBER_CHECKPOINT: dump_point(d, "checkpoint", member->point); break;
    case MEMBER_MAILBOX:
        begin_named(d, "mailbox ", member->mailbox->item->name.name ? member->mailbox->item->name.name : "?");
        put_range(d, "of", member->mailbox->item->specifiers);
        put_range(d, "declarator", member->mailbox->item->declarator);
        put_range(d, "capacity", member->mailbox->capacity);
        if (member->mailbox->drop.name) buffer_printf(d->out, " drop %s", member->mailbox->drop.name);
        end_line(d, member->mailbox->item->name.at);
        break;
    }
}

static void dump_hook(dumper *d, const ast_hook *hook)
{
    begin_line(d, hook_infos[hook->kind].word);
    put_duration(d, "duration", &hook->duration);
    end_line(d, hook->at);
    d->indent++;
    dump_statements(d, hook->body.first);
    d->indent--;
}

static void dump_test(dumper *d, const ast_test *test)
{
    if (!range_empty(test->within.text)) {
        begin_line(d, "within");
        put_duration(d, "duration", &test->within);
        end_line(d, test->within.at);
    }
    if (!range_empty(test->explore)) {
        begin_line(d, "explore");
        put_range(d, "schedules", test->schedules);
        end_line(d, range_span(test->explore));
    }
    for (const ast_hook *hook = test->hooks; hook; hook = hook->next) dump_hook(d, hook);
    if (range_empty(test->history)) return;
    begin_line(d, "history");
    end_line(d, range_span(test->history));
}

static void dump_flow(dumper *d, const ast_flow *flow)
{
    begin_line(d, flow->test ? "test " : flow->is_durable ? "durable flow " : "flow ");
    buffer_puts(d->out, flow->test ? flow->test->name.name : flow->name.name);
    end_line(d, flow->at);
    d->indent++;
    if (flow->test) dump_test(d, flow->test);
    dump_declarations(d, "parameter", flow->params);
    for (const ast_member *member = flow->members; member; member = member->next) dump_member(d, member);
    dump_handlers(d, flow->handlers);
    dump_preempts(d, flow->preempts);
    for (const ast_group *group = flow->groups; group; group = group->next) dump_group(d, group);
    for (const ast_task *task = flow->tasks; task; task = task->next) dump_task(d, task);
    d->indent--;
}

void ast_dump(const ast_file *file, buffer *out)
{
    dumper d = {out, 0};
    for (const ast_text_block *block = file->blocks; block; block = block->next) {
        begin_line(&d, block_word(block->kind));
        put_span(&d, block->inside);
        end_line(&d, block->at);
    }
    for (const ast_import *import = file->imports; import; import = import->next) {
        begin_named(&d, "import ", import->path);
        end_line(&d, import->at);
    }
    dump_points(&d, "signal", file->signals);
    dump_points(&d, "checkpoint", file->checkpoints);
    for (const ast_plain *plain = file->plains; plain; plain = plain->next) {
        begin_named(&d, "plain struct ", plain->name.name);
        end_line(&d, plain->at);
        d.indent++;
        dump_declarations(&d, "member", plain->fields);
        d.indent--;
    }
    for (const ast_worker *worker = file->workers; worker; worker = worker->next) dump_worker(&d, worker);
    for (const ast_flow *flow = NULL; (flow = ast_next_flow(file, flow)) != NULL;) dump_flow(&d, flow);
}
