#include "ir.h"

bool ir_has_text(span text)
{
    return text.in && text.end > text.begin;
}

bool ir_has_body(const ir_body *body)
{
    return body->text.in != NULL;
}

bool ir_can_fail(const ir_event *event)
{
    return event->kind == IR_RUN || event->kind == IR_JOB;
}

uint32_t ir_line(span at)
{
    return source_line(at.in, at.begin);
}
