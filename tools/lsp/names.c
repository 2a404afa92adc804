/* SPDX-License-Identifier: MIT */
/* names.c - what the names of a file stand for: the declarations, the words that sema has resolved, and members in
 * texts of C, which are found by their shape: `flow->x`, `self->x`, parameters of the step. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "lsp.h"
#include "uflow_parse.h"
#include "walk.h"
#include "words.h"

const name_info name_infos[NAME_KINDS] = {
#define NAME(kind, noun, symbol, completion, token) {noun, symbol, completion, token},
#include "names.def"
#undef NAME
};

bool named_is_same(const named *a, const named *b)
{
    return a->ident->at.begin == b->ident->at.begin && strcmp(a->ident->at.in->name, b->ident->at.in->name) == 0;
}

/* -- declarations -------------------------------------------------------------------------------------------------- */

static void declarators(const ast_declaration *list, named one, named_visitor *visit, void *context)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            one.ident = &d->name;
            one.node = d;
            if (d->name.name) visit(&one, context);
        }
    }
}

static void member(const ast_flow *flow, const ast_member *m, named_visitor *visit, void *context)
{
    static const name_kind kinds[] = {NAME_FIELD, NAME_SUBFLOW, NAME_SIGNAL, NAME_CHECKPOINT, NAME_MAILBOX};
    named one = {.kind = kinds[m->kind], .flow = flow};
    if (m->kind == MEMBER_SUBFLOW && m->subflow->is_pool) one.kind = NAME_POOL;
    if (m->kind == MEMBER_SUBFLOW) one.ident = &m->subflow->name, one.node = m->subflow;
    if (m->point) one.ident = &m->point->name, one.node = m->point;
    if (m->mailbox) one.ident = &m->mailbox->item->name, one.node = m->mailbox;
    if (m->kind == MEMBER_FIELD) declarators(m->field, one, visit, context);
    else if (one.ident->name) visit(&one, context);
}

void names_of_flow(const ast_flow *flow, named_visitor *visit, void *context)
{
    declarators(flow->params, (named){.kind = NAME_PARAMETER, .flow = flow}, visit, context);
    for (const ast_member *m = flow->members; m; m = m->next) member(flow, m, visit, context);
    for (const ast_group *g = flow->groups; g; g = g->next)
        if (g->name.name) visit(&(named){NAME_GROUP, &g->name, flow, NULL, NULL, g}, context);
    for (const ast_task *t = flow->test ? NULL : flow->tasks; t; t = t->next) /* that of a test has no name */
        if (t->name.name) visit(&(named){NAME_TASK, &t->name, flow, t, NULL, t}, context);
}

void names_of_task(const ast_flow *flow, const ast_task *task, named_visitor *visit, void *context)
{
    declarators(task->params, (named){.kind = NAME_PARAMETER, .flow = flow, .task = task}, visit, context);
    declarators(task->fields, (named){.kind = NAME_FIELD, .flow = flow, .task = task}, visit, context);
    for (const ast_job *job = task->jobs; job; job = job->next)
        if (job->name.name) visit(&(named){NAME_JOB, &job->name, flow, task, NULL, job}, context);
    for (const ast_step *step = task->steps; step; step = step->next)
        if (step->name.name) visit(&(named){NAME_STEP, &step->name, flow, task, step, step}, context);
}

static void names_of_step(const ast_task *task, const ast_step *step, named_visitor *visit, void *context)
{
    declarators(step->params, (named){.kind = NAME_PARAMETER, .flow = task->flow, .task = task, .step = step}, visit,
                context);
}

static void names_of_file(const ast_file *file, named_visitor *visit, void *context)
{
    for (const ast_flow *f = file->flows; f; f = f->next)
        if (f->name.name) visit(&(named){NAME_FLOW, &f->name, f, NULL, NULL, f}, context);
    for (const ast_point *p = file->signals; p; p = p->next)
        visit(&(named){.kind = NAME_SIGNAL, .ident = &p->name, .node = p}, context);
    for (const ast_point *p = file->checkpoints; p; p = p->next)
        visit(&(named){.kind = NAME_CHECKPOINT, .ident = &p->name, .node = p}, context);
    for (const ast_worker *w = file->workers; w; w = w->next)
        if (w->name.name) visit(&(named){.kind = NAME_WORKER, .ident = &w->name, .node = w}, context);
}

void names_each(const ast_file *file, named_visitor *visit, void *context)
{
    names_of_file(file, visit, context);
    for (const ast_import *import = file->imports; import; import = import->next)
        if (import->file) names_of_file(import->file, visit, context);
}

