#include "parse.h"

ast_file *parse_file(arena *a, diagnostics *d, const source *in)
{
    (void)d;
    ast_file *file = ARENA_NEW(a, ast_file);
    file->in = in;
    file->tokens.in = in;
    return file;
}
