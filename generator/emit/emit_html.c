/* SPDX-License-Identifier: MIT */
/* One self-contained page: the structure and the text of the file, and scripts that draw and replay it. */
#include <string.h>

#include "emit_json.h"
#include "json_text.h"
#include "page.h"

/* In JSON `<` occurs only in strings. As an escape, it cannot end the element or begin a comment. */
static void put_in_script(writer *w, const buffer *json)
{
    const char *at = json->text, *const end = json->text + json->length;
    for (const char *mark; (mark = memchr(at, '<', (size_t)(end - at))); at = mark + 1) {
        buffer_append(w->out, at, (size_t)(mark - at));
        put(w, "\\u003c");
    }
    buffer_append(w->out, at, (size_t)(end - at));
}

void emit_html(const ir_unit *unit, const emit_options *options, buffer *out)
{
    writer w, inside;
    buffer json = {0};

    writer_begin(&inside, unit, options, &json);
    put(&inside, "{ ");
    put_structure(&inside);
    put(&inside, ",\n  \"text\": ");
    json_quote(&json, unit->in->text, unit->in->size);
    put(&inside, " }\n");
    writer_end(&inside);

    writer_begin(&w, unit, options, out);
    put(&w, (const char *)page_begin, "<script type=\"application/json\" data-uflow=\"file\">\n");
    put_in_script(&w, &json);
    put(&w, "</script>\n", (const char *)page_end);
    writer_end(&w);
    buffer_free(&json);
}
