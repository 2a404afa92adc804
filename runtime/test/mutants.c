/* SPDX-License-Identifier: MIT */
/* mutants.c - the mutants of all generated files, with numbers from 1 on in the order of the files. */
#include "mutants.h"

#include "processes.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "UFLOW_MUTANT"

static uf_mutant_file *first, **end = &first;
static const char *chosen; /* what the environment says; NULL: nothing */

void uf_mutants_register(uf_mutant_file *file)
{
    for (const uf_mutant_file *other = first; other; other = other->next)
        if (other == file) return;
    file->next = NULL;
    *end = file;
    end = &file->next;
}

const uf_mutant_file *uft_next_mutants(const uf_mutant_file *after)
{
    return after ? after->next : first;
}

static uint32_t count_all(void)
{
    uint32_t count = 0;

    for (const uf_mutant_file *file = first; file; file = file->next) count += file->count;
    return count;
}

/* The tests run in other processes, which write their notes for this one. */
static void share_notes(uint32_t count)
{
    unsigned char *notes = count ? uft_share(count) : NULL;

    for (uf_mutant_file *file = first; notes && file; file = file->next) {
        file->reached = notes;
        notes += file->count;
    }
}

/* Finds a mutant by its number. `*number` becomes its number in the file. */
static uf_mutant_file *find(uint32_t *number)
{
    uf_mutant_file *file = first;

    for (; file && *number > file->count; file = file->next) *number -= file->count;
    return file;
}

static bool is_number(const char *text, uint32_t most, uint32_t *number)
{
    char *rest;
    unsigned long const value = strtoul(text, &rest, 10);

    *number = (uint32_t)value;
    return *text >= '0' && *text <= '9' && *rest == '\0' && value <= most;
}

bool uft_choose_mutant(const char *program)
{
    uint32_t const count = count_all();
    uint32_t number;

    chosen = getenv(VARIABLE);
    if (!chosen || !*chosen) {
        chosen = NULL;
        return true;
    }
    if (!is_number(chosen, count, &number)) {
        fprintf(stderr, "%s: %s=%s: ", program, VARIABLE, chosen);
        if (count) fprintf(stderr, "this is no number from 0 to %u; see --list-mutants\n", (unsigned)count);
        else fprintf(stderr, "this program has no mutants; compile its flows with `ufc --mutants`\n");
        return false;
    }
    share_notes(count);
    uf_mutant_file *const file = number ? find(&number) : NULL;
    if (file) file->chosen = number;
    return true;
}

void uft_list_mutants(void)
{
    unsigned number = 1;

    for (const uf_mutant_file *file = first; file; file = file->next) {
        for (uint32_t i = 0; i < file->count; i++, number++) {
            uf_mutant const *const mutant = &file->mutants[i];
            if (!mutant->text) continue;
            printf("%u %s:%u %s %s\n", number, uft_shown(file->file), (unsigned)mutant->line, mutant->kind,
                   mutant->text);
        }
    }
}

static void report_all(void)
{
    unsigned number = 1;

    printf("# mutants reached:");
    for (const uf_mutant_file *file = first; file; file = file->next)
        for (uint32_t i = 0; i < file->count; i++, number++)
            if (file->reached[i]) printf(" %u", number);
    putchar('\n');
}

static void report_history(const uft_result *results, unsigned count)
{
    uint64_t digest = 0;

    for (unsigned i = 0; i < count; i++) digest = digest * UINT64_C(0x100000001b3) ^ results[i].states;
    printf("# history %016llx\n", (unsigned long long)digest);
}

void uft_report_mutants(const uft_result *results, unsigned count)
{
    if (!chosen) return;
    report_history(results, count);
    for (const uf_mutant_file *file = first; file; file = file->next)
        if (file->chosen) printf("# mutant %s is %sreached\n", chosen, file->reached[file->chosen - 1] ? "" : "not ");
    if (strtoul(chosen, NULL, 10) == 0) report_all();
}
