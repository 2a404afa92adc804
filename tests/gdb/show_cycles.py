# SPDX-License-Identifier: MIT
"""Runs in gdb: after each of the first rings of cycles.c, prints the dump and what `uflow why` shows."""
import gdb

RINGS = 56  # rings of one and two flows, in each way

gdb.execute("break end_nodes")
gdb.execute("run > /dev/null")
for _ring in range(RINGS):
    print("DUMP\n" + gdb.parse_and_eval("shown").string() + "GDB")
    gdb.execute("uflow why")
    gdb.execute("continue")
