#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs tests of a .uflow file on an emulated Cortex-M3, which has no processes, no files and no heap there. They must
say what the same tests say on the host.

tests.py UFC WORK_DIRECTORY HOST_PROGRAM. Exit status 77 (skipped) without a cross compiler or an emulator."""
import os
import re
import subprocess
import sys

import images

with open(f"{images.ROOT}/docs/guides/bare-metal.md", encoding="utf-8") as guide:
    PARTS = re.search(r"files of `runtime/test`.*?\n\n((?:    .*\n)+)", guide.read())[1].split()


def results(text):
    """Each test: passed, schedules, and of a failure what both runners tell."""
    found = {}
    for block in re.split(r"^(?=ok |not ok )", text, flags=re.M)[1:]:
        name = re.match(r"(?:not )?ok \d+ - (.*?)(?: # .*)?\n", block)[1]
        schedules = re.search(r"(\d+) schedules?\n", block)
        keys = dict(re.findall(r"^  (at|message|time|schedule|disturbances|history): (.*?)\n(?=  \w|  \.\.\.)", block,
                               flags=re.M | re.S))
        if keys.get("message", "").startswith('"sometimes:'): keys.pop("history", None)
        found[name] = (block.startswith("ok"), schedules and schedules[1], keys)
    return found


def main():
    ufc, work, program = sys.argv[1:]
    host = results(subprocess.run([program, "--limit", "1000"], capture_output=True, text=True, check=False).stdout)
    passing = [name for name, (passed, *_) in host.items() if passed]
    assert len(passing) == 3 and len(host) == 8, host
    images.skip_if_missing()
    builder = images.Builder("cortex-m3", work, ("-Os",))
    flows = os.path.join(work, "tests_flows.c")
    images.call([ufc, "--tests", f"{images.HERE}/tests.uflow", "-o", flows])
    sources = [f"{images.ROOT}/runtime/test/{part}.c" for part in PARTS]
    image = builder.link([f"{images.HERE}/tests.c", flows, *sources], os.path.join(work, "tests.elf"), f"-I{work}",
                         f"-I{images.ROOT}/runtime/test", "-DUF_TEST_NO_CONSTRUCTORS", "-DUF_TEST_JOBS=8")
    done = subprocess.run(builder.command(image), capture_output=True, text=True, check=False, timeout=300)
    chip = results(done.stdout)
    wrong = [name for name in host if host[name] != chip.get(name)]
    for name in wrong: print(f"{name}\n  host: {host[name]}\n  chip: {chip.get(name)}")
    if wrong: print(done.stdout, done.stderr)
    if done.returncode != 1: print(f"status {done.returncode}")
    return 1 if wrong or done.returncode != 1 else 0


if __name__ == "__main__":
    sys.exit(main())
