/* Passes any definitions and events through all outputs of uflow-trace. */
#include "fuzz_tool.h"

#include <stdlib.h>
#include <string.h>

#include "sink.h"

static void show(void *context)
{
    static trace_sink *(*const sinks[])(FILE *) = {trace_text, trace_summary, trace_chrome, trace_replay,
                                                   trace_perfetto};
    static trace_event event;

    for (size_t i = 0; i < sizeof sinks / sizeof *sinks; i++) {
        trace_reader *const reader = trace_open(context, 1);
        char *text = NULL;
        size_t length = 0;
        FILE *const out = open_memstream(&text, &length);
        trace_sink *const sink = out ? sinks[i](out) : NULL;
        uint64_t last = 0;

        if (!sink) abort();
        while (trace_next(reader, &event, true)) {
            sink->event(sink, reader, &event);
            last = event.time;
            trace_apply(reader, &event);
        }
        sink->end(sink, reader, last);
        trace_close(reader);
        (void)fclose(out);
        if (sinks[i] == trace_perfetto) free(text);
        else fuzz_check(text, length);
    }
}

/* The first bytes choose a stream or an image, and where its parts are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4) return 0;
    uint32_t const cells = (uint32_t)(size - 4) / sizeof(uf_trace_cell), defined = cells * data[1] / 256;
    bool const is_image = data[0] % 2 != 0 && cells > defined;
    uf_trace_header header = {.order = UF_TRACE_ORDER,
                              .version = UF_TRACE_VERSION,
                              .kind = is_image ? UF_TRACE_IMAGE : UF_TRACE_STREAM,
                              .definitions = sizeof header,
                              .definitions_capacity = defined,
                              .defined = defined,
                              .events = (uint32_t)(sizeof header + defined * sizeof(uf_trace_cell)),
                              .capacity = cells - defined,
                              .head = data[2],
                              .full = data[0] & 2};

    memcpy(header.magic, UF_TRACE_MAGIC, sizeof header.magic);
    fuzz_run(show, (void *)(uintptr_t)fuzz_file(&header, sizeof header, data + 4, size - 4));
    return 0;
}
