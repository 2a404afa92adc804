#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands of the README work on a fresh machine. In a bare Debian, nothing fails, and no test is skipped that the
release has packages for. Only root can make one.

bare.py [--half] [--keep] [RELEASE...]
    RELEASE: bookworm or trixie; without, both
    --half: ./dev build, where libraries for 32 bits are there without their headers; not all releases can be so
    --keep: the Debian stays
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debian import Debian
from package import run, sources_at

# Tests that a release has no packages for.
LEFT_OUT = {"bookworm": (), "trixie": ("habits.format", "parts of habits.hosts")}  # clang-format 14
HALF = """
apt-get update -qq
apt-get install -y -qq --no-install-recommends gcc \
    $(apt-cache depends gcc-multilib | sed -n 's/^ *Depends: \\(gcc-[0-9]*-multilib\\)$/\\1/p') >/dev/null
echo 'int main(void) { return 0; }' | cc -m32 -x c - -o /dev/null
"""
OTHER_HALF = "echo '#include <errno.h>' | cc -m32 -x c -fsyntax-only - 2>/dev/null"


def skipped(build):
    """The names of tests, and parts of tests, that were skipped."""
    with open(os.path.join(build, "dev-test.log"), encoding="utf-8", errors="replace") as file:
        found = re.findall(r"Test +#\d+: (\S+) \.*\*\*\*Skipped", file.read())
    with open(os.path.join(build, "Testing/Temporary/LastTest.log"), encoding="utf-8", errors="replace") as file:
        for part in re.split(r"(?m)^\d+/\d+ Testing: ", file.read())[1:]:
            if re.search(r"^OK \(skipped=", part, re.M): found.append("parts of " + part.split("\n", 1)[0])
    return found


def check(release, is_half, folder):
    print(f"== a fresh {release}", flush=True)
    debian = Debian(release, os.path.join(folder, release))
    project = os.path.join(debian.root, "root/uflow")
    sources_at(project)

    def do(text):
        print("==", text, flush=True)
        return subprocess.run(debian.inside("sh", "-c", "cd /root/uflow && " + text), check=False,
                              stdin=subprocess.DEVNULL).returncode == 0

    if is_half:
        run(*debian.inside("sh", "-ec", HALF))
        if do(OTHER_HALF):
            print(f"{release} has both halves in one package")
            return True
        return do("./dev demo >/dev/null") and do("./dev build")
    if not do("./dev demo | tail -n 3") or not do("./dev test -DUFLOW_TEST_EFFORT=full"): return False
    missed = [name for name in skipped(os.path.join(project, "build")) if name not in LEFT_OUT[release]]
    for name in missed: print(f"skipped: {name}")
    return not missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("release", nargs="*", choices=[*LEFT_OUT, []])
    options = parser.parse_args()
    wrong = []
    for release in options.release or LEFT_OUT:
        folder = tempfile.mkdtemp(prefix="uflow-bare-")
        if not check(release, options.half, folder): wrong.append(release)
        if options.keep: print(f"kept in {folder}")
        else: shutil.rmtree(folder)
    print(f"failed: {' '.join(wrong)}" if wrong else "passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
