#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two files of the same name in one program: their names in reports, and a signal that both know.

usage: files.py PROGRAM"""
import os
import pty
import subprocess
import sys

import tap


def run(*options):
    return subprocess.run([os.path.abspath(sys.argv[1]), *options], capture_output=True, check=True).stdout.decode()


def on_a_terminal():
    """What a person sees: the lines, and one that shows the progress and is erased."""
    main, other = pty.openpty()
    with subprocess.Popen([os.path.abspath(sys.argv[1])], stdout=other, stderr=other, stdin=other) as program:
        os.close(other)
        seen = b""
        while True:
            try: part = os.read(main, 4096)
            except OSError: break
            if not part: break
            seen += part
        assert program.wait() == 0
    os.close(main)
    return seen.decode()


def main():
    assert run("--list") == "one/same.uflow:4 first\ntwo/same.uflow:3 second\n", run("--list")
    for only, name in (("one/same.uflow:4", "first"), ("two/same.uflow:3", "second"), ("second", "second")):
        assert list(tap.read(run("--only", only))[0]) == [name]
    results, comments = tap.read(run())
    assert list(results) == ["first", "second"] and comments == ["# 2 passed"], comments
    seen = on_a_terminal()
    assert "\r\x1b[K0/2 first" in seen, repr(seen)
    lines = [line.rsplit("\x1b[K", 1)[-1] for line in seen.replace("\r\n", "\n").split("\n")]
    assert [line.split(" # ")[0] for line in lines] == ["TAP version 14", "1..2", "ok 1 - first", "ok 2 - second",
                                                       "# 2 passed", ""], lines


if __name__ == "__main__":
    main()
