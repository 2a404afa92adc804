/* SPDX-License-Identifier: MIT */
/* server.c - the life of the server: initialize, documents, and the table of requests. */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <unistd.h>

#include "lsp.h"
#include "memory.h"

enum { NOT_INITIALIZED = -32002, INVALID_REQUEST = -32600, NO_METHOD = -32601, REFUSED = -32803 };

static const struct row {
    const char *method;
    json_t *(*function)(request *);
} rows[] = {
#define REQUEST(method, function) {method, function},
#include "requests.def"
#undef REQUEST
};

static void add_folder(server *s, const char *uri)
{
    char *const path = uri_to_path(uri);
    if (!path) return;
    s->folders = memory_grow(s->folders, s->folder_count + 1, sizeof *s->folders);
    s->folders[s->folder_count++] = path;
}

static void remove_folder(server *s, const char *uri)
{
    char *const path = uri_to_path(uri);
    for (size_t i = 0; path && i < s->folder_count; i++) {
        if (strcmp(s->folders[i], path) != 0) continue;
        memory_free(s->folders[i]);
        s->folders[i--] = s->folders[--s->folder_count];
    }
    memory_free(path);
}

static void change_folders(server *s, const json_t *event)
{
    const json_t *const added = json_object_get(event, "added"), *const removed = json_object_get(event, "removed");
    for (size_t i = 0; i < json_array_size(removed); i++)
        remove_folder(s, text_member(json_array_get(removed, i), "uri"));
    for (size_t i = 0; i < json_array_size(added); i++) add_folder(s, text_member(json_array_get(added, i), "uri"));
}

/* Follows a path of keys; NULL: it ends before. */
static const json_t *inner(const json_t *json, const char *const *keys)
{
    for (; *keys && json; keys++) json = json_object_get(json, *keys);
    return json;
}
#define INNER(json, ...) inner((json), (const char *const[]){__VA_ARGS__, NULL})

static bool offers_utf8(const json_t *encodings)
{
    for (size_t i = 0; i < json_array_size(encodings); i++) {
        const char *const name = json_string_value(json_array_get(encodings, i));
        if (name && strcmp(name, "utf-8") == 0) return true;
    }
    return false;
}

/* Where the documents are: as the client says, or as installed. */
static void find_errors(server *s, const json_t *given_options)
{
    const char *const given = text_member(given_options, "errors");
    if (*given) {
        s->errors = memory_alloc(strlen(given) + 1, 1);
        strcpy(s->errors, given);
    } else if (access(LSP_ERRORS, R_OK) == 0) {
        s->errors = path_to_uri(LSP_ERRORS);
    }
}

static json_t *initialize(server *s, const json_t *params)
{
    const json_t *const client = json_object_get(params, "capabilities");
    const json_t *const folders = json_object_get(params, "workspaceFolders");
    s->is_initialized = true;
    s->is_utf8 = offers_utf8(INNER(client, "general", "positionEncodings"));
    s->has_snippets = json_is_true(INNER(client, "textDocument", "completion", "completionItem", "snippetSupport"));
    s->arguments = json_incref(json_object_get(json_object_get(params, "initializationOptions"), "arguments"));
    s->clangd_command = json_incref(json_object_get(json_object_get(params, "initializationOptions"), "clangd"));
    s->owns_commands = json_is_true(INNER(params, "initializationOptions", "ownsCommands"));
    find_errors(s, json_object_get(params, "initializationOptions"));
    for (size_t i = 0; i < json_array_size(folders); i++) add_folder(s, text_member(json_array_get(folders, i), "uri"));
    if (!s->folder_count) add_folder(s, text_member(params, "rootUri"));
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", server_capabilities(s), "serverInfo", "name", "uflow-lsp",
                     "version", UFC_VERSION);
}

