/* uflow_scan.re - preprocessing tokens of C, and the words of .uflow files; allocates nothing and knows no structure.
 *
 * The text ends in a NUL that is not part of it; a NUL before is a character like another. Every block has a rule for
 * the end, and none reads past it. */
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
    hash     = "#" | "%:";
*/

/* After the begin of a comment. False if it does not end. */
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

/* After the `#`: white space and comments up to the directive's name, and the name. */
static uint16_t scan_directive_name(scanner *s)
{
    static const struct {
        const char *name;
        uint16_t kind;
    } directives[] = {{"if", T_HASH_IF},        {"ifdef", T_HASH_IF},     {"ifndef", T_HASH_IF},
                      {"elif", T_HASH_ELIF},    {"elifdef", T_HASH_ELIF}, {"elifndef", T_HASH_ELIF},
                      {"else", T_HASH_ELSE},    {"endif", T_HASH_ENDIF}};
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
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        size_t const length = strlen(directives[i].name);
        if ((size_t)(at - begin) == length && memcmp(begin, directives[i].name, length) == 0) return directives[i].kind;
    }
    return T_HASH_LINE;
}

/* The rest of a directive, up to the end of its line. Quotes without a partner are text there (`#error don't`). */
static void scan_directive_rest(scanner *s, token *out)
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
                    out->flags |= TOKEN_OPEN_COMMENT;
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
                    scan_directive_rest(s, out);
                    at = s->cursor;
                }
                break;
            }

            "if"         { kind = T_IF; break; }
            "else"       { kind = T_ELSE; break; }
            "while"      { kind = T_WHILE; break; }
            "do"         { kind = T_DO; break; }
            "for"        { kind = T_FOR; break; }
            "switch"     { kind = T_SWITCH; break; }
            "case"       { kind = T_CASE; break; }
            "default"    { kind = T_DEFAULT; break; }
            "break"      { kind = T_BREAK; break; }
            "continue"   { kind = T_CONTINUE; break; }
            "return"     { kind = T_RETURN; break; }
            "goto"       { kind = T_GOTO; break; }
            "struct" | "union" | "enum" { kind = T_TAG; break; }

            "header"     { kind = T_HEADER; break; }
            "source"     { kind = T_SOURCE; break; }
            "import"     { kind = T_IMPORT; break; }
            "flow"       { kind = T_FLOW; break; }
            "task"       { kind = T_TASK; break; }
            "step"       { kind = T_STEP; break; }
            "on"         { kind = T_ON; break; }
            "init"       { kind = T_INIT; break; }
            "enter"      { kind = T_ENTER; break; }
            "exit"       { kind = T_EXIT; break; }
            "forever"    { kind = T_FOREVER; break; }

            "next"       { kind = T_NEXT; break; }
            "stay"       { kind = T_STAY; break; }
            "await"      { kind = T_AWAIT; break; }
            "done"       { kind = T_DONE; break; }
            "fail"       { kind = T_FAIL; break; }
            "become"     { kind = T_BECOME; break; }
            "describe"   { kind = T_DESCRIBE; break; }
            "every"      { kind = T_EVERY; break; }
            "timeout"    { kind = T_TIMEOUT; break; }
            "until"      { kind = T_UNTIL; break; }
            "run"        { kind = T_RUN; break; }
            "idle"       { kind = T_IDLE; break; }
            "all"        { kind = T_ALL; break; }

            "signal"     { kind = T_SIGNAL; break; }
            "checkpoint" { kind = T_CHECKPOINT; break; }
            "mailbox"    { kind = T_MAILBOX; break; }
            "worker"     { kind = T_WORKER; break; }
            "job"        { kind = T_JOB; break; }
            "submit"     { kind = T_SUBMIT; break; }
            "shutdown"   { kind = T_SHUTDOWN; break; }
            "fired"      { kind = T_FIRED; break; }
            "arrived"    { kind = T_ARRIVED; break; }
            "readable"   { kind = T_READABLE; break; }
            "writable"   { kind = T_WRITABLE; break; }
            "stopping"   { kind = T_STOPPING; break; }

            "void" | "char" | "short" | "int" | "long" | "float" | "double" | "signed" | "unsigned" | "_Bool" |
            "bool" | "_Complex" | "__complex__" | "__auto_type" | "__int128" | "_Float16" | "_Float32" | "_Float64" |
            "_Float128" | "__signed" | "__signed__" { kind = T_IDENT; out->flags |= TOKEN_TYPE; break; }
            "const" | "volatile" | "restrict" | "static" | "extern" | "register" | "auto" | "typedef" | "inline" |
            "_Thread_local" | "thread_local" | "_Noreturn" | "constexpr" | "__extension__" | "__const" |
            "__const__" | "__volatile" | "__volatile__" | "__restrict" | "__restrict__" | "__inline" | "__inline__" |
            "__thread" | "_Nonnull" | "_Nullable" | "_Null_unspecified"
                { kind = T_IDENT; out->flags |= TOKEN_SPECIFIER; break; }
            "__attribute__" | "__attribute" | "_Alignas" | "alignas" | "__declspec" | "asm" | "__asm__" | "__asm"
                { kind = T_IDENT; out->flags |= TOKEN_ATTRIBUTE; break; }
            "typeof" | "__typeof__" | "__typeof" | "typeof_unqual" | "_Atomic" | "_BitInt"
                { kind = T_IDENT; out->flags |= TOKEN_TYPEOF; break; }
            "sizeof" | "_Alignof" | "alignof" | "_Generic" | "_Static_assert" | "static_assert" | "true" | "false" |
            "nullptr" { kind = T_IDENT; out->flags |= TOKEN_EXPRESSION; break; }

            name         { kind = T_IDENT; break; }
            duration     { kind = T_DURATION; break; }
            number       { kind = T_NUMBER; break; }
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
    out->begin = (uint32_t)(begin - s->text);
    out->end = (uint32_t)(at - s->text);
    return true;
}
