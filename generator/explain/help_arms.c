/* SPDX-License-Identifier: MIT */
/* Helps for tokens that the grammar refuses in an await. */
#include "explainer.h"
#include "uflow_parse.h"

/* Is the token the one behind the event's first? */
static bool is_second(const refusal *r)
{
    return r->at == r->event + 1;
}

/* Is the token before the last one of that kind? */
static bool stands_before_last(const parser *p, const refusal *r, uint16_t kind)
{
    return r->at > r->event + 1 && kind_at(p, r->at - 2) == kind;
}

/* Is the event whole, and short enough to be quoted? */
static bool lacks_arrow(parser *p, const refusal *r)
{
    return lemon_accepts(r->state, T_ARROW) && *WORDS(r->event, r->at);
}

/* The `if` of the arm; 0: it has none. */
static uint32_t if_of(const parser *p, const refusal *r)
{
    uint32_t const word = r->head == T_AWAIT ? r->begin + 1 : r->begin;
    return kind_at(p, word) == T_IF ? word : 0;
}

static bool is_declarator(const parser *p, const refusal *r)
{
    uint16_t const word = kind_at(p, r->event);
    return word == T_SIGNAL || word == T_CHECKPOINT || word == T_MAILBOX || word == T_JOB;
}

static arm_kind arm_kind_of(const parser *p, const refusal *r)
{
    span const at = token_at(p, r->event);
    return arm_of_word(at.in->text + at.begin, at.end - at.begin);
}

static bool lacks_parens(const parser *p, const refusal *r)
{
    return kind_at(p, r->event) == T_UNTIL && is_second(r);
}

const char *target_help(parser *p, uint32_t arrow)
{
    return TEXT("`%s` takes a step, `done`, `fail` or `become Task`", WORDS(arrow, arrow + 1));
}

const char *task_help(parser *p, uint32_t dot)
{
    return TEXT("a task of another flow is run by an arm: `await run %s.%s(&flow->…) -> …`", WORDS(dot - 1, dot),
                kind_is(kind_at(p, dot + 1), IS_NAME) ? WORDS(dot + 1, dot + 2) : "Task");
}

static const char *address_help(parser *p, const refusal *r)
{
    token_range const named = range_of_operand(p, r->at + 1);
    const char *const member = member_help(p, named);
    if (member) return member;
    if (named.end == r->at + 2) return TEXT("leave out the `&`: `%s -> …`", WORDS(named.first, named.end));
    return TEXT("to wait for a signal through a pointer, write `fired(&%s)`", words_or(p, named.first, named.end, "…"));
}

/* `&&`, `&`, `and`: 2; `||`, `|`, `or`, `,`: 1; other tokens: 0 */
static int connective(const parser *p, uint32_t at)
{
    static const struct {
        const char *text;
        int is;
    } words[] = {{"&&", 2}, {"&", 2}, {"and", 2}, {"||", 1}, {"|", 1}, {"or", 1}, {",", 1}};
    for (size_t i = 0; at < p->tokens->count && i < sizeof words / sizeof words[0]; i++) {
        if (token_is(p->tokens, at, words[i].text)) return words[i].is;
    }
    return 0;
}

/* `go && halt -> Step` */
static const char *several_help(parser *p, const refusal *r)
{
    event_kind const named = event_named(p, r->event);
    int const is = connective(p, r->at);
    if (named == EVENT_CHECKPOINT && is == 2) return NULL; /* `all` takes none */
    const char *events = WORDS(r->event, r->at), *arms = TEXT("%s -> …;", events);
    uint32_t at = r->at;
    for (; connective(p, at) == is && event_named(p, at + 1); at += 2) {
        if (is == 2 && event_named(p, at + 1) == EVENT_CHECKPOINT) break;
        const char *const name = WORDS(at + 1, at + 2);
        events = TEXT("%s, %s", events, name);
        arms = TEXT("%s %s -> …;", arms, name);
    }
    if (kind_at(p, at) != T_ARROW)
        return "an event is no value: `all(event, event)` waits for several, `if (…) event` for one under a condition";
    return is == 2 ? TEXT("to wait for all of them, write `all(%s) -> …`", events)
                   : TEXT("each event is an arm of its own: `await { %s }`", arms);
}

