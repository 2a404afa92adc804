/* SPDX-License-Identifier: MIT */
/* Directives in bodies: a macro that a body defines would stay defined in the generated C after it. Also feature
 * macros that blocks define after a header has tested them. */
#include <ctype.h>
#include <string.h>

#include "checks.h"
#include "words.h"

/* A directive's line and the reading position. */
typedef struct line_reader {
    const char *at, *end;
} line_reader;

/* A word of a directive's line. `text` truncates long words; all words of interest are short. */
typedef struct line_word {
    char text[16];
    const char *begin, *end;
} line_word;

/* Returns the byte after a backslash and the end of its line; NULL if no such splice is here. */
static const char *behind_splice(const line_reader *r)
{
    const char *p = r->at + 1;
    if (r->at == r->end || *r->at != '\\') return NULL;
    while (p < r->end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    return p < r->end && *p == '\n' ? p + 1 : NULL;
}

static const char *behind_comment(const line_reader *r)
{
    if (r->end - r->at < 4 || r->at[0] != '/' || r->at[1] != '*') return NULL;
    const char *p = r->at + 2;
    while (r->end - p >= 2 && !(p[0] == '*' && p[1] == '/')) p++;
    return r->end - p >= 2 ? p + 2 : r->end;
}

static bool in_word(const line_reader *r)
{
    return r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_' || (unsigned char)*r->at >= 0x80);
}

/* Reads the next word; it is empty at the end of the line. */
static line_word read_word(line_reader *r)
{
    line_word word = {.begin = NULL};
    size_t length = 0;
    while (r->at < r->end && !in_word(r)) {
        const char *const behind = behind_comment(r);
        r->at = behind ? behind : r->at + 1;
    }
    word.begin = word.end = r->at;
    while (in_word(r) || behind_splice(r)) {
        if (in_word(r)) {
            if (length + 1 < sizeof word.text) word.text[length++] = *r->at;
            word.end = ++r->at;
        } else {
            r->at = behind_splice(r);
        }
    }
    return word;
}

static bool is(const line_word *word, const char *text)
{
    return strcmp(word->text, text) == 0;
}

/* `defined` holds the macros that bodies define. An `#undef` of one of them is the same fault, and not reported
 * again. */
static void check_directive(sema *s, scope *defined, span at)
{
    const char *const text = at.in->text;
    line_reader line = {text + at.begin, text + at.end};
    line_word command = read_word(&line);
    bool const is_pragma = is(&command, "pragma") || is(&command, "_Pragma");

    if (is_pragma) command = read_word(&line);
    if (is_pragma && is(&command, "GCC")) command = read_word(&line);
    if (!text_is_one_of(command.text, strlen(command.text), is_pragma ? "pop_macro poison" : "define undef")) return;

    line_word const name = read_word(&line);
    size_t const length = (size_t)(name.end - name.begin);
    if (length == 0) return; /* the C compiler reports it */
    bool const defines = is(&command, "define");
    if (defines) scope_add(s->arena, defined, arena_intern(s->arena, name.begin, length), s);
    else if (scope_find_text(defined, name.begin, length)) return;
    diag_report *r =
        report_at(s, UF0212, (span){at.in, at.begin, (uint32_t)(name.end - text)},
                  "this `%s%s` holds for all of the generated C below it", is_pragma ? "#pragma " : "#", command.text);
    if (defines)
        diag_help(r, "put it into `source { … }`; a constant of the body can be `enum { %.*s = … };`", (int)length,
                  name.begin);
    else diag_help(r, "put what concerns macros into `source { … }`");
}

/* Reports a feature macro such as `_GNU_SOURCE`, which libc tests in the first of its headers. */
static void check_feature(sema *s, span at)
{
    const char *const text = at.in->text;
    line_reader line = {text + at.begin, text + at.end};
    line_word const command = read_word(&line), name = read_word(&line);
    size_t const length = (size_t)(name.end - name.begin);
    bool const is_feature = text_is_one_of(name.begin, length,
                                           "_GNU_SOURCE _DEFAULT_SOURCE _POSIX_C_SOURCE _POSIX_SOURCE _XOPEN_SOURCE "
                                           "_BSD_SOURCE _FILE_OFFSET_BITS _TIME_BITS _LARGEFILE64_SOURCE");
    if (!is(&command, "define") || !is_feature) return;
    diag_report *r =
        report_at(s, UF0812, (span){at.in, (uint32_t)(name.begin - text), (uint32_t)(name.end - text)},
                  "`%.*s` comes too late here: the generated C has included headers before", (int)length, name.begin);
    diag_help(r, "move it to a `prologue` block: `prologue { … }`, which comes before all headers");
}

static void check_features(sema *s, const token_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (token_is_directive(list, i)) check_feature(s, token_span(list, i));
    }
}

void check_directives(sema *s)
{
    for (ast_text_block *b = s->file->blocks; b; b = b->next) {
        if (b->kind != BLOCK_PROLOGUE) check_features(s, block_tokens(s, b));
    }
    const token_list *const tokens = &s->file->tokens;
    scope defined = {0};
    for (uint32_t i = 0; i < tokens->count; i++) {
        if (token_has(tokens, i, IS_DIRECTIVE)) check_directive(s, &defined, token_span(tokens, i));
    }
}
