/* SPDX-License-Identifier: MIT */
/* Helps for text that names an event, a flow or a task, by the declarations so far. */
#include "explainer.h"
#include "uflow_parse.h"

/* The member of a flow that a token names; NULL: none. */
static const ast_member *find_member(const ast_flow *flow, const token_list *list, uint32_t name)
{
    for (const ast_member *m = flow ? flow->members : NULL; m; m = m->next) {
        const char *is = m->point     ? m->point->name.name
                         : m->subflow ? m->subflow->name.name
                         : m->mailbox ? m->mailbox->item->name.name
                                      : NULL;
        if (is && token_is(list, name, is)) return m;
    }
    return NULL;
}

static bool is_point(const ast_point *list, const token_list *tokens, uint32_t at)
{
    while (list && !(list->name.name && token_is(tokens, at, list->name.name))) list = list->next;
    return list != NULL;
}

event_kind event_named(const parser *p, uint32_t at)
{
    if (!kind_is(kind_at(p, at), IS_NAME)) return NO_EVENT;
    for (const ast_job *job = p->task ? p->task->jobs : NULL; job; job = job->next) {
        if (job->name.name && token_is(p->tokens, at, job->name.name)) return EVENT_JOB;
    }
    const ast_member *const m = find_member(p->flow, p->tokens, at);
    if (m && m->point) return m->kind == MEMBER_SIGNAL ? EVENT_SIGNAL : EVENT_CHECKPOINT;
    if (m) return m->mailbox ? EVENT_MAILBOX : NO_EVENT;
    if (is_point(p->file->signals, p->tokens, at)) return EVENT_SIGNAL;
    return is_point(p->file->checkpoints, p->tokens, at) ? EVENT_CHECKPOINT : NO_EVENT;
}

/* The operand ends with the name of a mailbox of a flow declared so far, or the target uses an `item`. */
static const char *mailbox_help(const parser *p, token_range operand)
{
    static const char *const help =
        "a flow receives only from its own mailboxes, by their names: send the message to one of them";
    for (const ast_flow *flow = p->file->flows; flow; flow = flow->next) {
        const ast_member *const m = find_member(flow, p->tokens, operand.end - 1);
        if (m && m->mailbox) return help;
    }
    for (uint32_t i = operand.end; i < p->tokens->count && i < operand.end + STATEMENT_LIMIT; i++) {
        if (kind_at(p, i) == T_SEMICOLON || kind_at(p, i) == T_ELSE) break;
        if (token_is(p->tokens, i, "item")) return help;
    }
    return NULL;
}

/* The sub-flow that this text names, `axis` or `axes[1]`; NULL for other text. */
static const ast_subflow *subflow_between(const parser *p, uint32_t name, uint32_t end)
{
    const ast_member *const m = find_member(p->flow, p->tokens, name);
    uint32_t after = name + 1;
    if (after < end && kind_at(p, after) == T_LBRACKET) after = token_after_brackets(p->tokens, after);
    return m && after == end ? m->subflow : NULL;
}

/* `run Move(&flow->x, 3)` and `run flow->x.Move(3)`; the operand begins at the `run`. */
const char *run_help(parser *p, token_range operand)
{
    uint32_t const flow = operand.first + 1, open = find_kind(p, flow, operand.end, T_LPAREN), task = open - 1;
    const char *args = open + 2 < operand.end ? WORDS(open + 1, operand.end - 1) : "";
    bool const is_whole = open < operand.end && task >= flow && kind_is(kind_at(p, task), IS_NAME);
    const char *const name = is_whole ? WORDS(task, open) : "";
    if (is_whole && task == flow) {
        return TEXT("name the type of the flow that has the task: `run Flow.%s(%s)`", name, *args ? args : "&flow->…");
    }
    if (is_whole && task > flow + 1) {
        const char *const at = WORDS(flow, task - 1);
        uint32_t const address = *at == '&' ? flow + 1 : flow;
        bool const is_access = token_is(p->tokens, address, "flow") && kind_at(p, address + 1) == T_ARROW;
        const ast_subflow *const named = subflow_between(p, is_access ? address + 2 : address, task - 1);
        return TEXT("write the type of the flow before the task and its address after it: `run %s.%s(%s%s%s%s%s)`",
                    named ? named->type.name : "Flow", name, *at == '&' ? "" : "&", named && !is_access ? "flow->" : "",
                    *at ? at : "flow->…", *args ? ", " : "", args);
    }
    return "write `run Flow.Task(&flow->…) -> Step`";
}

