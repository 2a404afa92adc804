/* SPDX-License-Identifier: MIT */
/* Builds tests. A test is a flow with one task; its members belong to the one or the other. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ast_build.h"
#include "uflow_parse.h"
#include "words.h"

/* Texts of a test go into reports, names of files and other tools: a plain string of one line. Its range is that of the
 * text between the quotation marks. */
static ast_ident plain_string(parser *p, uint32_t string)
{
    span at = token_at(p, string);
    const char *const text = at.in->text + at.begin;
    size_t const length = at.end - at.begin;
    if (text[0] != '"' || length < 3 || memchr(text, '\\', length))
        refuse(p, MISTAKE_NO_PLAIN_STRING, range_one(p, string));
    if (text[0] == '"' && length > 2) at = (span){at.in, at.begin + 1, at.end - 1};
    return (ast_ident){arena_intern(p->arena, at.in->text + at.begin, at.end - at.begin), at};
}

/* Names of C that are made of it cannot be names of the user: `uf_test_door_1` in door.uflow. */
static const char *name_of_flow(parser *p)
{
    const char *const path = p->file->in->name, *const slash = strrchr(path, '/');
    const char *const base = slash ? slash + 1 : path, *const dot = strrchr(base, '.');
    size_t const length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *const name = arena_printf(p->arena, "uf_test_%.*s_%u", (int)length, base, (unsigned)p->test_count + 1);
    for (char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c)) *c = '_';
    }
    return arena_intern(p->arena, name, strlen(name));
}

void begin_test(parser *p, uint32_t word, uint32_t string, ast_duration within)
{
    ast_test *const test = ARENA_NEW(p->arena, ast_test);
    test->name = plain_string(p, string);
    test->tokens = range_one(p, word);
    test->within = within;
    p->next_hook = &test->hooks;
    ast_flow *const flow = open_flow(p, (ast_ident){name_of_flow(p), token_at(p, string)}, word, &p->next_test);
    flow->test = test;
    flow->index = p->test_count++;
    (void)open_task(p, (ast_ident){arena_intern(p->arena, "Test", 4), token_at(p, string)}, word);
}

void end_test(parser *p, uint32_t end)
{
    p->flow->test->tokens.end = end + 1;
    end_task(p, end);
    end_flow(p, end);
}

/* -- members ------------------------------------------------------------------------------------------------------- */

static ast_hook *new_hook(parser *p, hook_kind kind, uint32_t word, span end)
{
    ast_hook *const hook = ARENA_NEW(p->arena, ast_hook);
    hook->kind = kind;
    hook->at = span_join(token_at(p, word), end);
    LINK(p->next_hook, hook);
    return hook;
}

void build_hook(parser *p, hook_kind kind, uint32_t word, ast_duration duration, ast_statement *block)
{
    ast_hook *const hook = new_hook(p, kind, word, block->at);
    hook->duration = duration;
    hook->body = (ast_body){block->text, block->body};
}

/* The kind whose word stands there. */
hook_kind hook_of(const parser *p, uint32_t word)
{
    uint32_t kind = 0;
    while (!token_is(p->tokens, word, hook_infos[kind].word)) kind++;
    return (hook_kind)kind;
}

void build_row(parser *p, hook_kind kind, uint32_t word, ast_duration duration, uint32_t end)
{
    new_hook(p, kind, word, token_at(p, end))->duration = duration;
}

#define MOST_SCHEDULES 1000000000

/* As C, `010` is another number. */
static bool is_number_of_schedules(parser *p, token_range text)
{
    char *end;
    const char *const number = token_intern(p->arena, text.list, text.first);
    unsigned long const value = strtoul(number, &end, 10);
    return strcmp(number, "all") == 0 || (*number >= '1' && *number <= '9' && !*end && value <= MOST_SCHEDULES);
}

void build_explore(parser *p, uint32_t word, token_range schedules)
{
    ast_test *const test = p->flow->test;
    if (!range_empty(test->explore)) refuse(p, MISTAKE_EXPLORE_TWICE, range_one(p, word));
    if (!range_empty(schedules) && !is_number_of_schedules(p, schedules)) refuse(p, MISTAKE_NO_SCHEDULES, schedules);
    test->explore = range_one(p, word);
    test->schedules = schedules;
}

void build_claim_hook(parser *p, hook_kind kind, uint32_t word, token_range parens, uint32_t end)
{
    ast_hook *const hook = new_hook(p, kind, word, token_at(p, end));
    token_range const condition = range_inside(parens);
    refuse_claim(p, parens);
    ast_statement *const statement = new_statement(p, STATEMENT_TEXT, parens.first, parens.end - 1);
    statement->text = condition;
    hook->body = (ast_body){parens, statement};
}

void build_history(parser *p, uint32_t word, uint32_t string)
{
    ast_test *const test = p->flow->test;
    (void)plain_string(p, string);
    if (!range_empty(test->history)) refuse(p, MISTAKE_HISTORY_TWICE, range_of(p, word, string));
    test->history = range_one(p, string);
}
