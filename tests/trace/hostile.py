#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Crafted and damaged traces: uflow-trace needs memory and time in proportion to the file, and prints no character
that a terminal obeys. It counts each type by itself, whatever its number.

hostile.py UFLOW_TRACE EVENTS_PROGRAM WORK_DIRECTORY CASES"""
import json
import os
import random
import re
import struct
import subprocess
import sys

import decode

TOOL, EVENTS, WORK, CASES = sys.argv[1:5]
IS_SANITIZED = "SANITIZED" in os.environ  # sanitizers need memory and time of their own
FORMATS = ("text", "summary", "perfetto", "chrome", "replay")
TYPE, FLOW, NAME, TASK, PLACE, EDGE, JOB, STATE, NOW, HANDLER = range(65, 75)
TIME, STARTED, STEP, WAIT, DESCRIPTION, REASON, ENDED, SUBMITTED, SIGNAL = 1, 3, 4, 5, 7, 8, 10, 11, 16
VACANT, IDLE = 16, 18  # arms
LEAST, PER_BYTE = 128 << 20, 64  # of memory: the former is more than Python has, which a new process begins with
GROWTH, SLOWER = 8, 30  # a file that is so much larger takes less than so much more time: its square would be 64
SHORT = 0.02  # seconds: what is shorter is not measured
CONTROLS = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def cell(time, kind, number, a=0, b=0):
    return struct.pack("<4I", time, kind << 24 | number, a, b)


def define(kind, number, a=0, b=0, text=b""):
    return cell(len(text), kind, number, a, b) + text + bytes(-len(text) % 16)


def stream(*cells):
    return b"UFLOWTRC" + struct.pack("<14I", 0x01020304, 2, 1, *[0] * 6, 1, 0, *[0] * 3) + b"".join(cells)


def types(part, count=400):
    return stream(*(define(TYPE, i, text=b"T\0s") + define(part, i, 65534, 7, b"x") for i in range(1, count)))


def unknown_steps(count=1000):
    """As in an image: the steps of the events have no names."""
    ends = (cell(0, STARTED, 2 * i, 65534, 1) + cell(1, ENDED, 2 * i, 65533 | 3 << 16) for i in range(1, count))
    return stream(*(define(TYPE, 2 * i - 1, text=b"T\0s") + define(FLOW, 2 * i, 2 * i - 1, 0, b"f")
                    for i in range(1, count)), cell(0, TIME, 0), *ends)


def nested(count=5000, name=b"name"):
    flows = (define(FLOW, i, 1, i - 1 if i > 2 else 0, name) for i in range(2, count))
    return stream(define(TYPE, 1, text=b"T\0s"), *flows, cell(0, TIME, 0),
                  *(cell(i, STARTED, i, 0, 1) for i in range(2, count)))


def states(count=2000):
    words = struct.pack("<8I", 2, STARTED | 1 << 16, *[0] * 6) + bytes(8)
    return stream(define(TYPE, 1, text=b"T\0s"), *(define(FLOW, i, 1, 0, b"f") for i in range(2, count)),
                  *(define(STATE, i, text=words) for i in range(2, count)), cell(0, TIME, 0), cell(1, SIGNAL, 0, 1))


def runs_of_types(count):
    """The same steps of many types."""
    ends = (cell(0, STARTED, 2 * i, 0, 1) + cell(1, ENDED, 2 * i, 2 << 16) for i in range(1, count))
    return stream(*(define(TYPE, 2 * i - 1, text=b"T\0s") + define(FLOW, 2 * i, 2 * i - 1, 0, b"f")
                    for i in range(1, count)), cell(0, TIME, 0), *ends)


def gaps(count):
    """Between events, again and again, the state of one flow of many."""
    words = struct.pack("<8I", 2, STARTED | 1 << 16, *[0] * 6) + bytes(8)
    return stream(define(TYPE, 1, text=b"T\0s"), *(define(FLOW, i, 1, 0, b"f") for i in range(2, count)),
                  *(part for i in range(count) for part in (*[cell(0, TIME, 0)] * (i % 128 == 0), cell(1, SIGNAL, 0, 1),
                                                            define(STATE, 2, text=words))))


def edges(count):
    """Steps by edges that no type has."""
    parts = (define(TASK, 1), define(PLACE, 1), *(cell(0, EDGE, 1, 2 + i % 60000, 5) for i in range(count)))
    return stream(define(TYPE, 1, text=b"T\0s"), *parts, define(FLOW, 2, 1, 0, b"f"), cell(0, TIME, 0),
                  cell(0, STARTED, 2, 0, 1), *(cell(1, STEP, 2, i % 2, i) for i in range(count)))


def deep(count):
    return stream(define(TYPE, 1, text=b"T\0s"), *(define(FLOW, i, 1, i - 1 if i > 2 else 0, b"f")
                                                   for i in range(2, count)), cell(0, TIME, 0),
                  cell(1, STARTED, count - 1, 0, 1))


def elements(count):
    return stream(define(TYPE, 1, text=b"T\0s"), define(FLOW, 2, 1, 0, b"f"), cell(0, TIME, 0),
                  cell(0, STARTED, 2, 0, 1), *(cell(1, SUBMITTED, 2, 0, i) for i in range(count)))


def pool(count, awaited=2):
    """A flow that waits for a free member of its pool; all members wait for a flow."""
    waits = (cell(0, STARTED, i, 0, 1) + cell(1, WAIT, i, IDLE | 0x8080, awaited) for i in range(5, count))
    return stream(define(TYPE, 1, text=b"T\0s"), define(FLOW, 2, 1, 0, b"f"), define(NAME, 3, text=b"pool"),
                  define(FLOW, 4, 1, 0, b"other"), *(define(FLOW, i, 1, 2, b"pool[%d]" % i) for i in range(5, count)),
                  cell(0, TIME, 0), cell(0, STARTED, 2, 0, 1), cell(0, STARTED, 4, 0, 1), *waits,
                  cell(2, WAIT, 2, VACANT | 0x8080, 3))


def endless_name():
    return stream(define(TYPE, 1, text=b"T\0s"), cell(0xfffffff0, NAME, 2), b"rest" * 1000)


def texts(evil):
    """Each text that a trace can hold."""
    number, arms = 3, []
    for kind in (6, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21):
        arms.append(cell(9, WAIT, 2, kind | (0x80 if not arms else 0), number))
    arms[-1] = cell(9, WAIT, 2, 21 | 0x8000, number)
    pieces = [evil[i:i + 8].ljust(8, b"\0") for i in range(0, len(evil), 8)]
    said = [cell(i, kind, 2, *struct.unpack("<2I", piece)) for kind in (DESCRIPTION, REASON)
            for i, piece in enumerate(pieces)]
    return stream(define(TYPE, 1, text=evil + b"\0" + evil), define(TASK, 1, 0, 5, evil), define(PLACE, 1, 0, 6, evil),
                  define(JOB, 1, 0, 0, evil), define(FLOW, 2, 1, 0, evil), define(NAME, 3, text=evil),
                  cell(0, TIME, 0), cell(1, STARTED, 2, 0, 1), *arms, cell(10, SIGNAL, 0, 3, 1),
                  cell(11, SUBMITTED, 2, 0, 0), *said, cell(12, ENDED, 2, 3 << 16, 0), cell(13, STARTED, 2, 0, 2),
                  *arms)


CRAFTED = {"type": types(TASK), "steps": types(PLACE), "jobs": types(JOB), "handlers": types(HANDLER),
           "unknown": unknown_steps(), "nested": nested(), "long": nested(300, b"n" * 3000), "states": states(),
           "endless": endless_name(),
           **{f"text{i}": texts(evil) for i, evil in enumerate((
               b"\x1b]0;owned\x07\x1b[31m", b"line\nnext\rover\x7f\x08", "\x9b31m\x9d".encode(),
               "a\u202eb\u2066c\u2028".encode(), b"\xff\xc0\x9b\xed\xa0\x80", b"\x1b[2J" * 200))}}


GROWING = {"types": (runs_of_types, 5000), "deep": (deep, 2000), "elements": (elements, 10000), "gaps": (gaps, 3000),
           "edges": (edges, 8000), "pool": (pool, 2000),
           "pool of others": (lambda count: pool(count, 4), 2000)}


def write(data):
    path = os.path.join(WORK, "hostile")
    with open(path, "wb") as file:
        file.write(data)
    return path


def shown(form, data, what):
    """The output, and its cost: bytes of memory, and seconds of the processor."""
    out = os.path.join(WORK, "out")
    process = subprocess.Popen([TOOL, "-f", form, "-o", out, write(data)], stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), f"{what}, {form}: {process.returncode}: {said.decode(errors='replace')}"
    with open(out, "rb") as file:
        return (file.read() if process.returncode == 0 else b""), used.ru_maxrss * 1024, used.ru_utime


def check(what, data):
    for form in FORMATS:
        output, memory, _ = shown(form, data, what)
        assert IS_SANITIZED or memory < LEAST + PER_BYTE * len(data), f"{what}, {form}: {len(data)} bytes take {memory}"
        if form == "perfetto":
            decode.perfetto(output)
            continue
        found = CONTROLS.search(output.decode())
        assert not found, f"{what}, {form}: {output.decode()[found.start() - 20:found.end() + 20]!r}"
        if form != "text" and form != "summary" and output:
            json.loads(output)


def check_growth(what, make, count):
    """Several attempts: a busy machine makes only some of them slower."""
    traces = make(count), make(GROWTH * count)
    for form in FORMATS:
        for _ in range(3):
            few, many = (shown(form, trace, what)[2] for trace in traces)
            if many <= SLOWER * max(few, SHORT): break
        else:
            raise AssertionError(f"{what}, {form}: {few} s, and {many} s for {GROWTH} times as much")


def check_numbers():
    """Types whose numbers are equal in some of their bits: flows and names have numbers too."""
    types = {1: b"First", 1 + (1 << 8): b"Second", 1 + (1 << 16): b"Third", 1 + (1 << 17): b"Fourth"}
    defined, flows = [], {}
    while len(flows) < len(types):
        number = len(defined) + 1
        if number in types: defined.append(define(TYPE, number, text=types[number] + b"\0s"))
        elif number - 1 in types:
            flows[number] = types[number - 1].decode()
            defined.append(define(FLOW, number, number - 1, 0, b"f"))
        else: defined.append(define(NAME, number))
    runs = [cell(0, STARTED, flow, 0, 1) + cell(1, ENDED, flow, 3 << 16) for flow in flows for _ in flows[flow]]
    output = shown("summary", stream(*defined, cell(0, TIME, 0), *runs), "numbers")[0].decode()
    for name in flows.values():
        counted = re.findall(rf"(?m)^ +{name}\.\?\.step 0 +(\d+) |^ +(\d+)  {name}\.", output)
        assert counted == [(str(len(name)), ""), ("", str(len(name)))], output


def check_own_output():
    """An output does not replace the trace that is read."""
    for arguments in ((write(states()),), ("-",)):
        with open(os.path.join(WORK, "hostile"), "rb") as file:
            done = subprocess.run([TOOL, "-o", file.name, *arguments], stdin=file, capture_output=True, check=False)
            assert done.returncode == 2 and b"would be lost" in done.stderr, done
            assert file.read() == states(), "the trace is lost"


def damaged(data):
    chance = random.Random(1)
    for _ in range(int(CASES)):
        mutant = bytearray(data)
        for _ in range(chance.choice((1, 3, 30))):
            byte = chance.choice((0, 1, 0x1b, 0x41, 0x42, 0x45, 0x48, 0xff, chance.randrange(256)))
            mutant[chance.randrange(64, len(mutant))] = byte
        yield bytes(mutant)


def main():
    os.makedirs(WORK, exist_ok=True)
    for what, data in CRAFTED.items():
        check(what, data)
    check_numbers()
    check_own_output()
    if not IS_SANITIZED:
        for what, (make, count) in GROWING.items(): check_growth(what, make, count)
    subprocess.run([EVENTS, os.path.join(WORK, "events")], check=True)
    with open(os.path.join(WORK, "events"), "rb") as file:
        for i, data in enumerate(damaged(file.read())):
            check(f"mutant {i}", data)


if __name__ == "__main__":
    main()
