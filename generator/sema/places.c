/* SPDX-License-Identifier: MIT */
/* Finds each `in(Flow.Task.Step, &flow)` in C of a test, and what it names. Reports each one elsewhere, and each
 * `expect` in an expression. */
#include "checks.h"
#include "uflow_parse.h"
#include "words.h"

static bool is_path(const token_list *list, uint32_t name)
{
    if (!token_is_name(list, name) || token_kind(list, name + 1) != T_DOT || !token_is_name(list, name + 2))
        return false;
    uint32_t const after = name + 3;
    return token_kind(list, after) == T_COMMA || (token_kind(list, after) == T_DOT && token_is_name(list, after + 1) &&
                                                  token_kind(list, after + 2) == T_COMMA);
}

static void report_no_path(sema *s, span at)
{
    diag_report *const r = report_at(s, UF0214, at, "`in` names no place of a flow");
    diag_help(r, "write `in(Flow.Task.Step, &flow->name)`, or `in(Flow.Task, &flow->name)` for any step of the task");
}

static void report_unknown(sema *s, diag_code code, const ast_ident *name, const char *what, const char *whose,
                           candidates *near)
{
    diag_report *const r = report_at(s, code, name->at, "%s has no %s `%s`", whose, what, name->name);
    if (candidates_help(near, name->name, r)) return;
    if (code == UF0301) diag_help(r, "leave the step out to mean any of them: `in(Flow.Task, &flow->name)`");
    else diag_help(r, "`in` names a task or a group of the flow");
}

/* The row of a task or group in the generated table; false: there is none. */
static bool find_row(sema *s, const flow_names *names, const ast_ident *name, const ast_task **task, uint32_t *row)
{
    candidates near = {0};
    uint32_t tasks = 0;
    for (const ast_task *known = names->flow->tasks; known; known = known->next, tasks++) {
        *task = known;
        *row = known->index;
        if (known->name.name == name->name) return true;
        candidates_add(s, &near, known->name.name);
    }
    *task = NULL;
    for (const ast_group *group = names->flow->groups; group; group = group->next) {
        *row = tasks + group->index;
        if (group->name.name == name->name) return true;
        candidates_add(s, &near, group->name.name);
    }
    report_unknown(s, UF0307, name, "task", arena_printf(s->arena, "flow %s", names->flow->name.name), &near);
    return false;
}

/* NULL: there is none, which is reported. */
static const ast_step *find_step(sema *s, const ast_task *task, const ast_ident *name)
{
    candidates near = {0};
    for (const ast_step *step = task ? task->steps : NULL; step; step = step->next) {
        if (step->name.name == name->name) return step;
        candidates_add(s, &near, step->name.name);
    }
    if (task) report_unknown(s, UF0301, name, "step", arena_printf(s->arena, "task %s", task->name.name), &near);
    else report_unknown(s, UF0301, name, "step", "a group", &near);
    return NULL;
}

/* `name` is the flow's. Returns NULL if a report was made. */
static ast_place *read_place(sema *s, const token_list *list, uint32_t word)
{
    uint32_t const name = word + 2;
    ast_ident const flow = ast_name_at(s->arena, list, name), task = ast_name_at(s->arena, list, name + 2);
    bool const has_step = token_kind(list, name + 3) == T_DOT;
    const flow_names *const names = scope_find(&s->flows, flow.name);
    if (!names || names->flow->test) {
        diag_report *const r = report_at(s, UF0306, flow.at, "there is no flow `%s`", flow.name);
        diag_help(r, "define it in this file, or import the file that does: `import \"other.uflow\";`");
        return NULL;
    }
    ast_place *const place = ARENA_NEW(s->arena, ast_place);
    const ast_task *found = NULL;
    place->flow = names->flow;
    place->head = (token_range){list, word, name + (has_step ? 6 : 4)};
    if (!find_row(s, names, &task, &found, &place->row)) return NULL;
    if (!has_step) return place;
    ast_ident const step = ast_name_at(s->arena, list, name + 4);
    place->step = find_step(s, found, &step);
    return place->step ? place : NULL;
}

/* `if (expect(x))`, `n = expect(x);` */
static void check_expect(sema *s, const token_list *list, uint32_t at)
{
    uint16_t const before = token_kind(list, at - 1);
    bool const is_statement = before == T_SEMICOLON || before == T_LBRACE || before == T_RBRACE || before == T_RPAREN ||
                              before == T_COLON || before == T_ELSE || before == T_DO || kind_is(before, IS_DIRECTIVE);
    if (is_statement) return;
    const char *const word = token_intern(s->arena, list, at);
    diag_report *const r = report_at(s, UF0213, token_span(list, at), "`%s` is a statement, and has no value", word);
    diag_help(r, "write it as a statement of its own: `%s(…);`", word);
}

static bool is_in_test(const ast_file *file, uint32_t at)
{
    for (const ast_flow *test = file->tests; test; test = test->next) {
        if (at >= test->test->tokens.first && at < test->test->tokens.end) return true;
    }
    return false;
}

/* Elsewhere `in` is an ordinary name. But a flow is a type, so no expression of C begins with its name and a dot. */
static void check_outside_of_tests(sema *s, const ast_file *file)
{
    const token_list *const list = &file->tokens;
    for (uint32_t i = 0; i + 4 < list->count; i++) {
        if (token_kind(list, i + 1) != T_LPAREN || !token_is(list, i, "in") || !is_path(list, i + 2)) continue;
        if (!scope_find(&s->flows, token_intern(s->arena, list, i + 2)) || is_in_test(file, i)) continue;
        diag_report *const r = report_at(s, UF0214, token_span(list, i), "`in` is a word in a test only");
        diag_help(r, "ask in the test, or let the flow keep in a field what others want to know");
    }
}

void check_places(sema *s, ast_flow *flow)
{
    if (flow == flow->file->flows) check_outside_of_tests(s, flow->file);
    if (!flow->test) return;
    const token_list *const list = flow->test->tokens.list;
    ast_place **end = &flow->test->places;
    for (uint32_t i = flow->test->tokens.first + 1; i < flow->test->tokens.end; i++) {
        bool const is_free = !token_has(list, i - 1, IS_ACCESS);
        if (!is_free || token_kind(list, i + 1) != T_LPAREN) continue;
        if (token_is_one_of(list, i, "expect expect_text")) check_expect(s, list, i);
        if (!token_is(list, i, "in")) continue;
        if (!is_path(list, i + 2)) {
            report_no_path(s, token_span(list, i));
            continue;
        }
        ast_place *const place = read_place(s, list, i);
        if (!place) continue;
        LINK(end, place);
    }
}
