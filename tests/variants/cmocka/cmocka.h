/* SPDX-License-Identifier: MIT */
/* cmocka.h - the part of cmocka that tests/runtime uses, for machines without that library. */
#ifndef VARIANTS_CMOCKA_H
#define VARIANTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    int (*setup_func)(void **state);
    int (*teardown_func)(void **state);
    void *initial_state;
};

#define cmocka_unit_test(f)                                                                                            \
    {                                                                                                                  \
#f, f, NULL, NULL, NULL                                                                                        \
    }
#define cmocka_unit_test_setup(f, setup)                                                                               \
    {                                                                                                                  \
#f, f, setup, NULL, NULL                                                                                       \
    }
#define cmocka_unit_test_teardown(f, teardown)                                                                         \
    {                                                                                                                  \
#f, f, NULL, teardown, NULL                                                                                    \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                                            \
    {                                                                                                                  \
#f, f, setup, teardown, NULL                                                                                   \
    }
#define cmocka_unit_test_prestate(f, state)                                                                            \
    {                                                                                                                  \
#f, f, NULL, NULL, state                                                                                       \
    }

enum { CMOCKA_FAILED = 1, CMOCKA_SKIPPED };
static jmp_buf cmocka_failed;

static inline void cmocka_fail(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    longjmp(cmocka_failed, CMOCKA_FAILED);
}

static inline void cmocka_equal(const char *file, int line, const char *text, uintmax_t a, uintmax_t b, int wanted)
{
    if ((a == b) != wanted) cmocka_fail(file, line, "%s: %jd and %jd", text, (intmax_t)a, (intmax_t)b);
}

static inline void cmocka_same_text(const char *file, int line, const char *a, const char *b, int wanted)
{
    if ((strcmp(a, b) == 0) != wanted) cmocka_fail(file, line, "\"%s\" and \"%s\"", a, b);
}

/* clang-format off */
#define assert_true(c)             ((c) ? (void)0 : cmocka_fail(__FILE__, __LINE__, "%s", #c))
#define assert_false(c)            assert_true(!(c))
#define assert_null(p)             assert_true((p) == NULL)
#define assert_non_null(p)         assert_true((p) != NULL)
#define assert_int_equal(a, b)     cmocka_equal(__FILE__, __LINE__, #a ", " #b, (uintmax_t)(a), (uintmax_t)(b), 1)
#define assert_int_not_equal(a, b) cmocka_equal(__FILE__, __LINE__, #a ", " #b, (uintmax_t)(a), (uintmax_t)(b), 0)
#define assert_ptr_equal(a, b)     assert_true((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void *)(a) != (const void *)(b))
#define assert_string_equal(a, b)  cmocka_same_text(__FILE__, __LINE__, (a), (b), 1)
#define assert_in_range(v, low, high)                                                                                  \
    assert_true((uintmax_t)(v) >= (uintmax_t)(low) && (uintmax_t)(v) <= (uintmax_t)(high))
#define assert_memory_equal(a, b, size) assert_true(memcmp((a), (b), (size)) == 0)
#define fail()                     cmocka_fail(__FILE__, __LINE__, "fail()")
#define fail_msg(...)              cmocka_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip()                     longjmp(cmocka_failed, CMOCKA_SKIPPED)
#define print_message(...)         printf(__VA_ARGS__)
#define print_error(...)           fprintf(stderr, __VA_ARGS__)
/* clang-format on */

static inline int cmocka_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **),
                             int (*teardown)(void **))
{
    static void *group;
    static volatile int failures;

    if (setup && setup(&group)) return 1;
    for (volatile size_t i = 0; i < count; i++) {
        if (!tests[i].name) continue;
        void *state = tests[i].initial_state ? tests[i].initial_state : group;
        switch (setjmp(cmocka_failed)) {
        case 0: break;
        case CMOCKA_SKIPPED: continue;
        default:
            fprintf(stderr, "[  FAILED  ] %s\n", tests[i].name);
            failures++;
            continue;
        }
        if (tests[i].setup_func && tests[i].setup_func(&state)) cmocka_fail(tests[i].name, 0, "its setup failed");
        tests[i].test_func(&state);
        if (tests[i].teardown_func && tests[i].teardown_func(&state))
            cmocka_fail(tests[i].name, 0, "its teardown failed");
    }
    if (teardown && teardown(&group)) return 1;
    return failures;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    cmocka_run(tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cmocka_run_group_tests(tests, setup, teardown)

#endif
