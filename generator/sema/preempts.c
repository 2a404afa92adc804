/* SPDX-License-Identifier: MIT */
/* Targets of handlers. */
#include "checks.h"
#include "misspelled.h"
#include "walk.h"
#include "words.h"

static void check_self(token_range text, void *context)
{
    sema *s = context;
    uint32_t at;
    if (!find_name(text, "self", &at)) return;
    diag_report *r =
        report_at(s, UF0409, token_span(text.list, at), "a handler of a flow or group may interrupt any of its tasks");
    diag_help(r, "move the `on` into the task whose state it needs");
}

void check_handlers(sema *s, ast_preempt *preempt)
{
    const ast_outcome *o = preempt->outcome;
    preempt_texts(preempt, report_inner_intent, s);
    outcome_texts(o, report_inner_intent, s);
    if (preempt->task) return;
    if (!outcome_takes(o->kind, TAKES_STEP) && !outcome_takes(o->kind, TAKES_RESULT)) {
        outcome_texts(o, check_self, s);
        return;
    }
    diag_report *r = report_at(s, UF0607, o->at, "the target of a handler of %s %s is `become` or `fail`",
                               preempt->group ? "group" : "flow",
                               preempt->group ? preempt->group->name.name : s->names->flow->name.name);
    if (o->kind == OUTCOME_STEP && scope_find(&s->names->tasks, o->target.name))
        diag_help(r, "write `become %s`", o->target.name);
    else diag_help(r, "steps and results belong to a task: move the handler into it");
}
