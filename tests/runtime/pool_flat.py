#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts instructions with callgrind: a spawn, an end and a wait for a free member of a pool of a million members cost
the same whether ten or 50 000 members run.

usage: pool_flat.py PROGRAM

Exit status 77: there is no valgrind."""
import shutil
import subprocess
import sys


def count(program, running):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=measured",
               program, str(running)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout)
    return int(done.stdout.split("Collected :")[1].split()[0])


def main():
    if not shutil.which("valgrind"):
        sys.exit(77)
    few, many = count(sys.argv[1], 10), count(sys.argv[1], 50000)
    print(f"{few / 1000:.0f} and {many / 1000:.0f} instructions for each spawn, wait and end")
    if abs(many - few) > few / 100:
        sys.exit("the cost depends on the number of running members")


main()
