#include "token.h"

#include <string.h>

#include "uflow_parse.h"

span range_span(token_range r)
{
    if (range_empty(r)) return (span){r.list ? r.list->in : NULL, 0, 0};
    return (span){r.list->in, r.list->items[r.first].begin, r.list->items[r.end - 1].end};
}

bool kind_is_name(uint16_t kind)
{
    switch (kind) {
    case T_IDENT:
    case T_IMPORT:
    case T_FLOW:
    case T_TASK:
    case T_STEP:
    case T_ON:
    case T_FOREVER:
    case T_SHUTDOWN:
    case T_INIT:
    case T_ENTER:
    case T_EXIT:
    case T_NEXT:
    case T_STAY:
    case T_AWAIT:
    case T_DONE:
    case T_FAIL:
    case T_BECOME:
    case T_DESCRIBE:
    case T_EVERY:
    case T_TIMEOUT:
    case T_UNTIL:
    case T_RUN:
    case T_IDLE:
    case T_ALL:
    case T_SIGNAL:
    case T_CHECKPOINT:
    case T_MAILBOX:
    case T_WORKER:
    case T_JOB:
    case T_SUBMIT:
    case T_FIRED:
    case T_ARRIVED:
    case T_READABLE:
    case T_WRITABLE:
    case T_STOPPING: return true;
    default: return false;
    }
}

bool token_is_name(const token_list *list, uint32_t index)
{
    return kind_is_name(list->items[index].kind);
}

/* Kinds that are not here are words. */
const bool kind_is_no_word[KIND_LIMIT] = {
    [0] = true,           [T_NUMBER] = true,    [T_DURATION] = true,   [T_STRING] = true,    [T_CHARACTER] = true,
    [T_OPERATOR] = true,  [T_TAG] = true,       [T_LBRACE] = true,     [T_RBRACE] = true,    [T_LPAREN] = true,
    [T_RPAREN] = true,    [T_LBRACKET] = true,  [T_RBRACKET] = true,   [T_SEMICOLON] = true, [T_COMMA] = true,
    [T_COLON] = true,     [T_QUESTION] = true,  [T_ARROW] = true,      [T_DOT] = true,       [T_HASH_IF] = true,
    [T_HASH_ELIF] = true, [T_HASH_ELSE] = true, [T_HASH_ENDIF] = true, [T_HASH_LINE] = true, [T_DIRECTIVE_TEXT] = true,
    [T_BLOCK_TEXT] = true};

bool token_is_access(const token_list *list, uint32_t index)
{
    return list->items[index].kind == T_DOT || list->items[index].kind == T_ARROW;
}

bool token_is_tag(const token_list *list, uint32_t index)
{
    return list->items[index].kind == T_TAG;
}

bool token_is_directive(const token_list *list, uint32_t index)
{
    uint16_t const kind = list->items[index].kind;
    return kind == T_HASH_IF || kind == T_HASH_ELIF || kind == T_HASH_ELSE || kind == T_HASH_ENDIF ||
           kind == T_HASH_LINE;
}

uint32_t token_dividing(token_range in)
{
    uint32_t depth = 0, opening = in.end;
    for (uint32_t i = in.first; i < in.end; i++) {
        uint16_t const kind = in.list->items[i].kind;
        if (!token_is_directive(in.list, i) || kind == T_HASH_LINE) continue;
        if (kind == T_HASH_IF && depth++ == 0) opening = i;
        if (kind != T_HASH_IF && depth == 0) return i;
        if (kind == T_HASH_ENDIF) depth--;
    }
    return depth > 0 ? opening : in.end;
}

bool token_is_format_macro(const token_list *list, uint32_t index)
{
    static const char *const sizes[] = {"8",       "16",    "32",     "64",     "LEAST8", "LEAST16", "LEAST32",
                                        "LEAST64", "FAST8", "FAST16", "FAST32", "FAST64", "MAX",     "PTR"};
    const token *const t = &list->items[index];
    const char *const text = list->in->text + t->begin;
    size_t const length = t->end - t->begin;
    if (length < 5 || memcmp(text, "PRI", 3) != 0 || !memchr("dioxXu", text[3], 6)) return false;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (strlen(sizes[i]) == length - 4 && memcmp(text + 4, sizes[i], length - 4) == 0) return true;
    }
    return false;
}

