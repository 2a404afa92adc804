/* SPDX-License-Identifier: MIT */
/* uflow-lsp: the language server of .uflow files. Messages wait in a queue, so that a request can be cancelled, and so
 * that diagnostics are computed once for several changes that came together. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lsp.h"
#include "memory.h"

enum { INVALID_REQUEST = -32600, PARSE_ERROR = -32700, CANCELLED = -32800 };

typedef struct waiting {
    struct waiting *next;
    json_t *message;
    bool is_cancelled;
} waiting;

typedef struct queue {
    waiting *first, **end;
} queue;

static void send_error(json_t *id, int code, const char *text)
{
    transport_send(json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id, "error", "code", code, "message",
                             json_text_of(text, strlen(text))));
}

static void cancel(const queue *q, const json_t *id)
{
    for (waiting *w = q->first; w; w = w->next) {
        json_t *const other = json_object_get(w->message, "id");
        if (other && json_equal(other, id)) w->is_cancelled = true;
    }
}

/* Takes a message that came. Malformed ones are answered at once. */
static void take(queue *q, json_t *message)
{
    if (!json_is_object(message) || (!json_is_string(json_object_get(message, "method")) &&
                                     !json_object_get(message, "result") && !json_object_get(message, "error"))) {
        send_error(json_null(), INVALID_REQUEST, "this is no request: it has no method");
        json_decref(message);
        return;
    }
    if (strcmp(text_member(message, "method"), "$/cancelRequest") == 0) {
        cancel(q, json_object_get(json_object_get(message, "params"), "id"));
        json_decref(message);
        return;
    }
    waiting *const w = memory_zeroed(sizeof *w);
    w->message = message;
    *q->end = w;
    q->end = &w->next;
}

/* Takes all that is there. Returns false at the end of the input. */
static bool fill(queue *q, bool waits)
{
    for (;;) {
        json_t *message = NULL;
        switch (transport_read(waits, &message)) {
        case READ_MESSAGE: take(q, message); break;
        case READ_MALFORMED: send_error(json_null(), PARSE_ERROR, "this is no JSON"); break;
        case READ_NOTHING: return true;
        case READ_END: return false;
        }
        waits = false;
    }
}

static void answer(server *s, const json_t *message)
{
    json_t *const id = json_object_get(message, "id");
    const char *const method = text_member(message, "method");
    if (!*method) return; /* an answer; the server asks for none */
    const char *error = NULL;
    int code = 0;
    arena *const a = arena_new();
    json_t *result = server_answer(s, method, json_object_get(message, "params"), &error, &code, a);
    if (id && error) {
        send_error(id, code, error);
    } else if (id) {
        if (!result) result = json_null();
        transport_send(json_pack("{s:s, s:O, s:O}", "jsonrpc", "2.0", "id", id, "result", result));
    }
    json_decref(result);
    arena_free(a);
}

/* Answers the first message. Returns false after `exit`. */
static bool serve(server *s, queue *q)
{
    waiting *const w = q->first;
    q->first = w->next;
    if (!q->first) q->end = &q->first;
    bool const is_exit = strcmp(text_member(w->message, "method"), "exit") == 0;
    if (w->is_cancelled) send_error(json_object_get(w->message, "id"), CANCELLED, "cancelled");
    else if (!is_exit) answer(s, w->message);
    json_decref(w->message);
    memory_free(w);
    return !is_exit;
}

/* Meanwhile, takes what clangd says. */
static bool wait_for_editor(server *s, queue *q)
{
    while (!transport_wait(clangd_handle(s))) {
        clangd_listen(s);
        publish_stale(s);
    }
    return fill(q, true);
}

static int run(server *s)
{
    queue q = {.end = &q.first};
    bool is_open = true, goes_on = true;
    while (goes_on && (is_open || q.first)) {
        if (is_open) is_open = fill(&q, false);
        if (q.first) goes_on = serve(s, &q);
        if (goes_on && is_open && !q.first) {
            is_open = fill(&q, false);
            if (!q.first) publish_stale(s);
            if (!q.first) inside_refresh(s);
            if (!q.first && is_open) is_open = wait_for_editor(s, &q);
        }
    }
    while (q.first) (void)serve(s, &q);
    return s->is_shut_down ? 0 : 1;
}

static const char usage[] =
    "Usage: uflow-lsp [OPTION OF UFC]...\n"
    "A language server for .uflow files on standard input and output. An editor starts it.\n\n"
    "  -I DIR, -WNAME, -Wno-NAME, --blocking=NAME,...   as those of ufc\n"
    "  --stdio     is accepted, since some editors give it\n"
    "  --version   prints the version\n"
    "  --help      prints this help\n\n"
    "Exit status: 0; 1: the editor is gone without a word; 2: the command is wrong; 3: out of memory.\n";

static bool is_flag(const char *text)
{
    return strncmp(text, "-I", 2) == 0 || strncmp(text, "-W", 2) == 0 || strncmp(text, "--blocking=", 11) == 0;
}

/* As if the editor had closed its end, so that files of brief.c are removed. */
static void end_input(int number)
{
    (void)number;
    int const saved = errno, nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) (void)dup2(nothing, STDIN_FILENO);
    errno = saved;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        bool const is_help = strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
        if (is_help || strcmp(argv[i], "--version") == 0) {
            fputs(is_help ? usage : "uflow-lsp " UFC_VERSION "\n", stdout);
            return fflush(stdout) == 0 ? 0 : 1;
        }
        if (strcmp(argv[i], "-I") == 0 && i + 1 < argc) i++;
        else if (strcmp(argv[i], "--stdio") != 0 && !is_flag(argv[i])) {
            fprintf(stderr, "uflow-lsp: unknown option: %s\nTry uflow-lsp --help.\n", argv[i]);
            return 2;
        }
    }
    if (argc > 1 && strcmp(argv[1], "--stdio") == 0) argv++, argc--; /* some editors name the only way there is */
    memory_prepare();
    (void)signal(SIGPIPE, SIG_IGN);
    static const int ends[] = {SIGHUP, SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) (void)signal(ends[i], end_input);
    server s = {.flags = argv + 1, .flag_count = argc > 0 ? argc - 1 : 0};
    int const status = run(&s);
    while (s.documents) document_close(&s, s.documents);
    for (size_t i = 0; i < s.folder_count; i++) memory_free(s.folders[i]);
    memory_free(s.folders);
    memory_free(s.errors);
    json_decref(s.arguments);
    clangd_end(&s);
    json_decref(s.clangd_command);
    transport_end();
    return status;
}
