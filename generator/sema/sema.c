/* sema.c - the checks, one after the other. */
#include "sema.h"

#include "checks.h"

void sema_check(arena *a, diagnostics *d, ast_file *main, const sema_options *options)
{
    static const sema_options none = {NULL, 0};
    sema s = {.arena = a,
              .diagnostics = d,
              .file = main,
              .options = options ? options : &none,
              .syntax_errors = diag_error_count(d) > 0};

    collect_names(&s);
    resolve_shared(&s);
    resolve_targets(&s);
    check_shutdown(&s);
    check_declarations(&s);
    check_collisions(&s);
    check_arguments(&s);
    check_pointers(&s);
    check_paths(&s);
    check_workers(&s);
    check_preempts(&s);
    check_waits(&s);
    check_lifetimes(&s);
    check_formats(&s);
    check_blocking(&s);
    check_limits(&s);
    /* Warnings, of what the errors above leave beyond doubt. */
    check_reach(&s);
    check_unused(&s);
}
