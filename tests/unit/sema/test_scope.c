/* SPDX-License-Identifier: MIT */
/* test_scope.c - the symbol table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scope.h"

static void the_first_of_a_name_stays(void **state)
{
    (void)state;
    arena *a = arena_new();
    scope names = {0};
    int first, second;
    assert_null(scope_find(&names, "x"));
    assert_null(scope_add(a, &names, "x", &first));
    assert_ptr_equal(scope_add(a, &names, "x", &second), &first);
    assert_ptr_equal(scope_find(&names, "x"), &first);
    assert_ptr_equal(scope_find_text(&names, "xyz", 1), &first);
    assert_null(scope_find_text(&names, "xyz", 2));
    arena_free(a);
}

static void a_hidden_name_comes_back(void **state)
{
    (void)state;
    arena *a = arena_new();
    scope names = {0};
    int outer, inner;
    assert_null(scope_set(a, &names, "x", &outer));
    assert_ptr_equal(scope_set(a, &names, "x", &inner), &outer);
    assert_ptr_equal(scope_find(&names, "x"), &inner);
    assert_ptr_equal(scope_set(a, &names, "x", &outer), &inner);
    assert_ptr_equal(scope_set(a, &names, "x", NULL), &outer);
    assert_null(scope_find(&names, "x"));
    assert_null(scope_add(a, &names, "x", &inner));
    assert_ptr_equal(scope_find(&names, "x"), &inner);
    arena_free(a);
}

static void ten_thousand_names_are_kept_apart(void **state)
{
    (void)state;
    arena *a = arena_new();
    scope names = {0};
    static int values[10000];
    for (int i = 0; i < 10000; i++) assert_null(scope_add(a, &names, arena_printf(a, "name%d", i), &values[i]));
    for (int i = 0; i < 10000; i++) assert_ptr_equal(scope_find(&names, arena_printf(a, "name%d", i)), &values[i]);
    assert_null(scope_find(&names, "name10000"));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_a_name_stays),
        cmocka_unit_test(a_hidden_name_comes_back),
        cmocka_unit_test(ten_thousand_names_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
