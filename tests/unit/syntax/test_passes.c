/* SPDX-License-Identifier: MIT */
/* test_passes.c - the strict parser and the second pass agree on programs, and on mutants of them in which one token is
 * missing, doubled, or replaced. Of the mutants of right programs, few get several errors.
 *
 * usage: test_passes MUTANTS FILE...    so many mutants of each file */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast_dump.h"
#include "buffer.h"
#include "explain.h"
#include "parse.h"
#include "parse_state.h"
#include "scan.h"

static unsigned failures, accepted, refused, unexplained, many;
static unsigned refused_of_right, many_of_right; /* mutants of programs without a mistake */
static bool is_right;

/* A generator of random numbers that gives the same ones everywhere (splitmix64). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void fail(const char *what, const source *in, const diagnostics *d)
{
    buffer said = {0};
    diag_print(d, DIAG_TEXT, false, &said);
    printf("%s: %s:\n%.*s\n%s\n", in->name, what, (int)in->size, in->text, said.text ? said.text : "");
    buffer_free(&said);
    failures++;
}

static const char *dump(arena *a, const ast_file *file)
{
    buffer text = {0};
    ast_dump(file, &text);
    const char *const copy = arena_copy(a, text.text ? text.text : "", text.length);
    buffer_free(&text);
    return copy;
}

/* Compares the passes over a text. */
static void check(const char *name, const char *text, size_t length)
{
    arena *const a = arena_new();
    diagnostics *const first = diag_new(a), *const second = diag_new(a);
    const source *const in = source_from_text(a, name, text, length);
    const ast_file *const strict = parse_strictly(a, first, in), *const explained = explain_file(a, second, in);
    if (diag_error_count(first)) fail("the strict parser has reported an error", in, first);
    if (strict && diag_error_count(second))
        fail("the strict parser has accepted what the second pass refuses", in, second);
    else if (strict && strcmp(dump(a, strict), dump(a, explained)) != 0) fail("the passes differ", in, second);
    accepted += strict != NULL;
    refused += !strict;
    unexplained += !strict && !diag_error_count(second);
    many += diag_error_count(second) > 1;
    refused_of_right += !strict && is_right;
    many_of_right += diag_error_count(second) > 1 && is_right;
    arena_free(a);
}

/* A mutant: one token is left out, doubled, or replaced by another one of the file. */
static void check_mutant(const char *name, const source *in, const token_list *tokens, uint64_t *random)
{
    const token *const at = &tokens->items[draw(random) % tokens->count];
    const token *const other = &tokens->items[draw(random) % tokens->count];
    buffer text = {0};
    uint64_t const how = draw(random) % 3;
    buffer_append(&text, in->text, how == 1 ? at->end : at->begin);
    if (how != 0) {
        const token *const put = how == 1 ? at : other;
        buffer_putc(&text, ' ');
        buffer_append(&text, in->text + put->begin, put->end - put->begin);
        buffer_putc(&text, ' ');
    }
    buffer_append(&text, in->text + at->end, in->size - at->end);
    check(name, text.text, text.length);
    buffer_free(&text);
}

static void check_file(const char *path, unsigned mutants)
{
    FILE *const file = fopen(path, "rb");
    buffer text = {0};
    for (int c; file && (c = getc(file)) != EOF;) buffer_putc(&text, (char)c);
    if (file) (void)fclose(file);
    arena *const a = arena_new();
    const source *const in = source_from_text(a, path, text.text ? text.text : "", text.length);
    ast_file tokens = {0};
    parser p = parser_of(a, NULL, &tokens);
    scanned const all = scan_file(&p, in);
    uint64_t random = 1;
    unsigned const before = accepted;
    is_right = false;
    check(path, in->text, in->size);
    is_right = accepted > before;
    for (unsigned i = 0; i < mutants && all.tokens.count; i++) check_mutant(path, in, &all.tokens, &random);
    arena_free(a);
    buffer_free(&text);
}

int main(int count, char **arguments)
{
    if (count < 3) return 2;
    for (int i = 2; i < count; i++) check_file(arguments[i], (unsigned)atoi(arguments[1]));
    printf("%u accepted, %u refused, of these %u without an error and %u with several; %u failures\n", accepted,
           refused, unexplained, many, failures);
    printf("of %u refused mutants of right programs, %u with several errors\n", refused_of_right, many_of_right);
    return failures > 0 || 100 * many_of_right > 3 * refused_of_right;
}
