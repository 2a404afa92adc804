/* cov.h - the parts of uflow-cov: data in memory, and the outputs that are made of them. */
#ifndef UFLOW_COV_H
#define UFLOW_COV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memory.h"
#include "table.h"
#include "text.h"

/* -- kinds of points ----------------------------------------------------------------------------------------------- */

typedef enum cov_group {
    GROUP_NONE,
#define GROUP(id, title) GROUP_##id,
#include "kinds.def"
    GROUP_COUNT
} cov_group;

typedef enum cov_kind {
#define KIND(id, word, group, traits) KIND_##id,
#include "kinds.def"
    KIND_COUNT
} cov_kind;

enum { EDGE = 1, LINE = 2, BRANCH = 4 };

typedef struct cov_kind_info {
    const char *word;
    cov_group group;
    unsigned traits;
} cov_kind_info;

extern const cov_kind_info cov_kinds[KIND_COUNT];
extern const char *const cov_groups[GROUP_COUNT]; /* titles */

/* -- data ---------------------------------------------------------------------------------------------------------- */

typedef struct cov_point {
    uint64_t count;
    uint32_t counter, line; /* the counter is its key in the file */
    cov_kind kind;
    char *label, *target;
    size_t next; /* until cov_choose(): the point behind it, from 1 on; 0: it is the last one */
} cov_point;

/* A .uflow file, with its points in source order, once cov_choose() has sorted them. */
typedef struct cov_file {
    char *name, *shown; /* the other one is printable */
    uint64_t checksum;
    bool is_current; /* among the texts that the file has had, the one that is shown */
    cov_point *points;
    size_t count, first;   /* the first point in source order, from 1 on */
    tool_table by_counter; /* the points, from 1 on */
    size_t number, before; /* among all files, from 1 on; the one before it that may be the same, or 0 */
} cov_file;

typedef struct cov_data {
    cov_file *files; /* those of the same name and text are one */
    size_t count;
    tool_table latest;            /* of the files with a name and checksum: its number */
    const char *source_directory; /* or NULL */
} cov_data;

/* data.c: reads a data file, and adds it. Damaged records are reported and left out. cov_choose() finds out which texts
 * are current; it reports counts of others. Sorts by name. */
void cov_read(cov_data *data, const char *path);
void cov_choose(cov_data *data);
void cov_free(cov_data *data);

/* The name of a .uflow file, below the source directory. Allocated. */
char *cov_source_path(const cov_data *data, const cov_file *file);
void cov_print_path(FILE *out, const cov_data *data, const cov_file *file, void (*print)(FILE *, const char *));

/* Where a point is; `task` or `step` may be NULL. */
typedef struct cov_place {
    const cov_point *flow, *task, *step;
} cov_place;
void cov_follow(cov_place *place, const cov_point *point); /* the next one, in source order */
void cov_print_plain(FILE *out, const char *text);
void cov_print_place(FILE *out, const cov_place *place, void (*print)(FILE *, const char *)); /* Picker.Pick.Grip */

/* How often the body of a step ran; that of a handler, how often it was called. */
uint64_t cov_runs(const cov_point *point);

/* Does a test have to reach it? */
bool cov_is_counted(const cov_point *point);

/* -- lines, for other tools ---------------------------------------------------------------------------------------- */

typedef struct cov_line {
    uint32_t number;
    uint64_t count;
} cov_line;

/* Returns: the lines of a file in order, allocated. */
cov_line *cov_lines(const cov_file *file, size_t *count);

/* Was what contains the branch reached? */
bool cov_is_reached(const cov_place *place);

/* -- outputs ------------------------------------------------------------------------------------------------------- */

typedef void cov_output(const cov_data *data, FILE *out);
cov_output cov_text, cov_lcov, cov_gcovr, cov_gcovr_5, cov_json, cov_merged;

void cov_print_json(FILE *out, const char *text);    /* with quotes */
void cov_print_escaped(FILE *out, const char *text); /* what stands between the quotes of a JSON string */
/* The share that was taken, in percent; without points, 100. */
double cov_percent(const cov_data *data);

#endif
