#!/usr/bin/env python3
"""live_test.py PATTERN PROGRAM ARGUMENT...: tests an example that runs until its work is done or its user ends it. With
these arguments and no input, its last lines must match PATTERN. Without them, Enter or the end of the input must end
it, on a pipe, on a terminal and without any input."""
import os
import pty
import re
import subprocess
import sys

PATTERN, PROGRAM, ARGUMENTS = sys.argv[1], sys.argv[2], sys.argv[3:]
PATIENCE = 100
PICTURE, AT_THE_END = b"\x1b[1;1H", b"\x1b[?25h"


class Program:
    def __init__(self, *arguments, terminal=False):
        self.keys, there = pty.openpty() if terminal else os.pipe()[::-1]
        self.process = subprocess.Popen([PROGRAM, *arguments], stdin=there, stdout=subprocess.PIPE)
        os.close(there)
        self.shown = b""
        self.see_pictures(1)

    def see_pictures(self, count):
        """Waits for this many more frames: the program continues."""
        wanted = self.shown.count(PICTURE) + count
        while self.shown.count(PICTURE) < wanted:
            piece = self.process.stdout.read1(4096)
            assert piece, "it ended: " + self.shown.decode()[-400:]
            self.shown += piece

    def type(self, text):
        os.write(self.keys, text)

    def close(self):
        os.close(self.keys)
        self.keys = None

    def end(self):
        """Its last lines."""
        self.shown += self.process.communicate(timeout=PATIENCE)[0]
        if self.keys is not None:
            self.close()
        assert self.process.returncode == 0, (self.process.returncode, self.shown[-400:])
        pictures, end = self.shown.rsplit(AT_THE_END, 1)
        assert PICTURE in pictures and PICTURE not in end, end
        return end.decode().rstrip("\n")


def shape_of(said):
    return re.sub(r"\d+", "N", said)


def main():
    said = Program(*ARGUMENTS).end()
    assert re.fullmatch(PATTERN, said), said

    for terminal in (False, True):
        stopped = Program(terminal=terminal)
        stopped.type(b"no line yet")
        stopped.see_pictures(2)
        stopped.type(b"\n")
        assert shape_of(stopped.end()) == shape_of(said)
    closed = Program()
    closed.close()
    assert shape_of(closed.end()) == shape_of(said)
    none = subprocess.run([PROGRAM], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    assert none.returncode == 0, none


if __name__ == "__main__":
    main()
