/* SPDX-License-Identifier: MIT */
/* actions.c - quick fixes: helps of diagnostics that are changes of the text. Each is tried, and offered if it leaves
 * fewer errors, or as many errors and fewer warnings. */
#include <string.h>

#include "lsp.h"

typedef struct fix {
    const request *r;
    json_t *list;
    const diag_report *report;
} fix;

/* A change of the options is no change of a text, so the server makes it. */
static void offer_switch(const fix *f)
{
    const diag_info *const info = diag_describe(f->report->code);
    if (!info->name[0]) return;
    const char *const title = arena_printf(f->r->arena, "Switch off -W%s", info->name);
    json_array_append_new(f->list, json_pack("{s:s, s:s, s:{s:s, s:s, s:[s, s]}}", "title", title, "kind", "quickfix",
                                             "command", "title", title, "command", "uflow.switchOff", "arguments",
                                             f->r->document->uri, info->name));
}

static void offer(const fix *f, const char *title, uint32_t begin, uint32_t end, const char *text)
{
    const server *const s = f->r->server;
    edits change = {.arena = f->r->arena};
    edits_add(&change, f->r->of->file->in, begin, end, text);
    analysis *const then = edits_try(s, &change, f->r->of->file->in);
    unsigned const errors = diag_error_count(f->r->of->diagnostics), left = diag_error_count(then->diagnostics);
    size_t const reports = f->r->of->diagnostics->count;
    bool const is_better = left < errors || (left == errors && then->diagnostics->count < reports);
    analysis_free(then);
    if (!is_better) return;
    json_array_append_new(f->list, json_pack("{s:o, s:s, s:b, s:o}", "title", json_text_of(title, strlen(title)),
                                             "kind", "quickfix", "isPreferred", 1, "edit", edits_json(s, &change)));
}

/* The text between backquotes of a help that begins with these words; NULL: another help, or a part of the text. */
static const char *quoted(const fix *f, const char *help, const char *before)
{
    size_t const length = strlen(before);
    if (strncmp(help, before, length) != 0 || help[length] != '`') return NULL;
    const char *const text = help + length + 1, *const end = strchr(text, '`');
    if (!end) return NULL;
    return strstr(text, "…") && strstr(text, "…") < end ? NULL : arena_copy(f->r->arena, text, (size_t)(end - text));
}

/* Before the `}` of the task. */
static void add_step(const fix *f)
{
    arena *const a = f->r->arena;
    const source *const in = f->r->of->file->in;
    span const at = f->report->where;
    surrounding const around = surrounding_of(f->r->of->file, at.begin + 1);
    if (!around.task || around.task->at.end == 0) return;
    const char *const name = arena_copy(a, in->text + at.begin, at.end - at.begin);
    uint32_t place = around.task->at.end - 1;
    while (place > 0 && strchr(" \t", in->text[place - 1])) place--;
    uint32_t column = 0;
    for (uint32_t i = place; i < in->size && in->text[i] == ' '; i++) column++;
    const char *const text = arena_printf(a, "\n%*sstep %s {\n%*sdone;\n%*s}\n", (int)column + 4, "", name,
                                          (int)column + 8, "", (int)column + 4, "");
    offer(f, arena_printf(a, "Add step %s", name), place, place, text);
}

static void add_import(const fix *f)
{
    arena *const a = f->r->arena;
    const source *const in = f->r->of->file->in;
    span const at = f->report->where;
    const char *const name = arena_copy(a, in->text + at.begin, at.end - at.begin);
    project p = project_of(f->r->server);
    const char *const slash = strrchr(in->name, '/');
    size_t const folder = slash ? (size_t)(slash - in->name) + 1 : 0;
    for (size_t i = 0; i < p.count; i++) {
        const ast_file *const file = p.items[i]->file;
        bool const is_below = folder && strncmp(file->in->name, in->name, folder) == 0 && file->in != in;
        for (const ast_flow *flow = file->flows; is_below && flow; flow = flow->next) {
            if (!flow->name.name || strcmp(flow->name.name, name) != 0) continue;
            const char *const text = arena_printf(a, "import \"%s\";\n", file->in->name + folder);
            offer(f, arena_printf(a, "Import %s", file->in->name + folder), 0, 0, text);
        }
    }
    project_free(&p);
}

