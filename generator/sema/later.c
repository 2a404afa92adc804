/* What the grammar reads, but this version of ufc does not make yet. */
#include "checks.h"
#include "walk.h"

static void report_later(sema *s, span at, const char *what)
{
    diag_report *r = diag_at(s->diagnostics, UF0203, at, "%s is not supported by this version of ufc yet", what);
    diag_help(r, "the word is kept for a later one");
}

static void check_event(ast_event *event, ast_arm *arm, void *context)
{
    (void)arm;
    sema *s = context;
    if (event->kind == EVENT_READABLE) report_later(s, event->at, "`readable`");
    if (event->kind == EVENT_WRITABLE) report_later(s, event->at, "`writable`");
    if (event->kind == EVENT_STOPPING) report_later(s, event->at, "`stopping`");
}

static void check_statement(ast_statement *statement, void *context)
{
    walk_events(statement, check_event, context);
}

static void check_body(sema *s, const body_site *site)
{
    if (site->step) walk_statements(site->body->first, check_statement, s);
}

void check_later(sema *s)
{
    for (const ast_flow *flow = s->file->flows; flow; flow = flow->next) {
        for (const ast_task *task = flow->tasks; task; task = task->next) {
            if (task->shutdown) report_later(s, task->name.at, "`shutdown task`");
        }
    }
    for_each_body(s, check_body);
}