/* `go() -> Step`, `requests(x) -> Step`, `weigh(3) -> Step` */
static const char *call_help(parser *p, const refusal *r)
{
    event_kind const named = event_named(p, r->event);
    const char *const is = WORDS(r->event, r->at);
    if (named == EVENT_JOB)
        return TEXT("a job gets its arguments by a statement before the await: `submit %s; await %s -> …`",
                    words_or(p, r->event, token_after_brackets(p->tokens, r->at), "job(…)"), is);
    if (named == EVENT_MAILBOX)
        return TEXT("a mailbox is named alone, and its message is `item` in the target: `%s -> Step(item)`", is);
    return TEXT("a %s is named alone: `%s -> …`", named == EVENT_SIGNAL ? "signal" : "checkpoint", is);
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

/* `Motor.Move(&flow->motor, 3) -> Step`, `Motor.Move(3) -> Step`; with another text behind the dot there is no help. */
static const char *task_of_type_help(parser *p, const refusal *r)
{
    uint32_t const open = r->at + 2;
    const ast_subflow *const subflow = subflow_of_type(p, r->event);
    if (!subflow && !flow_named(p, r->event)) return NULL;
    if (!kind_is(kind_at(p, r->at + 1), IS_NAME) || kind_at(p, open) != T_LPAREN) return NULL;
    uint32_t const end = token_after_brackets(p->tokens, open);
    const char *const task = WORDS(r->event, open);
    const char *const args = open + 2 < end ? WORDS(open + 1, end - 1) : "";
    bool const has_flow =
        !subflow || (open + 1 < end && (connective(p, open + 1) || token_is_one_of(p->tokens, open + 1, "flow self")));
    if (has_flow && *args) return TEXT("a task is awaited with `run`: `run %s(%s) -> …`", task, args);
    return TEXT("a task is awaited with `run`, and its flow is the first argument: `run %s(&flow->%s%s%s%s) -> …`",
                task, subflow ? subflow->name.name : "…", subflow && subflow->is_array ? "[i]" : "", *args ? ", " : "",
                args);
}

/* `when (…) event -> Step`, `event if (…) -> Step` */
static bool has_when(parser *p, const refusal *r)
{
    static const char *const words[] = {"if", "when"};
    bool const is_before = kind_at(p, r->event + 1) == T_LPAREN;
    uint32_t const word = is_before ? r->event : r->at;
    if (kind_at(p, word + 1) != T_LPAREN) return false;
    if (is_before && !kind_is(kind_at(p, token_after_brackets(p->tokens, word + 1)), IS_NAME)) return false;
    return diag_nearest(token_intern(p->arena, p->tokens, word), words, 2) != NULL;
}

/* `sleep(1)`, `HAL_Delay(5)` */
static bool is_sleep(const parser *p, uint32_t at)
{
    return kind_at(p, at) == T_IDENT && kind_at(p, at + 1) == T_LPAREN &&
           token_is_one_of(p->tokens, at,
                           "sleep usleep nanosleep msleep delay Sleep HAL_Delay osDelay vTaskDelay k_sleep k_msleep");
}

/* Is it the expression of a condition? A call is, unless its name can begin an arm. */
static bool is_condition(token_range operand)
{
    const token *const items = operand.list->items;
    bool const is_call = operand.end - operand.first > 2 && items[operand.first].kind == T_IDENT &&
                         items[operand.first + 1].kind == T_LPAREN;
    if (items[operand.first].kind == T_RUN) return false;
    for (uint32_t i = operand.first; i < operand.end; i++) {
        uint16_t const kind = items[i].kind;
        if (kind == T_OPERATOR || kind == T_DOT || kind == T_LBRACKET || kind == T_ARROW) return true;
    }
    return is_call;
}

/* The end of `(…)` before the `->` of the arm; 0: another text follows. */
static uint32_t condition_of(const parser *p, const refusal *r)
{
    uint32_t const end = token_after_brackets(p->tokens, r->at);
    return kind_at(p, end) == T_ARROW ? end : 0;
}

static const char *condition_help(parser *p, const refusal *r)
{
    bool const is_bare = lacks_parens(p, r);
    token_range const operand = range_of_operand(p, is_bare ? r->at : r->event);
    if (kind_at(p, operand.end) != T_ARROW || (!is_bare && !is_condition(operand))) return NULL;
    uint32_t end = operand.first;
    while (end < operand.end && !(is_bare && kind_at(p, end) == T_FOR)) end++;
    const char *const condition = WORDS(operand.first, end), *const held = WORDS(end, operand.end);
    if (!*condition) return NULL;
    return TEXT("a condition is written `until (%s)%s%s`", condition, *held ? " " : "", held);
}

static const char *all_forms(parser *p)
{
    const char *forms = "";
    for (size_t kind = 0; kind < ARM_NAME; kind++) {
        if (*arm_infos[kind].form) forms = TEXT("%s%s`%s`", forms, *forms ? ", " : "", arm_infos[kind].form);
    }
    return forms;
}

#define ARM_HELP HELP_ROW
#include "refusals.def"
#undef ARM_HELP

const char *help_of_arm(parser *p, const refusal *r, uint32_t begin)
{
    static refusal_help *const rows[] = {
#define ARM_HELP(name, example, precedes, condition, help) name##_row,
#include "refusals.def"
#undef ARM_HELP
    };
    refusal arm = *r;
    arm.begin = begin;
    arm.head = kind_at(p, begin);
    arm.event = event_of(p, begin);
    return first_help(p, &arm, ROWS_ARM_HELP, rows, sizeof rows / sizeof rows[0]);
}
