/* data.c - reads data files, and adds their records. */
#include "cov.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC         "uflow-coverage "
#define SOURCE_MOST   (64 << 20) /* bytes of a .uflow file */
#define VERSIONS_MOST 16         /* of ufc that have compiled the same text */

/* -- texts --------------------------------------------------------------------------------------------------------- */

typedef struct text {
    char *bytes;
    size_t length;
} text;

/* Returns: false, and errno is set. */
static bool read_file(const char *path, size_t most, text *t)
{
    FILE *const in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t room = 0, got = 1;

    *t = (text){0};
    while (in && got > 0 && t->length < most) {
        if (room - t->length < 65536) t->bytes = tool_resize(t->bytes, room = 2 * room + 65536, 1);
        got = fread(t->bytes + t->length, 1, room - t->length, in);
        t->length += got;
    }
    bool const well = in && !ferror(in);
    int const error = errno;
    if (in && in != stdin) fclose(in);
    if (!well) {
        free(t->bytes);
        *t = (text){0};
        errno = error;
    }
    return well;
}

/* Takes the next line, without its end. Returns: false: there is no whole line. */
static bool next_line(text *rest, text *line)
{
    char *const end = rest->length ? memchr(rest->bytes, '\n', rest->length) : NULL;
    if (!end) return false;
    *line = (text){rest->bytes, (size_t)(end - rest->bytes)};
    rest->bytes += line->length + 1;
    rest->length -= line->length + 1;
    return true;
}

/* Takes what comes before the next separator, or the whole rest. */
static text next_field(text *line, char separator)
{
    const char *const end = line->length ? memchr(line->bytes, separator, line->length) : NULL;
    text const field = {line->bytes, end ? (size_t)(end - line->bytes) : line->length};
    size_t const taken = field.length + (end != NULL);
    line->bytes += taken;
    line->length -= taken;
    return field;
}

static bool read_number(text field, int base, uint64_t limit, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < field.length; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *const digit = memchr(digits, field.bytes[i], (size_t)base);
        uint64_t const value = digit ? (uint64_t)(digit - digits) : 0;
        if (!digit || *number > (limit - value) / (unsigned)base) return false;
        *number = *number * (unsigned)base + value;
    }
    return field.length > 0;
}

/* -- records ------------------------------------------------------------------------------------------------------- */

static bool starts_record(text line)
{
    size_t const size = sizeof MAGIC - 1;
    return line.length >= size && memcmp(line.bytes, MAGIC, size) == 0;
}

static bool has_control(text name)
{
    for (size_t i = 0; i < name.length; i++) {
        if ((unsigned char)name.bytes[i] < ' ' || name.bytes[i] == 0x7f) return true;
    }
    return false;
}

/* `uflow-coverage 1 CHECKSUM COUNT NAME` */
static bool read_header(text line, const char *path, cov_file *file, uint64_t *count)
{
    uint64_t version;
    (void)next_field(&line, ' ');
    if (read_number(next_field(&line, ' '), 10, UINT32_MAX, &version) && version != 1)
        tool_die("%s: its format is version %" PRIu64 ", which is newer than this program", path, version);
    text const checksum = next_field(&line, ' ');
    if (checksum.length != 16 || !read_number(checksum, 16, UINT64_MAX, &file->checksum)) return false;
    if (!read_number(next_field(&line, ' '), 10, UINT32_MAX, count) || line.length == 0) return false;
    file->name = tool_copy(line.bytes, line.length);
    file->shown = tool_copy_printable(line.bytes, line.length);
    return !has_control(line);
}

/* `COUNT<tab>COUNTER<tab>LINE<tab>KIND<tab>LABEL<tab>TARGET` */
static bool read_point(text line, cov_point *point)
{
    uint64_t counter, number;
    text const count = next_field(&line, '\t');
    if (count.length != 16 || !read_number(count, 16, UINT64_MAX, &point->count)) return false;
    if (!read_number(next_field(&line, '\t'), 10, UINT32_MAX, &counter)) return false;
    if (!read_number(next_field(&line, '\t'), 10, UINT32_MAX, &number) || number == 0) return false;
    text const word = next_field(&line, '\t'), label = next_field(&line, '\t');
    if (memchr(label.bytes, '\0', label.length) || memchr(line.bytes, '\0', line.length)) return false;
    for (point->kind = 0; point->kind < KIND_COUNT; point->kind++) {
        const char *const known = cov_kinds[point->kind].word;
        if (strlen(known) == word.length && memcmp(known, word.bytes, word.length) == 0) break;
    }
    if (point->kind == KIND_COUNT) return false;
    point->counter = (uint32_t)counter;
    point->line = (uint32_t)number;
    point->label = tool_copy_printable(label.bytes, label.length);
    point->target = tool_copy_printable(line.bytes, line.length);
    return true;
}

