/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <stdio.h>
#include <string.h>

#include "json_read.h"
#include "kept_types.h"
#include "loader.h"
#include "scope.h"

typedef struct comparison {
    arena *arena;
    const json_value *old, *new;
    scope lists; /* of scope: the items of a list by their names; its key is the address of the first item */
    buffer said;
    bool drops_are_errors; /* -Werror */
    unsigned errors, refused;
} comparison;

/* Where a thing is, and what it is: "task `Dose` of flow `Batch`". */
typedef struct thing {
    const char *source;
    uint32_t line;
    const char *words;
} thing;

/* -- reports ------------------------------------------------------------------------------------------------------- */

typedef enum severity { REFUSED, DROPPED, NEW } severity;

static void say(comparison *c, const thing *at, severity how, const char *text)
{
    static const char *const words[] = {"error", "warning", "note"};
    c->refused += how == REFUSED;
    if (how == DROPPED && c->drops_are_errors) how = REFUSED; /* in words */
    c->errors += how == REFUSED;
    diag_put_shown(&c->said, at->source, strlen(at->source));
    BUFFER_PUT(&c->said, ":", at->line, ": ", words[how], ": ");
    diag_put_shown(&c->said, text, strlen(text));
    buffer_puts(&c->said, "\n");
}

#define SAY(c, at, how, ...) say((c), (at), (how), arena_printf((c)->arena, __VA_ARGS__))

/* The first item of that name; NULL: there is none. */
static const json_value *named(comparison *c, const json_value *list, const char *name)
{
    const char *const key = arena_printf(c->arena, "%p", (const void *)list);
    scope *names = scope_find(&c->lists, key);
    if (!names) {
        names = ARENA_NEW(c->arena, scope);
        scope_add(c->arena, &c->lists, key, names);
        for (; list; list = list->next) scope_add(c->arena, names, json_member_text(list, "name"), (void *)list);
    }
    return scope_find(names, name);
}

/* A part of another thing, in the new file. */
static thing part_of(const comparison *c, const thing *whole, const char *what, const json_value *part)
{
    uint32_t const line = json_member_number(part, "line");
    return (thing){whole->source, line ? line : whole->line,
                   arena_printf(c->arena, "%s `%s`%s%s", what, json_member_text(part, "name"),
                                *whole->words ? " of " : "", whole->words)};
}

/* -- fields and parameters ----------------------------------------------------------------------------------------- */

static void compare_type(comparison *c, const thing *at, const char *old_type, const char *new_type)
{
    if (kept_type_fits(old_type, new_type)) return;
    SAY(c, at, REFUSED, "%s is `%s` now, and was `%s`: what is kept of it may not fit, and is refused then", at->words,
        new_type, old_type);
}

/* `what` each of them is; `fresh`: what a new one has after a restore. */
static void compare_variables(comparison *c, const thing *whole, const json_value *old, const json_value *new,
                              const char *what, const char *fresh)
{
    for (const json_value *one = old; one; one = one->next) {
        const json_value *const now = named(c, new, json_member_text(one, "name"));
        thing const at = part_of(c, whole, what, now ? now : one);
        if (now) compare_type(c, &at, json_member_text(one, "type"), json_member_text(now, "type"));
        else
            SAY(c, whole, DROPPED, "%s is gone, or is not kept: its value is dropped",
                part_of(c, whole, what, one).words);
    }
    for (const json_value *one = new; one; one = one->next) {
        thing const at = part_of(c, whole, what, one);
        if (!named(c, old, json_member_text(one, "name"))) SAY(c, &at, NEW, "%s is new: %s", at.words, fresh);
    }
}

#define HAS_INITIALISER "it has its initialiser after a restore"
#define IS_ZERO         "it is 0 in a run that is restored"

/* -- tasks --------------------------------------------------------------------------------------------------------- */

static void compare_steps(comparison *c, const thing *task, const json_value *old, const json_value *new)
{
    for (const json_value *step = json_member_items(old, "steps"); step; step = step->next) {
        const json_value *const now = named(c, json_member_items(new, "steps"), json_member_text(step, "name"));
        if (!now) {
            SAY(c, task, REFUSED, "%s is gone: a run in it is refused", part_of(c, task, "step", step).words);
            continue;
        }
        thing const at = part_of(c, task, "step", now);
        compare_variables(c, &at, json_member_items(step, "parameters"), json_member_items(now, "parameters"),
                          "parameter", IS_ZERO);
    }
}

/* Is the task in that group, or in one that is inside it? */
static bool is_in_group(comparison *c, const json_value *flow, const json_value *task, const char *group)
{
    const json_value *const groups = json_member_items(flow, "groups");
    const char *name = json_member_text(task, "group");
    for (const json_value *at = groups; *name && strcmp(name, group) != 0 && at; at = at->next)
        name = json_member_text(named(c, groups, name), "group");
    return strcmp(name, group) == 0;
}

static void compare_result(comparison *c, const thing *task, const json_value *old, const json_value *new)
{
    const char *const before = json_member_text(old, "result"), *const now = json_member_text(new, "result");
    thing const at = {task->source, task->line, arena_printf(c->arena, "the result of %s", task->words)};
    if (*before && *now) compare_type(c, &at, before, now);
    else if (*before) SAY(c, &at, DROPPED, "%s is gone: that of the last run is dropped", at.words);
}

