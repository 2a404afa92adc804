/* sema.c - runs the checks in order. */
#include "sema.h"

#include "checks.h"
#include "reserved.h"

static void check_flow(sema *s, ast_flow *flow)
{
    check_declarations(s, flow);
    check_sizes(s, flow);
    check_arguments(s, flow);
    check_pointers(s, flow);
    check_paths(s, flow);
    check_preempts(s, flow);
    check_waits(s, flow);
    check_lifetimes(s, flow);
    check_bare_names(s, flow);
    check_other_struct(s, flow);
    check_formats(s, flow);
    check_blocking(s, flow);
    check_bases(s, flow);
    check_limits(s, flow);
    check_reach(s, flow); /* this and the next: warnings, for text without errors */
    check_stuck(s, flow);
    check_freed(s, flow);
}

void sema_check(arena *a, diagnostics *d, ast_file *main, const sema_options *options)
{
    static const sema_options none = {0};
    sema s = {.arena = a,
              .diagnostics = d,
              .file = main,
              .options = options ? options : &none,
              .syntax_errors = diag_error_count(d) > 0};

    reserved_collect(a, &s.reserved);
    collect_names(&s);
    resolve_shared(&s);
    resolve_targets(&s);
    resolve_pools(&s);
    check_shutdown(&s);
    check_worker_declarations(&s);
    check_directives(&s);
    check_times(&s);
    check_collisions(&s);
    check_header_name(&s);
    collect_blocking(&s);
    check_worker_paths(&s);
    check_workers(&s);
    check_worker_formats(&s);
    check_bare_names_of_workers(&s);
    for (ast_flow *flow = main->flows; flow; flow = flow->next) check_flow(&s, flow);
    check_ignored(&s);
    check_unused(&s);
}
