/* SPDX-License-Identifier: MIT */
/* Resolves names of signals, checkpoints, mailboxes, jobs and workers. Jobs of the task come first, then members of
 * the flow, then declarations of the file and its imports. */
#include "checks.h"
#include "reserved.h"
#include "walk.h"
#include "words.h"

#include <string.h>

typedef struct resolver {
    sema *sema;
    const ast_task *task; /* NULL: the flow itself */
    scope jobs;           /* of shared: of the task */
    scope params;         /* of ast_declarator: of the step being resolved */
    bool has_wrong_job;   /* a wrong declaration of a job was reported */
} resolver;

static const char *const kinds[] = {"signal", "checkpoint", "mailbox", "job"};

static const shared *find_shared(const resolver *r, const char *name)
{
    const shared *found = scope_find(&r->jobs, name);
    if (!found) found = scope_find(&r->sema->names->shared, name);
    return found ? found : scope_find(&r->sema->points, name);
}

static void add_candidates(sema *s, candidates *c, const scope *in, unsigned wanted)
{
    for (size_t i = 0; i < in->capacity; i++) {
        const shared *one = in->entries[i].value;
        if (one && (wanted & 1u << one->kind)) candidates_add(s, c, one->name->name);
    }
}

enum { ANYTHING = 15 }; /* every kind that an arm can name */

/* Suggests a similar name. Returns true if it does, or if no help is given. `wanted` is a set of bits, one per
 * shared_kind. */
static bool help_near(resolver *r, diag_report *report, const char *name, unsigned wanted)
{
    candidates near = {0};
    if (is_one_of_many(r->sema)) return true;
    add_candidates(r->sema, &near, &r->jobs, wanted);
    add_candidates(r->sema, &near, &r->sema->names->shared, wanted);
    add_candidates(r->sema, &near, &r->sema->points, wanted);
    for (size_t kind = 0; wanted == ANYTHING && kind < ARM_NAME; kind++) {
        if (arm_infos[kind].operand == OPERAND_NONE) candidates_add(r->sema, &near, arm_infos[kind].word);
    }
    return candidates_help(&near, name, report);
}

/* -- names that are not there ------------------------------------------------------------------------------------ */

/* Reports a job of another task of the flow. Returns true if there is one. */
static bool report_foreign_job(resolver *r, const ast_ident *name)
{
    const shared *job = scope_find(&r->sema->names->jobs, name->name);
    if (!job || !r->task) return false;
    diag_report *report =
        report_at(r->sema, UF0316, name->at, "task %s has no job `%s`", r->task->name.name, name->name);
    diag_note(report, job->name->at, "task %s has one: its handle is part of that task's state", job->task->name.name);
    diag_help(report, "declare it in this task as well: `job %s: %s;`", name->name, job->job->worker_name.name);
    return true;
}

/* Returns a field or parameter of that name; `reach` is its prefix in a body: `flow->`, `self->` or "". */
static const ast_declarator *find_variable(const resolver *r, const char *name, const char **reach)
{
    const ast_declarator *found = scope_find(&r->params, name);
    *reach = "";
    if (found) return found;
    *reach = "self->";
    if (r->task) found = find_declarator(r->task->params, name);
    if (r->task && !found) found = find_declarator(r->task->fields, name);
    if (found) return found;
    *reach = "flow->";
    const member_name *const member = find_flow_member(r->sema, r->sema->names->flow, name);
    return member ? member->field : NULL;
}

/* Suggests a pointer for a signal or checkpoint of another flow, and a condition for anything else. */
static void help_with_variable(diag_report *report, const ast_declarator *variable, const char *reach, const char *name)
{
    token_range const type = variable->specifiers;
    bool is_signal = false, is_checkpoint = false;
    for (uint32_t i = type.first; i < type.end; i++) {
        is_signal = is_signal || token_is(type.list, i, "uf_signal");
        is_checkpoint = is_checkpoint || token_is(type.list, i, "uf_checkpoint");
    }
    if (is_signal) diag_help(report, "to wait for a signal through a pointer, write `fired(%s%s)`", reach, name);
    else if (is_checkpoint)
        diag_help(report, "to wait for a checkpoint through a pointer, write `arrived(%s%s)`", reach, name);
    else diag_help(report, "a condition is written `until (%s%s …)`", reach, name);
}