/* -- collecting ---------------------------------------------------------------------------------------------------- */

typedef struct collector {
    analysis *of;
    const ast_flow *flow;
    const ast_task *task;
    const ast_step *step;
    scope file, members, own, params; /* of named: of the file, the flow, the task, the step */
} collector;

static void add(collector *c, span at, const named *of, bool declares)
{
    mentions *const all = &c->of->mentions;
    if (!of->ident || at.in != c->of->file->in || at.end <= at.begin) return;
    all->items = arena_reserve(c->of->arena, all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count++] = (mention){at.begin, at.end, *of, declares};
}

static void declare(const named *one, void *context)
{
    collector *const c = context;
    add(c, one->ident->at, one, true);
}

static void refer(collector *c, const ast_ident *ident, const named *of)
{
    if (ident->name) add(c, ident->at, of, false);
}

static void refer_flow(collector *c, const ast_ident *ident, const ast_flow *flow)
{
    if (flow) refer(c, ident, &(named){NAME_FLOW, &flow->name, flow, NULL, NULL, flow});
}

static void refer_task(collector *c, const ast_ident *ident, const ast_task *task)
{
    if (task) refer(c, ident, &(named){NAME_TASK, &task->name, task->flow, task, NULL, task});
}

static named named_point(const ast_point *p, bool is_signal)
{
    return (named){.kind = is_signal ? NAME_SIGNAL : NAME_CHECKPOINT, .ident = &p->name, .flow = p->flow, .node = p};
}

static void outcome(collector *c, const ast_outcome *o)
{
    const ast_step *const step = o->step;
    refer_task(c, &o->target, o->task);
    if (step) refer(c, &o->target, &(named){NAME_STEP, &step->name, step->task->flow, step->task, step, step});
}

/* The first word of an operand with the name: `room(orders)`, `arrived(gate)`. */
static span place_of(const ast_event *event, const ast_ident *name)
{
    uint32_t at = event->target.first;
    if (event->name.name) return event->name.at;
    return !range_empty(event->target) && find_name(event->target, name->name, &at)
               ? token_span(event->target.list, at - 1)
               : (span){0};
}

static void event(ast_event *e, void *context)
{
    collector *const c = context;
    named of = {.flow = c->flow};
    refer_flow(c, &e->flow, e->run_flow);
    refer_task(c, &e->task, e->run_task);
    if (e->point) of = named_point(e->point, e->kind == ARM_SIGNAL || e->kind == ARM_FIRED);
    else if (e->mailbox) of.kind = NAME_MAILBOX, of.ident = &e->mailbox->item->name, of.node = e->mailbox;
    else if (e->job) of.kind = NAME_JOB, of.ident = &e->job->name, of.task = c->task, of.node = e->job;
    else if (e->pool) of.kind = NAME_POOL, of.ident = &e->pool->name, of.node = e->pool;
    else return;
    add(c, place_of(e, of.ident), &of, false);
}

static void statement(ast_statement *s, void *context)
{
    collector *const c = context;
    walk_events(s, event, c);
    const ast_operands *const o = s->operands;
    if (!o) return;
    refer_task(c, &o->task_name, o->task);
    if (o->job) refer(c, &o->name, &(named){NAME_JOB, &o->job->name, c->flow, c->task, NULL, o->job});
    if (o->pool) refer(c, &o->name, &(named){NAME_POOL, &o->pool->name, c->flow, NULL, NULL, o->pool});
}

static void of_outcome(ast_outcome *o, void *context)
{
    outcome(context, o);
}

static void body(collector *c, const ast_body *b)
{
    if (!b) return;
    walk_statements(b->first, statement, c);
    walk_outcomes(b->first, of_outcome, c);
}

static void preempts(collector *c, const ast_preempt *list)
{
    for (; list; list = list->next) {
        if (list->point)
            refer(
                c, &list->signal,
                &(named){
                    .kind = NAME_SIGNAL, .ident = &list->point->name, .flow = list->point->flow, .node = list->point});
        if (list->run) event(list->run, c);
        if (list->outcome) outcome(c, list->outcome);
    }
}

static void handlers(collector *c, ast_body *const *list)
{
    for (size_t on = 0; on < HANDLER_KINDS; on++) body(c, list[on]);
}

