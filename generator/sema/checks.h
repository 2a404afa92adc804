/* SPDX-License-Identifier: MIT */
/* checks.h - the checks of sema_check(): the rows of checks.def, each in a file of its own, and what they share. */
#ifndef UFC_CHECKS_H
#define UFC_CHECKS_H

#include "bindings.h"
#include "declare.h"
#include "scope.h"
#include "sema.h"
#include "walk.h"

/* The kinds of things that a bare name in an arm, or a name after `on`, `submit` or `arrived`, can denote. */
typedef enum shared_kind { SHARED_SIGNAL, SHARED_CHECKPOINT, SHARED_MAILBOX, SHARED_JOB } shared_kind;

typedef struct shared {
    shared_kind kind;
    const ast_ident *name;
    ast_point *point;
    ast_mailbox *mailbox;
    ast_job *job;
    const ast_task *task; /* of a job */
} shared;

/* A flow that the file can name, its own or an imported one, and the names in it. */
typedef struct flow_names {
    struct flow_names *next; /* own flows: the next one of the file */
    ast_flow *flow;
    bool imported;
    scope tasks;   /* of ast_task */
    scope steps;   /* of ast_step: the steps of all tasks; if names are equal, the first */
    scope shared;  /* of shared: its own signals, checkpoints and mailboxes */
    scope jobs;    /* of shared: the jobs of all tasks; if names are equal, the first */
    scope members; /* of member_name: parameters and members; filled on first use */
} flow_names;

/* consequences.c: a body that the parser did not read as a whole. */
typedef struct damaged_body {
    struct damaged_body *next;
    span at;
} damaged_body;

typedef struct sema {
    arena *arena;
    diagnostics *diagnostics;
    ast_file *file;
    const sema_options *options;
    scope flows;     /* of flow_names; if names are equal, the first */
    flow_names *own; /* all flows of the file itself */
    scope points;    /* of shared: signals and checkpoints at file scope, of this file and its imports */
    scope workers;   /* of ast_worker */
    scope plains;    /* of ast_plain, of this file and its imports; if names are equal, the first */
    scope calls;     /* calls.c: of call; names of functions that can refuse or block */
    scope constants; /* constants.c: enumerators of the blocks of one file */
    const ast_file *constants_of;
    scope types;   /* locals.c: names of types that bodies declare */
    scope globals; /* globals.c: of global; filled on first use */
    bool globals_are_known, reads_source_block, has_unknown_headers;
    scope unknown;           /* unknown names that were reported already */
    const flow_names *names; /* of the flow that is being checked; NULL: the file or a worker */
    bool has_syntax_errors;  /* the parser has reported an error */
    bool has_broken_imports; /* an import could not be read as a whole */
    damaged_body *damaged_bodies;
} sema;

/* The functions of checks.def, by what they look at. */
typedef void file_check(sema *s);
typedef void flow_check(sema *s, ast_flow *flow);
typedef void body_check(sema *s, const body_site *site);
typedef body_check code_check, worker_check;
typedef void preempt_check(sema *s, ast_preempt *preempt);

#define CHECK(subject, function, codes) subject##_check function;
#include "checks.def"

/* A row: one of its functions is not NULL. */
typedef struct check {
    const char *codes;
    file_check *file;
    worker_check *worker;
    flow_check *flow;
    body_check *body;
    code_check *code;
    preempt_check *preempt;
} check;
extern const check checks[];
extern const size_t checks_count;

/* sema.c: the parts of sema_check(). */
sema sema_begin(arena *a, diagnostics *d, ast_file *main, const sema_options *options);
void run_checks(sema *s, const check *first, const check *end);

/* The most elements of an array of signals or checkpoints: a step notes the counts of all. */
#define POINTS_LIMIT 64u

/* constants.c: the value of an integer literal, or of an enumerator in a block of the file; false: unknown. */
bool known_constant(sema *s, const ast_file *file, token_range text, uint32_t *value);

/* directives.c: is it `#define NAME`? */
bool defines_macro(span directive, span *name);

/* Is it `on exit` or `on end`, so that it has `outcome` and `reason`? The words of a handler: "on exit". */
bool is_at_end(const body_site *site);
const char *words_of_handler(const body_site *site);

