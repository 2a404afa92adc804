#!/usr/bin/env python3
"""Compares the AST and the tokens of each NAME.uflow with NAME.ast and, if it exists, NAME.tokens.

usage: check.py --ufc UFC [--update] [NAME...]     --update writes them; to add NAME.tokens, create an empty file
"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def dump(ufc, what, name):
    done = subprocess.run([ufc, f"--dump={what}", name + ".uflow"], cwd=HERE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    ufc = os.path.abspath(options.ufc)

    names = options.names or sorted(name[:-6] for name in os.listdir(HERE) if name.endswith(".uflow"))
    failures = 0
    for name in names:
        for what in ("ast", "tokens"):
            path = os.path.join(HERE, f"{name}.{what}")
            is_there = os.path.exists(path)
            if not is_there and (what == "tokens" or not options.update):
                failures += what == "ast"
                continue
            said = dump(ufc, what, name)
            if options.update:
                with open(path, "wb") as file:
                    file.write(said)
                continue
            with open(path, "rb") as file:
                expected = file.read()
            if said != expected:
                failures += 1
                print(f"{name}.{what} is not as expected (--update accepts it):\n{said.decode('utf-8', 'replace')}")
    print(f"{len(names)} files, {failures} failures")
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
