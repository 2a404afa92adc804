/* SPDX-License-Identifier: MIT */
/* transport.c - messages on pipes: a header with Content-Length, and JSON. Those of the editor are standard input and
 * output. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lsp.h"
#include "memory.h"

#define MESSAGE_LIMIT ((size_t)64 * 1024 * 1024)

static stream editor = {.handle = STDIN_FILENO};

/* Reads what is there. Returns false at the end of the input, and if nothing came. */
static bool read_more(stream *from, int milliseconds, bool *has_ended)
{
    struct pollfd ready = {.fd = from->handle, .events = POLLIN};
    buffer *const input = &from->input;
    enum { PIECE = 65536 };
    while (poll(&ready, 1, milliseconds) < 0 && errno == EINTR) {}
    if (!ready.revents) return false;
    if (from->used) {
        memmove(input->text, input->text + from->used, input->length - from->used);
        input->length -= from->used;
        from->used = 0;
    }
    buffer_reserve(input, PIECE);
    ssize_t n;
    while ((n = read(from->handle, input->text + input->length, PIECE)) < 0 && errno == EINTR) {}
    *has_ended = n <= 0;
    if (n > 0) input->length += (size_t)n;
    return n > 0;
}

/* Reads a header. Lines that are none of the protocol are skipped. Returns its length; 0: it is not complete. */
static size_t header_length(const char *text, size_t length, size_t *content)
{
    static const char word[] = "Content-Length:";
    bool is_there = false;
    size_t at = 0;
    for (;;) {
        const char *const end = memchr(text + at, '\n', length - at);
        if (!end) return 0;
        size_t const line = (size_t)(end - (text + at));
        bool const is_empty = line == 0 || (line == 1 && text[at] == '\r');
        if (line < 64 && line > sizeof word && strncasecmp(text + at, word, sizeof word - 1) == 0) {
            char number[64] = "";
            memcpy(number, text + at + sizeof word - 1, line - (sizeof word - 1));
            *content = strtoul(number, NULL, 10);
            is_there = true;
        }
        at += line + 1;
        if (is_empty && is_there) return at;
    }
}

read_end stream_read(stream *from, int milliseconds, json_t **message)
{
    buffer *const input = &from->input;
    for (bool has_ended = false;;) {
        size_t content = 0;
        size_t const left = input->length - from->used;
        size_t const head = left ? header_length(input->text + from->used, left, &content) : 0;
        if (head && content > MESSAGE_LIMIT) {
            from->used += head; /* what follows is skipped up to the next header */
            return READ_MALFORMED;
        }
        if (head && left - head >= content) {
            *message = json_loadb(input->text + from->used + head, content, JSON_ALLOW_NUL, NULL);
            from->used += head + content;
            return *message ? READ_MESSAGE : READ_MALFORMED;
        }
        if (left > MESSAGE_LIMIT + 4096) from->used = input->length;
        if (!read_more(from, milliseconds, &has_ended)) return has_ended ? READ_END : READ_NOTHING;
    }
}

read_end transport_read(bool waits, json_t **message)
{
    return stream_read(&editor, waits ? -1 : 0, message);
}

bool transport_wait(int other)
{
    struct pollfd ready[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = other, .events = POLLIN}};
    while (poll(ready, 2, -1) < 0 && errno == EINTR) {}
    return ready[0].revents != 0;
}

void transport_send(json_t *message)
{
    char *const text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text) {
        fputs("uflow-lsp: out of memory\n", stderr);
        exit(3);
    }
    printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    free(text);
    if (fflush(stdout) != 0) exit(1); /* the editor is gone */
}

void transport_notify(const char *method, json_t *params)
{
    transport_send(json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

void transport_end(void)
{
    buffer_free(&editor.input);
}
