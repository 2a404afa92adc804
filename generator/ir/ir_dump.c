#include "ir_dump.h"

void ir_dump(const ir_unit *unit, buffer *out)
{
    (void)unit;
    (void)out;
}
