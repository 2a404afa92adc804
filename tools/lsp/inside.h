/* SPDX-License-Identifier: MIT */
/* inside.h - C inside the bodies: what clangd sees of a document, and the process. */
#ifndef UFLOW_LSP_INSIDE_H
#define UFLOW_LSP_INSIDE_H

#include "emit.h"
#include "lsp.h"

/* -- skeleton.c ---------------------------------------------------------------------------------------------------- */

/* A document in clangd: the text that it has. */
typedef struct opened {
    char *uri;
    json_int_t version; /* 0: it has none */
    char *text;
    bool is_quiet; /* needs no diagnostics, for which clangd would parse all of it */
} opened;

/* A C file in memory: the declarations of a file and the bodies of one flow. It is made of the last text without
 * errors; what was typed since is spliced in as it is. */
typedef struct skeleton {
    arena *arena;     /* of all but `now` */
    analysis **files; /* that it is made of: the document, and its imports */
    size_t file_count;
    char *name;         /* of the C file that ufc would write */
    bool is_whole;      /* with the bodies of all flows */
    uint32_t flow;      /* where the flow begins, in the text without errors; UINT32_MAX: it has none */
    const source *good; /* the C, and its copies of the text without errors */
    const emit_copy *good_copies;
    size_t good_count;
    size_t good_declared; /* bytes of the C that are declarations */
    unsigned changes;     /* of the document, to which the rest belongs: */
    arena *now;
    const source *document, *text;
    uint32_t asked;    /* the place of the last request */
    emit_copy *copies; /* by `to`. Those of the document are in `document` */
    size_t count;
    size_t declared;       /* as of `good`; 0: what was typed changes them */
    bool is_exact;         /* nothing was spliced in */
    opened whole, brief;   /* in clangd: the C, and what brief.c makes of it */
    char *brief_path;      /* its file; NULL: it has none */
    bool is_brief_present; /* it was made of the declarations of `good` */
    json_t *problems;      /* clangd's diagnostics for it; NULL: not come yet */
    json_int_t of_version; /* the version to which they belong */
} skeleton;

/* Brings the skeleton of the document up to date, for the flow around an offset, or all flows. NULL: there is
 * none, since the text always had errors. Lifetime: until the next call. */
skeleton *skeleton_at(const server *s, document *d, uint32_t offset, bool is_whole);

/* From the document to the C; false: the place is not copied. From the C to the file that it is copied from; NULL: it
 * is generated. */
bool skeleton_place(const skeleton *k, uint32_t offset, uint32_t *at);
const emit_copy *skeleton_origin(const skeleton *k, uint32_t begin, uint32_t end, span *origin);

/* -- brief.c ------------------------------------------------------------------------------------------------------- */

/* Does a request at a place in the C need it? */
bool brief_is_wanted(const skeleton *k, uint32_t at);
/* Does clangd have it, with the present declarations? */
bool brief_is_present(const skeleton *k);
/* Makes it of the present declarations, and lets clangd parse them. */
void brief_prepare(server *s, skeleton *k);
void brief_show(server *s, skeleton *k); /* the present text */
void brief_free(skeleton *k);

/* -- clangd.c ------------------------------------------------------------------------------------------------------ */

bool clangd_is_wanted(const server *s);
/* Starts clangd if it does not run. Returns false if it cannot, which is said once. */
bool clangd_start(server *s);
/* Waits for the answer to a request. Returns NULL if there is none, or an error, whose text is then in *refusal. */
json_t *clangd_ask(server *s, const char *method, json_t *params, const char **refusal, arena *a);
void clangd_tell(server *s, const char *method, json_t *params);
/* Opens a document in clangd, or changes its text. False: it has that text. */
bool clangd_show(server *s, opened *o, const char *text, size_t length);
void clangd_hide(server *s, opened *o); /* closes it */
/* Says once that clangd does not find a header, and what gives it the flags. */
void clangd_misses(server *s, const char *header);
/* inside.c: takes clangd's diagnostics. */
void inside_take(server *s, const json_t *params);

#endif
