/* SPDX-License-Identifier: MIT */
/* Lowers flows, tasks and steps in two passes: first their names, so that outcomes can refer to them, then their
 * contents. */
#include "lower.h"

#include <string.h>

#include "scope.h"
#include "tables.h"
#include "walk.h"
#include "words.h"

/* -- needs of a flow's struct -------------------------------------------------------------------------------------- */

/* A flow and the names of its mailboxes. */
typedef struct mail {
    const ast_flow *flow;
    scope boxes; /* of ast_mailbox */
} mail;

static mail mail_of(lowering *l, const ast_flow *flow)
{
    mail of = {.flow = flow};
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind == MEMBER_MAILBOX) scope_add(l->arena, &of.boxes, m->mailbox->item->name.name, m->mailbox);
    }
    return of;
}

/* Is this an argument of a mailbox function such as `Line_orders_receive(flow, …)`? These functions fail no flow. */
static bool is_mail(const mail *of, token_range text, uint32_t argument)
{
    static const char *const endings[] = {"_send", "_receive"};
    if (argument < text.first + 2 || !token_is(text.list, argument - 1, "(")) return false;
    size_t length, own = strlen(of->flow->name.name);
    const char *const name = token_text(text.list, argument - 2, &length);
    if (length < own + 1 || memcmp(name, of->flow->name.name, own) != 0 || name[own] != '_') return false;
    own++;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t const size = strlen(endings[i]);
        if (length > own + size && memcmp(name + length - size, endings[i], size) == 0)
            return scope_find_text(&of->boxes, name + own, length - own - size) != NULL;
    }
    return false;
}

/* Does this text pass the flow to C code, which may call uf_flow_fail()? `flow->x` does not. */
static bool hands_flow_on(const mail *of, token_range text)
{
    const token_list *const list = text.list;
    for (uint32_t i = text.first; next_name(text, &i);) {
        if (!token_is(list, i - 1, "flow") || is_mail(of, text, i - 1)) continue;
        if (i >= text.end || !token_is(list, i, "->")) return true;
        if (!token_is(list, i + 1, "uf")) continue;
        bool const is_pump = token_is(list, i + 2, ".") && token_is(list, i + 3, "pump");
        if (!is_pump) return true;
    }
    return false;
}

static bool contains(span text, const char *word)
{
    size_t const length = strlen(word);
    for (uint32_t i = text.begin; i + length <= text.end; i++) {
        if (memcmp(text.in->text + i, word, length) == 0) return true;
    }
    return false;
}

/* Could a macro from the file's blocks fail a flow? Assume so if a block mentions the function or UF_CHECK. */
static bool blocks_fail_flows(const ast_text_block *blocks)
{
    for (const ast_text_block *b = blocks; b; b = b->next) {
        if (contains(b->inside, "uf_flow_fail") || contains(b->inside, "UF_CHECK")) return true;
    }
    return false;
}

static bool fields_hand_flow_on(const mail *of, const ast_declaration *fields)
{
    for (const ast_declaration *field = fields; field; field = field->next) {
        for (const ast_declarator *d = field->first; d; d = d->next) {
            if (!range_empty(d->initializer) && hands_flow_on(of, d->initializer)) return true;
        }
    }
    return false;
}

typedef struct handing {
    const mail *of;
    bool on;
} handing;

static void note_handing(token_range text, void *context)
{
    handing *const h = context;
    h->on = h->on || hands_flow_on(h->of, text);
}

static void note_preempt(ast_preempt *preempt, void *context)
{
    preempt_texts(preempt, note_handing, context);
    outcome_texts(preempt->outcome, note_handing, context);
}

static void note_describe(ast_statement *s, void *describes)
{
    if (s->kind == STATEMENT_DESCRIBE) *(bool *)describes = true;
}

typedef struct needs {
    const mail *of;
    ir_flow *flow;
} needs;

