/* SPDX-License-Identifier: MIT */
/* clangd.c - clangd as a child process. It starts at the first request about C. If it ends, the next request starts it
 * again, a few times. Nothing waits for it longer than CLANGD_LIMIT. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "inside.h"
#include "memory.h"

#define CLANGD_LIMIT 30000 /* milliseconds */
#define STARTS_LIMIT 5u

extern char **environ;

typedef struct clangd {
    pid_t pid; /* 0: it does not run */
    int to;
    stream from;
    json_int_t asked; /* number of the last request */
    unsigned starts;
    bool has_given_up, has_missed;
} clangd;

/* -- start and end ------------------------------------------------------------------------------------------------- */

static void stop(server *s)
{
    clangd *const c = s->clangd;
    if (!c || !c->pid) return;
    (void)close(c->to);
    (void)close(c->from.handle);
    (void)kill(c->pid, SIGKILL);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR) {}
    buffer_free(&c->from.input);
    c->from = (stream){.handle = -1};
    c->pid = 0;
    for (document *d = s->documents; d; d = d->next) {
        if (d->skeleton) d->skeleton->whole.version = d->skeleton->brief.version = 0, d->skeleton->of_version = -1;
    }
}

void clangd_end(server *s)
{
    stop(s);
    memory_free(s->clangd);
    s->clangd = NULL;
}

int clangd_handle(const server *s)
{
    return s->clangd && s->clangd->pid ? s->clangd->from.handle : -1;
}

static void inform(const char *who, const char *what, const char *how)
{
    transport_notify("window/showMessage", json_pack("{s:i, s:s++}", "type", 3, "message", who, what, how));
}

static void give_up(clangd *c, const char *why)
{
    c->has_given_up = true;
    inform("clangd ", why, ". Without it, C in bodies is not analysed; everything else works.");
}

void clangd_misses(server *s, const char *header)
{
    if (!s->clangd->has_missed)
        inform("clangd: ", header,
               ". Until it is, clangd does not know the types in bodies. It takes flags from compile_commands.json: "
               "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes that file.");
    s->clangd->has_missed = true;
}

/* The child has only its own ends of the pipes, since all are closed by exec. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0) return false;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0) return true;
    (void)close(ends[0]);
    (void)close(ends[1]);
    return false;
}

static bool spawn(clangd *c, char **arguments, int in, int out)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    bool const is_made = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO) == 0 &&
                         posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO) == 0 &&
                         posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
                         posix_spawnp(&c->pid, arguments[0], &actions, NULL, arguments, environ) == 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    if (!is_made) c->pid = 0;
    return is_made;
}

static bool spawn_with_pipes(clangd *c, char **arguments)
{
    int in[2], out[2];
    if (!open_pipe(in)) return false;
    if (!open_pipe(out)) {
        (void)close(in[0]);
        (void)close(in[1]);
        return false;
    }
    bool const runs = spawn(c, arguments, in[0], out[1]);
    (void)close(in[0]);
    (void)close(out[1]);
    c->to = in[1];
    c->from = (stream){.handle = out[0]};
    if (runs && fcntl(c->to, F_SETFL, O_NONBLOCK) == 0) return true;
    (void)close(in[1]);
    (void)close(out[0]);
    return runs;
}

/* Ended by SIGKILL, clangd would leave parsed headers on the disk. */
static char **command_of(const server *s, arena *a)
{
    static const char *const usual[] = {"clangd",
                                        "--background-index=false",
                                        "--header-insertion=never",
                                        "--completion-parse=always",
                                        "--pch-storage=memory",
                                        "--log=error"};
    size_t const given = json_array_size(s->clangd_command), count = given ? given : sizeof usual / sizeof *usual;
    char **const arguments = ARENA_ARRAY(a, char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *const text = given ? json_string_value(json_array_get(s->clangd_command, i)) : usual[i];
        arguments[i] = arena_printf(a, "%s", text ? text : "");
    }
    return arguments;
}

static void introduce(server *s)
{
    const char *refusal = NULL;
    arena *const a = arena_new();
    json_decref(
        clangd_ask(s, "initialize",
                   json_pack("{s:n, s:n, s:{s:[s], s:{s:{s:[s]}, s:{s:{s:b}}}}}", "processId", "rootUri",
                             "capabilities", "offsetEncoding", "utf-8", "textDocument", "hover", "contentFormat",
                             "markdown", "completion", "completionItem", "snippetSupport", (int)s->has_snippets),
                   &refusal, a));
    clangd_tell(s, "initialized", json_object());
    arena_free(a);
}

bool clangd_is_wanted(const server *s)
{
    bool const is_off = json_is_array(s->clangd_command) && !json_array_size(s->clangd_command);
    return !is_off && !(s->clangd && s->clangd->has_given_up);
}

