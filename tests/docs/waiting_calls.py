#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of calls that wait for another runtime, in docs/guides/threads.md, has each public function that does so.

usage: waiting_calls.py ROOT
"""
import glob
import os
import re
import sys

WAITS = {"ufh_run_on_driver", "ufh_condition_wait"}  # for the thread that drives a runtime
FUNCTION = re.compile(r"^[a-z][\w \*]*?\b(\w+)\([^;{]*\)\n\{\n(.*?)^\}$", re.M | re.S)
# Generated functions reach the host by its hooks; a macro adds the place of the call.
SHOWN = {"ufh_call": "Flow_call_Task", "ufh_detach": "Flow_destroy", "uf_post_wait_at": "uf_post_wait"}
UNSEEN = {"uf_inspect_close"}  # it waits for its own thread, which waits for the runtime


def calls_of(root):
    """Each function of the host, and the names in its body. `static` functions have names within their file."""
    calls = {}
    for path in glob.glob(os.path.join(root, "runtime/host/*.c")):
        with open(path, encoding="utf-8") as file:
            bodies = dict(FUNCTION.findall(file.read()))
        for name, body in bodies.items():
            calls[name if name.startswith("uf") else (path, name)] = {
                word if word not in bodies or word.startswith("uf") else (path, word)
                for word in re.findall(r"\w+", body)}
    return calls


def main():
    root = sys.argv[1]
    calls, waiting = calls_of(root), set(WAITS)
    while more := {name for name, called in calls.items() if called & waiting} - waiting:
        waiting |= more
    public = {SHOWN.get(name, name) for name in waiting if name in SHOWN or str(name).startswith("uf_")} | UNSEEN
    with open(os.path.join(root, "docs/guides/threads.md"), encoding="utf-8") as file:
        table = re.search(r"\| call for another runtime \|.*?\n\n", file.read(), re.S)[0]
    told = set(re.findall(r"`(\w+)\(\)`", table))
    missing, strange = sorted(public - told), sorted(told - public)
    if missing:
        print("docs/guides/threads.md: not in the table of calls that wait:", ", ".join(missing))
    if strange:
        print("docs/guides/threads.md: in the table of calls that wait, but they do not:", ", ".join(strange))
    return 1 if missing or strange else 0


if __name__ == "__main__":
    sys.exit(main())
