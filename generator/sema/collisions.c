/* Names of flows, tasks, steps and what is shared: not reserved, and no two of the C names that are made of them are the same. */
#include "checks.h"
#include "reserved.h"
#include "walk.h"

#include <string.h>

/* Whose a generated name is. */
typedef struct owner {
    const char *what; /* "flow", "task", "step", ... */
    const ast_ident *name;
} owner;

/* Equal names begin with the same word. So those that begin with a word have a table of their own, which the caches hold
 * while they are made: a flow's come one after the other. */
typedef struct family {
    const char *word;
    size_t length;
    scope generated; /* of owner */
} family;

typedef struct collector {
    sema *sema;
    arena *arena;   /* of the names and owners: nobody needs them afterwards */
    scope families; /* of family */
    family *recent;
    bool reports, have_met; /* false: only whether any two names are the same is wanted, and said there */
} collector;

/* Signals and checkpoints at file scope share their names. */
static bool is_point(const owner *by)
{
    return strcmp(by->what, "signal") == 0 || strcmp(by->what, "checkpoint") == 0;
}

static family *add_family(collector *c, const char *word, size_t length)
{
    family *const added = ARENA_NEW(c->arena, family);
    *added = (family){.word = arena_copy(c->arena, word, length), .length = length};
    scope_add(c->arena, &c->families, added->word, added);
    return added;
}

/* Behind the `uf_` that many have. */
static family *family_of(collector *c, const char *generated)
{
    const char *const word = strncmp(generated, "uf_", 3) == 0 ? generated + 3 : generated;
    const char *const end = strchr(word, '_');
    size_t const length = end ? (size_t)(end - word) : strlen(word);
    const family *const recent = c->recent;
    if (recent && recent->length == length && memcmp(recent->word, word, length) == 0) return c->recent;
    c->recent = scope_find_text(&c->families, word, length);
    if (!c->recent) c->recent = add_family(c, word, length);
    return c->recent;
}

static void reserve(collector *c, const owner *by, const char *generated)
{
    const owner *first = scope_add(c->arena, &family_of(c, generated)->generated, generated, (void *)by);
    if (!first || first == by) return;
    bool const is_duplicate = first->what == by->what || (is_point(first) && is_point(by));
    if (is_duplicate && first->name->name == by->name->name) return; /* reported as such */
    c->have_met = true;
    if (!c->reports) return;
    diag_report *r =
        diag_at(c->sema->diagnostics, UF0311, by->name->at, "%s `%s` and %s `%s` would both make `%s` in C", by->what,
                by->name->name, first->what, first->name->name, generated);
    diag_note(r, first->name->at, "%s `%s` is here", first->what, first->name->name);
    diag_help(r, "rename one of the two");
}

static const owner *new_owner(collector *c, const char *what, const ast_ident *name)
{
    owner *by = ARENA_NEW(c->arena, owner);
    *by = (owner){what, name};
    return by;
}

/* How many awaits and timed stays a step has: each makes functions of its own. */
typedef struct pauses {
    uint32_t awaits, stays;
} pauses;

static void count_pauses(ast_statement *statement, void *context)
{
    pauses *count = context;
    if (statement->kind == STATEMENT_AWAIT) count->awaits++;
    if (statement->kind == STATEMENT_STAY && statement->operands->has_timeout) count->stays++;
}

static void reserve_pauses(collector *c, const owner *by, const char *base, const char *state, const char *suffix,
                           uint32_t count)
{
    arena *a = c->arena;
    for (uint32_t i = 1; i <= count; i++) {
        const char *numbered = i == 1 ? suffix : arena_printf(a, "%s%u", suffix, (unsigned)i);
        reserve(c, by, ARENA_JOIN(a, base, numbered));
        reserve(c, by, ARENA_JOIN(a, "uf", base, numbered));
        reserve(c, by, ARENA_JOIN(a, state, numbered));
    }
}

static void reserve_step(collector *c, const ast_flow *flow, const ast_task *task, const ast_step *step)
{
    arena *a = c->arena;
    const owner *by = new_owner(c, "step", &step->name);
    const char *base = ARENA_JOIN(a, flow->name.name, task->name.name, step->name.name);
    const char *state = ARENA_JOIN(a, flow->name.name, "at", task->name.name, step->name.name);
    reserve(c, by, base);
    reserve(c, by, state);
    reserve(c, by, ARENA_JOIN(a, flow->name.name, task->name.name, "to", step->name.name));
    pauses count = {0, 0};
    walk_statements(step->body.first, count_pauses, &count);
    reserve_pauses(c, by, base, state, "wait", count.awaits);
    reserve_pauses(c, by, base, state, "await", count.awaits);
    reserve_pauses(c, by, base, state, "stay", count.stays);
    reserve_pauses(c, by, base, state, "late", count.stays);
}

