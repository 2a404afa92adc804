/* SPDX-License-Identifier: MIT */
/* Diagnostics for people: the place, the error, the line with a caret below, the help. */
#include <string.h>

#include "diag_report.h"
#include "utf8.h"

/* Shows only the part around the caret of a longer line. */
#define WIDEST_LINE  160u
#define BEFORE_CARET 60u

typedef struct palette {
    const char *bold, *red, *magenta, *cyan, *green, *off;
} palette;

static const palette plain = {"", "", "", "", "", ""};
static const palette colors = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[32m", "\033[0m"};

void diag_put_shown(buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t const size = utf8_length(text + i, length - i);
        unsigned char const c = (unsigned char)text[i];
        bool const is_control =
            (c < 0x20 && c != '\t') || c == 0x7F || (size == 2 && c == 0xC2 && (unsigned char)text[i + 1] < 0xA0);
        if (size == 0 || is_control) buffer_putc(out, '?');
        else buffer_append(out, text + i, size);
        i += size ? size : 1;
    }
}

/* Writes as many blanks as the text has columns. Tabs stay tabs, so that they have the same width. */
static void put_blanks(buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t const size = utf8_length(text + i, length - i);
        buffer_putc(out, text[i] == '\t' ? '\t' : ' ');
        i += size ? size : 1;
    }
}

static void put_place(buffer *out, const palette *p, span where)
{
    if (!where.in) {
        buffer_printf(out, "%sufc:%s ", p->bold, p->off);
        return;
    }
    position const at = source_position(where.in, where.begin);
    buffer_puts(out, p->bold);
    diag_put_shown(out, where.in->name, strlen(where.in->name));
    buffer_printf(out, ":%u:%u:%s ", (unsigned)at.line, (unsigned)at.column, p->off);
}

static void put_line(buffer *out, const palette *p, span where)
{
    if (!where.in) return;
    position const at = source_position(where.in, where.begin);
    uint32_t length;
    const char *text = source_line_text(where.in, at.line, &length);
    uint32_t caret = at.column - 1 < length ? at.column - 1 : length;
    uint32_t marked = where.end > where.begin ? where.end - where.begin : 1;
    const char *before = "", *after = "";
    if (length > WIDEST_LINE) {
        uint32_t cut = caret > BEFORE_CARET ? caret - BEFORE_CARET : 0;
        while (cut > 0 && ((unsigned char)text[cut] & 0xC0) == 0x80) cut--;
        text += cut;
        length -= cut;
        caret -= cut;
        if (cut) before = "...";
        if (length > WIDEST_LINE) {
            length = WIDEST_LINE;
            while (length > caret && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
            after = "...";
        }
    }
    if (marked > length - caret) marked = length > caret ? length - caret : 1;

    buffer_printf(out, "%5u | %s", (unsigned)at.line, before);
    diag_put_shown(out, text, length);
    buffer_printf(out, "%s\n      | %*s", after, (int)strlen(before), "");
    put_blanks(out, text, caret);
    buffer_printf(out, "%s^", p->green);
    for (uint32_t i = 1; i < marked; i++) {
        if (((unsigned char)text[caret + i] & 0xC0) != 0x80) buffer_putc(out, '~');
    }
    buffer_printf(out, "%s\n", p->off);
}

static void put_report(buffer *out, const palette *p, const diag_report *r)
{
    const diag_info *info = diag_describe(r->code);
    put_place(out, p, r->where);
    buffer_printf(out, "%s%s:%s %s", r->is_error ? p->red : p->magenta, r->is_error ? "error" : "warning", p->off,
                  p->bold);
    diag_put_shown(out, r->text, strlen(r->text));
    buffer_printf(out, "%s [%s%s%s]\n", p->off, info->code, info->name[0] ? " -W" : "", info->name);
    put_line(out, p, r->where);
    for (const diag_line *note = r->notes; note; note = note->next) {
        put_place(out, p, note->where);
        buffer_printf(out, "%snote:%s ", p->cyan, p->off);
        diag_put_shown(out, note->text, strlen(note->text));
        buffer_putc(out, '\n');
        put_line(out, p, note->where);
    }
    for (const diag_line *help = r->help; help; help = help->next) {
        buffer_printf(out, "      = %shelp:%s ", p->cyan, p->off);
        diag_put_shown(out, help->text, strlen(help->text));
        buffer_putc(out, '\n');
    }
}

void diag_print_text(const diagnostics *d, bool color, buffer *out)
{
    const diag_report **all = diag_sorted(d);
    for (size_t i = 0; i < d->count; i++) put_report(out, color ? &colors : &plain, all[i]);
    if (d->dropped) buffer_printf(out, "ufc: %u more diagnostics are not shown\n", d->dropped);
}
