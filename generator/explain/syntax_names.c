/* Help for an arm that has the name of an event or a task, and text that does not belong to it. */
#include "explainer.h"
#include "uflow_parse.h"

typedef enum event_kind { NO_EVENT, EVENT_SIGNAL, EVENT_CHECKPOINT, EVENT_MAILBOX, EVENT_JOB } event_kind;

static bool is_point(const ast_point *list, const token_list *tokens, uint32_t at)
{
    while (list && !(list->name.name && token_is(tokens, at, list->name.name))) list = list->next;
    return list != NULL;
}

/* What the name is, by the declarations so far. */
static event_kind event_named(const parser *p, uint32_t at)
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

/* `go() -> Step`, `requests(x) -> Step`, `weigh(3) -> Step` */
static void help_with_call(parser *p, diag_report *r, event_kind kind, uint32_t name)
{
    const char *const is = words_between(p, name, name + 1);
    const char *const call = words_between(p, name, token_after_brackets(p->tokens, name + 1));
    if (kind == EVENT_JOB)
        diag_help(r, "a job gets its arguments by a statement before the await: `submit %s; await %s -> …`",
                  *call ? call : "job(…)", is);
    else if (kind == EVENT_MAILBOX)
        diag_help(r, "a mailbox is named alone, and its message is `item` in the target: `%s -> Step(item)`", is);
    else diag_help(r, "a %s is named alone: `%s -> …`", kind == EVENT_SIGNAL ? "signal" : "checkpoint", is);
}

/* `&&`, `&`, `and`: 2; `||`, `|`, `or`: 1; other tokens: 0 */
static int connective(const parser *p, uint32_t at)
{
    static const struct {
        const char *text;
        int is;
    } words[] = {{"&&", 2}, {"&", 2}, {"and", 2}, {"||", 1}, {"|", 1}, {"or", 1}};
    for (size_t i = 0; at < p->tokens->count && i < sizeof words / sizeof words[0]; i++) {
        if (token_is(p->tokens, at, words[i].text)) return words[i].is;
    }
    return 0;
}

/* `go && halt -> Step` */
static void help_with_several(parser *p, diag_report *r, uint32_t first)
{
    int const is = connective(p, first + 1);
    const char *events = words_between(p, first, first + 1), *arms = arena_printf(p->arena, "%s -> …;", events);
    uint32_t at = first + 1;
    for (; connective(p, at) == is && event_named(p, at + 1); at += 2) {
        if (is == 2 && event_named(p, at + 1) == EVENT_CHECKPOINT) break; /* `all` takes none */
        const char *const name = words_between(p, at + 1, at + 2);
        events = arena_printf(p->arena, "%s, %s", events, name);
        arms = arena_printf(p->arena, "%s %s -> …;", arms, name);
    }
    if (kind_at(p, at) != T_ARROW)
        diag_help(r, "an event is no value: `all(event, event)` waits for several, `if (…) event` for one under a "
                     "condition");
    else if (is == 2) diag_help(r, "to wait for all of them, write `all(%s) -> …`", events);
    else diag_help(r, "each event is an arm of its own: `await { %s }`", arms);
}

static const ast_flow *flow_named(const parser *p, uint32_t at)
{
    const ast_flow *flow = p->file->flows;
    while (flow && !(flow->name.name && token_is(p->tokens, at, flow->name.name))) flow = flow->next;
    return flow;
}

/* The first sub-flow of that type; no pool. */
static const ast_subflow *subflow_of_type(const parser *p, uint32_t type)
{
    for (const ast_member *m = p->flow ? p->flow->members : NULL; m; m = m->next) {
        if (!m->subflow || m->subflow->is_pool || !m->subflow->type.name) continue;
        if (token_is(p->tokens, type, m->subflow->type.name)) return m->subflow;
    }
    return NULL;
}

