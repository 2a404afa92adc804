/* The structure of a file as JSON, for tools. */
#include "structure.h"

void emit_json(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w;
    writer_begin(&w, unit, options, out);
    put(&w, "{ ");
    put_structure(&w);
    put(&w, " }\n");
    writer_end(&w);
}
