/* SPDX-License-Identifier: MIT */
/* writer.h - writes generated text: names from the IR, text of the user byte for byte, and the source of each line.
 *
 * After a #line directive, the compiler takes an output line for a line of the .uflow file. The writer tracks that
 * line, and writes a directive only where it changes. */
#ifndef UFC_WRITER_H
#define UFC_WRITER_H

#include "emit.h"

typedef struct writer {
    const ir_unit *unit;
    const emit_options *options;
    buffer *out;
    arena *names;                   /* owns the strings that cname.h returns */
    const char *in_name, *out_name; /* names of the unit's file and of this file, as literals */
    size_t counted;                 /* bytes of output that the following members take into account */
    uint32_t line;                  /* number of the current output line, from 1 */
    const source *mapped;           /* the file that the compiler takes the line for; NULL: this file */
    uint32_t mapped_line;
    const ir_user_line *user_line; /* a `#line` of the user that is in effect, or NULL */
    bool moves;                    /* without #line: user lines lose `cut` blanks and gain four */
    uint32_t cut;
    uint32_t points;                   /* for coverage, so far */
    bool has_restored;                 /* bodies have the constant `restored` */
    uint32_t *shared_waits;            /* by pause: the number of the function that it shares; 0: it has its own */
    const struct mutant_list *mutants; /* NULL: the C file has none */
} writer;

void writer_begin(writer *w, const ir_unit *unit, const emit_options *options, buffer *out);
void writer_end(writer *w);

/* Writes generated text: pieces as for BUFFER_PUT(). Pieces may contain line ends. */
#define put(w, ...) BUFFER_PUT((w)->out, __VA_ARGS__)

/* Is the current line empty? Does the compiler take it for the first line of `text`? */
bool at_line_begin(const writer *w);
bool is_on_line_of(writer *w, span text);

/* At the start of a line: put_place() makes the compiler take the next line for that of `at`, put_own_place() for a
 * line of this file. */
void put_place(writer *w, span at);
void put_own_place(writer *w);

/* The same, and writes text there, pieces as for put(). */
#define put_at(w, at, ...)                                                                                             \
    do {                                                                                                               \
        put_place(w, at);                                                                                              \
        put(w, __VA_ARGS__);                                                                                           \
    } while (0)
#define put_own(w, ...)                                                                                                \
    do {                                                                                                               \
        put_own_place(w);                                                                                              \
        put(w, __VA_ARGS__);                                                                                           \
    } while (0)

/* At the start of a line: writes one with the name of the file of `at`. With #line it is `__FILE__`, which
 * -ffile-prefix-map of the C compiler reaches. */
void put_source_name(writer *w, const char *before, span at, const char *after);

/* Writes text of the user. With #line, it goes to a line that the compiler takes for its source line. Text alone on a
 * line keeps its column, so that the C compiler's carets point at it. */
void put_user(writer *w, span text);
void put_further(writer *w, span text); /* after a comma, if there is any */

/* Writes `lead`, which the user's text follows. With #line, it begins a line, with blanks so that the text keeps its
 * column, if there is room. */
void put_before(writer *w, const char *lead, span text);

/* Writes a directive of the user on a line of its own. */
void put_user_directive(writer *w, span text);

/* Forgets the place after an `#endif`: it depends on what the preprocessor left out. */
void put_no_place(writer *w);

/* Within a statement, but not in a macro call: makes the compiler take the next line for that of `text`. */
void put_reach(writer *w, span text);

/* Continues the user's text after a replacement. If only blanks are left on the line, puts the next line right. */
void put_user_rest(writer *w, span text);

/* C text of the user in one line of generated C, without a place of its own. */
const char *user_text(writer *w, span text);

/* Writes the inside of a `header` or `source` block, by whole lines. */
void put_block(writer *w, span text);

/* Writes a character several times. */
void put_repeated(writer *w, char c, size_t times);

/* Writes a text of one line, with blanks up to a width. */
void put_padded(writer *w, const char *text, size_t width);

/* Writes `-- what --` in a comment that fills a line. */
void put_heading(writer *w, const char *text);

/* Breaks the current line after commas if it is too long and has no place in the source. */
void put_wrapped(writer *w);

/* Ends a line with these pieces, and breaks it if it is too long. */
#define put_line(w, ...)                                                                                               \
    do {                                                                                                               \
        put(w, __VA_ARGS__);                                                                                           \
        put_wrapped(w);                                                                                                \
        put(w, "\n");                                                                                                  \
    } while (0)

/* Writes an #include; its name has no escapes. */
void put_include(writer *w, const char *name);

/* Returns the name of a file for the output, after --prefix-map. */
const char *file_name(writer *w, const char *name);

/* Write a string literal; a text in a comment. */
void put_string(writer *w, const char *text);
void put_commented(writer *w, const char *text);

#endif
