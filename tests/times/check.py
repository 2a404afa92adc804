#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All implementations write the durations of durations.txt as it says: that of C, of Python in gdb, and of the page.

check.py ROOT CHROMIUM PRINT_PROGRAM...; CHROMIUM may be `none`. The programs are for several widths of words."""
import json
import os
import subprocess
import sys

ROOT, CHROMIUM, *PRINTS = sys.argv[1:]
sys.path[:0] = [os.path.join(ROOT, "tests", "html"), os.path.join(ROOT, "tools", "gdb", "uflow_gdb")]
from browser import Browser  # noqa: E402
from times import in_words  # noqa: E402


def read(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return file.read()


def on_page(durations):
    browser = Browser(CHROMIUM)
    script = read("tools", "page", "trace.js")
    try: return browser.run(f"(() => {{ {script}; return {json.dumps(durations)}.map(duration); }})()")
    finally: browser.close()


def main():
    rows = [line.split(" ", 1) for line in read("tests", "times", "durations.txt").splitlines() if line[0] != "#"]
    durations, wanted = [int(ns) for ns, _text in rows], [text for _ns, text in rows]
    said = {"Python": [in_words(ns) for ns in durations]}
    for program in PRINTS:
        done = subprocess.run([program, *map(str, durations)], stdout=subprocess.PIPE, check=True)
        said[os.path.basename(program)] = done.stdout.decode().splitlines()
    if CHROMIUM != "none": said["JavaScript"] = on_page(durations)
    wrong = [f"{name}: {ns} ns: {text}, not {right}" for name, texts in said.items()
             for ns, text, right in zip(durations, texts, wanted) if text != right]
    assert not wrong and all(len(texts) == len(rows) for texts in said.values()), "\n".join(wrong)
    print(f"{len(rows)} durations in {', '.join(said)}")


if __name__ == "__main__":
    main()
