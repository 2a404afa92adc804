/* SPDX-License-Identifier: MIT */
#include "writer.h"

#include <string.h>

#include "times.h"

/* The most lines that empty lines bridge; longer gaps need a directive. */
#define BRIDGED_LINES 8

static const source nowhere;

/* Counts the lines written since its last call. Needed only with #line directives, ours or the user's. */
static void count_lines(writer *w)
{
    size_t const length = w->out->length - w->counted;
    if (length == 0 || !(w->options->line_directives || w->unit->user_line_count)) return;
    uint32_t feeds = 0;
    const char *const end = w->out->text + w->out->length;
    for (const char *at = end - length; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) feeds++;
    w->line += feeds;
    w->mapped_line += feeds;
    w->counted = w->out->length;
}

bool at_line_begin(const writer *w)
{
    return w->out->length == 0 || w->out->text[w->out->length - 1] == '\n';
}

/* The index of the first item that begins at a byte of the main file or behind it. Each begins with a span. */
static uint32_t find_first(const void *items, size_t size, uint32_t count, uint32_t begin)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t const middle = low + (high - low) / 2;
        if (((const span *)((const char *)items + middle * size))->begin < begin) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* For text without a `#line` of the user. It is not NULL: in a conditional expression, gcc 14.2 with -O3 loads a member
 * even if the condition excludes it. */
static const ir_user_line no_user_line;

/* Returns the user's own `#line` that holds for a byte of the source, or the one above. */
static const ir_user_line *user_line_of(const writer *w, const source *in, uint32_t byte)
{
    const ir_user_line *const all = w->unit->user_lines;
    if (w->unit->user_line_count == 0 || in != w->unit->in) return &no_user_line;
    uint32_t const after = find_first(all, sizeof *all, w->unit->user_line_count, byte + 1);
    return after > 0 && byte < all[after - 1].at.end ? &all[after - 1] : &no_user_line;
}

bool is_on_line_of(writer *w, span text)
{
    if (w->mapped != text.in || w->user_line != user_line_of(w, text.in, text.begin)) return false;
    count_lines(w);
    return source_is_on_line(text.in, w->mapped_line, text.begin);
}

void put_repeated(writer *w, char c, size_t times)
{
    buffer_fill(w->out, c, times);
}

/* Escapes a string. Two question marks could begin a trigraph. */
static void append_literal(buffer *out, const char *text)
{
    const char *plain = text;
    buffer_putc(out, '"');
    for (const char *p = text;; p++) {
        unsigned char const c = (unsigned char)*p;
        bool const marked = c == '"' || c == '\\' || (c == '?' && p > text && p[-1] == '?');
        if (c >= 0x20 && c != 0x7f && !marked) continue;
        buffer_append(out, plain, (size_t)(p - plain));
        plain = p + 1;
        if (c == '\0') break;
        buffer_printf(out, marked ? "\\%c" : "\\%03o", c);
    }
    buffer_putc(out, '"');
}

void put_string(writer *w, const char *text)
{
    append_literal(w->out, text);
}

void put_include(writer *w, const char *name)
{
    put(w, "#include \"", name, "\"\n");
}

const char *file_name(writer *w, const char *name)
{
    for (size_t i = w->options->prefix_map_count; i-- > 0;) {
        const char *const map = w->options->prefix_maps[i];
        size_t const length = strcspn(map, "=");
        if (strncmp(name, map, length) == 0) return arena_printf(w->names, "%s%s", map + length + 1, name + length);
    }
    return name;
}

static const char *file_literal(writer *w, const char *name)
{
    buffer literal = {0};
    append_literal(&literal, file_name(w, name));
    const char *const copy = arena_copy(w->names, literal.text, literal.length);
    buffer_free(&literal);
    return copy;
}

void writer_begin(writer *w, const ir_unit *unit, const emit_options *options, buffer *out)
{
    *w = (writer){.unit = unit, .options = options, .out = out, .names = arena_new(), .line = 1};
    w->in_name = file_literal(w, unit->in->name);
    w->out_name = file_literal(w, options->output_name);
}

void writer_end(writer *w)
{
    arena_free(w->names);
}

