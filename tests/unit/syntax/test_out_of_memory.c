/* SPDX-License-Identifier: MIT */
/* test_out_of_memory.c - makes each allocation of a parse fail once, including those of the generated parser's stack.
 * ufc must end with its message and status. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cases.h"

#include "ast_dump.h"
#include "explain.h"

/* The linker calls these instead of the C library's (--wrap). */
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static unsigned long allocations, failing; /* the call that fails; 0: none */

void *__wrap_realloc(void *old, size_t size)
{
    if (++allocations == failing) return NULL;
    return __real_realloc(old, size);
}

void *__wrap_malloc(size_t size)
{
    return __wrap_realloc(NULL, size); /* a compiler may replace realloc(NULL) by it */
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *const p = __wrap_malloc(count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

static void parse_all(void)
{
    static const char begin[] =
        "header {\n#if A\n#if B\n#endif\n#endif\n}\nflow A(int n) { int a[3] = { 1 }; task T -> int { step S(int k) {\n"
        "#if X\nx();\n#else\ny(;\n#endif\n next Wrong(1, 2, 3); await { until (x) -> S(2); timeout 2s -> done 1; }\n";
    static const char end[] = "; } } }\n/* never closed";
    buffer text = {0};
    buffer_puts(&text, begin);
    for (int i = 0; i < 60; i++) buffer_puts(&text, "{ if (f((x))) ");
    for (int i = 0; i < 1000; i++) buffer_printf(&text, "name%d = (1);", i);
    for (int i = 0; i < 60; i++) buffer_puts(&text, "}");
    buffer_puts(&text, end);
    arena *a = arena_new();
    diagnostics *d = diag_new(a);
    ast_file *file = parse_file(a, d, source_from_text(a, "x", text.text, text.length));
    buffer out = {0};
    ast_dump(file, &out);
    diag_print(d, DIAG_SARIF, false, &out);
    buffer_free(&out);
    buffer_free(&text);
    arena_free(a);
}

CASE(every_allocation_may_fail)
{
    parse_all();
    unsigned long const count = allocations;
    assert_true(count > 20);
    for (unsigned long k = 1; k <= count; k++) {
        int errors[2];
        assert_int_equal(pipe(errors), 0);
        pid_t const child = fork();
        if (child == 0) {
            dup2(errors[1], STDERR_FILENO);
            allocations = 0;
            failing = k;
            parse_all();
            _exit(0);
        }
        close(errors[1]);
        char said[200] = "";
        assert_true(read(errors[0], said, sizeof said - 1) >= 0);
        close(errors[0]);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 3);
        assert_string_equal(said, "ufc: out of memory\n");
    }
}
