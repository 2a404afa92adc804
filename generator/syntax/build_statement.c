/* SPDX-License-Identifier: MIT */
/* Builds the statements of C. */
#include "ast_build.h"
#include "declare.h"
#include "uflow_parse.h"
#include "words.h"

/* -- lists ------------------------------------------------------------------------------------------------------- */

statement_list add_statement(statement_list list, ast_statement *one)
{
    APPEND(list, one);
    while (list.last->next) list.last = list.last->next;
    return list;
}

ast_statement *new_statement(parser *p, ast_statement_kind kind, uint32_t first, uint32_t last)
{
    ast_statement *s = ARENA_NEW(p->arena, ast_statement);
    s->kind = kind;
    s->at = span_join(token_at(p, first), token_at(p, last));
    s->text = s->condition = range_none(p);
    s->depth = 1;
    return s;
}

/* The nesting of a list of statements, at least `depth`. */
static unsigned deeper(unsigned depth, const ast_statement *list)
{
    for (; list; list = list->next) depth = list->depth > depth ? list->depth : depth;
    return depth;
}

/* Limits the nesting of statements, which bounds the recursion of later visitors. Deeper ones are refused and
 * dropped. A chain of `else if` is no nesting. */
static ast_statement *deepen(parser *p, ast_statement *s)
{
    unsigned inner = 0;
    for (const ast_statement *one = s; one; one = ast_else_if(one)) {
        inner = deeper(inner, one->body);
        if (!ast_else_if(one)) inner = deeper(inner, one->otherwise);
    }
    for (const ast_branch *branch = s->branches; branch; branch = branch->next) inner = deeper(inner, branch->body);
    s->depth = inner + 1;
    if (s->depth <= NESTING_LIMIT) return s;
    if (!p->too_deep) {
        p->too_deep = true;
        refuse(p, MISTAKE_TOO_DEEP,
               (token_range){p->tokens, token_from(p->tokens, s->at.begin), token_from(p->tokens, s->at.end)});
    }
    s->body = s->otherwise = NULL;
    s->branches = NULL;
    s->depth = 1;
    return s;
}

/* Sets the last byte of a statement that ends with another one. */
static ast_statement *end_with(ast_statement *s, const ast_statement *last)
{
    while (last && last->next) last = last->next;
    if (last && last->at.end > s->at.end) s->at.end = last->at.end;
    return s;
}

/* -- statements -------------------------------------------------------------------------------------------------- */

ast_statement *build_block(parser *p, uint32_t first, statement_list list, uint32_t last)
{
    ast_statement *s = new_statement(p, STATEMENT_BLOCK, first, last);
    s->text = range_of(p, first, last);
    s->body = list.first;
    return deepen(p, s);
}

ast_statement *build_directive(parser *p, uint32_t word)
{
    ast_statement *s = new_statement(p, STATEMENT_DIRECTIVE, word, word);
    s->text = range_one(p, word);
    return s;
}

ast_statement *build_pragma(parser *p, uint32_t word, uint32_t end)
{
    token *const directive = &p->file->tokens.items[word];
    directive->kind = T_HASH_LINE;
    directive->end = p->tokens->items[end].end;
    return build_directive(p, word);
}

ast_statement *build_label(parser *p, uint32_t name, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_LABEL, name, end);
    s->operands = ARENA_NEW(p->arena, ast_operands);
    s->operands->name = build_ident(p, name);
    return s;
}

ast_statement *build_case(parser *p, uint32_t word, token_range value, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_CASE, word, end);
    s->condition = value;
    return s;
}

/* `static int f(int a) {` in a body: it begins with a word of a type. Returns the block; 0: it is no function. */
static uint32_t find_function(const parser *p, token_range text)
{
    const token *const first = &text.list->items[text.first];
    bool const is_type = (first->flags & (TOKEN_TYPE | TOKEN_SPECIFIER)) || first->kind == T_TAG;
    return is_type ? syntax_function(p, text) : 0;
}

/* A pragma that begins a statement is a directive (build_pragma()). After `if (…)` and similar heads it would make the
 * next statement independent of the `if`. */
static void refuse_pragma(parser *p, token_range text)
{
    bool const is_pragma = text.end > text.first + 4 && token_is(text.list, text.first, "_Pragma") &&
                           text.list->items[text.first + 2].kind == T_STRING;
    if (is_pragma) refuse(p, MISTAKE_PRAGMA, text);
}

/* C would take the text of `C, "why"` and the value of `a = b` for what is claimed: most of them always hold. */
void refuse_claim(parser *p, token_range parens)
{
    token_range const condition = range_inside(parens);
    uint32_t const assigns = find_outside(condition, "=");
    bool const ends_in_text = condition.end > condition.first + 2 &&
                              token_kind(condition.list, condition.end - 1) == T_STRING &&
                              token_kind(condition.list, condition.end - 2) == T_COMMA;
    if (range_empty(condition)) refuse(p, MISTAKE_CLAIM_EMPTY, parens);
    else if (ends_in_text) refuse(p, MISTAKE_CLAIM_TEXT, range_of(p, condition.end - 2, condition.end - 1));
    else if (assigns < condition.end) refuse(p, MISTAKE_CLAIM_ASSIGNS, range_one(p, assigns));
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, condition);
}

