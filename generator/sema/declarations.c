/* SPDX-License-Identifier: MIT */
/* Fields, parameters and sub-flows become members of structs. They need a size and a name, and no storage class. */
#include <limits.h>
#include <string.h>

#include "checks.h"
#include "misspelled.h"
#include "reserved.h"
#include "walk.h"
#include "words.h"

typedef enum member_role { ROLE_FIELD, ROLE_PARAMETER, ROLE_ARGUMENT /* of a worker */ } member_role;

static const char *role_name(member_role role)
{
    return role == ROLE_FIELD ? "field" : "parameter";
}

static void check_name_twice(sema *s, scope *members, const ast_ident *name, const char *help)
{
    const ast_ident *first = scope_add(s->arena, members, name->name, (void *)name);
    if (!first) return;
    diag_report *r = report_at(s, UF0309, name->at, "there is a member `%s` already", name->name);
    diag_note(r, first->at, "the first `%s` is here", name->name);
    diag_help(r, "%s", help);
}

static void check_twice(sema *s, scope *members, const ast_ident *name)
{
    check_name_twice(s, members, name, "parameters are fields of the same struct: rename one of the two");
}

/* Reports a name that has a meaning in bodies. NULL: it has none. */
static void report_meaning(sema *s, const ast_ident *name, const char *means, const char *what)
{
    if (means) report_reserved(s, name, arena_printf(s->arena, "%s, and no name of a %s", means, what), what);
}

/* Parameters of a worker may have names such as `result`, which mean something only in a step. */
static void check_argument_name(sema *s, scope *params, const ast_ident *name)
{
    if (is_flow_or_self(name->name)) report_meaning(s, name, reserved_in_bodies(name->name), "parameter");
    else report_reserved(s, name, reserved_by(name->name), "parameter");
    check_twice(s, params, name);
}

static void check_member_name(sema *s, scope *members, const ast_ident *name, const char *what)
{
    if (!report_reserved(s, name, reserved_by(name->name), what))
        report_meaning(s, name, reserved_in_bodies(name->name), what);
    check_twice(s, members, name);
}

size_t check_names_of_plain(sema *s, const ast_plain *plain)
{
    scope members = {0};
    for (const ast_declaration *list = plain->fields; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (!d->name.name) continue;
            report_reserved(s, &d->name, reserved_by(d->name.name), "member");
            check_name_twice(s, &members, &d->name, "rename one of the two");
        }
    }
    return members.count;
}

/* Checks the name of something that an arm can wait for. */
static void check_awaited_name(sema *s, scope *members, const ast_ident *name, const char *what)
{
    report_reserved(s, name, reserved_in_arms(name->name), what);
    check_member_name(s, members, name, what);
}

bool find_qualifier(const ast_declarator *d, const char *word, uint32_t *index)
{
    for (uint32_t i = d->name_token; i-- > d->declarator.first;) {
        if (token_is(d->declarator.list, i, "*")) return false;
        if (!token_is(d->declarator.list, i, word)) continue;
        *index = i;
        return true;
    }
    *index = find_outside(d->specifiers, word);
    return *index < d->specifiers.end;
}

bool find_storage_class(const ast_declarator *d, uint32_t *index)
{
    token_range const type = d->specifiers;
    for (*index = type.first; *index < type.end; ++*index) {
        if (token_is(type.list, *index, "{")) *index = closing_bracket(type, *index);
        else if (type.list->items[*index].flags & TOKEN_STORAGE) return true;
    }
    return false;
}

bool find_empty_bounds(const ast_declarator *d, uint32_t *index)
{
    for (uint32_t i = d->name_token + 1; i + 1 < d->declarator.end; i++) {
        if (!token_is(d->declarator.list, i, "[") || !token_is(d->declarator.list, i + 1, "]")) continue;
        *index = i;
        return true;
    }
    return false;
}

/* Is a definition in it, as in `struct { int a; } p` or `struct point { … } p`? Each function with such a parameter
 * would have a type of its own. */
static bool defines_type(const ast_declarator *d)
{
    token_range const type = d->specifiers;
    uint32_t at = type.first;
    while (at < type.end && !token_is_one_of(type.list, at, "{ (")) at++; /* `typeof (` and similar words end it */
    return at < type.end && token_is(type.list, at, "{");
}

static bool is_flow_type(const sema *s, const ast_declarator *d)
{
    if (range_empty(d->specifiers)) return false;
    const char *const type = token_intern(s->arena, d->specifiers.list, d->specifiers.end - 1);
    return scope_find(&s->flows, type) != NULL;
}

