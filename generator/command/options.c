/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emit.h"
#include "output_names.h"
#include "samples.h"

/* The number of options. */
enum {
    OPTIONS_LIMIT = 0
#define LONG(id, name, argument, value, choices, help) +1
#define SHORT(name, argument, value, choices, help)    +1
#include "options.def"
};

/* -- getopt -------------------------------------------------------------------------------------------------------- */

/* All short options take an argument: that of -M, -W and -f is the rest of the name. */
static void make_getopt_tables(char *letters, struct option *names)
{
    char *next = letters;
    *next++ = '-'; /* operands in any place, also with POSIXLY_CORRECT */
    *next++ = ':'; /* distinguishes a missing argument from an unknown option */
    for (size_t i = 0; i < option_count; i++) {
        const option_row *const row = &option_table[i];
        if (row->kind == ROW_LONG)
            *names++ =
                (struct option){row->name + 2, row->argument[0] ? required_argument : no_argument, NULL, row->id};
        if (row->kind != ROW_SHORT || memchr(letters, row->id, (size_t)(next - letters))) continue;
        *next++ = (char)row->id;
        if (row->argument[0] || row->name[2]) *next++ = ':'; /* the rest of -MD is its argument */
    }
    *next = '\0';
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

static bool wrong_value(const option_row *row, const char *value, size_t length)
{
    return !options_complain("%s: `%.*s` is none of %s", row->name, (int)length, value, row->choices);
}

static bool unknown_option(const char *argument)
{
    const char *names[OPTIONS_LIMIT];
    size_t count = 0;
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].kind == ROW_LONG) names[count++] = option_table[i].name + 2;
    }
    size_t const length = strcspn(argument, "=");
    char name[32];
    const char *near = NULL;
    if (strncmp(argument, "--", 2) == 0 && length - 2 < sizeof name) {
        (void)snprintf(name, sizeof name, "%.*s", (int)(length - 2), argument + 2);
        near = diag_nearest(name, names, count);
    }
    if (near) return !options_complain("unknown option %s; did you mean --%s?", argument, near);
    return !options_complain("unknown option %s", argument);
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
    if (near) return !options_complain("unknown warning in -W%s; did you mean `%s`?", name, near);
    return !options_complain("unknown warning in -W%s; all warnings are on, and -Wno-NAME switches one off", name);
}

/* -- values ------------------------------------------------------------------------------------------------------ */