/* What the points so far have opened. */
typedef struct opened {
    bool flow, task, step;
    cov_kind before;
} opened;

static bool may_follow(opened *in, cov_kind kind)
{
    bool const again_follows = in->before == KIND_STEP;
    in->before = kind;
    if (again_follows != (kind == KIND_AGAIN)) return false;
    switch (kind) {
    case KIND_FLOW: *in = (opened){.flow = true, .before = kind}; return true;
    case KIND_TASK: *in = (opened){.flow = in->flow, .task = true, .before = kind}; return in->flow;
    case KIND_STEP: in->step = true; return in->task;
    case KIND_ENDING: return in->task && !in->step;
    case KIND_HANDLER:
    case KIND_PREEMPT: return in->flow && !in->step;
    case KIND_FAILURE: return in->flow;
    case KIND_AGAIN:
    case KIND_WAIT:
    case KIND_NEXT:
    case KIND_STAY:
    case KIND_ARM:
    case KIND_TIMEOUT:
    case KIND_ELSE:
    case KIND_TRUE:
    case KIND_FALSE:
    case KIND_COUNT: break;
    }
    return in->step;
}

/* Outputs rely on this order: flow, task, step, again, and all else in one of these. */
static bool is_in_order(const cov_file *file)
{
    opened in = {.before = KIND_COUNT};
    for (size_t i = 0; i < file->count; i++) {
        if (!may_follow(&in, file->points[i].kind)) return false;
    }
    return in.before != KIND_STEP;
}

static void free_file(cov_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        free(file->points[i].label);
        free(file->points[i].target);
    }
    free(file->points);
    tool_table_free(&file->by_counter);
    free(file->name);
    free(file->shown);
}

/* Behind another point; 0: as the first one. Returns: its number. */
static size_t add_point(cov_file *file, const cov_point *point, size_t before)
{
    file->points = tool_grow(file->points, file->count, sizeof *file->points);
    file->points[file->count] = *point;
    size_t *const next = before ? &file->points[before - 1].next : &file->first;
    file->points[file->count].next = *next;
    *tool_table_at(&file->by_counter, point->counter) = *next = ++file->count;
    return *next;
}

static bool read_points(text *rest, cov_file *file, uint64_t count)
{
    for (text line; file->count < count;) {
        text const here = *rest;
        cov_point point;
        if (!next_line(rest, &line)) return false;
        if (!read_point(line, &point)) {
            *rest = here; /* another record may begin here */
            return false;
        }
        bool const is_known = *tool_table_at(&file->by_counter, point.counter) > 0;
        (void)add_point(file, &point, file->count);
        if (is_known) return false;
    }
    text const here = *rest;
    text end;
    bool const ends = next_line(rest, &end) && end.length == 3 && memcmp(end.bytes, "end", 3) == 0;
    if (!ends) *rest = here;
    return ends && is_in_order(file);
}

/* -- adding -------------------------------------------------------------------------------------------------------- */

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Adds the counts of a file to another one, and moves the points that only it has behind those that precede them: the
 * preprocessor has left them out of another program. */
static void add_points(cov_file *to, cov_file *from)
{
    size_t before = 0;
    for (size_t i = 0; i < from->count; i++) {
        cov_point *const point = &from->points[i];
        size_t const same = *tool_table_at(&to->by_counter, point->counter);
        if (!same) {
            before = add_point(to, point, before);
            continue;
        }
        before = same;
        to->points[same - 1].count = sum(to->points[same - 1].count, point->count);
        free(point->label);
        free(point->target);
    }
    from->count = 0;
    free_file(from);
}

/* Two versions of ufc may number the counters differently. */
static bool is_same_text(cov_file *a, const cov_file *b)
{
    if (a->checksum != b->checksum || strcmp(a->name, b->name) != 0) return false;
    for (size_t i = 0; i < b->count; i++) {
        size_t const at = *tool_table_at(&a->by_counter, b->points[i].counter);
        const cov_point *const same = at ? &a->points[at - 1] : NULL;
        if (same && (same->kind != b->points[i].kind || same->line != b->points[i].line)) return false;
    }
    return true;
}

