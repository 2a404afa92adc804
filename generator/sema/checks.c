/* SPDX-License-Identifier: MIT */
/* checks.c - helpers that several checks use. */
#include "checks.h"
#include "reserved.h"

bool is_in_capitals(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i] >= 'a' && word[i] <= 'z') return false;
    }
    return true;
}

bool report_divided(sema *s, const token_range *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t const at = token_dividing(items[i]);
        if (at == items[i].end) continue;
        span const where = {items[i].list->in, items[i].list->items[at].begin, items[i].list->items[at].end};
        diag_report *r = diag_at(s->diagnostics, UF0109, where, "a branch of this holds a comma between arguments");
        diag_help(r, "write directives inside of one argument, or the whole in each branch");
        return true;
    }
    return false;
}

void check_name_of_arm(sema *s, const ast_ident *name, const char *what)
{
    const char *whose = reserved_in_arms(name->name);
    if (!whose) return;
    diag_report *r = diag_at(s->diagnostics, UF0310, name->at, "`%s` is %s", name->name, whose);
    diag_help(r, "give the %s another name", what);
}

bool is_at_end(const body_site *site)
{
    return (site->flow && site->body == site->flow->on_end) || (site->group && site->body == site->group->on_exit) ||
           (site->task && site->body == site->task->on_exit);
}

bool is_at_resume(const body_site *site)
{
    return (site->group && site->body == site->group->on_resume) || (site->task && site->body == site->task->on_resume);
}

bool is_at_pause(const body_site *site)
{
    return (site->group && site->body == site->group->on_pause) || (site->task && site->body == site->task->on_pause);
}

const char *words_of_handler(const body_site *site)
{
    if (site->hook) return hook_infos[site->hook->kind].word;
    bool const is_inside = site->task || site->group;
    const ast_body *const body = site->body;
    if (body == (site->task ? site->task->on_suspend : site->group ? site->group->on_suspend : site->flow->on_suspend))
        return "on suspend";
    if (body == (site->task ? site->task->on_restore : site->group ? site->group->on_restore : site->flow->on_restore))
        return "on restore";
    if (is_at_pause(site) || is_at_resume(site)) return is_at_resume(site) ? "on resume" : "on pause";
    return is_at_end(site) ? (is_inside ? "on exit" : "on end") : is_inside ? "on enter" : "on init";
}

void for_each_body(sema *s, ast_flow *flow, body_check *visit)
{
    if (flow->on_init) visit(s, &(body_site){.flow = flow, .body = flow->on_init});
    if (flow->on_end) visit(s, &(body_site){.flow = flow, .body = flow->on_end});
    if (flow->on_suspend) visit(s, &(body_site){.flow = flow, .body = flow->on_suspend});
    if (flow->on_restore) visit(s, &(body_site){.flow = flow, .body = flow->on_restore});
    for (ast_hook *hook = flow->test ? flow->test->hooks : NULL; hook; hook = hook->next) {
        if (hook_infos[hook->kind].form == HOOK_IS_NOTHING) continue;
        visit(s, &(body_site){.flow = flow, .hook = hook, .body = &hook->body});
    }
    for (ast_group *group = flow->groups; group; group = group->next) {
        if (group->on_enter) visit(s, &(body_site){.flow = flow, .group = group, .body = group->on_enter});
        if (group->on_exit) visit(s, &(body_site){.flow = flow, .group = group, .body = group->on_exit});
        if (group->on_pause) visit(s, &(body_site){.flow = flow, .group = group, .body = group->on_pause});
        if (group->on_resume) visit(s, &(body_site){.flow = flow, .group = group, .body = group->on_resume});
        if (group->on_suspend) visit(s, &(body_site){.flow = flow, .group = group, .body = group->on_suspend});
        if (group->on_restore) visit(s, &(body_site){.flow = flow, .group = group, .body = group->on_restore});
    }
    for (ast_task *task = flow->tasks; task; task = task->next) {
        if (task->on_enter) visit(s, &(body_site){.flow = flow, .task = task, .body = task->on_enter});
        if (task->on_exit) visit(s, &(body_site){.flow = flow, .task = task, .body = task->on_exit});
        if (task->on_pause) visit(s, &(body_site){.flow = flow, .task = task, .body = task->on_pause});
        if (task->on_resume) visit(s, &(body_site){.flow = flow, .task = task, .body = task->on_resume});
        if (task->on_suspend) visit(s, &(body_site){.flow = flow, .task = task, .body = task->on_suspend});
        if (task->on_restore) visit(s, &(body_site){.flow = flow, .task = task, .body = task->on_restore});
        for (ast_step *step = task->steps; step; step = step->next) {
            visit(s, &(body_site){.flow = flow, .task = task, .step = step, .body = &step->body});
        }
    }
}

void for_each_preempt(sema *s, ast_flow *flow, preempt_check *visit)
{
    for (ast_preempt *p = flow->preempts; p; p = p->next) visit(s, flow, NULL, p);
    for (const ast_group *group = flow->groups; group; group = group->next) {
        for (ast_preempt *p = group->preempts; p; p = p->next) visit(s, flow, NULL, p);
    }
    for (ast_task *task = flow->tasks; task; task = task->next) {
        for (ast_preempt *p = task->preempts; p; p = p->next) visit(s, flow, task, p);
    }
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
    if (c->count == c->capacity) {
        size_t const capacity = c->capacity ? c->capacity * 2 : 16;
        const char **names = ARENA_ARRAY(s->arena, const char *, capacity);
        for (size_t i = 0; i < c->count; i++) names[i] = c->names[i];
        c->names = names;
        c->capacity = capacity;
    }
    c->names[c->count++] = name;
}

bool candidates_help(candidates *c, const char *name, diag_report *report)
{
    const char *near = c->count ? diag_nearest(name, c->names, c->count) : NULL;
    if (near) diag_help(report, "did you mean `%s`?", near);
    return near != NULL;
}

bool worker_returns(const ast_worker *worker)
{
    token_range const type = worker->result;
    return type.end != type.first + 1 || !token_is(type.list, type.first, "void");
}
