# SPDX-License-Identifier: MIT
"""A round takes as many instructions beside a socket without a viewer as without a socket. With a recorder, it takes as
many beside 100 viewers that are silent, or that do not read what they asked for, as beside none. Without a recorder,
the socket's own recorder costs the same.

rounds.py VALGRIND PROGRAM. Counts the instructions of the rounds with callgrind, so that noise does not matter. It runs
the program with two numbers of transitions and takes the difference, which excludes the setup."""
import os
import re
import subprocess
import sys
import tempfile

SHORT, LONG = 2000, 22000
WITHIN = 0.5  # instructions of a transition


def instructions(valgrind, program, mode, path, transitions):
    run = subprocess.run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
                          "--toggle-collect=ufi_round", program, mode, path, str(transitions)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def per_transition(valgrind, program, mode):
    with tempfile.TemporaryDirectory() as folder:
        long, short = (instructions(valgrind, program, mode, os.path.join(folder, str(count)), count)
                       for count in (LONG, SHORT))
    return (long - short) / (LONG - SHORT)


def main():
    valgrind, program = sys.argv[1:]
    found = {mode: per_transition(valgrind, program, mode) for mode in ("alone", "socket", "recorded", "viewed", "own")}
    for mode, count in found.items(): print(f"{mode}: {count:.2f} instructions a transition")
    assert found["alone"] > 20, "callgrind has not seen ufi_round()"
    pairs = (("alone", "socket"), ("recorded", "viewed"), ("recorded", "own"))
    return max(abs(found[one] - found[other]) for one, other in pairs) > WITHIN


if __name__ == "__main__":
    sys.exit(main())
