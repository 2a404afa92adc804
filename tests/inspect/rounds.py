"""A round takes as many instructions beside a socket that nobody looks through as without one.

rounds.py VALGRIND PROGRAM. Counts instructions with callgrind, so that noise does not matter. It runs the program with
two numbers of transitions and takes the difference, which excludes the setup."""
import os
import re
import subprocess
import sys
import tempfile

SHORT, LONG = 2000, 22000


def instructions(valgrind, program, path, transitions):
    run = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", program, path,
                          str(transitions)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def per_transition(valgrind, program, path):
    long, short = (instructions(valgrind, program, path, count) for count in (LONG, SHORT))
    return (long - short) / (LONG - SHORT)


def main():
    valgrind, program = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        alone, beside = (per_transition(valgrind, program, path) for path in ("-", os.path.join(folder, "s")))
    print(f"{alone:.2f} instructions a transition alone, {beside:.2f} beside a socket")
    return 1 if abs(beside - alone) > 0.5 else 0


if __name__ == "__main__":
    sys.exit(main())
