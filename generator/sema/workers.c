/* Workers: plain C for another thread, which sees no flow; its arguments and its result travel by value. */
#include "checks.h"
#include "words.h"

#include <string.h>

static bool has_param(const ast_worker *worker, const char *name)
{
    for (const ast_declaration *p = worker->params; p; p = p->next) {
        for (const ast_declarator *d = p->first; d; d = d->next) {
            if (d->name.name && strcmp(d->name.name, name) == 0) return true;
        }
    }
    return false;
}

static void check_names(sema *s, const ast_worker *worker)
{
    static const char *const names[] = {"flow", "self"};
    for (size_t i = 0; i < 2; i++) {
        uint32_t at;
        if (has_param(worker, names[i]) || !find_name(worker->body.text, names[i], &at)) continue; /* reported there */
        diag_report *r = diag_at(s->diagnostics, UF0510, token_span(worker->body.text.list, at),
                                 "there is no `%s` in a worker: it runs on another thread", names[i]);
        diag_help(r, "give it what it needs as arguments, by value");
        return;
    }
}

/* The result is stored until the flow reads it. */
static void check_result(sema *s, const ast_worker *worker)
{
    static const char *const refused[] = {"static", "extern",    "register",      "auto",        "typedef",
                                          "inline", "_Noreturn", "_Thread_local", "thread_local"};
    token_range const type = worker->result;
    uint32_t qualifier = type.end; /* of the result itself */
    for (uint32_t i = type.first; i < type.end; i++) {
        const char *wrong = NULL;
        if (token_is(type.list, i, "*")) qualifier = type.end;
        if (token_is(type.list, i, "const") || token_is(type.list, i, "volatile")) qualifier = i;
        if (token_is(type.list, i, "[") || token_is(type.list, i, ")")) wrong = "an array or a function is no value";
        for (size_t w = 0; w < sizeof refused / sizeof refused[0]; w++) {
            if (token_is(type.list, i, refused[w])) wrong = "a worker has no storage class";
        }
        if (i + 1 == type.end && qualifier < type.end) {
            i = qualifier;
            wrong = token_is(type.list, i, "const") ? "a result that is stored cannot be const"
                                                    : "a result is a value, and not volatile";
        }
        if (!wrong) continue;
        diag_report *r = diag_at(s->diagnostics, UF0414, token_span(type.list, i), "%s", wrong);
        diag_help(r, "write a plain type: a number, a pointer, a struct or `void`");
        return;
    }
}

static void check_worker(sema *s, const body_site *site)
{
    check_names(s, site->worker);
    check_result(s, site->worker);
}

void check_workers(sema *s)
{
    for_each_worker(s, check_worker);
}
