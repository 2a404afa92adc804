#include "emit.h"

void emit_json(const ir_unit *unit, const emit_options *options, buffer *out)
{
    (void)unit;
    (void)options;
    (void)out;
}