static void help_with_pool(diag_report *report, const char *name)
{
    diag_help(report, "for a free member of a pool await `vacant(%s)`, for the end of all `idle(%s)`", name, name);
}

/* Suggests a correction based on other declarations of that name. */
static void help_with_name(resolver *r, diag_report *report, const char *name)
{
    const char *reach;
    const ast_declarator *const variable = find_variable(r, name, &reach);
    arm_kind const kind = arm_of_word(name, strlen(name));
    if (kind != ARM_NAME) diag_help(report, "write `%s -> …`", arm_infos[kind].form);
    else if (find_pool(r->sema->names->flow, name)) help_with_pool(report, name);
    else if (find_subflow(r->sema->names->flow, name))
        diag_help(report, "a sub-flow is waited for with `idle(&flow->%s)`, or its task with `run`", name);
    else if (variable) help_with_variable(report, variable, reach, name);
    else if (is_flow_or_self(name))
        diag_help(report, "a condition is written `until (…)`, and a signal that a pointer reaches `fired(pointer)`");
    else if (scope_find(&r->sema->names->steps, name))
        diag_help(report, "a step comes after the `->` of an arm, or after `next`");
    else diag_help(report, "declare it, as in `signal %s;`; a condition is written `until (…)`", name);
}

static void report_word(resolver *r, span at, const char *meant)
{
    diag_report *report = report_at(r->sema, UF0201, at, "`%s` is not a keyword", text_at(r->sema, at));
    diag_help(report, "did you mean `%s`?", meant);
}

/* Reports a misspelled `job`, as in `jbo scale: weigh;`. Also reports several jobs in one declaration, as in
 * `job a, b: weigh;`: a bit-field whose width is a worker. */
static bool report_misread_job(resolver *r, const ast_declarator *variable)
{
    ast_declarator const *last = variable;
    while (last->next) last = last->next;
    token_range const width = last->bits, type = variable->specifiers;
    if (width.end - width.first != 1 || type.end - type.first != 1) return false;
    ast_worker *const worker = scope_find(&r->sema->workers, token_intern(r->sema->arena, width.list, width.first));
    if (!worker) return false;
    worker->used = true;
    if (!token_is(type.list, type.first, "job")) {
        report_word(r, range_span(type), "job");
        return true;
    }
    bool const is_array = last == variable && variable->is_array;
    diag_report *const report =
        report_at(r->sema, UF0201, range_span(type),
                  is_array ? "an array of jobs has one dimension" : "each job needs a declaration of its own");
    if (is_array)
        diag_help(report, "write the product of both, and compute the place: `job %s[2 * 3]: %s;`", variable->name.name,
                  worker->name.name);
    else diag_help(report, "declare each: `job %s: %s;`", variable->name.name, worker->name.name);
    r->has_wrong_job = true;
    return true;
}

/* Reports a misspelled declaration, as in `sginal go;`: a field whose name an arm uses. */
static bool report_misread_declaration(resolver *r, const char *name)
{
    static const char *const words[] = {"signal", "checkpoint", "mailbox"};
    const char *reach;
    const ast_declarator *const variable = find_variable(r, name, &reach);
    if (variable && report_misread_job(r, variable)) return true;
    if (!variable || range_empty(variable->specifiers)) return false;
    token_range const type = variable->specifiers;
    bool const is_boxed = type.end - type.first > 1;
    if (type.list->items[type.first].flags & TOKEN_WORDS_OF_C) return false;
    const char *const text = token_intern(r->sema->arena, type.list, type.first);
    const char *const near = diag_nearest(text, is_boxed ? &words[2] : words, is_boxed ? 1 : 2);
    uint32_t const before = variable->name_token - 1;
    bool const is_plain = is_boxed || before == type.first || token_is(type.list, before, ",");
    if (!near || !is_plain) return false;
    report_word(r, token_span(type.list, type.first), near);
    return true;
}

