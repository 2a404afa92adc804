/* SPDX-License-Identifier: MIT */
/* cases.h - the tests of a program in C. `CASE(name) { … }` is one, and needs no other mention: main() runs them in the
 * order of their lines. Where tests share a set-up, a word of their own is defined with CASE_WITH(). */
#ifndef CASES_H
#define CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_CASES = 64 };

static struct CMUnitTest case_list[MOST_CASES]; /* cmocka passes over those without a name */
static int case_lines[MOST_CASES], case_count;

/* The constructors of a file run in any order. */
static inline void case_add(int line, struct CMUnitTest added)
{
    int at = case_count++;

    if (at == MOST_CASES) abort();
    for (; at > 0 && case_lines[at - 1] > line; at--) {
        case_list[at] = case_list[at - 1];
        case_lines[at] = case_lines[at - 1];
    }
    case_list[at] = added;
    case_lines[at] = line;
}

#define CASE_ADD(add, name, before, after)                                                                             \
    __attribute__((constructor)) static void add(void)                                                                 \
    {                                                                                                                  \
        case_add(__LINE__, (struct CMUnitTest){#name, name, before, after, NULL});                                     \
    }

/* `state` is cmocka's. `before` and `after` are its set-up and its teardown, or NULL. */
#define CASE_WITH(name, before, after)                                                                                 \
    static void name(void **state);                                                                                    \
    CASE_ADD(add_##name, name, before, after)                                                                          \
    static void name(void **state __attribute__((unused)))

/* Once more, with another set-up. */
#define CASE_ALSO(name, before, after) CASE_ADD(add_##name##_##before, name, before, after)

#define CASE(name)                     CASE_WITH(name, NULL, NULL)

static inline int cases_run(void)
{
    return cmocka_run_group_tests(case_list, NULL, NULL);
}

/* A program that has more to do defines OWN_MAIN, and calls cases_run(). */
#if !defined(OWN_MAIN)
int main(void)
{
    return cases_run();
}
#endif

#endif
