/* SPDX-License-Identifier: MIT */
/* Builds files, flows, tasks and steps. Misplaced parts are dropped or moved. */
#include <string.h>

#include "ast_build.h"
#include "declare.h"
#include "uflow_parse.h"
#include "words.h"

/* -- a file ------------------------------------------------------------------------------------------------------ */

void build_directive_outside(parser *p, uint32_t directive)
{
    const token *const t = &p->tokens->items[directive], *const before = directive > 0 ? t - 1 : t;
    /* `#if 0 … #endif` may be anywhere: the scanner drops its contents. */
    if ((t->flags & TOKEN_SKIPS) && directive + 1 < p->tokens->count && t[1].kind == T_HASH_ENDIF) return;
    if ((before->flags & TOKEN_SKIPS) && t->kind == T_HASH_ENDIF) return;
    refuse(p, MISTAKE_DIRECTIVE_OUTSIDE, range_one(p, directive));
}

bool refuse_directives(parser *p, mistake what, token_range text)
{
    for (uint32_t i = text.first; i < text.end; i++) {
        if (kind_at(p, i) != T_HASH_IF && kind_at(p, i) != T_HASH_LINE) continue; /* the others follow an #if */
        refuse(p, what, range_one(p, i));
        return true;
    }
    return false;
}

void build_text_block(parser *p, uint32_t word, uint32_t block, block_kind kind)
{
    ast_text_block *b = ARENA_NEW(p->arena, ast_text_block);
    span const all = token_at(p, block);
    uint32_t const opening = all.in->text[all.begin] == '<' ? 2 : 1; /* `<%` is a brace as well */
    uint32_t closing = 0;
    if (all.end - all.begin > opening)
        closing = all.in->text[all.end - 1] == '}' ? 1 : all.in->text[all.end - 1] == '>' ? 2 : 0;
    b->kind = kind;
    b->inside = (span){all.in, all.begin + opening, all.end - closing};
    b->at = span_join(token_at(p, word), all);
    LINK(p->next_block, b);
}

/* The path goes into an #include, where `??/` is a backslash. */
static bool has_trigraph(const char *text, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++) {
        if (text[i] == '?' && text[i + 1] == '?' && strchr("=/'()!<>-", text[i + 2])) return true;
    }
    return false;
}

void build_import(parser *p, uint32_t string)
{
    span const at = token_at(p, string);
    const char *text = at.in->text + at.begin;
    size_t const length = at.end - at.begin;
    bool const is_path = text[0] == '"' && length >= 3 && !memchr(text, '\\', length) && !has_trigraph(text, length);
    if (refuse_if(p, !is_path, MISTAKE_PATH, range_one(p, string))) return;
    ast_import *import = ARENA_NEW(p->arena, ast_import);
    import->at = at;
    import->path = arena_intern(p->arena, text + 1, length - 2);
    LINK(p->next_import, import);
}

/* -- flows ------------------------------------------------------------------------------------------------------- */

ast_flow *open_flow(parser *p, ast_ident name, uint32_t word, ast_flow ***end)
{
    ast_flow *const flow = ARENA_NEW(p->arena, ast_flow);
    flow->name = name;
    flow->at = span_join(token_at(p, word), name.at);
    flow->file = p->file;
    LINK(*end, flow);
    p->flow = flow;
    p->next_member = &flow->members;
    p->next_preempt = &flow->preempts;
    p->next_group = &flow->groups;
    p->next_task = &flow->tasks;
    p->group_count = p->task_count = 0;
    return flow;
}

ast_flow *begin_flow(parser *p, uint32_t word, uint32_t name, declaration_list params)
{
    ast_flow *const flow = open_flow(p, build_ident(p, name), word, &p->next_flow);
    flow->params = params.first;
    flow->index = p->flow_count++;
    return flow;
}

void end_flow(parser *p, uint32_t end)
{
    p->flow->at = span_join(p->flow->at, token_at(p, end));
    p->flow = NULL;
}

ast_member *new_member(parser *p, ast_member_kind kind)
{
    ast_member *member = ARENA_NEW(p->arena, ast_member);
    member->kind = kind;
    LINK(p->next_member, member);
    return member;
}

/* `struct __attribute__((packed)) {`, `struct PACKED(1) {`: the parentheses belong to an attribute of the struct. */
static bool is_tag_attribute(token_range text, uint32_t open)
{
    if (open < text.first + 2) return false;
    return declare_is_attribute(text.list, open - 1) || text.list->items[open - 2].kind == T_TAG;
}

/* `int f(void) { ... }` is no member. Before the braces of structs and initialisers there are other tokens. Returns the
 * `{` of its body; 0: it is no function. */
