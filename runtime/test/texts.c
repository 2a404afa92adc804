/* SPDX-License-Identifier: MIT */
/* texts.c - the texts of reports. Not with PRId64: the <inttypes.h> of some bare tool chains, newlib on Debian 13 is
 * one, lacks the macros of 64 bits. */
#include "texts.h"

#include <string.h>

const char *uft_duration_text(uf_time duration, char text[TEST_TIME_SIZE])
{
    static const struct {
        uf_time length;
        const char *name;
    } units[] = {{UF_S(3600), "h"}, {UF_S(60), "min"}, {UF_S(1), "s"}, {UF_MS(1), "ms"}, {UF_US(1), "us"}, {1, "ns"}};
    size_t unit = 0;

    if (duration == 0) unit = 2;
    while (duration % units[unit].length != 0) unit++;
    (void)snprintf(text, TEST_TIME_SIZE, "%lld %s", (long long)(duration / units[unit].length), units[unit].name);
    return text;
}

const char *uft_time_text(uf_time time, char text[TEST_TIME_SIZE])
{
    long long const seconds = time / UF_S(1), rest = time % UF_S(1);

    if (rest % 1000000 == 0) (void)snprintf(text, TEST_TIME_SIZE, "%lld.%03d s", seconds, (int)(rest / 1000000));
    else if (rest % 1000 == 0) (void)snprintf(text, TEST_TIME_SIZE, "%lld.%06d s", seconds, (int)(rest / 1000));
    else (void)snprintf(text, TEST_TIME_SIZE, "%lld.%09d s", seconds, (int)rest);
    return text;
}

const char *uft_measured_text(uf_time time, char text[TEST_TIME_SIZE])
{
    if (time < UF_S(1)) (void)snprintf(text, TEST_TIME_SIZE, "%.1f ms", (double)time / 1e6);
    else (void)snprintf(text, TEST_TIME_SIZE, "%.2f s", (double)time / 1e9);
    return text;
}

void uft_prepend(char *text, size_t size, const char *prefix)
{
    size_t const before = strlen(prefix), length = strlen(text);

    if (before + 1 >= size) return;
    size_t const kept = length < size - before - 1 ? length : size - before - 1;
    memmove(text + before, text, kept);
    memcpy(text, prefix, before);
    text[before + kept] = '\0';
}

size_t uft_character(const char *bytes, size_t size)
{
    unsigned char const first = (unsigned char)bytes[0];
    size_t const length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;

    if (length > size) return 0;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)bytes[i] & 0xc0) != 0x80) return 0;
    if (length < 3) return length;
    unsigned char const second = (unsigned char)bytes[1];
    bool const is_wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || /* surrogates */
                          (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return is_wrong ? 0 : length;
}

/* Does a terminal obey it? The characters from U+0080 to U+009F are such, too. */
static bool is_control(const char *bytes, size_t length)
{
    unsigned char const byte = (unsigned char)bytes[0];
    return byte < 0x20 || byte == 0x7f || (length == 2 && byte == 0xc2 && (unsigned char)bytes[1] < 0xa0);
}

void uft_put_quoted(FILE *out, const char *bytes, size_t size)
{
    fputc('"', out);
    for (size_t i = 0; i < size;) {
        unsigned char const byte = (unsigned char)bytes[i];
        size_t const length = uft_character(bytes + i, size - i);
        if (byte == '"' || byte == '\\') fprintf(out, "\\%c", byte);
        else if (byte == '\n') fputs("\\n", out);
        else if (byte == '\t') fputs("\\t", out);
        else if (length == 0) fprintf(out, "\\x%02x", byte);
        else if (is_control(bytes + i, length))
            for (size_t k = 0; k < length; k++) fprintf(out, "\\x%02x", (unsigned char)bytes[i + k]);
        else fwrite(bytes + i, 1, length, out);
        i += length ? length : 1;
    }
    fputc('"', out);
}

void uft_put_xml(FILE *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        unsigned char const byte = (unsigned char)bytes[i];
        size_t const length = uft_character(bytes + i, size - i);
        bool const is_noncharacter =
            length == 3 && memcmp(bytes + i, "\xef\xbf\xbe", 2) == 0 && (bytes[i + 2] & 0x3e) == 0x3e;
        if (byte == '&') fputs("&amp;", out);
        else if (byte == '<') fputs("&lt;", out);
        else if (byte == '>') fputs("&gt;", out);
        else if (byte == '"') fputs("&quot;", out);
        else if (length == 0 || is_noncharacter || (byte < 0x20 && byte != '\n' && byte != '\t')) fputc('?', out);
        else fwrite(bytes + i, 1, length, out);
        i += length ? length : 1;
    }
}