/* Calls the check for each body of the flow. */
void for_each_body(sema *s, ast_flow *flow, body_check *visit);

/* members.c: a parameter or member of a flow; NULL: there is none. */
typedef struct member_name {
    const ast_ident *name;
    const ast_declarator *field; /* of a field or parameter; or NULL */
    const ast_member *member;    /* NULL: a parameter */
} member_name;
const member_name *find_flow_member(sema *s, const ast_flow *flow, const char *name);
/* The declarator of that name; NULL: there is none. add_names() adds the ast_ident of each. */
const ast_declarator *find_declarator(const ast_declaration *list, const char *name);
void add_names(sema *s, scope *to, const ast_declaration *list);

/* locals.c: visits what one statement declares, without the statements inside it. is_type_name(): does any
 * declaration make this name a type? */
void each_local(sema *s, const ast_statement *statement, declared_visitor *visit, void *context);
bool is_type_name(sema *s, const char *name);

/* initializers.c: reports a text that reads `self`, or a member that has no value before `own`, which the text
 * initialises; NULL: all have theirs. */
void check_initializer(sema *s, token_range text, const ast_ident *own, const char *what);
void check_initial_pointer(sema *s, token_range text); /* lifetimes.c: the value of a field */
/* report_unbound_name(): `help` may be NULL, for that of bindings.def. */
void report_unbound_name(sema *s, binding_kind binding, span at, const char *where, const char *help);
void check_without_bindings(sema *s, token_range text, bool has_index, const char *what);
/* Reports a member of the flow or the task that the text calls by its name alone. `of_task` may be NULL; `own` is the
 * member that the text initialises. */
void check_bare_members(sema *s, token_range text, const scope *of_flow, const scope *of_task, const ast_ident *own);

/* calls.c: adds the name of a function that can refuse or block. A NULL argument changes nothing. */
typedef struct call {
    const char *done;    /* what UF_OK means; NULL: it cannot refuse */
    const char *instead; /* what a step does instead; NULL: it does not block */
} call;
void add_call(sema *s, const char *name, const char *done, const char *instead);

/* waits.c: can the event fail, or one that it holds? */
bool can_fail(const ast_event *event);

/* stuck.c: does every arm of the await have a condition? */
bool may_lack_every_arm(const ast_statement *await);

/* loops.c: does the loop end by a jump only? */
bool is_endless(const ast_statement *loop);

/* collisions.c: is the name one that ufc generates for the flow, such as `Flow_Task_to_Step`? */
bool is_generated_name(sema *s, const ast_flow *flow, const char *name);

/* Only a value can be stored and copied. */
typedef enum type_form { FORM_VALUE, FORM_CONSTANT, FORM_ARRAY, FORM_FUNCTION, FORM_VOID } type_form;

/* globals.c: the tokens of a block, and what the blocks that the file sees declare under a name. UNKNOWN: an argument
 * of a macro at file scope, or similar. */
typedef enum global_kind { GLOBAL_ABSENT, GLOBAL_VALUE, GLOBAL_UNKNOWN, GLOBAL_TYPE } global_kind;
typedef struct global {
    global_kind kind;
    bool is_in_directives;           /* of a block: the name may be a macro */
    bool is_in_text;                 /* it stands in a declaration, outside of braces */
    bool is_of_source, is_of_header; /* a type or an enumerator: blocks that declare it */
    type_form form;                  /* of a type or a value */
} global;
const token_list *block_tokens(sema *s, ast_text_block *block);
const global *find_global(sema *s, const char *name); /* of kind ABSENT: there is none */
/* Does a block of the file or of an import have the name where it could be declared? */
bool may_be_global(sema *s, const char *name);
/* The form of a type without a declarator, which may be a typedef of a block or of C. */
type_form form_of_type(sema *s, token_range type);
/* The form of what is declared, or, if it is an array, of its elements behind that many pairs of brackets. */
type_form form_of(sema *s, const ast_declarator *d, unsigned dimensions);
/* Finds a qualifier of what is declared: between its name and the last `*`, or, without a `*`, in the specifiers. */
bool find_qualifier(const ast_declarator *d, const char *word, uint32_t *index);
bool find_storage_class(const ast_declarator *d, uint32_t *index);
bool find_empty_bounds(const ast_declarator *d, uint32_t *index); /* `[]` */
/* Reports reserved and equal names of its members. Returns their number. */
size_t check_names_of_plain(sema *s, const ast_plain *plain);
/* Takes the next word, also one in a comment, from the text `rest`. Returns false if there is none. */
bool next_word(span *rest, span *word);
/* The token after the directives that begin there. */
uint32_t behind_directives(const token_list *list, uint32_t at);
/* Does the file include a header other than those of C and POSIX, which may declare any name? */
bool includes_unknown_headers(sema *s);