bool is_bare_flow(const sema *s, const ast_declarator *d)
{
    bool const has_args = d->name_token + 1 < d->declarator.end && token_is(d->declarator.list, d->name_token + 1, "(");
    return d->declarator.first == d->name_token && (has_args || d->declarator.end - d->declarator.first == 1) &&
           is_flow_type(s, d);
}

static bool report_parameter(sema *s, const ast_declarator *d, span at, const char *wrong, const char *help)
{
    diag_report *const r = report_at(s, UF0416, at, "parameter `%s` %s", d->name.name, wrong);
    diag_help(r, "%s", help);
    return false;
}

/* A parameter has a type and a name, and nothing more. */
static bool check_parameter(sema *s, const ast_declarator *d)
{
    uint32_t at;
    if (defines_type(d))
        return report_parameter(s, d, range_span(d->specifiers), "defines a type",
                                "define it in a `header` block, and give it a name");
    for (at = d->specifiers.first; at < d->specifiers.end; at++) {
        if (token_is_one_of(d->specifiers.list, at, "_Alignas alignas"))
            return report_parameter(s, d, token_span(d->specifiers.list, at), "has an alignment",
                                    "leave it out; C aligns fields and the members of structs");
    }
    if (!range_empty(d->initializer))
        return report_parameter(s, d, range_span(d->initializer), "has a value already",
                                "C has no default arguments: leave it out");
    if (!range_empty(d->bits))
        return report_parameter(s, d, range_span(d->bits), "has a width",
                                "leave it out; a bit-field is a field of the flow, the task or a struct");
    return true;
}

/* `flow A a;` was read as a field: an unclosed parenthesis turned `flow` into C. */
static bool is_explained(const ast_declarator *d)
{
    return !range_empty(d->specifiers) && token_is(d->specifiers.list, d->specifiers.first, "flow");
}

/* Reports the first fault only. Returns true if there is none. */
static bool check_shape(sema *s, const ast_declarator *d, member_role role)
{
    const token_list *list = d->declarator.list;
    type_form const form = form_of(s, d, role == ROLE_FIELD ? UINT_MAX : 0); /* a field may be an array */
    uint32_t at;
    if (is_explained(d)) return false;
    if (role != ROLE_FIELD && !check_parameter(s, d)) return false;
    if (find_storage_class(d, &at)) {
        diag_report *r = report_at(s, UF0404, token_span(list, at), "a %s cannot be %s", role_name(role),
                                   token_intern(s->arena, list, at));
        diag_help(r,
                  role == ROLE_FIELD ? "what all instances share belongs into a `source` block" : "leave the word out");
    } else if (find_qualifier(d, "const", &at)) {
        diag_report *r =
            report_at(s, UF0403, token_span(list, at), "%s `%s` cannot be const", role_name(role), d->name.name);
        diag_help(r, role == ROLE_FIELD
                         ? "it is set when the instance is initialised or the task entered: leave `const` out"
                     : role == ROLE_ARGUMENT
                         ? "it is stored until the worker runs: leave `const` out"
                         : "it is stored until it is used: leave `const` out; in a step's body it is constant anyway");
    } else if (form == FORM_CONSTANT && (role != ROLE_FIELD || !range_empty(d->initializer))) {
        diag_report *r = report_at(s, UF0403, range_span(d->specifiers), "%s `%s` has a type that is const",
                                   role_name(role), d->name.name);
        diag_help(r, "it is stored by an assignment: give it the type without `const`");
    } else if (is_bare_flow(s, d)) {
        const char *const type = text_at(s, token_span(d->specifiers.list, d->specifiers.end - 1));
        diag_report *r = report_at(s, UF0412, range_span(d->specifiers),
                                   "%s `%s` is a flow, declared as if it were not", role_name(role), d->name.name);
        if (role == ROLE_FIELD && token_is(d->specifiers.list, d->specifiers.first, "pool"))
            diag_help(r, "a pool has a size: `pool %s %s[8];`", type, d->name.name);
        else if (role == ROLE_FIELD)
            diag_help(r, "for a sub-flow write `flow %s %s;`", type, text_at(s, range_span(d->declarator)));
        else diag_help(r, "pass a pointer: `%s *%s`", type, d->name.name);
    } else if (form == FORM_FUNCTION) {
        diag_report *r =
            report_at(s, UF0407, d->name.at, "`%s` is a function, and no %s", d->name.name, role_name(role));
        diag_help(r, "for a pointer to one write `(*%s)`; declare functions in a `header` or `source` block",
                  d->name.name);
    } else if (form == FORM_VOID) {
        diag_report *r = report_at(s, UF0407, d->name.at, "`%s` is void, and no %s", d->name.name, role_name(role));
        diag_help(r, "give it the type of a value, such as `int` or `void *`");
    } else if (role != ROLE_FIELD && form == FORM_ARRAY) {
        diag_report *r = report_at(s, UF0406, d->name.at, "parameter `%s` is an array", d->name.name);
        diag_help(r, "pass a pointer to something that lives on, or a struct that holds the array");
    } else if (role == ROLE_FIELD && d->is_array && find_empty_bounds(d, &at)) {
        diag_report *r = report_at(s, UF0405, span_join(token_span(list, at), token_span(list, at + 1)),
                                   "field `%s` has no size", d->name.name);
        diag_help(r, "write the number of elements, also with an initialiser");
    } else {
        return true;
    }
    return false;
}

