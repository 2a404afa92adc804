/* SPDX-License-Identifier: MIT */
/* Arms of an await: at most one timeout of each clock, only some arms within `all`, `else` only where the arm can
 * fail. */
#include <string.h>

#include "checks.h"
#include "walk.h"

bool can_fail(const ast_event *event)
{
    if (arm_has(event->kind, CAN_FAIL)) return true;
    for (const ast_event *one = event->all; one; one = one->next) {
        if (can_fail(one)) return true;
    }
    return false;
}

static void check_all(sema *s, const ast_event *all)
{
    for (const ast_event *event = all->all; event; event = event->next) {
        if (arm_has(event->kind, IN_ALL)) continue;
        diag_report *r = report_at(s, UF0605, event->at, "`all` cannot hold %s",
                                   event->kind == ARM_ALL ? "another `all`" : arm_infos[event->kind].noun);
        diag_help(r, event->kind == ARM_ALL ? "put its events into the outer `all`"
                                            : "make it an arm of its own, beside the `all`");
    }
}

/* Are the texts of the outcomes equal? */
static bool same_outcome(const ast_arm *a, const ast_arm *b)
{
    span const one = a->outcome->at, other = b->outcome->at;
    uint32_t const length = one.end - one.begin;
    return length == other.end - other.begin &&
           memcmp(one.in->text + one.begin, other.in->text + other.begin, length) == 0;
}

/* Can one compilation contain both? Arms in different branches of #if cannot meet. */
static bool can_meet(const ast_arm *a, const ast_arm *b)
{
    return a->guard == b->guard || !a->guard || !b->guard;
}

static void check_await(ast_statement *statement, void *context)
{
    sema *s = context;
    const ast_arm *timeouts[2] = {NULL, NULL}; /* one of each clock */
    for (const ast_arm *arm = statement->arms; arm; arm = arm->next) {
        const ast_event *event = arm->event;
        if (event->kind == ARM_ALL) check_all(s, event);
        const ast_arm **const timeout = &timeouts[event->kind == ARM_TIMEOUT_REAL];
        if (arm_is_timeout(event->kind) && *timeout && can_meet(*timeout, arm)) {
            diag_report *r = report_at(s, UF0604, event->at, "there is a timeout in this await already");
            diag_note(r, (*timeout)->event->at, "the first one is here");
            diag_help(r, same_outcome(*timeout, arm)
                             ? "keep the shorter one"
                             : "keep the one whose target is meant: of two, the shorter one decides");
        } else if (arm_is_timeout(event->kind)) {
            *timeout = arm;
        }
        if (arm->otherwise && !can_fail(event)) {
            diag_report *r = report_at(s, UF0606, arm->otherwise->at, "%s cannot fail, so `else` has no meaning",
                                       arm_infos[event->kind].noun);
            diag_help(r, "leave `else` and what follows it out");
        }
    }
}

void check_waits(sema *s, const body_site *site)
{
    if (site->step) walk_statements(site->body->first, check_await, s);
}