void text_list_add(arena *a, text_list *list, const char *text)
{
    list->items = arena_reserve(a, list->items, &list->capacity, list->count + 1, sizeof *list->items);
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

/* Stores the index of the choice. */
static bool choose_one(int id, const char *value, unsigned *chosen)
{
    const option_row *const row = option_find(id);
    int const index = choose(value, strlen(value), row->choices);
    if (index < 0) return wrong_value(row, value, strlen(value));
    *chosen = (unsigned)index;
    return true;
}

/* Converts a list of choices to bits. */
static bool choose_several(int id, const char *value, unsigned *chosen)
{
    const option_row *const row = option_find(id);
    for (;;) {
        size_t const length = strcspn(value, ",");
        int const index = choose(value, length, row->choices);
        if (index < 0) return wrong_value(row, value, length);
        *chosen |= 1u << index;
        value += length;
        if (!*value) return true;
        value++;
    }
}

static bool split(arena *a, text_list *list, const char *option, const char *value)
{
    for (const char *at = value;; at++) {
        size_t const length = strcspn(at, ",");
        if (!length) return !options_complain("%s: there is an empty name in `%s`", option, value);
        text_list_add(a, list, arena_copy(a, at, length));
        at += length;
        if (!*at) return true;
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

/* The samples of docs/errors.md, which is written with the catalogue: a new code has none until then. */
static void put_samples(const char *code, buffer *text)
{
    char heading[16];
    const char *const all = (const char *)samples_of_errors;
    snprintf(heading, sizeof heading, "%s\n", code);
    const char *const at = strstr(all, heading);
    if (!at) return;
    const char *const begin = at + strlen(heading), *const next = strstr(begin, "\nUF");
    buffer_append(text, begin, next ? (size_t)(next + 1 - begin) : strlen(begin));
}

static bool explain(const char *code, buffer *text)
{
    const diag_info *const info = diag_find(code);
    if (!info) return !options_complain("--explain: there is no diagnostic %s", code);
    buffer_printf(text, "%s: %s\n", info->code, info->title);
    if (!info->is_error)
        buffer_printf(text, "A warning: -Wno-%s silences it, -Werror=%s makes it an error.\n", info->name, info->name);
    buffer_putc(text, '\n');
    option_wrap(text, info->explanation, 0, 80);
    put_samples(info->code, text);
    return true;
}

/* -- the command line -------------------------------------------------------------------------------------------- */

typedef struct parsing {
    arena *arena;
    diagnostics *diagnostics;
    options *options;
    buffer *text;  /* the answer: of --help, --version, --explain */
    unsigned emit; /* bits of emit_kind; 0: not given */
} parsing;

/* Bits of the outputs of ufc on which other options have an effect: those of emit_kind, and these. */
enum {
    MAKES_C = 1 << EMIT_C,
    MAKES_C_OR_H = MAKES_C | 1 << EMIT_H,
    MAKES_SIZES = 1 << EMIT_KINDS,
    MAKES_FILES = (MAKES_SIZES << 1) - 1,
    MAKES_LIST = MAKES_SIZES << 1,
};

/* What may be given, and the outputs that it makes or counts for. */
typedef struct word_given {
    bool is_given;
    const char *name;
    unsigned outputs;
} word_given;

/* Each of these words alone says what to make. */
static bool find_maker(const options *o, unsigned emit, word_given *maker)
{
    const word_given ways[] = {{o->formats, "fmt", 0},
                               {o->check && !o->formats, "--check", ~0u}, /* whatever else the command says */
                               {o->sizes, "--sizes", MAKES_SIZES},
                               {o->dump, "--dump", 0},
                               {o->list_tests, "--list-tests", MAKES_LIST},
                               {o->compared, "--compare", 0},
                               {emit, "--emit", emit}};
    *maker = (word_given){false, NULL, MAKES_C_OR_H};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (!ways[i].is_given) continue;
        if (maker->is_given)
            return !options_complain("%s and %s each say what to make: give one of them", maker->name, ways[i].name);
        *maker = ways[i];
    }
    return true;
}

static bool names_dependencies(const options *o)
{
    return o->depfile || o->depend_targets.count || o->depend_phony;
}

/* Each option that is given counts for something that is made. */
static bool each_counts(const options *o, unsigned emit)
{
    word_given maker;
    if (!find_maker(o, emit, &maker)) return false;
    const word_given rows[] = {
        {o->output, "-o", MAKES_FILES},
        {o->header, "--header", MAKES_C_OR_H | MAKES_SIZES},
        {!o->line_directives, "--no-line", MAKES_C_OR_H},
        {o->no_names, "--no-names", MAKES_C},
        {o->coverage, "--coverage", MAKES_C},
        {o->mutants, "--mutants", MAKES_C},
        {o->tests, "--tests", MAKES_C},
        {o->prefix_maps.count, "--file-prefix-map", MAKES_FILES & ~(1u << EMIT_MERMAID | 1u << EMIT_CONFIG)},
        {o->touch, "--touch", MAKES_FILES},
        {o->depend || (o->formats && names_dependencies(o)), "-MD", MAKES_FILES},
        {o->import_dirs.count, "-I", MAKES_FILES | MAKES_LIST},
        {o->blocking.count, "--blocking", MAKES_FILES}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!rows[i].is_given || (rows[i].outputs & maker.outputs)) continue;
        return !options_complain("%s has no effect on what %s makes: leave one of them out", rows[i].name, maker.name);
    }
    return true;
}

/* The options of `fmt` need it, and say different things. */
static bool layout_fits(const options *o)
{
    const char *const option = o->in_place ? "-i" : o->diff ? "--diff" : "--check";
    if (!o->formats) return !(o->in_place || o->diff) || !options_complain("%s needs `ufc fmt`", option);
    int const given = o->in_place + o->diff + o->check;
    if (given > 1) return !options_complain("fmt: give one of -i, --check and --diff");
    if (given == 0 && o->inputs.count > 1)
        return !options_complain("fmt prints one file: give -i, --check or --diff for several");
    for (size_t i = 0; o->in_place && i < o->inputs.count; i++) {
        if (strcmp(o->inputs.items[i], "-") == 0)
            return !options_complain("fmt -i: standard input cannot be rewritten");
    }
    return true;
}

static bool operand(arena *a, options *o, const char *text)
{
    text_list_add(a, &o->inputs, text);
    o->input = text;
    return true;
}

/* Only the config of a program is of several files. */
static bool inputs_fit(const options *o, unsigned emit)
{
    unsigned const config = 1u << EMIT_CONFIG;
    if (emit & config && emit != config) return !options_complain("--emit=config stands alone");
    if (o->formats || emit == config || o->inputs.count < 2) return true;
    return !options_complain("one file at a time: %s and %s", o->inputs.items[0], o->inputs.items[1]);
}

/* Handles the options that begin with -f. */
static bool gcc_option(options *o)
{
    static const char format[] = "diagnostics-format=", color[] = "diagnostics-color=";
    const char *const value = optarg + strcspn(optarg, "=") + 1;
    if (strncmp(optarg, format, sizeof format - 1) == 0) return choose_one(OPT_DIAGNOSTICS, value, &o->format);
    if (strncmp(optarg, color, sizeof color - 1) == 0) return choose_one(OPT_COLOR, value, &o->color);
    return !options_complain("unknown option -f%s", optarg);
}

static bool apply(parsing *p, int id, int argc, char **argv)
{
    options *const o = p->options;
    switch (id) {
    case 1: return operand(p->arena, o, optarg);
    case 'o': o->output = optarg; return true;
    case OPT_HEADER: o->header = optarg; return true;
    case OPT_EMIT: return choose_several(OPT_EMIT, optarg, &p->emit);
    case OPT_NO_LINE: o->line_directives = false; return true;
    case OPT_NO_NAMES: o->no_names = true; return true;
    case OPT_COVERAGE: o->coverage = true; return true;
    case OPT_MUTANTS: o->mutants = true; return true;
    case OPT_TESTS: o->tests = true; return true;
    case OPT_LIST_TESTS: o->list_tests = true; return true;
    case OPT_COMPARE: o->compared = optarg; return true;
    case OPT_FILE_PREFIX_MAP: return prefix_map(p->arena, &o->prefix_maps, optarg);
    case OPT_TOUCH: o->touch = true; return true;
    case 'I': text_list_add(p->arena, &o->import_dirs, optarg); return true;
    case OPT_STDIN_FILENAME: o->stdin_name = optarg; return true;
    case OPT_CHECK: o->check = true; return true;
    case 'i': o->in_place = true; return true;
    case OPT_DIFF: o->diff = true; return true;
    case OPT_SIZES: o->sizes = true; return true;
    case OPT_DUMP: return choose_several(OPT_DUMP, optarg, &o->dump);
    case 'M': return depend_option(p->arena, o, argc, argv);
    case 'W': return diag_option(p->diagnostics, optarg) || unknown_warning(optarg);
    case OPT_BLOCKING: return split(p->arena, &o->blocking, "--blocking", optarg);
    case OPT_COLOR: return choose_one(OPT_COLOR, optarg, &o->color);
    case OPT_DIAGNOSTICS: return choose_one(OPT_DIAGNOSTICS, optarg, &o->format);
    case 'f': return gcc_option(o);
    case OPT_EXPLAIN: return explain(optarg, p->text);
    case OPT_VERSION: buffer_printf(p->text, "ufc %s (ABI %u)\n", UFC_VERSION, EMIT_ABI); return true;
    case OPT_HELP:
    case 'h': option_help(p->text); return true;
    default: return false;
    }
}

options_end options_parse(arena *a, diagnostics *d, int argc, char **argv, options *o, buffer *text)
{
    char letters[2 * OPTIONS_LIMIT + 3];
    struct option names[OPTIONS_LIMIT + 1];
    make_getopt_tables(letters, names);
    *o = (options){.stdin_name = "<stdin>", .line_directives = true};
    parsing p = {.arena = a, .diagnostics = d, .options = o, .text = text};

    opterr = 0;
    optind = 1; /* uflow-lsp parses options several times */
    o->formats = argc > 1 && strcmp(argv[1], "fmt") == 0;
    optind += o->formats;
    for (;;) {
        int const at = optind; /* only options without arguments can be joined, so this is the present one */
        int const id = getopt_long(argc, argv, letters, names, NULL);
        if (id == -1) break;
        bool const is_good = id == '?'   ? unknown_option(argv[at])
                             : id == ':' ? !options_complain("%s: the argument is missing", argv[at])
                                         : apply(&p, id, argc, argv);
        if (!is_good) return OPTIONS_WRONG;
        if (text->length) return OPTIONS_PRINT;
    }
    for (; optind < argc; optind++) { /* after -- */
        if (!operand(a, o, argv[optind])) return OPTIONS_WRONG;
    }
    if (!o->input && options_complain("there is no input file")) return OPTIONS_WRONG;
    if (!layout_fits(o) || !each_counts(o, p.emit) || !inputs_fit(o, p.emit)) return OPTIONS_WRONG;
    if (o->formats) return OPTIONS_FORMAT;
    if (o->compared) return OPTIONS_COMPARE;
    return output_names(a, o, p.emit) ? OPTIONS_COMPILE : OPTIONS_WRONG;
}
