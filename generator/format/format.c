/* SPDX-License-Identifier: MIT */
/* Writes the tokens with the gaps between them. A gap holds blanks, line breaks, comments and attributes of
 * statements. */
#include "format.h"

#include "places.h"
#include "uflow_parse.h"

enum {
    INDENT = 4,
    DEEPEST = 520,       /* brackets of a file; its limit is less */
    MOST_DIRECTIVES = 64 /* in a row, to look behind; so the time stays linear */
};

typedef struct level {
    bool is_brace;
    bool ends_line;             /* the bracket was the last token on its line */
    int base, closer;           /* columns of what begins a line in it, and of its partner */
    int old_anchor, new_anchor; /* columns of the line that a continuation follows, in the input and the output */
} level;

typedef struct layout {
    const token_list *list;
    const char *text;
    const place *places;
    buffer *out;
    size_t line_begin; /* of the output */
    uint32_t at;       /* for column_at(): */
    int column;
    int old_indent, new_indent;   /* of the line */
    int old_comment, new_comment; /* columns of the comment behind the line; -1: none */
    unsigned depth;
    level levels[DEEPEST];
} layout;

typedef enum piece_kind { PIECE_TOKEN, PIECE_ATTRIBUTE, PIECE_COMMENT, PIECE_LINE_COMMENT } piece_kind;

typedef struct piece {
    piece_kind kind;
    uint32_t blanks, begin, end; /* bytes: from the end of the piece before it */
    uint32_t next;               /* the token, or the one behind the gap */
    unsigned lines;              /* breaks in its blanks */
    bool is_first, is_apart;     /* in its gap; a blank line goes before it */
    bool has_broken;             /* a piece before it in the gap begins a line */
} piece;

/* -- text ---------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static int advance(int column, char c)
{
    if (c == '\n') return 0;
    if (c == '\t') return column - column % INDENT + INDENT;
    return column + (((unsigned char)c & 0xC0) != 0x80);
}

/* The column of a byte of the input. Offsets of consecutive calls grow. */
static int column_at(layout *f, uint32_t offset)
{
    for (; f->at < offset; f->at++) f->column = advance(f->column, f->text[f->at]);
    return f->column;
}

static int column_of_output(const layout *f)
{
    int column = 0;
    for (size_t i = f->line_begin; i < f->out->length; i++) column = advance(column, f->out->text[i]);
    return column;
}

static void put_line_end(layout *f)
{
    buffer_putc(f->out, '\n');
    f->line_begin = f->out->length;
}

static void put_text(layout *f, uint32_t begin, uint32_t end)
{
    buffer_append(f->out, f->text + begin, end - begin);
    for (uint32_t i = end; i-- > begin;) {
        if (f->text[i] != '\n') continue;
        f->line_begin = f->out->length - (end - i - 1);
        return;
    }
}

/* Moves the lines of a comment with its beginning. */
static void put_comment(layout *f, uint32_t begin, uint32_t end, int moved)
{
    while (begin < end) {
        const char *const feed = memchr(f->text + begin, '\n', end - begin);
        uint32_t const next = feed ? (uint32_t)(feed - f->text) : end;
        uint32_t last = next;
        while (last > begin && is_blank(f->text[last - 1])) last--;
        buffer_append(f->out, f->text + begin, last - begin);
        if (!feed) return;
        put_line_end(f);
        int column = 0;
        for (begin = next + 1; begin < end && is_blank(f->text[begin]); begin++)
            column = advance(column, f->text[begin]);
        if (begin < end && f->text[begin] != '\n' && column + moved > 0)
            buffer_fill(f->out, ' ', (size_t)(column + moved));
    }
}

/* -- columns ------------------------------------------------------------------------------------------------------- */

static bool is_directive(const layout *f, uint32_t i)
{
    return token_is_directive(f->list, i) && f->text[f->list->items[i].begin] != '_'; /* no _Pragma */
}

static level *top(layout *f)
{
    return &f->levels[f->depth];
}

