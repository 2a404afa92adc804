/* SPDX-License-Identifier: MIT */
/* Brackets in the branches of #if: each branch must close what it opens. */
#include "bracket_state.h"
#include "uflow_parse.h"

void balance_report_branch(balance *b, opener *branch, span where, const char *what)
{
    if (branch->reported || b->quiet) return;
    branch->reported = true;
    diag_report *r = report_at(b, UF0109, where, "%s", what);
    diag_note(r, token_span(&b->out, branch->at), "the directive begins here");
    diag_help(r, "every branch of #if holds whole statements: move the brackets out of it, or their partners into it");
}

/* An open #if, while all of them are examined in advance. */
typedef struct group {
    uint32_t at;
    uint32_t second; /* the directive after its first branch; 0: none so far */
    uint32_t first;  /* the first open bracket of the present branch */
    unsigned open;
} group;

/* Examines every #if. Brackets count only in the innermost branch. */
void balance_find_unbalanced(balance *b)
{
    group *groups = NULL;
    size_t count = 0, capacity = 0;
    b->directives = ARENA_ARRAY(b->arena, directive, b->in.count);
    for (uint32_t i = 0; i < b->in.count; i++) {
        uint16_t const kind = balance_kind(b, i);
        if (kind == T_HASH_IF) {
            groups = arena_reserve(b->arena, groups, &capacity, count + 1, sizeof *groups);
            groups[count++] = (group){.at = i};
            b->directives[i].unbalanced = NOWHERE;
            continue;
        }
        if (count == 0) continue;
        group *const g = &groups[count - 1];
        uint32_t *const unbalanced = &b->directives[g->at].unbalanced;
        if (kind_is(kind, IS_BRANCH)) {
            if (g->open > 0 && *unbalanced == NOWHERE) *unbalanced = g->first;
            g->open = 0;
            if (!g->second) g->second = i;
            if (kind != T_HASH_ENDIF) continue;
            b->directives[g->at].next = g->second;
            b->directives[g->second].next = i;
            count--;
        } else if (kind_is(kind, OPENS_BRACKET)) {
            if (g->open++ == 0) g->first = i;
        } else if (kind_is(kind, CLOSES_BRACKET)) {
            if (g->open > 0) g->open--;
            else if (*unbalanced == NOWHERE) *unbalanced = i;
        }
    }
}

/* Unbalanced branches are one error. Afterwards the first one is read as if there were no condition. */
void balance_begin_branches(balance *b, token t)
{
    const directive *const first = &b->directives[b->next];
    uint32_t const unbalanced = first->unbalanced;
    if (!first->next) {
        diag_report *r = report_at(b, UF0105, balance_place(b, &t), "this conditional directive is never closed");
        diag_help(r, "end it with `#endif`");
        return;
    }
    if (unbalanced == NOWHERE) {
        balance_open(b, t, LEVEL_BRANCH);
        return;
    }
    diag_report *r =
        report_at(b, UF0109, balance_place(b, &b->in.items[unbalanced]),
                  "this `%s` has no partner in its branch of #if", token_name(balance_kind(b, unbalanced)));
    diag_note(r, balance_place(b, &t), "the directive begins here");
    diag_help(r, "every branch of #if holds whole statements: move the bracket out of it, or its partner into it");
    b->directives[first->next].is_left_out = true;
    b->forgive = true;
}

void balance_next_branch(balance *b, token t)
{
    unsigned depth = b->depth;
    while (depth > 0 && b->open[depth - 1].level != LEVEL_BRANCH) depth--;
    if (depth == 0) {
        if (b->has_directive_outside) return;
        const char *name = t.kind == T_HASH_ENDIF ? "#endif" : "#else or #elif";
        diag_report *r = report_at(b, UF0110, balance_place(b, &t), "this %s belongs to no #if", name);
        diag_help(r, "remove it, or write the #if before it");
        return;
    }
    if (b->depth > depth) {
        balance_report_branch(b, &b->open[depth - 1], token_span(&b->out, b->open[b->depth - 1].at),
                              "this is not closed in its branch of #if");
        while (b->depth > depth) balance_add_closing(b, depth);
    }
    if (t.kind == T_HASH_ENDIF) b->depth--;
    balance_put(b, t);
}
