/* SPDX-License-Identifier: MIT */
/* data.c - reads data files, and adds their records. */
#include "cov.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC       "uflow-coverage "
#define SOURCE_MOST (64 << 20) /* bytes of a .uflow file */

/* Returns: the text with a NUL behind it, allocated; NULL: errno is set. */
static char *read_text(const char *path, size_t *length)
{
    FILE *const in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;

    *length = 0;
    for (size_t got = 1; in && got > 0; *length += got) {
        if (room - *length < 2) text = tool_resize(text, room = 2 * room + 65536, 1);
        got = fread(text + *length, 1, room - *length - 1, in);
    }
    bool const well = in && !ferror(in);
    int const error = errno;
    if (in && in != stdin) fclose(in);
    if (well) text[*length] = '\0';
    else free(text);
    errno = error;
    return well ? text : NULL;
}

/* -- records ------------------------------------------------------------------------------------------------------- */

/* `uflow-coverage 2 CHECKSUM NAME` */
static bool read_header(cov_file *file, char *line, const char *path)
{
    unsigned version = 2;
    int end = 0;
    (void)sscanf(line, MAGIC "%9u %16" SCNx64 "%n", &version, &file->checksum, &end);
    if (version != 2)
        tool_die("%s: its format is version %u, and not 2: delete it, and run the programs again", path, version);
    if (end == 0 || line[end] != ' ' || !line[end + 1]) return false;
    file->name = tool_make_printable(line + end + 1);
    return true;
}

static void add_point(cov_file *file, const cov_point *point)
{
    file->points = tool_grow(file->points, file->count, sizeof *file->points);
    file->points[file->count++] = *point;
}

/* `COUNT PLACE LINE KIND LABEL -> TARGET` */
static bool read_point(cov_file *file, char *line)
{
    cov_point point = {.target = ""};
    char word[16], *target = NULL;
    int digits = 0, end = 0;
    int const read = sscanf(line, "%19" SCNu64 " %9" SCNu32 " %9" SCNu32 " %n%15s%n", &point.count, &point.place,
                            &point.line, &digits, word, &end);
    if (read != 4 || strspn(line, "0123456789 ") != (size_t)digits) return false; /* a sign would be read, too */
    while (point.kind < KIND_COUNT && strcmp(cov_kinds[point.kind].word, word) != 0) point.kind++;
    if (point.kind == KIND_COUNT || point.line == 0) return false;
    char *const rest = line + end;
    for (char *arrow = rest; (arrow = strstr(arrow, " -> ")) != NULL; arrow++) target = arrow;
    if (target) {
        *target = '\0';
        point.target = tool_make_printable(target + 4);
    }
    point.label = tool_make_printable(*rest ? rest + 1 : rest);
    add_point(file, &point);
    return true;
}

static void leave_out(cov_file *file, const char *path)
{
    const char *const name = file->name ? file->name : "a file";
    fprintf(stderr, "uflow-cov: %s: counts of %s are damaged and left out\n", path, name);
    free(file->points);
}

static void add_file(cov_data *data, cov_file *file)
{
    file->number = data->count;
    data->files = tool_grow(data->files, data->count, sizeof *data->files);
    data->files[data->count++] = *file;
}

void cov_read(cov_data *data, const char *path)
{
    bool is_open = false, any = false;
    cov_file file;
    size_t length;
    char *const text = read_text(path, &length);

    if (!text) tool_die("%s: %s", path, strerror(errno));
    data->texts = tool_grow(data->texts, data->text_count, sizeof *data->texts);
    data->texts[data->text_count++] = text;
    for (char *line = text, *next; line < text + length; line = next) {
        next = line + strcspn(line, "\n") + 1;
        next[-1] = '\0';
        bool const begins = strncmp(line, MAGIC, sizeof MAGIC - 1) == 0;
        bool const ends = is_open && strcmp(line, "end") == 0;
        any |= begins;
        if (ends) add_file(data, &file);
        else if (is_open && (begins || !read_point(&file, line))) leave_out(&file, path);
        else if (!begins) continue;
        is_open = false;
        if (!begins) continue;
        file = (cov_file){0};
        is_open = read_header(&file, line, path);
        if (!is_open) leave_out(&file, path);
    }
    if (is_open) leave_out(&file, path);
    if (length && !any) tool_die("%s: is no coverage data", path);
}

