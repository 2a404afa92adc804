#include "depfile.h"

/* Escapes names in make rules, as gcc does and Ninja expects: a backslash before a blank, # or :, two backslashes for
 * each one before a blank, and $$ for $. */
static void name(const char *text, buffer *out)
{
    size_t backslashes = 0;
    for (; *text; text++) {
        if (*text == ' ' || *text == '\t') {
            for (; backslashes; backslashes--) buffer_putc(out, '\\');
            buffer_putc(out, '\\');
        } else if (*text == '#' || *text == ':') {
            buffer_putc(out, '\\');
        } else if (*text == '$') {
            buffer_putc(out, '$');
        }
        backslashes = *text == '\\' ? backslashes + 1 : 0;
        buffer_putc(out, *text);
    }
    for (; backslashes; backslashes--) buffer_putc(out, '\\'); /* a blank or the end of the line follows */
}

void depfile_render(const char *const *targets, size_t target_count, const char *const *inputs, size_t input_count,
                    bool phony, buffer *out)
{
    for (size_t i = 0; i < target_count; i++) {
        if (i) buffer_putc(out, ' ');
        name(targets[i], out);
    }
    buffer_putc(out, ':');
    for (size_t i = 0; i < input_count; i++) {
        buffer_puts(out, i ? " \\\n  " : " ");
        name(inputs[i], out);
    }
    buffer_putc(out, '\n');
    for (size_t i = 1; phony && i < input_count; i++) {
        name(inputs[i], out);
        buffer_puts(out, ":\n");
    }
}
