/* ir_dump.h - the tables as text, for `--dump=ir` and the golden tests. */
#ifndef UFC_IR_DUMP_H
#define UFC_IR_DUMP_H

#include "buffer.h"
#include "ir.h"

void ir_dump(const ir_unit *unit, buffer *out);

#endif