/* bare_names.c: does the body declare the name, or does it have a macro that may? */
bool may_declare_name(sema *s, const body_site *site, const char *name);
/* Does the file give the name at that token another meaning than a variable's: a type, a macro, a member, a function
 * that it calls? */
bool may_be_no_value(sema *s, token_range text, uint32_t at);

/* bare_operands.c: reports the operand of an event if it is the bare name of a member of the flow, at token `at`, after
 * `&` if there is one. No other thing of that name is in scope. */
void check_bare_operand(sema *s, const ast_flow *flow, const ast_event *event, uint32_t at);
/* Says how the flow finds a running member of its pool. */
void help_of_pool(diag_report *r, const ast_flow *flow, const char *pool);

/* pools.c: the pool of that name; the type of a sub-flow, also of an imported flow, which is not resolved. NULL: there
 * is none. */
ast_subflow *find_pool(const ast_flow *flow, const char *name);
ast_flow *type_of_subflow(const ast_flow *flow, const ast_subflow *subflow);
/* workers.c: the type of a task's result. */
void check_task_result(sema *s, const ast_task *task);

/* -- common functions ---------------------------------------------------------------------------------------------- */

/* Does the worker function return a value? */
bool worker_returns(const ast_worker *worker);

/* sema.c: is there an error in the file? */
bool has_error_in(const diagnostics *d, const ast_file *file);

/* consequences.c: from now on, reports that may follow from an error are hidden: diag_hide(). */
void hide_consequences(sema *s);

/* `A a;` or `A a(1, 2);` with a flow A: no code would initialise it. */
bool is_bare_flow(const sema *s, const ast_declarator *d);

static inline bool is_flow_or_self(const char *name)
{
    return strcmp(name, "flow") == 0 || strcmp(name, "self") == 0;
}

/* The text of a place, terminated. */
static inline const char *text_at(const sema *s, span at)
{
    return arena_copy(s->arena, at.in->text + at.begin, at.end - at.begin);
}

/* Reports a conditional directive among these arguments if one of its branches holds a comma: the number of arguments
 * would depend on the directive. Returns true if it reports. */
bool report_divided(sema *s, const token_range *items, uint32_t count);

/* Reports that the name of a field, a flow or another thing, `what`, is `whose`: a result of reserved.h. Returns false
 * if that is NULL. */
bool report_reserved(sema *s, const ast_ident *name, const char *whose, const char *what);

/* Has the list a statement of one of these kinds, perhaps inside another one? A kind is the bit `1u << kind`. */
bool has_statement(ast_statement *list, unsigned kinds);

/* Are there so many errors that the search for a similar name would cost more than it helps? */
bool is_one_of_many(const sema *s);

/* Collects names for "did you mean `x`?", which candidates_help() adds if one of them is similar. */
typedef struct candidates {
    const char **names;
    size_t count, capacity;
} candidates;

/* An unknown name is reported at its first use only: is it among those that were reported? Adds it to them. */
bool is_second(sema *s, scope *unknown, const ast_ident *name);
/* Reports that the flow has no such task, and suggests a similar name or gives the help. */
void report_no_task(sema *s, const ast_flow *flow, const ast_ident *task, const char *help);
bool help_near_task(sema *s, diag_report *report, const ast_flow *flow, const char *name);

void candidates_add(sema *s, candidates *c, const char *name);
bool candidates_help(candidates *c, const char *name, diag_report *report);

#endif
