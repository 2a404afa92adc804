/* SPDX-License-Identifier: MIT */
/* Directives in bodies: a macro that a body defines would stay defined in the generated C after it. Also feature
 * macros that blocks define after a header has tested them. */
#include <string.h>

#include "checks.h"
#include "scan.h"
#include "uflow_parse.h"
#include "words.h"

/* Reads the next word or number of a directive, also in a string: `#pragma pop_macro("NAME")`. It enters one string
 * only, so that this takes linear time. Returns false at the end. */
static bool scan_word(scanner *line, span directive, span *word)
{
    bool in_string = false;
    for (token t; scan_next_inside(line, directive, &t);) {
        *word = (span){directive.in, t.begin, t.end};
        if (kind_is(t.kind, IS_WORD) || t.kind == T_NUMBER) return true;
        if (in_string || line->text[t.begin] != '"') continue;
        line->cursor = line->text + t.begin + 1;
        in_string = true;
    }
    return false;
}

static bool is(span word, const char *spelling)
{
    return token_spells(word.in->text + word.begin, word.end - word.begin, spelling);
}

bool defines_macro(span directive, span *name)
{
    scanner line = scan_inside(directive);
    return scan_word(&line, directive, name) && is(*name, "define") && scan_word(&line, directive, name);
}

/* The command of a directive that concerns a macro, and the macro's name; NULL: it is another directive. */
static const char *command_of(span directive, span *name)
{
    static const struct {
        bool is_pragma;
        const char *word, *shown;
    } commands[] = {{false, "define", "#define"},
                    {false, "undef", "#undef"},
                    {true, "pop_macro", "#pragma pop_macro"},
                    {true, "poison", "#pragma poison"}};
    scanner line = scan_inside(directive);
    span word;
    bool found = scan_word(&line, directive, &word);
    /* Of `_Pragma`, the scanner has skipped two letters, as it skips a `%:`. */
    bool const is_pragma = found && (is(word, "pragma") || directive.in->text[directive.begin] == '_');
    if (is_pragma) found = scan_word(&line, directive, &word);
    if (is_pragma && found && is(word, "GCC")) found = scan_word(&line, directive, &word);
    for (size_t i = 0; found && i < sizeof commands / sizeof commands[0]; i++) {
        if (commands[i].is_pragma != is_pragma || !is(word, commands[i].word)) continue;
        return scan_word(&line, directive, name) ? commands[i].shown : NULL; /* the C compiler reports a missing name */
    }
    return NULL;
}

/* `defined` holds the macros that bodies define. An `#undef` of one of them is the same fault, and not reported
 * again. */
static void check_directive(sema *s, scope *defined, span at)
{
    span name;
    const char *const command = command_of(at, &name);
    if (!command) return;
    const char *const macro = text_at(s, name);
    bool const defines = strcmp(command, "#define") == 0;
    if (defines) scope_add(s->arena, defined, macro, s);
    else if (scope_find(defined, macro)) return;
    diag_report *r = report_at(s, UF0212, (span){at.in, at.begin, name.end},
                               "this `%s` holds for all of the generated C below it", command);
    if (defines) diag_help(r, "put it into `source { … }`; a constant of the body can be `enum { %s = … };`", macro);
    else diag_help(r, "put what concerns macros into `source { … }`");
}

/* Reports a feature macro such as `_GNU_SOURCE`, which libc tests in the first of its headers. */
static void check_feature(sema *s, span at)
{
    span name;
    if (!defines_macro(at, &name)) return;
    const char *const macro = text_at(s, name);
    if (!text_is_one_of(macro, strlen(macro),
                        "_GNU_SOURCE _DEFAULT_SOURCE _POSIX_C_SOURCE _POSIX_SOURCE _XOPEN_SOURCE _BSD_SOURCE "
                        "_FILE_OFFSET_BITS _TIME_BITS _LARGEFILE64_SOURCE"))
        return;
    diag_report *r =
        report_at(s, UF0812, name, "`%s` comes too late here: the generated C has included headers before", macro);
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