uint32_t syntax_function(const parser *p, token_range text)
{
    uint32_t open = text.first;
    for (uint32_t i = text.first; i + 1 < text.end; i++) {
        if (token_has(p->tokens, i, OPENS_BRACKET)) {
            open = i;
            i = closing_bracket(text, i);
        }
        if (token_is(p->tokens, i, "=")) return 0;
        if (i + 1 < text.end && i > text.first + 2 && p->tokens->items[i].kind == T_RPAREN &&
            p->tokens->items[i + 1].kind == T_LBRACE && !is_tag_attribute(text, open))
            return i + 1;
    }
    return 0;
}

/* A line that begins with a type and a name, after a line that could have ended a declarator. */
static bool begins_member(const token_list *list, uint32_t at, uint32_t end)
{
    uint16_t const kind = list->items[at].kind, before = list->items[at - 1].kind;
    bool const is_first = at + 1 < end && (list->items[at].flags & TOKEN_FIRST_ON_LINE);
    bool const is_type = (kind == T_TAG || kind_is(kind, IS_NAME)) && !declare_is_attribute(list, at);
    bool const has_ended = ends_operand(before) || before == T_RBRACE;
    return is_first && is_type && has_ended &&
           (kind_is(list->items[at + 1].kind, IS_NAME) || token_is(list, at + 1, "*"));
}

ast_declaration *build_members(parser *p, token_range text)
{
    ast_declaration *const declaration = declare_members(p->arena, text);
    if (!declaration->first || !declaration->first->name.name) return declaration;
    for (uint32_t i = declaration->first->name_token + 1; i < text.end; i++) {
        if (token_has(text.list, i, OPENS_BRACKET)) i = closing_bracket(text, i);
        if (i >= text.end || !begins_member(text.list, i, text.end)) continue;
        refuse(p, MISTAKE_LACKS_SEMICOLON, range_one(p, i));
        return declare_members(p->arena, (token_range){text.list, text.first, i});
    }
    return declaration;
}

/* `int n`, and on the next line `on stop -> fail;` */
static bool is_before_handler(parser *p, token_range text)
{
    uint32_t i = find_outside(text, "->");
    if (i == text.end || find_outside(text, "=") < i || find_outside(text, ":") < i) return false;
    while (i > text.first && !(text.list->items[i].flags & TOKEN_FIRST_ON_LINE)) i--;
    if (i > text.first) refuse(p, MISTAKE_SWALLOWED, range_one(p, i));
    return i > text.first;
}

/* Braces that are not of a type or a value, or an arrow: probably a part whose first word is misspelled. */
static bool may_be_part(token_range text)
{
    const token *const items = text.list->items;
    if (!kind_is(items[text.first].kind, IS_NAME)) return false;
    for (uint32_t i = text.first + 1; i < text.end && !token_is(text.list, i, "="); i++) {
        bool const is_of_tag = items[i - 1].kind == T_TAG || (i > text.first + 1 && items[i - 2].kind == T_TAG);
        if (items[i].kind == T_ARROW || (items[i].kind == T_LBRACE && !is_of_tag)) return true;
        if (items[i].kind == T_LBRACE) i = token_after_brackets(text.list, i) - 1;
    }
    return false;
}

/* Is the text no field? If so, refuses it. */
static bool is_no_field(parser *p, token_range text)
{
    p->text = NO_TEXT;
    if (may_be_part(text) && refuse(p, MISTAKE_MEMBER, text)) return true;
    if (refuse_if(p, syntax_function(p, text), MISTAKE_FUNCTION, text)) return true;
    if (is_before_handler(p, text)) return true;
    unsigned depth = 0;
    bool in_value = false;
    for (uint32_t i = text.first; i < text.end; i++) {
        uint16_t const kind = text.list->items[i].kind;
        if (kind_is(kind, OPENS_BRACKET)) depth++;
        if (kind_is(kind, CLOSES_BRACKET)) depth--;
        if (depth == 0 && (kind == T_COMMA || token_is(text.list, i, "="))) in_value = kind != T_COMMA;
        /* The bytes of a value go into the C file. */
        if (depth == 0 || !in_value) refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, range_one(p, i));
    }
    return false;
}

/* `transient int n`, but not `transient n`, a field of a type of that name. */
static bool is_transient(token_range text)
{
    if (text.end - text.first < 3 || text.list->items[text.first].kind != T_TRANSIENT) return false;
    uint16_t const type = text.list->items[text.first + 1].kind, after = text.list->items[text.first + 2].kind;
    return kind_is(type, IS_NAME | IS_TAG) && (kind_is(after, IS_NAME | IS_TAG) || after == T_LPAREN ||
                                               after == T_LBRACE || token_is(text.list, text.first + 2, "*"));
}

