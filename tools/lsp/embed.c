/* SPDX-License-Identifier: MIT */
/* lsp_embed - writes a text as a C file that defines it. Made for the build; not installed.
 *
 * usage: lsp_embed INPUT OUTPUT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    FILE *const in = argc == 3 ? fopen(argv[1], "rb") : NULL, *const out = in ? fopen(argv[2], "wb") : NULL;
    if (!out) {
        fprintf(stderr, "lsp_embed: %s\n", strerror(errno));
        return 1;
    }
    /* An array, since C compilers need not accept a long string literal. */
    fputs("extern const char lsp_language[];\nconst char lsp_language[] = {\n", out);
    unsigned column = 0;
    for (int c; (c = getc(in)) != EOF;) fprintf(out, "%d,%s", c < 128 ? c : c - 256, ++column % 32 ? "" : "\n");
    fputs("0};\n", out);
    return ferror(in) || ferror(out) || fclose(out) != 0;
}