/* Nothing reads a description or a reason before the first run, nor a reason after the last one. */
static void note_needs(const body_site *site, void *context)
{
    const needs *const n = context;
    bool const is_of_run = site->task || site->group;
    if (site->on != ON_INIT) walk_statements(site->body->first, note_describe, &n->flow->describes);
    n->flow->keeps_reason |= is_of_run && hands_flow_on(n->of, site->body->text);
}

/* What a flow needs that may fail or describe itself. What the runner of a test calls may fail it, too. */
static void find_needs(const mail *of, ast_flow *from, ir_flow *flow)
{
    handing handed = {.of = of, .on = blocks_fail_flows(from->file->blocks) || flow->is_test};
    walk_bodies(from, note_needs, &(needs){of, flow});
    walk_preempts(from, note_preempt, &handed);
    for (const ast_task *task = from->tasks; task; task = task->next)
        handed.on = handed.on || fields_hand_flow_on(of, task->fields);
    flow->keeps_reason |= handed.on;
}

/* -- fields and their initialisers --------------------------------------------------------------------------------- */

/* A bit-field is assigned, so `{ 1 }` becomes 1. */
static token_range initial_value(const ast_declarator *d)
{
    token_range value = d->initializer;
    if (range_empty(d->bits) || !d->braced || value.end - value.first < 3) return value;
    value = (token_range){value.list, value.first + 1, value.end - 1};
    if (token_is(value.list, value.end - 1, ",")) value.end--;
    return value;
}

static bool has_constants(token_range specifiers)
{
    bool has_enum = false;
    for (uint32_t i = specifiers.first; i < specifiers.end; i++) {
        has_enum = has_enum || token_is(specifiers.list, i, "enum");
        if (has_enum && token_is(specifiers.list, i, "{")) return true;
    }
    return false;
}

/* `pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;`: such a macro may stand for braces. */
static bool may_be_braces(lowering *l, token_range value)
{
    return value.end - value.first == 1 && token_is_name(value.list, value.first) &&
           strstr(token_intern(l->arena, value.list, value.first), "INIT");
}

static void lower_inits(lowering *l, const ast_declaration *declaration)
{
    for (const ast_declarator *d = declaration->first; d; d = d->next) {
        if (range_empty(d->initializer)) continue;
        bool const is_copy = range_empty(d->bits) && (d->is_array || d->braced || may_be_braces(l, d->initializer));
        uint32_t at;
        ir_init const init = {.kind = is_copy ? IR_INIT_COPY : IR_INIT_ASSIGN,
                              .variable = lower_variable(l, d, range_span(d->declarator)),
                              .value = range_span(initial_value(d)),
                              .is_volatile = find_name(d->specifiers, "volatile", &at) ||
                                             find_name(d->declarator, "volatile", &at),
                              .has_constants = has_constants(d->specifiers),
                              .flow = IR_NONE};
        TABLE_ADD(l, inits, init_count, init);
    }
}

static void lower_subflow(lowering *l, const ast_subflow *subflow, uint32_t owner)
{
    uint32_t const flow = lower_flow_index(l, subflow->flow);
    ir_member const member = {.kind = IR_MEMBER_SUBFLOW,
                              .subflow = {.flow = flow,
                                          .owner = owner,
                                          .name = subflow->name.name,
                                          .at = subflow->name.at,
                                          .count = lower_text(subflow->count),
                                          .is_pool = subflow->is_pool,
                                          .has_ends = subflow->has_ends,
                                          .size = subflow->size}};
    place_set(l, subflow, TABLE_ADD(l, members, member_count, member));
    TABLE_ADD(l, inits, init_count,
              (ir_init){.kind = subflow->is_pool ? IR_INIT_POOL : IR_INIT_SUBFLOW,
                        .variable = {.name = subflow->name.name, .before = "", .after = "", .at = subflow->name.at},
                        .value = lower_args(&subflow->args),
                        .flow = flow,
                        .is_array = subflow->is_array,
                        .uses_index = bindings_of_args(&subflow->args) & BINDS_INDEX});
}

