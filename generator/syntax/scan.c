/* SPDX-License-Identifier: MIT */
#include "scan.h"

#include <string.h>

#include "memory.h"
#include "parse_state.h"
#include "uflow_parse.h"
#include "utf8.h"

typedef struct open_if {
    bool certain; /* its first branch is `#if 1` */
    bool has_else;
} open_if;

typedef struct scan {
    parser *p; /* that reads the tokens */
    const source *in;
    scanner scanner;
    token *items;
    size_t count, capacity;
    open_if *ifs;
    size_t open_ifs, if_capacity;
    unsigned depth; /* of braces */
    bool truncated;
    bool has_unseen; /* characters that one cannot see */
} scan;

static void refuse_text(scan *s, mistake what, uint32_t begin, uint32_t end)
{
    token one = {.begin = begin, .end = end};
    (void)refuse(s->p, what, (token_range){&(token_list){s->in, &one, 1}, 0, 1});
}

/* -- bytes ------------------------------------------------------------------------------------------------------- */

/* Returns the first byte from `at` on that is neither printable ASCII nor a line feed, such as the NUL after the
 * text. */
static uint32_t after_plain(const char *text, uint32_t at)
{
    const unsigned char *next = (const unsigned char *)text + at;
    while ((unsigned)*next - ' ' <= '~' - ' ' || *next == '\n') next++;
    return (uint32_t)(next - (const unsigned char *)text);
}

/* Refuses only the first error of each kind: a file in another encoding would have thousands. */
static void check_bytes(scan *s)
{
    const char *text = s->in->text;
    bool nul = false, encoding = false, lone_return = false;
    for (uint32_t i = after_plain(text, 0); i < s->in->size; i = after_plain(text, i)) {
        size_t const length = utf8_length(text + i, s->in->size - i);
        if (length > 0 && (utf8_unseen(text + i, length) || utf8_quote(text + i, length))) s->has_unseen = true;
        if (length == 0 && !encoding) refuse_text(s, MISTAKE_ENCODING, i, i + 1);
        encoding = encoding || length == 0;
        if (text[i] == '\0' && !nul) refuse_text(s, MISTAKE_NUL, i, i + 1);
        nul = nul || text[i] == '\0';
        bool const is_lone = text[i] == '\r' && text[i + 1] != '\n';
        if (is_lone && !lone_return) refuse_text(s, MISTAKE_LONE_RETURN, i, i + 1);
        lone_return = lone_return || is_lone;
        i += length ? (uint32_t)length : 1;
    }
}

/* -- conditional directives --------------------------------------------------------------------------------------- */

scanner scan_inside(span directive)
{
    const unsigned char *const text = (const unsigned char *)directive.in->text, *const hash = text + directive.begin;
    return (scanner){.text = text, .cursor = hash + (*hash == '#' ? 1 : 2), .limit = text + directive.in->size};
}

bool scan_next_inside(scanner *s, span directive, token *out)
{
    return scan_next(s, out) && out->begin < directive.end;
}

bool scan_directive_is(span directive, const char *name)
{
    scanner s = scan_inside(directive);
    token t;
    return scan_next_inside(&s, directive, &t) && token_spells(directive.in->text + t.begin, t.end - t.begin, name);
}

bool scan_is_if(const source *in, const token *t, char digit)
{
    span const whole = {in, t->begin, t->end};
    scanner s = scan_inside(whole);
    token name, number, more;
    return scan_directive_is(whole, "if") && scan_next_inside(&s, whole, &name) &&
           scan_next_inside(&s, whole, &number) && number.end - number.begin == 1 && in->text[number.begin] == digit &&
           !scan_next_inside(&s, whole, &more);
}

