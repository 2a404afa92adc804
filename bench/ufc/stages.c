/* The floors of ufc: the whole way from a file to its output, or a part of it; bench/ufc_floors.py counts what each
 * needs. On a second line: the bytes of memory that were there at the end.
 *
 * A stage leaves out what those before it in the list do: with `meaning` output and tables are left out as well. */
#define _POSIX_C_SOURCE 200809L
#define BENCH_USAGE     "FILE C_FILE H_FILE STAGE [BYTES]"

#include <fcntl.h>
#include <sys/stat.h>

#include "bench.h"
#include "checks.h"
#include "emit.h"
#include "loader.h"
#include "lower.h"
#include "memory.h"
#include "output.h"
#include "reserved.h"
#include "resident.h"
#include "scan.h"
#include "shape.h"

typedef enum stage {
    ALL,       /* as ufc does it */
    UNCHECKED, /* names are looked up, and nothing else is checked */
    UNLINED,   /* and no #line */
    DROPPED,   /* and the output is made, and not written */
    TABLES,    /* and not made either */
    MEANING,   /* names are looked up, and that is all */
    GRAMMAR,   /* the file is read as far as the grammar goes */
    SHAPE,     /* its tokens are made fit for the grammar */
    TOKENS,    /* they are kept */
    SCANNER,   /* they are found */
    COPY       /* and so many bytes are written */
} stage;

static const char *const stages[] = {"all",     "unchecked", "unlined", "dropped", "tables", "meaning",
                                     "grammar", "shape",     "tokens",  "scanner", "copy",   NULL};

static const source *read_file(arena *a, const char *path)
{
    struct stat is;
    int const fd = open(path, O_RDONLY);
    BENCH_CHECK(fd >= 0 && fstat(fd, &is) == 0);
    size_t const size = (size_t)is.st_size;
    char *const text = arena_alloc(a, size + 1, 1);
    BENCH_CHECK(read(fd, text, size) == (ssize_t)size && close(fd) == 0);
    return source_in_place(a, path, text, size);
}

static void scan(const source *in)
{
    unsigned char const *const bytes = (const unsigned char *)in->text;
    scanner s = {.text = bytes, .cursor = bytes, .limit = bytes + in->size, .line_start = true};
    uint64_t tokens = 0;
    for (token t; scan_next(&s, &t);) tokens++;
    BENCH_CHECK(tokens > 0);
}

static void copy(const char *path, uint64_t bytes)
{
    enum { PART = 64 * 1024 };
    buffer text = {0};
    BENCH_CHECK(output_begin(&(output){.path = path, .text = &text}, 1));
    for (uint64_t put = 0; put < bytes; put += PART) {
        buffer_fill(&text, 'x', bytes - put < PART ? (size_t)(bytes - put) : PART);
        output_pass_on(0);
    }
    BENCH_CHECK(output_end(false));
    buffer_free(&text);
}

static void look_up_names(arena *a, diagnostics *d, ast_file *file)
{
    static const sema_options options = {NULL, 0};
    sema s = {.arena = a, .diagnostics = d, .file = file, .options = &options};
    reserved_collect(a, &s.reserved);
    collect_names(&s);
    resolve_shared(&s);
    resolve_targets(&s);
}

static void pass_on(void *which)
{
    output_pass_on(*(const size_t *)which);
}

static void drop(void *text)
{
    ((buffer *)text)->length = 0;
}

/* The header first, as ufc does it. */
static void emit(const ir_unit *unit, char **paths, stage until)
{
    static void (*const emitters[])(const ir_unit *, const emit_options *, buffer *) = {emit_header, emit_c};
    buffer texts[2] = {{0}, {0}};
    output const files[] = {{paths[1], &texts[0], EMIT_MARK}, {paths[0], &texts[1], EMIT_MARK}};
    if (until != DROPPED) BENCH_CHECK(output_begin(files, 2));
    for (size_t i = 0; i < 2; i++) {
        emit_options const how = {
            .header_name = paths[1],
            .output_name = files[i].path,
            .line_directives = until < UNLINED,
            .pass_on = until == DROPPED ? drop : pass_on,
            .context = until == DROPPED ? (void *)&texts[i] : (void *)&i,
        };
        emitters[i](unit, &how, &texts[i]);
    }
    if (until != DROPPED) BENCH_CHECK(output_end(false));
    for (size_t i = 0; i < 2; i++) buffer_free(&texts[i]);
}

static void compile(arena *a, char **argv, stage until)
{
    diagnostics *const d = diag_new(a);
    loader l = {.arena = a, .diagnostics = d};
    ast_file *const file = loader_open(&l, argv[1]);
    BENCH_CHECK(file != NULL);
    if (until == ALL) sema_check(a, d, file, NULL);
    else if (until <= MEANING) look_up_names(a, d, file);
    BENCH_CHECK(diag_error_count(d) == 0);
    const ir_unit *const unit = until <= TABLES ? lower_unit(a, file) : NULL;
    if (until <= DROPPED) emit(unit, &argv[2], until);
}

static void do_less(arena *a, char **argv, stage until, uint64_t bytes)
{
    const source *const in = read_file(a, argv[1]);
    if (until == SHAPE) (void)shape_tokens(a, diag_new(a), scan_file(a, diag_new(a), in, SHAPE_ROOM));
    if (until == TOKENS) (void)scan_file(a, diag_new(a), in, SHAPE_ROOM);
    if (until >= SCANNER) scan(in);
    if (until == COPY) copy(argv[2], bytes);
}

int main(int argc, char **argv)
{
    if (argc < 5) bench_refuse(argc, argv, argc);
    stage const until = (stage)bench_word(argc, argv, 4, stages);
    uint64_t const bytes = bench_number(argc, argv, 5, until == COPY ? 0 : 1);
    memory_prepare();
    int64_t const began = bench_begin();
    arena *const a = arena_new();
    if (until <= GRAMMAR) compile(a, argv, until);
    else do_less(a, argv, until, bytes);
    uint64_t const resident = resident_bytes();
    arena_free(a);
    int64_t const ended = bench_end();
    bench_report(began, ended, 1);
    printf("%llu\n", (unsigned long long)resident);
    return 0;
}