/* Reports a declaration such as `int bool;`, which declares nothing. */
static void check_words(sema *s, token_range text)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        if (!(text.list->items[i].flags & TOKEN_WORDS_OF_C)) return;
    }
    if (text.end - text.first < 2) return;
    const char *const word = token_intern(s->arena, text.list, text.end - 1);
    diag_report *r = report_at(s, UF0310, token_span(text.list, text.end - 1), "`%s` is a word of C", word);
    diag_help(r, "give the field another name");
}

/* Reports `int : 3 = 0;`: an unnamed field has no value. */
static void check_unnamed(sema *s, const ast_declarator *d)
{
    if (range_empty(d->initializer)) return;
    diag_report *r = report_at(s, UF0418, range_span(d->initializer), "this is the value of a field without a name");
    diag_help(r, "give the field a name, or leave the value out");
}

/* `uf_pause hold`, and no pointer to one. */
static bool declares_pause(const ast_declarator *d)
{
    token_range const names = d->declarator, specifiers = d->specifiers;
    return specifiers.end - specifiers.first == 1 && token_is(specifiers.list, specifiers.first, "uf_pause") &&
           !token_is_one_of(names.list, names.first, "* (");
}

/* Reports a record that the pause outlives. */
static void report_pause(sema *s, const ast_ident *name, const char *what)
{
    diag_report *const r = report_at(s, UF0609, name->at, "`%s` is %s", name->name, what);
    diag_help(r, "declare it as a field of the flow: `uf_pause %s;`", name->name);
}

/* `of_flow`: the members of the flow, for a field of a task. */
static void check_declaration(sema *s, scope *members, const ast_declaration *declaration, member_role role,
                              const scope *of_flow)
{
    bool const is_of_flow = role == ROLE_FIELD && !of_flow;
    if (role == ROLE_FIELD && report_statement_as_field(s, declaration->text, of_flow != NULL)) return;
    if (!declaration->first) check_words(s, declaration->text);
    bool fits = true; /* until the first fault: later declarators share the specifiers */
    for (const ast_declarator *d = declaration->first; d; d = d->next) {
        if (!d->name.name && role == ROLE_FIELD) {
            check_unnamed(s, d);
            continue;
        }
        if (!d->name.name) {
            diag_report *r = report_at(s, UF0410, range_span(declaration->text), "a parameter has no name");
            diag_help(r, "write one after its type");
            continue;
        }
        if (role == ROLE_ARGUMENT) check_argument_name(s, members, &d->name);
        else check_member_name(s, members, &d->name, role_name(role));
        if (fits) fits = check_shape(s, d, role);
        if (of_flow && declares_pause(d))
            report_pause(s, &d->name, "a field of a task, whose next entry clears it, also while a pause uses it");
        check_initializer(s, d->initializer, is_of_flow ? &d->name : NULL, "an initialiser");
        check_initial_pointer(s, d->initializer);
        check_without_bindings(s, d->initializer, false, "an initialiser");
        if (role == ROLE_FIELD)
            check_bare_members(s, d->initializer, of_flow ? of_flow : members, of_flow ? members : NULL, &d->name);
    }
}

static void check_members(sema *s, scope *members, const ast_declaration *list, member_role role, const scope *of_flow)
{
    for (; list; list = list->next) check_declaration(s, members, list, role, of_flow);
}

/* `free` takes any pointer, so the C compiler accepts it. */
static void check_drop(sema *s, const ast_ident *drop)
{
    if (!drop->name || strcmp(drop->name, "free") != 0) return;
    diag_report *r = report_at(s, UF0373, drop->at, "`free` would get the address of the value");
    diag_help(r, "name a function of your own: `static void text_free(char **text) { free(*text); }`");
}