static void lower_field_member(lowering *l, const ast_declaration *declaration)
{
    ir_field const field = lower_field(l, declaration);
    TABLE_ADD(l, members, member_count, (ir_member){.kind = IR_MEMBER_FIELD, .field = field});
    lower_inits(l, declaration);
}

static void lower_members(lowering *l, const ast_flow *from, uint32_t index)
{
    uint32_t const first_member = l->unit->member_count, first_init = l->unit->init_count;
    for (const ast_member *m = from->members; m; m = m->next) {
        switch (m->kind) {
        case MEMBER_FIELD: lower_field_member(l, m->field); break;
        case MEMBER_SUBFLOW: lower_subflow(l, m->subflow, index); break;
        case MEMBER_SIGNAL: lower_point_member(l, m->point, false); break;
        case MEMBER_CHECKPOINT: lower_point_member(l, m->point, true); break;
        case MEMBER_MAILBOX: lower_mailbox_member(l, m->mailbox, index); break;
        }
    }
    ir_flow *const flow = &l->unit->flows[index];
    flow->members = (ir_range){first_member, l->unit->member_count - first_member};
    flow->inits = (ir_range){first_init, l->unit->init_count - first_init};
}

/* -- tasks and steps ----------------------------------------------------------------------------------------------- */

static void name_steps(lowering *l, const ast_task *from, uint32_t task_index)
{
    uint32_t const first = l->unit->step_count;
    for (const ast_step *s = from->steps; s; s = s->next) {
        ir_range const params = lower_variables(l, s->params);
        TABLE_ADD(l, steps, step_count,
                  (ir_step){.name = s->name.name, .at = s->name.at, .task = task_index, .params = params});
    }
    l->unit->tasks[task_index].steps = (ir_range){first, l->unit->step_count - first};
}

static void lower_handlers(lowering *l, ast_body *const *from, ir_body *to)
{
    for (size_t on = 0; on < HANDLER_KINDS; on++) to[on] = lower_handler(l, from[on]);
}

static void lower_task(lowering *l, const ast_task *from, uint32_t index)
{
    uint32_t const first_field = l->unit->field_count, first_init = l->unit->init_count;
    for (const ast_declaration *declaration = from->fields; declaration; declaration = declaration->next) {
        ir_field const field = lower_field(l, declaration);
        TABLE_ADD(l, fields, field_count, field);
        lower_inits(l, declaration);
    }
    lower_jobs(l, from->jobs, index);
    ir_task *const task = &l->unit->tasks[index];
    lower_handlers(l, from->handlers, task->handlers);
    task->fields = (ir_range){first_field, l->unit->field_count - first_field};
    task->inits = (ir_range){first_init, l->unit->init_count - first_init};
}

static void lower_step(lowering *l, const ast_step *from, uint32_t index)
{
    uint32_t const first_edge = l->unit->edge_count;
    l->unit->steps[index].pauses.first = l->unit->pause_count;
    l->unit->steps[index].sinces.first = l->unit->since_count;
    ir_body const body = lower_step_body(l, from);
    ir_step *const step = &l->unit->steps[index];
    step->body = body;
    step->pauses.count = l->unit->pause_count - step->pauses.first;
    step->sinces.count = l->unit->since_count - step->sinces.first;
    step->edges = (ir_range){first_edge, l->unit->edge_count - first_edge};
}

/* Handlers of tasks come before those of groups, these before those of groups around them and of the flow, since the
 * runtime checks them in this order. */
