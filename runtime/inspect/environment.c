/* SPDX-License-Identifier: MIT */
/* environment.c - shows a runtime in the ways that variables of the environment name: see uf_environment. */
#include "uflow/console.h"
#include "uflow/inspect.h"
#include "uflow/recorder_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "port_socket.h"

#define RECORD_SIZE     ((size_t)4 << 20)
#define RECORD_OBJECTS  4000
#define RECORD_INTERVAL UF_MS(200)
#define PATH_SIZE       4096

/* What one runtime shows. A NULL of `console.out`, `trace` or `inspect`: not in this way. */
typedef struct shown {
    uf_runtime *runtime;
    uf_console console;
    uf_inspect *inspect;

    FILE *trace;
    uf_recorder recorder;
    uf_recorder_cursor cursor;
    ufp_thread writer;
    ufp_mutex mutex;
    ufp_condition wakeup;
    bool ends; /* with the mutex */
    unsigned char memory[RECORD_SIZE];
} shown;

/* A program does not fail because it cannot be shown. */
static void complain(const char *variable, const char *path, const char *reason)
{
    char text[1024];
    int const length = snprintf(text, sizeof text, "uflow: %s: %.700s: %.200s\n", variable, path, reason);
    if (length > 0) ufp_print_error(text, (size_t)length);
}

static void complain_of(const char *variable, const char *path, int error)
{
    char text[128];
    ufp_error_text(error, text, sizeof text);
    complain(variable, path, text);
}

/* -- names of files ------------------------------------------------------------------------------------------------ */

static int put_conversion(char *to, size_t room, char what, const uf_runtime *runtime)
{
    if (what == 'p') return snprintf(to, room, "%lu", (unsigned long)ufp_process());
    if (what == 'i') return snprintf(to, room, "%lu", (unsigned long)uf_runtime_index(runtime));
    if (what != 'n') return snprintf(to, room, "%s%c", what == '%' ? "" : "%", what);
    int const length = snprintf(to, room, "%s", uf_runtime_configuration(runtime)->name);
    for (char *c = to; *c; c++)
        if (*c == '/' || *c == ' ') *c = '_';
    return length;
}

/* Reads a variable. Returns: false if it is not set, or after a complaint. */
static bool path_of(const char *variable, const uf_runtime *runtime, char path[PATH_SIZE])
{
    char const *from = ufp_environment(variable);
    size_t at = 0;

    if (!from || !*from) return false;
    for (char const *all = from; *from; from++) {
        bool const converts = *from == '%' && from[1];
        if (converts) at += (size_t)put_conversion(path + at, PATH_SIZE - at, *++from, runtime);
        else path[at++] = *from;
        if (at < PATH_SIZE - 1) continue;
        complain(variable, all, "the path is too long");
        return false;
    }
    path[at] = '\0';
    return true;
}

/* -- the three ways ------------------------------------------------------------------------------------------------ */

static void show_console(shown *s)
{
    char path[PATH_SIZE];

    if (!path_of("UFLOW_CONSOLE", s->runtime, path)) return;
    FILE *const stream = strcmp(path, "stderr") == 0 ? stderr : strcmp(path, "stdout") == 0 ? stdout : NULL;
    if ((stream ? uf_console_init(&s->console, stream) : uf_console_open(&s->console, path)) != UF_OK)
        complain_of("UFLOW_CONSOLE", path, errno);
    else (void)uf_runtime_add_observer(s->runtime, &s->console.observer);
}

/* Waits for the next time to write. Returns: false if this is the last one. */
static bool wait_to_write(shown *s)
{
    int64_t const next = ufp_monotonic_now() + RECORD_INTERVAL;

    ufp_mutex_lock(&s->mutex);
    while (!s->ends && ufp_condition_wait(&s->wakeup, &s->mutex, next)) {}
    bool const ends = s->ends;
    ufp_mutex_unlock(&s->mutex);
    return !ends;
}

