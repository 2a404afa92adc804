/* SPDX-License-Identifier: MIT */
/* Sizes of pools and arrays that the C compiler would report in generated code. */
#include "checks.h"
#include "scan.h"
#include "words.h"

/* Is the middle one the name in a declaration such as `static int size = 8;`? No constant of C has such a form. */
static bool is_declared_at(const token_list *three)
{
    bool const is_declarator = token_has(three, 0, IS_NAME) || token_is_one_of(three, 0, "* ,");
    return is_declarator && token_is_one_of(three, 2, "= ;");
}

/* Finds the declaration of a variable of that name outside of all braces. */
static bool find_variable(span block, const char *name, span *where)
{
    const unsigned char *const all = (const unsigned char *)block.in->text;
    scanner scan = {.text = all, .cursor = all + block.begin, .limit = all + block.in->size, .line_start = true};
    token last[3] = {{0}};
    token_list const three = {block.in, last, 3};
    bool is_constant = false; /* `constexpr` */
    unsigned depth = 0;
    while (scan_next(&scan, &last[2]) && last[2].begin < block.end) {
        if (token_is(&three, 2, "{")) depth++;
        if (token_is(&three, 2, "}") && depth > 0) depth--;
        if (token_is(&three, 1, ";")) is_constant = false;
        if (token_is(&three, 2, "constexpr")) is_constant = true;
        if (depth == 0 && !is_constant && token_is(&three, 1, name) && is_declared_at(&three)) {
            *where = token_span(&three, 1);
            return true;
        }
        last[0] = last[1];
        last[1] = last[2];
    }
    return false;
}

static bool is_variable(const sema *s, token_range size, const char *name, span *where)
{
    if (size.end - size.first != 1) return false;
    for (const ast_text_block *b = s->file->blocks; b; b = b->next) {
        if (find_variable(b->inside, name, where)) return true;
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