void put_commented(writer *w, const char *text)
{
    for (const char *p = text; *p; p++) {
        unsigned char const c = (unsigned char)*p;
        bool const delimits = (c == '*' && p[1] == '/') || (c == '/' && p[1] == '*') || (c == '?' && p[1] == '?');
        buffer_putc(w->out, c < 0x20 || c == 0x7f ? '?' : *p);
        if (delimits) buffer_putc(w->out, ' ');
    }
}

/* The name of a file for a `#line`, with a space before it. */
static const char *name_at(writer *w, const source *in, const ir_user_line *user)
{
    const char *const own = in == w->unit->in ? w->in_name : file_literal(w, in->name);
    return ARENA_CONCAT(w->names, " ", !user->is_unknown && user->name ? user->name : own);
}

void put_place(writer *w, span at)
{
    if (!w->options->line_directives || is_on_line_of(w, at)) return;
    uint32_t const line = ir_line(at);
    const ir_user_line *const user = user_line_of(w, at.in, at.begin);
    bool const is_near = w->mapped == at.in && w->user_line == user;
    if (is_near && user->is_unknown && w->mapped_line < line) put_repeated(w, '\n', line - w->mapped_line);
    else put(w, "#line ", user->is_unknown ? line : line + user->offset, is_near ? "" : name_at(w, at.in, user), "\n");
    count_lines(w);
    w->mapped = at.in;
    w->mapped_line = line;
    w->user_line = user;
}

void put_own_place(writer *w)
{
    if (!w->mapped) return;
    count_lines(w);
    put(w, "#line ", w->line + 1, " ", w->out_name, "\n");
    w->mapped = NULL;
    w->user_line = NULL;
}

/* gcc ends with an internal error at __FILE__ under a #line whose name has a carriage return. */
static bool has_control_character(const char *name)
{
    while ((unsigned char)*name >= ' ') name++;
    return *name != 0;
}

void put_source_name(writer *w, const char *before, span at, const char *after)
{
    const char *const name = file_name(w, at.in->name);
    if (!w->options->line_directives || has_control_character(name)) {
        put(w, before);
        put_string(w, name);
        put(w, after, "\n");
        return;
    }
    put_at(w, at, before, "__FILE__", after, "\n");
    put_own_place(w);
}

/* Writes blanks up to the column of a byte, and tabs for tabs of the source. */
static void put_column(writer *w, span text)
{
    const char *const begin = text.in->text + text.in->lines[ir_line(text) - 1];
    for (const char *p = begin; p < text.in->text + text.begin; p++) put_repeated(w, *p == '\t' ? '\t' : ' ', 1);
}

static void trim_blanks(writer *w)
{
    buffer *const out = w->out;
    while (out->length && out->text[out->length - 1] == ' ') out->text[--out->length] = '\0';
    if (w->counted > out->length) w->counted = out->length;
}

/* No person has a condition farther to the right. A file of one line would get as many blanks as it has bytes, for each
 * of its conditions. */
#define MOST_COLUMNS 1000

void put_before(writer *w, const char *lead, span text)
{
    uint32_t const length = (uint32_t)strlen(lead), column = text.begin - text.in->lines[ir_line(text) - 1];
    bool const fits = column >= length && column <= MOST_COLUMNS;
    if (w->options->line_directives && !at_line_begin(w)) {
        trim_blanks(w);
        put(w, "\n");
        put_place(w, text);
    }
    if (w->options->line_directives && fits) put_column(w, (span){text.in, text.begin - length, text.end});
    else put(w, at_line_begin(w) ? "    " : "");
    put(w, lead);
}

/* Moves the output to the source line of `text`. */
static void go_to(writer *w, span text)
{
    if (!is_on_line_of(w, text)) {
        uint32_t const line = ir_line(text);
        bool const near = w->mapped == text.in && w->mapped_line < line && line - w->mapped_line <= BRIDGED_LINES;
        bool const fresh = at_line_begin(w);
        trim_blanks(w);
        if (near && !fresh) {
            put_repeated(w, '\n', line - w->mapped_line);
        } else {
            put(w, fresh ? "" : "\n");
            put_place(w, text);
        }
    }
    if (at_line_begin(w)) put_column(w, text);
}

void put_user_directive(writer *w, span text)
{
    put(w, at_line_begin(w) ? "" : "\n");
    if (w->mapped) put_place(w, text);
    buffer_append(w->out, text.in->text + text.begin, text.end - text.begin);
    put(w, "\n");
}

