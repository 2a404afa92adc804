/* SPDX-License-Identifier: MIT */
/* uflow_scan.re - preprocessing tokens of C, and the words of .uflow files. It allocates no memory and knows no
 * structure.
 *
 * The text ends in a NUL that is not part of it; an earlier NUL is an ordinary character. Every block has a rule for
 * the end, so none reads past it. */
#include "scan.h"

#include <string.h>

#include "uflow_parse.h"

/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = at;
    re2c:define:YYLIMIT = s->limit;
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable = 0;
    re2c:eof = 0;

    splice   = "\\" [ \t\v\f]* "\r"? "\n";
    blank    = [ \t\v\f\r];
    hex      = [0-9a-fA-F];
    letter   = [a-zA-Z_$\x80-\xFF] | "\\u" hex{4} | "\\U" hex{8};
    name     = letter (splice* (letter | [0-9]))*;
    number   = "."? [0-9] (splice* ([0-9a-zA-Z_.\x80-\xFF] | [eEpP] [+-] | "'" [0-9a-zA-Z_]))*;
    duration = [0-9]+ ("'" [0-9]+)* ("." [0-9]+)? ("ns" | "us" | "ms" | "s" | "min" | "h");
    prefix   = "u8" | [uUL];
    escape   = splice | "\\" [^\n];
    string   = prefix? ["] ([^"\\\n] | escape)*;
    char     = prefix? ['] ([^'\\\n] | escape)*;
    line_comment  = "/" splice* "/" ([^\\\n] | splice | "\\")*;
    begin_comment = "/" splice* "*";
    end_comment   = "*" splice* "/";
    raw      = ("u8" | [uUL])? "R" ["]; /* GNU C; without an end it is a name and a string of strict C */
    hash     = "#" | "%:";
*/

/* The end of a raw string, `delimiter(text)delimiter"` after its first quote; NULL: it has none. After a failure it
 * does not look again, so that its time stays linear. */
static const unsigned char *end_of_raw(scanner *s, const unsigned char *at)
{
    enum { LONGEST = 16 };
    const unsigned char *const delimiter = at;
    while (at < s->limit && at - delimiter < LONGEST && *at > ' ' && !strchr("()\\\"", *at)) at++;
    size_t const length = (size_t)(at - delimiter);
    if (at == s->limit || *at != '(' || s->lacks_raw_end) return NULL;
    while ((at = memchr(at, ')', (size_t)(s->limit - at))) != NULL) {
        at++;
        if ((size_t)(s->limit - at) > length && memcmp(at, delimiter, length) == 0 && at[length] == '"')
            return at + length + 1;
    }
    s->lacks_raw_end = true;
    return NULL;
}

/* Skips the rest of a comment. Returns: false if it does not end. */
static bool skip_comment(scanner *s)
{
    const unsigned char *at = s->cursor, *marker;
    for (;;) {
        /*!re2c
            end_comment { s->cursor = at; return true; }
            [^*]+       { continue; }
            *           { continue; }
            $           { s->cursor = at; return false; }
        */
    }
}

/* After the `#`: reads white space and comments up to the directive's name, and the name. */
static uint16_t scan_directive_name(scanner *s)
{
    const unsigned char *at = s->cursor, *marker, *begin;
    for (;;) {
        begin = at;
        /*!re2c
            (blank | splice)+ { continue; }
            begin_comment     {
                s->cursor = at;
                if (!skip_comment(s)) {
                    s->cursor = begin;
                    return T_HASH_LINE;
                }
                at = s->cursor;
                continue;
            }
            name              { break; }
            *                 { s->cursor = begin; return T_HASH_LINE; }
            $                 { s->cursor = begin; return T_HASH_LINE; }
        */
    }
    s->cursor = at;
    uint16_t const kind = token_directive((const char *)begin, (size_t)(at - begin));
    return kind ? kind : T_HASH_LINE;
}

/* Reads the rest of a directive, to the end of its line. Quotes without a partner are text there (`#error don't`). */
static void scan_directive_rest(scanner *s)
{
    const unsigned char *at = s->cursor, *marker, *begin;
    for (;;) {
        begin = at;
        /*!re2c
            "\n"            { s->cursor = begin; return; }
            string ["]      { continue; }
            char [']        { continue; }
            line_comment    { continue; }
            begin_comment   {
                s->cursor = at;
                if (!skip_comment(s)) {
                    s->open_comment = begin;
                    return;
                }
                at = s->cursor;
                continue;
            }
            splice          { continue; }
            *               { continue; }
            $               { s->cursor = begin; return; }
        */
    }
}

void scan_skipped(scanner *s, bool to_endif)
{
    const unsigned char *at = s->cursor, *marker, *begin;
    unsigned depth = 0;
    bool line_start = false;
    for (;;) {
        begin = at;
        /*!re2c
            "\n"               { line_start = true; continue; }
            (blank | splice)+  { continue; }
            line_comment       { continue; }
            begin_comment      {
                s->cursor = at;
                if (!skip_comment(s)) {
                    s->open_comment = begin;
                    return;
                }
                at = s->cursor;
                continue;
            }
            raw                {
                const unsigned char *const end = end_of_raw(s, at);
                at = end ? end : at - 1;
                line_start = false;
                continue;
            }
            string ["]         { line_start = false; continue; }
            char [']           { line_start = false; continue; }
            hash               {
                if (!line_start) continue;
                line_start = false;
                s->cursor = at;
                uint16_t const kind = scan_directive_name(s);
                at = s->cursor;
                if (kind == T_HASH_IF) depth++;
                else if (kind == T_HASH_ENDIF && depth > 0) depth--;
                else if (depth == 0 && (kind == T_HASH_ENDIF || (kind != T_HASH_LINE && !to_endif))) {
                    s->cursor = begin;
                    s->line_start = true;
                    return;
                }
                continue;
            }
            *                  { line_start = false; continue; }
            $                  { s->cursor = begin; return; }
        */
    }
}

bool scan_next(scanner *s, token *out)
{
    const unsigned char *at = s->cursor, *marker, *begin;
    uint16_t kind;
    out->flags = 0;
    for (;;) {
        begin = at;
        /*!re2c
            "\n"              { s->line_start = true; continue; }
            (blank | splice)+ { continue; }
            line_comment      { continue; }
            begin_comment     {
                s->cursor = at;
                if (!skip_comment(s)) {
                    s->open_comment = begin;
                    return false;
                }
                at = s->cursor;
                continue;
            }
            hash {
                kind = T_OPERATOR;
                if (s->line_start) {
                    s->cursor = at;
                    kind = scan_directive_name(s);
                    scan_directive_rest(s);
                    at = s->cursor;
                }
                break;
            }

            name         { kind = T_IDENT; break; } /* or a word, see below */
            duration     { kind = T_DURATION; out->flags |= TOKEN_TIME; break; }
            number       { kind = T_NUMBER; break; }
            raw          {
                const unsigned char *const end = end_of_raw(s, at);
                kind = end ? T_STRING : T_IDENT;
                at = end ? end : at - 1;
                break;
            }
            string ["]   { kind = T_STRING; break; }
            char [']     { kind = T_CHARACTER; break; }
            string       { kind = T_STRING; out->flags |= TOKEN_OPEN_QUOTE; break; }
            char         { kind = T_CHARACTER; out->flags |= TOKEN_OPEN_QUOTE; break; }

            "{" | "<%"   { kind = T_LBRACE; break; }
            "}" | "%>"   { kind = T_RBRACE; break; }
            "[" | "<:"   { kind = T_LBRACKET; break; }
            "]" | ":>"   { kind = T_RBRACKET; break; }
            "("          { kind = T_LPAREN; break; }
            ")"          { kind = T_RPAREN; break; }
            ";"          { kind = T_SEMICOLON; break; }
            ","          { kind = T_COMMA; break; }
            ":"          { kind = T_COLON; break; }
            "?"          { kind = T_QUESTION; break; }
            "."          { kind = T_DOT; break; }
            "->"         { kind = T_ARROW; break; }
            "..." | "<<=" | ">>=" | "++" | "--" | "<<" | ">>" | "<=" | ">=" | "==" | "!=" | "&&" | "||" |
            [-+*/%&|^]"=" | "##" | "%:%:" { kind = T_OPERATOR; break; }
            *            { kind = T_OPERATOR; break; }
            $            { s->cursor = begin; return false; }
        */
    }
    if (s->line_start) out->flags |= TOKEN_FIRST_ON_LINE;
    s->line_start = false;
    s->cursor = at;
    out->kind = kind;
    if (kind == T_IDENT) token_classify(out, (const char *)begin, (size_t)(at - begin));
    out->begin = (uint32_t)(begin - s->text);
    out->end = (uint32_t)(at - s->text);
    return true;
}
