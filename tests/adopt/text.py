#!/usr/bin/env python3
"""The bytes of text that a hosted program with a descriptor and a timeout gets from uflow, linked with --gc-sections.

usage: text.py --ufc UFC --library LIBRARY --cc CC
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "runtime", "include")
LIMIT = 100000


def text(options, folder, name, *sources):
    subprocess.run([options.cc, "-std=c11", "-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections",
                    "-I" + folder, "-I" + INCLUDE, *sources, "-pthread", "-o", name], cwd=folder, check=True)
    printed = subprocess.run(["size", name], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
    return int(printed.splitlines()[1].split()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("ufc", "library", "cc"):
        parser.add_argument(f"--{option}", required=True, type=os.path.abspath if option != "cc" else str)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "hosted.c")
        subprocess.run([options.ufc, os.path.join(HERE, "hosted.uflow"), "-o", made], check=True)
        with open(os.path.join(folder, "empty.c"), "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        added = text(options, folder, "hosted", os.path.join(HERE, "hosted.c"), made, options.library)
        added -= text(options, folder, "empty", "empty.c")
    print(f"{added} bytes of text; at most {LIMIT}")
    return added > LIMIT


if __name__ == "__main__":
    sys.exit(main())
