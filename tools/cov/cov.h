/* SPDX-License-Identifier: MIT */
/* cov.h - the parts of uflow-cov: data in memory, and the outputs that are made of them. */
#ifndef UFLOW_COV_H
#define UFLOW_COV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memory.h"
#include "text.h"

/* -- kinds of points ----------------------------------------------------------------------------------------------- */

typedef enum cov_group {
    GROUP_NONE,
#define GROUP(id, title) GROUP_##id,
#include "kinds.def"
    GROUP_COUNT
} cov_group;

typedef enum cov_kind {
#define KIND(id, word, group, inside, traits) KIND_##id,
#include "kinds.def"
    KIND_COUNT
} cov_kind;

enum { IN_FILE = 1, IN_FLOW = 2, IN_TASK = 4, IN_STEP = 8 };
enum { EDGE = 1, LINE = 2, BRANCH = 4 };

typedef struct cov_kind_info {
    const char *word;
    cov_group group;
    unsigned inside, traits;
} cov_kind_info;

extern const cov_kind_info cov_kinds[KIND_COUNT];
extern const char *const cov_groups[GROUP_COUNT]; /* titles */

/* -- data ---------------------------------------------------------------------------------------------------------- */

typedef struct cov_point {
    uint64_t count, again; /* of a step: the further runs of its body */
    uint32_t place, line;  /* the place tells the points of a file apart, and has their order */
    cov_kind kind;
    const char *label, *target; /* printable */
} cov_point;

/* A .uflow file, with its points in source order. */
typedef struct cov_file {
    const char *name; /* printable */
    uint64_t checksum;
    bool is_current; /* among the texts that the file has had, the one that is shown */
    cov_point *points;
    size_t count, number; /* of points; of the file among all in the data */
} cov_file;

typedef struct cov_data {
    cov_file *files;
    size_t count, current; /* cov_choose() puts the current ones first */
    char **texts;          /* of data files; all else points there */
    size_t text_count;
    const char *source_directory; /* or NULL */
} cov_data;

/* data.c: reads the records of a data file. Damaged ones are reported and left out. cov_choose() adds those of the same
 * text, and finds out which texts are current; it reports counts of others. */
void cov_read(cov_data *data, const char *path);
void cov_choose(cov_data *data);
void cov_free(cov_data *data);

/* Prints the name of a .uflow file, below the source directory. */
void cov_print_path(FILE *out, const cov_data *data, const cov_file *file, void (*print)(FILE *, const char *));

/* The flow, task and step in which a point is; NULL: in none. */
typedef struct cov_place {
    const cov_point *in[3];
} cov_place;
void cov_follow(cov_place *place, const cov_point *point); /* the next one, in source order */
void cov_print_plain(FILE *out, const char *text);
void cov_print_place(FILE *out, const cov_place *place, void (*print)(FILE *, const char *)); /* Picker.Pick.Grip */

/* How often the body of a step ran; that of a handler, how often it was called. */
uint64_t cov_runs(const cov_point *point);

/* What tests have to reach, and have reached. */
typedef struct cov_share {
    size_t points, taken;
} cov_share;
bool cov_is_counted(const cov_point *point);
void cov_add(cov_share *to, const cov_point *point);
double cov_percent(cov_share share); /* without points, 100 */
cov_share cov_share_of(const cov_data *data);

/* Returns: the points with a trait in the order of their lines, behind them NULL. Allocated. */
const cov_point **cov_by_line(const cov_file *file, unsigned trait);

/* Skips the points of a line. Returns: the largest of their counts: of a step and its only `next`, for example. */
uint64_t cov_line_count(const cov_point *const **at);

/* -- outputs ------------------------------------------------------------------------------------------------------- */

typedef void cov_output(const cov_data *data, FILE *out);
cov_output cov_text, cov_lcov, cov_gcovr, cov_gcovr_5, cov_json, cov_merged;

void cov_print_json(FILE *out, const char *text);    /* with quotes */
void cov_print_escaped(FILE *out, const char *text); /* what stands between the quotes of a JSON string */

#endif
