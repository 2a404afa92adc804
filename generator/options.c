#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "output_names.h"

/* -- the table, for the parser and --help -------------------------------------------------------------------------- */

/* Options without a letter. */
enum {
    OPT_HEADER = 256,
    OPT_EMIT,
    OPT_CHECK,
    OPT_DUMP,
    OPT_SIZES,
    OPT_BLOCKING,
    OPT_NO_LINE,
    OPT_FILE_PREFIX_MAP,
    OPT_TOUCH,
    OPT_COLOR,
    OPT_DIAGNOSTICS,
    OPT_STDIN_FILENAME,
    OPT_EXPLAIN,
    OPT_VERSION,
    OPT_HELP
};

typedef struct row {
    int id;               /* the letter; 0: a heading, or a continuation of the previous row */
    const char *name;     /* without the dashes, or NULL */
    const char *argument; /* the name in --help, or NULL if there is none */
    const char *shown;    /* additional forms of the option */
    const char *help;
} row;

static const row table[] = {
    {0, NULL, NULL, NULL, "Output"},
    {'o', NULL, "FILE", NULL,
     "write the C file there and the rest beside it; - is standard output. Without it\n"
     "the C file is named after the input and goes to the current directory"},
    {OPT_HEADER, "header", "FILE", NULL, "write the header there and not beside the C file"},
    {OPT_EMIT, "emit", "KIND,...", NULL,
     "what to write: c, h (if nothing is said, both), dot, mermaid, json. A single one\n"
     "goes where -o says, or if it is not C to standard output"},
    {OPT_NO_LINE, "no-line", NULL, NULL, "no #line: errors and breakpoints speak of the C file"},
    {OPT_FILE_PREFIX_MAP, "file-prefix-map", "OLD=NEW", NULL,
     "in what is written, files whose names begin with OLD are called NEW and the rest"},
    {OPT_TOUCH, "touch", NULL, NULL,
     "give a file that is up to date the present time, for make; else it is left alone"},
    {0, NULL, NULL, NULL, "Input"},
    {'I', NULL, "DIR", NULL, "look for imports there too, after the directory of the importing file"},
    {OPT_STDIN_FILENAME, "stdin-filename", "NAME", NULL, "what to call standard input, and where its imports are"},
    {0, NULL, NULL, NULL, "Instead of output"},
    {OPT_CHECK, "check", NULL, NULL, "only check: write nothing"},
    {OPT_SIZES, "sizes", NULL, NULL, "print a C program that tells the bytes of state of each flow, task and wait"},
    {OPT_DUMP, "dump", "STAGE,...", NULL, "print what a stage made of the input: tokens, ast, ir"},
    {0, NULL, NULL, NULL, "Dependencies"},
    {'M', NULL, "", "-MD", "also write which files the output depends on, for make and Ninja"},
    {0, NULL, NULL, "-MF FILE", "write that there; without it to the name of the C file with .d"},
    {0, NULL, NULL, "-MT NAME", "what depends on them; without it the files that are written"},
    {0, NULL, NULL, "-MP", "add a rule for each import, so that make does not stop when one is deleted"},
    {0, NULL, NULL, NULL, "Diagnostics, on standard error"},
    {'W', NULL, "", "-WNAME, -Wno-NAME", "switch a warning on or off; all are on, so -Wall and -Wextra change nothing"},
    {0, NULL, NULL, "-Werror, -Werror=NAME",
     "make all warnings errors, or this one; -Wno-error=NAME: but not this one"},
    {OPT_BLOCKING, "blocking", "NAME,...", NULL, "more functions that block, and so are not to be called in a step"},
    {OPT_COLOR, "color", "WHEN", NULL, "auto, always or never; auto is never if NO_COLOR is set"},
    {OPT_DIAGNOSTICS, "diagnostics", "FORM", NULL, "text, json or sarif"},
    {OPT_EXPLAIN, "explain", "CODE", NULL, "say more about a diagnostic, UF0301 or the name of a warning, and end"},
    {0, NULL, NULL, NULL, "About"},
    {0, NULL, NULL, "@FILE", "read more arguments from there: quotes and backslashes as in a shell"},
    {OPT_VERSION, "version", NULL, NULL, "print the version and end"},
    {OPT_HELP, "help", NULL, NULL, "print this and end"},
};
#define ROWS (sizeof table / sizeof table[0])

static void help(buffer *out)
{
    buffer_puts(out, "Usage: ufc [options] FILE.uflow\n"
                     "Compiles flows to C. FILE may be - for standard input.\n");
    for (size_t i = 0; i < ROWS; i++) {
        const row *const r = &table[i];
        if (!r->id && !r->shown) {
            buffer_printf(out, "\n%s:\n", r->help);
            continue;
        }
        char left[64];
        if (r->shown) (void)snprintf(left, sizeof left, "%s", r->shown);
        else if (!r->name) (void)snprintf(left, sizeof left, "-%c %s", r->id, r->argument);
        else
            (void)snprintf(left, sizeof left, "--%s%s%s", r->name, r->argument ? "=" : "",
                           r->argument ? r->argument : "");
        buffer_printf(out, "  %-24s", left);
        for (const char *line = r->help;;) {
            size_t const length = strcspn(line, "\n");
            buffer_printf(out, " %.*s\n", (int)length, line);
            if (!line[length]) break;
            line += length + 1;
            buffer_printf(out, "  %-24s", "");
        }
    }
    buffer_puts(
        out,
        "\nExit status: 0 done, 1 errors in the input, 2 wrong use of ufc, 3 a file could not be read or written.\n");
}

