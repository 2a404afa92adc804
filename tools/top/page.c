/* SPDX-License-Identifier: MIT */
/* page.c - what is shown, as lines of text: the state of the runtime, the table, and the details of a flow. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

#define LINE 1024

static top_line *add(top_page *page, top_style style, const char *format, ...) __attribute__((format(printf, 3, 4)));

static top_line *add(top_page *page, top_style style, const char *format, ...)
{
    char text[LINE];
    va_list arguments;

    if (page->count == page->capacity) {
        page->capacity = page->capacity ? page->capacity * 2 : 64;
        page->lines = tool_resize(page->lines, page->capacity, sizeof *page->lines);
    }
    va_start(arguments, format);
    text[0] = '\0';
    top_append_list(text, sizeof text, format, arguments);
    va_end(arguments);
    tool_make_printable(text);
    top_line *const line = &page->lines[page->count++];
    *line = (top_line){.text = tool_copy(text, strlen(text)), .style = style, .row = -1};
    return line;
}

void top_page_clear(top_page *page)
{
    for (size_t i = 0; i < page->count; i++) free(page->lines[i].text);
    page->count = 0;
}

/* The number of columns of a text in UTF-8, where each character has one. */
static int columns_of(const char *text)
{
    int columns = 0;
    for (; *text; text++) columns += (*text & 0xc0) != 0x80;
    return columns;
}

/* printf() counts bytes: the width that gives this many columns. */
static int padded(const char *text, int columns)
{
    return columns + (int)strlen(text) - columns_of(text);
}

/* -- the state ----------------------------------------------------------------------------------------------------- */

static void add_silence(top_page *page, const json_t *runtime)
{
    char text[LINE], age[TOP_TIME];

    top_silence_text(runtime, text, sizeof text);
    add(page, TOP_ALERT, "%s", text);
    if (json_object_get(runtime, "age"))
        add(page, TOP_ALERT, "what follows was so %s ago, at the last answer",
            top_time(age, top_number(runtime, "age")));
}

/* The runtime has not answered since the first viewer came: others know more. */
static void add_ways_out(top_page *page, const json_t *document, const char *socket)
{
    bool const is_recorded = top_truth(document, "is_recorded");

    add(page, TOP_ALERT, "the runtime has not answered since a viewer came: %s",
        is_recorded ? "what follows is what the recorder knows" : "nothing is known of the flows");
    add(page, TOP_PLAIN, "    where the step is    gdb -p %.0f", top_number(document, "process"));
    add(page, TOP_PLAIN, "    what flows did       uflow-top --trace=FILE %s, then uflow-trace FILE", socket);
}

/* Takes two lines if one is too narrow: the wait must not be truncated. */
static void add_member(top_page *page, const json_t *member, unsigned width)
{
    char text[LINE];

    top_write(text, sizeof text, "    %s  %s.%s:%.0f", top_string(member, "flow"), top_string(member, "task"),
              top_string(member, "step"), top_number(member, "line"));
    char const *const waits = top_string(member, "waits");
    bool const fits = (unsigned)(columns_of(text) + 2 + columns_of(waits)) <= width;
    add(page, TOP_ALERT, "%s%s%s", text, fits ? "  " : "", fits ? waits : "");
    if (!fits) add(page, TOP_ALERT, "        %s", waits);
}

/* The flows that wait for a cycle, by their paths. */
static void add_behind(top_page *page, const top_model *model, size_t cycle)
{
    char text[160] = "";
    size_t count = 0, named = 0;

    for (size_t i = 0; i < model->count; i++) count += model->rows[i].behind == cycle && !model->rows[i].in_cycle;
    for (size_t i = 0; i < model->count; i++) {
        top_row const *const row = &model->rows[i];
        if (row->behind != cycle || row->in_cycle) continue;
        if (strlen(text) + strlen(row->path) + 2 > sizeof text - 20) break;
        top_append(text, sizeof text, "%s%s", named++ ? ", " : "", row->path);
    }
    if (count > named) top_append(text, sizeof text, " and %zu more", count - named);
    if (count > 0) add(page, TOP_ALERT, "    and %zu more wait%s for them: %s", count, count == 1 ? "s" : "", text);
}

static void add_cycles(top_page *page, const top_model *model, unsigned width)
{
    size_t i, j;
    json_t *cycle, *member;

    json_array_foreach(json_object_get(model->document, "cycles"), i, cycle)
    {
        if (json_array_size(cycle) == 1) add(page, TOP_ALERT, "this flow waits for itself:");
        else add(page, TOP_ALERT, "these %zu flows wait for each other:", json_array_size(cycle));
        json_array_foreach(cycle, j, member) add_member(page, member, width);
        add_behind(page, model, i + 1);
    }
}

/* How far back the events go, by which failures and steps are counted. */
static void add_events(top_page *page, const json_t *document)
{
    json_t const *const since = json_object_get(document, "events_since");
    double const lost = top_number(document, "events_lost");
    char passed[TOP_TIME];

    if (since && json_object_get(json_object_get(document, "runtime"), "time"))
        add(page, TOP_DIM, "failures and steps are counted by the events of the last %s",
            top_time(passed, top_number(json_object_get(document, "runtime"), "time") - json_number_value(since)));
    if (lost > 0)
        add(page, TOP_DIM, "%.0f event%s %s lost: the recorder needs more memory", lost, top_plural(lost),
            lost == 1 ? "was" : "were");
}

