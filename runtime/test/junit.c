/* SPDX-License-Identifier: MIT */
/* junit.c - results as JUnit XML. */
#include "report.h"

#include "texts.h"

#include <string.h>

static void put(FILE *out, const char *text)
{
    uft_put_xml(out, text, strlen(text));
}

static void put_failure(FILE *out, const uft_result *result)
{
    uft_slot const *const slot = result->failure;
    char time[TEST_TIME_SIZE], text[TEST_LINE_SIZE];
    const uft_entry *line;

    fprintf(out, "      <failure message=\"");
    put(out, slot->message);
    fprintf(out, "\" type=\"failure\">");
    put(out, slot->at.file);
    fprintf(out, ":%u: ", (unsigned)slot->at.line);
    put(out, slot->message);
    fprintf(out, "\ntime: %s\n", uft_time_text(slot->time, time));
    for (uint32_t i = 0; (line = uft_history_line(slot, i)) != NULL; i++) {
        if (line->left_out && uft_left_out_text(line->left_out, text, sizeof text)) fprintf(out, "%s\n", text);
        (void)uft_line_text(line, text, sizeof text);
        put(out, text);
        fputc('\n', out);
    }
    put(out, slot->waits);
    fprintf(out, "</failure>\n");
}

static void put_case(FILE *out, const uft_result *result)
{
    fprintf(out, "    <testcase name=\"");
    put(out, result->of->test->name);
    fprintf(out, "\" classname=\"");
    put(out, result->of->shown);
    fprintf(out, "\" file=\"");
    put(out, result->of->file->file);
    fprintf(out, "\" line=\"%u\" time=\"%.6f\">\n", (unsigned)result->of->test->line, (double)result->took / 1e9);
    if (!result->is_known) fprintf(out, "      <skipped message=\"interrupted\"/>\n");
    else if (!result->passed) put_failure(out, result);
    if (result->output_size) {
        fprintf(out, "      <system-out>");
        uft_put_xml(out, result->output, result->output_size);
        fprintf(out, "</system-out>\n");
    }
    fprintf(out, "    </testcase>\n");
}

bool uft_write_junit(FILE *out, const uft_options *options, const uft_result *results, unsigned count)
{
    unsigned failed = 0, skipped = 0;
    uf_time took = 0;

    for (unsigned i = 0; i < count; i++) {
        failed += results[i].is_known && !results[i].passed;
        skipped += !results[i].is_known;
        took += results[i].took;
    }
    double const seconds = (double)took / 1e9;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    fprintf(out, "<testsuites tests=\"%u\" failures=\"%u\" errors=\"0\" time=\"%.6f\">\n  <testsuite name=\"", count,
            failed, seconds);
    put(out, options->program);
    fprintf(out, "\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"%.6f\">\n", count, failed, skipped,
            seconds);
    for (unsigned i = 0; i < count; i++) put_case(out, &results[i]);
    fprintf(out, "  </testsuite>\n</testsuites>\n");
    return !ferror(out);
}
