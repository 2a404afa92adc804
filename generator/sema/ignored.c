/* Statements that ignore the result of a generated function which can refuse: a warning. */
#include "checks.h"
#include "walk.h"
#include "words.h"

static void add(sema *s, const char *name, const char *what)
{
    scope_add(s->arena, &s->refusable, name, (void *)what);
}

static void add_flow(sema *s, const ast_flow *flow)
{
    static const char starts[] = "the task was started", sends[] = "the item was sent";
    const char *const own = flow->name.name;
    for (const ast_task *task = flow->tasks; own && task; task = task->next) {
        if (!task->name.name) continue;
        add(s, ARENA_JOIN(s->arena, own, "start", task->name.name), starts);
        add(s, ARENA_JOIN(s->arena, own, "start_run", task->name.name), starts);
    }
    for (const ast_member *m = flow->members; own && m; m = m->next) {
        if (m->kind == MEMBER_MAILBOX && m->mailbox->item->name.name) {
            add(s, ARENA_JOIN(s->arena, own, m->mailbox->item->name.name, "send"), sends);
            add(s, ARENA_JOIN(s->arena, own, m->mailbox->item->name.name, "send_wait"), sends);
        }
        if (m->kind != MEMBER_SUBFLOW || !m->subflow->is_pool || !m->subflow->name.name) continue;
        const ast_flow *const type = type_of_subflow(flow, m->subflow);
        for (const ast_task *task = type ? type->tasks : NULL; task; task = task->next) {
            if (task->name.name)
                add(s, ARENA_JOIN(s->arena, own, m->subflow->name.name, "spawn", task->name.name), starts);
        }
    }
}

/* Does an expression begin here with such a call and end after it, or go on behind a comma? */
static void check_call(sema *s, token_range text, uint32_t at)
{
    if (at + 1 >= text.end || !token_is(text.list, at + 1, "(")) return;
    size_t length;
    const char *const word = token_text(text.list, at, &length);
    const char *const what = scope_find_text(&s->refusable, word, length);
    uint32_t const end = closing_bracket(text, at + 1), after = end + 1;
    if (!what || end == text.end) return;
    if (after < text.end && !token_is(text.list, after, ",") && !token_is(text.list, after, ";")) return;
    if (is_damaged(s, token_span(text.list, at))) return;
    diag_report *r = diag_at(s->diagnostics, UF0828, token_span(text.list, at),
                             "the result of `%.*s` is ignored: only `UF_OK` means that %s", (int)length, word, what);
    diag_help(r, "test the result, or ignore it on purpose: `(void)%.*s(…)`", (int)length, word);
}

static void check_statement(ast_statement *statement, void *context)
{
    if (statement->kind == STATEMENT_TEXT) check_call(context, statement->text, statement->text.first);
    if (statement->kind != STATEMENT_FOR) return;
    token_range const head = statement->condition;
    uint32_t clause = 0;
    for (uint32_t i = head.first; i < head.end; i++) {
        bool const begins = i == head.first || token_is(head.list, i - 1, ";");
        clause += begins;
        if (begins && clause != 2) check_call(context, head, i);
    }
}

static void check_body(sema *s, const body_site *site)
{
    walk_statements(site->body->first, check_statement, s);
}

void check_ignored(sema *s)
{
    for (const ast_flow *flow = s->file->flows; flow; flow = flow->next) add_flow(s, flow);
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        for (const ast_flow *flow = import->file ? import->file->flows : NULL; flow; flow = flow->next)
            add_flow(s, flow);
    }
    for_each_worker(s, check_body);
    for (ast_flow *flow = s->file->flows; flow; flow = flow->next) for_each_body(s, flow, check_body);
}