static void check_reserved(sema *s, const ast_ident *name, const char *what, bool at_file_scope)
{
    const char *whose = reserved_by(&s->reserved, name->name);
    if (!whose && at_file_scope) whose = reserved_at_file_scope(name->name);
    if (!whose && at_file_scope) whose = reserved_in_bodies(name->name);
    if (!whose) return;
    diag_report *r = diag_at(s->diagnostics, UF0310, name->at, "`%s` is %s", name->name, whose);
    diag_help(r, "give the %s another name", what);
}

static void reserve_points(collector *c, const ast_point *list, const char *what)
{
    for (; list; list = list->next) reserve(c, new_owner(c, what, &list->name), list->name.name);
}

static void reserve_mailboxes(collector *c, const ast_flow *flow)
{
    arena *a = c->arena;
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind != MEMBER_MAILBOX || !m->mailbox->item->name.name) continue;
        const ast_ident *name = &m->mailbox->item->name;
        const owner *by = new_owner(c, "mailbox", name);
        reserve(c, by, ARENA_JOIN(a, flow->name.name, name->name, "send"));
        reserve(c, by, ARENA_JOIN(a, flow->name.name, name->name, "receive"));
    }
}

static void reserve_preempts(collector *c, const char *owner_name, const ast_preempt *list)
{
    for (const ast_preempt *p = list; p; p = p->next) {
        const char *name = ARENA_JOIN(c->arena, "uf", owner_name, "on", p->signal.name);
        reserve(c, new_owner(c, "`on` of", &p->signal), name);
    }
}

static void reserve_worker(collector *c, const ast_worker *worker)
{
    static const char *const functions[] = {"body", "run", "submit", "worker"};
    const owner *by = new_owner(c, "worker", &worker->name);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        reserve(c, by, ARENA_JOIN(c->arena, "uf", functions[i], "of", worker->name.name));
}

static void reserve_workers(collector *c, const ast_file *file)
{
    for (const ast_worker *worker = file->workers; worker; worker = worker->next) reserve_worker(c, worker);
}

static void reserve_flow(collector *c, const ast_flow *flow, bool imported)
{
    arena *a = c->arena;
    const char *name = flow->name.name;
    const owner *by = new_owner(c, "flow", &flow->name);
    reserve(c, by, name);
    /* Of an import, what its header declares. */
    static const char *const of_flow[] = {"init", "destroy", "type", "state", "turn", "on_init", "on_exit"};
    for (size_t i = 0; i < (imported ? 3 : 7); i++) reserve(c, by, ARENA_JOIN(a, name, of_flow[i]));
    reserve_mailboxes(c, flow);
    static const char *const hidden[] = {"fields", "jobs",  "preempt", "preempts", "release",
                                         "tasks",  "steps", "states",  "edges"};
    for (size_t i = 0; !imported && i < sizeof hidden / sizeof hidden[0]; i++)
        reserve(c, by, ARENA_JOIN(a, "uf", name, hidden[i]));
    if (!imported) reserve_preempts(c, name, flow->preempts);
    static const char *const of_task[] = {"start", "start_run", "result", "call", "become", "enter"};
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        const char *task_name = task->name.name;
        by = new_owner(c, "task", &task->name);
        reserve(c, by, ARENA_JOIN(a, name, task_name));
        for (size_t i = 0; i < (imported ? 4 : 6); i++) reserve(c, by, ARENA_JOIN(a, name, of_task[i], task_name));
        if (imported) continue;
        reserve(c, by, ARENA_JOIN(a, name, task_name, "enter"));
        reserve(c, by, ARENA_JOIN(a, name, task_name, "exit"));
        reserve(c, by, ARENA_JOIN(a, name, task_name, "done"));
        reserve(c, by, ARENA_JOIN(a, "uf", name, task_name, "begin"));
        reserve(c, by, ARENA_JOIN(a, "uf", name, task_name, "fields"));
        reserve_preempts(c, ARENA_JOIN(a, name, task_name), task->preempts);
        for (const ast_step *step = task->steps; step; step = step->next) reserve_step(c, flow, task, step);
    }
}

static void reserve_others(collector *c, const ast_file *file)
{
    reserve_points(c, file->signals, "signal");
    reserve_points(c, file->checkpoints, "checkpoint");
}

/* -- most flows need no look at what is generated ------------------------------------------------------------------ */

/* What the names that are made of the user's have in between, and what begins those of workers. */
static const char *const joints[] = {"at",    "await",   "become",   "begin",   "body",    "call",   "destroy", "done",
                                     "edges", "enter",   "exit",     "fields",  "init",    "jobs",   "late",    "of",
                                     "on",    "preempt", "preempts", "receive", "release", "result", "run",     "send",
                                     "start", "state",   "states",   "stay",    "steps",   "submit", "tasks",   "to",
                                     "turn",  "type",    "uf",       "wait",    "worker"};

