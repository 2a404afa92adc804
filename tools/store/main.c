/* SPDX-License-Identifier: MIT */
/* main.c - uflow-store: shows what the file of a store has, and forgets flows. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "memory.h"
#include "output.h"
#include "store.h"
#include "text.h"
#include "uflow/version.h"

const char tool_name[] = "uflow-store";
const int tool_trouble = 1;

static const char usage[] =
    "usage: uflow-store [OPTION] FILE\n"
    "Lists the durable flows that the file of a store has: where each is, and how its last run ended. It reads the\n"
    "file beside the program that has it. --forget and --new-identity change it, when no program has it.\n"
    "\n"
    "  -s, --show=PATH        shows all that is kept of the flow with this path\n"
    "  -e, --export           prints all flows as JSON\n"
    "      --forget=PATH      forgets what is kept of this path; '' is that of the time alone\n"
    "      --new-identity     gives the file another identity, for a copy that is used beside the original\n"
    "      --version; -h, --help\n"
    "\n"
    "Exit status: 0; 1: the file cannot be read or written, is no store, has no such path, or a record is damaged; 2:\n"
    "the command is wrong; 3: a program has the file, so that it cannot be changed.\n";

typedef enum action { LIST, SHOW, EXPORT, FORGET, NEW_IDENTITY } action;

typedef struct options {
    action action;
    const char *path; /* of a flow */
    const char *file;
} options;

static _Noreturn void misuse(const char *what, const char *value)
{
    fprintf(stderr, "uflow-store: %s%s\nTry uflow-store --help.\n", what, value);
    exit(2);
}

static void choose(options *chosen, action one, const char *path)
{
    if (chosen->action != LIST) misuse("only one of --show, --export, --forget and --new-identity", "");
    chosen->action = one;
    chosen->path = path;
}

static options read_options(int argc, char **argv)
{
    enum { OPTION_FORGET = 256, OPTION_NEW_IDENTITY, VERSION };
    static const struct option known[] = {{"show", required_argument, NULL, 's'},
                                          {"export", no_argument, NULL, 'e'},
                                          {"forget", required_argument, NULL, OPTION_FORGET},
                                          {"new-identity", no_argument, NULL, OPTION_NEW_IDENTITY},
                                          {"version", no_argument, NULL, VERSION},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    options chosen = {.action = LIST};

    for (int option; (option = getopt_long(argc, argv, "s:eh", known, NULL)) != -1;) {
        switch (option) {
        case 's': choose(&chosen, SHOW, optarg); break;
        case 'e': choose(&chosen, EXPORT, NULL); break;
        case OPTION_FORGET: choose(&chosen, FORGET, optarg); break;
        case OPTION_NEW_IDENTITY: choose(&chosen, NEW_IDENTITY, NULL); break;
        case VERSION: tool_answer("uflow-store " UF_VERSION "\n");
        case 'h': tool_answer(usage);
        default: fputs("Try uflow-store --help.\n", stderr); exit(2);
        }
    }
    if (optind + 1 != argc)
        misuse(optind == argc ? "no FILE" : "more than one FILE: ", optind == argc ? "" : argv[optind + 1]);
    chosen.file = argv[optind];
    return chosen;
}

/* -- one path ------------------------------------------------------------------------------------------------------ */

static _Noreturn void die_of_path(const store_data *data, const char *path)
{
    const char **const names = tool_resize(NULL, data->count, sizeof *names);

    for (size_t i = 0; i < data->count; i++) names[i] = data->rows[i].path.at;
    const char *const near = data->count ? diag_nearest(path, names, data->count) : NULL;
    free(names);
    if (near) tool_die("%s: has no flow `%s`: did you mean `%s`?", data->name, path, near);
    tool_die("%s: has no flow `%s`", data->name, path);
}

static const store_row *row_of(const store_data *data, const char *path)
{
    for (size_t i = 0; i < data->count; i++) {
        const store_text *const found = &data->rows[i].path;
        if (found->length == strlen(path) && memcmp(found->at, path, found->length) == 0) return &data->rows[i];
    }
    die_of_path(data, path);
}

static void say_of(const char *path, const char *text)
{
    char *const copy = tool_copy_printable(path, strlen(path));
    printf("%s: %s\n", copy, text);
    free(copy);
}

/* The runs that are owed to a run that is forgotten, and the one to which it was owed. */
static void say_debts(const store_data *data, const store_row *forgotten)
{
    store_record record;
    ufi_cbor_item owner = {UFI_CBOR_NONE, 0, NULL};

    if (store_record_open(&record, forgotten)) owner = store_record_find(&record, "owner");
    for (size_t i = 0; i < data->count; i++) {
        const store_row *const row = &data->rows[i];
        if (row == forgotten || !row->path.length || !store_record_open(&record, row)) continue;
        ufi_cbor_item const its = store_record_find(&record, "owner");
        if (store_record_uint(&record, "runs") &&
            store_record_is_text(&its, forgotten->path.at, forgotten->path.length))
            say_of(row->path.at, "its run was begun by that: the next restore cancels it");
        if (owner.kind != UFI_CBOR_NONE && store_record_is_text(&owner, row->path.at, row->path.length))
            say_of(row->path.at, "has begun that run, and begins it anew if it still waits for it");
    }
}

static void forget(const store_data *data, const options *chosen)
{
    const store_row *const row = row_of(data, chosen->path);

    store_forget(chosen->file, &row->path);
    say_of(*chosen->path ? chosen->path : "the time", "is forgotten");
    say_debts(data, row);
}

static void renew(store_data *data, const char *file)
{
    char before[sizeof data->identity];

    memcpy(before, data->identity, sizeof before);
    store_renew(data, file);
    printf("identity %s, was %s\n", data->identity, before);
}

int main(int argc, char **argv)
{
    options const chosen = read_options(argc, argv);
    store_data data;
    bool is_whole = true;

    store_read(&data, chosen.file);
    switch (chosen.action) {
    case LIST: is_whole = store_list(&data, stdout); break;
    case SHOW: is_whole = store_show(&data, row_of(&data, chosen.path), stdout); break;
    case EXPORT: is_whole = store_export(&data, stdout); break;
    case FORGET: forget(&data, &chosen); break;
    case NEW_IDENTITY: renew(&data, chosen.file); break;
    }
    store_free(&data);
    tool_finish(stdout, NULL);
    return is_whole ? 0 : tool_trouble;
}
