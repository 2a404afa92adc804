#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The options in the manual pages of the tools are those of their --help. mandoc checks the pages.
A layout without enough room is reported.

usage: tools.py BIN_DIRECTORY [--update]     --update writes the options"""
import os
import re
import shutil
import subprocess
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = ("trace", "cov", "mutate", "store")
TROUBLE = {"mutate": 3}  # exit status; else 1
ENTRIES = re.compile(r"(?<=follows\.\n).*?(?=\.\\\" End)", re.S)
OPTION = re.compile(r"^ {2}(?:-(\w), | {4})--([\w-]+)(?:=(\w+))? +(\S.*)$")


def roff(text):
    return text.replace("\\", "\\\\").replace("-", "\\-")


def entries(shown):
    """The options in roff."""
    found = []
    for line in shown.split("\n"):
        option = OPTION.match(line)
        if option and "--help" not in line: found.append([*option.groups()])
        elif found and re.match(r" {10,}\S", line): found[-1][3] += " " + line.strip()
    out = []
    for short, name, argument, text in found:
        names = (f'\\-{short} ", " ' if short else "") + f"\\-\\-{roff(name)}"
        if argument: names += f" =\\fI{argument}\\fR"
        out.append(f".TP\n.BR {names}\n{textwrap.fill(roff(text.rstrip('.')) + '.', 78)}\n")
    return "".join(out)


def main():
    folder, update, failures = sys.argv[1], "--update" in sys.argv, 0
    for tool in TOOLS:
        path = os.path.join(ROOT, "tools", tool, f"uflow-{tool}.1")
        shown = subprocess.check_output([os.path.join(folder, f"uflow-{tool}"), "--help"], text=True)
        with open(path, encoding="utf-8") as file: page = file.read()
        filled = ENTRIES.sub(lambda _: entries(shown), page)
        if update:
            with open(path, "w", encoding="utf-8") as file: file.write(filled)
        elif filled != page:
            failures += 1
            print(f"{path}: its options are not those of --help; tests/manual/tools.py {folder} --update writes them")
        if shutil.which("mandoc"):
            said = subprocess.run(["mandoc", "-Tlint", path], stdout=subprocess.PIPE, text=True, check=False).stdout
            failures += said != ""
            print(said, end="")
    for tool in (*TOOLS, "top"):
        for option in ("--help", "--version"):
            path = os.path.join(folder, f"uflow-{tool}")
            if not os.path.exists(path): continue
            with open("/dev/full", "wb") as full:
                done = subprocess.run([path, option], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode == TROUBLE.get(tool, 1) and "standard output: No space left" in done.stderr: continue
            failures += 1
            print(f"{path} {option} does not tell that its output is lost: {done}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
