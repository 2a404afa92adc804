/* SPDX-License-Identifier: MIT */
/* test_diag.c - diagnostics: counting, storing and printing. */
#include <string.h>

#include "../../cases.h"

#include "diag.h"

typedef struct fixture {
    arena *a;
    diagnostics *d;
    source *s;
    buffer out;
} fixture;

static const char text[] = "flow A {\n\tint gr\xC3\xB6\xC3\x9F"
                           "e = 1;\n}\n";

static int set_up(void **state)
{
    static fixture f;
    f.a = arena_new();
    f.d = diag_new(f.a);
    f.s = source_from_text(f.a, "a.uflow", text, sizeof text - 1);
    f.out = (buffer){0};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    buffer_free(&f->out);
    arena_free(f->a);
    return 0;
}

static span at(const fixture *f, uint32_t begin, uint32_t end)
{
    return (span){f->s, begin, end};
}

#define TEST(name) CASE_WITH(name, set_up, tear_down)

TEST(text_shows_the_line)
{
    fixture *f = *state;
    diag_report *r = diag_at(f->d, UF0301, at(f, 14, 21), "no step `%s`", "gr");
    diag_note(r, at(f, 5, 6), "it is here");
    diag_help(r, "write %d", 3);
    diag_print(f->d, DIAG_TEXT, false, &f->out);
    assert_string_equal(f->out.text, "a.uflow:2:6: error: no step `gr` [UF0301]\n"
                                     "    2 | \tint gr\xC3\xB6\xC3\x9F"
                                     "e = 1;\n"
                                     "      | \t    ^~~~~\n"
                                     "a.uflow:1:6: note: it is here\n"
                                     "    1 | flow A {\n"
                                     "      |      ^\n"
                                     "      = help: write 3\n");
}

TEST(reports_come_in_the_order_of_places)
{
    fixture *f = *state;
    diag_at(f->d, UF0302, at(f, 20, 21), "second");
    diag_at(f->d, UF0301, at(f, 3, 4), "first");
    diag_print(f->d, DIAG_TEXT, false, &f->out);
    assert_true(strstr(f->out.text, "first") < strstr(f->out.text, "second"));
}

TEST(one_fault_is_one_report)
{
    fixture *f = *state;
    diag_at(f->d, UF0301, at(f, 3, 4), "a");
    diag_help(diag_at(f->d, UF0301, at(f, 3, 6), "b"), "of no effect");
    diag_at(f->d, UF0302, at(f, 3, 4), "c");
    assert_int_equal(diag_error_count(f->d), 2);
}

TEST(errors_can_be_asked_for_by_place)
{
    fixture *f = *state;
    diag_at(f->d, UF0301, at(f, 5, 9), "a");
    diag_at(f->d, UF0801, at(f, 12, 13), "a warning");
    assert_true(diag_error_within(f->d, at(f, 5, 6)));
    assert_true(diag_error_within(f->d, at(f, 0, 30)));
    assert_false(diag_error_within(f->d, at(f, 6, 30)));
    assert_false(diag_error_within(f->d, at(f, 0, 5)));
}

TEST(warnings_obey_options)
{
    fixture *f = *state;
    assert_true(diag_option(f->d, "no-unreachable-step"));
    assert_true(diag_option(f->d, "error=endless-task"));
    assert_false(diag_option(f->d, "no-nothing"));
    assert_false(diag_option(f->d, "no-UF0801"));
    assert_false(diag_option(f->d, "error=UF0301"));
    assert_false(diag_option(f->d, ""));
    diag_note(diag_at(f->d, UF0801, at(f, 1, 2), "silenced"), at(f, 1, 2), "and its note");
    diag_at(f->d, UF0802, at(f, 2, 3), "an error now");
    diag_at(f->d, UF0803, at(f, 3, 4), "a warning");
    assert_int_equal(diag_error_count(f->d), 1);
    assert_true(diag_option(f->d, "unreachable-step"));
    assert_true(diag_option(f->d, "error"));
    diag_at(f->d, UF0801, at(f, 5, 6), "an error as well");
    assert_int_equal(diag_error_count(f->d), 2);
    diag_print(f->d, DIAG_TEXT, false, &f->out);
    assert_non_null(strstr(f->out.text, "error: an error now [UF0802 -Wendless-task]"));
    assert_non_null(strstr(f->out.text, "warning: a warning [UF0803 -Wforever-ends]"));
    assert_null(strstr(f->out.text, "silenced"));
}