static void lower_all_preempts(lowering *l, const ast_flow *from, uint32_t flow)
{
    uint32_t const first = l->unit->preempt_count;
    l->unit->flows[flow].preempts.first = first;
    uint32_t task_index = l->unit->flows[flow].tasks.first;
    for (const ast_task *task = from->tasks; task; task = task->next, task_index++) {
        ir_range const preempts = lower_preempts(l, task->preempts, flow, task_index, IR_NONE);
        l->unit->tasks[task_index].preempts = preempts;
    }
    ir_range const groups = l->unit->flows[flow].groups;
    const ast_group **const in_order = ARENA_ARRAY(l->arena, const ast_group *, groups.count);
    for (const ast_group *group = from->groups; group; group = group->next) in_order[group->index] = group;
    for (uint32_t i = groups.count; i-- > 0;) {
        ir_range const preempts = lower_preempts(l, in_order[i]->preempts, flow, IR_NONE, groups.first + i);
        l->unit->groups[groups.first + i].preempts = preempts;
    }
    lower_preempts(l, from->preempts, flow, IR_NONE, IR_NONE);
    l->unit->flows[flow].preempts.count = l->unit->preempt_count - first;
}

static bool begins_preempts(const ast_preempt *list)
{
    while (list && list->kind == PREEMPT_SIGNAL) list = list->next;
    return list != NULL;
}

static void lower_groups(lowering *l, const ast_flow *from, uint32_t index)
{
    uint32_t const first = l->unit->group_count;
    ir_flow *const flow = &l->unit->flows[index];
    for (const ast_group *group = from->groups; group; group = group->next) {
        ast_body *const *const on = group->handlers;
        ir_group to = {.name = group->name.name,
                       .at = group->name.at,
                       .flow = index,
                       .outer = group->outer ? first + group->outer->index : IR_NONE,
                       .is_entered = on[ON_ENTER] || on[ON_EXIT] || on[ON_SUSPEND] || on[ON_RESTORE] ||
                                     begins_preempts(group->preempts)};
        lower_handlers(l, on, to.handlers);
        TABLE_ADD(l, groups, group_count, to);
        flow->enters_groups |= to.is_entered;
        flow->uses_paused |= to.handlers[ON_RESUME].uses_paused;
    }
    flow->groups = (ir_range){first, l->unit->group_count - first};
}

static void lower_flow(lowering *l, ast_flow *from, uint32_t index)
{
    mail const boxes = mail_of(l, from);
    lower_members(l, from, index);
    lower_handlers(l, from->handlers, l->unit->flows[index].handlers);
    if (from->is_durable) lower_kept(l, from, index);
    l->unit->flows[index].edges.first = l->unit->edge_count;
    lower_groups(l, from, index);
    uint32_t task_index = l->unit->flows[index].tasks.first;
    for (const ast_task *task = from->tasks; task; task = task->next, task_index++) {
        lower_task(l, task, task_index);
        if (task->group) l->unit->tasks[task_index].group = l->unit->flows[index].groups.first + task->group->index;
        uint32_t step = l->unit->tasks[task_index].steps.first;
        for (const ast_step *s = task->steps; s; s = s->next) lower_step(l, s, step++);
        ir_flow *const flow = &l->unit->flows[index];
        flow->has_results |= l->unit->tasks[task_index].has_result;
        flow->has_exits |= task->handlers[ON_EXIT] != NULL;
        flow->uses_paused |= l->unit->tasks[task_index].handlers[ON_RESUME].uses_paused;
    }
    lower_all_preempts(l, from, index);
    ir_flow *const flow = &l->unit->flows[index];
    flow->edges.count = l->unit->edge_count - flow->edges.first;
    find_needs(&boxes, from, flow);
}

static void name_flow(lowering *l, const ast_flow *from)
{
    uint32_t const index = lower_flow_index(l, from);
    l->unit->flows[index].imported = false;
    uint32_t const first = l->unit->step_count;
    uint32_t task_index = l->unit->flows[index].tasks.first;
    for (const ast_task *task = from->tasks; task; task = task->next) name_steps(l, task, task_index++);
    l->unit->flows[index].steps = (ir_range){first, l->unit->step_count - first};
}

