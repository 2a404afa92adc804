#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs two pumps on an emulated Cortex-M3 while an interrupt handler fires a signal that flows of both wait for.

pumps.py UFC WORK_DIRECTORY. Exit status 77 (skipped) without a cross compiler or an emulator."""
import os
import sys

import images
import live

EXPECTED = b"waiting 6, none lost\n"


def main():
    ufc, work = sys.argv[1:]
    images.skip_if_missing()
    wrong = 0
    for level in ("-Os", "-O2"):
        builder = images.Builder("cortex-m3", os.path.join(work, level[1:]), (level,))
        flows = os.path.join(builder.work, "pumps_flows.c")
        images.call([ufc, f"{images.HERE}/pumps.uflow", "-o", flows])
        image = builder.link([f"{images.HERE}/pumps.c", flows], os.path.join(builder.work, "pumps.elf"),
                             f"-I{builder.work}")
        printed = builder.run(image, *live.MEASURE)
        if printed == EXPECTED: continue
        print(f"{level}: it prints:\n{printed.decode()}and should print:\n{EXPECTED.decode()}")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