TEST(thousands_are_counted_but_not_kept)
{
    fixture *f = *state;
    source *s = source_from_text(f->a, "b.uflow", arena_alloc(f->a, 5000, 1), 5000);
    for (uint32_t i = 0; i < 3000; i++) diag_at(f->d, UF0301, (span){s, i, i + 1}, "one");
    for (uint32_t i = 0; i < 3000; i++) diag_at(f->d, UF0801, (span){s, i, i + 1}, "two");
    assert_int_equal(diag_error_count(f->d), 3000);
    assert_true(diag_error_within(f->d, at(f, 0, 1)));
    diag_print(f->d, DIAG_TEXT, false, &f->out);
    assert_non_null(strstr(f->out.text, "ufc: 4000 more diagnostics are not shown\n"));
}

TEST(what_is_shown_cannot_steer_a_terminal)
{
    fixture *f = *state;
    static const char evil[] = "a\x1B[31mb\xFF\xC2\x9B"
                               "c\x7F";
    source *s = source_from_text(f->a,
                                 "\x1B"
                                 "evil",
                                 evil, sizeof evil - 1);
    diag_at(f->d, UF0301, (span){s, 0, 1}, "%s", evil);
    diag_print(f->d, DIAG_TEXT, false, &f->out);
    assert_null(strchr(f->out.text, '\x1B'));
    assert_null(strstr(f->out.text, "\xC2\x9B"));
    assert_non_null(strstr(f->out.text, "?evil:1:1: error: a?[31mb??c? [UF0301]\n    1 | a?[31mb??c?\n"));
}

TEST(long_lines_are_cut_around_the_caret)
{
    fixture *f = *state;
    char *line = arena_alloc(f->a, 10001, 1);
    memset(line, 'x', 10000);
    line[5000] = '@';
    source *s = source_from_text(f->a, "c.uflow", line, 10000);
    diag_at(f->d, UF0301, (span){s, 5000, 9000}, "there");
    diag_print(f->d, DIAG_TEXT, false, &f->out);
    assert_true(f->out.length < 500);
    const char *shown = strchr(f->out.text, '@'), *caret = strchr(f->out.text, '^');
    const char *line_2 = strchr(f->out.text, '\n') + 1, *line_3 = strchr(line_2, '\n') + 1;
    assert_int_equal(shown - line_2, caret - line_3);
}

TEST(colors_are_on_demand)
{
    fixture *f = *state;
    diag_at(f->d, UF0301, at(f, 5, 6), "a");
    diag_print(f->d, DIAG_TEXT, true, &f->out);
    assert_non_null(strstr(f->out.text, "\033[1;31merror:\033[0m"));
}

TEST(a_report_may_have_no_place)
{
    fixture *f = *state;
    diag_at(f->d, UF0901, (span){NULL, 0, 0}, "nowhere");
    for (int format = DIAG_TEXT; format <= DIAG_SARIF; format++) diag_print(f->d, (diag_format)format, false, &f->out);
    assert_non_null(strstr(f->out.text, "ufc: error: nowhere [UF0901]\n"));
}

TEST(json_is_an_array)
{
    fixture *f = *state;
    diag_print(f->d, DIAG_JSON, false, &f->out);
    assert_string_equal(f->out.text, "[]\n");
    f->out.length = 0;
    diag_report *r = diag_at(f->d, UF0801, at(f, 14, 21), "\"quoted\"");
    diag_note(r, at(f, 5, 6), "note");
    diag_help(r, "help");
    diag_print(f->d, DIAG_JSON, false, &f->out);
    assert_string_equal(f->out.text,
                        "[\n  {\"code\": \"UF0801\", \"severity\": \"warning\", \"option\": \"-Wunreachable-step\", "
                        "\"message\": \"\\\"quoted\\\"\", "
                        "\"file\": \"a.uflow\", \"line\": 2, \"column\": 6, \"end_line\": 2, \"end_column\": 13, "
                        "\"notes\": [{\"message\": \"note\", \"file\": \"a.uflow\", \"line\": 1, \"column\": 6, "
                        "\"end_line\": 1, \"end_column\": 7}], "
                        "\"help\": [\"help\"]}\n]\n");
}

TEST(sarif_counts_characters)
{
    fixture *f = *state;
    diag_at(f->d, UF0301, at(f, 14, 21), "a");
    diag_print(f->d, DIAG_SARIF, false, &f->out);
    assert_non_null(strstr(f->out.text, "\"ruleId\": \"UF0301\""));
    assert_non_null(strstr(f->out.text, "\"startLine\": 2, \"startColumn\": 6, \"endLine\": 2, \"endColumn\": 11"));
    assert_non_null(strstr(f->out.text, "\"version\": \"2.1.0\""));
}

TEST(codes_can_be_looked_up)
{
    assert_string_equal(diag_find("UF0301")->title, diag_describe(UF0301)->title);
    assert_string_equal(diag_find("unreachable-step")->code, "UF0801");
    assert_null(diag_find("UF9999"));
    assert_null(diag_find(""));
}
