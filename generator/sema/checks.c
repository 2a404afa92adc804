/* SPDX-License-Identifier: MIT */
/* checks.c - helpers that several checks use. */
#include "checks.h"
#include "words.h"

bool report_divided(sema *s, const token_range *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t const at = token_dividing(items[i]);
        if (at == items[i].end) continue;
        diag_report *r =
            report_at(s, UF0109, token_span(items[i].list, at), "a branch of this holds a comma between arguments");
        diag_help(r, "write directives inside of one argument, or the whole in each branch");
        return true;
    }
    return false;
}

bool report_reserved(sema *s, const ast_ident *name, const char *whose, const char *what)
{
    if (!whose) return false;
    diag_report *r = report_at(s, UF0310, name->at, "`%s` is %s", name->name, whose);
    diag_help(r, "give the %s another name", what);
    return true;
}

bool is_at_end(const body_site *site)
{
    return site->on == ON_END || site->on == ON_EXIT;
}

const char *words_of_handler(const body_site *site)
{
    return site->hook ? hook_infos[site->hook->kind].word : handler_words[site->on];
}

typedef struct body_checking {
    sema *sema;
    body_check *visit;
} body_checking;

static void check_body(const body_site *site, void *context)
{
    const body_checking *const by = context;
    by->visit(by->sema, site);
}

void for_each_body(sema *s, ast_flow *flow, body_check *visit)
{
    walk_bodies(flow, check_body, &(body_checking){s, visit});
}

typedef struct statement_search {
    unsigned kinds;
    bool found;
} statement_search;

static void note_statement(ast_statement *statement, void *context)
{
    statement_search *const search = context;
    search->found = search->found || (search->kinds & 1u << statement->kind);
}

bool has_statement(ast_statement *list, unsigned kinds)
{
    statement_search search = {.kinds = kinds};
    walk_statements(list, note_statement, &search);
    return search.found;
}

bool is_one_of_many(const sema *s)
{
    return diag_error_count(s->diagnostics) > DIAG_HELPED_ERRORS;
}

/* The search for a similar name takes time in proportion to their number. */
#define CANDIDATE_LIMIT 2000u

void candidates_add(sema *s, candidates *c, const char *name)
{
    if (!name || c->count == CANDIDATE_LIMIT) return;
    c->names = arena_reserve(s->arena, c->names, &c->capacity, c->count + 1, sizeof *c->names);
    c->names[c->count++] = name;
}

bool candidates_help(candidates *c, const char *name, diag_report *report)
{
    const char *near = c->count ? diag_nearest(name, c->names, c->count) : NULL;
    if (near) diag_help(report, "did you mean `%s`?", near);
    return near != NULL;
}

bool is_second(sema *s, scope *unknown, const ast_ident *name)
{
    return scope_add(s->arena, unknown, name->name, (void *)name) != NULL;
}

bool help_near_task(sema *s, diag_report *report, const ast_flow *flow, const char *name)
{
    candidates near = {0};
    for (const ast_task *known = flow->tasks; known; known = known->next) candidates_add(s, &near, known->name.name);
    return candidates_help(&near, name, report);
}

void report_no_task(sema *s, const ast_flow *flow, const ast_ident *task, const char *help)
{
    diag_report *const report = report_at(s, UF0307, task->at, "flow %s has no task `%s`", flow->name.name, task->name);
    diag_note(report, flow->name.at, "flow `%s` is here", flow->name.name);
    if (is_one_of_many(s) || help_near_task(s, report, flow, task->name)) return;
    diag_help(report, "%s", help);
}

bool worker_returns(const ast_worker *worker)
{
    token_range const type = worker->result;
    return type.end != type.first + 1 || !token_is(type.list, type.first, "void");
}
