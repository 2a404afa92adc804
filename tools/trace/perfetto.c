/* SPDX-License-Identifier: MIT */
/* perfetto.c - slices as a Perfetto trace: protocol buffers. The numbers of fields come from
 * https://github.com/google/perfetto/tree/main/protos/perfetto/trace. */
#include "slices.h"

#include <string.h>

#define LINE 1024
#define MOST 8192 /* of a packet: its texts are shorter than LINE */

enum { PACKET = 1 };                                                                           /* Trace */
enum { TIMESTAMP = 8, SEQUENCE = 10, EVENT = 11, INTERNED = 12, FLAGS = 13, DESCRIPTOR = 60 }; /* TracePacket */
enum { UUID = 1, TRACK_NAME = 2, PARENT = 5 };                                                 /* TrackDescriptor */
enum { ANNOTATION = 4, TYPE = 9, NAME_IID = 10, TRACK = 11, NAME = 23, FLOWS = 47, LAST_OF_FLOW = 48 }; /* TrackEvent */
enum { TEXT = 6, KEY = 10 };                     /* DebugAnnotation */
enum { EVENT_NAMES = 2, IID = 1, IID_NAME = 2 }; /* InternedData, EventName */
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };     /* SequenceFlags */
enum { NUMBER = 0, FIXED64 = 1, BYTES = 2 };     /* types of the encoding */

typedef struct message {
    size_t length;
    unsigned char bytes[MOST];
} message;

static uint32_t names; /* the last number of a name */

static void add_byte(message *to, unsigned byte)
{
    if (to->length < MOST) to->bytes[to->length++] = (unsigned char)byte;
}

static void add_varint(message *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) add_byte(to, (unsigned)(value & 0x7f) | 0x80);
    add_byte(to, (unsigned)value);
}

static void add_number(message *to, unsigned field, uint64_t value)
{
    add_varint(to, field << 3 | NUMBER);
    add_varint(to, value);
}

static void add_fixed64(message *to, unsigned field, uint64_t value)
{
    add_varint(to, field << 3 | FIXED64);
    for (unsigned i = 0; i < 8; i++) add_byte(to, (unsigned)(value >> 8 * i & 0xff));
}

static void add_bytes(message *to, unsigned field, const void *bytes, size_t length)
{
    add_varint(to, field << 3 | BYTES);
    add_varint(to, length);
    for (size_t i = 0; i < length; i++) add_byte(to, ((const unsigned char *)bytes)[i]);
}

static void add_text(message *to, unsigned field, const char *text)
{
    char clean[LINE];
    tool_format(clean, sizeof clean, "%s", text);
    add_bytes(to, field, clean, strlen(clean));
}

static void put_packet(FILE *out, const message *packet)
{
    message head = {.length = 0};

    add_varint(&head, PACKET << 3 | BYTES);
    add_varint(&head, packet->length);
    (void)fwrite(head.bytes, 1, head.length, out);
    (void)fwrite(packet->bytes, 1, packet->length, out);
}

static void begin_packet(message *packet, unsigned flags)
{
    packet->length = 0;
    add_number(packet, SEQUENCE, 1);
    add_number(packet, FLAGS, flags);
}

static void begin(FILE *out)
{
    message packet;

    names = 0;
    begin_packet(&packet, STATE_CLEARED);
    put_packet(out, &packet);
}

static uint64_t uuid_of(uint32_t track)
{
    return (uint64_t)track + 1; /* 0 is the default track */
}

static void put_track(FILE *out, uint32_t track, uint32_t parent, const char *name)
{
    message packet, descriptor = {.length = 0};

    add_number(&descriptor, UUID, uuid_of(track));
    if (parent) add_number(&descriptor, PARENT, uuid_of(parent));
    add_text(&descriptor, TRACK_NAME, name);
    begin_packet(&packet, NEEDS_STATE);
    add_bytes(&packet, DESCRIPTOR, descriptor.bytes, descriptor.length);
    put_packet(out, &packet);
}

/* A frequent name is written once, in the packet that uses it first. */
static void add_name(message *packet, message *event, const slice_mark *mark)
{
    message data = {.length = 0}, entry = {.length = 0};

    if (!mark->name_number) {
        add_text(event, NAME, mark->name);
        return;
    }
    if (*mark->name_number == 0) {
        *mark->name_number = ++names;
        add_number(&entry, IID, names);
        add_text(&entry, IID_NAME, mark->name);
        add_bytes(&data, EVENT_NAMES, entry.bytes, entry.length);
        add_bytes(packet, INTERNED, data.bytes, data.length);
    }
    add_number(event, NAME_IID, *mark->name_number);
}

static void put_mark(FILE *out, const slice_mark *mark)
{
    static const unsigned char types[] = {[SLICE_BEGIN] = 1, [SLICE_END] = 2, [SLICE_INSTANT] = 3};
    message packet, event, note;

    event.length = note.length = 0;
    begin_packet(&packet, NEEDS_STATE);
    add_number(&packet, TIMESTAMP, mark->time);
    add_number(&event, TYPE, types[mark->kind]);
    add_number(&event, TRACK, uuid_of(mark->track));
    if (mark->name) add_name(&packet, &event, mark);
    if (mark->key) {
        add_text(&note, KEY, mark->key);
        add_text(&note, TEXT, mark->detail);
        add_bytes(&event, ANNOTATION, note.bytes, note.length);
    }
    for (uint64_t i = 0; i < mark->out_count; i++) add_fixed64(&event, FLOWS, mark->out + i);
    if (mark->in) add_fixed64(&event, LAST_OF_FLOW, mark->in);
    add_bytes(&packet, EVENT, event.bytes, event.length);
    put_packet(out, &packet);
}

static void end(FILE *out)
{
    (void)out;
}

trace_sink *trace_perfetto(FILE *out)
{
    static const slice_writer writer = {.begin = begin, .track = put_track, .mark = put_mark, .end = end};
    return trace_slices(&writer, out);
}
