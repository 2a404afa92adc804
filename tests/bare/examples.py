#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples 01 to 05 and 17 on emulated machines: they must print what they print on the host.

examples.py UFC WORK_DIRECTORY MACHINE... Exit status 77 (skipped) without a cross compiler or an emulator."""
import glob
import os
import sys

import images

OPTIONS = {"cortex-m3": ("-Os", "-flto"), "cortex-m0": ("-Os",), "riscv32": ("-Os",)}
EXAMPLES = ("01_hello", "02_shared_ostream", "03_pick_and_place", "04_door", "05_queue_drain",
            "17_washing_machine")


def build(builder, ufc, example, work):
    directory = f"{images.ROOT}/examples/{example}"
    os.makedirs(work, exist_ok=True)
    flows = [path for path in glob.glob(f"{directory}/*.uflow") if not path.endswith(("/live.uflow", "_test.uflow"))]
    sources = [path for path in glob.glob(f"{directory}/*.c") if not path.endswith("/live.c")]
    for flow in flows:
        output = os.path.join(work, os.path.basename(flow)[:-len("uflow")] + "c")
        images.call([ufc, flow, "-o", output])
        sources.append(output)
    sources.append(f"{images.ROOT}/runtime/observe/recorder_file.c")  # example 03 can save a recording
    return builder.link(sources, os.path.join(work, "image.elf"), f"-I{work}", f"-I{directory}")


def main():
    ufc, work, *machines = sys.argv[1:]
    images.skip_if_missing(*machines)
    wrong = 0
    for machine in machines:
        builder = images.Builder(machine, os.path.join(work, machine), OPTIONS[machine])
        for example in EXAMPLES:
            printed = builder.run(build(builder, ufc, example, os.path.join(work, machine, example)))
            with open(f"{images.ROOT}/examples/{example}/expected.txt", "rb") as file: expected = file.read()
            if printed == expected: continue
            wrong += 1
            print(f"{example} on {machine} prints:\n{printed.decode(errors='replace')[:2000]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
