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

/* A word that takes parentheses and says something about what is declared: `__attribute__`, `_Alignas`, ... */
bool declare_is_attribute(const token_list *list, uint32_t at);

#endif
