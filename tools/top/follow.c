/* SPDX-License-Identifier: MIT */
/* follow.c - transitions as they come. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "top.h"

#define LINE 65536 /* longer ones are several: a peer decides how long they are */

void top_follow_text(const char *line, char *text, size_t size)
{
    json_t *const event = top_is_refusal(line) ? NULL : json_loads(line, 0, NULL);
    char const *const what = top_string(event, "event"), *const step = top_string(event, "step");
    char const *const to = top_string(event, "to_step"), *const description = top_string(event, "description");
    char const *const reason = top_string(event, "reason");
    bool const is_step = strcmp(what, "step") == 0,
               other_task = strcmp(top_string(event, "task"), top_string(event, "to_task")) != 0;
    char time[TOP_TIME];

    if (top_is_refusal(line)) {
        top_write(text, size, "%.*s", (int)strcspn(line, "\n"), line);
        tool_make_printable(text);
        return;
    }
    if (json_object_get(event, "lost")) {
        top_write(text, size, "%.0f transitions were lost", top_number(event, "lost"));
        json_decref(event);
        return;
    }
    top_write(text, size, "%.6f  %-24s  ", top_number(event, "time"), top_string(event, "flow"));
    if (*step) top_append(text, size, "%s.%s:%.0f ", top_string(event, "task"), step, top_number(event, "line"));
    if (!is_step) top_append(text, size, "%s ", what);
    if (*to)
        top_append(text, size, "-> %s%s%s ", !*step || other_task ? top_string(event, "to_task") : "",
                   !*step || other_task ? "." : "", to);
    if (json_object_get(event, "after"))
        top_append(text, size, " after %s", top_time(time, top_number(event, "after")));
    if (*description) top_append(text, size, "  \"%s\"", description);
    if (*reason) top_append(text, size, "  reason: %s", reason);
    tool_make_printable(text);
    json_decref(event);
}

/* If a process or a runtime does not respond, no line would come. Returns: false if the process does not. */
static bool tell_silence(const char *socket)
{
    char text[1024];
    json_t *const document = top_fetch_document(socket, text), *const runtime = json_object_get(document, "runtime");

    if (document && top_truth(runtime, "responds")) text[0] = '\0';
    else if (document) top_silence_text(runtime, text, sizeof text);
    if (*text) fprintf(stderr, "uflow-top: %s\n", text);
    json_decref(document);
    return document;
}

int top_follow(const top_options *options)
{
    char request[256], error[TOP_ERROR], text[1024], line[LINE];

    if (!tell_silence(options->socket)) return 1;
    snprintf(request, sizeof request, "follow %s", options->follow);
    int const fd = top_ask(options->socket, request);
    FILE *const in = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!in) {
        top_explain(options->socket, errno, error);
        fprintf(stderr, "uflow-top: %s\n", error);
        return 1;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    bool written = true;
    while (written && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (!options->json) top_follow_text(line, text, sizeof text);
        if (top_is_refusal(line)) fprintf(stderr, "uflow-top: %s\n", tool_make_printable(line));
        else written = puts(options->json ? tool_make_printable(line) : text) >= 0;
    }
    if (written) top_explain(options->socket, EPIPE, error);
    fprintf(stderr, "uflow-top: %s\n", written ? error : strerror(errno));
    fclose(in);
    return 1;
}