static void add_counters(top_page *page, const json_t *document)
{
    json_t const *const rounds = json_object_get(document, "rounds");
    char mean[TOP_TIME], most[TOP_TIME];

    if (!rounds) return;
    add(page, TOP_PLAIN, "rounds with work: %.0f, mean %s, longest %s; posts: %.0f", top_number(rounds, "count"),
        top_time(mean, top_number(rounds, "mean")), top_time(most, top_number(rounds, "max")),
        top_number(json_object_get(document, "posts"), "count"));
}

/* These jobs hold a thread of the pool. */
static void add_given_up(top_page *page, const json_t *document)
{
    size_t i;
    json_t *job;
    char time[TOP_TIME];

    json_array_foreach(json_object_get(json_object_get(document, "pool"), "given_up"), i, job)
    {
        char const *const flow = top_string(job, "flow");
        add(page, TOP_ALERT, "a worker function of a job that was given up still runs: %s for %s, submitted %s ago",
            top_string(job, "worker"), *flow ? flow : "a flow that is gone",
            top_time(time, top_number(job, "submitted")));
    }
}

/* Omits the parts that are not known. */
static void add_title(top_page *page, const top_model *model)
{
    json_t const *const document = model->document, *const runtime = json_object_get(document, "runtime");
    json_t const *const jobs_in_flight = json_object_get(json_object_get(document, "pool"), "in_flight");
    double const running = top_number(runtime, "running"), jobs = json_number_value(jobs_in_flight);
    char text[LINE];
    size_t failed = 0;

    for (size_t i = 0; i < model->count; i++) failed += model->rows[i].failed;
    top_write(text, sizeof text, "%s  process %.0f", top_string(runtime, "name"), top_number(document, "process"));
    if (json_object_get(runtime, "round")) top_append(text, sizeof text, "  round %.0f", top_number(runtime, "round"));
    if (json_object_get(document, "flows"))
        top_append(text, sizeof text, "  %.0f of %zu flow%s run%s", running, model->count,
                   top_plural((double)model->count), running == 1 ? "s" : "");
    if (jobs_in_flight) top_append(text, sizeof text, "  %.0f job%s in flight", jobs, top_plural(jobs));
    if (json_object_get(document, "flows"))
        top_append(text, sizeof text, "  %zu flow%s failed", failed, top_plural((double)failed));
    add(page, TOP_TITLE, "%s", text);
}

void top_page_state(top_page *page, const top_model *model, const top_options *options, unsigned width)
{
    json_t const *const document = model->document, *const runtime = json_object_get(document, "runtime");

    add_title(page, model);
    if (top_truth(runtime, "stopping")) add(page, TOP_ALERT, "a stop has begun");
    if (top_truth(runtime, "frozen")) add(page, TOP_ALERT, "logical time is frozen");
    if (!top_truth(runtime, "responds")) add_silence(page, runtime);
    if (!json_object_get(document, "flows") || top_truth(document, "is_recorded"))
        add_ways_out(page, document, options->socket);
    if (top_truth(document, "is_cut")) add(page, TOP_ALERT, "there are more flows than are shown");
    add_events(page, document);
    add_counters(page, document);
    add_given_up(page, document);
    add_cycles(page, model, width);
    if (*options->filter) add(page, TOP_DIM, "only with \"%s\"", options->filter);
    add(page, TOP_PLAIN, "%s", "");
}

/* -- the table ----------------------------------------------------------------------------------------------------- */

static const char *shown_name(const top_row *row, bool tree)
{
    size_t const upper = strlen(row->parent);
    return tree && row->depth > 0 && strncmp(row->path, row->parent, upper) == 0 ? row->path + upper : row->path;
}

static int widest(const top_model *model, bool tree, int least, int most)
{
    int width = least;

    for (size_t i = 0; i < model->shown_count; i++) {
        top_row const *const row = model->shown[i];
        int const columns = columns_of(shown_name(row, tree)) + 2 * (tree ? (int)row->depth : 0);
        if (columns > width) width = columns;
    }
    return width < most ? width : most;
}

static int widest_position(const top_model *model, int least, int most)
{
    int width = least;

    for (size_t i = 0; i < model->shown_count; i++) {
        int const columns = columns_of(model->shown[i]->position);
        if (columns > width) width = columns;
    }
    return width < most ? width : most;
}

