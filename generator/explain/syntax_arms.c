/* Error messages for tokens that the grammar refuses in an await. */
#include "explainer.h"
#include "uflow_parse.h"

bool in_await(parser *p, uint32_t begin)
{
    const surroundings *s = &explainer_of(p)->around;
    return kind_at(p, begin) == T_AWAIT || (s->braces > 0 && s->awaits[s->braces - 1]);
}

/* The event of the arm that begins there: after `await` and after `if (…)`. */
static uint32_t event_of(const parser *p, uint32_t begin)
{
    uint32_t const first = kind_at(p, begin) == T_AWAIT ? begin + 1 : begin;
    bool const is_conditional = kind_at(p, first) == T_IF && kind_at(p, first + 1) == T_LPAREN;
    return is_conditional ? token_after_brackets(p->tokens, first + 1) : first;
}

/* Is it before the `->` of an arm, and outside of parentheses? */
static bool is_in_event(const parser *p, uint32_t first, uint32_t at)
{
    unsigned depth = 0;
    for (uint32_t i = first; i < at; i++) {
        uint16_t const kind = kind_at(p, i);
        if (kind == T_LPAREN) depth++;
        if (kind == T_RPAREN && depth > 0) depth--;
        if (kind == T_ARROW && depth == 0) return false;
    }
    return depth == 0;
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

const ast_member *find_member(const ast_flow *flow, const token_list *list, uint32_t name)
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

/* Does the operand end with the name of a mailbox of a flow declared so far, or the target use an `item`? */
static bool is_mailbox(const parser *p, token_range operand)
{
    for (const ast_flow *flow = p->file->flows; flow; flow = flow->next) {
        const ast_member *const m = find_member(flow, p->tokens, operand.end - 1);
        if (m && m->mailbox) return true;
    }
    for (uint32_t i = operand.end; i < p->tokens->count && i < operand.end + STATEMENT_LIMIT; i++) {
        if (kind_at(p, i) == T_SEMICOLON || kind_at(p, i) == T_ELSE) break;
        if (token_is(p->tokens, i, "item")) return true;
    }
    return false;
}

static void help_with_mailbox(diag_report *r)
{
    diag_help(r, "a flow receives only from its own mailboxes, by their names: send the message to one of them");
}

/* `flow->go`, `flow->x.go`, `x.go`, with members declared so far that an arm can name. False: other members. */
static bool help_with_member(parser *p, diag_report *r, token_range operand)
{
    bool const is_reached = token_is(operand.list, operand.first, "flow");
    uint32_t const name = operand.first + (is_reached ? 2 : 0);
    if (operand.end < name + 1) return false;
    const ast_member *const m = find_member(p->flow, operand.list, name);
    bool const is_alone = operand.end == name + 1;
    const char *const words = words_between(p, operand.first, operand.end);
    if (m && m->point && is_alone) {
        diag_help(r, "a %s of this flow is named alone: `%s -> …`", m->kind == MEMBER_SIGNAL ? "signal" : "checkpoint",
                  m->point->name.name);
    } else if (m && m->mailbox && is_alone) {
        diag_help(r, "a mailbox of this flow is named alone: `%s -> …`", m->mailbox->item->name.name);
    } else if (m && m->subflow && is_alone && m->subflow->is_pool) {
        diag_help(r, "a pool is named alone: `idle(%s)`, `vacant(%s)`", m->subflow->name.name, m->subflow->name.name);
    } else if (m && m->subflow && is_alone) {
        diag_help(r, "a sub-flow is waited for with `idle(&%s)`, or its task with `run`", words);
    } else if (m && m->subflow && kind_at(p, name + 1) == T_DOT) {
        if (help_with_subtask(p, r, operand, m->subflow)) return true;
        if (is_mailbox(p, operand)) help_with_mailbox(r);
        else {
            const char *const reach = is_reached ? "" : "flow->";
            diag_help(r, "a condition is written `until (%s%s)`, a signal of a sub-flow `fired(&%s%s)`", reach, words,
                      reach, words);
        }
    } else {
        return m && m->subflow && help_with_subtask(p, r, operand, m->subflow);
    }
    return true;
}

/* `flow->n -> Step`, `flow->n ms -> Step`: the grammar takes the first `->` for the arrow of the arm. */
bool report_bare_operand(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t const first = event_of(p, begin);
    if (!p->step || !in_await(p, begin) || at < first + 3 || kind_at(p, first + 1) != T_ARROW) return false;
    token_range const operand = range_of_operand(p, first);
    uint16_t const name = kind_at(p, first);
    for (uint32_t i = first + 1; i < operand.end; i++) {
        if (p->tokens->items[i].flags & TOKEN_FIRST_ON_LINE) return false;
    }
    if (!kind_is(name, IS_NAME) || operand.end < first + 3 || kind_at(p, operand.end) != T_ARROW) return false;
    if (ends_with_unit(operand)) {
        (void)build_bad_duration(p, range_one(p, first));
        return true;
    }
    const char *words = words_between(p, operand.first, operand.end);
    diag_report *r = diag_at(p->diagnostics, UF0201, range_span(operand), "there is no event before this `->`");
    if (guess_time(p, operand) == GUESS_TIME) {
        diag_help(r, "a `uf_time` is waited for with its unit, `(%s) ns`; a condition is written `until (…)`",
                  *words ? words : "…");
        return true;
    }
    bool is_member = true;
    for (uint32_t i = operand.first; i < operand.end; i++) is_member = is_member && kind_at(p, i) != T_OPERATOR;
    if (is_member && help_with_member(p, r, operand)) return true;
    if (is_member && is_mailbox(p, operand)) help_with_mailbox(r);
    else if (is_member)
        diag_help(r, "a condition is written `until (%s)`, and a signal that a pointer reaches `fired(%s%s)`", words,
                  operand.end > first + 3 ? "&" : "", words);
    else diag_help(r, "a condition is written `until (%s)`", *words ? words : "…");
    return true;
}

/* `UF_MS(3) -> Step` */
bool report_time(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t const first = event_of(p, begin);
    if (!p->step || !in_await(p, begin) || at != first + 1 || kind_at(p, at) != T_LPAREN) return false;
    if (!begins_with_time(range_of_operand(p, first))) return false;
    (void)build_bad_duration(p, range_one(p, first));
    return true;
}

/* `until (cond) 5ms -> Step` */
bool report_held(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t const first = event_of(p, begin);
    if (!p->step || !in_await(p, begin) || kind_at(p, first) != T_UNTIL || at < first + 4) return false;
    if (kind_at(p, at - 1) != T_RPAREN || !is_in_event(p, first, at)) return false;
    token_range const operand = range_of_operand(p, at);
    bool const is_computed = kind_at(p, at) == T_LPAREN && ends_with_unit(operand);
    if (kind_at(p, at) != T_DURATION && !is_computed) return false;
    diag_report *r = diag_at(p->diagnostics, UF0201, token_at(p, at), "there is no `for` before %s", spelled(p, at));
    diag_help(r, "how long a condition has to hold is said by `until (…) for %s`",
              words_between(p, operand.first, operand.end));
    return true;
}

/* The sub-flow that this is, `axis` or `axes[1]`; NULL for other text. */
static const ast_subflow *subflow_between(const parser *p, uint32_t name, uint32_t end)
{
    const ast_member *const m = find_member(p->flow, p->tokens, name);
    uint32_t after = name + 1;
    if (after < end && kind_at(p, after) == T_LBRACKET) after = token_after_brackets(p->tokens, after);
    return m && after == end ? m->subflow : NULL;
}

/* `run Move(&flow->x, 3)` and `run flow->x.Move(3)`; the operand begins at the `run`. */
void help_with_run(parser *p, diag_report *r, token_range operand)
{
    uint32_t open = operand.first + 1;
    while (open < operand.end && kind_at(p, open) != T_LPAREN) open++;
    uint32_t const task = open - 1, flow = operand.first + 1;
    const char *args = open + 2 < operand.end ? words_between(p, open + 1, operand.end - 1) : "";
    bool const is_whole = open < operand.end && task >= flow && kind_is(kind_at(p, task), IS_NAME);
    const char *const name = is_whole ? words_between(p, task, open) : "";
    if (is_whole && task == flow) {
        diag_help(r, "name the type of the flow that has the task: `run Flow.%s(%s)`", name, *args ? args : "&flow->…");
    } else if (is_whole && task > flow + 1) {
        const char *const at = words_between(p, flow, task - 1);
        uint32_t const address = *at == '&' ? flow + 1 : flow;
        bool const is_access = token_is(p->tokens, address, "flow") && kind_at(p, address + 1) == T_ARROW;
        const ast_subflow *const named = subflow_between(p, is_access ? address + 2 : address, task - 1);
        diag_help(r, "write the type of the flow before the task and its address after it: `run %s.%s(%s%s%s%s%s)`",
                  named ? named->type.name : "Flow", name, *at == '&' ? "" : "&", named && !is_access ? "flow->" : "",
                  *at ? at : "flow->…", *args ? ", " : "", args);
    } else {
        diag_help(r, "write `run Flow.Task(&flow->…) -> Step`");
    }
}

/* Says how the arm that begins with this word is written. Returns false if no arm does, and for a condition. */
static bool help_with_form(parser *p, diag_report *r, uint32_t word)
{
    span const at = token_at(p, word);
    arm_kind const kind = arm_of_word(at.in->text + at.begin, at.end - at.begin);
    if (kind == ARM_NAME || kind == ARM_UNTIL) return false;
    if (kind == ARM_TIMEOUT) diag_help(r, "write `timeout 50ms -> Step` or `timeout (expression) ms -> Step`");
    else diag_help(r, "write `%s -> Step`", arm_infos[kind].form);
    return true;
}

/* Lists the forms of all arms. */
static void help_with_arms(parser *p, diag_report *r)
{
    const char *forms = "";
    for (size_t kind = 0; kind < ARM_NAME; kind++) {
        if (!*arm_infos[kind].form) continue;
        forms = arena_printf(p->arena, "%s%s`%s`", forms, *forms ? ", " : "", arm_infos[kind].form);
    }
    diag_help(r,
              "an arm is the name of a signal, job, checkpoint or mailbox, or one of %s; "
              "then `->` and what follows",
              forms);
}

/* `sleep(1)`, `HAL_Delay(5)` */
static bool is_sleep(const parser *p, uint32_t at)
{
    static const char *const words[] = {"sleep",     "usleep",  "nanosleep",  "msleep",  "delay",   "Sleep",
                                        "HAL_Delay", "osDelay", "vTaskDelay", "k_sleep", "k_msleep"};
    for (size_t i = 0; kind_at(p, at) == T_IDENT && i < sizeof words / sizeof words[0]; i++) {
        if (token_is(p->tokens, at, words[i])) return kind_at(p, at + 1) == T_LPAREN;
    }
    return false;
}

/* `x = await {`, `x = await job -> Step else`: the text that the grammar takes for a value ends later. */
bool report_awaited_value(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t word = begin;
    while (word < at && kind_at(p, word) != T_AWAIT) word++;
    bool const is_behind = at > 0 && kind_at(p, at - 1) == T_RBRACE; /* `x = await { … } }` */
    if (word == at && (is_behind || around_is_among_arms(p, at))) {
        unsigned depth = 1;
        for (word = is_behind ? at - 1 : at; word > 0 && depth > 0 && at - word < STATEMENT_LIMIT; word--) {
            if (kind_at(p, word - 1) == T_RBRACE) depth++;
            if (kind_at(p, word - 1) == T_LBRACE) depth--;
        }
        if (depth > 0 || word == 0) return false;
        word--;
    }
    uint16_t const before = word > 0 && word < at ? kind_at(p, word - 1) : 0;
    if (!p->step || kind_at(p, word) != T_AWAIT) return false;
    if (before != T_OPERATOR && before != T_LPAREN && before != T_COMMA && before != T_RETURN) return false;
    diag_report *r = diag_at(p->diagnostics, UF0515, token_at(p, word), "`await` is a statement, and has no value");
    diag_help(r, "say which step follows: `await … -> Step;`");
    return true;
}

/* `await { … } else Step;`: the parser goes on after the statement. */
bool report_else_of_await(parser *p, uint32_t at)
{
    if (!p->step || at == 0 || kind_at(p, at) != T_ELSE || kind_at(p, at - 1) != T_RBRACE) return false;
    unsigned depth = 0;
    uint32_t open = at;
    do {
        uint16_t const kind = kind_at(p, --open);
        if (kind == T_RBRACE) depth++;
        if (kind == T_LBRACE) depth--;
    } while (open > 0 && depth > 0 && at - open < STATEMENT_LIMIT);
    if (depth > 0 || open == 0 || kind_at(p, open - 1) != T_AWAIT) return false;
    uint32_t end = at + 1;
    while (end < p->tokens->count && kind_at(p, end) != T_SEMICOLON && kind_at(p, end) != T_RBRACE) end++;
    const char *const outcome = words_between(p, at + 1, end);
    diag_report *r = diag_at(p->diagnostics, UF0201, token_at(p, at), "an await has no `else`, only an arm has one");
    diag_help(r, "write it behind the arm that can fail: `event -> Step else %s;`", *outcome ? outcome : "Failed");
    mend_hole(p, at, kind_at(p, end) == T_SEMICOLON ? end + 1 : end);
    return true;
}

/* `awiat job -> Step else Late;`, `job -> Step else Late;`: the parser goes on after the statement. */
bool report_else_of_arm(parser *p, uint32_t begin, uint32_t at)
{
    if (!p->step || kind_at(p, at) != T_ELSE || in_await(p, begin) || around_is_after_if(p, at)) return false;
    bool const is_alone = syntax_begins_arm(p->tokens, begin);
    if (!is_alone && (kind_at(p, begin) != T_IDENT || !kind_is(kind_at(p, begin + 1), IS_NAME))) return false;
    uint32_t arrow = begin + 1;
    while (arrow < at && kind_at(p, arrow) != T_ARROW) arrow++;
    if (arrow == at) return false;
    if (is_alone) {
        report_missing_word(p, begin, T_AWAIT);
    } else {
        diag_report *r = diag_at(p->diagnostics, UF0507, token_at(p, begin), "%s is no intent", spelled(p, begin));
        diag_help(r, "did you mean `await`?");
    }
    uint32_t end = at;
    while (end < p->tokens->count && kind_at(p, end) != T_SEMICOLON && kind_at(p, end) != T_RBRACE) end++;
    mend_hole(p, begin, kind_at(p, end) == T_SEMICOLON ? end + 1 : end);
    return true;
}

/* `next Axis.Home;` */
void help_with_task(parser *p, diag_report *r, uint32_t dot)
{
    diag_help(r, "a task of another flow is run by an arm: `await run %s.%s(&flow->…) -> …`",
              words_between(p, dot - 1, dot),
              kind_is(kind_at(p, dot + 1), IS_NAME) ? words_between(p, dot + 1, dot + 2) : "Task");
}

/* `tiemout 5s -> Step` */
bool report_event(parser *p, uint32_t begin, uint32_t at)
{
    uint32_t const first = event_of(p, begin);
    if (!p->step || !in_await(p, begin) || kind_at(p, first) != T_IDENT || at != first + 1) return false;
    const char *const text = token_intern(p->arena, p->tokens, first);
    const char *words[WORDS_LIMIT];
    const char *const near = diag_nearest(text, words, token_spellings(IS_EVENT, words));
    if (!near) return false;
    diag_report *r = diag_at(p->diagnostics, UF0201, token_at(p, first), "no arm begins with `%s`", text);
    diag_help(r, "did you mean `%s`?", near);
    return true;
}

/* `if (cond) -> Step`, `if cond go -> Step`. Returns false if there is nothing to say about an `if`. */
static bool help_with_condition(parser *p, diag_report *r, uint32_t begin, uint32_t at)
{
    uint32_t const word = kind_at(p, begin) == T_AWAIT ? begin + 1 : begin;
    if (kind_at(p, word) != T_IF) return false;
    if (kind_at(p, word + 1) != T_LPAREN) {
        diag_help(r, "put the condition in parentheses: `if (…) event -> Step;`");
    } else if (at == event_of(p, begin) && (kind_at(p, at) == T_ARROW || kind_at(p, at) == T_SEMICOLON)) {
        const char *const condition = words_between(p, word + 1, at);
        diag_help(r, "an event follows: `if %s event -> Step;`; a condition to wait for is `until %s -> Step;`",
                  *condition ? condition : "(…)", *condition ? condition : "(…)");
    } else {
        return false;
    }
    return true;
}

void help_with_target(parser *p, diag_report *r, uint32_t arrow)
{
    diag_help(r, "`%s` takes a step, `done`, `fail` or `become Task`", words_between(p, arrow, arrow + 1));
}

/* `when (…) event -> Step`, `event if (…) -> Step` */
static bool help_with_when(parser *p, diag_report *r, uint32_t first, uint32_t at)
{
    static const char *const words[] = {"if", "when"};
    bool const is_before = kind_at(p, first + 1) == T_LPAREN;
    uint32_t const word = is_before ? first : at;
    if (kind_at(p, word + 1) != T_LPAREN) return false;
    if (is_before && !kind_is(kind_at(p, token_after_brackets(p->tokens, word + 1)), IS_NAME)) return false;
    if (!diag_nearest(token_intern(p->arena, p->tokens, word), words, 2)) return false;
    diag_help(r, "a condition before an event is written `if (…) event -> Step`");
    return true;
}

/* Is it a word that begins an arm, and the name of something that an arm can wait for? */
static bool is_name_and_word(const parser *p, uint32_t at)
{
    if (!kind_is(kind_at(p, at), IS_EVENT)) return false;
    const ast_member *const m = find_member(p->flow, p->tokens, at);
    if (m && !m->subflow) return true;
    for (int i = 0; i < 2; i++) {
        for (const ast_point *one = i == 0 ? p->file->signals : p->file->checkpoints; one; one = one->next) {
            if (token_is(p->tokens, at, one->name.name)) return true;
        }
    }
    for (const ast_job *job = p->task ? p->task->jobs : NULL; job; job = job->next) {
        if (token_is(p->tokens, at, job->name.name)) return true;
    }
    return false;
}

void help_with_arm(parser *p, diag_report *r, const void *state, uint32_t begin, uint32_t at)
{
    uint32_t const first = event_of(p, begin);
    if (at > first && is_name_and_word(p, at - 1)) {
        const char *const word = words_between(p, at - 1, at);
        diag_help(r, "`%s` is also a name here, which no arm can use: rename it", word);
        return;
    }
    if (help_with_condition(p, r, begin, at)) return;
    if (at > first && (kind_at(p, at - 1) == T_ARROW || kind_at(p, at - 1) == T_ELSE)) {
        help_with_target(p, r, at - 1);
        return;
    }
    if (at > first + 1 && kind_at(p, at) == T_ARROW && kind_at(p, at - 2) == T_ARROW) {
        help_with_target(p, r, at - 2);
        return;
    }
    if (at > first + 1 && kind_at(p, at - 1) == T_TIMEOUT && kind_at(p, at - 2) == T_ELSE) {
        diag_help(r, "`else` takes a step, `done`, `fail` or `become Task`; a timeout is an arm of its own: "
                     "`await { event -> Step; timeout 1s -> Late; }`");
        return;
    }
    if (kind_at(p, at) == T_COMMA) {
        diag_help(r, "every arm ends with `;`");
        return;
    }
    if (kind_at(p, at) == T_DOT && at > first + 1 && kind_at(p, at - 2) == T_ARROW) {
        help_with_task(p, r, at);
        return;
    }
    if (!is_in_event(p, first, at)) return;
    if (at == first && kind_at(p, at) == T_OPERATOR && token_is(p->tokens, at, "&")) {
        token_range const named = range_of_operand(p, at + 1);
        const char *const name = words_between(p, named.first, named.end);
        if (help_with_member(p, r, named)) return;
        if (named.end == at + 2) diag_help(r, "leave out the `&`: `%s -> …`", name);
        else diag_help(r, "to wait for a signal through a pointer, write `fired(&%s)`", *name ? name : "…");
        return;
    }
    const char *event = words_between(p, first, at);
    if (kind_at(p, at) == T_SEMICOLON && lemon_accepts(state, T_ARROW) && *event) {
        diag_help(r, "say what follows: `%s%s -> Step;`", first > begin ? "await " : "", event);
        return;
    }
    if (kind_at(p, at) == T_TIMEOUT && lemon_accepts(state, T_ARROW) && *event) {
        diag_help(r, "a timeout is an arm of its own: `%s%s -> Step; timeout 5s -> Step;%s`",
                  first > begin ? "await { " : "", event, first > begin ? " }" : "");
        return;
    }
    if (help_with_named_event(p, r, first, at)) return;
    bool const lacks_parens = kind_at(p, first) == T_UNTIL && at == first + 1;
    token_range const operand = range_of_operand(p, lacks_parens ? at : first);
    bool const is_access = kind_at(p, at) == T_DOT && (at == first + 1 || kind_at(p, first + 1) == T_LBRACKET);
    if (is_access && help_with_member(p, r, operand)) return;
    const char *condition = words_between(p, operand.first, operand.end);
    bool const is_whole = *condition && kind_at(p, operand.end) == T_ARROW;
    if (kind_at(p, first) == T_RUN) {
        help_with_run(p, r, operand);
        return;
    }
    if (help_with_form(p, r, first)) return;
    if (help_with_when(p, r, first, at)) return;
    if (token_is(p->tokens, first, "spawn"))
        diag_help(r, "`spawn` is a statement: write it before the `await`, and wait with `idle(pool) -> Step`");
    else if (is_sleep(p, first)) diag_help(r, "a wait is written with its duration: `await 50ms -> Step`");
    else if (is_whole && (lacks_parens || is_condition(operand)))
        diag_help(r, "a condition is written `until (%s)`", condition);
    else if (lacks_parens) diag_help(r, "put the condition in parentheses: `until (…)`");
    else help_with_arms(p, r);
}