static void unknown_name(resolver *r, const ast_ident *name, bool in_arm)
{
    if (is_second(r->sema, &r->sema->unknown, name)) return;
    if (report_foreign_job(r, name)) return;
    if (r->sema->has_syntax_errors || r->has_wrong_job || report_misread_declaration(r, name->name)) return;
    diag_report *report = report_at(
        r->sema, UF0313, name->at,
        in_arm ? "there is no signal, job, checkpoint or mailbox `%s`" : "there is no signal `%s`", name->name);
    if (help_near(r, report, name->name, in_arm ? ANYTHING : 1u << SHARED_SIGNAL)) return;
    if (in_arm && strncmp(name->name, "stop", 4) == 0) diag_help(report, "did you mean `stopping`?");
    else if (in_arm) help_with_name(r, report, name->name);
    else if (kind_is(token_kind_of(name->name, strlen(name->name)), IS_HANDLER))
        diag_help(report, "`on %s` runs C, and decides nothing: write `on %s { … }`", name->name, name->name);
    else if (reserved_in_arms(name->name))
        diag_help(report, "`%s` begins an arm: await { %s -> … }", name->name, name->name);
    else if (outcome_help(name->name)) diag_help(report, "%s", outcome_help(name->name));
    else diag_help(report, "declare it in the flow or in the file: `signal %s;`", name->name);
}

static void wrong_kind(resolver *r, const ast_ident *name, const shared *found, shared_kind wanted)
{
    static const char *const ways[] = {"`on` takes a signal", "`arrived` takes a checkpoint", "`room` takes a mailbox",
                                       "`submit` takes a job of this task"};
    diag_report *report =
        report_at(r->sema, UF0314, name->at, "`%s` is a %s, not a %s", name->name, kinds[found->kind], kinds[wanted]);
    diag_note(report, found->name->at, "%s `%s` is here", kinds[found->kind], name->name);
    if (help_near(r, report, name->name, 1u << wanted)) return;
    diag_help(report, "%s", ways[wanted]);
}

static void unknown_job(resolver *r, const ast_ident *name)
{
    if (is_second(r->sema, &r->sema->unknown, name)) return;
    if (report_foreign_job(r, name) || r->sema->has_syntax_errors || r->has_wrong_job) return;
    const char *reach;
    const ast_declarator *const variable = find_variable(r, name->name, &reach);
    if (variable && report_misread_job(r, variable)) return;
    diag_report *report =
        report_at(r->sema, UF0316, name->at, "task %s has no job `%s`", r->task->name.name, name->name);
    if (help_near(r, report, name->name, 1u << SHARED_JOB)) return;
    if (scope_find(&r->sema->workers, name->name))
        diag_help(report, "`%s` is a worker; declare a handle on it in the task: `job handle: %s;`", name->name,
                  name->name);
    else if (find_pool(r->sema->names->flow, name->name)) help_with_pool(report, name->name);
    else diag_help(report, "declare it in the task: `job %s: worker;`", name->name);
}

static void unknown_operand(resolver *r, const ast_ident *name, shared_kind wanted)
{
    if (is_second(r->sema, &r->sema->unknown, name)) return;
    const char *reach;
    bool const is_room = wanted == SHARED_MAILBOX;
    diag_report *report = report_at(r->sema, UF0313, name->at, "there is no %s `%s`", kinds[wanted], name->name);
    if (help_near(r, report, name->name, 1u << wanted)) return;
    if (is_room && find_variable(r, name->name, &reach))
        diag_help(report, "the mailbox of another flow is reached by a pointer: `room(&flow->peer->orders)`");
    else if (find_pool(r->sema->names->flow, name->name)) help_with_pool(report, name->name);
    else if (is_room) diag_help(report, "declare it in the flow: `mailbox int %s[16];`", name->name);
    else diag_help(report, "declare it in the flow or in the file: `checkpoint %s;`", name->name);
}

/* NULL: there is none of that kind, which is reported. */
static const shared *find_of_kind(resolver *r, const ast_ident *name, shared_kind wanted)
{
    const shared *const found = find_shared(r, name->name);
    if (found && found->kind == wanted) return found;
    if (found) wrong_kind(r, name, found, wanted);
    else if (wanted == SHARED_SIGNAL) unknown_name(r, name, false);
    else if (wanted == SHARED_JOB) unknown_job(r, name);
    else unknown_operand(r, name, wanted);
    return NULL;
}

