/* SPDX-License-Identifier: MIT */
/* mutants.h - what `ufc --mutants` generates: flows with small changes inside, for the runner in the library
 * `uflow_test`. The environment variable UFLOW_MUTANT chooses one of them; without it, the flows are as written. */
#ifndef UFLOW_GENERATED_MUTANTS_H
#define UFLOW_GENERATED_MUTANTS_H

#include "uflow/generated.h"

UF_C_BEGIN

typedef struct uf_mutant {
    uint32_t line;
    const char *kind; /* "timeout" */
    const char *text; /* what is changed, and how; NULL: the preprocessor has left it out */
} uf_mutant;

/* The mutants of one generated file. In the file, they are counted from 1. */
typedef struct uf_mutant_file {
    const char *file; /* the .uflow file, as named to ufc */
    const uf_mutant *mutants;
    uint32_t count;
    unsigned char *reached; /* by mutant: the program has come to its place */
    uint32_t chosen;        /* 0: none */
    struct uf_mutant_file *next;
} uf_mutant_file;

/* Announces the mutants of a file to the runner; a second time, it does nothing. */
void uf_mutants_register(uf_mutant_file *file);

/* As for tests: a system that does not run constructors calls uf_mutants_register() itself, in the generated file. */
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(UF_TEST_NO_CONSTRUCTORS)
#define UF_MUTANTS_REGISTER(table)                                                                                     \
    __attribute__((__constructor__)) static void table##_register(void)                                                \
    {                                                                                                                  \
        uf_mutants_register(&table);                                                                                   \
    }
#else
#define UF_MUTANTS_REGISTER(table)
#endif

/* Is this mutant the chosen one? */
static inline bool uf_is_mutant(const uf_mutant_file *file, uint32_t number)
{
    return file->chosen == number;
}

/* The same, where only the changed place is: it notes that the program has come there. */
static inline bool uf_reach_mutant(const uf_mutant_file *file, uint32_t number)
{
    file->reached[number - 1] = 1;
    return file->chosen == number;
}

/* The condition of an `if` or `until`; its contrary in the mutant. */
static inline bool uf_mutant_condition(const uf_mutant_file *file, uint32_t number, bool holds)
{
    return uf_reach_mutant(file, number) != holds;
}

/* The duration of a timeout, which is never due in the mutant. */
static inline uf_time uf_mutant_time(const uf_mutant_file *file, uint32_t number, uf_time duration)
{
    return file->chosen == number ? UF_FOREVER : duration;
}

/* Takes its signal from a handler `on SIGNAL`, so that nothing can preempt the flow there. */
static inline void uf_drop_handler(uf_preempt_info *handler)
{
    handler->signal = NULL;
    handler->offset = 0;
}

UF_C_END
#endif