static void make_getopt_tables(char *letters, struct option *names)
{
    *letters++ = '-'; /* operands in any place, also with POSIXLY_CORRECT */
    *letters++ = ':'; /* distinguishes a missing argument from an unknown option */
    for (size_t i = 0; i < ROWS; i++) {
        const row *const r = &table[i];
        if (r->id && r->name)
            *names++ = (struct option){r->name, r->argument ? required_argument : no_argument, NULL, r->id};
        if (!r->id || r->name) continue;
        *letters++ = (char)r->id;
        if (r->argument) *letters++ = ':';
    }
    *letters = '\0';
    *names = (struct option){0};
}

/* -- errors -------------------------------------------------------------------------------------------------------- */

exit_status options_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("ufc: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nTry `ufc --help`.\n", stderr);
    return EXIT_USAGE;
}

static bool wrong_value(const char *option, const char *value, size_t length, const char *choices)
{
    (void)options_complain("%s: `%.*s` is none of %s", option, (int)length, value, choices);
    return false;
}

static bool unknown_option(const char *argument)
{
    const char *names[ROWS];
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i].name) names[count++] = table[i].name;
    }
    size_t const length = strcspn(argument, "=");
    char name[32];
    const char *near = NULL;
    if (strncmp(argument, "--", 2) == 0 && length - 2 < sizeof name) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(length - 2), argument + 2);
        near = diag_nearest(name, names, count);
    }
    if (near) (void)options_complain("unknown option %s; did you mean --%s?", argument, near);
    else (void)options_complain("unknown option %s", argument);
    return false;
}

static bool unknown_warning(const char *name)
{
    const char *names[DIAG_CODE_COUNT + 1];
    size_t count = 0;
    for (int code = 0; code < DIAG_CODE_COUNT; code++) {
        const diag_info *const info = diag_describe((diag_code)code);
        if (info->name[0]) names[count++] = info->name;
    }
    const char *bare = name;
    if (strncmp(bare, "no-", 3) == 0) bare += 3;
    if (strncmp(bare, "error=", 6) == 0) bare += 6;
    const char *const near = diag_nearest(bare, names, count);
    if (near) (void)options_complain("unknown warning in -W%s; did you mean `%s`?", name, near);
    else (void)options_complain("unknown warning in -W%s; all warnings are on, and -Wno-NAME switches one off", name);
    return false;
}

/* -- values ------------------------------------------------------------------------------------------------------ */

