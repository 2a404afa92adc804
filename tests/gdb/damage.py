# SPDX-License-Identifier: MIT
"""Runs in gdb: damages flows and pump in memory, and asks about them each time. Every answer is flows or a sentence."""
import random
import re

import gdb
from uflow_gdb.flows import process
from uflow_gdb.memory import read

chance = random.Random(1)


def ask(question):
    try:
        gdb.execute(question, to_string=True)
        return 0
    except gdb.error as error:
        assert not str(error).startswith("Error occurred in Python"), f"{question}: {error}"
        return 1


gdb.execute("break main_arms.c:look")
gdb.execute("run > /dev/null")
gdb.execute("continue 17")
process.begin()
pump = process.pumps()[0]
places = [(flow.address, flow.type["size"]) for flow in pump.flows] + [(pump.address, 400)]
errors = 0
for _case in range(int(gdb.parse_and_eval("$cases"))):
    at, size = chance.choice(places)
    kept = read(at, size)
    for _byte in range(chance.choice((1, 1, 8))):
        gdb.selected_inferior().write_memory(at + chance.randrange(size), bytes([chance.choice((0, 1, 0xff, 0x7f))]))
    for question in ("uflow flows", "uflow flow cell", "uflow why guard", "uflow why", "uflow trace",
                     f"print *(uf_flow *){places[0][0]}", "print gate"):
        errors += ask(question)
    gdb.selected_inferior().write_memory(at, kept)
    assert ask("uflow flows") == 0

# No text of a process reaches a terminal unchanged.
controls, shown = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"), 0
for flow in pump.flows:
    kept = read(flow["name"], 1)
    gdb.selected_inferior().write_memory(flow["name"], b"\x1b")
    process.begin()
    for question in ("uflow flows", f"print *(uf_flow *){flow.address}", "uflow why"):
        output = gdb.execute(question, to_string=True)
        assert not controls.search(output), f"{question}: {output!r}"
        shown += "?" in output
    gdb.selected_inferior().write_memory(flow["name"], kept)
assert shown, "no name was shown"
print(f"SURVIVED {errors} errors")
