/* SPDX-License-Identifier: MIT */
/* Collects all names, and checks that each name is unique. */
#include "checks.h"

static void duplicate(sema *s, const char *what, const ast_ident *second, const ast_ident *first, const char *where)
{
    diag_report *r = report_at(s, UF0309, second->at, "there is a %s `%s` %s already", what, second->name, where);
    diag_note(r, first->at, "the first `%s` is here", first->name);
    diag_help(r, "rename one of the two");
}

/* What has a name at file scope: in messages, and the C that it becomes. */
typedef struct global_sort {
    const char *what, *prefix, *made;
} global_sort;

static const global_sort sorts_of_points[] = {
    [SHARED_SIGNAL] = {"signal", "", "variable"}, [SHARED_CHECKPOINT] = {"checkpoint", "", "variable"}};
static const global_sort sort_of_plains = {"plain struct", "plain struct ", "type"};
static const global_sort sort_of_flows = {"flow", "flow ", "type"};

/* Reports a name that an earlier import has, too. Without `import`, it is one of this file. */
static void report_second(sema *s, const global_sort *sort, const ast_ident *second, const ast_ident *first,
                          const ast_import *import)
{
    bool const is_in_same = first->at.in == second->at.in;
    if (!import) {
        duplicate(s, sort->what, second, first, is_in_same ? "in this file" : "in an imported file");
        return;
    }
    if (is_in_same) return;
    diag_report *r =
        report_at(s, UF0309, import->at, "%s`%s` comes from another import already", sort->prefix, second->name);
    diag_note(r, first->at, "the first `%s` is here", second->name);
    diag_note(r, second->at, "the second one is here");
    diag_help(r, "rename one of the two: both would be one C %s", sort->made);
}

/* Groups and tasks share their names. */
static void collect_groups(sema *s, const flow_names *names)
{
    scope groups = {0};
    for (ast_group *group = names->flow->groups; group; group = group->next) {
        const ast_group *other = scope_add(s->arena, &groups, group->name.name, group);
        const ast_task *task = scope_find(&names->tasks, group->name.name);
        if (other) duplicate(s, "group", &group->name, &other->name, "in this flow");
        else if (task && task->name.at.begin < group->name.at.begin)
            duplicate(s, "task", &group->name, &task->name, "in this flow");
        else if (task) duplicate(s, "group", &task->name, &group->name, "in this flow");
        if (group->has_tasks || (group->outer && !group->outer->has_tasks)) continue;
        diag_report *r = report_at(s, UF0312, group->name.at, "group `%s` has no task", group->name.name);
        diag_help(r, "move the tasks that share its handlers into it, or take it out");
    }
}

static void collect_task(sema *s, flow_names *names, ast_task *task)
{
    ast_task *first = scope_add(s->arena, &names->tasks, task->name.name, task);
    if (first && !names->imported) duplicate(s, "task", &task->name, &first->name, "in this flow");

    scope steps = {0};
    for (ast_step *step = task->steps; step; step = step->next) {
        ast_step *other = scope_add(s->arena, &steps, step->name.name, step);
        if (other && !names->imported) duplicate(s, "step", &step->name, &other->name, "in this task");
        scope_add(s->arena, &names->steps, step->name.name, step);
    }
    if (!task->steps && !names->imported) {
        const ast_test *const test = names->flow->test;
        diag_report *r = report_at(s, UF0312, task->name.at, "%s `%s` has no step", test ? "test" : "task",
                                   test ? test->name.name : task->name.name);
        diag_help(r, "add its entry: `step Begin { done; }`");
    }
}

static void share(sema *s, scope *in, shared what)
{
    shared *one = ARENA_NEW(s->arena, shared);
    *one = what;
    scope_add(s->arena, in, what.name->name, one);
}

/* Finds out how many elements an array of signals or checkpoints has. In an imported file, nothing is reported. */
static void measure_point(sema *s, const ast_file *file, shared_kind kind, ast_point *point)
{
    if (range_empty(point->count)) return;
    if (known_constant(s, file, point->count, &point->size) && point->size - 1 < POINTS_LIMIT) return;
    point->size = 0;
    if (file != s->file) return;
    const char *const what = sorts_of_points[kind].what, *const name = point->name.name;
    diag_report *r =
        report_at(s, UF0481, range_span(point->count),
                  "the size of `%s` is an integer or an enumerator of this file, from 1 to %u", name, POINTS_LIMIT);
    diag_help(r, "write `%s %s[8];`, or `%s %s[COUNT];` with `header { enum { COUNT = 8 }; }`", what, name, what, name);
}