static bool begins_unit(layout *f, uint32_t i)
{
    if (f->places[i].flags & PLACE_START) return true;
    if (!top(f)->is_brace) return false;
    uint32_t behind = i;
    while (behind > 0 && is_directive(f, behind - 1) && behind + MOST_DIRECTIVES > i) behind--;
    uint16_t const before = behind > 0 ? f->list->items[behind - 1].kind : T_SEMICOLON;
    return before == T_SEMICOLON || before == T_LBRACE || before == T_RBRACE || before == T_BLOCK_TEXT ||
           kind_is(before, IS_DIRECTIVE);
}

static int column_of_start(layout *f, uint32_t i)
{
    int const column = top(f)->base + INDENT * f->places[i].extra;
    return column > 0 ? column : 0;
}

/* A line that goes on keeps its distance from the line that it goes on from. */
static int column_of_rest(layout *f, uint32_t i, int old)
{
    const level *const in = top(f);
    uint16_t const kind = token_kind(f->list, i), before = i > 0 ? f->list->items[i - 1].kind : 0;
    bool const is_part = kind == T_LBRACE || kind_is(kind, CLOSES_BRACKET) || (in->is_brace && before == T_COMMA);
    int const least = in->new_anchor + (is_part ? 0 : INDENT), kept = in->new_anchor + old - in->old_anchor;
    return kept > least ? kept : least;
}

static int column_of_token(layout *f, uint32_t i, int old)
{
    if (is_directive(f, i)) return 0;
    bool const closes = token_has(f->list, i, CLOSES_BRACKET);
    if (closes && (top(f)->is_brace || top(f)->ends_line)) return top(f)->closer;
    return !closes && begins_unit(f, i) ? column_of_start(f, i) : column_of_rest(f, i, old);
}

/* A comment belongs to what follows it, or to the end of the block. */
static int column_of_comment(layout *f, const piece *p, int old)
{
    if (p->lines == 1 && old == f->old_comment) return f->new_comment;
    uint32_t i = p->next;
    while (i < f->list->count && is_directive(f, i) && i < p->next + MOST_DIRECTIVES) i++;
    if (i == f->list->count || token_has(f->list, i, CLOSES_BRACKET | IS_DIRECTIVE))
        return top(f)->is_brace ? top(f)->base : column_of_rest(f, i, old);
    return begins_unit(f, i) ? column_of_start(f, i) : column_of_rest(f, i, old);
}

/* -- pieces -------------------------------------------------------------------------------------------------------- */

static void begin_line(layout *f, const piece *p)
{
    int const old = column_at(f, p->begin);
    bool const is_comment = p->kind >= PIECE_COMMENT;
    int const column = is_comment ? column_of_comment(f, p, old) : column_of_token(f, p->next, old);
    bool const is_behind_brace = p->is_first && p->next > 0 && f->list->items[p->next - 1].kind == T_LBRACE;
    bool const is_before_brace = p->kind == PIECE_TOKEN && f->list->items[p->next].kind == T_RBRACE;
    if (f->out->length) put_line_end(f);
    if (f->out->length && (p->lines > 1 || p->is_apart) && !is_behind_brace && !is_before_brace) put_line_end(f);
    buffer_fill(f->out, ' ', (size_t)column);
    if (!is_comment || column != f->new_comment) f->old_comment = f->new_comment = -1;
    f->old_indent = old;
    f->new_indent = column;
}

/* A comment behind a line keeps its column, if it can. */
static void put_behind(layout *f, const piece *p)
{
    int const old = column_at(f, p->begin), column = column_of_output(f);
    int const kept = old + f->new_indent - f->old_indent;
    f->old_comment = old;
    f->new_comment = kept > column ? kept : column + 1;
    buffer_fill(f->out, ' ', (size_t)(f->new_comment - column));
}

