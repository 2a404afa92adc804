/* SPDX-License-Identifier: MIT */
/* history.c - all lines of transitions, kept or compared. */
#include "history.h"

#include "processes.h"
#include "texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void uft_take_note(void *context, uf_time time, const char *text)
{
    uft_lines const *const lines = context;
    if (lines->slot) uft_add_line(lines->slot, time, text);
}

/* -- all lines ----------------------------------------------------------------------------------------------------- */

static void keep(uft_lines *lines, const char *line, size_t length)
{
    if (lines->size + length > lines->room) {
        size_t const room = 2 * (lines->room + length) + 4096;
        char *const text = realloc(lines->text, room);
        lines->out_of_memory |= !text;
        if (!text) return;
        lines->text = text;
        lines->room = room;
    }
    memcpy(lines->text + lines->size, line, length);
    lines->size += length;
}

/* `line` "": there is no further line. */
static void differ(uft_lines *lines, uf_time time, const char *line, size_t length, const char *was, size_t was_length)
{
    lines->differs = true;
    lines->differs_at = time;
    (void)snprintf(lines->is, sizeof lines->is, "%.*s", (int)length, line);
    if (was_length > sizeof lines->was - 1) was_length = sizeof lines->was - 1;
    (void)snprintf(lines->was, sizeof lines->was, "%.*s", (int)was_length, was);
}

/* The next line that is expected, with its end; 0: there is none. A file may have the ends of lines of Windows. */
static size_t next_expected(const uft_lines *lines, size_t *with_end)
{
    char const *const end = lines->expected_size ? memchr(lines->expected, '\n', lines->expected_size) : NULL;
    size_t length = end ? (size_t)(end - lines->expected) : lines->expected_size;

    *with_end = length + (end ? 1 : 0);
    if (end && length && lines->expected[length - 1] == '\r') length--;
    return length;
}

static void compare(uft_lines *lines, uf_time time, const char *line, size_t length)
{
    size_t with_end;
    size_t const expected = next_expected(lines, &with_end);

    if (lines->differs) return;
    lines->line++;
    if (expected != length || memcmp(lines->expected, line, length) != 0)
        differ(lines, time, line, length, lines->expected, expected);
    lines->expected += with_end;
    lines->expected_size -= with_end;
}

void uft_take_line(void *context, uf_time time, const char *text)
{
    uft_lines *const lines = context;
    char number[TEST_TIME_SIZE], line[TEST_TIME_SIZE + TEST_LINE_SIZE + 2];
    int const length = snprintf(line, sizeof line, "%s %s\n", uft_time_text(time, number), text);

    uft_take_note(lines, time, text);
    if (lines->keeps) keep(lines, line, (size_t)length);
    if (lines->compares) compare(lines, time, line, (size_t)length - 1);
}

void uft_end_lines(uft_lines *lines, uf_time time)
{
    if (!lines->compares || lines->differs || lines->expected_size == 0) return;
    compare(lines, time, "", 0);
}

char *uft_read_file(const char *path, size_t *size)
{
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;

    *size = 0;
    if (!file) return NULL;
    do {
        if (*size == room) {
            room = room ? 2 * room : 4096;
            char *const larger = realloc(text, room);
            if (!larger) break;
            text = larger;
        }
        *size += fread(text + *size, 1, room - *size, file);
    } while (*size == room);
    int const error = ferror(file) ? EIO : *size == room ? ENOMEM : 0;
    (void)fclose(file);
    if (!error) return text;
    free(text);
    errno = error;
    return NULL;
}

bool uft_write_file(const char *path, const char *text, size_t size)
{
    size_t const length = strlen(path) + 32;
    char *const beside = malloc(length);

    if (!beside) return false;
    (void)snprintf(beside, length, "%s.%ld.new", path, uft_process_id()); /* several runners may write it */
    FILE *const file = fopen(beside, "wb");
    bool written = file && (size == 0 || fwrite(text, 1, size, file) == size);
    if (file) written = fclose(file) == 0 && written;
    if (written) written = uft_replace_file(beside, path);
    int const error = errno;
    if (file && !written) (void)remove(beside);
    free(beside);
    errno = error;
    return written;
}