static void task(collector *c, const ast_task *t)
{
    c->task = t;
    names_of_task(c->flow, t, declare, c);
    for (const ast_job *job = t->jobs; job; job = job->next) {
        const ast_worker *const w = job->worker;
        if (w) refer(c, &job->worker_name, &(named){.kind = NAME_WORKER, .ident = &w->name, .node = w});
    }
    preempts(c, t->preempts);
    handlers(c, t->handlers);
    for (const ast_step *step = t->steps; step; step = step->next) {
        names_of_step(t, step, declare, c);
        body(c, &step->body);
    }
    c->task = NULL;
}

typedef struct search {
    const char *text;
    size_t length;
    named found;
} search;

static void compare(const named *one, void *context)
{
    search *const s = context;
    if (strlen(one->ident->name) == s->length && memcmp(one->ident->name, s->text, s->length) == 0) s->found = *one;
}

/* `in(Flow.Task.Step, &flow->name)` in a test. */
static void place(collector *c, const ast_place *p)
{
    const token_list *const list = p->head.list;
    uint32_t const at = p->head.first + 2, task_at = at + 2, step_at = at + 4;
    const ast_step *const step = p->step;
    search s = {.found = {.ident = NULL}};
    s.text = token_text(list, task_at, &s.length);
    names_of_flow(p->flow, compare, &s);
    add(c, token_span(list, at), &(named){NAME_FLOW, &p->flow->name, p->flow, NULL, NULL, p->flow}, false);
    add(c, token_span(list, task_at), &s.found, false);
    if (step)
        add(c, token_span(list, step_at), &(named){NAME_STEP, &step->name, p->flow, step->task, step, step}, false);
}

static void test(collector *c, const ast_test *t)
{
    for (const ast_hook *hook = t->hooks; hook; hook = hook->next) body(c, &hook->body);
    for (const ast_place *p = t->places; p; p = p->next) place(c, p);
}

static void flow(collector *c, const ast_flow *f)
{
    c->flow = f;
    names_of_flow(f, declare, c);
    for (const ast_member *m = f->members; m; m = m->next)
        if (m->subflow) refer_flow(c, &m->subflow->type, type_of_subflow(f, m->subflow));
    preempts(c, f->preempts);
    handlers(c, f->handlers);
    for (const ast_group *g = f->groups; g; g = g->next) {
        preempts(c, g->preempts);
        handlers(c, g->handlers);
    }
    for (const ast_task *t = f->tasks; t; t = t->next) task(c, t);
    if (f->test) test(c, f->test);
    c->flow = NULL;
}

/* -- texts of C ---------------------------------------------------------------------------------------------------- */

typedef struct table {
    arena *arena;
    scope *in;
} table;

static void keep(const named *one, void *context)
{
    const table *const t = context;
    named *const copy = ARENA_NEW(t->arena, named);
    *copy = *one;
    (void)scope_add(t->arena, t->in, one->ident->name, copy);
}

#define BEGINS(list, place) ((list) && (place) >= (list)->at.begin)
#define ENDED(one, place)   ((one) && (place) >= (one)->at.end)

/* The parts that follow, in source order. */
typedef struct following {
    const ast_flow *flow, *test;
    const ast_task *task;
    const ast_step *step;
} following;

/* Enters and leaves the parts of the file on the way to a place, and fills the tables of their names. */
static void advance(collector *c, following *next, uint32_t place)
{
    arena *const a = c->of->arena;
    if (ENDED(c->step, place)) c->step = NULL, c->params = (scope){0};
    if (ENDED(c->task, place)) c->task = NULL, c->own = (scope){0};
    if (ENDED(c->flow, place)) c->flow = NULL, c->members = (scope){0};
    const ast_flow **const begun = BEGINS(next->flow, place) ? &next->flow : &next->test;
    if (BEGINS(*begun, place)) {
        c->flow = *begun;
        next->task = c->flow->tasks;
        *begun = c->flow->next;
        names_of_flow(c->flow, keep, &(table){a, &c->members});
    }
    if (c->flow && BEGINS(next->task, place)) {
        c->task = next->task;
        next->step = c->task->steps;
        next->task = c->task->next;
        names_of_task(c->flow, c->task, keep, &(table){a, &c->own});
    }
    if (c->task && BEGINS(next->step, place)) {
        c->step = next->step;
        next->step = c->step->next;
        names_of_step(c->task, c->step, keep, &(table){a, &c->params});
    }
}