/* `expect(C);` or `expect_text(a, b);` of a test; NULL: it is another statement. */
static ast_statement *build_expect(parser *p, token_range text, uint32_t end)
{
    if (text.end < text.first + 3 || text.list->items[text.first + 1].kind != T_LPAREN) return NULL;
    bool const is_text = token_is(text.list, text.first, "expect_text");
    if (!is_text && !token_is(text.list, text.first, "expect")) return NULL;
    token_range const parens = {text.list, text.first + 1, text.end};
    if (closing_bracket(parens, parens.first) + 1 != parens.end) return NULL;
    ast_statement *const s = new_statement(p, is_text ? STATEMENT_EXPECT_TEXT : STATEMENT_EXPECT, text.first, end);
    s->condition = range_inside(parens);
    if (is_text && !range_empty(s->condition)) refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, s->condition);
    else refuse_claim(p, parens);
    return s;
}

ast_statement *build_text(parser *p, token_range text, uint32_t end)
{
    p->text = NO_TEXT;
    if (range_empty(text)) return new_statement(p, STATEMENT_TEXT, end, end);
    ast_statement *const expect = is_in_test(p) ? build_expect(p, text, end) : NULL;
    if (expect) return expect;
    uint32_t const function = find_function(p, text);
    if (function) refuse(p, MISTAKE_FUNCTION_IN_BODY, (token_range){text.list, text.first, function});
    refuse_pragma(p, text);
    ast_declaration *declaration = declare_locals(p->arena, text);
    ast_statement *s = new_statement(p, declaration ? STATEMENT_DECLARATION : STATEMENT_TEXT, text.first, end);
    s->text = text;
    s->declaration = declaration;
    return s;
}

/* `step NAME {` or `worker int press(…) {` among statements: these are not calls of macros. */
static bool is_misplaced_part(parser *p, token_range head)
{
    uint16_t const word = head.list->items[head.first].kind;
    uint32_t last = head.first + 1;
    if (!kind_is(word, IS_HEAD) && word != T_WORKER) return false;
    while (last < head.end && head.list->items[last].kind != T_LPAREN) last++;
    if (last == head.first + 1) return false;
    refuse(p, MISTAKE_PART_IN_BODY, (token_range){head.list, head.first, last});
    return true;
}

ast_statement *build_macro_block(parser *p, token_range head, ast_statement *body)
{
    ast_statement *s = new_statement(p, STATEMENT_MACRO_BLOCK, head.first, head.end - 1);
    s->condition = head;
    s->body = body;
    end_with(s, body);
    bool const is_part = is_misplaced_part(p, head);
    bool const is_function = !is_part && find_function(p, (token_range){head.list, head.first, head.end + 1});
    if (is_part) s->kind = STATEMENT_TEXT;
    if (refuse_if(p, is_function, MISTAKE_FUNCTION_IN_BODY, head) || is_part) s->body = NULL;
    return deepen(p, s);
}

statement_list add_if(parser *p, statement_list list, ast_statement *body, uint32_t word, token_range condition)
{
    ast_statement *const s = new_statement(p, STATEMENT_IF, word, condition.end - 1);
    s->condition = range_inside(condition);
    if (!list.first) return (statement_list){s, s};
    list.last->body = body;
    list.last->otherwise = s;
    list.last = s;
    return list;
}

ast_statement *end_ifs(parser *p, statement_list list, ast_statement *body, ast_statement *otherwise)
{
    list.last->body = body;
    list.last->otherwise = otherwise;
    end_with(list.last, otherwise ? otherwise : body);
    for (ast_statement *s = list.first; s != list.last; s = s->otherwise) end_with(s, list.last);
    return deepen(p, list.first);
}

ast_statement *build_loop(parser *p, ast_statement_kind kind, uint32_t word, token_range condition, ast_statement *body,
                          uint32_t end)
{
    ast_statement *s = new_statement(p, kind, word, end);
    s->condition = range_inside(condition);
    s->body = body;
    if (kind == STATEMENT_FOR) {
        uint32_t const clause = find_outside(s->condition, ";");
        token_range const first = {p->tokens, s->condition.first,
                                   clause < s->condition.end ? clause : s->condition.first};
        if (!range_empty(first)) s->declaration = declare_locals(p->arena, first);
    }
    return deepen(p, end_with(s, body));
}

ast_statement *build_jump(parser *p, ast_statement_kind kind, uint32_t word, token_range text, uint32_t end)
{
    ast_statement *s = new_statement(p, kind, word, end);
    s->text = text;
    if (kind != STATEMENT_GOTO) return s;
    s->operands = ARENA_NEW(p->arena, ast_operands);
    if (text.end - text.first == 1) s->operands->name = build_ident(p, text.first);
    return s;
}

/* -- conditional directives --------------------------------------------------------------------------------------- */

branch_list add_branch(parser *p, branch_list list, uint32_t word, statement_list body, bool is_else)
{
    ast_branch *branch = ARENA_NEW(p->arena, ast_branch);
    branch->at = token_at(p, word);
    branch->skipped = (p->tokens->items[word].flags & TOKEN_SKIPS) != 0;
    branch->is_else = is_else;
    branch->body = body.first;
    APPEND(list, branch);
    return list;
}

ast_statement *build_conditional(parser *p, branch_list list, uint32_t end)
{
    ast_statement *s = new_statement(p, STATEMENT_DIRECTIVES, end, end);
    s->at = span_join(list.first->at, s->at);
    s->branches = list.first;
    return deepen(p, s);
}
