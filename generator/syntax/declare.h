/* declare.h - what a run of tokens declares, told by its shape: ufc knows no types. */
#ifndef UFC_DECLARE_H
#define UFC_DECLARE_H

#include "arena.h"
#include "ast.h"

/* Reads a member declaration (without its `;`). */
ast_declaration *declare_members(arena *a, token_range text);

/* Reads a parameter: one declarator, whose name.name is NULL if it has none. */
ast_declaration *declare_parameter(arena *a, token_range text);

/* Reads a statement (without its `;`), or the first clause of a `for`, if it is a declaration; else NULL. `a * b;` is
 * one: as an expression it would have no effect. */
ast_declaration *declare_locals(arena *a, token_range text);

/* Where the name would stand in a type without one: behind all, before the `)` of `int (*)(int)`, or before what makes
 * an array or a function of it. */
uint32_t declare_place(token_range type);

/* One name that a statement declares. */
typedef enum declared_kind { DECLARED_VARIABLE, DECLARED_TYPE, DECLARED_ENUMERATOR, DECLARED_TAG } declared_kind;
typedef struct declared {
    ast_ident name;
    declared_kind kind;
    const ast_declarator *declarator; /* of a variable or type; else NULL */
    const char *if_type; /* `T (x);` declares x if this names a type, else it is a call; NULL: it does so anyway */
} declared;
typedef void declared_visitor(const declared *one, void *context);

/* All that a text declares that is a whole statement, or the head of one: `locals` are what
 * declare_locals() has read, or NULL. */
void declare_each(arena *a, token_range text, const ast_declaration *locals, bool is_statement, declared_visitor *visit,
                  void *context);

/* A word that takes parentheses and says something about what is declared: `__attribute__`, `_Alignas`, ... */
bool declare_is_attribute(const token_list *list, uint32_t at);

#endif
