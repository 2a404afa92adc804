#!/usr/bin/env python3
"""healthy_test.py pick_and_place: many numbers of parts, seeds and delays of the latch, in virtual time. If the latch
closes within its three seconds, all parts must arrive. Otherwise the cell must report that it is stuck, and end."""
import itertools
import subprocess
import sys
import tempfile

PARTS = (0, 1, 2, 3, 7, 50)
SEEDS = (0, 1, 2, 7, 42, 2026, 2147483647)
LATCHES = (0, 1, 50, 200, 700, 1999, 2000, 2800, 2900)


def run(*arguments):
    ended = subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return ended.returncode, ended.stdout.splitlines()


def tasks_of(lines, machine):
    """The tasks that the machine has worked on, in order."""
    words = [line.split() for line in lines]
    return [task for task, _ in itertools.groupby(w[3] for w in words if w[1:3] == ["s", f"cell.{machine}"])]


def main():
    for parts, seed, latch in [*itertools.product(PARTS, SEEDS, LATCHES), *itertools.product((300,), (7,), LATCHES)]:
        status, lines = run(parts, seed, latch)
        assert status == 0, (parts, seed, latch, lines[-3:])
        assert lines[-2:] == ["zone B held two pickers: 0 times", f"parts delivered to Unload: {parts}"], lines[-2:]
        for machine, tasks in (("load", ["Pick", "Place"]), ("unload", ["Pick", "Place"]),
                               ("stage", ["Prepare", "Process", "Cleanup"])):
            assert tasks_of(lines, machine) == tasks * parts + tasks[:1], (parts, seed, latch, machine)
    for latch in (3000, 3100, 60000):
        status, lines = run(3, 1, latch)
        assert status == 1 and lines[-3:] == ["failed: stage.Prepare: the latch did not close",
                                              "zone B held two pickers: 0 times",
                                              "parts delivered to Unload: 0"], lines[-3:]
    assert run(-1)[0] == 2
    with tempfile.NamedTemporaryFile() as trace:
        assert run(1, 1, 0, trace.name)[0] == 0 and trace.read().startswith(b"UFLOWTRC")


if __name__ == "__main__":
    main()
