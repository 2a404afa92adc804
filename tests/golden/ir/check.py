#!/usr/bin/env python3
"""Compares the tables that lowering makes with the expected ones: `--dump=ir` of NAME.uflow is NAME.expected.

usage: check.py --ufc UFC [--update] [NAME...]
"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    ufc = os.path.abspath(options.ufc)

    failures = 0
    names = options.names or sorted(name[:-6] for name in os.listdir(HERE) if name.endswith(".uflow"))
    for name in names:
        made = subprocess.run([ufc, "--dump=ir", name + ".uflow"], cwd=HERE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout
        path = os.path.join(HERE, name + ".expected")
        if options.update:
            with open(path, "wb") as file:
                file.write(made)
            continue
        with open(path, "rb") as file:
            expected = file.read()
        if made != expected:
            failures += 1
            print(f"{name}: is not as expected (--update accepts it):\n{made.decode(errors='replace')}")
    print(f"{len(names)} programs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