static bool is_plain(const scope *words, const ast_ident *name)
{
    return name->name && !strchr(name->name, '_') && !scope_find(words, name->name);
}

static bool are_plain_preempts(const scope *words, const ast_preempt *list)
{
    while (list && is_plain(words, &list->signal)) list = list->next;
    return !list;
}

/* Are its names, and those in it, neither joints nor joined themselves? Then what is made of them comes apart into words
 * in one way only: two are the same if they are made of the same names in the same way, and those are reported as
 * duplicates. */
static bool has_plain_names(const scope *words, const ast_flow *flow)
{
    if (!is_plain(words, &flow->name) || !are_plain_preempts(words, flow->preempts)) return false;
    for (const ast_member *m = flow->members; m; m = m->next) {
        const ast_ident *const name = m->kind == MEMBER_MAILBOX ? &m->mailbox->item->name : NULL;
        if (name && name->name && !is_plain(words, name)) return false;
    }
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        if (!is_plain(words, &task->name) || !are_plain_preempts(words, task->preempts)) return false;
        for (const ast_step *step = task->steps; step; step = step->next) {
            if (!is_plain(words, &step->name)) return false;
        }
    }
    return true;
}

/* What only needs a look: the names of other flows, and whether anything else begins with the word of a plain one. */
typedef struct look {
    collector collector;
    scope words; /* the joints */
    const char **plain;
    size_t plain_count, plain_capacity;
} look;

static void look_at_flows(look *l, const ast_file *file, bool imported)
{
    arena *const a = l->collector.arena;
    for (const ast_flow *flow = file->flows; flow; flow = flow->next) {
        if (has_plain_names(&l->words, flow)) {
            l->plain = arena_reserve(a, l->plain, &l->plain_capacity, l->plain_count + 1, sizeof *l->plain);
            l->plain[l->plain_count++] = flow->name.name;
        } else {
            reserve_flow(&l->collector, flow, imported);
        }
    }
}

static bool names_may_meet(sema *s)
{
    look l = {.collector = {.sema = s, .arena = arena_new()}};
    collector *const c = &l.collector;
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++)
        scope_add(c->arena, &l.words, joints[i], (void *)joints[i]);
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        if (import->file) reserve_others(c, import->file);
        if (import->file) look_at_flows(&l, import->file, true);
    }
    reserve_others(c, s->file);
    reserve_workers(c, s->file);
    look_at_flows(&l, s->file, false);
    for (size_t i = 0; i < l.plain_count; i++) {
        if (scope_find(&c->families, l.plain[i])) c->have_met = true;
        else add_family(c, l.plain[i], strlen(l.plain[i]));
    }
    arena_free(c->arena);
    return c->have_met;
}

/* -- all of them --------------------------------------------------------------------------------------------------- */

static void report_collisions(sema *s)
{
    collector c = {.sema = s, .arena = arena_new(), .reports = true};
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        if (!import->file) continue;
        reserve_others(&c, import->file);
        for (const ast_flow *flow = import->file->flows; flow; flow = flow->next) reserve_flow(&c, flow, true);
    }
    reserve_others(&c, s->file);
    reserve_workers(&c, s->file);
    for (const ast_flow *flow = s->file->flows; flow; flow = flow->next) reserve_flow(&c, flow, false);
    arena_free(c.arena);
}

bool is_generated_name(sema *s, const ast_flow *flow, const char *name)
{
    size_t const length = strlen(flow->name.name);
    if (strncmp(name, flow->name.name, length) != 0 || name[length] != '_') return false;
    collector c = {.sema = s, .arena = arena_new()};
    reserve_flow(&c, flow, false);
    bool const is_one = scope_find(&family_of(&c, name)->generated, name) != NULL;
    arena_free(c.arena);
    return is_one;
}

static void check_points(sema *s, const ast_point *list, const char *what)
{
    for (; list; list = list->next) {
        check_name_of_arm(s, &list->name, what);
        check_reserved(s, &list->name, what, true);
    }
}

void check_collisions(sema *s)
{
    check_points(s, s->file->signals, "signal");
    check_points(s, s->file->checkpoints, "checkpoint");
    for (const ast_worker *worker = s->file->workers; worker; worker = worker->next)
        check_reserved(s, &worker->name, "worker", false);
    for (const ast_flow *flow = s->file->flows; flow; flow = flow->next) {
        check_reserved(s, &flow->name, "flow", true);
        for (const ast_task *task = flow->tasks; task; task = task->next) {
            check_reserved(s, &task->name, "task", false);
            for (const ast_step *step = task->steps; step; step = step->next)
                check_reserved(s, &step->name, "step", false);
        }
    }
    if (names_may_meet(s)) report_collisions(s);
}