void build_field(parser *p, token_range text)
{
    bool const is_of_flow = is_in_test(p) || !is_inside(p), transient = is_transient(text);
    if (is_no_field(p, text)) return;
    if (refuse_if(p, !is_of_flow && !p->task, MISTAKE_GROUP_FIELD, text)) return;
    if (transient) text.first++;
    ast_declaration *const field = build_members(p, text);
    field->is_transient = transient;
    if (is_of_flow) {
        new_member(p, MEMBER_FIELD)->field = field;
    } else {
        LINK(p->next_field, field);
    }
}

void build_plain(parser *p, uint32_t word, uint32_t tag, uint32_t name, token_range braces)
{
    ast_plain *const plain = ARENA_NEW(p->arena, ast_plain);
    ast_declaration **next = &plain->fields;
    plain->name = build_ident(p, name);
    plain->at = span_join(token_at(p, word), range_span(braces));
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, braces);
    if (!token_is(p->tokens, tag, "struct")) refuse(p, MISTAKE_PLAIN, range_one(p, tag));
    token_range rest = range_inside(braces);
    while (!range_empty(rest)) {
        token_range const one = {rest.list, rest.first, find_outside(rest, ";")};
        if (one.end == rest.end) {
            refuse(p, MISTAKE_PLAIN, one);
        } else if (!range_empty(one)) {
            LINK(next, build_members(p, one));
        }
        rest.first = one.end + 1;
    }
    LINK(p->next_plain, plain);
}

static ast_subflow *new_subflow(parser *p, uint32_t type, uint32_t name, token_range brackets, ast_args args)
{
    ast_subflow *one = ARENA_NEW(p->arena, ast_subflow);
    one->type = build_ident(p, type);
    one->name = build_ident(p, name);
    one->count = range_empty(brackets) ? brackets : range_inside(brackets);
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, brackets);
    one->args = args;
    if (!args.at.in) one->args.at = (span){one->name.at.in, one->name.at.end, one->name.at.end};
    new_member(p, MEMBER_SUBFLOW)->subflow = one;
    return one;
}

void build_subflow(parser *p, uint32_t type, uint32_t name, token_range brackets, ast_args args)
{
    if (is_inside(p) && !is_in_test(p)) return; /* refused as a whole */
    new_subflow(p, type, name, brackets, args)->is_array = !range_empty(brackets);
}

void build_pool(parser *p, uint32_t word, uint32_t type, uint32_t name, token_range brackets, ast_args args)
{
    if (is_inside(p) || !p->flow) refuse(p, MISTAKE_POOL_MISPLACED, range_of(p, word, name));
    if (!p->flow) return; /* in a task it is added to the flow, so that a `spawn` is not reported too */
    new_subflow(p, type, name, brackets, args)->is_pool = true;
}

ast_body **syntax_moment(const parser *p, uint16_t kind)
{
    handler_kind on = (handler_kind)0;
    while (strcmp(handler_name(on), token_name(kind)) != 0) on++;
    bool const is_of_flow = on == ON_INIT || on == ON_END || !is_inside(p);
    return &(is_of_flow ? p->flow->handlers : p->task ? p->task->handlers : p->group->handlers)[on];
}

void build_handler(parser *p, uint32_t word, ast_statement *block)
{
    uint16_t const kind = kind_at(p, word);
    bool const is_anywhere = kind == T_SUSPEND || kind == T_RESTORE, is_of_flow = kind == T_INIT || kind == T_END;
    bool const is_in_place = is_anywhere || is_of_flow != is_inside(p) || is_in_test(p);
    if (refuse_if(p, !is_in_place, MISTAKE_HANDLER_MISPLACED, range_one(p, word))) return;
    ast_body *body = ARENA_NEW(p->arena, ast_body);
    *body = (ast_body){block->text, block->body};
    ast_body **const slot = syntax_moment(p, kind);
    if (*slot) refuse(p, MISTAKE_HANDLER_TWICE, range_one(p, word));
    else *slot = body;
}

/* -- groups ------------------------------------------------------------------------------------------------------ */