static uint64_t digest_text(uint64_t digest, const source *in)
{
    for (uint32_t i = 0; i < in->size; i++)
        digest = (digest ^ (unsigned char)in->text[i]) * UINT64_C(0x100000001B3); /* FNV-1a */
    return (digest ^ in->size) * UINT64_C(0x100000001B3);
}

/* The file and all that it imports, each once. */
typedef struct file_list {
    const ast_file **items;
    size_t count, capacity;
} file_list;

static file_list list_files(arena *a, const ast_file *main)
{
    file_list all = {0};
    scope seen = {0};
    all.items = arena_reserve(a, all.items, &all.capacity, 1, sizeof *all.items);
    all.items[all.count++] = main;
    for (size_t i = 0; i < all.count; i++) {
        for (const ast_import *import = all.items[i]->imports; import; import = import->next) {
            if (scope_add(a, &seen, import->file->in->name, import->file)) continue;
            all.items = arena_reserve(a, all.items, &all.capacity, all.count + 1, sizeof *all.items);
            all.items[all.count++] = import->file;
        }
    }
    return all;
}

/* Returns a digest of the contents of the files, which is equal on every machine and in every directory. */
static uint64_t digest_files(arena *a, const ast_file *main)
{
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    file_list const all = list_files(a, main);
    for (size_t i = 0; i < all.count; i++) digest = digest_text(digest, all.items[i]->in);
    return digest;
}

static void see_points(lowering *l, const ast_point *list)
{
    for (; list; list = list->next) {
        uint32_t const point = lower_point_index(l, list);
        TABLE_ADD(l, seen_points, seen_point_count, point);
    }
}

static void lower_seen_points(lowering *l, const ast_file *main)
{
    file_list const all = list_files(l->arena, main);
    for (size_t i = 0; i < all.count; i++) {
        see_points(l, all.items[i]->signals);
        see_points(l, all.items[i]->checkpoints);
    }
}

static void lower_long_strings(lowering *l, const token_list *tokens)
{
    for (uint32_t i = 0; i < tokens->count; i++) {
        const token *const t = &tokens->items[i];
        const char *const text = tokens->in->text;
        if (text[t->end - 1] != '"' || !memchr(text + t->begin, '\n', t->end - t->begin)) continue;
        TABLE_ADD(l, long_strings, long_string_count, token_span(tokens, i));
    }
}

ir_unit *lower_unit(arena *a, const ast_file *main, unsigned parts)
{
    bool const with_tests = parts & LOWER_TESTS;
    lowering l = {.arena = a, .unit = ARENA_NEW(a, ir_unit), .with_conditions = parts & LOWER_CONDITIONS};
    ir_unit *const unit = l.unit;
    unit->in = main->in;
    for (const ast_text_block *b = main->blocks; b; b = b->next) lower_block(&l, b);
    for (const ast_import *import = main->imports; import; import = import->next) {
        TABLE_ADD(&l, imports, import_count, import->path);
    }
    lower_changes(&l, main);
    lower_long_strings(&l, &main->tokens);
    lower_file_points(&l, main);
    if (!main->flows && !unit->own_point_count) unit->digest = digest_files(a, main);
    lower_plains(&l, main->plains);
    lower_workers(&l, main->workers, with_tests);
    ast_flow *const tests = with_tests ? main->tests : NULL;
    for (const ast_flow *flow = main->flows; flow; flow = flow->next) name_flow(&l, flow);
    unit->own_count = unit->flow_count;
    for (const ast_flow *test = tests; test; test = test->next) name_flow(&l, test);
    uint32_t index = 0;
    for (ast_flow *flow = main->flows; flow; flow = flow->next) lower_flow(&l, flow, index++);
    for (ast_flow *test = tests; test; test = test->next) {
        lower_flow(&l, test, index);
        lower_test(&l, test, index++);
    }
    if (tests) lower_seen_points(&l, main);
    sort_user_lines(unit);
    return unit;
}
