/* SPDX-License-Identifier: MIT */
/* test_text.c - buffers, sources, UTF-8, JSON strings, similar names. */
#include <string.h>

#include "../../cases.h"

#include "buffer.h"
#include "diag.h"
#include "json_text.h"
#include "source.h"
#include "utf8.h"

CASE(buffers_grow_at_their_end)
{
    buffer b = {0};
    buffer_printf(&b, "%s", "");
    assert_int_equal(b.length, 0);
    buffer_puts(&b, "a");
    buffer_putc(&b, 'b');
    buffer_append(&b, "cde", 2);
    buffer_printf(&b, "%d", 12);
    assert_string_equal(b.text, "abcd12");
    for (int i = 0; i < 1000; i++) buffer_printf(&b, "%05d", i);
    assert_int_equal(b.length, 6 + 5000);
    assert_string_equal(b.text + b.length - 5, "00999");
    buffer_free(&b);
    assert_null(b.text);
}

CASE(offsets_have_lines_and_columns)
{
    arena *a = arena_new();
    const source *s = source_from_text(a, "x.uflow", "one\r\ntwo\n\nfour", 14);
    assert_int_equal(s->line_count, 4);
    position const at = source_position(s, 6);
    assert_int_equal(at.line, 2);
    assert_int_equal(at.column, 2);
    assert_int_equal(source_line(s, 0), 1);
    assert_int_equal(source_line(s, 4), 1);
    assert_int_equal(source_line(s, 5), 2);
    assert_int_equal(source_line(s, 9), 3);
    assert_int_equal(source_line(s, 14), 4);
    uint32_t length;
    assert_memory_equal(source_line_text(s, 1, &length), "one", 3);
    assert_int_equal(length, 3);
    source_line_text(s, 3, &length);
    assert_int_equal(length, 0);
    assert_memory_equal(source_line_text(s, 4, &length), "four", 4);
    assert_int_equal(length, 4);
    arena_free(a);
}

CASE(lines_are_found_in_long_texts)
{
    arena *a = arena_new();
    char text[5000];
    for (size_t i = 0; i < sizeof text; i++) text[i] = i % 7 == 0 || (i / 400) % 3 == 1 ? 'x' : '\n';
    const source *s = source_from_text(a, "x", text, sizeof text);
    uint32_t line = 1;
    for (uint32_t i = 0; i <= sizeof text; i++) {
        assert_int_equal(source_line(s, i), line);
        if (i < sizeof text && text[i] == '\n') line++;
    }
    assert_int_equal(s->line_count, line);
    arena_free(a);
}

CASE(a_mark_of_byte_order_is_left_out)
{
    arena *a = arena_new();
    const source *s = source_from_text(a, "x",
                                       "\xEF\xBB\xBF"
                                       "a",
                                       4);
    assert_string_equal(s->text, "a");
    assert_int_equal(s->size, 1);
    s = source_from_text(a, "x", NULL, 0);
    assert_string_equal(s->text, "");
    assert_int_equal(s->line_count, 1);
    arena_free(a);
}

CASE(utf8_is_told_from_other_bytes)
{
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"a", 1},
                 {"\xC3\xA9", 2},
                 {"\xE2\x82\xAC", 3},
                 {"\xF0\x9F\x98\x80", 4},
                 {"\xEF\xBF\xBF", 3},
                 {"\xF4\x8F\xBF\xBF", 4},
                 {"\x80", 0},
                 {"\xC0\x80", 0},
                 {"\xC1\xBF", 0},
                 {"\xC3", 0},
                 {"\xC3"
                  "a",
                  0},
                 {"\xE0\x80\x80", 0},
                 {"\xED\xA0\x80", 0},
                 {"\xF0\x80\x80\x80", 0},
                 {"\xF4\x90\x80\x80", 0},
                 {"\xF5\x80\x80\x80", 0},
                 {"\xE2\x82", 0},
                 {"\xFF", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(utf8_length(cases[i].text, strlen(cases[i].text)), cases[i].length);
    }
    assert_int_equal(utf8_length("", 0), 0);
}

CASE(json_strings_are_escaped)
{
    buffer b = {0};
    json_quote(&b,
               "a\"b\\c\n\t\x01\x7F"
               "\xC3\xA9\xFF",
               12);
    assert_string_equal(b.text, "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\xC3\xA9\\ufffd\"");
    buffer_free(&b);
}

CASE(near_names_are_found)
{
    static const char *const names[] = {"MoveOver", "Retry", "Hold", "Grip", "Lift", "Lost"};
    size_t const count = sizeof names / sizeof names[0];
    assert_string_equal(diag_nearest("MoveOvr", names, count), "MoveOver");
    assert_string_equal(diag_nearest("moveover", names, count), "MoveOver");
    assert_string_equal(diag_nearest("Gripp", names, count), "Grip");
    assert_string_equal(diag_nearest("Girp", names, count), "Grip");
    assert_string_equal(diag_nearest("Grip", names, count), "Grip");
    assert_null(diag_nearest("Li", names, count));
    assert_string_equal(diag_nearest("On", (const char *const[]){"on"}, 1), "on");
    assert_null(diag_nearest("LIFT", (const char *const[]){"Lift", "lift"}, 2));
    assert_null(diag_nearest("Elsewhere", names, count));
    assert_null(diag_nearest("Lit", (const char *const[]){"Lot", "Let"}, 2)); /* both equally similar */
    assert_string_equal(diag_nearest("Lit", (const char *const[]){"Lot", "Lot"}, 2), "Lot");
    assert_null(diag_nearest("x", names, 0));
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const same[] = {longest};
    assert_null(diag_nearest(longest, same, 1));
}