/* A mailbox is an array of items inside the flow. */
static void check_mailbox(sema *s, const ast_mailbox *mailbox)
{
    const ast_declarator *item = mailbox->item;
    const token_list *list = item->declarator.list;
    span declaration = range_span(item->specifiers); /* to this one: a fault of the specifiers is reported once */
    declaration.end = item->name.at.begin;
    if (diag_error_within(s->diagnostics, declaration)) return;
    type_form const form = form_of(s, item, 1);
    uint32_t at;
    const char *help = NULL; /* NULL: to write the capacity */
    diag_report *r;
    if (range_empty(mailbox->capacity)) {
        r = report_at(s, UF0413, item->name.at, "mailbox `%s` does not say how many it holds", item->name.name);
    } else if (form != FORM_VALUE) {
        r = report_at(s, UF0413, item->name.at, "what mailbox `%s` holds is no value that can be sent",
                      item->name.name);
        help = form == FORM_ARRAY      ? "put the array into a struct: it travels by value"
               : form == FORM_CONSTANT ? "its type is const: give it the type without `const`"
                                       : "send a number, a pointer or a struct";
    } else if (defines_type(item)) {
        r = report_at(s, UF0413, range_span(item->specifiers), "mailbox `%s` defines a type", item->name.name);
        help = "define it in a `header` block and give it a name: senders need it too";
    } else if (item->declarator.first == item->name_token && is_flow_type(s, item)) {
        r = report_at(s, UF0413, range_span(item->specifiers), "mailbox `%s` would hold copies of a flow",
                      item->name.name);
        help = "send pointers to flows";
    } else if (find_name(mailbox->capacity, "flow", &at) || find_name(mailbox->capacity, "self", &at) ||
               (mailbox->capacity.end - mailbox->capacity.first == 1 && token_is(list, mailbox->capacity.first, "0"))) {
        r = report_at(s, UF0413, range_span(mailbox->capacity),
                      "the capacity of mailbox `%s` is a constant, of at least 1", item->name.name);
    } else if (!range_empty(item->initializer) || !range_empty(item->bits)) {
        span const extra = range_span(range_empty(item->bits) ? item->initializer : item->bits);
        r = report_at(s, UF0413, extra, "mailbox `%s` is empty at first", item->name.name);
        help = "leave the initialiser out";
    } else if (find_storage_class(item, &at) || find_qualifier(item, "const", &at) ||
               find_qualifier(item, "_Alignas", &at) || find_qualifier(item, "alignas", &at) ||
               find_qualifier(item, "volatile", &at) || find_qualifier(item, "_Atomic", &at)) {
        r = report_at(s, UF0413, token_span(list, at), "a mailbox cannot be %s", token_intern(s->arena, list, at));
        help = "leave the word out";
    } else {
        return;
    }
    if (help) diag_help(r, "%s", help);
    else diag_help(r, "write a constant between brackets: `mailbox int %s[16];`", item->name.name);
}

static void check_member(sema *s, scope *members, const ast_member *member)
{
    switch (member->kind) {
    case MEMBER_FIELD: check_members(s, members, member->field, ROLE_FIELD, NULL); break;
    case MEMBER_SUBFLOW: {
        const ast_subflow *subflow = member->subflow;
        check_member_name(s, members, &subflow->name, subflow->is_pool ? "pool" : "sub-flow");
        for (uint32_t i = 0; i < subflow->args.count; i++) {
            check_initializer(s, subflow->args.items[i], subflow->is_pool ? NULL : &subflow->name,
                              "an argument of a sub-flow");
            bool const has_index = subflow->is_array || subflow->is_pool;
            check_without_bindings(s, subflow->args.items[i], has_index, "this argument");
            check_bare_members(s, subflow->args.items[i], members, NULL, &subflow->name);
        }
        break;
    }
    case MEMBER_SIGNAL: check_awaited_name(s, members, &member->point->name, "signal"); break;
    case MEMBER_CHECKPOINT: check_awaited_name(s, members, &member->point->name, "checkpoint"); break;
    case MEMBER_MAILBOX:
        check_awaited_name(s, members, &member->mailbox->item->name, "mailbox");
        check_mailbox(s, member->mailbox);
        check_drop(s, &member->mailbox->drop);
        break;
    }
}

/* A worker calls no function of a flow. */
static bool report_generated_name(sema *s, const ast_ident *name, const char *what)
{
    const ast_flow *const flow = s->names ? s->names->flow : NULL;
    if (!flow || !is_generated_name(s, flow, name->name)) return false;
    const char *const whose = arena_printf(s->arena, "a function that ufc makes for flow %s", flow->name.name);
    return report_reserved(s, name, whose, what);
}

