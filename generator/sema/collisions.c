/* SPDX-License-Identifier: MIT */
/* Checks names of flows, tasks, steps, signals, checkpoints and workers: they must not be reserved, and the C names
 * made from them must differ. */
#include "checks.h"
#include "reserved.h"
#include "walk.h"

#include <string.h>

/* The declaration that a generated name belongs to. */
typedef struct owner {
    const char *what; /* "flow", "task", "step", ... */
    const ast_ident *name;
    const char *inside; /* the flow, or the flow and the task; "": at file scope */
} owner;

typedef struct collector {
    sema *sema;
    arena *arena;    /* for names and owners; freed after the check */
    scope generated; /* of owner */
    uint32_t reports;
    uint32_t awaits; /* of the flow, so far */
} collector;

/* Signals and checkpoints at file scope share one name space. */
static bool is_point(const owner *by)
{
    return strcmp(by->what, "signal") == 0 || strcmp(by->what, "checkpoint") == 0;
}

/* Groups and tasks of a flow share one, too. */
static bool holds_steps(const owner *by)
{
    return strcmp(by->what, "task") == 0 || strcmp(by->what, "group") == 0;
}

static void reserve(collector *c, const owner *by, const char *generated)
{
    const owner *first = scope_add(c->arena, &c->generated, generated, (void *)by);
    if (!first || first == by) return;
    c->reports++;
    bool const is_duplicate =
        first->what == by->what || (is_point(first) && is_point(by)) || (holds_steps(first) && holds_steps(by));
    if (is_duplicate && first->name->name == by->name->name && strcmp(first->inside, by->inside) == 0)
        return; /* names.c has reported the duplicate */
    diag_report *r = report_at(c->sema, UF0311, by->name->at, "%s `%s` and %s `%s` would both make `%s` in C", by->what,
                               by->name->name, first->what, first->name->name, generated);
    diag_note(r, first->name->at, "%s `%s` is here", first->what, first->name->name);
    diag_help(r, "rename one of the two");
}

static void reserve_words(collector *c, const owner *by, const char *before, const char *after,
                          const char *const *words)
{
    for (; *words; words++) reserve(c, by, ARENA_JOIN(c->arena, before, *words, after));
}

/* Reserves BEFORE_WORD_AFTER for each of the words; BEFORE_WORD if `after` is NULL. */
#define RESERVE(c, by, before, after, ...)                                                                             \
    reserve_words((c), (by), (before), (after), (const char *const[]){__VA_ARGS__, NULL})

static const owner *new_owner(collector *c, const char *what, const ast_ident *name, const char *inside)
{
    owner *by = ARENA_NEW(c->arena, owner);
    *by = (owner){what, name, inside};
    return by;
}

/* The numbers of awaits and stays with a timeout in a step. Functions are generated for each. */
typedef struct pauses {
    uint32_t awaits, stays;
} pauses;

static void count_pauses(ast_statement *statement, void *context)
{
    pauses *count = context;
    if (statement->kind == STATEMENT_AWAIT) count->awaits++;
    if (statement->kind == STATEMENT_STAY && statement->outcome) count->stays++;
}

static const char *numbered(collector *c, const char *what, uint32_t number)
{
    return number == 1 ? what : arena_printf(c->arena, "%s%u", what, (unsigned)number);
}

/* A state and a function of that name for each, and a second function. */
static void reserve_pauses(collector *c, const owner *by, const char *base, const char *state, const char *what,
                           const char *second, uint32_t count)
{
    for (uint32_t i = 1; i <= count; i++) {
        const char *const first = numbered(c, what, i);
        reserve(c, by, ARENA_JOIN(c->arena, state, first));
        reserve(c, by, ARENA_JOIN(c->arena, base, first));
        reserve(c, by, ARENA_JOIN(c->arena, base, numbered(c, second, i)));
    }
}

static void reserve_steps(collector *c, const ast_flow *flow, const ast_task *task, const char *of_task)
{
    arena *a = c->arena;
    const char *where = ARENA_CONCAT(a, flow->name.name, ".", task->name.name);
    const char *at_task = ARENA_JOIN(a, flow->name.name, "at", task->name.name);
    for (const ast_step *step = task->steps; step; step = step->next) {
        const owner *by = new_owner(c, "step", &step->name, where);
        const char *base = ARENA_JOIN(a, of_task, step->name.name);
        const char *state = ARENA_JOIN(a, at_task, step->name.name);
        reserve(c, by, base);
        reserve(c, by, state);
        reserve(c, by, ARENA_JOIN(a, of_task, "to", step->name.name));
        pauses count = {0, 0};
        walk_statements(step->body.first, count_pauses, &count);
        reserve_pauses(c, by, base, state, "wait", "await", count.awaits);
        /* One function for each two awaits of the flow. */
        for (uint32_t i = c->awaits / 2; i < (c->awaits + count.awaits) / 2; i++)
            reserve(c, by, ARENA_JOIN(a, "uf", flow->name.name, arena_printf(a, "wait%u", (unsigned)i + 1)));
        c->awaits += count.awaits;
        reserve_pauses(c, by, base, state, "stay", "late", count.stays);
    }
}

