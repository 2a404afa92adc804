/* SPDX-License-Identifier: MIT */
/* test_parse.c - the parser's limits, broken files, and durations. tests/golden/dump tests the constructs. */
#include <string.h>

#include "../../cases.h"

#include "buffer.h"
#include "explain.h"

typedef struct parsed {
    arena *a;
    diagnostics *d;
    ast_file *file;
} parsed;

static parsed parse_buffer(const buffer *text)
{
    parsed p = {.a = arena_new()};
    p.d = diag_new(p.a);
    p.file = parse_file(p.a, p.d, source_from_text(p.a, "x", text->text ? text->text : "", text->length));
    return p;
}

static parsed parse_text(const char *text)
{
    buffer b = {0};
    buffer_puts(&b, text);
    parsed p = parse_buffer(&b);
    buffer_free(&b);
    return p;
}

static void repeat(buffer *b, const char *text, unsigned count)
{
    for (unsigned i = 0; i < count; i++) buffer_puts(b, text);
}

/* The only error of a body that repeats something, or NULL for none. */
static const char *code_of(const char *before, const char *open, unsigned count, const char *between, const char *close,
                           const char *after)
{
    buffer b = {0}, said = {0};
    buffer_printf(&b, "flow A { task T { step S { %s", before);
    repeat(&b, open, count);
    buffer_puts(&b, between);
    repeat(&b, close, count);
    buffer_printf(&b, "%s } } }", after);
    parsed p = parse_buffer(&b);
    const char *code = NULL;
    assert_in_range(diag_error_count(p.d), 0, 1);
    diag_print(p.d, DIAG_JSON, false, &said);
    if (diag_error_count(p.d)) code = strstr(said.text, "UF0108") ? "UF0108" : "other";
    buffer_free(&b);
    buffer_free(&said);
    arena_free(p.a);
    return code;
}

CASE(nesting_is_limited)
{
    assert_null(code_of("x = ", "(", 250, "1", ")", ";"));
    assert_string_equal(code_of("x = ", "(", 300, "1", ")", ";"), "UF0108");
    assert_string_equal(code_of("x = ", "(", 100000, "1", "", ";"), "UF0108");
    assert_null(code_of("", "{", 250, "", "}", ""));
    assert_string_equal(code_of("", "{", 100000, "", "}", ""), "UF0108");
    assert_null(code_of("", "if (x) ", 250, ";", "", ""));
    assert_string_equal(code_of("", "if (x) ", 260, ";", "", ""), "UF0108");
    assert_string_equal(code_of("", "if (x) ", 100000, ";", "", ""), "UF0108");
    assert_null(code_of("", "if (x) ; else ", 100000, ";", "", ""));
    assert_null(code_of("", "if (x) ; else ", 100000, "if (y) ;", "", ""));
    assert_string_equal(code_of("", "if (x) ; else { ", 300, ";", "} ", ""), "UF0108");
    assert_string_equal(code_of("", "if (x) ; else a: ", 300, ";", "", ""), "UF0108");
    assert_string_equal(code_of("", "if (x) ; else while (y) ", 300, ";", "", ""), "UF0108");
    assert_string_equal(code_of("", "do ", 100000, ";", " while (x);", ""), "UF0108");
    assert_string_equal(code_of("", "\n#if X\n", 300, ";", "\n#endif\n", ""), "UF0108");
    assert_null(code_of("", "a: ", 100000, ";", "", ""));
    assert_string_equal(code_of("x = ", "[", 300, "", "", ";"), "UF0108");
    assert_null(code_of("", "x = 1;", 100000, "", "", ""));
    assert_null(code_of("switch (x) { case ", "x ? ", 200, "1", " : 2", ": ; }"));
}

CASE(a_file_has_a_limit)
{
    buffer b = {0};
    buffer_puts(&b, "flow A { task T { step S { done; } } }\n");
    while (b.length < SOURCE_LIMIT)
        buffer_append(&b, "// 23456789 123456789\n", SOURCE_LIMIT - b.length < 22 ? SOURCE_LIMIT - b.length : 22);
    parsed p = parse_buffer(&b);
    assert_int_equal(diag_error_count(p.d), 0);
    assert_non_null(p.file->flows);
    arena_free(p.a);
    buffer_putc(&b, ' ');
    p = parse_buffer(&b);
    assert_int_equal(diag_error_count(p.d), 1);
    assert_null(p.file->flows);
    arena_free(p.a);
    buffer_free(&b);
}

/* The parser continues after an error. */
CASE(recovery_keeps_the_rest)
{
    static const char *const faults[] = {"x = 1 if (a) b();",
                                         "next;",
                                         "if (f(a { b(); }",
                                         "foo(;",
                                         "next A B C;",
                                         "x = \"abc;\n",
                                         "@;",
                                         "}",
                                         "{",
                                         "await { until x -> A; timeout 1s -> A; }",
                                         "\n#endif\n",
                                         "\n#if X\n",
                                         "else stay;",
                                         "case 1 done;",
                                         "\n#if X\n{\n#endif\n",
                                         "switch (x { case 1: ; }",
                                         "become 3;",
                                         "stay every;",
                                         "for (;;",
                                         "do x();"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        buffer b = {0};
        buffer_printf(&b,
                      "flow A {\n    int n;\n    task T {\n        step S { a();\n %s\n        }\n        step Last { "
                      "done; }\n    }\n"
                      "    task U { step S { done; } }\n}\nflow B { task T { step S { done; } } }\n",
                      faults[i]);
        parsed p = parse_buffer(&b);
        if (diag_error_count(p.d) != (strcmp(faults[i], "@;") != 0)) {
            buffer said = {0};
            diag_print(p.d, DIAG_TEXT, false, &said);
            fail_msg("%s", said.text ? said.text : "no error");
        }
        const ast_flow *flow = p.file->flows;
        assert_non_null(flow);
        assert_non_null(flow->next);
        assert_string_equal(flow->next->name.name, "B");
        const ast_task *task = flow->tasks;
        assert_non_null(task);
        assert_non_null(task->next);
        assert_string_equal(task->next->name.name, "U");
        assert_non_null(task->steps);
        assert_non_null(task->steps->next);
        assert_string_equal(task->steps->next->name.name, "Last");
        assert_non_null(task->steps->next->body.first);
        arena_free(p.a);
        buffer_free(&b);
    }
}