bool token_is_line(const token_list *list, uint32_t index)
{
    return list->items[index].kind == T_HASH_LINE;
}

const char *token_intern(arena *a, const token_list *list, uint32_t index)
{
    const token *t = &list->items[index];
    const char *text = list->in->text + t->begin;
    uint32_t length = t->end - t->begin;
    if (!memchr(text, '\n', length)) return arena_intern(a, text, length);
    /* From a backslash to the end of its line; `\u00e9` is no splice. */
    char *clean = arena_copy(a, text, length);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < length; i++) {
        bool const is_splice = text[i] == '\\' && i + 1 < length && strchr(" \t\v\f\r\n", text[i + 1]);
        if (!is_splice) clean[kept++] = text[i];
        while (is_splice && text[i] != '\n') i++;
    }
    return arena_intern(a, clean, kept);
}

const char *token_name(uint16_t kind)
{
    static const char *const names[] = {[T_IDENT] = "name",
                                        [T_NUMBER] = "number",
                                        [T_DURATION] = "duration",
                                        [T_STRING] = "string",
                                        [T_CHARACTER] = "character",
                                        [T_OPERATOR] = "operator",
                                        [T_LBRACE] = "{",
                                        [T_RBRACE] = "}",
                                        [T_LPAREN] = "(",
                                        [T_RPAREN] = ")",
                                        [T_LBRACKET] = "[",
                                        [T_RBRACKET] = "]",
                                        [T_SEMICOLON] = ";",
                                        [T_COMMA] = ",",
                                        [T_COLON] = ":",
                                        [T_QUESTION] = "?",
                                        [T_ARROW] = "->",
                                        [T_DOT] = ".",
                                        [T_TAG] = "tag",
                                        [T_IF] = "if",
                                        [T_ELSE] = "else",
                                        [T_WHILE] = "while",
                                        [T_DO] = "do",
                                        [T_FOR] = "for",
                                        [T_SWITCH] = "switch",
                                        [T_CASE] = "case",
                                        [T_DEFAULT] = "default",
                                        [T_BREAK] = "break",
                                        [T_CONTINUE] = "continue",
                                        [T_RETURN] = "return",
                                        [T_GOTO] = "goto",
                                        [T_HASH_IF] = "#if",
                                        [T_HASH_ELIF] = "#elif",
                                        [T_HASH_ELSE] = "#else",
                                        [T_HASH_ENDIF] = "#endif",
                                        [T_HASH_LINE] = "directive",
                                        [T_DIRECTIVE_TEXT] = "directive",
                                        [T_HEADER] = "header",
                                        [T_SOURCE] = "source",
                                        [T_BLOCK_TEXT] = "block",
                                        [T_IMPORT] = "import",
                                        [T_FLOW] = "flow",
                                        [T_TASK] = "task",
                                        [T_STEP] = "step",
                                        [T_ON] = "on",
                                        [T_INIT] = "init",
                                        [T_ENTER] = "enter",
                                        [T_EXIT] = "exit",
                                        [T_FOREVER] = "forever",
                                        [T_NEXT] = "next",
                                        [T_STAY] = "stay",
                                        [T_AWAIT] = "await",
                                        [T_DONE] = "done",
                                        [T_FAIL] = "fail",
                                        [T_BECOME] = "become",
                                        [T_DESCRIBE] = "describe",
                                        [T_EVERY] = "every",
                                        [T_TIMEOUT] = "timeout",
                                        [T_UNTIL] = "until",
                                        [T_RUN] = "run",
                                        [T_IDLE] = "idle",
                                        [T_ALL] = "all",
                                        [T_SIGNAL] = "signal",
                                        [T_CHECKPOINT] = "checkpoint",
                                        [T_MAILBOX] = "mailbox",
                                        [T_WORKER] = "worker",
                                        [T_JOB] = "job",
                                        [T_SUBMIT] = "submit",
                                        [T_SHUTDOWN] = "shutdown",
                                        [T_FIRED] = "fired",
                                        [T_ARRIVED] = "arrived",
                                        [T_READABLE] = "readable",
                                        [T_WRITABLE] = "writable",
                                        [T_STOPPING] = "stopping"};
    return kind < sizeof names / sizeof names[0] && names[kind] ? names[kind] : "end";
}
