/* SPDX-License-Identifier: MIT */
/* hover.c - what the word under the cursor is: a name, a word of the language, a duration. */
#include <ctype.h>
#include <string.h>

#include "lsp.h"
#include "times.h"
#include "uflow_parse.h"
#include "walk.h"
#include "words.h"

/* -- words: sections of the language reference --------------------------------------------------------------------- */

static const char *end_of_line(const char *at)
{
    return at + strcspn(at, "\n");
}

/* Does the heading have the word, as in `### readable and writable`? */
static bool heading_has(const char *at, const char *word)
{
    size_t const length = strlen(word);
    for (const char *const end = end_of_line(at); at + length <= end; at++) {
        bool const begins = !isalnum((unsigned char)at[-1]), ends = !isalnum((unsigned char)at[length]);
        bool const is_capital = isupper((unsigned char)*at) && at[-2] == '#';
        bool const is_first = *at == *word || (is_capital && tolower((unsigned char)*at) == *word);
        if (begins && ends && is_first && strncmp(at + 1, word + 1, length - 1) == 0) return true;
    }
    return false;
}

/* The shortest heading that has it, since `## Task` is about a task, and `### shutdown task` is not. */
static const char *find_heading(const char *word)
{
    const char *best = NULL;
    size_t least = 40;
    for (const char *at = lsp_language; (at = strstr(at, "\n##")) != NULL;) {
        at += 3;
        at += strspn(at, "# ");
        size_t const length = (size_t)(end_of_line(at) - at);
        if (length >= least || !heading_has(at, word)) continue;
        best = at;
        least = length;
    }
    return best;
}

/* Links lead nowhere in an editor: their text remains. */
static void put_plain(const char *at, const char *end, buffer *out)
{
    for (; at < end; at++) {
        if (at[0] == ']' && at[1] == '(') {
            while (at < end && *at != ')') at++;
        } else if (*at != '[' || at[1] == ' ' || (at > lsp_language && isalnum((unsigned char)at[-1]))) {
            buffer_putc(out, *at);
        }
    }
}

/* The syntax, and the first paragraph of the meaning. */
bool language_section(const char *word, buffer *out)
{
    const char *const heading = find_heading(word);
    if (!heading) return false;
    const char *const next = strstr(heading, "\n##"), *const end = next ? next : heading + strlen(heading);
    BUFFER_PUT(out, "### ");
    buffer_append(out, heading, (size_t)(end_of_line(heading) - heading));
    for (const char *at = heading; (at = strstr(at, "\n\n")) != NULL && at < end;) {
        at += 2;
        bool const is_syntax = strncmp(at, "**Syntax", 8) == 0, is_meaning = strncmp(at, "**Meaning", 9) == 0;
        if (!is_syntax && !is_meaning) continue;
        const char *stop = strstr(at, "\n\n");
        buffer_puts(out, "\n\n");
        put_plain(at, stop && stop < end ? stop : end, out);
        if (is_meaning) break;
    }
    return true;
}

static bool hover_word(const token_list *list, uint32_t at, buffer *out)
{
    size_t length;
    const char *const text = token_text(list, at, &length);
    uint16_t const kind = list->items[at].kind;
    bool const is_behind_on = at > 0 && list->items[at - 1].kind == T_ON;
    if (kind == T_IDENT || !token_is_word(list, at)) return false;
    buffer word = {0};
    if (is_behind_on) buffer_puts(&word, "on ");
    buffer_append(&word, text, length);
    if (kind == T_ON && at + 1 < list->count) {
        size_t more;
        const char *const next = token_text(list, at + 1, &more);
        bool const is_handler = token_has(list, at + 1, IS_HANDLER) || token_kind(list, at + 1) == T_TIMEOUT;
        buffer_puts(&word, is_handler ? " " : " SIGNAL");
        if (is_handler) buffer_append(&word, next, more);
    }
    bool const found = language_section(word.text, out);
    buffer_free(&word);
    return found;
}

/* -- durations ----------------------------------------------------------------------------------------------------- */

static void hover_duration(const char *text, size_t length, buffer *out)
{
    int64_t const ns = time_of_literal(text, length);
    BUFFER_PUT(out, "`");
    buffer_append(out, text, length);
    buffer_puts(out, "`");
    for (int i = 0; i < TIME_UNITS; i++) {
        double const value = (double)ns / (double)time_units[i].ns;
        if (value >= 0.001 && value < 1e15) buffer_printf(out, " = %.12g %s", value, time_units[i].name);
    }
}

/* -- names --------------------------------------------------------------------------------------------------------- */

static void put_place(const surrounding *at, buffer *out)
{
    bool const is_test = at->flow && at->flow->test;
    if (is_test) BUFFER_PUT(out, "test \"", at->flow->test->name.name, "\"");
    else if (at->flow) BUFFER_PUT(out, at->flow->name.name);
    if (at->task && !is_test) BUFFER_PUT(out, ".", at->task->name.name);
    if (at->step) BUFFER_PUT(out, ".", at->step->name.name);
}

