#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a durable flow on emulated machines, kept in two slots: a power cut at each byte that is written.

slots.py UFC WORK_DIRECTORY MACHINE... Exit status 77 (skipped) without a cross compiler or an emulator."""
import os
import sys

import images

EXPECTED = b"each run ended once, after a cut at each byte\n"


def main():
    ufc, work, *machines = sys.argv[1:]
    images.skip_if_missing(*machines)
    wrong = 0
    for machine in machines:
        builder = images.Builder(machine, os.path.join(work, machine))
        flows = os.path.join(builder.work, "slots_flows.c")
        images.call([ufc, f"{images.HERE}/slots.uflow", "-o", flows])
        image = builder.link([f"{images.HERE}/slots.c", flows], os.path.join(builder.work, "slots.elf"),
                             f"-I{builder.work}")
        printed = builder.run(image)
        if printed == EXPECTED: continue
        print(f"{machine}: it prints:\n{printed.decode()}and should print:\n{EXPECTED.decode()}")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
