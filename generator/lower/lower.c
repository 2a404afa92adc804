#include "lower.h"

ir_unit *lower_unit(arena *a, const ast_file *main)
{
    ir_unit *const unit = ARENA_NEW(a, ir_unit);
    unit->in = main->in;
    return unit;
}