/* Skips the text after a directive that the preprocessor will skip. */
static void follow_directive(scan *s, token *t)
{
    if (t->kind == T_HASH_IF) {
        s->ifs = memory_reserve(s->ifs, &s->if_capacity, s->open_ifs + 1, sizeof *s->ifs);
        s->ifs[s->open_ifs++] = (open_if){.certain = scan_is_if(s->in, t, '1')};
        if (!scan_is_if(s->in, t, '0')) return;
        t->flags |= TOKEN_SKIPS;
        scan_skipped(&s->scanner, false);
    } else if (t->kind == T_HASH_ENDIF) {
        if (s->open_ifs > 0) s->open_ifs--;
    } else if (s->open_ifs > 0) {
        open_if *const of = &s->ifs[s->open_ifs - 1];
        if (of->has_else) refuse_text(s, MISTAKE_AFTER_ELSE, t->begin, t->end);
        of->has_else = !of->has_else && t->kind == T_HASH_ELSE; /* one report */
        if (!of->certain) return;
        t->flags |= TOKEN_SKIPS;
        scan_skipped(&s->scanner, true);
    }
}

/* -- tokens ------------------------------------------------------------------------------------------------------ */

/* An unterminated string or character extends to the end of its line. An end of a statement there, `);` or ` }`,
 * probably does not belong to it. Excluding that lets the parser read the rest as intended. */
static void give_back_end(scan *s, token *t)
{
    const char *const text = s->in->text;
    uint32_t first = t->begin;
    while (text[first] != '"' && text[first] != '\'') first++;
    uint32_t end = first + 1;
    while (end < t->end && !(text[end - 1] == ' ' && text[end] == '/' && end + 1 < t->end && text[end + 1] == '/'))
        end++;
    uint32_t kept = end;
    bool ends_statement = false;
    for (; kept > first + 1 && strchr(" \t\r;)}", text[kept - 1]); kept--) {
        ends_statement = ends_statement || text[kept - 1] == ';' || text[kept - 1] == '}';
    }
    if (!ends_statement) return;
    unsigned open = 0;
    for (uint32_t i = first; i < kept; i++) {
        if (text[i] == '(') open++;
        if (text[i] == ')' && open > 0) open--;
    }
    for (; text[kept] == ')' && open > 0; open--) kept++;
    t->end = kept;
    s->scanner.cursor = s->scanner.text + kept;
}

/* Behind the quotation mark that ends the text on its line; `at`: none does. */
static uint32_t behind_quoted(const scan *s, uint32_t at, char quote)
{
    const char *const text = s->in->text;
    uint32_t length;
    for (uint32_t i = at; i < s->in->size && text[i] != '\n'; i += length ? length : 1) {
        length = (uint32_t)utf8_length(text + i, s->in->size - i);
        if (text[i] == quote || (length > 1 && utf8_quote(text + i, length) == quote)) return i + length;
    }
    return at;
}

/* Refuses “text”, and reads it as a string. */
static void take_quoted(scan *s, token *t, uint32_t length, char quote)
{
    refuse_text(s, MISTAKE_QUOTE, t->begin, t->begin + length);
    t->end = behind_quoted(s, t->begin + length, quote);
    s->scanner.cursor = s->scanner.text + t->end;
    t->kind = quote == '"' ? T_STRING : T_CHARACTER;
    t->flags &= TOKEN_FIRST_ON_LINE;
}

/* Refuses a character that one cannot see in a token, and reads it as a blank: the token ends before it, or before a
 * quotation mark. Returns false if nothing is left. */
static bool end_before_unseen(scan *s, token *t)
{
    const char *const text = s->in->text;
    uint32_t at = t->begin, length = 0;
    const char *name = NULL;
    char quote = '\0';
    for (; at < t->end && !name && !quote; at += length) {
        length = (uint32_t)utf8_length(text + at, t->end - at);
        if (length == 0) return true; /* refused as such */
        name = utf8_unseen(text + at, length);
        quote = utf8_quote(text + at, length);
    }
    if (!name && !quote) return true;
    at -= length;
    if (quote && at == t->begin) {
        take_quoted(s, t, length, quote);
        return true;
    }
    if (name) refuse_text(s, MISTAKE_UNSEEN, at, at + length);
    s->scanner.cursor = s->scanner.text + at + (name ? length : 0);
    s->scanner.line_start = at == t->begin && (t->flags & TOKEN_FIRST_ON_LINE);
    t->end = at;
    if (kind_is(t->kind, IS_WORD)) token_classify(t, text + t->begin, t->end - t->begin);
    return at > t->begin;
}