/* Is it the argument of a call that fires, resumes or sends? Otherwise a bare name is an arm. */
name_use use_of_name(const source *in, uint32_t begin, uint32_t end)
{
    const char *const text = in->text;
    uint32_t at = begin;
    while (at > 0 && !strchr(";{}", text[at - 1]) && begin - at < 120) at--;
    buffer before = {0};
    buffer_append(&before, text + at, begin - at);
    buffer_puts(&before, "");
    bool const fires =
        strstr(before.text, "fire") || strstr(before.text, "resume") || strncmp(text + end, "_send", 5) == 0;
    buffer_free(&before);
    if (fires) return USE_FIRES;
    return begin && text[begin - 1] == '>' ? USE_OTHER : USE_AWAITS;
}

/* Lists the places that use a name in that way, each once. */
static void put_uses(const project *p, const named *of, const char *what, name_use wanted, buffer *out)
{
    buffer list = {0}, place = {0};
    buffer_puts(&list, "");
    for (size_t i = 0; i < p->count; i++) {
        const analysis *const a = p->items[i];
        for (size_t k = 0; k < a->mentions.count; k++) {
            const mention *const m = &a->mentions.items[k];
            if (m->declares || !named_is_same(&m->of, of)) continue;
            if (wanted != USE_OTHER && use_of_name(a->file->in, m->begin, m->end) != wanted) continue;
            surrounding const around = surrounding_of(a->file, m->begin);
            place.length = 0;
            buffer_puts(&place, "`");
            put_place(&around, &place);
            buffer_puts(&place, "`");
            if (!around.flow || strstr(list.text, place.text)) continue;
            BUFFER_PUT(&list, list.length ? ", " : "", place.text);
        }
    }
    if (list.length) BUFFER_PUT(out, "\n\n", what, ": ", list.text);
    buffer_free(&list);
    buffer_free(&place);
}

static void put_arms(ast_statement *s, void *context)
{
    buffer *const out = context;
    for (const ast_arm *arm = s->arms; arm; arm = arm->next) {
        span const at = arm->event->at;
        if (!at.in || at.end <= at.begin) continue;
        buffer_puts(out, "\n* `");
        for (uint32_t i = at.begin; i < at.end; i++) buffer_putc(out, at.in->text[i] == '\n' ? ' ' : at.in->text[i]);
        buffer_puts(out, "`");
    }
}

static void put_waits(const named *one, buffer *out)
{
    buffer arms = {0};
    walk_statements(one->step->body.first, put_arms, &arms);
    if (arms.length) BUFFER_PUT(out, "\n\nWaits for:\n", arms.text);
    buffer_free(&arms);
}

static void hover_name(const request *r, const named *one, buffer *out)
{
    buffer_puts(out, "```uflow\n");
    put_signature(one, out);
    buffer_puts(out, "\n```");
    project p = project_of(r->server);
    name_kind const kind = one->kind;
    if (kind == NAME_STEP) {
        if (one->task->steps == one->step) buffer_puts(out, "\n\nThe entry of the task.");
        put_uses(&p, one, "Reached from", USE_OTHER, out);
        put_waits(one, out);
    } else if (kind == NAME_TASK || kind == NAME_WORKER) {
        put_uses(&p, one, "Used by", USE_OTHER, out);
    } else if (kind == NAME_SIGNAL || kind == NAME_CHECKPOINT || kind == NAME_MAILBOX) {
        put_uses(&p, one, "Awaited by", USE_AWAITS, out);
        put_uses(&p, one,
                 kind == NAME_SIGNAL    ? "Fired by"
                 : kind == NAME_MAILBOX ? "Sent by"
                                        : "Resumed by",
                 USE_FIRES, out);
    }
    project_free(&p);
}

/* The token at a place; list->count: there is none. */
static uint32_t token_around(const token_list *list, uint32_t offset)
{
    uint32_t at = 0;
    while (at < list->count && list->items[at].end <= offset) at++;
    return at < list->count && list->items[at].begin <= offset ? at : list->count;
}

json_t *request_hover(request *r)
{
    if (!r->of) return NULL;
    const token_list *const list = &r->of->file->tokens;
    uint32_t const at = token_around(list, r->offset);
    const mention *const m = mention_at(r->of, r->offset);
    buffer text = {0};
    size_t length = 0;
    if (m) hover_name(r, &m->of, &text);
    else if (at < list->count && list->items[at].kind == T_DURATION)
        hover_duration(token_text(list, at, &length), list->items[at].end - list->items[at].begin, &text);
    else if (at < list->count) (void)hover_word(list, at, &text);
    json_t *const value = text.length ? json_text_of(text.text, text.length) : NULL;
    buffer_free(&text);
    if (!value) return NULL;
    const token *const t = at < list->count ? &list->items[at] : NULL;
    uint32_t const begin = m ? m->begin : t->begin, end = m ? m->end : t->end;
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value", value, "range",
                     json_range(r->server, r->of->file->in, begin, end));
}