/* Collects the names that a flow's bodies can use. declarations.c compares them with the other members. */
static void collect_shared(sema *s, flow_names *names)
{
    for (ast_member *m = names->flow->members; m; m = m->next) {
        if (m->point) {
            shared_kind const kind = m->kind == MEMBER_SIGNAL ? SHARED_SIGNAL : SHARED_CHECKPOINT;
            measure_point(s, s->file, kind, m->point);
            share(s, &names->shared, (shared){kind, &m->point->name, .point = m->point});
        }
        if (m->mailbox)
            share(s, &names->shared, (shared){SHARED_MAILBOX, &m->mailbox->item->name, .mailbox = m->mailbox});
    }
    for (ast_task *task = names->flow->tasks; task; task = task->next) {
        for (ast_job *job = task->jobs; job; job = job->next)
            share(s, &names->jobs, (shared){SHARED_JOB, &job->name, .job = job, .task = task});
    }
}

/* Collects signals or checkpoints at file scope. Across all imported files, equal names are one C variable. */
static void collect_points(sema *s, shared_kind kind, ast_point *list, const ast_import *import)
{
    for (ast_point *point = list; point; point = point->next) {
        measure_point(s, import ? import->file : s->file, kind, point);
        const shared *first = scope_find(&s->points, point->name.name);
        if (!first) share(s, &s->points, (shared){kind, &point->name, .point = point});
        else report_second(s, &sorts_of_points[kind], &point->name, first->name, import);
    }
}

static void collect_workers(sema *s)
{
    for (ast_worker *worker = s->file->workers; worker; worker = worker->next) {
        if (worker->stub_in) continue;
        const ast_worker *first = scope_add(s->arena, &s->workers, worker->name.name, worker);
        if (first) duplicate(s, "worker", &worker->name, &first->name, "in this file");
    }
}

/* The worker function of that name, of this file or of an imported one. */
static const ast_worker *find_target(const sema *s, const ast_worker *stub)
{
    const ast_worker *const own = scope_find(&s->workers, stub->name.name);
    for (const ast_import *import = own ? NULL : s->file->imports; import; import = import->next) {
        for (const ast_worker *w = import->file ? import->file->workers : NULL; w; w = w->next) {
            if (w->name.name == stub->name.name && !w->stub_in) return w;
        }
    }
    return own;
}

static void report_second_stub(sema *s, const ast_worker *stub)
{
    for (const ast_worker *w = s->file->workers; w != stub; w = w->next) {
        if (w->stub_in == stub->stub_in && w->name.name == stub->name.name)
            duplicate(s, "stub", &stub->name, &w->name, "in this test");
    }
}

/* A stub without a worker function is left out. */
static void resolve_stubs(sema *s)
{
    for (ast_worker **link = &s->file->workers; *link;) {
        ast_worker *const worker = *link;
        worker->target = worker->stub_in ? find_target(s, worker) : NULL;
        if (worker->stub_in && !worker->target) {
            diag_report *r = report_at(s, UF0315, worker->name.at, "there is no worker `%s`", worker->name.name);
            diag_help(r, "a stub replaces a worker function of this file, or of one that it imports");
            *link = worker->next;
            continue;
        }
        if (worker->target) {
            worker->params = worker->target->params;
            worker->result = worker->target->result;
            report_second_stub(s, worker);
        }
        link = &worker->next;
    }
}

/* The name of the first pool; NULL: there is none. */
static const char *name_of_pool(const ast_flow *flow)
{
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind == MEMBER_SUBFLOW && m->subflow->is_pool) return m->subflow->name.name;
    }
    return NULL;
}

/* `import`: NULL for a flow of this file. */
static flow_names *collect_flow(sema *s, ast_flow *flow, const ast_import *import)
{
    bool const imported = import != NULL;
    flow_names *names = ARENA_NEW(s->arena, flow_names);
    names->flow = flow;
    names->imported = imported;
    flow_names *first = scope_add(s->arena, &s->flows, flow->name.name, names);
    if (first && first->flow != flow) report_second(s, &sort_of_flows, &flow->name, &first->flow->name, import);
    for (ast_task *task = flow->tasks; task; task = task->next) collect_task(s, names, task);
    if (!imported) collect_groups(s, names);
    if (!imported) collect_shared(s, names);
    if (!flow->tasks && !imported) {
        diag_report *r = report_at(s, UF0312, flow->name.at, "flow `%s` has no task", flow->name.name);
        const char *const pool = name_of_pool(flow);
        if (pool)
            diag_help(r,
                      "add a task, which need not run while C code spawns: `task Join { step Wait { await idle(%s) -> "
                      "done; } }`",
                      pool);
        else diag_help(r, "add what it does: `task Run { step Begin { done; } }`");
    }
    return names;
}