/* `motor.Move(3) -> Step`, `flow->motor.Move(3) -> Step`; not a task: a pointer to a function. */
static const char *subtask_help(parser *p, token_range operand, const ast_subflow *subflow)
{
    uint32_t const open = find_kind(p, operand.first, operand.end, T_LPAREN);
    if (open == operand.end || open < operand.first + 3 || operand.first == 0) return NULL;
    const ast_flow *type = p->file->flows;
    while (type && type->name.name != subflow->type.name) type = type->next;
    const ast_task *task = type ? type->tasks : NULL;
    while (task && !(task->name.name && token_is(p->tokens, open - 1, task->name.name))) task = task->next;
    if ((type && !task) || kind_at(p, open - 2) != T_DOT) return NULL;
    if (!subflow->is_pool) return run_help(p, (token_range){operand.list, operand.first - 1, operand.end});
    return TEXT("a member of a pool is started by a statement: `spawn %s.%s;`", subflow->name.name,
                WORDS(open - 1, operand.end));
}

/* The text after the name of a sub-flow and a dot. */
static const char *part_of_subflow_help(parser *p, token_range operand, const ast_subflow *subflow)
{
    const char *const task = subtask_help(p, operand, subflow), *const mailbox = task ? task : mailbox_help(p, operand);
    const char *const words = WORDS(operand.first, operand.end);
    const char *const reach = token_is(operand.list, operand.first, "flow") ? "" : "flow->";
    return mailbox ? mailbox
                   : TEXT("a condition is written `until (%s%s)`, a signal of a sub-flow `fired(&%s%s)`", reach, words,
                          reach, words);
}

const char *member_help(parser *p, token_range operand)
{
    uint32_t const name = operand.first + (token_is(operand.list, operand.first, "flow") ? 2 : 0);
    const ast_member *const m = operand.end > name ? find_member(p->flow, operand.list, name) : NULL;
    const ast_subflow *const subflow = m ? m->subflow : NULL;
    if (!m) return NULL;
    if (subflow && operand.end > name + 1)
        return kind_at(p, name + 1) == T_DOT ? part_of_subflow_help(p, operand, subflow)
                                             : subtask_help(p, operand, subflow);
    if (operand.end > name + 1) return NULL;
    if (m->point)
        return TEXT("a %s of this flow is named alone: `%s -> …`", m->kind == MEMBER_SIGNAL ? "signal" : "checkpoint",
                    m->point->name.name);
    if (m->mailbox) return TEXT("a mailbox of this flow is named alone: `%s -> …`", m->mailbox->item->name.name);
    if (subflow->is_pool)
        return TEXT("a pool is named alone: `idle(%s)`, `vacant(%s)`", subflow->name.name, subflow->name.name);
    return TEXT("a sub-flow is waited for with `idle(&%s)`, or its task with `run`", WORDS(operand.first, operand.end));
}

/* `flow->n -> Step` */
const char *operand_help(parser *p, token_range operand)
{
    const char *const text = WORDS(operand.first, operand.end);
    const char *const words = words_or(p, operand.first, operand.end, "…");
    if (guess_time(PLACE(p), operand) == GUESS_TIME)
        return TEXT("a `uf_time` is waited for with its unit, `(%s) ns`; a condition is written `until (…)`", words);
    if (find_kind(p, operand.first, operand.end, T_OPERATOR) < operand.end)
        return TEXT("a condition is written `until (%s)`", words);
    const char *const member = member_help(p, operand), *const help = member ? member : mailbox_help(p, operand);
    if (help) return help;
    return TEXT("a condition is written `until (%s)`, and a signal that a pointer reaches `fired(%s%s)`", text,
                operand.end > operand.first + 3 ? "&" : "", text);
}
