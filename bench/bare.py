#!/usr/bin/env python3
"""Compares a flow of three steps on a Cortex-M3 with the same flow as a hand-written switch.

It prints the bytes of code, constants and memory that each adds to a program, its stack, and the instructions per wait
of 10 ms, in which the flow changes its step three times.

usage: bare.py UFC"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/bare"))
import images  # noqa: E402

WAITS = 30  # three runs of ten waits
ICOUNT, INSTRUCTION_NS, CYCLE_NS = ("-icount", "shift=10,sleep=off"), 1024, 40
NOTHING = '#include "bare.h"\nvoid bare_start(void)\n{\n}\nbool bare_run(uint32_t ms)\n{\n    return ms < 0;\n}\n'


def sizes(image):
    told = subprocess.run(["arm-none-eabi-size", image], capture_output=True, text=True, check=True).stdout.split()
    text, data, bss = map(int, told[6:9])
    return text + data, data + bss


def main():
    ufc = sys.argv[1]
    switch, flow = [f"{HERE}/bare/three_switch.c"], [f"{HERE}/bare/three_uflow.c"]
    rows = [("nothing", None, ["-Os"]), ("a hand-written switch", switch, ["-Os"]),
            ("uflow, -Os, UF_WHEEL_BITS=0", flow, ["-Os", "-DUF_WHEEL_BITS=0"]), ("uflow, -Os", flow, ["-Os"]),
            ("uflow, -O2", flow, ["-O2"])]
    with tempfile.TemporaryDirectory() as work:
        nothing = os.path.join(work, "nothing.c")
        with open(nothing, "w", encoding="utf-8") as file: file.write(NOTHING)
        images.call([ufc, f"{HERE}/sizes/three.uflow", "-o", f"{work}/three.c"])
        base = None
        print("| | code | memory | stack | instructions per wait |\n| --- | ---: | ---: | ---: | ---: |")
        for name, sources, options in rows:
            builder = images.Builder("cortex-m3", os.path.join(work, re.sub(r"\W", "_", name)), options)
            own = [nothing] if sources is None else sources + [f"{work}/three.c"] * (sources is flow)
            image = builder.link([f"{HERE}/bare/main.c", *own], os.path.join(work, "image.elf"), f"-I{HERE}/bare",
                                 f"-I{work}")
            cycles, stack = map(int, builder.run(image, *ICOUNT).split())
            figures = (*sizes(image), stack)
            if base is None:
                base = figures
                continue
            told = " | ".join(str(figure - nothing_of) for figure, nothing_of in zip(figures, base))
            print(f"| {name} | {told} | {cycles * CYCLE_NS / INSTRUCTION_NS / WAITS:.0f} |")


if __name__ == "__main__":
    main()
