# SPDX-License-Identifier: MIT
"""A second reader of the format that docs/uflow-trace.md describes, and one of Perfetto's: simple, and independent of
uflow-trace."""
import struct

HEADER = 64
STREAM, IMAGE = 1, 2


class Event:
    def __init__(self, time, kind, number, a, b):
        self.time, self.kind, self.number, self.a, self.b = time, kind, number, a, b
        self.arms, self.path, self.tasks = [], "-", set()


class Trace:
    """Events, and names by number. A half event at the end is left out. `now`: the state of each flow at the end, as
    (step, since), and its wait, as (arms, since); None: it does not run, or does not wait."""

    def __init__(self, data):
        self.events, self.paths, self.types, self.type_of, self.steps = [], {}, {}, {}, {}
        self.now, self.waits, self.states, self.position, self.ends = {}, {}, {}, {}, {}
        self.begun, self.lost_ends = False, set()
        if len(data) < HEADER:
            return
        assert data[:8] == b"UFLOWTRC"
        self.order = "<" if data[8:12] == b"\4\3\2\1" else ">"
        header = struct.unpack_from(f"{self.order}14I", data, 8)
        self.full = header[9] != 0
        if header[2] == IMAGE:
            cells = image_cells(data, header)
        else:
            cells = data[HEADER:]
        self.read(cells)

    def read(self, data):
        high, arms, at = self.high_at(data, 0), [], 0
        while at + 16 <= len(data):
            time, what, a, b = struct.unpack_from(f"{self.order}4I", data, at)
            at += 16
            kind, number = what >> 24, what & 0xffffff
            if kind > 64:
                length = time
                if at + (length + 15) // 16 * 16 > len(data):
                    break
                text = data[at:at + length]
                at += (length + 15) // 16 * 16
                if kind == 72:
                    if self.begun and not self.states:
                        high = self.high_at(data, at)
                    self.states[number] = struct.unpack(f"{self.order}{length // 4}I", text)
                else:
                    self.define(kind, number, a, b, text)
                continue
            if kind not in (1, 7, 8):
                arms = [] if self.states else arms
                self.take_states(high << 32 | time)
            if kind == 1:
                high = a
            elif kind in (5, 6):
                arms = [] if a & 0x80 else arms
                if arms or a & 0x80:  # else the first ones are lost
                    arms.append((a & 0x3f, a >> 16 << 32 | b))
                if arms and a & 0x8000:
                    self.add(high << 32 | time, kind, number, a, b, arms)
                    arms = []
            elif kind not in (2, 7, 8):
                self.add(high << 32 | time, kind, number, a, b, [])
        self.take_states(None)

    def high_at(self, data, at):
        """The upper half of the times from here on, from the next TIME."""
        first = True
        while at + 16 <= len(data):
            length, what, a, b = struct.unpack_from(f"{self.order}4I", data, at)
            at += 16 + ((length + 15) // 16 * 16 if what >> 24 > 64 else 0)
            if what >> 24 == 1:
                return a if first else b
            first = first and what >> 24 > 64
        return 0

    def take_states(self, next_time):
        """The steps and waits that go on, before the event at this time."""
        found = []
        for number, (version, what, *words) in self.states.items():
            entered, since = words[0] | words[1] << 32, words[2] | words[3] << 32
            kind, (a, b) = what & 0xff, words[4:6]
            if version % 2 or not what or not (self.full or what & 0x100):
                continue
            if next_time is not None and entered > next_time:
                self.now[number] = self.waits[number] = None
                continue
            step = None if kind == 10 else (a & 0xffff, entered)
            known = self.now.get(number) == step and (step or self.ends.get(number) == (a >> 16, entered))
            if kind and not known:
                found.append((entered, number, False, kind, a, b, []))
            arms = [(x & 0x3f, x >> 16 << 32 | y) for x, y in zip(words[6::2], words[7::2])][:what >> 16]
            waits = arms and (next_time is None or since <= next_time)
            if waits and not (known and self.waits.get(number) == (arms, since)):
                found.append((since, number, True, 5, a, b, arms))
            if known and not waits:
                self.waits[number] = None
        for since, number, _, kind, a, b, arms in sorted(found):
            time = next_time if self.begun and next_time is not None else since
            self.add(time, kind, number, a, b, arms, since)
        self.states, self.begun = {}, True

    def define(self, kind, number, a, b, text):
        text = text.decode(errors="replace")
        if kind == 65:
            self.types[number] = {"name": text.split("\0")[0], "tasks": {}, "steps": {}}
        elif kind == 66:
            self.paths[number] = (self.paths[b] + "." if b else "") + text
            self.type_of[number] = a
        elif kind == 68:
            self.types[number]["tasks"][a] = text
        elif kind == 69:
            self.types[number]["steps"][a & 0xffff] = (text, a >> 16)

    def task_of(self, number, step):
        if step is None or number not in self.type_of:
            return "?"
        type_ = self.types[self.type_of[number]]
        return type_["tasks"].get(type_["steps"].get(step, ("?", -1))[1], "?")

    def add(self, time, kind, number, a, b, arms, since=None):
        event = Event(time, kind, number, a, b)
        event.still, since = since is not None, time if since is None else since
        event.arms, event.path = arms, self.paths.get(number, "-")
        if number in self.paths:
            event.tasks.add(self.task_of(number, self.position.get(number)))
            if kind in (3, 4, 10):
                event.tasks.add(self.task_of(number, a & 0xffff))
                self.position[number] = None if kind == 10 else a & 0xffff
                self.now[number], self.waits[number] = None if kind == 10 else (a & 0xffff, since), None
                (self.lost_ends.add if event.still else self.lost_ends.discard)(number)
                self.ends[number] = (a >> 16, since) if kind == 10 else self.ends.get(number)
            elif kind in (5, 6):
                self.waits[number] = (arms, since) if kind == 5 else None
        self.events.append(event)


def image_cells(data, header):
    """The content of a stream of this image. The oldest cell may be half overwritten."""
    begin, defined, ring, capacity, head, full = header[3], header[5], header[6], header[7], header[8], header[9]
    at = ring + head % capacity * 16
    older = data[at + 16:ring + capacity * 16] if full else b""
    return data[begin:begin + defined * 16] + older + data[ring:at]


def swapped(data):
    """The same trace, as a machine of the other byte order writes it."""
    out, at = bytearray(data[:8]), 8

    def words(count):
        nonlocal at
        for value in struct.unpack_from(f"<{count}I", data, at):
            out.extend(struct.pack(">I", value))
        at += 4 * count

    words(HEADER // 4 - 2)
    while at < len(data):
        time, what = struct.unpack_from("<2I", data, at)
        words(4)
        text = (time + 15) // 16 * 16 if what >> 24 > 64 else 0
        if what >> 24 >= 72:
            words(text // 4)
        else:
            out += data[at:at + text]
            at += text
    return bytes(out)


# -- Perfetto: https://protobuf.dev/programming-guides/encoding --------------------------------------------------------

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: (number, value). A value is a number or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        else:
            assert kind == 2, f"type {kind} of field {tag >> 3}"
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length
        yield tag >> 3, value


def perfetto(data):
    """Tracks: uuid -> (parent, name); marks: (time, type, track, name, details, arrows out, arrows in)."""
    tracks, marks, names = {}, [], {}
    for number, packet in fields(data):
        assert number == 1
        parts = dict(fields(packet))
        assert parts[10] == 1 and parts[13] in (1, 2)
        if 12 in parts:  # interned data: its names
            for _, entry in fields(parts[12]):
                entry = dict(fields(entry))
                assert entry[1] not in names
                names[entry[1]] = entry[2].decode()
        if 60 in parts:
            track = dict(fields(parts[60]))
            assert track[1] not in tracks and track.get(5, 0) in (0, *tracks)
            tracks[track[1]] = (track.get(5, 0), track[2].decode())
        if 11 in parts:
            every = list(fields(parts[11]))
            event = dict(every)
            details = [dict(fields(v)) for n, v in every if n == 4]
            name = names[event[10]] if 10 in event else event.get(23, b"").decode()
            assert event[11] in tracks
            marks.append((parts[8], event[9], event[11], name, [(d[10].decode(), d[6].decode()) for d in details],
                          [v for n, v in every if n == 47], [v for n, v in every if n == 48]))
    return tracks, marks
