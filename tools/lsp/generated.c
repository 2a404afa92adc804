/* SPDX-License-Identifier: MIT */
/* generated.c - names in C that ufc makes of the user's, such as Door_start_Close. emit/cname.h spells them. */
#include <ctype.h>
#include <string.h>

#include "checks.h"
#include "lsp.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static uint32_t after_quoted(const char *text, uint32_t size, uint32_t at)
{
    char const quote = text[at++];
    while (at < size && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
    return at < size ? at + 1 : size;
}

static uint32_t after_comment(const char *text, uint32_t size, uint32_t at)
{
    if (text[at + 1] == '/') {
        while (at < size && text[at] != '\n') at++;
        return at;
    }
    for (at += 2; at + 1 < size && !(text[at] == '*' && text[at + 1] == '/');) at++;
    return at + 2;
}

void words_each(const char *text, uint32_t size, word_visitor *visit, void *context)
{
    for (uint32_t at = 0; at < size;) {
        uint32_t const begin = at;
        if (text[at] == '"' || text[at] == '\'') {
            at = after_quoted(text, size, at);
        } else if (text[at] == '/' && at + 1 < size && (text[at + 1] == '/' || text[at + 1] == '*')) {
            at = after_comment(text, size, at);
        } else if (is_word(text[at])) {
            bool const is_number = isdigit((unsigned char)text[begin]); /* 1'000 */
            while (at < size && (is_word(text[at]) || (is_number && text[at] == '\'' && is_word(text[at + 1])))) at++;
            if (!is_number) visit(text + begin, begin, at - begin, context);
        } else {
            at++;
        }
    }
}

/* $T a task, $S a step of it, $M a mailbox, $P a pool, behind which $T is a task of its members, $G a group. */
static const char *const forms[] = {
    "init",          "destroy",  "type",     "$T",           "start_$T",     "start_run_$T", "call_$T", "result_$T",
    "become_$T",     "enter_$T", "$T_enter", "$T_exit",      "$T_pause",     "$T_resume",    "$T_done", "at_$T_$S",
    "$T_to_$S",      "$T_$S",    "$M_send",  "$M_send_wait", "$M_receive",   "$P_spawn_$T",  "$P_busy", "$P_limit",
    "$P_cancel_all", "$P_at",    "$P_run",   "$P_reap",      "$P_result_$T", "$G_enter",     "$G_exit",
};

typedef struct match {
    const ast_flow *flow;
    const ast_task *task;
    const char *form, *word, *end; /* what is left of both */
    const char *begin;
    name_part *parts;
    size_t count, found;
} match;

static void match_rest(match *m);

static bool is_of_kind(char hole, name_kind kind)
{
    static const struct {
        char hole;
        name_kind kind;
    } kinds[] = {
        {'T', NAME_TASK}, {'S', NAME_STEP}, {'M', NAME_MAILBOX}, {'P', NAME_POOL}, {'G', NAME_GROUP},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].hole == hole) return kinds[i].kind == kind;
    return false;
}

static void match_name(const named *one, void *context)
{
    match *const m = context;
    size_t const length = strlen(one->ident->name);
    if (m->found || !is_of_kind(m->form[1], one->kind) || (size_t)(m->end - m->word) < length) return;
    if (memcmp(m->word, one->ident->name, length) != 0 || m->count == NAME_PARTS) return;
    match rest = *m;
    rest.parts[rest.count++] = (name_part){*one, (uint32_t)(m->word - m->begin), (uint32_t)length};
    rest.form += 2;
    rest.word += length;
    if (one->kind == NAME_POOL) rest.flow = type_of_subflow(one->flow, one->node);
    if (one->kind == NAME_TASK) rest.task = one->task;
    match_rest(&rest);
    m->found = rest.found;
}

static void match_rest(match *m)
{
    while (*m->form && *m->form != '$' && m->word < m->end && *m->form == *m->word) m->form++, m->word++;
    if (!*m->form && m->word == m->end) m->found = m->count;
    else if (*m->form == '$' && m->form[1] == 'S' && m->task) names_of_task(m->flow, m->task, match_name, m);
    else if (*m->form == '$' && m->flow) names_of_flow(m->flow, match_name, m);
}

size_t generated_parts(const ast_flow *flow, const char *word, size_t length, name_part parts[NAME_PARTS])
{
    size_t const own = strlen(flow->name.name);
    if (length < own + 2 || memcmp(word, flow->name.name, own) != 0 || word[own] != '_') return 0;
    parts[0] = (name_part){{NAME_FLOW, &flow->name, flow, NULL, NULL, flow}, 0, (uint32_t)own};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        match m = {flow, NULL, forms[i], word + own + 1, word + length, word, parts, 1, 0};
        match_rest(&m);
        if (m.found) return m.found;
    }
    return 0;
}