static uint64_t key_of(const cov_file *file)
{
    uint64_t key = file->checksum;
    for (const char *at = file->name; *at; at++) key = (key ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return key;
}

/* The file that is added last is the newest text of its name. */
static void add_file(cov_data *data, cov_file *file)
{
    size_t *const latest = tool_table_at(&data->latest, key_of(file));
    unsigned left = VERSIONS_MOST;

    for (size_t at = *latest; at && left > 0; at = data->files[at - 1].before, left--) {
        if (!is_same_text(&data->files[at - 1], file)) continue;
        add_points(&data->files[at - 1], file);
        return;
    }
    data->files = tool_grow(data->files, data->count, sizeof *data->files);
    file->before = *latest;
    file->number = *latest = data->count + 1;
    data->files[data->count++] = *file;
}

static void read_record(cov_data *data, const char *path, text header, text *rest)
{
    cov_file file = {0};
    uint64_t count;
    if (read_header(header, path, &file, &count) && read_points(rest, &file, count)) {
        add_file(data, &file);
        return;
    }
    fprintf(stderr, "uflow-cov: %s: counts of %s are damaged and left out\n", path, file.name ? file.shown : "a file");
    free_file(&file);
}

void cov_read(cov_data *data, const char *path)
{
    text whole, line;
    if (!read_file(path, SIZE_MAX, &whole)) tool_die("%s: %s", path, strerror(errno));
    text rest = whole;
    if (whole.length && !starts_record(whole)) tool_die("%s: is no coverage data", path);
    while (next_line(&rest, &line)) {
        if (starts_record(line)) read_record(data, path, line, &rest);
    }
    if (rest.length) fprintf(stderr, "uflow-cov: %s: the end of the file is missing\n", path);
    free(whole.bytes);
}

/* -- texts that have changed --------------------------------------------------------------------------------------- */

char *cov_source_path(const cov_data *data, const cov_file *file)
{
    const char *const directory = file->name[0] != '/' ? data->source_directory : NULL;
    size_t const length = directory ? strlen(directory) + 1 : 0;
    char *const path = tool_resize(NULL, length + strlen(file->name) + 1, 1);
    sprintf(path, "%s%s%s", directory ? directory : "", directory ? "/" : "", file->name);
    return path;
}

void cov_print_path(FILE *out, const cov_data *data, const cov_file *file, void (*print)(FILE *, const char *))
{
    char *const path = cov_source_path(data, file);
    print(out, tool_make_printable(path));
    free(path);
}

/* The data names the file, so that it may be any. The size of a text; 0: it has none, as what never ends, and what
 * waits for a writer. */
static size_t size_of_text(const char *path)
{
    struct stat status;
    bool const is_text = stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= SOURCE_MOST;
    return is_text ? (size_t)status.st_size : 0;
}

/* The checksum of ufc: FNV-1a of the text without a byte order mark. */
static bool read_checksum(const char *path, uint64_t *checksum)
{
    size_t const size = size_of_text(path);
    text t;
    if (!size || !read_file(path, size, &t)) return false;
    size_t const mark = t.length >= 3 && memcmp(t.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = mark; i < t.length; i++)
        *checksum = (*checksum ^ (unsigned char)t.bytes[i]) * UINT64_C(0x100000001b3);
    free(t.bytes);
    return true;
}

/* The current one of files[first..end), which have the same name: that with the text of the source, or the last. */
static void choose(cov_data *data, size_t first, size_t end)
{
    char *const path = cov_source_path(data, &data->files[first]);
    uint64_t checksum = 0;
    bool const is_there = read_checksum(path, &checksum);
    size_t chosen = end;

    for (size_t i = first; i < end; i++) {
        if (is_there && data->files[i].checksum == checksum) chosen = i;
    }
    if (is_there && chosen == end)
        fprintf(stderr, "uflow-cov: %s has changed since the program was built: lines are of the old text\n",
                tool_make_printable(path));
    if (chosen == end) chosen = end - 1;
    data->files[chosen].is_current = true;
    if (end - first > 1)
        fprintf(stderr, "uflow-cov: counts of %s with another text are left out\n", data->files[first].shown);
    free(path);
}

static void sort_points(cov_file *file)
{
    cov_point *const sorted = tool_resize(NULL, file->count, sizeof *sorted);
    size_t count = 0;

    for (size_t at = file->first; at; at = file->points[at - 1].next) sorted[count++] = file->points[at - 1];
    free(file->points);
    file->points = sorted;
    if (!is_in_order(file)) tool_die("counts of %s contradict each other", file->name);
}

/* The order of texts of a name tells which is the newest. */
static int by_name(const void *left, const void *right)
{
    cov_file const *const a = left, *const b = right;
    int const order = strcmp(a->name, b->name);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

void cov_choose(cov_data *data)
{
    for (size_t i = 0; i < data->count; i++) sort_points(&data->files[i]);
    if (data->count) qsort(data->files, data->count, sizeof *data->files, by_name);
    for (size_t first = 0, end; first < data->count; first = end) {
        for (end = first + 1; end < data->count && strcmp(data->files[first].name, data->files[end].name) == 0;) end++;
        choose(data, first, end);
    }
}

void cov_free(cov_data *data)
{
    for (size_t i = 0; i < data->count; i++) free_file(&data->files[i]);
    free(data->files);
    tool_table_free(&data->latest);
}