/* `Motor.Move(&flow->motor, 3) -> Step`, `Motor.Move(3) -> Step` */
static bool help_with_task_of_type(parser *p, diag_report *r, uint32_t first)
{
    const ast_subflow *const subflow = subflow_of_type(p, first);
    uint32_t const open = first + 3;
    if (!subflow && !flow_named(p, first)) return false;
    if (kind_at(p, open - 2) != T_DOT || !kind_is(kind_at(p, open - 1), IS_NAME) || kind_at(p, open) != T_LPAREN)
        return false;
    uint32_t const end = token_after_brackets(p->tokens, open);
    const char *const task = words_between(p, first, open);
    const char *const args = open + 2 < end ? words_between(p, open + 1, end - 1) : "";
    bool const has_flow =
        !subflow || (open + 1 < end && (connective(p, open + 1) || token_is(p->tokens, open + 1, "flow") ||
                                        token_is(p->tokens, open + 1, "self")));
    if (has_flow && *args) diag_help(r, "a task is awaited with `run`: `run %s(%s) -> …`", task, args);
    else
        diag_help(r, "a task is awaited with `run`, and its flow is the first argument: `run %s(&flow->%s%s%s%s) -> …`",
                  task, subflow ? subflow->name.name : "…", subflow && subflow->is_array ? "[i]" : "",
                  *args ? ", " : "", args);
    return true;
}

/* `motor.Move(3) -> Step`, `flow->motor.Move(3) -> Step`; not a task: a pointer to a function. */
bool help_with_subtask(parser *p, diag_report *r, token_range operand, const ast_subflow *subflow)
{
    uint32_t open = operand.first;
    while (open < operand.end && kind_at(p, open) != T_LPAREN) open++;
    if (open == operand.end || open < operand.first + 3 || operand.first == 0) return false;
    const ast_flow *type = p->file->flows;
    while (type && type->name.name != subflow->type.name) type = type->next;
    const ast_task *task = type ? type->tasks : NULL;
    while (task && !(task->name.name && token_is(p->tokens, open - 1, task->name.name))) task = task->next;
    if ((type && !task) || kind_at(p, open - 2) != T_DOT) return false;
    if (!subflow->is_pool) help_with_run(p, r, (token_range){operand.list, operand.first - 1, operand.end});
    else
        diag_help(r, "a member of a pool is started by a statement: `spawn %s.%s;`", subflow->name.name,
                  words_between(p, open - 1, operand.end));
    return true;
}

bool help_with_named_event(parser *p, diag_report *r, uint32_t first, uint32_t at)
{
    uint16_t const kind = kind_at(p, first);
    if (at == first && at < p->tokens->count && token_is(p->tokens, at, "!") && event_named(p, at + 1)) {
        diag_help(r, "an event is no value: if it does not come, an arm `timeout 1s -> …` beside it decides");
        return true;
    }
    if (at != first + 1) return false;
    bool const is_declaration = kind == T_SIGNAL || kind == T_CHECKPOINT || kind == T_MAILBOX || kind == T_JOB;
    event_kind const named = event_named(p, first);
    if (named && connective(p, at) && (named != EVENT_CHECKPOINT || connective(p, at) == 1)) {
        help_with_several(p, r, first);
    } else if (named && kind_at(p, at) == T_LPAREN) {
        help_with_call(p, r, named, first);
    } else if (kind_at(p, at) == T_DOT) {
        return help_with_task_of_type(p, r, first);
    } else if (kind == T_SUBMIT && kind_is(kind_at(p, at), IS_NAME)) {
        const char *const job = words_between(p, at, token_after_brackets(p->tokens, at + 1));
        diag_help(r, "`submit` is a statement before the await: `submit %s; await %s -> …`", *job ? job : "job(…)",
                  words_between(p, at, at + 1));
    } else if (is_declaration && kind_is(kind_at(p, at), IS_NAME)) {
        diag_help(r, "an arm has the name alone: `%s -> …`", words_between(p, at, at + 1));
    } else {
        return false;
    }
    return true;
}