/* `.motor.position`, `[2].position`: the members of a sub-flow that follow. */
static void chain(collector *c, const token_list *list, uint32_t at, const named *of)
{
    const ast_flow *in = of->flow;
    const ast_subflow *subflow = of->kind == NAME_SUBFLOW ? of->node : NULL;
    while (subflow && (in = type_of_subflow(in, subflow)) != NULL) {
        if (token_kind(list, at) == T_LBRACKET) at = token_after_brackets(list, at);
        if (at + 1 >= list->count || !token_has(list, at, IS_ACCESS)) return;
        search s = {.found = {.ident = NULL}};
        s.text = token_text(list, at + 1, &s.length);
        names_of_flow(in, compare, &s);
        add(c, token_span(list, at + 1), &s.found, false);
        subflow = s.found.ident && s.found.kind == NAME_SUBFLOW ? s.found.node : NULL;
        at += 2;
    }
}

static void word_of_c(collector *c, const token_list *list, uint32_t at)
{
    size_t length;
    const char *const text = token_text(list, at, &length);
    bool const is_member = at >= 2 && token_kind(list, at - 1) == T_ARROW;
    const named *of = NULL;
    if (is_member && token_is(list, at - 2, "flow")) of = scope_find_text(&c->members, text, length);
    else if (is_member && token_is(list, at - 2, "self")) of = scope_find_text(&c->own, text, length);
    else if (at == 0 || !token_has(list, at - 1, IS_ACCESS | IS_TAG)) {
        of = scope_find_text(&c->params, text, length);
        if (!of) of = scope_find_text(&c->file, text, length);
    }
    if (!of) return;
    add(c, token_span(list, at), of, false);
    if (is_member) chain(c, list, at + 1, of);
}

static void words_of_c(collector *c)
{
    const token_list *const list = &c->of->file->tokens;
    following next = {.flow = c->of->file->flows, .test = c->of->file->tests};
    for (uint32_t at = 0; at < list->count; at++) {
        advance(c, &next, list->items[at].begin);
        if (token_is_name(list, at)) word_of_c(c, list, at);
    }
}

/* -- generated names ----------------------------------------------------------------------------------------------- */

static void generated(const char *word, uint32_t begin, uint32_t length, void *context)
{
    collector *const c = context;
    name_part parts[NAME_PARTS];
    if (begin && (word[-1] == '.' || word[-1] == '>')) return; /* a member */
    for (uint32_t i = 1; i <= length; i++) {
        if (i < length && word[i] != '_') continue;
        const named *const one = scope_find_text(&c->file, word, i);
        if (!one || (one->kind != NAME_FLOW && i < length)) continue;
        if (i == length) add(c, (span){c->of->file->in, begin, begin + i}, one, false);
        size_t const count = one->kind == NAME_FLOW ? generated_parts(one->flow, word, length, parts) : 0;
        for (size_t k = 0; k < count; k++) {
            uint32_t const at = begin + parts[k].at;
            add(c, (span){c->of->file->in, at, at + parts[k].length}, &parts[k].of, false);
        }
        if (count) return;
    }
}

/* Of two mentions of a place, the one that was found first. */
static int by_place(const void *left, const void *right)
{
    const mention *const a = left, *const b = right;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return (b->declares > a->declares) - (b->declares < a->declares);
}

static void sort(mentions *all)
{
    size_t kept = 0;
    if (all->count > 1) qsort(all->items, all->count, sizeof *all->items, by_place);
    for (size_t i = 0; i < all->count; i++) {
        if (kept && all->items[i].begin < all->items[kept - 1].end) continue;
        all->items[kept++] = all->items[i];
    }
    all->count = kept;
}

void names_collect(analysis *of)
{
    const ast_file *const file = of->file;
    collector c = {.of = of};
    names_of_file(file, declare, &c);
    names_each(file, keep, &(table){of->arena, &c.file});
    for (const ast_flow *f = NULL; (f = ast_next_flow(file, f)) != NULL;) flow(&c, f);
    words_of_c(&c);
    words_each(file->in->text, file->in->size, generated, &c);
    sort(&of->mentions);
}

const mention *mention_at(const analysis *of, uint32_t offset)
{
    size_t first = 0, end = of->mentions.count;
    while (first < end) {
        size_t const middle = first + (end - first) / 2;
        const mention *const m = &of->mentions.items[middle];
        if (m->end < offset) first = middle + 1;
        else end = middle;
    }
    const mention *m = first < of->mentions.count ? &of->mentions.items[first] : NULL;
    if (m && m->end == offset && first + 1 < of->mentions.count && m[1].begin == offset) m++;
    return m && m->begin <= offset ? m : NULL;
}
