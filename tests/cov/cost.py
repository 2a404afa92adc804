# SPDX-License-Identifier: MIT
"""A count takes few instructions.

cost.py VALGRIND COVERED PLAIN: the same program with and without counters. Counts instructions with callgrind, so that
noise does not matter. It runs the programs with two numbers of runs and takes the difference, which excludes the
setup."""
import os
import re
import subprocess
import sys
import tempfile

SHORT, LONG = 100, 1100
MOST = 5  # per count: an addition to memory; for some, the choice of the counter


def measure(valgrind, program, runs, data):
    """The instructions, and the sum of all counts."""
    run = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "1", str(runs),
                          "write", "_exit"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True,
                         env={**os.environ, "UFLOW_COVERAGE_FILE": data})
    counts = []
    if os.path.exists(data):
        with open(data, encoding="utf-8") as file: counts = re.findall(r"(?m)^([0-9]+) ", file.read())
        os.remove(data)
    return int(re.search(r"Collected : (\d+)", run.stderr)[1]), sum(int(count) for count in counts)


def main():
    valgrind, covered, plain = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        long, short, long_plain, short_plain = (measure(valgrind, program, runs, data) for program in (covered, plain)
                                                for runs in (LONG, SHORT))
    counts, without = long[1] - short[1], long_plain[0] - short_plain[0]
    each = (long[0] - short[0] - without) / counts
    print(f"{without} instructions without counters; {counts} counts, {each:.2f} instructions each")
    return 0 if each <= MOST and long_plain[1] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