/* Strings and comments may hold such characters. */
static bool may_be_unseen(const scan *s, const token *t)
{
    return s->has_unseen && (kind_is(t->kind, IS_WORD) || t->kind == T_NUMBER || t->kind == T_OPERATOR);
}

/* Refuses such characters in a directive, which has another name without them. Texts of `#error` may hold them. */
static void check_directive(scan *s, token *directive)
{
    span const whole = {s->in, directive->begin, directive->end};
    if (scan_directive_is(whole, "error") || scan_directive_is(whole, "warning")) return;
    scanner const behind = s->scanner;
    bool is_name = true;
    s->scanner = scan_inside(whole);
    for (token t; scan_next_inside(&s->scanner, whole, &t);) {
        if (may_be_unseen(s, &t) && !end_before_unseen(s, &t)) continue;
        uint16_t const kind = is_name ? token_directive(s->in->text + t.begin, t.end - t.begin) : 0;
        if (kind) directive->kind = kind;
        is_name = false;
    }
    s->scanner = behind;
}

static bool next_token(scan *s, token *t)
{
    if (s->truncated) return false;
    bool more;
    do more = scan_next(&s->scanner, t);
    while (more && may_be_unseen(s, t) && !end_before_unseen(s, t));
    if (more && (t->flags & TOKEN_OPEN_QUOTE)) {
        refuse_text(s, t->kind == T_STRING ? MISTAKE_OPEN_STRING : MISTAKE_OPEN_CHARACTER, t->begin, t->end);
        give_back_end(s, t);
    }
    if (more && s->has_unseen && kind_is(t->kind, IS_DIRECTIVE)) check_directive(s, t);
    if (more && kind_is(t->kind, IS_BRANCH)) follow_directive(s, t);
    if (more && t->end - t->begin > IDENTIFIER_LIMIT && (t->kind == T_IDENT || t->kind == T_NUMBER))
        refuse_text(s, MISTAKE_LONG, t->begin, t->end);
    s->truncated = s->scanner.open_comment != NULL;
    if (s->truncated) {
        uint32_t const begin = (uint32_t)(s->scanner.open_comment - s->scanner.text);
        refuse_text(s, MISTAKE_OPEN_COMMENT, begin, begin + 2);
    }
    return more;
}

static void keep(scan *s, token t)
{
    s->items = arena_reserve(s->p->arena, s->items, &s->capacity, s->count + 1, sizeof *s->items);
    bool const is_first = s->count == 0;
    uint16_t const before = is_first ? 0 : s->items[s->count - 1].kind;
    if (kind_is(t.kind, IS_WORD) && !kind_is(before, IS_ACCESS | IS_TAG)) t.flags |= TOKEN_FREE;
    s->items[s->count++] = t;
}

/* -- header and source blocks ------------------------------------------------------------------------------------- */

static bool is_in_column_1(const scan *s, const token *t)
{
    return t->begin == 0 || s->in->text[t->begin - 1] == '\n';
}

/* `flow NAME` at the start of a line is not C: the block before it was never closed. */
static bool begins_flow(const scan *s, const token *t)
{
    if (t->kind != T_FLOW || !(t->flags & TOKEN_FIRST_ON_LINE) || !is_in_column_1(s, t)) return false;
    scanner ahead = s->scanner;
    token name, after;
    return scan_next(&ahead, &name) && name.kind == T_IDENT && scan_next(&ahead, &after) &&
           (after.kind == T_LBRACE || after.kind == T_LPAREN);
}

/* Reads a block of C from its `{`, the last token, and makes one token of it. Only the first branch of a conditional
 * directive counts, so that branches can hold different halves of a pair of braces. */