void begin_group(parser *p, uint32_t word, uint32_t name)
{
    ast_group *group = ARENA_NEW(p->arena, ast_group);
    group->name = build_ident(p, name);
    group->at = span_join(token_at(p, word), group->name.at);
    group->outer = p->group;
    group->depth = p->group ? p->group->depth + 1 : 1;
    p->group = group;
    p->next_inner_preempt = &group->preempts;
    if (group->depth == GROUP_LIMIT + 1) refuse(p, MISTAKE_GROUP_TOO_DEEP, range_of(p, word, name));
    if (refuse_if(p, !p->flow, MISTAKE_GROUP_OUTSIDE, range_of(p, word, name))) return;
    group->index = p->group_count++;
    LINK(p->next_group, group);
}

/* A task or a group in the current group has ended: more handlers of this group may follow. */
static void continue_group(parser *p)
{
    if (!p->group) return;
    p->next_inner_preempt = &p->group->preempts;
    while (*p->next_inner_preempt) p->next_inner_preempt = &(*p->next_inner_preempt)->next;
}

void end_group(parser *p, uint32_t end)
{
    p->group->at = span_join(p->group->at, token_at(p, end));
    p->group = p->group->outer;
    continue_group(p);
}

/* -- tasks ------------------------------------------------------------------------------------------------------- */

ast_task *open_task(parser *p, ast_ident name, uint32_t word)
{
    ast_task *task = ARENA_NEW(p->arena, ast_task);
    task->name = name;
    task->at = span_join(token_at(p, word), task->name.at);
    task->flow = p->flow;
    task->group = p->group;
    for (ast_group *group = p->group; group; group = group->outer) group->has_tasks = true;
    p->task = task;
    p->next_field = &task->fields;
    p->next_job = &task->jobs;
    p->next_inner_preempt = &task->preempts;
    p->next_step = &task->steps;
    p->step_count = 0;
    if (!p->flow) return task;
    task->index = p->task_count++;
    LINK(p->next_task, task);
    return task;
}

ast_task *begin_task(parser *p, uint32_t word, uint32_t name, declaration_list params, token_range result)
{
    ast_task *const task = open_task(p, build_ident(p, name), word);
    task->params = params.first;
    task->result = result;
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, result);
    if (result.end - result.first == 1 && token_is(result.list, result.first, "void")) {
        refuse(p, MISTAKE_VOID_RESULT, result);
        task->result = range_none(p);
    }
    if (!p->flow && !p->group) refuse(p, MISTAKE_TASK_OUTSIDE, range_of(p, word, name));
    return task;
}

void end_task(parser *p, uint32_t end)
{
    p->task->at = span_join(p->task->at, token_at(p, end));
    p->task = NULL;
    continue_group(p);
}

/* -- steps ------------------------------------------------------------------------------------------------------- */

void begin_step(parser *p, uint32_t word, uint32_t name, declaration_list params)
{
    ast_step *step = ARENA_NEW(p->arena, ast_step);
    step->name = build_ident(p, name);
    step->at = span_join(token_at(p, word), step->name.at);
    step->params = params.first;
    step->task = p->task;
    p->step = step;
    if (refuse_if(p, !p->task, MISTAKE_STEP_OUTSIDE, range_of(p, word, name))) return;
    step->index = p->step_count++;
    LINK(p->next_step, step);
}

void end_step(parser *p, ast_statement *block)
{
    p->step->body = (ast_body){block->text, block->body};
    p->step->at = span_join(p->step->at, block->at);
    p->step = NULL;
}

/* -- parameters and arguments ------------------------------------------------------------------------------------- */

declaration_list add_param(parser *p, declaration_list list, token_range text)
{
    /* `(void)` means no parameters in C. */
    if (!list.first && text.end - text.first == 1 && token_is(text.list, text.first, "void") &&
        text.end < p->tokens->count && p->tokens->items[text.end].kind == T_RPAREN)
        return list;
    bool const is_ellipsis = text.end - text.first == 1 && token_is(text.list, text.first, "...");
    if (refuse_if(p, is_ellipsis, MISTAKE_ELLIPSIS, text)) return list;
    refuse_directives(p, MISTAKE_DIRECTIVE_INSIDE, text);
    ast_declaration *one = declare_parameter(p->arena, text);
    APPEND(list, one);
    return list;
}

/* The items grow by doubling at each power of two, so they need no stored capacity. */
ast_args add_arg(parser *p, ast_args list, token_range text)
{
    if ((list.count & (list.count - 1)) == 0) {
        token_range *items = ARENA_ARRAY(p->arena, token_range, list.count ? (size_t)list.count * 2 : 1);
        if (list.count) memcpy(items, list.items, list.count * sizeof *items);
        list.items = items;
    }
    list.items[list.count++] = text;
    return list;
}

ast_args end_args(parser *p, ast_args list, uint32_t first, uint32_t last)
{
    list.at = span_join(token_at(p, first), token_at(p, last));
    return list;
}
