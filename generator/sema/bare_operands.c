/* SPDX-License-Identifier: MIT */
/* Operands of arms that call a member by its name alone: `idle(axis)` for `idle(&flow->axis)`. Without this check, the
 * C compiler would report an unknown name in generated code. */
#include "checks.h"
#include "walk.h"
#include "words.h"

static diag_report *report_bare_name(sema *s, const ast_event *event, span place, const char *what)
{
    token_range const text = event->target;
    const char *const name = token_intern(s->arena, text.list, text.first + token_is(text.list, text.first, "&"));
    diag_report *r = report_at(s, UF0417, range_span(text), "`%s` takes a pointer, and `%s` is %s",
                               arm_infos[event->kind].word, name, what);
    diag_note(r, place, "it is declared here");
    return r;
}

/* `idle(axis)`, `run Axis.Move(axes[1])`, `idle(lines[1])` */
static void check_subflow(sema *s, const ast_event *event, const ast_subflow *found, token_range index)
{
    if (!found || (found->is_pool && range_empty(index))) return;
    diag_report *const r = report_bare_name(s, event, found->name.at,
                                            found->is_pool    ? "the name of a pool"
                                            : found->is_array ? "the name of an array of flows"
                                                              : "the name of a flow");
    span const at = range_span(index);
    if (found->is_pool && event->kind == ARM_IDLE) diag_help(r, "its name is enough: `idle(%s)`", found->name.name);
    else if (found->is_pool) diag_help(r, "its members are started by `spawn %s.Task(…);`", found->name.name);
    else if (!found->is_array) diag_help(r, "write `&flow->%s`", found->name.name);
    else if (range_empty(index)) diag_help(r, "write `&flow->%s[i]`", found->name.name);
    else diag_help(r, "write `&flow->%s%.*s`", found->name.name, (int)(at.end - at.begin), at.in->text + at.begin);
}

void help_of_pool(diag_report *r, const ast_flow *flow, const char *pool)
{
    diag_help(r, "`%s_%s_at(flow, i)` returns the member that runs at this place, or NULL: look in the step before",
              flow->name.name, pool);
}

/* `room(sub.box)`, `fired(&subs[1].bell)`, `idle(sub.inner)` */
static void check_member(sema *s, const ast_flow *flow, const ast_event *event, const ast_subflow *found,
                         token_range path)
{
    span const at = range_span(path);
    diag_report *const r = report_bare_name(s, event, found->name.at, "a member of the flow");
    if (found->is_pool) help_of_pool(r, flow, found->name.name);
    else diag_help(r, "write `&flow->%.*s`", (int)(at.end - at.begin), at.in->text + at.begin);
}

void check_bare_operand(sema *s, const ast_flow *flow, const ast_event *event, uint32_t at)
{
    token_range const text = event->target;
    bool const has_address = at > text.first, has_index = range_is(text, at + 1, "[");
    uint32_t const after = has_index ? closing_bracket(text, at + 1) + 1 : at + 1;
    const char *const name = token_intern(s->arena, text.list, at);
    const member_name *const member = find_flow_member(s, flow, name);
    const ast_subflow *const subflow = member && member->member ? member->member->subflow : NULL;
    bool const is_element = subflow && has_index == (subflow->is_array || subflow->is_pool);
    if (is_element && range_is(text, after, "."))
        check_member(s, flow, event, subflow, (token_range){text.list, at, text.end});
    if (after < text.end) return;
    if (event->kind == ARM_RUN || event->kind == ARM_IDLE) {
        check_subflow(s, event, subflow, (token_range){text.list, at + 1, text.end});
        return;
    }
    const flow_names *const names = scope_find(&s->flows, flow->name.name);
    const shared *const own = names ? scope_find(&names->shared, name) : NULL;
    const shared *const found = own || has_address ? own : scope_find(&s->points, name);
    shared_kind const wanted = event->kind == ARM_ROOM      ? SHARED_MAILBOX
                               : event->kind == ARM_ARRIVED ? SHARED_CHECKPOINT
                                                            : SHARED_SIGNAL;
    if (!found || found->kind != wanted) return;
    static const char *const nouns[] = {[SHARED_SIGNAL] = "the name of a signal",
                                        [SHARED_CHECKPOINT] = "the name of a checkpoint",
                                        [SHARED_MAILBOX] = "the name of a mailbox"};
    diag_report *const r = report_bare_name(s, event, found->name->at, nouns[wanted]);
    if (wanted == SHARED_CHECKPOINT) diag_help(r, "write `&%s%s`", own ? "flow->" : "", found->name->name);
    else if (has_index && wanted == SHARED_SIGNAL)
        diag_help(r, "an element is an arm: `%s[i] -> …`", found->name->name);
    else
        diag_help(r,
                  wanted == SHARED_MAILBOX ? "its name is enough: `room(%s)`" : "its name alone is an arm: `%s -> …`",
                  found->name->name);
}