/* -- arms -------------------------------------------------------------------------------------------------------- */

/* Reports a parameter that hides a signal or checkpoint of the file, which is a C variable. */
static void check_hidden(resolver *r, const ast_ident *name, const shared *found)
{
    if (!found->point || found->point->flow) return;
    ast_declarator *const d = scope_find(&r->params, found->name->name);
    if (!d || d->used) return;
    d->used = true; /* do not report it as unused as well */
    diag_report *report = report_at(r->sema, UF0309, d->name.at, "parameter `%s` hides the %s that this step waits for",
                                    name->name, kinds[found->kind]);
    diag_note(report, name->at, "it is waited for here");
    diag_help(report, "give the parameter another name");
}

static void use_shared(resolver *r, ast_event *event, const shared *found)
{
    event->point = found->point;
    event->mailbox = found->mailbox;
    event->job = found->job;
    if (found->point) found->point->used = true;
    if (found->mailbox) found->mailbox->used = true;
    check_hidden(r, &event->name, found);
}

/* Reports an element that the array does not have. Returns true if it does not. */
static bool report_place(resolver *r, const shared *found, token_range index, uint32_t place)
{
    const ast_point *const array = found->point;
    if (!array->size || place < array->size) return false;
    diag_report *report = report_at(r->sema, UF0374, range_span(index), "%s `%s` has %u elements, from 0 on",
                                    kinds[found->kind], array->name.name, array->size);
    diag_note(report, array->name.at, "it is declared here");
    diag_help(report, "the last one is `%s[%u]`", array->name.name, array->size - 1);
    return true;
}

static bool is_array(const shared *found)
{
    if (found->job) return !range_empty(found->job->count);
    return found->point && !range_empty(found->point->count);
}

/* Reports an index after a name that is no array, and one that is not in the array. Returns true if there is one. */
static bool report_index(resolver *r, const shared *found, token_range index)
{
    uint32_t value;
    if (range_empty(index)) return false;
    if (is_array(found) && index.end - index.first == 1 && token_is(index.list, index.first, "*")) {
        diag_report *report =
            report_at(r->sema, UF0376, range_span(index),
                      "`[*]` stands for the elements of an array of sub-flows, not of %ss", kinds[found->kind]);
        diag_help(report, found->job ? "write `all(%s) -> …` or `any(%s) -> …`" : "name them: `all(%s[0], %s[1]) -> …`",
                  found->name->name, found->name->name);
        return true;
    }
    if (is_array(found)) {
        bool const is_known = found->point && known_constant(r->sema, r->sema->file, index, &value);
        return is_known && report_place(r, found, index, value);
    }
    diag_report *report =
        report_at(r->sema, UF0370, range_span(index), "%s `%s` is no array", kinds[found->kind], found->name->name);
    diag_note(report, found->name->at, "it is declared here");
    if (found->mailbox) diag_help(report, "leave the index out: a mailbox is no array");
    else
        diag_help(report, "leave the index out, or declare an array: `%s %s[8]%s;`", kinds[found->kind],
                  found->name->name, found->job ? ": …" : "");
    return true;
}

/* Reports the bare name of an array. Returns true if it is one. */
static bool report_bare_array(resolver *r, const shared *found, const ast_ident *name, bool in_submit)
{
    if (!is_array(found)) return false;
    diag_report *report =
        report_at(r->sema, UF0371, name->at, "`%s` is an array of %ss: which one?", name->name, kinds[found->kind]);
    diag_note(report, found->name->at, "it is declared here");
    if (in_submit) diag_help(report, "write `submit %s[i](…)`", name->name);
    else if (found->point) diag_help(report, "write `%s[i]`; each element is waited for on its own", name->name);
    else diag_help(report, "write `%s[i] -> …`, `any(%s) -> …` or `all(%s) -> …`", name->name, name->name, name->name);
    return true;
}

