/* SPDX-License-Identifier: MIT */
/* Generated functions that a body may call, but not carelessly: they can refuse, or block. */
#include "checks.h"

void add_call(sema *s, const char *name, const char *done, const char *instead)
{
    call *c = scope_find(&s->calls, name);
    if (!c) {
        c = ARENA_NEW(s->arena, call);
        scope_add(s->arena, &s->calls, name, c);
    }
    if (done) c->done = done;
    if (instead && !c->instead) c->instead = instead;
}

static const char starts[] = "the task was started", sends[] = "the item was sent";

static void add_mailbox(sema *s, const char *flow, const char *name)
{
    add_call(s, ARENA_JOIN(s->arena, flow, name, "send"), sends, NULL);
    add_call(s, ARENA_JOIN(s->arena, flow, name, "send_wait"), sends,
             "wait with `await room(MAILBOX) -> Step`, and send in that step");
}

static void add_pool(sema *s, const ast_flow *flow, const ast_subflow *pool)
{
    const ast_flow *const type = type_of_subflow(flow, pool);
    for (const ast_task *task = type ? type->tasks : NULL; task; task = task->next)
        add_call(s, ARENA_JOIN(s->arena, flow->name.name, pool->name.name, "spawn", task->name.name), starts, NULL);
}

static void add_flow(sema *s, const ast_flow *flow)
{
    const char *const own = flow->name.name;
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        add_call(s, ARENA_JOIN(s->arena, own, "start", task->name.name), starts, NULL);
        add_call(s, ARENA_JOIN(s->arena, own, "start_run", task->name.name), starts, NULL);
        add_call(s, ARENA_JOIN(s->arena, own, "call", task->name.name), NULL,
                 arena_printf(s->arena, "a step awaits a task of another flow: `await run %s.%s(&flow->…) -> Step`",
                              own, task->name.name));
    }
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->mailbox) add_mailbox(s, own, m->mailbox->item->name.name);
        if (m->subflow && m->subflow->is_pool) add_pool(s, flow, m->subflow);
    }
}

void collect_calls(sema *s)
{
    for (const ast_flow *flow = s->file->flows; flow; flow = flow->next) add_flow(s, flow);
    for (const ast_import *import = s->file->imports; import; import = import->next) {
        for (const ast_flow *flow = import->file ? import->file->flows : NULL; flow; flow = flow->next)
            add_flow(s, flow);
    }
}
