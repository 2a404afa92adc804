/* SPDX-License-Identifier: MIT */
/* lsp.h - the parts of uflow-lsp, the language server. Data flows one way: transport.c reads messages, server.c calls
 * the function of requests.def for each, which asks the analysis of a document, and answers in JSON.
 *
 * One thread does all of it. An analysis is made when somebody asks for it, or when no message waits; it owns its
 * arena. */
#ifndef UFLOW_LSP_H
#define UFLOW_LSP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "diag_report.h"
#include "loader.h"
#include "options.h"

/* -- names.c: what each name of a file stands for ------------------------------------------------------------------ */

typedef enum name_kind {
#define NAME(kind, noun, symbol, completion, token) NAME_##kind,
#include "names.def"
#undef NAME
    NAME_KINDS
} name_kind;

typedef struct name_info {
    const char *noun;
    int symbol, completion; /* SymbolKind and CompletionItemKind of the protocol */
    const char *token;      /* type of a semantic token */
} name_info;
extern const name_info name_infos[NAME_KINDS];

/* A declared name. Two of them, also of different analyses, are the same if their places are. */
typedef struct named {
    name_kind kind;
    const ast_ident *ident;
    const ast_flow *flow; /* in which it stands, or which it is; NULL: file scope */
    const ast_task *task;
    const ast_step *step;
    const void *node; /* the ast_group, ast_point, ast_mailbox, ast_job, ast_worker, ast_subflow, ast_declarator */
} named;

/* A place in the text of a file that mentions a name. */
typedef struct mention {
    uint32_t begin, end;
    named of;
    bool declares;
} mention;

typedef struct mentions {
    mention *items; /* by place */
    size_t count, capacity;
} mentions;

typedef struct analysis analysis;

/* Collects the mentions in the main file of an analysis, in its arena. */
void names_collect(analysis *of);
bool named_is_same(const named *a, const named *b);
const mention *mention_at(const analysis *of, uint32_t offset); /* NULL: there is none; a name also at its end */

/* Calls `visit` for each name that the file and its direct imports declare. */
typedef void named_visitor(const named *one, void *context);
void names_each(const ast_file *file, named_visitor *visit, void *context);
void names_of_flow(const ast_flow *flow, named_visitor *visit, void *context); /* its members, groups and tasks */
void names_of_task(const ast_flow *flow, const ast_task *task, named_visitor *visit, void *context);

/* generated.c: the words of a C text, without comments and strings. */
typedef void word_visitor(const char *word, uint32_t begin, uint32_t length, void *context);
void words_each(const char *text, uint32_t size, word_visitor *visit, void *context);

/* generated.c: what a name that ufc generates is made of, such as `Door_start_Close`: flow Door and task Close. Returns
 * the number of parts; 0: it is none. */
typedef struct name_part {
    named of;
    uint32_t at, length; /* in the word */
} name_part;
enum { NAME_PARTS = 4 };
size_t generated_parts(const ast_flow *flow, const char *word, size_t length, name_part parts[NAME_PARTS]);

/* -- documents.c --------------------------------------------------------------------------------------------------- */

typedef struct document {
    struct document *next;
    char *uri, *name; /* name: the path of a `file:`, or the URI */
    buffer text;
    json_int_t version;
    bool is_flow;              /* not a C source */
    bool is_stale;             /* its diagnostics are older than its text */
    analysis *analysis;        /* of the present text; NULL: not made yet */
    char *published;           /* its diagnostics, as last sent */
    unsigned changes;          /* of its text, or of what it imports */
    buffer good;               /* its last text without errors; empty: there was none */
    struct skeleton *skeleton; /* what clangd has of it; NULL: nothing */
} document;

typedef struct server {
    document *documents;
    char **folders; /* paths of the workspace */
    size_t folder_count;
    json_t *arguments; /* of ufc, as the client gives them */
    char **flags;      /* those of the command line */
    int flag_count;
    char *errors;           /* the URI of errors.md; NULL: it is not installed */
    struct clangd *clangd;  /* NULL: it was not asked yet */
    json_t *clangd_command; /* as the client gives it; NULL: `clangd` */
    bool is_utf8;           /* positions count bytes */
    bool has_snippets;
    bool owns_commands; /* the client has commands with the names of ours */
    bool is_initialized, is_shut_down;
} server;

document *document_find(const server *s, const char *uri);
void document_open(server *s, const json_t *item);
bool document_change(server *s, document *d, const json_t *changes); /* false: a change has no valid range */
void document_close(server *s, document *d);
void document_forget(server *s, const document *changed); /* and the analyses that may depend on it */

char *uri_to_path(const char *uri);  /* NULL: not a `file:`; free() */
char *path_to_uri(const char *path); /* free() */

/* Positions of the protocol: lines from 0, and characters in units of UTF-16 or bytes. A place behind the end of a line
 * is its end. */
uint32_t offset_of_position(const server *s, const char *text, size_t size, const json_t *position);
json_t *json_position(const server *s, const source *in, uint32_t offset);
json_t *json_range(const server *s, const source *in, uint32_t begin, uint32_t end);
json_t *json_location(const server *s, const source *in, uint32_t begin, uint32_t end);
json_t *json_text_of(const char *text, size_t length);          /* replaces bytes that are no UTF-8 */
const char *text_member(const json_t *object, const char *key); /* "" if it is none */

/* -- analysis.c ---------------------------------------------------------------------------------------------------- */

struct analysis {
    arena *arena;
    diagnostics *diagnostics;
    options options;
    loader loader;
    ast_file *file;
    mentions mentions;
    bool is_file; /* on the disk: */
    file_facts is;
};

/* Analyses a text, or, if it is NULL, the file of that name; NULL: it cannot be read. Release it. */
analysis *analysis_of(const server *s, const char *name, const char *text, size_t length);
void analysis_free(analysis *a);
const analysis *analysis_of_document(const server *s, document *d);