json_t *server_capabilities(const server *s)
{
    json_t *const tokens = json_array();
    for (int kind = 0; kind < NAME_KINDS; kind++) json_array_append_new(tokens, json_string(name_infos[kind].token));
    json_array_append_new(tokens, json_string("keyword"));
    json_t *const known =
        json_pack("{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:{s:[ssss]}, s:{s:[ss]}, "
                  "s:{s:b}, s:{s:[ss]},"
                  " s:{s:{s:o, s:[s]}, s:b}, s:{s:{s:b, s:b}}}",
                  "positionEncoding", s->is_utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose", 1, "change", 2,
                  "save", "includeText", 0, "documentSymbolProvider", 1, "definitionProvider", 1, "referencesProvider",
                  1, "documentHighlightProvider", 1, "hoverProvider", 1, "documentFormattingProvider", 1,
                  "foldingRangeProvider", 1, "selectionRangeProvider", 1, "completionProvider", "triggerCharacters",
                  ">", ".", " ", "\"", "signatureHelpProvider", "triggerCharacters", "(", ",", "renameProvider",
                  "prepareProvider", 1, "codeActionProvider", "codeActionKinds", "quickfix", "refactor",
                  "semanticTokensProvider", "legend", "tokenTypes", tokens, "tokenModifiers", "declaration", "full", 1,
                  "workspace", "workspaceFolders", "supported", 1, "changeNotifications", 1);
    json_object_set_new(known, "inlayHintProvider", json_true());
    json_object_set_new(known, "callHierarchyProvider", json_true());
    json_object_set_new(known, "codeLensProvider", json_pack("{s:b}", "resolveProvider", 0));
    if (!s->owns_commands)
        json_object_set_new(known, "executeCommandProvider", json_pack("{s:o}", "commands", commands_json()));
    return known;
}

/* -- notifications ------------------------------------------------------------------------------------------------- */

static void close_document(server *s, document *d)
{
    char *const uri = memory_alloc(strlen(d->uri) + 1, 1);
    strcpy(uri, d->uri);
    inside_close(s, d);
    document_close(s, d);
    transport_notify("textDocument/publishDiagnostics", json_pack("{s:s, s:[]}", "uri", uri, "diagnostics"));
    memory_free(uri);
}

/* A change that cannot be applied would leave a text unlike the editor's, so nothing is said about it any more. */
static void change_document(server *s, document *d, const json_t *params)
{
    d->version = json_integer_value(INNER(params, "textDocument", "version"));
    if (!document_change(s, d, json_object_get(params, "contentChanges")))
        transport_notify("window/logMessage", json_pack("{s:i, s:s}", "type", 1, "message", "a change has no range"));
}

static void notice(server *s, const char *method, const json_t *params)
{
    document *const d = document_find(s, text_member(json_object_get(params, "textDocument"), "uri"));
    if (strcmp(method, "textDocument/didOpen") == 0) document_open(s, json_object_get(params, "textDocument"));
    else if (d && strcmp(method, "textDocument/didChange") == 0) change_document(s, d, params);
    else if (d && strcmp(method, "textDocument/didClose") == 0) close_document(s, d);
    else if (strcmp(method, "textDocument/didSave") == 0) document_forget(s, d);
    else if (strcmp(method, "workspace/didChangeWatchedFiles") == 0) document_forget(s, NULL);
    else if (strcmp(method, "workspace/didChangeWorkspaceFolders") == 0)
        change_folders(s, json_object_get(params, "event"));
}

/* -- requests ------------------------------------------------------------------------------------------------------ */

/* What a request is about: a document; the file of an item, which need not be open; the first argument of a command. */
static const char *subject_of(const json_t *params)
{
    const json_t *const item = json_object_get(params, "item");
    const char *const argument = json_string_value(json_array_get(json_object_get(params, "arguments"), 0));
    return argument ? argument : text_member(item ? item : json_object_get(params, "textDocument"), "uri");
}

static json_t *ask(server *s, const struct row *row, const json_t *params, const char **error, arena *a)
{
    document *const d = document_find(s, subject_of(params));
    if (!d && json_object_get(params, "item")) {
        request closed = {.server = s, .params = params, .arena = a};
        return row->function(&closed);
    }
    if (!d) {
        *error = "the document is not open";
        return NULL;
    }
    publish_document(s, d); /* so a client that has an answer has the diagnostics of that text, too */
    const json_t *const cursor = json_object_get(params, "position");
    request r = {.server = s, .params = params, .document = d, .of = analysis_of_document(s, d), .arena = a};
    if (cursor) r.offset = offset_of_position(s, d->text.text, d->text.length, cursor);
    json_t *const result = inside_answer(&r, row->method, row->function(&r));
    *error = r.error;
    return result;
}

json_t *server_answer(server *s, const char *method, const json_t *params, const char **error, int *code, arena *a)
{
    *code = REFUSED;
    if (strcmp(method, "initialize") == 0 && !s->is_initialized) return initialize(s, params);
    if (!s->is_initialized || s->is_shut_down) {
        *code = s->is_shut_down ? INVALID_REQUEST : NOT_INITIALIZED;
        *error = s->is_shut_down ? "the server is shut down" : "send `initialize` first";
        return NULL;
    }
    if (strcmp(method, "shutdown") == 0) {
        s->is_shut_down = true;
        return NULL;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].method, method) == 0) return ask(s, &rows[i], params, error, a);
    }
    *code = NO_METHOD;
    *error = "there is no such method";
    notice(s, method, params);
    return NULL;
}
