/* SPDX-License-Identifier: MIT */
/* sema.c - runs the checks: the rows of checks.def. */
#include "sema.h"

#include "checks.h"

const check checks[] = {
#define CHECK(subject, function, codes) {codes, .subject = function},
#include "checks.def"
};
size_t const checks_count = sizeof checks / sizeof checks[0];

static void check_worker_by(sema *s, const body_site *worker, const check *c)
{
    if (c->worker) c->worker(s, worker);
    if (c->code) c->code(s, worker);
}

typedef struct preempt_checking {
    sema *sema;
    preempt_check *check;
} preempt_checking;

static void check_preempt_by(ast_preempt *preempt, void *context)
{
    const preempt_checking *const by = context;
    by->check(by->sema, preempt);
}

static void check_flow_by(sema *s, ast_flow *flow, const check *c)
{
    if (c->flow) c->flow(s, flow);
    if (c->body) for_each_body(s, flow, c->body);
    if (c->code) for_each_body(s, flow, c->code);
    if (c->preempt) walk_preempts(flow, check_preempt_by, &(preempt_checking){s, c->preempt});
}

/* Rows of parts of the file. */
static void check_parts(sema *s, const check *first, const check *end)
{
    for (ast_worker *worker = s->file->workers; worker; worker = worker->next) {
        body_site const site = {.worker = worker, .on = HANDLER_KINDS, .body = &worker->body};
        for (const check *c = first; c < end; c++) check_worker_by(s, &site, c);
    }
    for (s->names = s->own; s->names; s->names = s->names->next) {
        for (const check *c = first; c < end; c++) check_flow_by(s, s->names->flow, c);
    }
}

void run_checks(sema *s, const check *first, const check *end)
{
    while (first < end) {
        const check *next = first;
        while (next < end && !next->file) next++;
        check_parts(s, first, next);
        if (next < end) next++->file(s);
        first = next;
    }
}

/* Warnings that -Werror makes errors do not count. */
bool has_error_in(const diagnostics *d, const ast_file *file)
{
    return diag_error_within(d, (span){file->in, 0, file->in->size + 1});
}

sema sema_begin(arena *a, diagnostics *d, ast_file *main, const sema_options *options)
{
    static const sema_options none = {0};
    return (sema){.arena = a,
                  .diagnostics = d,
                  .file = main,
                  .options = options ? options : &none,
                  .has_syntax_errors = has_error_in(d, main)};
}

void sema_check(arena *a, diagnostics *d, ast_file *main, const sema_options *options)
{
    sema s = sema_begin(a, d, main, options);
    hide_consequences(&s);
    run_checks(&s, checks, checks + checks_count);
    diag_hide(d, NULL, NULL);
}
