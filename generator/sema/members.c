/* SPDX-License-Identifier: MIT */
/* Members of flows and tasks, by name. If names are equal, the first. */
#include <string.h>

#include "checks.h"

static void add(sema *s, scope *to, member_name one)
{
    if (!one.name->name) return;
    member_name *const kept = ARENA_NEW(s->arena, member_name);
    *kept = one;
    scope_add(s->arena, to, one.name->name, kept);
}

static void add_fields(sema *s, scope *to, const ast_declaration *list, const ast_member *member)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next)
            add(s, to, (member_name){.name = &d->name, .field = d, .member = member});
    }
}

static void add_member(sema *s, scope *to, const ast_member *m)
{
    switch (m->kind) {
    case MEMBER_FIELD: add_fields(s, to, m->field, m); break;
    case MEMBER_SUBFLOW: add(s, to, (member_name){.name = &m->subflow->name, .member = m}); break;
    case MEMBER_SIGNAL:
    case MEMBER_CHECKPOINT: add(s, to, (member_name){.name = &m->point->name, .member = m}); break;
    case MEMBER_MAILBOX: add(s, to, (member_name){.name = &m->mailbox->item->name, .member = m}); break;
    }
}

const member_name *find_flow_member(sema *s, const ast_flow *flow, const char *name)
{
    flow_names *const names = scope_find(&s->flows, flow->name.name);
    if (!names || names->flow != flow) return NULL; /* a duplicate */
    if (names->members.count == 0) {
        add_fields(s, &names->members, flow->params, NULL);
        for (const ast_member *m = flow->members; m; m = m->next) add_member(s, &names->members, m);
    }
    return scope_find(&names->members, name);
}

const ast_declarator *find_declarator(const ast_declaration *list, const char *name)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (d->name.name && strcmp(d->name.name, name) == 0) return d;
        }
    }
    return NULL;
}

void add_names(sema *s, scope *to, const ast_declaration *list)
{
    for (; list; list = list->next) {
        for (const ast_declarator *d = list->first; d; d = d->next) {
            if (d->name.name) scope_add(s->arena, to, d->name.name, (void *)&d->name);
        }
    }
}
