/* SPDX-License-Identifier: MIT */
/* test_scan.c - the scanner: every kind of token, and unterminated ones. */
#include <string.h>

#include "../../cases.h"

#include "buffer.h"
#include "parse_state.h"
#include "scan.h"
#include "uflow_parse.h"

typedef struct result {
    arena *a;
    unsigned refusals;
    token_list tokens;
    bool truncated;
    char *kinds; /* their names, with blanks between them */
} result;

static unsigned refusals;

static bool count_refusal(parser *p, mistake what, token_range where)
{
    (void)p, (void)what, (void)where;
    refusals++;
    return false;
}

static result scan_text(const char *text, size_t size)
{
    result s = {.a = arena_new()};
    ast_file file = {0};
    parser p = parser_of(s.a, NULL, &file);
    p.explain = &(explanation){NULL, count_refusal};
    refusals = 0;
    scanned const found = scan_file(&p, source_from_text(s.a, "x", text, size));
    s.refusals = refusals;
    s.tokens = found.tokens;
    s.truncated = found.truncated;
    buffer kinds = {0};
    for (uint32_t i = 0; i < s.tokens.count; i++)
        buffer_printf(&kinds, "%s%s", i ? " " : "", token_name(s.tokens.items[i].kind));
    s.kinds = arena_copy(s.a, kinds.text ? kinds.text : "", kinds.length);
    buffer_free(&kinds);
    return s;
}

static void expect(const char *text, const char *kinds, unsigned errors)
{
    result s = scan_text(text, strlen(text));
    assert_string_equal(s.kinds, kinds);
    assert_int_equal(s.refusals, errors);
    arena_free(s.a);
}

CASE(tokens_are_those_of_c)
{
    expect("", "", 0);
    expect("a _b $c \xC3\xA9 \\u00e9 x\\U0001F600", "name name name name name name", 0);
    expect("1 0x1F 1.5e+3 0x1p-3 10'000 .5f 1..2", "number number number number number number number", 0);
    expect("50ms 1.5s 250us 2min 1h 1'000ms 5 ms 50msx 0x5s .5s",
           "duration duration duration duration duration duration number name number number number", 0);
    expect("\"a\\\"}\" u8\"x\" L\"x\" U\"\" 'a' L'\\'' '\"'",
           "string string string string character character character", 0);
    expect("a\"b\"c", "name string name", 0);
    expect("x->y.z ... a--->b", "name -> name . name operator name operator -> name", 0);
    expect("<% %> <: :> { } [ ]", "{ } [ ] { } [ ]", 0);
    expect("next nextx n", "next name name", 0);
}

CASE(white_space_is_no_token)
{
    expect("a/* } \n * ** / */b// }\nc", "name name name", 0);
    expect("a // goes on \\\n } \nb", "name name", 0);
    expect("a /\\\n* } *\\\n/ b /\\\n/ }\n c", "name name name", 0);
    expect("a\\\nb c\\  \n\td", "name name name", 0);
    expect("a /**/ b /***/ c", "name name name", 0);
    expect("a\r\nb", "name name", 0);
}

CASE(directives_are_whole_lines)
{
    expect("#if X\n#elif Y // {\n#else /* {\n */ {\n#endif {\na # b", "#if #elif #else #endif name operator name", 0);
    expect("  # /* a */ ifdef X \\\n Y\n%: ifndef Z\n#endif\n#endif", "#if #if #endif #endif", 0);
    expect("#error don't\n#define X \"//\" {\n#include <a.h>\n#\n#iffy",
           "directive directive directive directive directive", 0);
    expect("a /* \n */ #if b", "name operator if name", 0);
    expect("/* */ #if b\n#endif", "#if #endif", 0);
}

CASE(what_the_preprocessor_skips_leaves_no_token)
{
    expect("#if 0\n} it's \"\n#if X\n#else\n#endif\n/* #endif\n*/ // #endif\n#else\na\n#endif\nb",
           "#if #else name #endif name", 0);
    expect("#if 1 // always\na\n#elif X\n'\n#else\n}\n#endif\nb", "#if name #elif #endif name", 0);
    expect("#if 00\na\n#endif\n#if 0 || X\nb\n#endif", "#if name #endif #if name #endif", 0);
    expect("#if 0 /* x */\na\n#endif", "#if #endif", 0);
    expect("#if 0\na", "#if", 0);
}

CASE(blocks_of_c_are_one_token)
{
    expect("header { a { } \"}\" '}' /* } */ // }\n }b", "header block name", 0);
    expect("source {\n#ifdef X\n{\n#else\n{ {\n#endif\n}\n}\nflow", "source block flow", 0);
    expect("source {\n#if 0\n}\n#endif\n} x", "source block name", 0);
    expect("flow { header { x } }", "flow { name { name } }", 0);
    expect("header source", "name name", 0);
    expect("source {\nint x;\nflow A {\n}", "source block flow name { }", 1);
    expect("source {", "source block", 1);
    expect("source {}", "source block", 0);
}

CASE(what_never_ends_is_one_error)
{
    expect("a \"b\nc", "name string name", 1);
    expect("a 'b\nc", "name character name", 1);
    expect("a \"b\\", "name string operator", 1);
    expect("a /* b", "name", 1);
    expect("a /", "name operator", 0);
    expect("#define /* b", "directive", 1);
    expect("source { /* b", "source block", 1);
    expect("#if 0\n/* b", "#if", 1);
    result s = scan_text("a /* b", 6);
    assert_true(s.truncated);
    arena_free(s.a);
}

CASE(bytes_that_are_no_text_are_reported_once)
{
    result s = scan_text("a\0b\0", 4);
    assert_string_equal(s.kinds, "name operator name operator");
    assert_int_equal(s.refusals, 1);
    arena_free(s.a);
    s = scan_text("\"a\0b\" /* \0 */ // \0", 18);
    assert_string_equal(s.kinds, "string");
    assert_int_equal(s.refusals, 1);
    arena_free(s.a);
    expect("a\xFF \xFF", "name name", 1);
    expect("a\rb\rc", "name name name", 1);
}

CASE(the_first_token_of_a_line_is_marked)
{
    result s = scan_text("a b\n/* x\n */ c\n\\\nd", 18);
    static const bool first[] = {true, false, true, true};
    assert_int_equal(s.tokens.count, 4);
    for (uint32_t i = 0; i < 4; i++) assert_int_equal((s.tokens.items[i].flags & TOKEN_FIRST_ON_LINE) != 0, first[i]);
    arena_free(s.a);
}

CASE(names_are_interned_without_splices)
{
    result s = scan_text("ab\\\ncd a\\ \t\r\nbcd \\u00e9", 23);
    assert_int_equal(s.tokens.count, 3);
    assert_string_equal(token_intern(s.a, &s.tokens, 0), "abcd");
    assert_ptr_equal(token_intern(s.a, &s.tokens, 1), token_intern(s.a, &s.tokens, 0));
    assert_string_equal(token_intern(s.a, &s.tokens, 2), "\\u00e9");
    arena_free(s.a);
}