static void add_flows(top_page *page, const top_model *model, const top_options *options, unsigned width)
{
    int const names = widest(model, options->tree, 4, width > 110 ? 48 : 28);
    int const positions = widest_position(model, 4, width > 110 ? 40 : 24);

    add(page, TOP_HEAD, "%-*s  %-*s  %9s %6s %5s  %s", names, "FLOW", positions, "STEP", "FOR", "RUNS", "FAIL",
        "WAITS FOR");
    for (size_t i = 0; i < model->shown_count; i++) {
        top_row const *const row = model->shown[i];
        char const *const name = shown_name(row, options->tree);
        int const indent = options->tree ? 2 * (int)row->depth : 0;
        char time[TOP_TIME] = "", failures[24] = "", runs[24] = "";
        if (row->running) top_time(time, row->in_step);
        else if (row->ended >= 0) top_time(time, row->ended);
        if (json_object_get(row->flow, "runs")) snprintf(runs, sizeof runs, "%.0f", row->runs);
        if (row->failures > 0) snprintf(failures, sizeof failures, "%.0f", row->failures);
        top_line *const line = add(page,
                                   row->in_cycle  ? TOP_ALERT
                                   : row->running ? TOP_PLAIN
                                                  : TOP_DIM,
                                   "%*s%-*s  %-*s  %9s %6s %5s  %s", indent, "", padded(name, names - indent), name,
                                   padded(row->position, positions), row->position, time, runs, failures, row->waits);
        line->row = (int)i;
    }
}

static void add_steps(top_page *page, const top_model *model, const char *filter)
{
    size_t i;
    json_t *step;
    char name[LINE];

    add(page, TOP_HEAD, "%10s %10s %10s %10s %10s  %s", "RUNS", "VISITS", "NOW", "TIME", "LONGEST", "STEP");
    json_array_foreach(json_object_get(model->document, "steps"), i, step)
    {
        char total[TOP_TIME], longest[TOP_TIME];
        top_write(name, sizeof name, "%s  %s.%s:%.0f", top_string(step, "flow"), top_string(step, "task"),
                  top_string(step, "step"), top_number(step, "line"));
        if (!strcasestr(name, filter)) continue;
        add(page, TOP_PLAIN, "%10.0f %10.0f %10.0f %10s %10s  %s", top_number(step, "ticks"),
            top_number(step, "visits"), top_number(step, "running"), top_time(total, top_number(step, "total")),
            top_time(longest, top_number(step, "longest")), name);
    }
}

void top_page_table(top_page *page, const top_model *model, const top_options *options, unsigned width)
{
    if (options->steps) add_steps(page, model, options->filter);
    else if (json_object_get(model->document, "flows")) add_flows(page, model, options, width);
}

/* -- one flow ------------------------------------------------------------------------------------------------------ */

static void add_waits(top_page *page, const json_t *flow)
{
    size_t i;
    json_t *wait;
    char text[192];

    json_array_foreach(json_object_get(flow, "waits"), i, wait)
    {
        top_wait_text(wait, text, sizeof text);
        add(page, TOP_PLAIN, "    waits for  %s", text);
    }
    if (top_number(flow, "waits_cut") > 0)
        add(page, TOP_PLAIN, "    waits for  %.0f more", top_number(flow, "waits_cut"));
}

static void add_history(top_page *page, const top_row *row)
{
    json_t const *const flow = row->flow;
    json_t const *const failure = json_object_get(flow, "last_failure");
    size_t i;
    json_t *pool;

    if (row->done + row->failures + row->cancelled > 0)
        add(page, TOP_PLAIN, "    ended      %.0f done, %.0f failed, %.0f cancelled", row->done, row->failures,
            row->cancelled);
    if (failure)
        add(page, TOP_PLAIN, "    failed in  %s.%s:%.0f: %s", top_string(failure, "task"), top_string(failure, "step"),
            top_number(failure, "line"), top_string(failure, "reason"));
    json_array_foreach(json_object_get(flow, "pools"), i, pool)
    {
        add(page, TOP_PLAIN, "    pool       %s: %.0f of %.0f busy", top_string(pool, "name"), top_number(pool, "busy"),
            top_number(pool, "limit"));
    }
    if (top_number(flow, "pools_cut") > 0)
        add(page, TOP_PLAIN, "    pool       and %.0f more", top_number(flow, "pools_cut"));
}

void top_page_flow(top_page *page, const top_row *row)
{
    char time[TOP_TIME], text[LINE];

    add(page, TOP_HEAD, "%s  flow %s of %s", row->path, top_string(row->flow, "flow"), top_string(row->flow, "source"));
    top_write(text, sizeof text, "    %s", row->position);
    if (json_object_get(row->flow, "ordinal"))
        top_append(text, sizeof text, "  #%02.0f", top_number(row->flow, "ordinal"));
    if (row->running) top_append(text, sizeof text, "  for %s", top_time(time, row->in_step));
    if (json_object_get(row->flow, "paused"))
        top_append(text, sizeof text, "  paused for %s", top_time(time, top_number(row->flow, "paused")));
    if (json_object_get(row->flow, "keeping")) top_append(text, sizeof text, "  %s", top_string(row->flow, "keeping"));
    if (json_object_get(row->flow, "keeping_for"))
        top_append(text, sizeof text, " for %s", top_time(time, top_number(row->flow, "keeping_for")));
    if (row->ended >= 0) top_append(text, sizeof text, "  %s ago", top_time(time, row->ended));
    add(page, TOP_PLAIN, "%s  %s", text, top_string(row->flow, row->running ? "description" : "reason"));
    add_waits(page, row->flow);
    add_history(page, row);
}
