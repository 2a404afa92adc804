#!/usr/bin/env python3
"""Compares what `--dump` prints of each NAME.uflow with NAME.ast and NAME.tokens, those that exist.

usage: check.py --ufc UFC [--update] [NAME...]     --update writes them; to add one, create an empty file
"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
from chosen import chosen  # noqa: E402
DUMPS = ("ast", "tokens")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    ufc = os.path.abspath(options.ufc)

    failures = count = 0
    every = sorted(name[:-6] for name in os.listdir(HERE) if name.endswith(".uflow"))
    for name in chosen(options.names, every):
        dumps = [what for what in DUMPS if os.path.exists(os.path.join(HERE, f"{name}.{what}"))]
        if not dumps:
            failures += 1
            print(f"{name}.uflow has no {', '.join('.' + what for what in DUMPS)}")
        for what in dumps:
            count += 1
            path = os.path.join(HERE, f"{name}.{what}")
            said = subprocess.run([ufc, f"--dump={what}", name + ".uflow"], cwd=HERE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL).stdout
            if options.update:
                with open(path, "wb") as file:
                    file.write(said)
                continue
            with open(path, "rb") as file:
                expected = file.read()
            if said != expected:
                failures += 1
                print(f"{name}.{what} is not as expected (--update accepts it):\n{said.decode('utf-8', 'replace')}")
    print(f"{count} dumps, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