static void take_block(scan *s)
{
    token *block = &s->items[s->count - 1];
    uint32_t const opening_end = block->end;
    size_t const open_ifs = s->open_ifs;
    unsigned depth = 1;
    struct level {
        unsigned at_if, after_first;
        bool in_first;
        token begin;
    } *levels = NULL;
    size_t level_count = 0, level_capacity = 0;
    token t;
    bool closed = false;
    scanner before = s->scanner;
    while (!closed && next_token(s, &t) && !begins_flow(s, &t)) {
        block->end = t.end;
        before = s->scanner;
        if (t.kind == T_LBRACE) {
            depth++;
        } else if (t.kind == T_RBRACE) {
            if (depth > 1) depth--;
            else if (level_count == 0) closed = true;
        } else if (t.kind == T_HASH_IF) {
            levels = memory_reserve(levels, &level_capacity, level_count + 1, sizeof *levels);
            levels[level_count++] = (struct level){depth, depth, true, t};
        } else if (level_count > 0 && (t.kind == T_HASH_ELIF || t.kind == T_HASH_ELSE || t.kind == T_HASH_ENDIF)) {
            struct level *const top = &levels[level_count - 1];
            if (top->in_first) top->after_first = depth;
            top->in_first = false;
            depth = t.kind == T_HASH_ENDIF ? top->after_first : top->at_if;
            if (t.kind == T_HASH_ENDIF) level_count--;
        } else if (kind_is(t.kind, IS_BRANCH)) {
            refuse_text(s, MISTAKE_WITHOUT_IF, t.begin, t.end);
        }
    }
    if (!closed && !s->truncated && level_count > 0) {
        token const *const open = &levels[level_count - 1].begin;
        refuse_text(s, MISTAKE_OPEN_DIRECTIVE, open->begin, open->end);
        closed = true;
    }
    memory_free(levels);
    block->kind = T_BLOCK_TEXT;
    s->scanner = before;
    if (!closed && !s->truncated) refuse_text(s, MISTAKE_OPEN_BLOCK, block->begin, opening_end);
    s->open_ifs = open_ifs;
}

/* -- the loop ------------------------------------------------------------------------------------------------------ */

static bool is_block_word(uint16_t kind)
{
    return kind == T_PROLOGUE || kind == T_HEADER || kind == T_SOURCE;
}

/* Is the last token the `{` of a block of C? These are only allowed outside of flows. Elsewhere, the word before it is
 * a name. */
static bool begins_block(scan *s)
{
    token *const word = s->count > 1 ? &s->items[s->count - 2] : NULL;
    if (!word || !is_block_word(word->kind)) return false;
    uint16_t const before = s->count > 2 ? word[-1].kind : T_SEMICOLON;
    bool const is_free = word->kind != T_PROLOGUE || before == T_SEMICOLON || before == T_RBRACE ||
                         before == T_BLOCK_TEXT || kind_is(before, IS_DIRECTIVE);
    bool const is_outside = s->depth == 0 || is_in_column_1(s, word);
    if (word[1].kind == T_LBRACE && is_free && is_outside) return true;
    word->kind = T_IDENT;
    return false;
}

scanned scan_file(parser *p, const source *in)
{
    scan s = {.p = p, .in = in};
    s.scanner = (scanner){.text = (const unsigned char *)in->text, .line_start = true};
    s.scanner.cursor = s.scanner.text;
    s.scanner.limit = s.scanner.text + in->size;

    check_bytes(&s);
    /* Usually there are fewer. */
    s.items = arena_reserve(p->arena, s.items, &s.capacity, in->size / 3 + 1, sizeof *s.items);
    for (token t; next_token(&s, &t);) {
        keep(&s, t);
        if (begins_block(&s)) {
            take_block(&s);
            continue;
        }
        if (t.kind == T_LBRACE) s.depth++;
        if (t.kind == T_RBRACE && s.depth > 0) s.depth--;
    }
    if (s.count > 0 && is_block_word(s.items[s.count - 1].kind)) s.items[s.count - 1].kind = T_IDENT;
    token_list list = {in, s.items, (uint32_t)s.count};
    scan_find_places(&list);
    memory_free(s.ifs);
    return (scanned){list, s.truncated};
}
