#include "ast_dump.h"

void token_dump(const token_list *tokens, buffer *out)
{
    buffer_printf(out, "%u\n", (unsigned)tokens->count);
}

void ast_dump(const ast_file *file, buffer *out)
{
    buffer_printf(out, "%s\n", file->in->name);
}