static void put_gap_in_line(layout *f, const piece *p)
{
    const place *const there = &f->places[p->next];
    uint32_t after = p->end;
    while (is_blank(f->text[after])) after++;
    bool const will_break = (there->flags & PLACE_BREAK) && after == f->list->items[p->next].begin && !p->has_broken;
    bool const ends_line = f->text[after] == '\n' || f->text[after] == '\0' || will_break;
    if (p->kind >= PIECE_COMMENT && ends_line) put_behind(f, p);
    else if (p->kind == PIECE_TOKEN && p->is_first && (there->flags & PLACE_GAP)) buffer_fill(f->out, ' ', there->gap);
    else put_text(f, p->blanks, p->begin);
}

static void place_piece(layout *f, piece *p)
{
    const place *const there = &f->places[p->next];
    bool const is_token = p->kind == PIECE_TOKEN;
    bool const is_joined = is_token && p->is_first && (there->flags & PLACE_JOIN);
    bool const must_break = is_token && (there->flags & PLACE_BREAK) && !p->has_broken;
    bool const breaks = (p->lines > 0 || !f->out->length || must_break) && !is_joined;
    if (breaks) begin_line(f, p);
    else put_gap_in_line(f, p);
    p->has_broken = p->has_broken || breaks;
}

static uint32_t end_of_attribute(const char *text, uint32_t at, uint32_t end)
{
    char quote = '\0';
    for (; at < end; at++) {
        if (quote && text[at] == '\\') at++;
        else if (quote && text[at] == quote) quote = '\0';
        else if (!quote && (text[at] == '"' || text[at] == '\'')) quote = text[at];
        else if (!quote && (is_blank(text[at]) || text[at] == '\n')) break;
        else if (!quote && text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*')) break;
    }
    return at < end ? at : end;
}

/* Reads the next piece of a gap. Returns false at its end. */
static bool read_piece(const layout *f, piece *p, uint32_t end)
{
    const char *const text = f->text;
    p->blanks = p->begin = p->end;
    p->lines = 0;
    for (; p->begin < end && (is_blank(text[p->begin]) || text[p->begin] == '\n'); p->begin++)
        p->lines += text[p->begin] == '\n';
    p->end = p->begin;
    if (p->begin == end) return false;
    if (text[p->begin] == '/' && text[p->begin + 1] == '/') {
        p->kind = PIECE_LINE_COMMENT;
        while (p->end < end && text[p->end] != '\n') p->end++;
        while (is_blank(text[p->end - 1])) p->end--;
    } else if (text[p->begin] == '/' && text[p->begin + 1] == '*') {
        p->kind = PIECE_COMMENT;
        p->end = p->begin + 4;
        while (p->end < end && !(text[p->end - 2] == '*' && text[p->end - 1] == '/')) p->end++;
    } else {
        p->kind = PIECE_ATTRIBUTE;
        p->end = end_of_attribute(text, p->begin, end);
    }
    return true;
}

static bool has_splice(const char *text, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        if (text[i] != '\\') continue;
        do i++;
        while (i < end && is_blank(text[i]));
        if (i < end && text[i] == '\n') return true;
        i--;
    }
    return false;
}

static bool has_blank_line(const layout *f, piece p, uint32_t end)
{
    bool has = false;
    while (read_piece(f, &p, end)) has = has || p.lines > 1;
    return has || p.lines > 1;
}

/* Spliced lines and what the preprocessor skips stay as they are. */
static void keep_gap(layout *f, uint32_t begin, uint32_t end, uint32_t next)
{
    if (next < f->list->count && is_directive(f, next)) {
        while (end > begin && is_blank(f->text[end - 1])) end--;
    }
    put_text(f, begin, end);
    f->old_indent = top(f)->old_anchor = column_at(f, end);
    f->new_indent = top(f)->new_anchor = column_of_output(f);
}

/* -- tokens -------------------------------------------------------------------------------------------------------- */

