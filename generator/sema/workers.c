/* SPDX-License-Identifier: MIT */
/* Workers: plain C that runs on another thread and sees no flow. Arguments and results are copied. */
#include "checks.h"
#include "declare.h"
#include "words.h"

static void check_names(sema *s, const ast_worker *worker)
{
    static const char *const names[] = {"flow", "self"};
    for (size_t i = 0; i < 2; i++) {
        uint32_t at;
        if (find_declarator(worker->params, names[i]) || !find_name(worker->body.text, names[i], &at))
            continue; /* see declarations.c */
        diag_report *r = report_at(s, UF0510, token_span(worker->body.text.list, at),
                                   "there is no `%s` in a worker: it runs on another thread", names[i]);
        diag_help(r, "give it what it needs as arguments, by value");
        return;
    }
}

/* Returns why values of a type cannot be copied, and where the type says so; NULL if they can. */
static const char *find_no_value(sema *s, token_range type, uint32_t *where)
{
    uint32_t const place = declare_place(type);
    *where = type.first;
    for (uint32_t i = type.first; i < place; i++) {
        *where = i;
        if (type.list->items[i].flags & TOKEN_STORAGE) return "a result has no storage class";
    }
    const char *const last = token_intern(s->arena, type.list, type.end - 1);
    if (scope_find(&s->flows, last)) return "a flow is no value";
    *where = place;
    bool const is_behind_type =
        place > type.first && ((type.list->items[place - 1].flags & TOKEN_TYPE) || token_is(type.list, place - 1, "*"));
    type_form const form = place == type.end ? form_of_type(s, type) : FORM_VALUE;
    bool const is_void = type.end - type.first == 1 && token_is(type.list, type.first, "void");
    if (form == FORM_VOID && !is_void) return "a result of this type is no value";
    if (form == FORM_CONSTANT) return "a result is stored, and this type is const";
    if (range_is(type, place, "[") || form == FORM_ARRAY || form == FORM_FUNCTION ||
        (is_behind_type && range_is(type, place, "(")))
        return "an array or a function is no value";
    return NULL;
}

static void report_result(sema *s, token_range type, uint32_t where, const char *wrong, const char *another)
{
    diag_report *r = report_at(s, UF0414, token_span(type.list, where), "%s", wrong);
    diag_help(r, "write a plain type: a number, a pointer, a struct or %s", another);
}

/* Checks the type of a result, which the runtime stores until the flow reads it. */
static void check_result(sema *s, const ast_worker *worker)
{
    token_range const type = worker->result;
    if (range_empty(type)) return;
    uint32_t where, qualifier = type.end; /* a qualifier of the result itself */
    const char *wrong = find_no_value(s, type, &where);
    if (!wrong && range_is(type, declare_place(type), ")")) {
        where = declare_place(type) - 1;
        wrong = "the name of a worker comes after the type of its result";
    }
    for (uint32_t i = type.first; i < type.end && !wrong; i++) {
        if (token_is(type.list, i, "(")) i = closing_bracket(type, i);
        else if (token_is(type.list, i, "*")) qualifier = type.end;
        else if (token_is_one_of(type.list, i, "const volatile _Atomic")) qualifier = i;
    }
    if (!wrong && qualifier < type.end) {
        where = qualifier;
        wrong = token_is(type.list, where, "const")      ? "a result that is stored cannot be const"
                : token_is(type.list, where, "volatile") ? "a result is a value, and not volatile"
                                                         : "a result is a value, and not atomic";
    }
    if (wrong) report_result(s, type, where, wrong, "`void`; `typedef` names others");
}

void check_task_result(sema *s, const ast_task *task)
{
    uint32_t where;
    const char *const wrong = range_empty(task->result) ? NULL : find_no_value(s, task->result, &where);
    if (wrong) report_result(s, task->result, where, wrong, "what a `typedef` in `header { … }` names");
}

void check_worker(sema *s, const body_site *site)
{
    check_names(s, site->worker);
    check_result(s, site->worker);
}
