/* SPDX-License-Identifier: MIT */
/* Names that a body changes or indexes and that nothing declares there: members of the flow or the task without
 * `flow->` or `self->`, and locals of other steps. The C compiler says no more than "undeclared". A macro of a header
 * may declare any name, so files with headers other than those of C and POSIX are not checked. */
#include <string.h>

#include "checks.h"
#include "uflow_parse.h"
#include "walk.h"
#include "words.h"

typedef struct bare_fields {
    sema *sema;
    body_site site;
    scope of_task;      /* of ast_ident */
    scope reported;     /* in this body */
    const char *sought; /* a local of an earlier step, */
    ast_ident found;    /* and where it is */
} bare_fields;

/* -- what a bare name can mean ------------------------------------------------------------------------------------- */

static void look_at_local(const declared *one, void *context)
{
    bare_fields *const b = context;
    bool const is_variable = one->kind == DECLARED_VARIABLE && !one->if_type;
    if (is_variable && !b->found.name && strcmp(one->name.name, b->sought) == 0) b->found = one->name;
}

static void look_for_local(ast_statement *statement, void *context)
{
    bare_fields *const b = context;
    each_local(b->sema, statement, look_at_local, b);
}

/* Returns NULL if no earlier step has such a local. */
static const ast_ident *find_dead_local(bare_fields *b, const char *name)
{
    b->sought = name;
    b->found = (ast_ident){0};
    for (ast_step *step = b->site.step ? b->site.task->steps : NULL; step && step != b->site.step; step = step->next)
        walk_statements(step->body.first, look_for_local, b);
    return b->found.name ? &b->found : NULL;
}

/* -- where a name is changed or indexed ---------------------------------------------------------------------------- */

/* Behind a name, a `*` or a comma it may be declared, and behind `[` or a `.` it designates. */
static bool may_designate(token_range text, uint32_t at)
{
    return range_has(text, at - 1, IS_WORD | IS_NAME | IS_TAG) || range_is_one_of(text, at - 1, "* , [");
}

static bool is_changed_or_indexed(token_range text, uint32_t at)
{
    uint16_t const next = at + 1 < text.end ? token_kind(text.list, at + 1) : 0;
    if (next == T_LBRACKET) return !may_designate(text, at);
    if (next == T_OPERATOR && token_is_one_of(text.list, at + 1, "= += -= *= /= %= &= |= ^= <<= >>= ++ --"))
        return !may_designate(text, at);
    return at > text.first && token_kind(text.list, at - 1) == T_OPERATOR &&
           token_is_one_of(text.list, at - 1, "++ --") && !kind_is(next, IS_ACCESS) && next != T_LPAREN;
}

/* -- reports ------------------------------------------------------------------------------------------------------- */

/* Variables of the headers of C and POSIX. */
static bool is_of_library(const char *name)
{
    return text_is_one_of(name, strlen(name),
                          "errno environ optarg opterr optind optopt signgam stdin stdout stderr "
                          "timezone daylight tzname getdate_err");
}

static bool has_no_other_meaning(bare_fields *b, const char *name)
{
    bool const is_parameter = b->site.step && find_declarator(b->site.step->params, name);
    return !is_parameter && !is_of_library(name) && !may_be_global(b->sema, name) &&
           !may_declare_name(b->sema, &b->site, name);
}

static void report(bare_fields *b, span at, const ast_ident *found, const char *owner)
{
    bool const is_local = !owner;
    diag_report *r = is_local ? report_at(b->sema, UF0830, at, "local `%s` of another step is gone here", found->name)
                              : report_at(b->sema, UF0829, at, "`%s` is a member of the %s", found->name,
                                          *owner == 's' ? "task" : "flow");
    diag_note(r, found->at, "it is declared here");
    if (is_local) diag_help(r, "declare it in the task, and write `self->%s` in both steps", found->name);
    else diag_help(r, "write `%s->%s`", owner, found->name);
}

static void look_at_text(token_range text, void *context)
{
    bare_fields *const b = context;
    for (uint32_t i = text.first; next_name(text, &i);) {
        if (!is_changed_or_indexed(text, i - 1)) continue;
        const char *const name = token_intern(b->sema->arena, text.list, i - 1);
        if (scope_add(b->sema->arena, &b->reported, name, (void *)name) || !has_no_other_meaning(b, name)) continue;
        const ast_ident *const of_task = scope_find(&b->of_task, name);
        const member_name *const member = find_flow_member(b->sema, b->site.flow, name);
        bool const of_flow = member && !(member->member && member->member->mailbox);
        const ast_ident *const found = of_task ? of_task : of_flow ? member->name : find_dead_local(b, name);
        if (found) report(b, token_span(text.list, i - 1), found, of_task ? "self" : of_flow ? "flow" : NULL);
    }
}

static void look_at_statement(ast_statement *s, void *context)
{
    if (s->kind == STATEMENT_AWAIT || s->kind == STATEMENT_STAY) return; /* lifetimes.c looks at arms */
    statement_texts(s, look_at_text, context);
}

static void look_at_body(const body_site *site, void *context)
{
    bare_fields *const b = context;
    if (site->task != b->site.task) {
        b->of_task = (scope){0};
        add_names(b->sema, &b->of_task, site->task->params);
        add_names(b->sema, &b->of_task, site->task->fields);
    }
    b->reported = (scope){0};
    b->site = *site;
    walk_statements(site->body->first, look_at_statement, b);
}

void check_bare_fields(sema *s, ast_flow *flow)
{
    bare_fields b = {.sema = s};
    bool const is_asked_for = diag_is_asked_for(s->diagnostics, UF0829) || diag_is_asked_for(s->diagnostics, UF0830);
    if (includes_unknown_headers(s) && !is_asked_for) return;
    walk_bodies(flow, look_at_body, &b);
}
