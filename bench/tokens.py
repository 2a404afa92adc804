#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the tokens of three programs, as flows and written by hand with an event loop.

usage: tokens.py [--check | FILE...]

Without files, it prints the table; --check also fails if a program of flows has as many tokens as the one written by
hand. A program counts only the tokens that its two versions do not share: the .uflow files, `source` blocks included,
and the main.c of an example; the .c file in bench/programs. Comments do not count, nor does the formatting."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = {"HTTP server": ("12_http_server", "http_epoll.c"), "MQTT client": ("13_mqtt", "mqtt_poll.c"),
            "TFTP client and server": ("14_tftp", "tftp_epoll.c")}
TOKEN = re.compile(r"""
    (?P<space> \s+ | \\\n | //[^\n]* | /\*.*?\*/)
  | (?P<token> (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+' | <[\w./-]+\.h>
    | \.?\d(?:[eEpP][+-]|[\w.])* | [^\W\d]\w*
    | \.\.\. | <<= | >>= | -> | \+\+ | -- | << | >> | [<>=!]= | && | \|\| | [-+*/%&^|]= | \#\# | \S)
""", re.VERBOSE | re.DOTALL)


def tokens(text):
    """The tokens of C and of .uflow, whose own words and durations are C's identifiers and numbers."""
    return [match["token"] for match in TOKEN.finditer(text) if match["token"]]


def count(paths):
    total = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            total += len(tokens(file.read()))
    return total


def parts(example, program):
    """The files of the flows, those written by hand, and the shared ones."""
    folder = os.path.join(ROOT, "examples", example)
    own = [path for path in sorted(glob.glob(os.path.join(folder, "*.uflow"))) if not path.endswith("_test.uflow")]
    own += glob.glob(os.path.join(folder, "main.c"))
    shared = [path for path in glob.glob(os.path.join(folder, "*.[ch]")) if path not in own]
    return own, [os.path.join(ROOT, "bench", "programs", program)], shared


def rows():
    """For each program: its name, the tokens as flows (0: not there), by hand, shared."""
    return [(name, *map(count, parts(*files))) for name, files in PROGRAMS.items()]


def main():
    is_check = sys.argv[1:] == ["--check"]
    for path in [] if is_check else sys.argv[1:]:
        print(f"{count([path]):6}  {path}")
    if sys.argv[1:] and not is_check:
        return
    print(f"{'tokens':24}{'flows':>8}{'by hand':>9}{'ratio':>7}{'shared':>8}")
    for name, flows, by_hand, shared in rows():
        ratio = f"{flows / by_hand:.2f}" if flows else "–"
        print(f"{name:24}{flows or '–':>8}{by_hand:>9}{ratio:>7}{shared:>8}")
    if is_check and not all(0 < flows < by_hand for _, flows, by_hand, _ in rows()):
        sys.exit("a program of flows is not shorter than the one by hand")


if __name__ == "__main__":
    main()
