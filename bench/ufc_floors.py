#!/usr/bin/env python3
"""What remains of ufc with one thing after the other left out: instructions of a line of 50 000, and time (of the process
and of the kernel for it) and memory of a line of 100 000, the least of some runs.

usage: ufc_floors.py DIRECTORY [--update]

DIRECTORY has ufc_stages, as build/bin/bench/gcc does. --update writes ufc_floors.json, from which document.py makes a table."""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

import generate
from instructions import callgrind
from ufc_speed import SCRATCH

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTED, TIMED = 50000, 100000
REPEAT = 11

# of ufc_stages: what it leaves out on top of those above it
STAGES = [
    ("all", "as it is"),
    ("unchecked", "all checks but those that look up names"),
    ("unlined", "`#line`"),
    ("dropped", "that the output is written"),
    ("tables", "the output"),
    ("meaning", "the tables that it is made from"),
    ("grammar", "what names mean"),
    ("shape", "the grammar: tokens in a list, brackets balanced, words told apart"),
    ("tokens", "that they fit the grammar"),
    ("scanner", "that they are kept, bytes that are no text: the scanner alone"),
    ("copy", "all but the scanner and the writing of as many bytes"),
]


class Input:
    """A file of so many lines, and what is made of it."""

    def __init__(self, directory, scratch, lines):
        self.program = os.path.join(directory, "ufc_stages")
        self.source = os.path.join(scratch, f"input{lines}.uflow")
        self.outputs = [os.path.join(scratch, f"output{lines}.{kind}") for kind in "ch"]
        text = generate.text_of(lines)
        self.lines = text.count("\n")
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(text)
        seconds_of(self.command("all"))
        self.bytes = sum(os.path.getsize(path) for path in self.outputs)

    def command(self, stage):
        self.clear()
        size = [str(self.bytes)] if stage == "copy" else []
        return [self.program, self.source, *self.outputs, stage, *size]

    def clear(self):
        for path in self.outputs:
            if os.path.exists(path):
                os.unlink(path)


def seconds_of(command):
    """What the process and the kernel for it took, and its resident bytes at the end."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    said = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, int(said.split()[-1])


def measure(directory):
    rows = []
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        counted, timed = Input(directory, scratch, COUNTED), Input(directory, scratch, TIMED)
        runs = {stage: [] for stage, _ in STAGES}
        for _ in range(REPEAT):  # one after the other, so that what else the machine does meets all of them
            for stage, _ in STAGES:
                runs[stage].append(seconds_of(timed.command(stage)))
        for stage, what in STAGES:
            instructions, _ = callgrind(counted.command(stage), False)
            rows.append({"what": what, "instructions": round(instructions / counted.lines, 1),
                         "ns": round(min(seconds for seconds, _ in runs[stage]) * 1e9 / timed.lines, 1),
                         "bytes": round(statistics.median(there for _, there in runs[stage]) / timed.lines)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    rows = measure(options.directory)
    for row in rows:
        print(f"{row['instructions']:9.1f} instructions {row['ns']:8.1f} ns {row['bytes']:5} bytes  {row['what']}")
    if options.update:
        with open(os.path.join(HERE, "ufc_floors.json"), "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    main()
