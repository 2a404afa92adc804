/* SPDX-License-Identifier: MIT */
/* boxes.h - walks over the tasks of a flow and the groups around them, for diagrams. */
#ifndef UFC_BOXES_H
#define UFC_BOXES_H

#include "writer.h"

typedef struct boxes {
    void (*begin)(writer *w, const ir_group *group);
    const char *end; /* of a group; "": nothing */
    void (*task)(writer *w, const ir_task *task);
    const char *indent; /* of the lines inside a group, behind their first `margin` bytes */
    size_t margin;
} boxes;

/* Writes the tasks of a flow in source order, with the begin and the end of each group around its tasks. */
void put_boxes(writer *w, const ir_flow *flow, const boxes *how);

#endif
