/* writer.h - how generated text is put down: names from the IR, the user's text byte for byte, and where each line came from.
 *
 * Every line of the output has a number of its own. Behind a #line directive the compiler takes it for a line of the .uflow
 * file; the writer knows for which, and writes a directive only where that has to change. */
#ifndef UFC_WRITER_H
#define UFC_WRITER_H

#include "emit.h"

typedef struct writer {
    const ir_unit *unit;
    const emit_options *options;
    buffer *out;
    arena *names;                   /* of the strings that cname.h makes */
    const char *in_name, *out_name; /* of the unit's file and of this one, as literals */
    size_t counted;                 /* so much of the output is accounted for in what follows */
    uint32_t line;                  /* number of the line that is being written, from 1 */
    const source *mapped;           /* the file that the compiler takes it for; NULL: this one */
    uint32_t mapped_line;
    bool moves; /* without #line: the user's lines begin with `cut` blanks less, and four more */
    uint32_t cut;
} writer;

void writer_begin(writer *w, const ir_unit *unit, const emit_options *options, buffer *out);
void writer_end(writer *w);

/* Between two functions or structs: a text that has become long is passed on to whoever wants it in parts. */
void writer_pass_on(writer *w);

/* Generated text: pieces, as BUFFER_PUT() takes them. Line ends may be anywhere in it. */
#define put(w, ...) BUFFER_PUT((w)->out, __VA_ARGS__)

/* Is nothing on the line yet? Does the compiler take it for the one that the text begins on? */
bool at_line_begin(const writer *w);
bool is_on_line_of(writer *w, span text);

/* At the start of a line: what follows is the line of `at`; and: what follows is this file's own again. */
void put_place(writer *w, span at);
void put_own_place(writer *w);

/* The user's text. With #line: if the line that it stands on is not the compiler's, it goes to one that is; alone on a line it begins in
 * the column that it has in the source, so that carets of the C compiler point at it. */
void put_user(writer *w, span text);

/* A directive of the preprocessor that is the user's, on a line of its own. */
void put_user_directive(writer *w, span text);

/* Behind an `#endif`: where the compiler takes this to be depends on what it left out. */
void put_no_place(writer *w);

/* In the middle of a statement: what follows is on the line of `text`, which stands in it. Not to be done within a macro. */
void put_reach(writer *w, span text);

/* Goes on with the user's text as it stands, after something that took its place: if no more than blanks are left of the
 * line, the next one is put right. */
void put_user_rest(writer *w, span text);

/* The inside of a `header` or `source` block: whole lines. */
void put_block(writer *w, span text);

/* A character so many times. */
void put_repeated(writer *w, char c, size_t times);

/* A text of one line, with blanks behind it up to a width. */
void put_padded(writer *w, const char *text, size_t width);

/* `-- what --` in a comment, as wide as a line. */
void put_heading(writer *w, const char *text);

/* Breaks the line that is being written behind commas if it is too long; not one that is mapped. */
void put_wrapped(writer *w);

/* A line: there are no escapes in it. */
void put_include(writer *w, const char *name);

/* What a file is called in the output. */
const char *file_name(writer *w, const char *name);

/* A string literal; a text in a comment. */
void put_string(writer *w, const char *text);
void put_commented(writer *w, const char *text);

#endif