void check_declarations(sema *s, ast_flow *flow)
{
    scope members = {0};
    check_members(s, &members, flow->params, ROLE_PARAMETER, NULL);
    for (ast_member *member = flow->members; member; member = member->next) check_member(s, &members, member);
    for (ast_task *task = flow->tasks; task; task = task->next) {
        scope state = {0};
        check_task_result(s, task);
        check_members(s, &state, task->params, ROLE_PARAMETER, NULL);
        check_members(s, &state, task->fields, ROLE_FIELD, &members);
        for (ast_job *job = task->jobs; job; job = job->next) check_awaited_name(s, &state, &job->name, "job");
        for (ast_step *step = task->steps; step; step = step->next) {
            scope params = {0};
            check_members(s, &params, step->params, ROLE_PARAMETER, NULL);
            for (const ast_declaration *p = step->params; p; p = p->next)
                if (p->first->name.name) report_generated_name(s, &p->first->name, "parameter");
        }
    }
}

typedef struct surroundings {
    sema *sema;
    const body_site *site;
} surroundings;

/* workers.c reports `flow` in a worker, and emit_end_body() knows of `reason`. */
static bool is_bound_here(const body_site *site, const char *name)
{
    if (is_flow_or_self(name)) return site->flow;
    return (is_at_end(site) && strcmp(name, "outcome") == 0) || (site->on == ON_RESUME && strcmp(name, "paused") == 0);
}

static void check_local_pause(sema *s, const declared *one)
{
    if (one->kind != DECLARED_VARIABLE || !one->declarator || !declares_pause(one->declarator)) return;
    report_pause(s, &one->name, "a local, and a pause uses its record until the resume");
}

static void check_local_name(const declared *one, void *context)
{
    const surroundings *const in = context;
    const char *const name = one->name.name;
    check_local_pause(in->sema, one);
    if (one->if_type || one->kind == DECLARED_TAG || report_generated_name(in->sema, &one->name, "local")) return;
    if (is_bound_here(in->site, name)) {
        const char *const means = reserved_in_bodies(name);
        report_meaning(in->sema, &one->name, means ? means : "how long the flow stood", "local");
    } else if (strncmp(name, "uf_", 3) == 0 || strncmp(name, "UF_", 3) == 0) {
        report_reserved(in->sema, &one->name, "a name of the runtime", "local");
    }
}

static void check_local_names(ast_statement *statement, void *context)
{
    const surroundings *const in = context;
    each_local(in->sema, statement, check_local_name, context);
}

void check_locals(sema *s, const body_site *site)
{
    walk_statements(site->body->first, check_local_names, &(surroundings){s, site});
    uint32_t at;
    if (site->flow && !site->task && find_name(site->body->text, "self", &at)) {
        diag_report *r = report_at(s, UF0409, token_span(site->body->text.list, at),
                                   site->group ? "`%s` of a group belongs to no task" : "`%s` belongs to no task",
                                   words_of_handler(site));
        diag_help(r, is_at_end(site) ? "release what belongs to the task in its `on exit`"
                                     : "set what depends on the task in its `on enter`");
    }
}

/* A literal is a decimal integer, and not 0. The C compiler knows what a name stands for. */
static void check_limit(sema *s, const ast_worker *worker)
{
    token_range const limit = worker->limit;
    if (range_empty(limit) || token_is_name(limit.list, limit.first)) return;
    const char *const text = token_intern(s->arena, limit.list, limit.first);
    if (text[strspn(text, "0123456789")] == '\0' && text[strspn(text, "0")] != '\0') return;
    diag_report *r =
        report_at(s, UF0375, range_span(limit), "the limit of `%s` is a number of runs, 1 at least", worker->name.name);
    diag_help(r, "write how many may run at a time: `limit 2`");
}

void check_worker_declarations(sema *s, const body_site *site)
{
    scope params = {0};
    const ast_worker *const worker = site->worker;
    check_members(s, &params, worker->params, ROLE_ARGUMENT, NULL);
    check_limit(s, worker);
    if (worker_returns(worker)) check_drop(s, &worker->drop);
    if (!worker->drop.name || worker_returns(worker)) return;
    diag_report *r = report_at(s, UF0372, worker->drop.at, "worker `%s` returns nothing to drop", worker->name.name);
    diag_help(r, "leave `drop %s` out, or return a value: `%s` gets a pointer to it", worker->drop.name,
              worker->drop.name);
}
