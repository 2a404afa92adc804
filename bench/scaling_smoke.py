#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs scaling.py with hardly any events, and makes the tables of its results. All programs run and end, however busy
the machine is. Exit status 77: the programs were not built.

usage: scaling_smoke.py BIN_DIR"""
import json
import os
import subprocess
import sys
import tempfile

import scaling_document

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    directory = next((os.path.join(sys.argv[1], name) for name in ("gcc", "clang")
                      if os.path.exists(os.path.join(sys.argv[1], name, "scaling_uflow"))), None)
    if not directory:
        print(f"there are no programs in {sys.argv[1]}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "scaling.json")
        subprocess.run([sys.executable, "-EsB", os.path.join(HERE, "scaling.py"), directory, "--events", "640",
                        "--samples", "1", "--json", path], check=True)
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
    kinds = {row["what"] for row in run["rows"]}
    missing = {*scaling_document.APART, *scaling_document.SHARED, "flight"} - kinds
    if missing or not run["partial"]:
        sys.exit(f"not measured, or not said to be partial: {', '.join(missing)}")
    for make in (scaling_document.machine, scaling_document.apart, scaling_document.shared, scaling_document.flight):
        print("\n".join(make(run)), end="\n\n")


if __name__ == "__main__":
    main()
