#!/usr/bin/env python3
"""healthy_test.py pick_and_place: many numbers of parts, seeds and delays of the latch, in virtual time. If the latch
closes within its three seconds, all parts must arrive. Otherwise the cell must report that it is stuck, and end."""
import itertools
import subprocess
import sys

PARTS = (0, 1, 2, 3, 7, 50, 300)
SEEDS = (0, 1, 2, 7, 42, 2026, 2147483647)
LATCHES = (0, 1, 50, 200, 700, 1999, 2000, 2800, 2900)


def run(*arguments):
    ended = subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return ended.returncode, ended.stdout.splitlines()


def ended_tasks(lines):
    """The tasks that each machine has ended, in order."""
    tasks = {}
    for line in lines:
        words = line.split()
        if len(words) > 6 and words[1] == "s" and words[2].startswith("cell.") and words[6] == "(end)":
            tasks.setdefault(words[2], []).append(words[3])
    return tasks


def main():
    for parts, seed, latch in itertools.product(PARTS, SEEDS, LATCHES):
        status, lines = run(parts, seed, latch)
        assert status == 0, (parts, seed, latch, lines[-3:])
        assert lines[-2:] == ["zone B held two pickers: 0 times", f"parts delivered to Unload: {parts}"], lines[-2:]
        tasks = ended_tasks(lines)
        assert tasks.get("cell.load", []) == ["Pick", "Place"] * parts, (parts, seed, latch)
        assert tasks.get("cell.unload", []) == ["Pick", "Place"] * parts, (parts, seed, latch)
        assert tasks.get("cell.stage", []) == ["Prepare", "Process", "Cleanup"] * parts, (parts, seed, latch)
    for latch in (3000, 3100, 60000):
        status, lines = run(3, 1, latch)
        assert status == 1 and lines[-3:] == ["failed: the stage gave up: the latch did not close",
                                              "zone B held two pickers: 0 times",
                                              "parts delivered to Unload: 0"], lines[-3:]
    assert run(-1)[0] == 2


if __name__ == "__main__":
    main()
