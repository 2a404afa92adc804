/* SPDX-License-Identifier: MIT */
/* pieces.c - texts of names, and of events, which come in cells; see reader.h. */
#include "reader.h"

#include <string.h>

void trace_add_piece(trace_pieces *to, const uf_trace_cell *cell)
{
    uint32_t const object = cell->what & UF_CELL_OBJECT;
    uint64_t const bytes = (uint64_t)cell->b << 32 | cell->a;

    if (cell->time == 0) {
        to->length = 0;
    } else if (to->object != object || to->next != cell->time) {
        to->length = 3; /* the ring has lost its beginning */
        memcpy(to->text, "...", 3);
    }
    to->object = object;
    to->next = cell->time + 1;
    for (unsigned i = 0; i < 8 && to->length + 1 < sizeof to->text; i++) {
        char const byte = (char)(bytes >> 8 * i & 0xff);
        if (byte) to->text[to->length++] = byte;
    }
    to->text[to->length] = '\0';
}

const char *trace_take_text(trace_pieces *from, uint32_t object)
{
    bool const is_its = from->object == object && from->length > 0;
    from->length = 0;
    from->next = 0;
    return is_its ? tool_make_printable(from->text) : "";
}

char *trace_copy_name(const char *text, size_t length)
{
    return tool_copy_printable(text, length < TRACE_NAME ? length : TRACE_NAME - 1);
}

char *trace_path_in(const char *parent, const char *name)
{
    bool const fits = strlen(parent) + strlen(name) + 1 < TRACE_NAME;
    char path[TRACE_NAME];

    tool_format(path, sizeof path, "%s.%s", fits ? parent : "...", name);
    return tool_copy(path, strlen(path));
}