static void write_trace(void *context)
{
    shown *const s = context;
    bool goes_on = true, is_good = true;

    ufp_thread_name("uflow record");
    while (goes_on) {
        goes_on = wait_to_write(s);
        bool const written = uf_recorder_write(&s->recorder, &s->cursor, s->trace) && fflush(s->trace) == 0;
        if (is_good && !written) complain_of("UFLOW_RECORD", "the trace is not complete", errno);
        is_good = written;
    }
}

/* Returns: an errno. */
static int start_writer(shown *s)
{
    int error = ufp_mutex_init(&s->mutex);
    if (error) return error;
    error = ufp_condition_init(&s->wakeup);
    if (error) goto no_condition;
    error = ufp_thread_start(&s->writer, (ufp_thread_options){.stack_size = 0}, write_trace, s);
    if (!error) return 0;
    ufp_condition_destroy(&s->wakeup);
no_condition:
    ufp_mutex_destroy(&s->mutex);
    return error;
}

static void show_recorder(shown *s)
{
    char path[PATH_SIZE];

    if (!path_of("UFLOW_RECORD", s->runtime, path)) return;
    s->trace = fopen(path, "wb");
    int error = s->trace ? 0 : errno;
    (void)uf_recorder_init(&s->recorder, uf_runtime_pump(s->runtime), s->memory, sizeof s->memory, RECORD_OBJECTS);
    if (!error) error = start_writer(s);
    if (!error) {
        (void)uf_runtime_add_observer(s->runtime, &s->recorder.observer);
        return;
    }
    complain_of("UFLOW_RECORD", path, error);
    if (s->trace) (void)fclose(s->trace);
    s->trace = NULL;
}

static void show_socket(shown *s)
{
    char path[PATH_SIZE];
    uf_inspect_config const config = {.recorder = s->trace ? &s->recorder : NULL};

    if (!path_of("UFLOW_INSPECT", s->runtime, path)) return;
    uf_status const status = uf_inspect_listen(&s->inspect, s->runtime, path, &config);
    if (status == UF_NO_THREAD) complain_of("UFLOW_INSPECT", path, errno);
    else if (status != UF_OK) complain("UFLOW_INSPECT", path, uf_status_text(status));
}

/* -- beginning and end --------------------------------------------------------------------------------------------- */

static void *begin(uf_runtime *runtime)
{
    static char const *const variables[] = {"UFLOW_CONSOLE", "UFLOW_RECORD", "UFLOW_INSPECT"};
    bool is_wanted = false;

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        char const *const value = ufp_environment(variables[i]);
        is_wanted |= value && *value;
    }
    shown *const s = is_wanted ? ufp_allocate(sizeof *s) : NULL;
    if (is_wanted && !s) complain("UFLOW_…", uf_runtime_configuration(runtime)->name, uf_status_text(UF_NO_MEMORY));
    if (!s) return NULL;
    s->runtime = runtime;
    show_console(s);
    show_recorder(s);
    show_socket(s);
    return s;
}

static void end_recorder(shown *s)
{
    (void)uf_runtime_remove_observer(s->runtime, &s->recorder.observer);
    ufp_mutex_lock(&s->mutex);
    s->ends = true;
    ufp_condition_signal_and_unlock(&s->wakeup, &s->mutex);
    ufp_thread_join(&s->writer);
    ufp_condition_destroy(&s->wakeup);
    ufp_mutex_destroy(&s->mutex);
    (void)fclose(s->trace); /* the thread has flushed it */
}

static void end(void *opened)
{
    shown *const s = opened;

    if (s->inspect) (void)uf_inspect_close(s->inspect);
    if (s->trace) end_recorder(s);
    if (s->console.out) (void)uf_runtime_remove_observer(s->runtime, &s->console.observer);
    if (s->console.out) (void)uf_console_close(&s->console);
    ufp_free(s);
}

const uf_environment_hooks uf_environment = {.begin = begin, .end = end};
