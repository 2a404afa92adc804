/* SPDX-License-Identifier: MIT */
/* top.h - uflow-top: a view of a running process. */
#ifndef UFLOW_TOP_H
#define UFLOW_TOP_H

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"
#include "text.h"
#include "uflow/priv/duration.h"

/* -- options.c ----------------------------------------------------------------------------------------------------- */

typedef enum top_sort { TOP_BY_PATH, TOP_BY_STEP_TIME, TOP_BY_RUNS, TOP_BY_FAILURES, TOP_BY_NONE, TOP_SORTS } top_sort;
extern const char *const top_sort_names[TOP_SORTS];

typedef struct top_options {
    const char *socket, *follow, *trace;
    bool once, json, prometheus;
    double delay;
    /* The page; changed by keys. */
    top_sort sort;
    bool tree, steps;
    char filter[128];
} top_options;

top_options top_read_options(int argc, char **argv);

/* -- socket.c ------------------------------------------------------------------------------------------------------ */

/* Sends a request. Returns: the connection; -1, with errno. */
int top_ask(const char *socket, const char *request);

/* Reads the whole answer of at most this many bytes. A NUL follows it, which does not count. Returns: NULL, and the
 * text of the error. */
#define TOP_ERROR     256
#define TOP_TEXT_MOST ((size_t)64 << 20)
char *top_fetch(const char *socket, const char *request, size_t most, size_t *length, char error[TOP_ERROR]);

/* Does an answer begin with an error of the process? */
bool top_is_refusal(const char *answer);

/* Reads the answer as a JSON document. Returns: NULL, and the text of the error. */
json_t *top_fetch_document(const char *socket, char error[TOP_ERROR]);

/* Writes the trace to a file. Returns: false, and the text of the error. */
bool top_write_trace(const char *socket, const char *path, char error[TOP_ERROR]);

/* The text of an errno for users. */
void top_explain(const char *socket, int error_number, char error[TOP_ERROR]);

/* -- text.c -------------------------------------------------------------------------------------------------------- */

/* The text of a duration: see uf_duration_text(). Returns: the buffer. */
#define TOP_TIME UF_DURATION_SIZE
const char *top_time(char buffer[TOP_TIME], double seconds);

/* A string, number or truth of an object; "", 0 or false if it has none. */
const char *top_string(const json_t *object, const char *key);
double top_number(const json_t *object, const char *key);
bool top_truth(const json_t *object, const char *key);

/* A wait of a flow as text, such as "room in zone of cell.right" or "timeout in 3s". */
void top_wait_text(const json_t *wait, char *text, size_t size);

/* The data about a runtime that does not respond. */
void top_silence_text(const json_t *runtime, char *text, size_t size);

/* "s" after any number but 1. */
const char *top_plural(double count);

#if defined(__GNUC__)
#define TOP_FORMAT __attribute__((format(printf, 3, 4)))
#else
#define TOP_FORMAT
#endif
/* Writes, or appends, a formatted text. If it is cut to `size`, it ends with "...". */
void top_write(char *text, size_t size, const char *format, ...) TOP_FORMAT;
void top_append(char *text, size_t size, const char *format, ...) TOP_FORMAT;
void top_append_list(char *text, size_t size, const char *format, va_list arguments);

/* -- model.c, order.c ---------------------------------------------------------------------------------------------- */

#define TOP_WAITS 512

typedef struct top_row {
    const json_t *flow;
    const char *path, *parent;
    double in_step, runs;
    double ended;                     /* so long ago; -1: it runs, or that is not known */
    double done, failures, cancelled; /* known ended runs: at least the last one */
    bool running, failed, in_cycle, is_walked;
    unsigned depth;
    char position[160]; /* Task.Step:12, or the outcome */
    char waits[TOP_WAITS];
    const char *awaited; /* path of the first flow that it waits for; NULL: none */
    size_t behind;       /* in a cycle, or waits for a flow that is: its number, from 1 on; 0: neither */
    /* The row's place in the tree. */
    struct top_row *child, *sibling;
} top_row;

typedef struct top_model {
    json_t *document;
    top_row *rows; /* in the order of the document */
    size_t count;
    top_row **shown; /* sorted and filtered */
    size_t shown_count;
} top_model;

/* Takes the document over. */
void top_model_set(top_model *model, json_t *document);
void top_model_free(top_model *model);
/* Sorts and filters. */
void top_model_order(top_model *model, const top_options *options);

/* -- page.c -------------------------------------------------------------------------------------------------------- */

typedef enum top_style { TOP_PLAIN, TOP_TITLE, TOP_ALERT, TOP_HEAD, TOP_DIM } top_style;

typedef struct top_line {
    char *text;
    top_style style;
    int row; /* of a flow: its index in `shown`; otherwise -1 */
} top_line;

typedef struct top_page {
    top_line *lines;
    size_t count, capacity;
} top_page;

/* The lines above the table; and the table with its head. */
void top_page_state(top_page *page, const top_model *model, const top_options *options, unsigned width);
void top_page_table(top_page *page, const top_model *model, const top_options *options, unsigned width);
/* All that is known of one flow. */
void top_page_flow(top_page *page, const top_row *row);
void top_page_clear(top_page *page);

/* -- follow.c ------------------------------------------------------------------------------------------------------ */

/* A line of the socket as text. */
void top_follow_text(const char *line, char *text, size_t size);
/* Prints lines until the process ends. Returns: the exit status. */
int top_follow(const top_options *options);

/* -- screen.c ------------------------------------------------------------------------------------------------------ */

/* Returns: the exit status. */
int top_screen(top_options *options);

#endif
