/* SPDX-License-Identifier: MIT */
/* verdict.c - from the end of a process to the failure of its test. */
#include "verdict.h"

#include "sanitizers.h"
#include "texts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *uft_output_text(const uft_output *output)
{
    size_t const kept = output->size < TEST_OUTPUT_HALF ? output->size : TEST_OUTPUT_HALF;
    size_t const rest = output->size - kept, end = rest < TEST_OUTPUT_HALF ? rest : TEST_OUTPUT_HALF;
    char *const text = malloc(2 * TEST_OUTPUT_HALF + 64);
    size_t length = 0;

    if (!text) return NULL;
    for (size_t i = 0; i < kept; i++) text[length++] = output->head[i] ? output->head[i] : '?';
    if (end < rest) length += (size_t)sprintf(text + length, "\n... %zu bytes ...\n", rest - end);
    for (size_t i = output->size - end; i < output->size; i++) {
        char const byte = output->tail[i % TEST_OUTPUT_HALF];
        text[length++] = byte ? byte : '?';
    }
    text[length] = '\0';
    return text;
}

static void fail(uft_slot *slot, const uft_case *of, const char *format, ...) UF_FORMAT(3, 4);
static void fail(uft_slot *slot, const uft_case *of, const char *format, ...)
{
    va_list arguments;

    slot->failed = true;
    if (!slot->at.file) slot->at = uft_head(of);
    va_start(arguments, format);
    (void)vsnprintf(slot->message, sizeof slot->message, format, arguments);
    va_end(arguments);
    if (*slot->where) {
        size_t const length = strlen(slot->message);
        (void)snprintf(slot->message + length, sizeof slot->message - length, ", in %s", slot->where);
    }
}

/* -- sanitizers ---------------------------------------------------------------------------------------------------- */

/* The line of a sanitizer's report that says what it has found: a copy, to be freed; NULL: there is none. */
static char *find_report(const uft_output *output)
{
    static const char *const marks[] = {"ERROR: ", "WARNING: ThreadSanitizer", ": runtime error: "};
    char *const text = uft_is_sanitized() ? uft_output_text(output) : NULL;

    for (char *line = text; line && *line;) {
        char *const end = line + strcspn(line, "\n");
        bool const is_last = !*end;
        *end = '\0';
        char *const error = strstr(line, marks[0]);
        bool const is_error = error && strstr(error, "Sanitizer");
        if (is_error || strstr(line, marks[1]) || strstr(line, marks[2])) {
            char *const from = is_error ? error + strlen(marks[0]) : line;
            memmove(text, from, strlen(from) + 1);
            return text;
        }
        line = is_last ? end : end + 1;
    }
    free(text);
    return NULL;
}

/* UndefinedBehaviorSanitizer ends the process without a word to it, but its report begins with the place:
 * `FILE:LINE:COLUMN: runtime error: TEXT`. If that is a file with tests, the place moves to the slot. */
static void take_place(uft_slot *slot, char *report)
{
    static const char mark[] = ": runtime error: ";
    char *const text = strstr(report, mark);

    for (const uf_test_file *file = NULL; text && (file = uft_next_file(file)) != NULL;) {
        size_t const length = strlen(file->file);
        if (strncmp(report, file->file, length) != 0 || report[length] != ':') continue;
        slot->at = (uft_place){uft_shown(file->file), (uint32_t)strtoul(report + length + 1, NULL, 10)};
        memmove(report, text + 2, strlen(text + 2) + 1);
        return;
    }
}

/* -- the end of a process ------------------------------------------------------------------------------------------ */

void uft_judge_process(uft_process *process, const uft_case *of, uf_time step_limit)
{
    uft_slot *const slot = process->slot;
    char limit[TEST_TIME_SIZE];
    char *const report = find_report(&process->output);

    if (process->end == TEST_NO_PROCESS) fail(slot, of, "there is no process for it: %s", strerror(process->number));
    else if (process->end == TEST_HUNG)
        fail(slot, of, "a step has not returned for %s of real time", uft_duration_text(step_limit, limit));
    else if (report && !(slot->finished && slot->failed)) {
        take_place(slot, report);
        fail(slot, of, "%s", report);
    } else if (process->end == TEST_KILLED && !slot->finished)
        fail(slot, of, "crash: %s", uft_signal_name(process->number));
    else if (!slot->finished) fail(slot, of, "the test has called exit(%d)", process->number);
    free(report);
}

void uft_make_unrepeatable(uft_slot *slot)
{
    static const char prefix[] = "not repeatable: ";

    if (strncmp(slot->message, prefix, sizeof prefix - 1) == 0) return;
    uft_prepend(slot->message, sizeof slot->message, "not repeatable: it passes in a fresh process; before: ");
}