bool clangd_start(server *s)
{
    if (!s->clangd) s->clangd = memory_zeroed(sizeof *s->clangd);
    clangd *const c = s->clangd;
    if (c->pid || !clangd_is_wanted(s)) return c->pid != 0;
    arena *const a = arena_new();
    if (c->starts++ == STARTS_LIMIT) give_up(c, "ended several times");
    else if (!spawn_with_pipes(c, command_of(s, a)))
        give_up(c, "cannot be started: install it, or name its command in the settings");
    arena_free(a);
    if (c->pid) introduce(s);
    if (!c->pid && !c->has_given_up) give_up(c, "ends at once");
    return c->pid != 0;
}

/* -- messages ------------------------------------------------------------------------------------------------------ */

static bool put(clangd *c, const char *text, size_t length)
{
    while (length) {
        struct pollfd ready = {.fd = c->to, .events = POLLOUT};
        int const count = poll(&ready, 1, CLANGD_LIMIT);
        ssize_t const n = count > 0 ? write(c->to, text, length) : count;
        if (n > 0) text += n, length -= (size_t)n;
        else if (n == 0 || (errno != EINTR && errno != EAGAIN)) return false;
    }
    return true;
}

static void send(server *s, json_t *message)
{
    char *const text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    buffer all = {0};
    if (text) BUFFER_PUT(&all, "Content-Length: ", strlen(text), "\r\n\r\n", text);
    bool const is_sent = text && s->clangd->pid && put(s->clangd, all.text, all.length);
    free(text);
    buffer_free(&all);
    if (!is_sent) stop(s);
}

void clangd_tell(server *s, const char *method, json_t *params)
{
    send(s, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

bool clangd_show(server *s, opened *o, const char *text, size_t length)
{
    if (o->version && strcmp(o->text, text) == 0) return false;
    bool const is_open = o->version++ > 0;
    json_t *const all = json_text_of(text, length);
    memory_free(o->text);
    o->text = memcpy(memory_alloc(length + 1, 1), text, length + 1);
    if (is_open)
        clangd_tell(s, "textDocument/didChange",
                    json_pack("{s:{s:s, s:I}, s:[{s:o}], s:o*}", "textDocument", "uri", o->uri, "version", o->version,
                              "contentChanges", "text", all, "wantDiagnostics", o->is_quiet ? json_false() : NULL));
    else
        clangd_tell(s, "textDocument/didOpen",
                    json_pack("{s:{s:s, s:s, s:I, s:o}}", "textDocument", "uri", o->uri, "languageId", "c", "version",
                              o->version, "text", all));
    return true;
}

void clangd_hide(server *s, opened *o)
{
    if (!o->version || clangd_handle(s) < 0) return;
    clangd_tell(s, "textDocument/didClose", json_pack("{s:{s:s}}", "textDocument", "uri", o->uri));
    o->version = 0;
}

/* What is no answer: diagnostics, or a request of clangd, which gets `null`. */
static void take(server *s, const json_t *message)
{
    json_t *const id = json_object_get(message, "id");
    const char *const method = text_member(message, "method");
    if (strcmp(method, "textDocument/publishDiagnostics") == 0) inside_take(s, json_object_get(message, "params"));
    else if (*method && id) send(s, json_pack("{s:s, s:O, s:n}", "jsonrpc", "2.0", "id", id, "result"));
}

/* Returns the next message; NULL: there is none in time, or clangd has ended. */
static json_t *receive(server *s, int milliseconds)
{
    json_t *message = NULL;
    if (!s->clangd->pid) return NULL;
    read_end const end = stream_read(&s->clangd->from, milliseconds, &message);
    if (end == READ_MALFORMED || end == READ_END) stop(s);
    return end == READ_MESSAGE ? message : NULL;
}

void clangd_listen(server *s)
{
    for (json_t *message; (message = receive(s, 0)) != NULL;) {
        take(s, message);
        json_decref(message);
    }
}

static int64_t milliseconds_now(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static json_t *result_of(const json_t *message, const char **refusal, arena *a)
{
    const json_t *const error = json_object_get(message, "error");
    if (error) *refusal = arena_printf(a, "%s", text_member(error, "message"));
    return error ? NULL : json_incref(json_object_get(message, "result"));
}

json_t *clangd_ask(server *s, const char *method, json_t *params, const char **refusal, arena *a)
{
    clangd *const c = s->clangd;
    json_int_t const id = ++c->asked;
    send(s, json_pack("{s:s, s:I, s:s, s:o}", "jsonrpc", "2.0", "id", id, "method", method, "params", params));
    int64_t const end = milliseconds_now() + CLANGD_LIMIT;
    for (int64_t left; c->pid && (left = end - milliseconds_now()) > 0;) {
        json_t *const message = receive(s, (int)left);
        if (!message) continue;
        bool const is_answer =
            !*text_member(message, "method") && json_integer_value(json_object_get(message, "id")) == id;
        json_t *const result = is_answer ? result_of(message, refusal, a) : NULL;
        if (!is_answer) take(s, message);
        json_decref(message);
        if (is_answer) return result;
    }
    bool const is_silent = c->pid != 0;
    stop(s);
    if (is_silent) give_up(c, "does not answer");
    return NULL;
}
