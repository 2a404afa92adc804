/* SPDX-License-Identifier: MIT */
/* test_checks.c - checks.def: each check reports the codes of its row, and no others. Judged by the golden errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "checks.h"
#include "diag_report.h"
#include "loader.h"

#define MOST_CHECKS 100

static bool reported[MOST_CHECKS][DIAG_CODE_COUNT];

static bool has_code(const check *c, const char *code)
{
    return strstr(c->codes, code) != NULL;
}

/* tests/golden/errors/check.py makes the example of this code: it has 65,540 steps. */
static bool is_left_out(diag_code code)
{
    return code == UF0411;
}

/* Runs the rows one by one, and notes what each of them reports. */
static void run_all(const char *path)
{
    arena *const a = arena_new();
    diagnostics *const d = diag_new(a);
    loader l = {.arena = a, .diagnostics = d};
    ast_file *const file = loader_open(&l, path);

    assert_non_null(file);
    loader_imports(&l, file);
    char const *const name = strrchr(path, '/') + 1;
    char const *const header = arena_printf(a, "%.*s.h", (int)(strrchr(name, '.') - name), name);
    sema s = sema_begin(a, d, file, &(sema_options){.header = header});
    for (size_t i = 0; i < checks_count; i++) {
        const diag_report *const before = d->last;
        run_checks(&s, &checks[i], &checks[i + 1]);
        for (const diag_report *r = before ? before->next : d->first; r; r = r->next) reported[i][r->code] = true;
    }
    arena_free(a);
}

static int run_each_example(void **state)
{
    (void)state;
    char path[1000];
    DIR *const examples = opendir(GOLDEN_ERRORS);

    assert_non_null(examples);
    assert_in_range(checks_count, 1, MOST_CHECKS);
    for (const struct dirent *one; (one = readdir(examples));) {
        const char *const end = strrchr(one->d_name, '.');
        if (!end || strcmp(end, ".uflow") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", GOLDEN_ERRORS, one->d_name);
        run_all(path);
    }
    return closedir(examples);
}

static void each_report_is_in_the_row_of_its_check(void **state)
{
    (void)state;
    unsigned missing = 0;
    for (size_t i = 0; i < checks_count; i++) {
        for (diag_code code = (diag_code)0; code < DIAG_CODE_COUNT; code++) {
            if (!reported[i][code] || has_code(&checks[i], diag_describe(code)->code)) continue;
            print_error("the row with \"%s\" lacks %s\n", checks[i].codes, diag_describe(code)->code);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

static void each_code_of_a_row_is_reported_by_its_check(void **state)
{
    (void)state;
    unsigned missing = 0;
    for (size_t i = 0; i < checks_count; i++) {
        for (diag_code code = (diag_code)0; code < DIAG_CODE_COUNT; code++) {
            if (reported[i][code] || is_left_out(code) || !has_code(&checks[i], diag_describe(code)->code)) continue;
            print_error("the row with \"%s\" does not report %s in any example\n", checks[i].codes,
                        diag_describe(code)->code);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_report_is_in_the_row_of_its_check),
        cmocka_unit_test(each_code_of_a_row_is_reported_by_its_check),
    };
    return cmocka_run_group_tests(tests, run_each_example, NULL);
}
