/* SPDX-License-Identifier: MIT */
/* Sizes of pools and arrays that the C compiler would report in generated code. */
#include "checks.h"
#include "words.h"

/* Is it the name in a declaration such as `static int size = 8;`? No constant of C has such a form. */
static bool is_declared_at(const token_list *list, uint32_t at)
{
    bool const is_declarator = token_has(list, at - 1, IS_NAME) || token_is_one_of(list, at - 1, "* ,");
    return is_declarator && token_is_one_of(list, at + 1, "= ;");
}

/* Finds the declaration of a variable of that name outside of all braces. */
static bool find_variable(const token_list *list, const char *name, span *where)
{
    bool is_constant = false; /* `constexpr` */
    for (uint32_t i = 0; i + 1 < list->count; i++) {
        if (token_is(list, i, "{")) i = token_after_brackets(list, i) - 1;
        if (i + 1 >= list->count) break;
        if (token_is_one_of(list, i, "; constexpr")) is_constant = !token_is(list, i, ";");
        if (i == 0 || is_constant || !token_is(list, i, name) || !is_declared_at(list, i)) continue;
        *where = token_span(list, i);
        return true;
    }
    return false;
}

static bool is_variable(sema *s, token_range size, const char *name, span *where)
{
    if (size.end - size.first != 1) return false;
    for (ast_text_block *b = s->file->blocks; b; b = b->next) {
        if (find_variable(block_tokens(s, b), name, where)) return true;
    }
    return false;
}

static void check_size(sema *s, const ast_ident *name, token_range size, const char *form)
{
    uint32_t at;
    span variable = {0};
    bool const is_missing = range_empty(size);
    const char *const text = is_missing ? "" : token_intern(s->arena, size.list, size.first);
    bool const is_zero = size.end - size.first == 1 && token_is(size.list, size.first, "0");
    bool const is_of_flow = !is_missing && (find_name(size, "flow", &at) || find_name(size, "self", &at));
    if (!is_missing && !is_zero && !is_of_flow && !is_variable(s, size, text, &variable)) return;
    diag_report *report = report_at(s, UF0481, is_missing ? name->at : range_span(size),
                                    "the size of `%s` is a constant, of at least 1", name->name);
    if (variable.in) {
        diag_note(report, variable, "`%s` is a variable", text);
        diag_help(report, "declare a constant instead: `header { enum { %s = 8 }; }`", text);
    } else {
        diag_help(report, "write a constant between brackets: `%s`", form);
    }
}

void check_sizes(sema *s, ast_flow *flow)
{
    for (const ast_member *m = flow->members; m; m = m->next) {
        if (m->kind != MEMBER_SUBFLOW || !(m->subflow->is_array || m->subflow->is_pool)) continue;
        const ast_subflow *const many = m->subflow;
        check_size(
            s, &many->name, many->count,
            arena_printf(s->arena, "%s %s %s[8];", many->is_pool ? "pool" : "flow", many->type.name, many->name.name));
    }
    for (const ast_task *task = flow->tasks; task; task = task->next) {
        for (const ast_job *job = task->jobs; job; job = job->next) {
            if (range_empty(job->count)) continue;
            check_size(s, &job->name, job->count,
                       arena_printf(s->arena, "job %s[8]: %s;", job->name.name, job->worker_name.name));
        }
    }
}