static void check_reserved(sema *s, const ast_ident *name, const char *what, bool at_file_scope)
{
    const char *whose = reserved_by(name->name);
    if (!whose && at_file_scope) whose = reserved_at_file_scope(name->name);
    if (!whose && at_file_scope) whose = reserved_in_bodies(name->name);
    report_reserved(s, name, whose, what);
}

static void reserve_points(collector *c, const ast_point *list, const char *what)
{
    for (; list; list = list->next) reserve(c, new_owner(c, what, &list->name, ""), list->name.name);
}

static void reserve_mailbox(collector *c, const ast_flow *flow, const ast_mailbox *mailbox)
{
    const ast_ident *name = &mailbox->item->name;
    const owner *by = new_owner(c, "mailbox", name, flow->name.name);
    RESERVE(c, by, ARENA_JOIN(c->arena, flow->name.name, name->name), NULL, "send", "send_wait", "receive");
    if (mailbox->drop.name) reserve(c, by, ARENA_JOIN(c->arena, "uf", flow->name.name, "drop", name->name));
}

static void reserve_pool(collector *c, const ast_flow *flow, const ast_subflow *pool)
{
    const owner *by = new_owner(c, "pool", &pool->name, flow->name.name);
    const char *const base = ARENA_JOIN(c->arena, flow->name.name, pool->name.name);
    RESERVE(c, by, base, NULL, "busy", "limit", "cancel_all", "at", "run");
    if (pool->has_ends) reserve(c, by, ARENA_JOIN(c->arena, base, "reap"));
    for (const ast_task *task = pool->flow ? pool->flow->tasks : NULL; task; task = task->next) {
        reserve(c, by, ARENA_JOIN(c->arena, base, "spawn", task->name.name));
        if (pool->has_ends && !range_empty(task->result))
            reserve(c, by, ARENA_JOIN(c->arena, base, "result", task->name.name));
    }
}

static void reserve_members(collector *c, const ast_flow *flow)
{
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->mailbox) reserve_mailbox(c, flow, m->mailbox);
        if (m->subflow && m->subflow->is_pool) reserve_pool(c, flow, m->subflow);
    }
}

static void reserve_preempts(collector *c, const char *owner_name, const ast_preempt *list)
{
    for (const ast_preempt *p = list; p; p = p->next) {
        if (p->kind == PREEMPT_COMPANION) continue;
        const char *name = ARENA_JOIN(c->arena, "uf", owner_name, "on", p->signal.name);
        if (!range_empty(p->element)) name = arena_printf(c->arena, "%s_%u", name, (unsigned)p->place);
        reserve(c, new_owner(c, "`on` of", &p->signal, owner_name), name);
    }
}

static void reserve_workers(collector *c, const ast_file *file)
{
    for (const ast_worker *worker = file->workers; worker; worker = worker->next) {
        if (worker->stub_in) continue;
        RESERVE(c, new_owner(c, "worker", &worker->name, ""), "uf", ARENA_JOIN(c->arena, "of", worker->name.name),
                "body", "drop", "run", "submit", "worker");
    }
}

/* The functions of handlers that a part may have or not. */
static void reserve_handlers(collector *c, const owner *by, const char *base, ast_body *const *handlers)
{
    for (handler_kind on = ON_PAUSE; on < HANDLER_KINDS; on++) {
        if (handlers[on]) reserve(c, by, ARENA_JOIN(c->arena, base, handler_name(on)));
    }
}

static void reserve_groups(collector *c, const ast_flow *flow)
{
    arena *a = c->arena;
    for (const ast_group *group = flow->groups; group; group = group->next) {
        const owner *by = new_owner(c, "group", &group->name, flow->name.name);
        const char *const base = ARENA_JOIN(a, flow->name.name, group->name.name);
        RESERVE(c, by, base, NULL, "enter", "exit");
        reserve_handlers(c, by, base, group->handlers);
        reserve(c, by, ARENA_JOIN(a, "uf", base, "with"));
        reserve_preempts(c, base, group->preempts);
    }
}

