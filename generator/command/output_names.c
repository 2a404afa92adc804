/* SPDX-License-Identifier: MIT */
#include "output_names.h"

#include <string.h>

#include "files.h"

static const char *const extensions[EMIT_KINDS] = {
#define EMITTER(id, word, extension, function) extension,
#include "emitters.def"
};

/* Returns the path with another extension. */
static const char *renamed(arena *a, const char *path, const char *extension)
{
    const char *const base = file_base(path);
    const char *const dot = strrchr(base, '.');
    size_t const length = dot && dot != base ? (size_t)(dot - path) : strlen(path);
    return arena_printf(a, "%.*s%s", (int)length, path, extension);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Is it standard output or a device? No other output can be beside those. */
static bool is_alone(const char *path)
{
    file_facts is;
    return is_stdout(path) || (path && file_look_at_name(path, &is) && is.kind == FILE_IS_DEVICE);
}

static bool is_one(unsigned bits)
{
    return bits && (bits & (bits - 1)) == 0;
}

/* Make and Ninja have no escape for a line end in a rule. */
static bool has_line_end(const char *name)
{
    return name && strchr(name, '\n');
}

static bool have_line_ends(const text_list *names)
{
    for (size_t i = 0; i < names->count; i++) {
        if (has_line_end(names->items[i])) return true;
    }
    return false;
}

/* The name between the quotes of an #include cannot be escaped. */
static bool can_be_included(const char *name)
{
    for (const char *p = name; *p; p++) {
        unsigned char const c = (unsigned char)*p;
        bool const is_trigraph = c == '?' && p[1] == '?' && p[2] && strchr("=/'()!<>-", p[2]);
        if (c < ' ' || c == 0x7f || c == '"' || is_trigraph) return false;
    }
    return true;
}

static bool is_includable(const char *header)
{
    if (can_be_included(header)) return true;
    return !options_complain(
        "a header cannot have this name: in an #include there are no quotes, trigraphs or control characters");
}

static bool depend_names(arena *a, options *o, const char *stem)
{
    if (!o->depend && (o->depfile || o->depend_targets.count || o->depend_phony)) {
        return !options_complain("-MF, -MT and -MP need -MD");
    }
    if (!o->depend) return true;
    if (!o->depfile) o->depfile = renamed(a, stem, ".d");
    text_list *const targets = &o->depend_targets;
    bool const is_given = targets->count > 0;
    for (int kind = 0; !is_given && kind < EMIT_KINDS; kind++) {
        if (!o->paths[kind] || is_alone(o->paths[kind])) continue;
        text_list_add(a, targets, o->paths[kind]);
    }
    if (has_line_end(o->input) || have_line_ends(targets) || have_line_ends(&o->import_dirs)) {
        return !options_complain("-MD: a dependency file cannot hold a name with a line end in it");
    }
    return targets->count ||
           !options_complain("-MD: with output to standard output or a device -MT has to name the target");
}

/* One C program. It includes the header under its name without --sizes and -o. */
static bool names_of_sizes(arena *a, options *o, const char *named)
{
    o->paths[EMIT_C] = o->output ? o->output : "-";
    bool const is_named = o->header && !is_stdout(o->header);
    o->header_name = file_base(is_named ? o->header : renamed(a, file_base(named), extensions[EMIT_H]));
    return is_includable(o->header_name) &&
           depend_names(a, o, is_alone(o->paths[EMIT_C]) ? file_base(named) : o->output);
}

bool output_names(arena *a, options *o, unsigned emit)
{
    unsigned const c_and_h = 1u << EMIT_C | 1u << EMIT_H;
    unsigned const kinds = emit ? emit : c_and_h;
    bool const from_stdin = strcmp(o->input, "-") == 0;
    const char *const named = from_stdin ? o->stdin_name : o->input;
    if (o->sizes) return names_of_sizes(a, o, named);
    const char *output = o->output;
    if (!output && (from_stdin || (is_one(kinds) && !(kinds & c_and_h)))) output = "-";

    /* The base of other names: the file of -o, otherwise the input, without its directory. */
    bool const alone = is_alone(output);
    const char *stem = output && !alone ? output : file_base(named);
    if (from_stdin && strcmp(named, "<stdin>") == 0 && alone) stem = "stdin";

    for (int kind = 0; kind < EMIT_KINDS; kind++) {
        if (!(kinds & 1u << kind)) continue;
        if (output && (is_one(kinds) || kind == EMIT_C)) o->paths[kind] = output;
        else if (kind == EMIT_H && o->header) o->paths[kind] = o->header;
        else if (alone && !emit) continue; /* the header, which is also written by default */
        else if (alone) return !options_complain("standard output or a device takes one file: name it with --emit");
        else o->paths[kind] = renamed(a, stem, extensions[kind]);
    }
    if (o->header && (kinds & 1u << EMIT_H)) o->paths[EMIT_H] = o->header;
    o->header_name = file_base(o->header && !is_stdout(o->header) ? o->header : renamed(a, stem, extensions[EMIT_H]));
    bool const is_named = !o->check && (o->paths[EMIT_C] || o->paths[EMIT_H]);
    if (is_named && !is_includable(o->header_name)) return false;
    if (is_stdout(o->paths[EMIT_C]) && is_stdout(o->paths[EMIT_H])) {
        return !options_complain("standard output takes one file: name it with --emit");
    }
    return depend_names(a, o, stem);
}