void put_no_place(writer *w)
{
    if (w->options->line_directives) w->mapped = &nowhere;
}

void put_reach(writer *w, span text)
{
    if (w->options->line_directives && !is_on_line_of(w, text)) go_to(w, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_in_long_string(const ir_unit *unit, uint32_t at)
{
    uint32_t const after = find_first(unit->long_strings, sizeof(span), unit->long_string_count, at);
    return after > 0 && at < unit->long_strings[after - 1].end;
}

/* Is this the start of a source line, and not inside a raw string or a spliced line, which could be in a string? */
static bool begins_line(const writer *w, span text, const char *p)
{
    const char *const all = text.in->text;
    if (p == all || p[-1] != '\n' || is_in_long_string(w->unit, (uint32_t)(p - all))) return false;
    const char *const last = p - 2 >= all && p[-2] == '\r' ? p - 3 : p - 2;
    return last < all || *last != '\\';
}

/* Appends text as it is. A skeleton notes that; what was taken back meanwhile is forgotten. */
static void append_copy(const writer *w, buffer *out, const source *in, const char *begin, const char *end)
{
    emit_skeleton *const of = out == w->out && end > begin ? w->options->skeleton : NULL;
    if (of) {
        while (of->count && of->copies[of->count - 1].to >= out->length) of->count--;
        of->copies = arena_reserve(of->arena, of->copies, &of->capacity, of->count + 1, sizeof *of->copies);
        span const from = {in, (uint32_t)(begin - in->text), (uint32_t)(end - in->text)};
        of->copies[of->count++] = (emit_copy){from, out->length, of->body};
    }
    buffer_append(out, begin, (size_t)(end - begin));
}

/* Appends C text with what C has otherwise: `40ms` becomes `UF_MS(40)`. */
static void append_source(const writer *w, buffer *out, const source *in, const char *begin, const char *end)
{
    const ir_unit *const unit = w->unit;
    const char *p = begin;
    uint32_t i = unit->change_count;
    if (in == unit->in) i = find_first(unit->changes, sizeof *unit->changes, i, (uint32_t)(begin - in->text));
    for (; i < unit->change_count && in->text + unit->changes[i].at.begin < end; i++) {
        span const at = unit->changes[i].at;
        append_copy(w, out, in, p, in->text + at.begin);
        if (unit->changes[i].text) buffer_puts(out, unit->changes[i].text);
        else time_append_operand(out, time_of_literal(in->text + at.begin, at.end - at.begin));
        p = in->text + at.end;
    }
    append_copy(w, out, in, p, end);
}

/* Notes a `#line` in text of the user that was just written. */
static void note_user_line(writer *w, span text)
{
    const ir_user_line *const last = user_line_of(w, text.in, text.end);
    if (last == user_line_of(w, text.in, text.begin)) return;
    w->user_line = last;
    if (!w->mapped) w->mapped = &nowhere;
}

static void put_source(writer *w, span text)
{
    append_source(w, w->out, text.in, text.in->text + text.begin, text.in->text + text.end);
    note_user_line(w, text);
}

const char *user_text(writer *w, span text)
{
    buffer copy = {0};
    append_source(w, &copy, text.in, text.in->text + text.begin, text.in->text + text.end);
    const char *const result = arena_copy(w->names, copy.text ? copy.text : "", copy.length);
    buffer_free(&copy);
    return result;
}

static void put_moved(writer *w, span text)
{
    const char *p = text.in->text + text.begin, *const end = text.in->text + text.end;
    while (p < end) {
        bool const fresh = at_line_begin(w);
        if (fresh && begins_line(w, text, p)) {
            for (uint32_t i = 0; i < w->cut && p < end && is_blank(*p); i++) p++;
            if (p < end && *p != '\n' && *p != '\r' && *p != '#') put(w, "    ");
        } else if (fresh && p == text.in->text + text.begin) {
            while (p < end && is_blank(*p)) p++; /* a line break in the text */
            if (p < end) put(w, "    ");
        }
        const char *const line_end = memchr(p, '\n', (size_t)(end - p)), *const stop = line_end ? line_end + 1 : end;
        append_source(w, w->out, text.in, p, stop);
        p = stop;
    }
    note_user_line(w, text);
}

/* `%:` is another spelling of `#`. */
static bool is_directive(const char *at)
{
    return *at == '#' || (at[0] == '%' && at[1] == ':');
}

static bool ends_with_directive(span text)
{
    uint32_t line = text.end;
    while (line > text.begin && text.in->text[line - 1] != '\n') line--;
    while (line < text.end && is_blank(text.in->text[line])) line++;
    return line < text.end && is_directive(text.in->text + line);
}

static void put_user_text(writer *w, span text)
{
    if (w->moves) {
        put_moved(w, text);
        return;
    }
    if (w->options->line_directives) go_to(w, text);
    put_source(w, text);
}

void put_user(writer *w, span text)
{
    if (!ir_has_text(text)) return;
    if (is_directive(text.in->text + text.begin) && !at_line_begin(w)) put(w, "\n"); /* it needs its own line */
    put_user_text(w, text);
    if (ends_with_directive(text)) put(w, "\n");
}

void put_further(writer *w, span text)
{
    put(w, ir_has_text(text) ? ", " : "");
    put_user(w, text);
}

void put_user_rest(writer *w, span text)
{
    if (w->options->line_directives && !is_on_line_of(w, text)) {
        const char *const begin = text.in->text + text.begin, *const end = text.in->text + text.end;
        const char *p = begin;
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
        if (p < end && *p == '\n') {
            text.begin += (uint32_t)(p + 1 - begin);
            put(w, at_line_begin(w) ? "" : "\n");
            if (ir_has_text(text)) put_place(w, text);
        }
    }
    if (at_line_begin(w) || !is_on_line_of(w, text)) put_user(w, text);
    else if (ir_has_text(text)) put_source(w, text);
}

void put_block(writer *w, span text)
{
    const char *const all = text.in->text;
    uint32_t content = text.begin;
    while (content < text.end && strchr(" \t\r\n", all[content])) {
        if (all[content++] == '\n') text.begin = content;
    }
    while (text.end > text.begin && strchr(" \t\r\n", all[text.end - 1])) text.end--;
    if (!ir_has_text(text)) return;
    put_place(w, text);
    put_user_text(w, text);
    put(w, "\n");
    put_own(w, "\n");
}

void put_padded(writer *w, const char *text, size_t width)
{
    size_t const length = strlen(text);
    put(w, text);
    if (length < width) put_repeated(w, ' ', width - length);
}

void put_heading(writer *w, const char *text)
{
    put(w, "/* -- ", text, " ");
    size_t const length = strlen(text) + 7;
    put_repeated(w, '-', length < 116 ? 116 - length : 0);
    put(w, " */\n\n");
}

/* Is the current output line longer than `width`? */
static bool is_longer(const writer *w, size_t width)
{
    const char *const end = w->out->text + w->out->length;
    return w->out->length > width && !memchr(end - width - 1, '\n', width + 1);
}

void put_wrapped(writer *w)
{
    enum { WIDTH = 120 };
    if (w->mapped || w->options->skeleton || !is_longer(w, WIDTH)) return;
    size_t begin = w->out->length - WIDTH;
    while (begin > 0 && w->out->text[begin - 1] != '\n') begin--;
    char *const line = arena_copy(w->names, w->out->text + begin, w->out->length - begin);
    size_t const indent = strspn(line, " ") + 8;
    count_lines(w);
    w->out->length = w->counted = begin;
    char *const jump = strstr(line, ") return ");
    if (jump) { /* of an `if`: the statement goes to a line of its own */
        buffer_append(w->out, line, (size_t)(jump + 1 - line));
        put(w, " {\n");
        put_repeated(w, ' ', indent - 4);
        put(w, jump + 2);
        put_wrapped(w);
        put(w, "\n");
        put_repeated(w, ' ', indent - 8);
        put(w, "}");
        return;
    }
    size_t column = 0;
    for (char *p = line, *next; *p; p = next) {
        char *const comma = strstr(p, ", ");
        next = comma ? comma + 2 : p + strlen(p);
        size_t const length = (size_t)(next - p);
        if (column > 0 && column + length > WIDTH) {
            while (w->out->text[w->out->length - 1] == ' ') w->out->length--;
            put(w, "\n");
            put_repeated(w, ' ', indent);
            column = indent;
        }
        buffer_append(w->out, p, length);
        column += length;
    }
}