/* All files that may use a name: the open documents, their imports, and those in the folders of the workspace. */
typedef struct project {
    analysis **items;
    size_t count, capacity, borrowed; /* the first ones belong to documents */
} project;
project project_of(const server *s);
void project_free(project *p);

/* The task, step and flow around a place; NULL: it is in none. */
typedef struct surrounding {
    const ast_flow *flow;
    const ast_task *task;
    const ast_step *step;
} surrounding;
surrounding surrounding_of(const ast_file *file, uint32_t offset);

/* publish.c: the diagnostics of a document in the protocol's form. */
json_t *diagnostics_of(const server *s, const document *d, const analysis *of);
void publish_document(const server *s, document *d); /* if its text has changed */
void publish_stale(const server *s);                 /* all of them */

/* hover.c: what the text around a name of a signal, a checkpoint or a mailbox does with it. */
typedef enum name_use { USE_OTHER, USE_AWAITS, USE_FIRES } name_use;
name_use use_of_name(const source *in, uint32_t begin, uint32_t end);

/* sources.c: C sources: those of compile_commands.json in the folders, and open documents. */
typedef struct c_source {
    const source *in;
    char *name;
} c_source;
typedef struct c_sources {
    arena *arena;
    c_source *items;
    size_t count, capacity;
    scope seen; /* the paths of files and folders that were looked at */
} c_sources;
c_sources sources_of(const server *s);
void sources_free(c_sources *list);
const source *source_of_file(arena *a, const char *path); /* NULL: it cannot be read */

/* navigate.c: visits all places of a name: in the flows of a project, and in C sources unless `sources` is NULL. */
typedef void place_visitor(const source *in, uint32_t begin, uint32_t end, bool declares, void *context);
void places_each(const project *p, const c_sources *sources, const named *of, place_visitor *visit, void *context);

/* edits.c: changes of several files. */
typedef struct edit {
    const source *in;
    uint32_t begin, end;
    const char *text;
} edit;
typedef struct edits {
    arena *arena;
    edit *items;
    size_t count, capacity;
} edits;
void edits_add(edits *list, const source *in, uint32_t begin, uint32_t end, const char *text);
json_t *edits_json(const server *s, edits *list); /* a WorkspaceEdit */
/* Analyses the file with its edits made. Release the result. */
analysis *edits_try(const server *s, edits *list, const source *in);

/* -- inside.c: C in bodies, answered by clangd --------------------------------------------------------------------- */

typedef struct request request;
/* Completes the server's own answer to a request about a document. Takes the reference to `own`. */
json_t *inside_answer(request *r, const char *method, json_t *own);
/* The diagnostics of C for the present text; NULL: they are not known. */
json_t *inside_problems(const server *s, const document *d);
/* Before the document is closed. */
void inside_close(server *s, const document *d);
/* Brings the skeletons up to date after a change, so that clangd sends diagnostics. */
void inside_refresh(server *s);
/* clangd.c: takes what clangd has said; -1: it does not run. */
void clangd_listen(server *s);
int clangd_handle(const server *s);
void clangd_end(server *s);
void skeleton_free(struct skeleton *k);

/* -- requests ------------------------------------------------------------------------------------------------------ */

/* Which names of C fit at a place. */
typedef enum c_fits { C_ALL, C_FIELDS, C_NONE } c_fits;

/* What a request is about. */
struct request {
    server *server;
    const json_t *params;
    document *document; /* NULL: the request names none */
    const analysis *of; /* of the document; NULL: it is a C source */
    uint32_t offset;    /* of `position` in the text; 0: there is none */
    const char *error;  /* why it is refused: set by the function */
    c_fits fits;        /* at the place of a completion: set by the function */
    arena *arena;       /* for its error */
};

/* navigate.c: the name at the place of the request; in a C source, the part of a generated name. False: it has none. */
bool named_at(const request *r, const project *p, named *of);
/* refactor.c: adds what can be done with the text between two places, though nothing is wrong there. */
void offer_refactorings(request *r, json_t *list, uint32_t begin, uint32_t end);
/* commands.c: the names of the commands. */
json_t *commands_json(void);

#define REQUEST(method, function) json_t *function(request *r);
#include "requests.def"
#undef REQUEST

json_t *server_capabilities(const server *s);
json_t *server_answer(server *s, const char *method, const json_t *params, const char **error, int *code, arena *a);

/* hover.c: the section of the language reference about a word, as Markdown; returns false if there is none. */
bool language_section(const char *word, buffer *out);
extern const char lsp_language[]; /* docs/language.md */

/* signature.c */
void put_signature(const named *one, buffer *out); /* `step Grip(int force)` */
void put_snippet(const named *one, buffer *out);   /* `Grip(${1:force})` */

/* -- transport.c --------------------------------------------------------------------------------------------------- */

typedef enum read_end { READ_MESSAGE, READ_MALFORMED, READ_NOTHING, READ_END } read_end;
/* A pipe from which messages come. */
typedef struct stream {
    int handle;   /* -1: it is closed, which poll() skips */
    buffer input; /* bytes that belong to no message yet */
    size_t used;  /* its first bytes, which do not count any more */
} stream;
read_end stream_read(stream *from, int milliseconds, json_t **message); /* that long for each piece; -1: forever */

/* Waits until the editor's input or that of the other handle (-1: there is none) is readable. True: the editor's. */
bool transport_wait(int other);
/* Takes the editor's next message; waits for it if `waits`. */
read_end transport_read(bool waits, json_t **message);
void transport_send(json_t *message); /* takes the reference */
void transport_notify(const char *method, json_t *params);
void transport_end(void); /* releases what was read */

#endif