static void compare_task(comparison *c, const thing *flow, const json_value *new_flow, const json_value *old)
{
    const json_value *const new = named(c, json_member_items(new_flow, "tasks"), json_member_text(old, "name"));
    if (json_member_is_true(old, "shutdown")) return; /* never kept */
    if (!new || json_member_is_true(new, "shutdown")) {
        SAY(c, flow, REFUSED, "%s is %s: a run in it is refused", part_of(c, flow, "task", old).words,
            new ? "a `shutdown` task now, which is not kept" : "gone");
        return;
    }
    thing const at = part_of(c, flow, "task", new);
    const char *const group = json_member_text(old, "group");
    if (*group && !is_in_group(c, new_flow, new, group))
        SAY(c, &at, REFUSED, "%s is not in group `%s` any more: a run in it is refused", at.words, group);
    compare_variables(c, &at, json_member_items(old, "kept"), json_member_items(new, "kept"), "field",
                      HAS_INITIALISER ", or 0 if it is a parameter");
    compare_result(c, &at, old, new);
    compare_steps(c, &at, old, new);
}

/* -- flows and plain structs --------------------------------------------------------------------------------------- */

static void compare_flow(comparison *c, const json_value *old)
{
    thing const file = {json_member_text(c->new, "source"), 1, ""};
    const json_value *const new = named(c, json_member_items(c->new, "flows"), json_member_text(old, "name"));
    if (!json_member_is_true(old, "durable")) return;
    if (!new || !json_member_is_true(new, "durable")) {
        thing const at = part_of(c, &file, "flow", new ? new : old);
        SAY(c, new ? &at : &file, REFUSED, "%s is %s: what is kept of its flows is refused", at.words,
            new ? "not durable any more" : "gone");
        return;
    }
    thing const at = part_of(c, &file, "flow", new);
    compare_variables(c, &at, json_member_items(old, "kept"), json_member_items(new, "kept"), "field", HAS_INITIALISER);
    for (const json_value *task = json_member_items(old, "tasks"); task; task = task->next)
        compare_task(c, &at, new, task);
}

/* One that is gone, or that is another type now, is reported where it is used. */
static void compare_plain(comparison *c, const json_value *old)
{
    const json_value *const new = named(c, json_member_items(c->new, "plains"), json_member_text(old, "name"));
    if (!new) return;
    const char *const imported = json_member_text(new, "source");
    thing const file = {*imported ? imported : json_member_text(c->new, "source"), 1, ""};
    thing const at = part_of(c, &file, "plain struct", new);
    compare_variables(c, &at, json_member_items(old, "kept"), json_member_items(new, "kept"), "member",
                      "it has what the initialiser of its struct gives it, or 0");
}

static void compare(comparison *c, const char *old_path)
{
    for (const json_value *plain = json_member_items(c->old, "plains"); plain; plain = plain->next)
        compare_plain(c, plain);
    for (const json_value *flow = json_member_items(c->old, "flows"); flow; flow = flow->next) compare_flow(c, flow);
    if (!c->errors) return;
    BUFFER_PUT(&c->said, "ufc: ", c->errors, c->errors == 1 ? " error" : " errors",
               c->refused ? ": a restore may refuse what a program of " : ": a restore drops what a program of ");
    diag_put_shown(&c->said, old_path, strlen(old_path));
    buffer_puts(&c->said, " has kept\n");
    if (c->refused)
        buffer_puts(&c->said, "    = help: let the old program finish these runs, or forget them with "
                              "uf_store_forget()\n");
}

/* -- files --------------------------------------------------------------------------------------------------------- */

static const json_value *read_schema(arena *a, const char *path)
{
    json_problem problem;
    const char *why;
    size_t size;
    const char *const text = loader_read(a, path, &size, &why);
    if (!text) {
        fprintf(stderr, "ufc: %s: %s\n", path, why);
        return NULL;
    }
    const json_value *const all = json_read(a, text, size, &problem);
    if (!all) {
        fprintf(stderr, "ufc: %s:%u: this is no JSON: %s\n", path, (unsigned)problem.line, problem.what);
    } else if (!json_member(all, "flows") || !json_member(all, "source")) {
        fprintf(stderr, "ufc: %s: this is not what `ufc --emit=json` writes: it has no \"flows\"\n", path);
        return NULL;
    }
    return all;
}

exit_status compare_files(arena *a, const diagnostics *d, const char *old_path, const char *new_path)
{
    comparison c = {.arena = a, .drops_are_errors = diag_all_warnings_are_errors(d), .old = read_schema(a, old_path)};
    if (c.old) c.new = read_schema(a, new_path);
    if (!c.old || !c.new) return EXIT_IO;
    compare(&c, old_path);
    if (c.said.length) (void)fwrite(c.said.text, 1, c.said.length, stderr);
    buffer_free(&c.said);
    return c.errors ? EXIT_ERRORS : EXIT_GOOD;
}