/* Behind the last byte before a place that is not blank. */
static uint32_t behind_text(const source *in, uint32_t place)
{
    while (place > 0 && strchr(" \t\r\n", in->text[place - 1])) place--;
    return place;
}

/* Helps that say what stands instead of the reported text; the text is in backquotes behind these words. */
static const char *const replacements[] = {
    "did you mean ",
    "write ",
    "a condition is written ",
    "the arrow is ",
    "its declaration is ",
    "its name alone is an arm: ",
    "its name is enough: ",
    "an arm has the name alone: ",
    "every arm ends with ",
    "write a digit before the point: ",
    "write the number without an exponent, as in ",
};

/* Helps that say what is missing there. */
static const char *const insertions[] = {"end the statement before it with ", "end it with "};

/* Helps that say that the reported text is too much. */
static const char *const removals[] = {"take it out", "leave the word out", "leave the prefix out", "remove it"};

/* An `else` that has no meaning, up to the end of its arm; the report names what follows it. */
static void leave_else_out(const fix *f)
{
    span const at = f->report->where;
    const char *const text = at.in->text;
    uint32_t begin = behind_text(at.in, at.begin), end = at.end;
    enum { WORD = 4 };
    if (begin < WORD || memcmp(text + begin - WORD, "else", WORD) != 0) return;
    begin = behind_text(at.in, begin - WORD);
    while (end < at.in->size && !strchr(";\n", text[end])) end++;
    offer(f, "Leave `else` out", begin, end, "");
}

/* Before the `}` of a task or a test. */
static void add_entry(const fix *f, const char *step)
{
    surrounding const around = surrounding_of(f->r->of->file, f->report->where.begin + 1);
    span const at = around.flow && around.flow->test ? around.flow->at : around.task ? around.task->at : (span){0};
    if (at.end == 0) return;
    offer(f, "Add a step", at.end - 1, at.end - 1, arena_printf(f->r->arena, "%s ", step));
}

static void fix_by_help(const fix *f, const char *help)
{
    arena *const a = f->r->arena;
    span const at = f->report->where;
    uint32_t const before = behind_text(at.in, at.begin);
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        const char *const text = quoted(f, help, replacements[i]);
        if (text) offer(f, arena_printf(a, "Write `%s`", text), at.begin, at.end, text);
    }
    for (size_t i = 0; i < sizeof insertions / sizeof *insertions; i++) {
        const char *const text = quoted(f, help, insertions[i]);
        if (text) offer(f, arena_printf(a, "Insert `%s`", text), before, before, text);
        if (text) offer(f, arena_printf(a, "Insert `%s`", text), at.end, at.end, text);
    }
    bool const lacks_end = strncmp(help, "end the path with", 17) == 0;
    if (lacks_end) offer(f, "Insert `done;`", before, before, " done;");
    const char *const entry = quoted(f, help, "add its entry: ");
    if (entry) add_entry(f, entry);
    if (strcmp(help, "leave `else` and what follows it out") == 0) leave_else_out(f);
    for (size_t i = 0; i < sizeof removals / sizeof *removals; i++)
        if (strcmp(help, removals[i]) == 0) offer(f, "Take it out", at.begin, at.end, "");
}

json_t *request_actions(request *r)
{
    json_t *const list = json_array();
    const json_t *const range = json_object_get(r->params, "range");
    const buffer *const text = &r->document->text;
    uint32_t const begin = offset_of_position(r->server, text->text, text->length, json_object_get(range, "start"));
    uint32_t const end = offset_of_position(r->server, text->text, text->length, json_object_get(range, "end"));
    for (const diag_report *report = r->of ? r->of->diagnostics->first : NULL; report; report = report->next) {
        fix const f = {r, list, report};
        if (report->where.in != r->of->file->in || report->where.begin > end || report->where.end < begin) continue;
        for (const diag_line *help = report->help; help; help = help->next) fix_by_help(&f, help->text);
        if (report->code == UF0301) add_step(&f);
        if (report->code == UF0306) add_import(&f);
        if (!report->is_error) offer_switch(&f);
    }
    if (r->of) offer_refactorings(r, list, begin, end);
    return list;
}
