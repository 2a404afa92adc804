#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs random programs on an emulated machine: their traces must have the hashes recorded in tests/random.

random_programs.py UFC WORK_DIRECTORY [--count 1000] [--machine cortex-m3] [--define UF_WHEEL_BITS=0]. Exit status
77 (skipped) without a cross compiler or an emulator."""
import argparse
import concurrent.futures
import os
import sys

import images

RANDOM = os.path.join(images.ROOT, "tests/random")
sys.path.insert(0, RANDOM)
from compare import BATCH, EXPECTED, SECOND_PART, digest  # noqa: E402
from programs import Batch  # noqa: E402


def trace(builder, ufc, first, work):
    os.makedirs(work, exist_ok=True)
    batch = Batch(first, BATCH)
    for name, text in (("batch.uflow", batch.uflow), ("table.c", batch.c)):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file: file.write(text)
    images.call([ufc, "batch.uflow", "-o", "batch.c"], cwd=work)
    sources = [os.path.join(work, "batch.c"), os.path.join(work, "table.c"), os.path.join(RANDOM, "driver.c")]
    return builder.run(builder.link(sources, os.path.join(work, "image.elf"), f"-I{work}", f"-I{RANDOM}", "-O0", "-w",
                                    into=work))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ufc")
    parser.add_argument("work")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--machine", default="cortex-m3", choices=images.MACHINES)
    parser.add_argument("--define", action="append", default=[])
    options = parser.parse_args()
    images.skip_if_missing(options.machine)
    builder = images.Builder(options.machine, os.path.join(options.work, options.machine),
                             ("-Os", *(f"-D{setting}" for setting in options.define)))
    half = max(BATCH, options.count // 2 // BATCH * BATCH)
    firsts = [*range(0, half, BATCH), *range(SECOND_PART, SECOND_PART + max(options.count - half, 0), BATCH)]
    with open(EXPECTED, encoding="utf-8") as file: expected = dict(line.split() for line in file)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        got = pool.map(lambda first: digest(trace(builder, os.path.abspath(options.ufc), first,
                                                  os.path.join(options.work, options.machine, str(first)))), firsts)
        wrong = [first for first, hash in zip(firsts, got) if hash != expected[str(first)]]
    for first in wrong: print(f"on {options.machine}, programs {first} to {first + BATCH - 1} have other traces")
    print(f"{len(firsts) * BATCH} programs" + ("" if wrong else " with the traces of the host"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
