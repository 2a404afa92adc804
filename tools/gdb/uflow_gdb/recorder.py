# SPDX-License-Identifier: MIT
"""The flight recorder: uflow-trace shows a stream made of its memory."""
import os
import re
import shutil
import struct
import subprocess

import gdb

from .flows import process
from .memory import Struct, printable, read, search, text_at

TYPE, FLOW, NAME, TASK, PLACE, EDGE, JOB = range(65, 72)  # of UF_TRACE_DEFINITIONS
HANDLER = 74
SIGNAL, ARMS, RESUMES = 16, 24, 25  # of UF_TRACE_EVENTS
VERSION = 2  # UF_TRACE_VERSION


def byte_order():
    return "<" if Struct.order == "little" else ">"


def recorder_images():
    """The memory of each recorder: its header starts with UF_TRACE_MAGIC and the byte order, version and kind."""
    words = struct.Struct(byte_order() + "13I")
    for address in search(re.compile(b"UFLOWTRC"), 8):
        header = words.unpack(read(address + 8, words.size))
        if header[:3] == (0x01020304, VERSION, 2) and header[7] > 0: yield address, header


def stream_of(address, header):
    """The stream that uf_recorder_save() would write. Only here are the names of steps known."""
    order, full, undefined = byte_order(), header[9], header[10]
    out = [b"UFLOWTRC", struct.pack(order + "14I", 0x01020304, VERSION, 1, *[0] * 6, full, undefined, *[0] * 3)]

    def define(kind, number, a, b, text):
        data = text.encode()
        out.append(struct.pack(order + "4I", len(data), kind << 24 | number, a, b) + data + b"\0" * (-len(data) % 16))
    for what, a, b, text, whole in definitions_of(address, header):
        if what >> 24 == TYPE:
            out.append(struct.pack(order + "4I", len(text), what, 0, 0) + whole[16:])
            define_type(define, what & 0xffffff, process.type_at(b << 32 | a))
        else: out.append(whole)
    return b"".join(out) + events_of(address, header)


def definitions_of(address, header):
    """Words 1 to 3 of each, its text, and all its bytes."""
    definitions, at = read(address + header[3], header[5] * 16), 0
    while at < len(definitions):
        length, *words = struct.unpack_from(byte_order() + "4I", definitions, at)
        end = at + 16 + (length + 15) // 16 * 16
        yield (*words, definitions[at + 16:at + 16 + length], definitions[at:end])
        at = end


def events_of(address, header):
    at_events, capacity, head, full = header[6:10]
    events, begin = read(address + at_events, capacity * 16), head % capacity * 16
    return events[begin + 16:] + events[:begin] if full else events[:begin]


def read_armers():
    """The paths of the flows that armed checkpoints last, by the names of these. Omits checkpoints that were resumed
    since: a thread may have armed them again, without an event."""
    armers = {}
    for address, header in recorder_images():
        try: add_armers(armers, address, header)
        except (gdb.MemoryError, struct.error): pass  # its memory is damaged, or not in the core dump
    return armers


def add_armers(armers, address, header):
    paths, names = {}, {}
    for what, _type, parent, text, _whole in definitions_of(address, header):
        number, text = what & 0xffffff, printable(text.decode(errors="replace"))
        around = paths.get(parent) or ""
        if len(around) >= 1023: around = "..."  # as in uflow-trace: all paths would be quadratic in their number
        if what >> 24 == FLOW: paths[number] = f"{around}.{text}" if around else text
        if what >> 24 == NAME: names[number] = text
    for _time, what, a, _b in struct.iter_unpack(byte_order() + "4I", events_of(address, header)):
        if what >> 24 == ARMS: armers[names.get(a)] = paths.get(what & 0xffffff)
        if what >> 24 in (SIGNAL, RESUMES): armers.pop(names.get(a), None)


def define_type(define, number, kind):
    for i, (name, task) in enumerate(zip(kind.tasks, kind.rows)): define(TASK, number, i, task["line"], name)
    for i, (name, line, task) in enumerate(kind.steps): define(PLACE, number, i | task << 16, line, name)
    for edge in kind.table("edge"):
        define(EDGE, number, edge["from"] | edge["to"] << 16, min(edge["line"], 0xffffff) | edge["kind"] << 24, "")
    for i, handler in enumerate(kind.table("preempt")):
        define(HANDLER, number, i | handler["task"] << 16, handler["line"], "")
    for i, job in enumerate(kind.jobs): define(JOB, number, i | job["task"] << 16, 0, text_at(job["name"]))


def trace_tool():
    beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), *[".."] * 4, "bin", "uflow-trace")
    tool = os.environ.get("UFLOW_TRACE") or shutil.which("uflow-trace") or (os.path.exists(beside) and beside)
    if not tool: raise gdb.GdbError("uflow-trace was not found. Put it on the PATH, or set UFLOW_TRACE to its path.")
    return tool


def show_trace(argument):
    words = argument.split()
    count = int(words.pop(0)) if words and words[0].isdigit() else 20
    if len(words) > 1: raise gdb.GdbError("Usage: uflow trace [COUNT] [PATTERN]")
    options, images = ["--flow=" + words[0]] if words else [], list(recorder_images())
    if not images: raise gdb.GdbError("No flight recorder: the program has not called uf_recorder_init().")
    for address, header in images:
        if len(images) > 1: print(f"recorder at {address:#x}:")
        try:
            result = subprocess.run([trace_tool(), *options, "-"], input=stream_of(address, header), check=False,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise gdb.GdbError(f"uflow-trace cannot be run: {error.strerror}.") from None
        lines = result.stdout.decode(errors="replace").splitlines()
        for line in lines[-count:]: print(line)
        if not lines and not result.returncode:
            print("The ring has no event" + (f" of a flow whose path matches {words[0]}." if words else "."))
        if result.returncode: print(result.stderr.decode(errors="replace").strip())
