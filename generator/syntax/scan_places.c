/* SPDX-License-Identifier: MIT */
/* Words that are words only in their place, and attributes of statements, which are no tokens. */
#include "scan.h"
#include "uflow_parse.h"
#include "words.h"

static bool is_name_at(const token_list *list, uint32_t at)
{
    return kind_is(token_kind(list, at), IS_NAME) && !(list->items[at].flags & TOKEN_WORDS_OF_C);
}

static bool begins_statement(const token_list *list, uint32_t at)
{
    uint16_t const before = at ? list->items[at - 1].kind : T_SEMICOLON;
    return before == T_SEMICOLON || before == T_LBRACE || before == T_RBRACE || before == T_RPAREN ||
           before == T_COLON || before == T_ELSE || before == T_DO || kind_is(before, IS_DIRECTIVE) ||
           (list->items[at].flags & TOKEN_FIRST_ON_LINE);
}

/* `LIKELY next Step;`, `if (x) LIKELY done;`: a macro that may be an attribute. `BOOL done;` declares a variable. */
static bool is_macro_of_intent(const token_list *list, uint32_t at, uint16_t before)
{
    if (at + 2 >= list->count || !kind_is(list->items[at + 1].kind, IS_INTENT) || !token_in_capitals(list, at) ||
        list->items[at].kind != T_IDENT || (list->items[at].flags & TOKEN_WORDS_OF_C))
        return false;
    uint16_t const after = list->items[at + 2].kind;
    bool const is_branch = before == T_RPAREN || before == T_ELSE || before == T_DO || before == T_COLON;
    return kind_is(after, IS_WORD) || after == T_STRING || after == T_NUMBER || after == T_DURATION ||
           after == T_LBRACE || (is_branch && after == T_SEMICOLON);
}

/* The first token after attributes, `[[likely]] [[gnu::cold]]`, `__attribute__((musttail))`, if they begin there. */
static uint32_t after_attributes(const token_list *list, uint32_t at)
{
    enum { DEEPEST = 4 }; /* so that this takes linear time */
    uint16_t const before = at ? list->items[at - 1].kind : 0;
    uint32_t begin = at;
    for (;;) {
        bool const is_gnu =
            at < list->count && (list->items[at].flags & TOKEN_ATTRIBUTE) && token_kind(list, at + 1) == T_LPAREN;
        if (!is_gnu && !(token_kind(list, at) == T_LBRACKET && token_kind(list, at + 1) == T_LBRACKET)) break;
        size_t open = 0;
        at += is_gnu;
        do {
            if (at == list->count || open > DEEPEST) return begin;
            open += kind_is(list->items[at].kind, OPENS_BRACKET);
            open -= kind_is(list->items[at].kind, CLOSES_BRACKET);
            at++;
        } while (open > 0);
        begin = at;
    }
    return is_macro_of_intent(list, at, before) ? at + 1 : at;
}

/* No declaration and no expression: their attributes are part of their text. */
static bool is_statement_of_words(const token_list *list, uint32_t at)
{
    uint16_t const kind = token_kind(list, at);
    return kind_is(kind, IS_STATEMENT | IS_INTENT) || kind == T_LBRACE ||
           (kind_is(kind, IS_NAME) && token_kind(list, at + 1) == T_COLON);
}

/* The attributes of a statement of C or of an intent are text before it, as blanks are. */
static void leave_out_attributes(token_list *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        bool const may_begin = list->items[i].kind == T_IDENT || list->items[i].kind == T_LBRACKET;
        uint32_t const after = may_begin && begins_statement(list, i) ? after_attributes(list, i) : i;
        if (after > i && is_statement_of_words(list, after)) i = after;
        list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* `pool NAME NAME[` and, at the begin of a statement, `spawn NAME.NAME(`; elsewhere they are names. */
void scan_find_places(token_list *list)
{
    leave_out_attributes(list);
    for (uint32_t i = 0; i < list->count; i++) {
        token *const t = &list->items[i];
        if (t->kind != T_POOL && t->kind != T_SPAWN) continue;
        bool const is_pool = t->kind == T_POOL && is_name_at(list, i + 1) && is_name_at(list, i + 2) &&
                             token_kind(list, i + 3) == T_LBRACKET;
        bool const is_spawn = t->kind == T_SPAWN && is_name_at(list, i + 1) && token_kind(list, i + 2) == T_DOT &&
                              is_name_at(list, i + 3) && token_kind(list, i + 4) == T_LPAREN &&
                              begins_statement(list, i);
        if (!is_pool && !is_spawn) t->kind = T_IDENT;
    }
}
