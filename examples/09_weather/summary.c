#include "summary.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char question[] = "Sum up this weather report in two sentences.\n\n";

/* The length of the UTF-8 character at `at`; 0: it is invalid. */
static size_t character(const unsigned char *at, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t const size = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : at[0] >> 3 == 30 ? 4 : 0;
    if (size <= 1 || size > left) return at[0] < 0x80 ? 1 : 0;
    uint32_t code = at[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (at[i] >> 6 != 2) return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    return code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : size;
}

/* Copies only valid UTF-8, and truncates between characters. */
static size_t copy_clean(char *to, size_t size, const char *from, size_t length)
{
    size_t copied = 0;
    for (size_t i = 0; i < length;) {
        size_t const good = character((const unsigned char *)from + i, length - i);
        size_t const step = good > 0 ? good : 1;
        if (copied + step > size) break;
        if (good > 0 && from[i] != '\0') memcpy(to + copied, from + i, good);
        else to[copied] = '?';
        copied += step;
        i += step;
    }
    return copied;
}

char *summary_request(const char *page, size_t length)
{
    char *const text = malloc(sizeof question + SUMMARY_PAGE_SIZE);
    if (text == NULL) return NULL;
    memcpy(text, question, sizeof question - 1);
    size_t const used = sizeof question - 1 + copy_clean(text + sizeof question - 1, SUMMARY_PAGE_SIZE, page, length);

    json_t *const request = json_pack("{s:i, s:[{s:s, s:s%}]}", "max_tokens", (int)SUMMARY_TOKENS, "messages", "role",
                                      "user", "content", text, used);
    char *const written = json_dumps(request, JSON_COMPACT); /* NULL for NULL */
    json_decref(request);
    free(text);
    return written;
}

static void put(char *to, size_t size, const char *text, size_t length)
{
    if (size == 0) return;
    to[copy_clean(to, size - 1, text, length)] = '\0';
}

bool summary_read(const char *answer, size_t length, char *text, size_t size)
{
    json_error_t where;
    json_t *const root = json_loadb(answer, length, JSON_REJECT_DUPLICATES, &where);
    const json_t *const parts = json_object_get(root, "content"); /* each of these accepts the NULL of the previous
                                                                   * one */
    const json_t *found = NULL, *part;
    size_t i;
    json_array_foreach(parts, i, part)
    {
        if (found == NULL) found = json_object_get(part, "text");
    }
    bool const good = json_is_string(found);
    if (!good) found = json_object_get(json_object_get(root, "error"), "message");

    if (json_is_string(found)) {
        put(text, size, json_string_value(found), json_string_length(found));
    } else {
        char beginning[64];
        put(beginning, sizeof beginning, answer, length);
        snprintf(text, size, "%s: %s", root == NULL ? "the answer is no JSON" : "no text in the answer", beginning);
    }
    json_decref(root);
    return good;
}