static void put_gap(layout *f, uint32_t begin, uint32_t next)
{
    bool const is_end = next == f->list->count;
    uint32_t const end = is_end ? f->list->in->size : f->list->items[next].begin;
    bool const is_skipped = next > 0 && (f->list->items[next - 1].flags & TOKEN_SKIPS);
    if (is_skipped || has_splice(f->text, begin, end)) {
        keep_gap(f, begin, end, next);
        return;
    }
    piece p = {.end = begin, .next = next, .is_first = true};
    p.is_apart = (f->places[next].flags & PLACE_APART) && !has_blank_line(f, p, end);
    while (read_piece(f, &p, end)) {
        bool const is_comment = p.kind != PIECE_ATTRIBUTE, is_inside = p.lines == 0 && f->out->length;
        place_piece(f, &p);
        if (is_comment) put_comment(f, p.begin, p.end, f->new_indent - f->old_indent);
        else put_text(f, p.begin, p.end);
        p.is_first = false;
        p.is_apart = p.is_apart && is_inside;
    }
    p.kind = PIECE_TOKEN;
    if (is_end) return;
    place_piece(f, &p);
    if (!p.has_broken || is_directive(f, next) || !begins_unit(f, next)) return;
    top(f)->old_anchor = f->old_indent;
    top(f)->new_anchor = f->new_indent;
}

static void open_bracket(layout *f, uint32_t i)
{
    const level *const outer = top(f);
    int const closer = outer->is_brace ? outer->new_anchor : f->new_indent;
    bool const ends_line = i + 1 < f->list->count && (f->list->items[i + 1].flags & TOKEN_FIRST_ON_LINE);
    if (f->depth + 1 < DEEPEST) f->depth++;
    *top(f) = (level){.is_brace = f->list->items[i].kind == T_LBRACE,
                      .ends_line = ends_line,
                      .base = closer + INDENT,
                      .closer = closer,
                      .old_anchor = f->old_indent,
                      .new_anchor = f->new_indent};
}

static void put_token(layout *f, uint32_t i)
{
    const token *const t = &f->list->items[i];
    uint32_t end = t->end;
    if (is_directive(f, i)) {
        while (is_blank(f->text[end - 1])) end--;
        if (f->text[end - 1] == '\\') end = t->end;
    }
    put_text(f, t->begin, end);
    if (kind_is(t->kind, OPENS_BRACKET)) open_bracket(f, i);
    else if (kind_is(t->kind, CLOSES_BRACKET) && f->depth > 0) f->depth--;
}

static const char *first_line_end(const source *in)
{
    const char *const feed = memchr(in->text, '\n', in->size);
    return feed && feed > in->text && feed[-1] == '\r' ? "\r\n" : "\n";
}

/* Appends lines, all with the same end: C and comments, which are copied, can have another one. */
static void put_lines(buffer *out, const buffer *lines, const char *end)
{
    for (size_t begin = 0, next; begin < lines->length; begin = next) {
        const char *const feed = memchr(lines->text + begin, '\n', lines->length - begin);
        size_t last = (size_t)(feed - lines->text);
        next = last + 1;
        while (last > begin && lines->text[last - 1] == '\r') last--;
        buffer_append(out, lines->text + begin, last - begin);
        buffer_puts(out, end);
    }
}

void format_file(arena *a, const ast_file *file, buffer *out)
{
    const token_list *const list = &file->tokens;
    buffer lines = {0};
    layout *const f = ARENA_NEW(a, layout);
    *f = (layout){.list = list,
                  .text = list->in->text,
                  .places = find_places(a, file),
                  .out = &lines,
                  .old_comment = -1,
                  .new_comment = -1};
    f->levels[0].is_brace = true;
    uint32_t at = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (i > 0 && list->items[i].begin < at) continue; /* inside a _Pragma */
        put_gap(f, at, i);
        put_token(f, i);
        at = list->items[i].end;
    }
    put_gap(f, at, list->count);
    if (lines.length && lines.text[lines.length - 1] != '\n') put_line_end(f);
    put_lines(out, &lines, first_line_end(list->in));
    buffer_free(&lines);
}