/* A test is chosen by its name. */
static void collect_tests(sema *s)
{
    scope names = {0};
    for (ast_flow *flow = s->file->tests; flow; flow = flow->next) {
        const ast_test *const first = scope_add(s->arena, &names, flow->test->name.name, flow->test);
        if (first) duplicate(s, "test", &flow->test->name, &first->name, "in this file");
    }
}

static void collect_plains(sema *s, const ast_file *file, const ast_import *import)
{
    for (ast_plain *plain = file->plains; plain; plain = plain->next) {
        const ast_plain *const first = scope_add(s->arena, &s->plains, plain->name.name, plain);
        if (first) report_second(s, &sort_of_plains, &plain->name, &first->name, import);
    }
}

/* -- indirect imports ---------------------------------------------------------------------------------------------- */

static const char *const further = "in a file that an import imports";

/* Compares the names of an indirect import. This file cannot use them, but they are C names in the same program. */
static void compare_points(sema *s, shared_kind kind, const ast_point *list)
{
    for (; list; list = list->next) {
        const shared *own = scope_find(&s->points, list->name.name);
        if (!own || own->name->at.in != s->file->in) continue;
        duplicate(s, sorts_of_points[kind].what, own->name, &list->name, further);
    }
}

static void compare_file(sema *s, const ast_file *file)
{
    compare_points(s, SHARED_SIGNAL, file->signals);
    compare_points(s, SHARED_CHECKPOINT, file->checkpoints);
    for (const ast_flow *flow = file->flows; flow; flow = flow->next) {
        const flow_names *own = scope_find(&s->flows, flow->name.name);
        if (own && !own->imported) duplicate(s, "flow", &own->flow->name, &flow->name, further);
    }
    for (const ast_plain *plain = file->plains; plain; plain = plain->next) {
        const ast_plain *const own = scope_find(&s->plains, plain->name.name);
        if (own && own->name.at.in == s->file->in) duplicate(s, "plain struct", &own->name, &plain->name, further);
    }
}

/* A file whose imports have not been visited yet. */
typedef struct pending {
    struct pending *next;
    const ast_file *file;
} pending;

/* Visits indirect imports without recursion, since a chain of files may be long. */
static void compare_imports(sema *s)
{
    scope seen = {0};
    pending *rest = NULL;
    const ast_file *file = s->file;
    scope_add(s->arena, &seen, file->in->name, s->file);
    for (;;) {
        for (const ast_import *import = file->imports; import; import = import->next) {
            if (!import->file || scope_add(s->arena, &seen, import->file->in->name, import->file)) continue;
            if (file != s->file) compare_file(s, import->file);
            pending *one = ARENA_NEW(s->arena, pending);
            *one = (pending){rest, import->file};
            rest = one;
        }
        if (!rest) return;
        file = rest->file;
        rest = rest->next;
    }
}

void collect_names(sema *s)
{
    for (ast_import *import = s->file->imports; import; import = import->next) {
        if (!import->file) {
            s->has_broken_imports = true;
            continue;
        }
        if (has_error_in(s->diagnostics, import->file)) s->has_broken_imports = true;
        collect_points(s, SHARED_SIGNAL, import->file->signals, import);
        collect_points(s, SHARED_CHECKPOINT, import->file->checkpoints, import);
        collect_plains(s, import->file, import);
        for (ast_flow *flow = import->file->flows; flow; flow = flow->next) collect_flow(s, flow, import);
    }
    collect_points(s, SHARED_SIGNAL, s->file->signals, NULL);
    collect_points(s, SHARED_CHECKPOINT, s->file->checkpoints, NULL);
    collect_plains(s, s->file, NULL);
    collect_workers(s);
    resolve_stubs(s);
    flow_names **end = &s->own;
    for (ast_flow *flow = NULL; (flow = ast_next_flow(s->file, flow)) != NULL;) {
        LINK(end, collect_flow(s, flow, NULL));
    }
    collect_tests(s);
    compare_imports(s);
}
