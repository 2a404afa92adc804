# SPDX-License-Identifier: MIT
"""Runs in gdb: at each stop in look(), prints what `uflow flow` shows of every flow, and the kinds of its arms."""
import gdb
from uflow_gdb.flows import process

gdb.execute("set breakpoint pending on")
gdb.execute("break main_arms.c:look")
gdb.execute("run > /dev/null")
while gdb.selected_inferior().pid:
    process.begin()
    print("LOOK")
    for flow in process.all_flows():
        print("FLOW")
        gdb.execute(f"uflow flow {flow.path()}")
        for _what, arm in flow.waits(): print(f"KIND {arm.kind}")
    print("CYCLES")
    gdb.execute("uflow why")
    gdb.execute("continue")
