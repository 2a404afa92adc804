#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs with `ufc --coverage` behave as without it, and their counts equal those of an observer.

random_check.py SOURCE BUILD --count N [--cc CC] [--cflags FLAGS]"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RANDOM = os.path.join(os.path.dirname(HERE), "random")
sys.path.insert(0, RANDOM)
import counts  # noqa: E402
from programs import SECOND_PART, THIRD_PART, Batch  # noqa: E402

BATCH = 10


def call(command, **options):
    done = subprocess.run(command, capture_output=True, timeout=600, check=False, **options)
    if done.returncode: sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr.decode()[-3000:]}")
    return done.stdout


def check(options, first, guards, folder):
    batch = Batch(first, BATCH, guards)
    for name, text in (("batch.uflow", batch.uflow), ("table.c", batch.c)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file: file.write(text)
    cc = [options.cc, "-std=c11", "-w", *options.cflags.split(), "-I.", "-I" + RANDOM,
          "-I" + os.path.join(options.source, "runtime/include")]
    outputs = []
    for program, ufc_options, sources in (("plain", [], []), ("counted", ["--coverage"],
                                          [os.path.join(HERE, "observer.c"), "-Wl,--wrap=uf_pump_init"])):
        call([os.path.join(options.build, "bin/ufc"), *ufc_options, "batch.uflow", "-o", program + "_batch.c",
              "--header", "batch.h"], cwd=folder)
        call([*cc, program + "_batch.c", "table.c", os.path.join(RANDOM, "driver.c"), *sources,
              os.path.join(options.build, "lib/libuflow.a"), "-pthread", "-o", program], cwd=folder)
        environment = {**os.environ, "UFLOW_COVERAGE_FILE": "counts", "COV_OBSERVED": "observed"}
        outputs.append(call(["./" + program], cwd=folder, env=environment))
    assert outputs[0] == outputs[1], f"programs from {first} on: --coverage changes what they do"
    data = counts.read(os.path.join(options.build, "bin/uflow-cov"), "--source-dir=" + folder,
                        os.path.join(folder, "counts"))
    return counts.check(data, os.path.join(folder, "observed"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "build"): parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cflags", default="-O0")
    options = parser.parse_args()
    parts = [(part, guards) for guards in (False, True) for part in (SECOND_PART, THIRD_PART, 0)]
    totals = [0, 0, 0, 0]
    for number in range(max(1, options.count // BATCH)):
        part, guards = parts[number % len(parts)]
        with tempfile.TemporaryDirectory(prefix="uflow-cov-") as folder:
            found = check(options, part + number // len(parts) * BATCH, guards, folder)
        totals = [a + b for a, b in zip(totals, found)]
    assert all(totals), f"nothing was compared: {totals}"
    print(f"{totals[0]} entries of steps, {totals[1]} further runs, {totals[2]} transitions, {totals[3]} endings: "
          "counted as observed")


if __name__ == "__main__":
    main()
