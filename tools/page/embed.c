/* ufc_embed - writes texts as C files. Made for the build; not installed.
 *
 * usage: ufc_embed DIRECTORY OUTPUT               the page of `ufc --emit=html`; see page.h
 *        ufc_embed --samples DOCUMENT OUTPUT      the samples of diagnostics; see samples.h
 *
 * A line `@include NAME` of DIRECTORY/page.html becomes that file, a line `@data` divides the page. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 1024

__attribute__((noreturn, format(printf, 1, 2))) static void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("ufc_embed: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *const file = fopen(path, mode);
    if (!file) die("%s: %s", path, strerror(errno));
    return file;
}

/* An array, since C compilers need not accept a long string literal. */
static void put_bytes(FILE *out, const char *text)
{
    static unsigned column;
    for (; *text; text++) fprintf(out, "%u,%s", (unsigned)(unsigned char)*text, ++column % 32 ? "" : "\n");
}

static void copy(const char *directory, const char *name, FILE *out)
{
    char path[2 * LINE], line[LINE];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const in = open_file(path, "r");

    while (fgets(line, sizeof line, in)) {
        size_t const length = strcspn(line, "\n");
        if (!line[length]) die("%s: a line is too long, or has no end", path);
        if (strncmp(line, "@include ", 9) == 0) {
            line[length] = '\0';
            copy(directory, line + 9, out);
        } else if (strcmp(line, "@data\n") == 0) {
            fputs("0};\nconst unsigned char page_end[] = {\n", out);
        } else {
            put_bytes(out, line);
        }
    }
    if (ferror(in)) die("%s: %s", path, strerror(errno));
    (void)fclose(in);
}

static void copy_samples(const char *path, FILE *out)
{
    char line[LINE];
    bool is_sample = false;
    FILE *const in = open_file(path, "r");

    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "```", 3) == 0) {
            is_sample = !is_sample;
            if (is_sample) put_bytes(out, "\n");
        } else if (is_sample) {
            if (*line != '\n') put_bytes(out, "    ");
            put_bytes(out, line);
        } else if (strncmp(line, "### UF", 6) == 0 && strlen(line) > 10) { /* `### UFnnnn: title` */
            strcpy(line + 10, "\n");
            put_bytes(out, line + 4);
        }
    }
    if (ferror(in)) die("%s: %s", path, strerror(errno));
    (void)fclose(in);
}

int main(int argc, char **argv)
{
    bool const is_samples = argc == 4 && strcmp(argv[1], "--samples") == 0;
    if (argc != 3 && !is_samples) die("usage: ufc_embed DIRECTORY OUTPUT, ufc_embed --samples DOCUMENT OUTPUT");
    FILE *const out = open_file(argv[argc - 1], "w");
    fprintf(out, "/* Made by ufc_embed. */\n#include \"%s.h\"\n\nconst unsigned char %s[] = {\n",
            is_samples ? "samples" : "page", is_samples ? "samples_of_errors" : "page_begin");
    if (is_samples) copy_samples(argv[2], out);
    else copy(argv[1], "page.html", out);
    fputs("0};\n", out);
    if (ferror(out) || fclose(out) != 0) die("%s: %s", argv[argc - 1], strerror(errno));
    return 0;
}