/* Parses every prefix of a file, and every file with one byte removed, to the end. */
CASE(no_fault_stops_the_parser)
{
    static const char text[] = "header {\n#if A\n{\n#else\n{\n#endif\n}\n}\nimport \"a\";\nflow A(int a, int "
                               "(*b)(int)) { flow B x(1), y; int c[3] = { 1 };\n"
                               "on init { f(); } forever task T(int n) -> int { on exit { }\nstep S(int k) { if (a) "
                               "next S(1); else { stay every 1s; }\n"
                               "#if X\nfor (;;) { break; }\n#elif Y\ndo x(); while (1);\n#else\nq: goto "
                               "q;\n#endif\nE(i) { switch (x) { case 1 ? 2 : 3: ; } }\n"
                               "await { until (x) for (3) ms -> S(2);\n#ifdef Z\nrun B.T(&flow->x, 1) -> done result "
                               "else fail \"a\", 1;\n#endif\n"
                               "all(idle(&x), run B.T(&y)) -> become T; timeout 2s -> S(3); } describe \"x\"; } } }\n";
    size_t const length = sizeof text - 1;
    for (size_t i = 0; i < length; i++) {
        buffer b = {0};
        buffer_append(&b, text, i);
        arena_free(parse_buffer(&b).a);
        buffer_append(&b, text + i + 1, length - i - 1);
        arena_free(parse_buffer(&b).a);
        buffer_free(&b);
    }
    parsed p = parse_text(text);
    assert_int_equal(diag_error_count(p.d), 0);
    arena_free(p.a);
}

/* The same for declarations that threads share. */
CASE(no_fault_among_signals_and_jobs_stops_it)
{
    static const char text[] =
        "signal a, b; checkpoint c;\nworker int w(int n, char *s) { if (n) fail \"%d\", n; return 2; }\n"
        "flow A { signal d; mailbox int *m[2]; checkpoint e; on a -> become T; task T { job j: w; on b -> S;\n"
        "on exit { } step S { submit j(1, 2) timeout (3) s; await { all(a, j, fired(&b)) -> S else done;\n"
        "m -> S; arrived(c) -> S; readable(1) -> S else fail; e -> done; stopping -> done; } } }\n"
        "shutdown task R { step O { done; } } }\n";
    size_t const length = sizeof text - 1;
    for (size_t i = 0; i < length; i++) {
        buffer b = {0};
        buffer_append(&b, text, i);
        arena_free(parse_buffer(&b).a);
        buffer_append(&b, text + i + 1, length - i - 1);
        arena_free(parse_buffer(&b).a);
        buffer_free(&b);
    }
    parsed p = parse_text(text);
    assert_int_equal(diag_error_count(p.d), 0);
    const ast_flow *flow = p.file->flows;
    assert_string_equal(p.file->signals->next->name.name, "b");
    assert_string_equal(p.file->workers->params->next->first->name.name, "s");
    assert_int_equal(flow->members->next->kind, MEMBER_MAILBOX);
    assert_string_equal(flow->tasks->jobs->worker_name.name, "w");
    assert_int_equal(flow->tasks->preempts->outcome->kind, OUTCOME_STEP);
    assert_true(flow->tasks->next->shutdown);
    arena_free(p.a);
}

/* A long sequence of statements with an error in each line. Searching back for the start each time would take
 * minutes. */
CASE(many_faults_take_no_longer_each)
{
    static const char *const lines[] = {"if x\n", "await x y;\n", "untill (x) -> y\n", "await {\nx (;\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        buffer b = {0};
        buffer_puts(&b, "flow A { task T { step S { ");
        repeat(&b, lines[i], 200000);
        parsed p = parse_buffer(&b);
        assert_true(diag_error_count(p.d) > 0);
        arena_free(p.a);
        buffer_free(&b);
    }
}

CASE(durations_are_in_nanoseconds)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {{"250us", 250000},
                 {"50ms", 50000000},
                 {"2s", 2000000000},
                 {"1.5s", 1500000000},
                 {"5min", INT64_C(300000000000)},
                 {"1h", INT64_C(3600000000000)},
                 {"0ms", 0},
                 {"1'000ms", 1000000000},
                 {"0.000001us", 0},
                 {"1.0001us", 1000},
                 {"0.25min", INT64_C(15000000000)},
                 {"2562047h", INT64_C(9223369200000000000)},
                 {"2562048h", INT64_MAX},
                 {"99999999999999999999999s", INT64_MAX},
                 {"9223372036.854775807s", INT64_MAX},
                 {"9223372036.9s", INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        buffer b = {0};
        buffer_printf(&b, "flow A { task T { step S { await %s -> S; } } }", cases[i].text);
        parsed p = parse_buffer(&b);
        assert_int_equal(diag_error_count(p.d), 0);
        const ast_duration *duration = &p.file->flows->tasks->steps->body.first->arms->event->duration;
        assert_true(duration->literal);
        assert_true(duration->ns == cases[i].ns);
        arena_free(p.a);
        buffer_free(&b);
    }
}
