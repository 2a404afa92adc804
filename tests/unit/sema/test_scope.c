/* SPDX-License-Identifier: MIT */
/* test_scope.c - the symbol table. */
#include "../../cases.h"

#include "scope.h"

CASE(the_first_of_a_name_stays)
{
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

CASE(a_hidden_name_comes_back)
{
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

CASE(ten_thousand_names_are_kept_apart)
{
    arena *a = arena_new();
    scope names = {0};
    static int values[10000];
    for (int i = 0; i < 10000; i++) assert_null(scope_add(a, &names, arena_printf(a, "name%d", i), &values[i]));
    for (int i = 0; i < 10000; i++) assert_ptr_equal(scope_find(&names, arena_printf(a, "name%d", i)), &values[i]);
    assert_null(scope_find(&names, "name10000"));
    arena_free(a);
}
