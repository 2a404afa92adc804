/* SPDX-License-Identifier: MIT */
/* declare.h - the declarations in a run of tokens, recognised by their shape: ufc knows no types. */
#ifndef UFC_DECLARE_H
#define UFC_DECLARE_H

#include "arena.h"
#include "ast.h"

/* Reads a member declaration (without its `;`). */
ast_declaration *declare_members(arena *a, token_range text);

/* Reads a parameter: one declarator, whose name.name is NULL if it has none. */
ast_declaration *declare_parameter(arena *a, token_range text);

/* Reads a statement (without its `;`), or the first clause of a `for`, if it is a declaration; otherwise returns NULL.
 * `a * b;` is a declaration: as an expression it would have no effect. */
ast_declaration *declare_locals(arena *a, token_range text);

/* The place of the name in a type without one: after all tokens, before the `)` of `int (*)(int)`, or before array
 * brackets or parameters. */
uint32_t declare_place(token_range type);

/* One name that a statement declares. */
typedef enum declared_kind { DECLARED_VARIABLE, DECLARED_TYPE, DECLARED_ENUMERATOR, DECLARED_TAG } declared_kind;
typedef struct declared {
    ast_ident name;
    declared_kind kind;
    const ast_declarator *declarator; /* of a variable or type; else NULL */
    const char *if_type; /* `T (x);` declares x if this names a type, and is a call otherwise; NULL: always a
                          * declaration */
} declared;
typedef void declared_visitor(const declared *one, void *context);

/* Visits all declarations of a text that is a whole statement or the head of one. `locals` is the result of
 * declare_locals(), or NULL. */
void declare_each(arena *a, token_range text, const ast_declaration *locals, bool is_statement, declared_visitor *visit,
                  void *context);

/* A word with parentheses that qualifies a declaration: `__attribute__`, `_Alignas`, ... */
bool declare_is_attribute(const token_list *list, uint32_t at);

#endif