/* -- adding -------------------------------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
    cov_point const *const a = left, *const b = right;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_text(const void *left, const void *right)
{
    cov_file const *const a = left, *const b = right;
    int const order = strcmp(a->name, b->name);
    if (a->is_current != b->is_current) return a->is_current ? -1 : 1;
    if (order) return order;
    if (a->checksum != b->checksum) return a->checksum < b->checksum ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void contradict(const cov_file *file)
{
    tool_die("counts of %s contradict each other: delete the data file, and run the programs again", file->name);
}

/* Adds the counts of each place. The preprocessor may have left out places of some programs. */
static void add_places(cov_file *file)
{
    size_t kept = 0;
    if (file->count) qsort(file->points, file->count, sizeof *file->points, by_place);
    for (size_t i = 0; i < file->count; i++) {
        cov_point const *const point = &file->points[i];
        cov_point *const last = kept ? &file->points[kept - 1] : NULL;
        bool const is_same = last && last->place == point->place;
        if (is_same && (last->kind != point->kind || last->line != point->line)) contradict(file);
        if (is_same) last->count += point->count;
        else file->points[kept++] = *point;
    }
    file->count = kept;
}

/* Outputs rely on this order. */
static void check_order(cov_file *file)
{
    unsigned open = IN_FILE;
    cov_point *step = NULL;
    for (size_t i = 0; i < file->count; i++) {
        cov_point *const point = &file->points[i];
        if (!(cov_kinds[point->kind].inside & open)) contradict(file);
        if (point->kind <= KIND_STEP) open = (unsigned)IN_FLOW << point->kind;
        if (point->kind == KIND_STEP) step = point;
        if (point->kind == KIND_AGAIN) step->again += point->count;
    }
}

static void add_records(cov_data *data)
{
    size_t kept = 0;
    if (data->count) qsort(data->files, data->count, sizeof *data->files, by_text);
    for (size_t i = 0; i < data->count; i++) {
        cov_file const file = data->files[i];
        cov_file *const last = kept ? &data->files[kept - 1] : NULL;
        if (!last || last->checksum != file.checksum || strcmp(last->name, file.name) != 0) {
            data->files[kept++] = file;
            continue;
        }
        for (size_t p = 0; p < file.count; p++) add_point(last, &file.points[p]);
        last->number = file.number;
        free(file.points);
    }
    data->count = kept;
    for (size_t i = 0; i < kept; i++) {
        add_places(&data->files[i]);
        check_order(&data->files[i]);
    }
}

/* -- texts that have changed --------------------------------------------------------------------------------------- */

/* Allocated. */
static char *path_of(const cov_data *data, const cov_file *file)
{
    const char *const directory = file->name[0] != '/' ? data->source_directory : NULL;
    size_t const room = (directory ? strlen(directory) : 0) + strlen(file->name) + 2;
    char *const path = tool_resize(NULL, room, 1);
    snprintf(path, room, "%s%s%s", directory ? directory : "", directory ? "/" : "", file->name);
    return path;
}

void cov_print_path(FILE *out, const cov_data *data, const cov_file *file, void (*print)(FILE *, const char *))
{
    char *const path = path_of(data, file);
    print(out, tool_make_printable(path));
    free(path);
}

/* The checksum of ufc: FNV-1a of the text without a byte order mark. The data names the file, so that it may be any:
 * what is no file may never end, or wait for a writer. */
static bool read_checksum(const char *path, uint64_t *checksum)
{
    struct stat status;
    size_t length;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || !status.st_size || status.st_size > SOURCE_MOST)
        return false;
    char *const text = read_text(path, &length);
    if (!text) return false;
    *checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; i < length; i++)
        *checksum = (*checksum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    free(text);
    return true;
}

/* The current one of files[first..end), which have the same name: that with the text of the source, or the last. */
static void choose(cov_data *data, size_t first, size_t end)
{
    char *const path = path_of(data, &data->files[first]);
    uint64_t checksum = 0;
    bool const is_there = read_checksum(path, &checksum);
    cov_file *chosen = NULL, *latest = &data->files[first];

    for (cov_file *file = latest; file < &data->files[end]; file++) {
        if (is_there && file->checksum == checksum) chosen = file;
        if (file->number > latest->number) latest = file;
    }
    if (is_there && !chosen)
        fprintf(stderr, "uflow-cov: %s has changed since the program was built: lines are of the old text\n",
                tool_make_printable(path));
    (chosen ? chosen : latest)->is_current = true;
    data->current++;
    if (end - first > 1)
        fprintf(stderr, "uflow-cov: counts of %s with another text are left out\n", data->files[first].name);
    free(path);
}

void cov_choose(cov_data *data)
{
    add_records(data);
    for (size_t first = 0, end; first < data->count; first = end) {
        for (end = first + 1; end < data->count && strcmp(data->files[first].name, data->files[end].name) == 0;) end++;
        choose(data, first, end);
    }
    if (data->count) qsort(data->files, data->count, sizeof *data->files, by_text);
}

void cov_free(cov_data *data)
{
    for (size_t i = 0; i < data->count; i++) free(data->files[i].points);
    for (size_t i = 0; i < data->text_count; i++) free(data->texts[i]);
    free(data->files);
    free((void *)data->texts);
}