/* `arrived(gate[i])`: if the name is an array of checkpoints, it is an element, and no C expression. */
static void find_element(resolver *r, ast_event *event)
{
    token_range const text = event->target;
    if (event->kind != ARM_ARRIVED || text.end - text.first < 4 || !token_is(text.list, text.first + 1, "[")) return;
    if (closing_bracket(text, text.first + 1) + 1 != text.end) return;
    const char *const name = token_intern(r->sema->arena, text.list, text.first);
    const shared *const found = find_shared(r, name);
    if (!found || found->kind != SHARED_CHECKPOINT || scope_find(&r->params, name)) return;
    event->name = (ast_ident){name, token_span(text.list, text.first)};
    event->target = (token_range){text.list, text.first + 2, text.end - 1};
}

/* Resolves the operand of `arrived` and `room`, if it is a name. */
static void resolve_operand_name(resolver *r, ast_event *event)
{
    find_element(r, event);
    if (!event->name.name) return;
    shared_kind const wanted = event->kind == ARM_ROOM ? SHARED_MAILBOX : SHARED_CHECKPOINT;
    const shared *const found = find_of_kind(r, &event->name, wanted);
    if (!found || (range_empty(event->target) && report_bare_array(r, found, &event->name, false))) return;
    (void)report_index(r, found, event->target);
    use_shared(r, event, found);
}

static void resolve_any(resolver *r, ast_event *event)
{
    const shared *const found = event->name.name ? find_shared(r, event->name.name) : NULL;
    if (!range_empty(event->target)) {
        diag_report *report = report_at(r->sema, UF0370, range_span(event->target),
                                        "`any` takes the name of an array of jobs, and nothing else");
        diag_help(report,
                  "declare an array, `job fetch[8]: …;`, and write `any(fetch)`; beside it, other arms can wait");
    } else if (event->name.name && !found) {
        unknown_job(r, &event->name);
    } else if (found && (!found->job || range_empty(found->job->count))) {
        diag_report *report = report_at(r->sema, UF0370, event->name.at, "%s `%s` is no array of jobs",
                                        kinds[found->kind], event->name.name);
        diag_note(report, found->name->at, "it is declared here");
        diag_help(report, "its name alone is an arm: `%s -> …`", event->name.name);
    } else if (found) {
        event->job = found->job;
        found->job->read = true;
    }
}

static void resolve_event(ast_event *event, void *context)
{
    resolver *r = context;
    if (operand_is_nameable(arm_infos[event->kind].operand)) resolve_operand_name(r, event);
    if (event->kind == ARM_ANY) resolve_any(r, event);
    if (event->kind != ARM_NAME) return;
    const shared *found = find_shared(r, event->name.name);
    if (!found) {
        unknown_name(r, &event->name, true);
        return;
    }
    (void)report_index(r, found, event->target);
    bool const is_element = !range_empty(event->target);
    if ((!event->in_all || found->point) && !is_element && report_bare_array(r, found, &event->name, false)) return;
    switch (found->kind) {
    case SHARED_SIGNAL: event->kind = ARM_SIGNAL; break;
    case SHARED_CHECKPOINT: event->kind = ARM_CHECKPOINT; break;
    case SHARED_MAILBOX: event->kind = ARM_MAILBOX; break;
    case SHARED_JOB:
        event->kind = !is_element && !range_empty(found->job->count) ? ARM_JOBS : ARM_JOB;
        found->job->read = true;
        break;
    }
    use_shared(r, event, found);
}

/* -- submit ------------------------------------------------------------------------------------------------------ */

static void resolve_statement(ast_statement *statement, void *context)
{
    resolver *r = context;
    walk_events(statement, resolve_event, r);
    if (statement->kind != STATEMENT_SUBMIT) return;
    ast_operands *const operands = statement->operands;
    const shared *const found = find_of_kind(r, &operands->name, SHARED_JOB);
    if (!found) return;
    operands->job = found->job;
    found->job->submitted = true;
    if (range_empty(operands->index)) (void)report_bare_array(r, found, &operands->name, true);
    else (void)report_index(r, found, operands->index);
}

/* -- jobs and preemption ----------------------------------------------------------------------------------------- */