static void reserve_task(collector *c, const ast_flow *flow, const ast_task *task, bool imported)
{
    const char *const name = task->name.name, *const base = ARENA_JOIN(c->arena, flow->name.name, name);
    const owner *const by = new_owner(c, "task", &task->name, flow->name.name);
    uint32_t const reports = c->reports;
    reserve(c, by, base);
    RESERVE(c, by, flow->name.name, name, "start", "start_run", "result", "call");
    if (imported) return;
    RESERVE(c, by, flow->name.name, name, "become", "enter");
    RESERVE(c, by, base, NULL, "enter", "exit", "done");
    reserve_handlers(c, by, base, task->handlers);
    RESERVE(c, by, ARENA_JOIN(c->arena, "uf", base), NULL, "fields", "with");
    reserve_preempts(c, base, task->preempts);
    if (c->reports == reports) reserve_steps(c, flow, task, base); /* else their names meet, too */
}

static void reserve_flow(collector *c, const ast_flow *flow, bool imported)
{
    const char *const name = flow->name.name, *const hidden = ARENA_JOIN(c->arena, "uf", name);
    const owner *by = new_owner(c, "flow", &flow->name, "");
    reserve(c, by, name);
    RESERVE(c, by, name, NULL, "init", "destroy", "type"); /* the header of an imported flow declares them */
    reserve_members(c, flow);
    if (!imported) {
        RESERVE(c, by, name, NULL, "state", "turn", "on_init", "on_exit", "on_end");
        reserve_handlers(c, by, name, flow->handlers);
        RESERVE(c, by, hidden, NULL, "clear", "end", "fields", "jobs", "kept", "pools", "preempt", "preempts",
                "release", "tasks", "steps", "edges", "counts", "points", "coverage", "register");
        if (flow->is_durable) /* see c_durable.c */
            RESERVE(c, by, hidden, NULL, "durable", "prepare", "restore", "suspend", "kept_fields", "kept_task",
                    "kept_results", "kept_arguments");
        reserve_preempts(c, name, flow->preempts);
        reserve_groups(c, flow);
    }
    c->awaits = 0;
    for (const ast_task *task = flow->tasks; task; task = task->next) reserve_task(c, flow, task, imported);
}

static void reserve_others(collector *c, const ast_file *file)
{
    for (const ast_plain *plain = file->plains; plain; plain = plain->next)
        reserve(c, new_owner(c, "plain struct", &plain->name, ""), plain->name.name);
    reserve_points(c, file->signals, "signal");
    reserve_points(c, file->checkpoints, "checkpoint");
}

/* -- all of them --------------------------------------------------------------------------------------------------- */

static void report_collisions(sema *s)
{
    collector c = {.sema = s, .arena = arena_new()};
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        if (!import->file) continue;
        reserve_others(&c, import->file);
        for (const ast_flow *flow = import->file->flows; flow; flow = flow->next) reserve_flow(&c, flow, true);
    }
    reserve_others(&c, s->file);
    reserve_workers(&c, s->file);
    for (const ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) reserve_flow(&c, flow, false);
    arena_free(c.arena);
}

bool is_generated_name(sema *s, const ast_flow *flow, const char *name)
{
    size_t const length = strlen(flow->name.name);
    if (strncmp(name, flow->name.name, length) != 0 || name[length] != '_') return false;
    collector c = {.sema = s, .arena = arena_new()};
    reserve_flow(&c, flow, false);
    bool const is_one = scope_find(&c.generated, name) != NULL;
    arena_free(c.arena);
    return is_one;
}

static void check_points(sema *s, const ast_point *list, const char *what)
{
    for (; list; list = list->next) {
        report_reserved(s, &list->name, reserved_in_arms(list->name.name), what);
        check_reserved(s, &list->name, what, true);
    }
}

void check_collisions(sema *s)
{
    check_points(s, s->file->signals, "signal");
    check_points(s, s->file->checkpoints, "checkpoint");
    for (const ast_plain *plain = s->file->plains; plain; plain = plain->next)
        check_reserved(s, &plain->name, "plain struct", true);
    for (const ast_worker *worker = s->file->workers; worker; worker = worker->next)
        check_reserved(s, &worker->name, "worker", false);
    for (const ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) {
        if (!flow->test) check_reserved(s, &flow->name, "flow", true);
        for (const ast_group *group = flow->groups; group; group = group->next)
            check_reserved(s, &group->name, "group", false);
        for (const ast_task *task = flow->tasks; task; task = task->next) {
            check_reserved(s, &task->name, "task", false);
            for (const ast_step *step = task->steps; step; step = step->next)
                check_reserved(s, &step->name, "step", false);
        }
    }
    report_collisions(s);
}

void check_header_name(sema *s)
{
    const char *const header = s->options->header;
    if (!header || !is_system_header(header, strlen(header))) return;
    diag_report *r = report_at(s, UF0827, (span){s->file->in, 0, 0},
                               "the header `%s` of this file has the name of one of the system", header);
    diag_help(r,
              "rename the file, or name its header with `--header`: where its directory is searched first, "
              "`#include <%s>` finds it",
              header);
}
