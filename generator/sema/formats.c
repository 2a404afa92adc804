/* Formats of `fail` and `describe`: what the runtime's formatter knows, and as many arguments as conversions. */
#include <string.h>

#include "checks.h"
#include "walk.h"
#include "words.h"

static const char *const conversions[] = {"%%",  "%d",  "%i",   "%u",   "%x",  "%c", "%s", "%p",
                                          "%ld", "%lu", "%lld", "%llu", "%zu", "%f", "%g"};

/* The length of the conversion at `text`, which begins with `%`; 0: none that the formatter knows. */
static size_t known_conversion(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        size_t const size = strlen(conversions[i]);
        if (size <= length && memcmp(text, conversions[i], size) == 0) return size;
    }
    return 0;
}

/* What was meant to be a conversion: up to its letter. */
static size_t unknown_conversion(const char *text, size_t length)
{
    size_t size = 1;
    while (size < length && strchr("0123456789.-+ #'*hljzt", text[size])) size++;
    return size < length && text[size] != '"' ? size + 1 : size;
}

/* Counts the conversions of one literal. False: one is unknown, and reported. */
static bool check_literal(sema *s, const token_list *list, uint32_t index, uint32_t *count)
{
    size_t length;
    const char *text = token_text(list, index, &length);
    size_t const open = (size_t)((const char *)memchr(text, '"', length) - text);
    if (open > 0 && !(open == 2 && memcmp(text, "u8", 2) == 0)) {
        diag_report *r = diag_at(s->diagnostics, UF0703, token_span(list, index), "a format is a plain string");
        diag_help(r, "leave the prefix out");
        return false;
    }
    for (size_t i = open + 1; i + 1 < length; i++) {
        if (text[i] != '%') continue;
        size_t const size = known_conversion(text + i, length - 1 - i);
        if (size == 0) {
            uint32_t const begin = list->items[index].begin + (uint32_t)i;
            uint32_t const bad = (uint32_t)unknown_conversion(text + i, length - 1 - i);
            diag_report *r = diag_at(s->diagnostics, UF0701, (span){list->in, begin, begin + bad},
                                     "the formatter does not know `%.*s`", (int)bad, text + i);
            diag_help(r, "it knows %%d %%i %%u %%x %%c %%s %%p %%ld %%lu %%lld %%llu %%zu %%f %%g and %%%%");
            return false;
        }
        if (text[i + 1] != '%') (*count)++;
        i += size - 1;
    }
    return true;
}

static void check_format(sema *s, const char *word, token_range format, const ast_args *args)
{
    if (range_empty(format)) return;
    uint32_t count = 0;
    for (uint32_t i = format.first; i < format.end; i++) {
        if (!token_is_string(format.list, i)) return;
        if (!check_literal(s, format.list, i, &count)) return;
    }
    if (count == args->count || is_misread_line(s, range_span(format))) return;
    diag_report *r = diag_at(s->diagnostics, UF0702, range_span(format), "this format takes %u argument%s, not %u",
                             (unsigned)count, count == 1 ? "" : "s", (unsigned)args->count);
    if (args->count < count) diag_help(r, "write them after the format: `%s \"…\", argument`", word);
    else diag_help(r, "every argument after the format needs a conversion such as %%d in it");
}

static void check_outcome(sema *s, const ast_outcome *o)
{
    if (o->kind == OUTCOME_FAIL) check_format(s, "fail", o->value, &o->args);
}

static void visit_outcome(const outcome_site *site, void *context)
{
    check_outcome(context, site->outcome);
}

static void check_describe(ast_statement *statement, void *context)
{
    if (statement->kind == STATEMENT_DESCRIBE)
        check_format(context, "describe", statement->operands->format, &statement->operands->args);
}

static void check_body(sema *s, const body_site *site)
{
    if (site->step || site->worker) walk_outcomes(site->body->first, visit_outcome, s);
    walk_statements(site->body->first, check_describe, s);
}

static void check_preempt(sema *s, ast_flow *flow, ast_task *task, ast_preempt *preempt)
{
    (void)flow;
    (void)task;
    check_outcome(s, preempt->outcome);
}

void check_formats(sema *s, ast_flow *flow)
{
    for_each_body(s, flow, check_body);
    for_each_preempt(s, flow, check_preempt);
}

void check_worker_formats(sema *s)
{
    for_each_worker(s, check_body);
}