static void resolve_job(resolver *r, ast_job *job)
{
    sema *s = r->sema;
    job->worker = scope_find(&s->workers, job->worker_name.name);
    if (job->worker) {
        job->worker->used = true;
        return;
    }
    diag_report *report = report_at(s, UF0315, job->worker_name.at, "there is no worker `%s`", job->worker_name.name);
    if (is_one_of_many(s)) return;
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        for (const ast_worker *w = import->file ? import->file->workers : NULL; w; w = w->next) {
            if (w->name.name != job->worker_name.name || w->stub_in) continue;
            diag_note(report, w->name.at, "this one belongs to its own file");
        }
    }
    candidates near = {0};
    for (const ast_worker *known = s->file->workers; known; known = known->next)
        candidates_add(s, &near, known->name.name);
    if (!candidates_help(&near, job->worker_name.name, report))
        diag_help(report, "define it in this file, outside of flows: worker int %s(…) { … }", job->worker_name.name);
}

/* `on go[2]`: the element is a constant. */
static void resolve_handled(resolver *r, ast_preempt *p, bool is_known)
{
    const shared *const found = find_of_kind(r, &p->signal, SHARED_SIGNAL);
    if (!found) return;
    p->point = found->point;
    if (range_empty(p->element)) (void)report_bare_array(r, found, &p->signal, false);
    if (range_empty(p->element) || report_index(r, found, p->element) || is_known) return;
    diag_report *report =
        report_at(r->sema, UF0374, range_span(p->element), "`on` takes an element that is known when the task begins");
    diag_help(report, "write an integer or an enumerator of this file: `on %s[2] -> …`; an await takes any index",
              p->signal.name);
}

static void resolve_preempts(resolver *r, ast_preempt *list)
{
    scope seen = {0};
    for (ast_preempt *p = list; p; p = p->next) {
        if (p->kind == PREEMPT_COMPANION) continue;
        bool const is_known = known_constant(r->sema, r->sema->file, p->element, &p->place);
        /* Each element of an array has a handler of its own. */
        const char *const handled =
            is_known ? arena_printf(r->sema->arena, "%s[%u]", p->signal.name, (unsigned)p->place) : p->signal.name;
        const ast_preempt *first = scope_add(r->sema->arena, &seen, handled, p);
        if (first) {
            bool const is_timeout = p->kind == PREEMPT_TIMEOUT;
            const char *const part = r->task ? "task" : p->group ? "group" : "flow";
            diag_report *report =
                is_timeout
                    ? report_at(r->sema, UF0317, p->signal.at, "this %s already has an `on %s`", part, p->signal.name)
                    : report_at(r->sema, UF0317, p->signal.at, "this %s already handles `%s`", part, p->signal.name);
            diag_note(report, first->at, "the first `on %s` is here", p->signal.name);
            diag_help(report, is_timeout
                                  ? "keep the shorter one; a step has a time of its own with `timeout` in its await"
                                  : "keep one of them: the first one would always win");
        }
        if (p->kind == PREEMPT_SIGNAL) resolve_handled(r, p, is_known);
    }
}

static void resolve_task(resolver *r, ast_task *task)
{
    r->task = task;
    r->jobs = (scope){0};
    for (ast_job *job = task->jobs; job; job = job->next) {
        shared *one = ARENA_NEW(r->sema->arena, shared);
        *one = (shared){SHARED_JOB, &job->name, .job = job, .task = task};
        scope_add(r->sema->arena, &r->jobs, job->name.name, one);
        resolve_job(r, job);
    }
    resolve_preempts(r, task->preempts);
    for (ast_step *step = task->steps; step; step = step->next) {
        r->params = (scope){0};
        for (const ast_declaration *p = step->params; p; p = p->next) {
            if (p->first->name.name) scope_add(r->sema->arena, &r->params, p->first->name.name, p->first);
        }
        walk_statements(step->body.first, resolve_statement, r);
    }
    r->params = (scope){0};
}

void resolve_shared(sema *s, ast_flow *flow)
{
    resolver r = {.sema = s};
    resolve_preempts(&r, flow->preempts);
    for (const ast_group *group = flow->groups; group; group = group->next) resolve_preempts(&r, group->preempts);
    for (ast_task *task = flow->tasks; task; task = task->next) resolve_task(&r, task);
}
