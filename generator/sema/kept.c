/* SPDX-License-Identifier: MIT */
/* What a durable flow keeps, and the members of plain structs: types that can be written by name, member by member.
 * The C compiler checks what a typedef stands for. */
#include <limits.h>

#include "checks.h"
#include "words.h"

#define WHAT_IS_KEPT "numbers, enums, `uf_text`, plain structs, and arrays of them"

/* The plain struct that the token names; NULL: none. */
static const ast_plain *find_plain(const sema *s, const token_list *list, uint32_t index)
{
    size_t length;
    const char *const name = token_text(list, index, &length);
    return scope_find_text(&s->plains, name, length);
}

/* Why can a type not be kept? NULL: it may be kept. */
static const char *obstacle(const sema *s, token_range type, const ast_plain **plain)
{
    const token_list *const list = type.list;
    *plain = NULL;
    for (uint32_t i = type.first; i < type.end; i++) {
        if (token_is(list, i, "*")) return "it is a pointer";
        if (token_is(list, i, "(")) return "its type has parentheses";
        if (token_is(list, i, "union")) return "it is a union";
        if (token_is_name(list, i) && !*plain) *plain = find_plain(s, list, i);
        if (token_is(list, i, "struct") && !find_plain(s, list, i + 1)) return "its struct is not a plain one";
    }
    return NULL;
}

static const char *obstacle_of(const sema *s, ast_declarator *d)
{
    const char *why = obstacle(s, d->specifiers, &d->plain);
    for (uint32_t i = d->declarator.first; !why && i < d->declarator.end; i++) {
        if (token_is(d->declarator.list, i, "[")) i = token_after_brackets(d->declarator.list, i) - 1;
        else if (token_is(d->declarator.list, i, "*")) why = "it is a pointer";
        else if (token_is(d->declarator.list, i, "(")) why = "it is a function";
    }
    return why ? why : range_empty(d->bits) ? NULL : "it is a bit-field";
}

/* Why can a plain struct not have that member? The header declares plain structs in source order. */
static const char *obstacle_of_member(sema *s, ast_declarator *d)
{
    const char *const why = obstacle_of(s, d);
    uint32_t at;
    if (why) return why;
    type_form const form = form_of(s, d, UINT_MAX);
    if (form == FORM_FUNCTION) return "it is a function";
    if (form == FORM_VOID) return "it is void";
    if (is_bare_flow(s, d)) return "it is a flow";
    if (find_storage_class(d, &at)) return "a member has no storage class";
    if (form == FORM_CONSTANT || find_qualifier(d, "const", &at)) return "it is const";
    if (find_empty_bounds(d, &at)) return "it has no size";
    if (!range_empty(d->initializer)) return "a member has no value before a flow has its struct";
    if (!d->plain || d->plain->name.at.in != d->name.at.in || d->plain->at.end <= d->name.at.begin) return NULL;
    return d->plain->at.begin < d->name.at.begin ? "the struct would contain itself" : "its struct is declared below";
}

typedef enum place_of_kept { IN_FIELD, IN_PARAMETER, IN_PLAIN } place_of_kept;

static void report(sema *s, span at, const char *name, const char *why, place_of_kept place)
{
    diag_report *const r = report_at(s, UF0422, at, "`%s` cannot be kept: %s", name, why);
    if (place == IN_FIELD)
        diag_help(r, "write `transient` before it, and set it in `on init` or `on restore`; kept are " WHAT_IS_KEPT);
    else if (place == IN_PARAMETER)
        diag_help(r, "kept are " WHAT_IS_KEPT "; a reason is passed as `uf_text_of(reason)`");
    else diag_help(r, "a plain struct holds " WHAT_IS_KEPT);
}

static void check_declaration(sema *s, const ast_declaration *declaration, place_of_kept place)
{
    if (declaration->is_transient) return;
    bool const is_assertion = declaration->text.list->items[declaration->text.first].flags & TOKEN_EXPRESSION;
    if (!declaration->first && !is_assertion)
        report(s, range_span(declaration->text), "struct", "it has no name", place);
    for (ast_declarator *d = declaration->first; d; d = d->next) {
        const char *const why = !d->name.name ? NULL : place == IN_PLAIN ? obstacle_of_member(s, d) : obstacle_of(s, d);
        if (why) report(s, d->name.at, d->name.name, why, place);
    }
}

static void check_all(sema *s, const ast_declaration *list, place_of_kept place)
{
    for (; list; list = list->next) check_declaration(s, list, place);
}

void check_plains(sema *s)
{
    for (const ast_plain *plain = s->file->plains; plain; plain = plain->next) {
        check_all(s, plain->fields, IN_PLAIN);
        if (check_names_of_plain(s, plain) > 0) continue;
        diag_report *const r =
            report_at(s, UF0312, plain->name.at, "plain struct `%s` has no member", plain->name.name);
        diag_help(r, "add what it holds: `int count;`");
    }
}

/* -- in flows that are not durable --------------------------------------------------------------------------------- */

static void report_word(sema *s, span at, const char *words)
{
    diag_report *const r = report_at(s, UF0423, at, "`%s` is for durable flows", words);
    diag_help(r, "take it out, or write `durable flow`");
}

static void check_handler_word(sema *s, const body_site *site)
{
    token_range const text = site->body->text;
    if (site->on == ON_SUSPEND || site->on == ON_RESTORE)
        report_word(s, token_span(text.list, text.first), words_of_handler(site));
}

static void check_transient(sema *s, const ast_declaration *field)
{
    if (field && field->is_transient) report_word(s, range_span(field->text), "transient");
}

static void check_words(sema *s, ast_flow *flow)
{
    for_each_body(s, flow, check_handler_word);
    for (const ast_member *m = flow->members; m; m = m->next) check_transient(s, m->field);
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        for (const ast_declaration *field = task->fields; field; field = field->next) check_transient(s, field);
    }
}

void check_kept(sema *s, ast_flow *flow)
{
    if (!flow->is_durable) {
        check_words(s, flow);
        return;
    }
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->field) check_declaration(s, m->field, IN_FIELD);
    }
    for (ast_task *task = flow->tasks; task; task = task->next) {
        if (task->shutdown) continue; /* its run is not kept */
        check_all(s, task->params, IN_PARAMETER);
        check_all(s, task->fields, IN_FIELD);
        const char *const why = range_empty(task->result) ? NULL : obstacle(s, task->result, &task->plain_result);
        if (why) report(s, range_span(task->result), task->name.name, why, IN_PARAMETER);
        for (const ast_step *step = task->steps; step; step = step->next) check_all(s, step->params, IN_PARAMETER);
    }
}