void text_list_add(arena *a, text_list *list, const char *text)
{
    if (list->count == list->capacity) {
        size_t const capacity = list->capacity ? 2 * list->capacity : 8;
        const char **const items = ARENA_ARRAY(a, const char *, capacity);
        for (size_t i = 0; i < list->count; i++) items[i] = list->items[i];
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = text;
}

/* The index of the word in the comma-separated list of choices; -1: not found. */
static int choose(const char *word, size_t length, const char *choices)
{
    for (int index = 0;; index++) {
        size_t const size = strcspn(choices, ",");
        if (size == length && strncmp(word, choices, size) == 0) return index;
        choices += size;
        if (!*choices) return -1;
        choices++;
    }
}

static bool choose_one(const char *option, const char *value, const char *choices, int *chosen)
{
    *chosen = choose(value, strlen(value), choices);
    return *chosen >= 0 || wrong_value(option, value, strlen(value), choices);
}

/* Converts a list of choices to bits. */
static bool choose_several(const char *option, const char *value, const char *choices, unsigned *chosen)
{
    for (;;) {
        size_t const length = strcspn(value, ",");
        int const index = choose(value, length, choices);
        if (index < 0) return wrong_value(option, value, length, choices);
        *chosen |= 1u << index;
        value += length;
        if (!*value) return true;
        value++;
    }
}

static void split(arena *a, text_list *list, const char *value)
{
    for (;;) {
        size_t const length = strcspn(value, ",");
        if (length) text_list_add(a, list, arena_copy(a, value, length));
        value += length;
        if (!*value) return;
        value++;
    }
}

/* Handles -MD, -MP, -MF FILE and -MT NAME like gcc, with joined arguments. */
static bool depend_option(arena *a, options *o, int argc, char **argv)
{
    char const letter = optarg[0];
    if ((letter == 'D' || letter == 'P') && !optarg[1]) {
        if (letter == 'D') o->depend = true;
        else o->depend_phony = true;
        return true;
    }
    if (letter != 'F' && letter != 'T') return !options_complain("unknown option -M%s", optarg);
    const char *value = optarg + 1;
    if (!*value) {
        if (optind == argc) return !options_complain("-M%c: the argument is missing", letter);
        value = argv[optind++];
    }
    if (letter == 'F') o->depfile = value;
    else text_list_add(a, &o->depend_targets, value);
    return true;
}

static bool prefix_map(arena *a, text_list *list, const char *value)
{
    if (!strchr(value, '=')) return !options_complain("--file-prefix-map: there is no `=` in `%s`", value);
    text_list_add(a, list, value);
    return true;
}

static bool explain(const char *code, buffer *text)
{
    const diag_info *const info = diag_find(code);
    if (!info) return !options_complain("--explain: there is no diagnostic %s", code);
    buffer_printf(text, "%s: %s\n", info->code, info->title);
    if (!info->is_error)
        buffer_printf(text, "A warning: -Wno-%s silences it, -Werror=%s makes it an error.\n", info->name, info->name);
    buffer_putc(text, '\n');
    for (const char *word = info->explanation, *line = word; *word;) { /* lines of at most 80 columns */
        size_t const length = strcspn(word, " \n");
        if (word != line) buffer_putc(text, word + length - line > 80 ? '\n' : ' ');
        if (word + length - line > 80) line = word;
        buffer_append(text, word, length);
        if (word[length] == '\n') {
            buffer_putc(text, '\n');
            line = word + length + 1;
        }
        word += length + (word[length] != '\0');
    }
    buffer_putc(text, '\n');
    return true;
}

/* -- the command line -------------------------------------------------------------------------------------------- */

typedef struct parsing {
    arena *arena;
    diagnostics *diagnostics;
    options *options;
    buffer *text;
    unsigned emit; /* bits of emit_kind; 0: not given */
    bool is_answered;
} parsing;

static bool operand(options *o, const char *text)
{
    if (o->input) return !options_complain("one file at a time: %s and %s", o->input, text);
    o->input = text;
    return true;
}

static bool apply(parsing *p, int id, int argc, char **argv)
{
    options *const o = p->options;
    int chosen = 0;
    switch (id) {
    case 1: return operand(o, optarg);
    case 'o': o->output = optarg; return true;
    case OPT_HEADER: o->header = optarg; return true;
    case OPT_EMIT: return choose_several("--emit", optarg, "c,h,dot,mermaid,json", &p->emit);
    case OPT_NO_LINE: o->line_directives = false; return true;
    case OPT_FILE_PREFIX_MAP: return prefix_map(p->arena, &o->prefix_maps, optarg);
    case OPT_TOUCH: o->touch = true; return true;
    case 'I': text_list_add(p->arena, &o->import_dirs, optarg); return true;
    case OPT_STDIN_FILENAME: o->stdin_name = optarg; return true;
    case OPT_CHECK: o->check = true; return true;
    case OPT_SIZES: o->sizes = true; return true;
    case OPT_DUMP: return choose_several("--dump", optarg, "tokens,ast,ir", &o->dump);
    case 'M': return depend_option(p->arena, o, argc, argv);
    case 'W': return diag_option(p->diagnostics, arena_printf(p->arena, "-W%s", optarg)) || unknown_warning(optarg);
    case OPT_BLOCKING: split(p->arena, &o->blocking, optarg); return true;
    case OPT_COLOR:
        if (!choose_one("--color", optarg, "auto,always,never", &chosen)) return false;
        o->color = (color_choice)chosen;
        return true;
    case OPT_DIAGNOSTICS:
        if (!choose_one("--diagnostics", optarg, "text,json,sarif", &chosen)) return false;
        o->format = (diag_format)chosen;
        return true;
    case OPT_EXPLAIN: p->is_answered = true; return explain(optarg, p->text);
    case OPT_VERSION:
        p->is_answered = true;
        buffer_puts(p->text, "ufc " UFC_VERSION "\n");
        return true;
    case OPT_HELP:
        p->is_answered = true;
        help(p->text);
        return true;
    default: return false;
    }
}

options_end options_parse(arena *a, diagnostics *d, int argc, char **argv, options *o, buffer *text)
{
    char letters[2 * ROWS + 3];
    struct option names[ROWS + 1];
    make_getopt_tables(letters, names);
    *o = (options){.stdin_name = "<stdin>", .line_directives = true};
    parsing p = {.arena = a, .diagnostics = d, .options = o, .text = text};

    opterr = 0;
    for (;;) {
        int const at = optind; /* only options without arguments can be joined, so this is the present one */
        int const id = getopt_long(argc, argv, letters, names, NULL);
        if (id == -1) break;
        if (id == '?') {
            (void)unknown_option(argv[at]);
            return OPTIONS_WRONG;
        }
        if (id == ':') {
            (void)options_complain("%s: the argument is missing", argv[at]);
            return OPTIONS_WRONG;
        }
        if (!apply(&p, id, argc, argv)) return OPTIONS_WRONG;
        if (p.is_answered) return OPTIONS_PRINT;
    }
    for (; optind < argc; optind++) { /* after -- */
        if (!operand(o, argv[optind])) return OPTIONS_WRONG;
    }
    if (!o->input) {
        (void)options_complain("there is no input file");
        return OPTIONS_WRONG;
    }
    return output_names(a, o, p.emit) ? OPTIONS_COMPILE : OPTIONS_WRONG;
}
