/* SPDX-License-Identifier: MIT */
/* Helps for tokens that the grammar refuses, apart from those in an await. */
#include "explainer.h"
#include "intents.h"
#include "uflow_parse.h"

/* Is the refused token the third one after that word, such as `(` in `on go(`? */
static bool is_third(const refusal *r, uint16_t head, uint16_t kind)
{
    return r->head == head && r->kind == kind && r->at == r->begin + 2;
}

/* `next step B`, `go -> step B`, `become task T`. */
static bool has_word_of_target(const parser *p, const refusal *r)
{
    uint16_t const before = kind_at(p, r->at - 2);
    bool const takes_step = before == T_NEXT || before == T_ARROW || before == T_ELSE;
    bool const is_word = r->before == T_STEP ? takes_step : r->before == T_TASK && before == T_BECOME;
    return p->step && is_word && kind_is(r->kind, IS_NAME);
}

static bool is_companion(const parser *p, const refusal *r)
{
    return p->task && !p->step && token_is(p->tokens, r->begin, "with");
}

static uint32_t target_behind(const parser *p, uint32_t arrow)
{
    return kind_at(p, arrow + 1) == T_NEXT ? arrow + 2 : arrow + 1;
}

/* The text after an arrow, without `next`; "Step" if that text is long. */
static const char *outcome_behind(parser *p, uint32_t arrow)
{
    uint32_t const first = target_behind(p, arrow);
    return words_or(p, first, find_kind(p, first, p->tokens->count, T_SEMICOLON), "Step");
}

/* The statement that does the same. */
static const char *statement_behind(parser *p, uint32_t arrow)
{
    bool const is_intent = kind_is(kind_at(p, target_behind(p, arrow)), IS_INTENT);
    return TEXT("%s%s", is_intent ? "" : "next ", outcome_behind(p, arrow));
}

/* `=>`, `- >`, `-->`, `<-`, `:` */
static bool is_other_arrow(const parser *p, uint32_t at)
{
    static const char *const parts[][2] = {{"=", ">"}, {"-", ">"}, {"--", ">"}, {"<", "-"}};
    if (kind_at(p, at) != T_OPERATOR || kind_at(p, at + 1) != T_OPERATOR) return kind_at(p, at) == T_COLON;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (token_is(p->tokens, at, parts[i][0]) && token_is(p->tokens, at + 1, parts[i][1])) return true;
    }
    return false;
}

/* `1s + 2s`, where a duration is one literal. */
static bool is_sum(const parser *p, uint32_t at)
{
    return token_is_one_of(p->tokens, at, "+ - * /");
}

/* `for (…) await 1s;`: the `await` is in the statement. */
static const char *inner_await_help(parser *p, const refusal *r)
{
    uint32_t word = r->at;
    while (word > r->begin && kind_at(p, word) != T_AWAIT) word--;
    if (word == r->at || word == r->begin) return NULL;
    if (r->head != T_FOR && r->head != T_WHILE && r->head != T_DO) return help_of_arm(p, r, word);
    return TEXT("a loop of C cannot wait: count in a field, and let the step that follows decide, `%s -> Step;`",
                WORDS(word, r->at));
}

/* `on estop become Close;`, `on timeout 5s next Late;` */
static const char *on_without_arrow_help(parser *p, const refusal *r)
{
    if (kind_is(kind_at(p, r->begin + 1), IS_HANDLER)) {
        const char *const handler = WORDS(r->begin, r->begin + 2);
        return TEXT("`%s` runs C: write `%s { … }`", handler, handler);
    }
    uint32_t const first = r->kind == T_NEXT ? r->at + 1 : r->at;
    uint32_t const named = kind_at(p, first) == T_BECOME ? first + 2 : first + 1;
    uint32_t const end = kind_at(p, named) == T_LPAREN ? token_after_brackets(p->tokens, named) : named;
    const char *const cause = WORDS(r->begin, r->at), *const outcome = WORDS(first, end);
    return *cause && *outcome ? TEXT("write `%s -> %s`", cause, outcome) : "";
}

#define HELP HELP_ROW
#include "refusals.def"
#undef HELP

const char *help_of_refusal(parser *p, const refusal *r)
{
    static refusal_help *const rows[] = {
#define HELP(name, example, precedes, condition, help) name##_row,
#include "refusals.def"
#undef HELP
    };
    return first_help(p, r, ROWS_HELP, rows, sizeof rows / sizeof rows[0]);
}
